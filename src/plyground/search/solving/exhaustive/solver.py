"""The exhaustive solver: alpha-beta to the end of the game.

The kernel (`search.py`) decides whether the value of a position is at least a goal. The solver
chooses the goals until the lower and the upper bound of the value meet:

* In a game of points, from a first guess upwards or downwards. Every line is followed to the end of
  the game, so this is for games that end soon.
* In a game of wins, for a win and for a loss within 1, 2, 3, ... plies. So distances are exact, and
  positions may come back: a win within n plies is a win whatever circles were possible. A draw is
  proven when all lines have ended, which they need not do in such a game.

The table keeps what was found from one search to the next. It can be a file (`checkpoint.py`): a
solve that was killed repeats the same searches, which the file answers up to where it was.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from plyground.core.game import Game, Position
from plyground.search.kernel_memory import NO_LIMIT, NODE_LIMIT, STOPPED
from plyground.search.result import refuse_finished
from plyground.search.solving.checkpoint import new_memory as mapped_memory
from plyground.search.solving.exhaustive.interval import LARGEST, WIN, unpacked
from plyground.search.solving.exhaustive.search import PLIES, new_memory, null_window_search
from plyground.search.solving.exhaustive.verification import (
    LENGTH,
    VERIFIED,
    WRONG,
    new_verification,
    verify_table,
)
from plyground.search.solving.kernel_solver import TableSolver, time_limit
from plyground.search.solving.solution import Bounds, Unsolved, Worth, one_ply_later
from plyground.search.solving.transposition_table import bucket_words

DEEPEST = PLIES - 2
"""How far ahead a win is searched, in plies."""
APPROACH_PART = 0.25
"""The part of a time limit that may be spent on bounds, in a game of points. Measured on five
boards of Slant, 5x5 and full of circles, 5 seconds each: half of what was possible at first is
ruled out, without this a tenth."""
NEARBY = 4
"""How many points from the guess a bound is close enough to search for the value itself."""
TO_THE_END = "alpha-beta to the end"


class Exhaustive(TableSolver):
    """Solves positions of one game. Not for two threads at a time."""

    method = TO_THE_END
    label = "alpha-beta"

    _after = ""
    """The move that the status is about."""

    @property
    def _counts(self) -> bool:
        """Whether the game is one of points."""
        return self.game.rules.point > 0

    def verify(self, position: Position) -> int:
        """Verify every interval that the table holds below a position; how many there were.

        This takes an eighth more memory, for positions that have to be searched anew."""
        self.solve(position, every_move=False)
        self._begin(position)
        memory = self._memories[0]
        memory.settings[NODE_LIMIT] = NO_LIMIT
        width = len(memory.identities) // len(memory.moves)
        bucket = bucket_words(width)
        spare_words = mapped_memory(max(1, len(memory.table) // bucket // 8) * bucket).words
        spare = memory._replace(table=spare_words)
        verification = new_verification(memory, width)
        state = self._bound.pack_state(position.state)
        with self._reporting():
            self._status = "checking the table"
            self._bound.run(verify_table, self._packed_board, state, spare, verification)
        if verification.found[WRONG]:
            for move in verification.path[: verification.found[LENGTH]]:
                position = position.after(int(move))
            raise Unsolved(f"the table is wrong about {position.text}")
        if memory.counters[STOPPED]:
            raise self._unsolved()
        return int(verification.found[VERIFIED])

    # What the base classes need

    def _check_game(self, game: Game) -> None:
        """Every game can be tried."""

    def _new_memory(self, width: int) -> Any:
        return new_memory(self.game.rules.max_moves, width, self._table.words)

    def _begin(self, position: Position) -> None:
        refuse_finished(position)
        self._after = ""
        self.method = TO_THE_END
        super()._begin(position)
        for memory in self._memories:
            memory.history[:] = 0
        self._memories[0].busy[:] = 0
        self._known(position)  # compiles, before the timer starts

    def _solve(
        self, position: Position, *, every_move: bool
    ) -> tuple[Worth, dict[int, Worth], tuple[int, ...]]:
        with self._reporting():
            if self._seconds is not None and self._counts:
                self._approach(position, APPROACH_PART * self._seconds)
            value = self._value(position, self._guess(position), DEEPEST)
            moves = self._worth_of_moves(position, value) if every_move else {}
            self._after = ""
            line = self._line(position, value)
        if not self._counts and value != 0:
            self.method = f"alpha-beta to depth {WIN - abs(value)}"
        worth = self._worth(position, value)
        return worth, moves or {line[0]: worth}, line

    def _proven(self, position: Position) -> tuple[Bounds, dict[int, Bounds]]:
        """What the table holds, which is all proven, and what the rules say."""
        moves = {}
        for move, child in position.children():
            low, high = self._bounds(child)
            moves[move] = Bounds(low and one_ply_later(low), high and one_ply_later(high))
        return Bounds(*self._bounds(position)), moves

    def _unsolved(self) -> Unsolved:
        if self._is_too_long():
            reason = f"a line of play is longer than {PLIES} plies"
        elif self._stopped:
            reason = "stopped"
        else:
            reason = f"{self._nodes()} positions looked at"
        return Unsolved(f"not solved: {reason}" + (f"; {self._status}" if self._status else ""))

    # Searching. Values are those of the player to move, on the scale of `interval.py`.

    def _run(self, position: Position, goal: int, memory: Any) -> tuple[int, int, int]:
        state = self._bound.pack_state(position.state)
        return unpacked(
            self._bound.run(null_window_search, self._packed_board, state, goal, memory)
        )

    def _search(self, position: Position, goal: int) -> tuple[int, int, int]:
        """Low, high and the best move so far; the goal is not between low and high."""

        def run(memory: Any) -> tuple[int, int, int] | None:
            memory.counters[STOPPED] = 0
            interval = self._run(position, goal, memory)
            return None if memory.counters[STOPPED] else interval

        return self._first_answer(run)

    def _known(self, position: Position) -> tuple[int, int, int]:
        """Low, high and the best move, by the table and the rules, without a search."""
        return self._run(position, -LARGEST, self._memories[0])

    def _value(self, position: Position, guess: int, depth: int) -> int:
        """The exact value of a position. Wins are searched no further than `depth` plies."""
        return self._narrow(position, guess) if self._counts else self._deepen(position, depth)

    def _guess(self, position: Position) -> int:
        """A first guess of the value of a position."""
        if not self._counts:
            return 0
        return self._for_mover(position, round(position.evaluation / self.game.rules.point))

    def _narrow(self, position: Position, guess: int) -> int:
        """Up or down from a guess (MTD(f), by A. Plaat), in strides that double."""
        low, high, _ = self._known(position)
        goal, stride, upwards = max(low + 1, min(high, guess)), 1, True
        while low < high:
            self._status = self._between(position, low, high)
            low, high, _ = self._search(position, goal)
            stride = 2 * stride if upwards == (low >= goal) else 1
            upwards = low >= goal
            goal = min(high, low + stride) if upwards else max(low + 1, high + 1 - stride)
        if abs(low) >= WIN:
            raise Unsolved(f"a margin of {low} points is more than this solver can tell apart")
        return low

    def _approach(self, position: Position, seconds: float) -> None:
        """For at most so many seconds, narrow the interval of a position from both ends.

        A search with a goal far from the value takes a small part of the time of one nearby. So
        this soon proves something where the value itself is out of reach."""
        guess = self._guess(position)
        # If something else ends the search, that ends the next one too.
        with suppress(Unsolved), time_limit(seconds, self._timer, self._set_stop_flag):
            low, high, _ = self._known(position)
            while max(-low, high) < WIN and low < guess <= high:
                below, above = guess - low, high - guess
                if max(below, above) <= NEARBY:
                    break
                self._status = self._between(position, low, high)
                goal = guess - 3 * below // 4 if below > above else guess + 3 * above // 4
                low, high, _ = self._search(position, goal)
        self._clear_stop_flag()

    def _between(self, position: Position, low: int, high: int) -> str:
        if max(-low, high) >= WIN:
            return "too early to tell"
        ends = sorted(self._for_first(position, value) for value in (low, high))
        return f"{self._after}between {ends[0]} and {ends[1]}"

    def _deepen(self, position: Position, depth: int) -> int:
        """Search for a win and a loss within more and more plies."""
        low, high, _ = self._known(position)
        within = 0
        while low < high:
            if within == depth:
                raise Unsolved(f"not solved: nobody wins within {depth} plies")
            self._status = f"{self._after}nobody wins within {within} plies"
            within += 1
            for goal in (WIN - within, within - WIN + 1):
                if low < goal <= high:
                    low, high, _ = self._search(position, goal)
        return low

    def _worth_of_moves(self, position: Position, value: int) -> dict[int, Worth]:
        """Every move. In a game where positions come back, no further ahead than the best needs."""
        found = {}
        depth = DEEPEST
        if self.game.rules.repeats:
            depth = min(depth, WIN - abs(value))
        for move, child in position.children():
            guess = self._for_mover(child, self._for_first(position, value))
            self._after = f"after {position.move_text(move)}: "
            try:
                below = self._value(child, guess, depth)
            except Unsolved:
                if not self.game.rules.repeats or self._stopped:
                    raise
                continue
            found[move] = one_ply_later(self._worth(child, below))
        return found

    def _line(self, position: Position, value: int) -> tuple[int, ...]:
        """Perfect play: at each position a move that keeps its value, the table's if it does."""
        line: list[int] = []
        while not position.is_over:
            hint = self._known(position)[2]
            kept = self._for_first(position, value)
            if not self._counts and kept != 0:  # a ply nearer to the end
                kept += 1 if kept > 0 else -1
            for move in sorted(position.legal_moves, key=lambda move: move != hint):
                child = position.after(move)
                same = child.turn == position.turn
                value = self._for_mover(child, kept)
                low, high, _ = self._search(child, value if same else value + 1)
                if low >= value if same else high <= value:
                    break
            line.append(move)
            position = child
        return tuple(line)

    # Between the scale of the search and that of a Solution

    def _margin(self, position: Position) -> int:
        """The points so far, in a game that counts them."""
        counted = self._counts and "score" not in self.game.rules.defaults
        return position.score if counted else 0

    def _for_first(self, position: Position, value: int) -> int:
        """A value for the first player, with the points so far."""
        return (value if position.turn == 0 else -value) + self._margin(position)

    def _for_mover(self, position: Position, value: int) -> int:
        """The opposite of `_for_first`."""
        value -= self._margin(position)
        return value if position.turn == 0 else -value

    def _worth(self, position: Position, value: int) -> Worth:
        value = self._for_first(position, value)
        if self._counts or value == 0:
            return Worth(value)
        return Worth(1 if value > 0 else -1, WIN - abs(value))

    def _bounds(self, position: Position) -> list[Worth | None]:
        """Low and high by the table and the rules, for the first player. No margin of points is as
        large as WIN: such an end means that nothing is known."""
        ends = [
            None if self._counts and abs(end) >= WIN else self._worth(position, end)
            for end in self._known(position)[:2]
        ]
        return ends if position.turn == 0 else ends[::-1]
