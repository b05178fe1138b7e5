"""The exhaustive solver: every line to its end, with everything cut off that cannot matter.

The kernel (`descent.py`) answers one kind of question, "is this worth at least so much?". What is
asked here, until nothing is left between the least and the most that a position can be worth:

* In a game of points, from a first guess upwards or downwards. Every line is followed to the end of
  the game, so this is for games that end soon.
* In a game of wins, for a win and for a loss within 1, 2, 3, ... plies. So distances are exact, and
  positions may come back: what is won within n plies is won however one could have gone round in
  circles. A draw is proven when all lines have ended, which they need not do in such a game.

What was found out stays in the table from question to question. The table can be a file
(`checkpoint.py`); a solve that was killed asks the same questions again and is soon where it was.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from plyground.core.errors import GameOver, LimitError, PlygroundError
from plyground.core.game import Game
from plyground.core.position import Position, same_board
from plyground.search.binding.compile import Bound, bind
from plyground.search.memory_limit import check_memory
from plyground.search.solving.checkpoint import label_of, new_memory
from plyground.search.solving.deadline import Stopwatch, time_limit
from plyground.search.solving.exhaustive.interval import (
    LARGEST,
    SURE,
    seen_from_above,
    seen_from_below,
    unpacked,
)
from plyground.search.solving.exhaustive.pending_moves import (
    NODE_LIMIT,
    NODES,
    PLIES,
    STOP,
    STOPPED,
    THREADS,
    TOO_LONG,
    Work,
    another_thread,
    new_work,
)
from plyground.search.solving.exhaustive.search import ask
from plyground.search.solving.exhaustive.verification import LENGTH, WRONG, new_check, recheck
from plyground.search.solving.growing_table import NO_LIMIT, GrowingTable
from plyground.search.solving.proof_number.node_table import BUCKET_WAYS, EXTRA_WORDS
from plyground.search.solving.solution import (
    Advance,
    Bounds,
    Listener,
    PartialSolution,
    Solution,
    Unsolved,
    Worth,
    best_moves,
    bounds_by_moves,
)

MAX_THREADS = 256
TICK = 0.25
"""Seconds between two calls of the listener."""
DEEPEST = PLIES - 2
APPROACH_PART = 0.25
"""The part of a time limit that may be spent on bounds, in a game of points. Measured on five
boards of Slant, 5x5 and full of circles, 5 seconds each: half of what was possible at first is
ruled out, without this a tenth."""
NEARBY = 4
"""Points from the guess from which on the answer itself is asked for."""
COUNTED = "positions looked at"
TO_THE_END = "alpha-beta to the end"


class Paused(Unsolved):
    """A question was given up; others may still be asked."""


class Exhaustive:
    """Solves positions of one game. Not for two questions at a time."""

    def __init__(
        self,
        game: Game,
        *,
        memory: int = 256,
        threads: int = 1,
        checkpoint: Path | None = None,
        progress: Listener | None = None,
        depth: int = DEEPEST,
        nodes: int | None = None,
        buckets: int | None = None,
    ) -> None:
        """`memory` is the size of the table in MiB; `buckets`, if given, its exact buckets.

        `depth` is how far ahead a win is looked for; at most `nodes` positions are looked at in one
        solve. Where that is not enough, Unsolved tells what is known.
        """
        check_memory(memory, "the table")
        if not 1 <= threads <= MAX_THREADS:
            raise LimitError(f"{threads} threads: a solver takes from 1 to {MAX_THREADS}")
        if not 1 <= depth <= DEEPEST:
            raise LimitError(f"a depth of {depth}: from 1 to {DEEPEST} are possible")
        for name, limit in (("nodes", nodes), ("buckets", buckets)):
            if limit is not None and limit < 1:
                raise LimitError(f"{limit} {name}: there must be at least 1")
        self.game = game
        self.method = TO_THE_END
        self.bound: Bound = bind(game)
        self._counts = game.rules.point > 0
        self._bytes = memory << 20
        self._buckets = buckets
        self._threads = threads
        self._checkpoint = checkpoint
        self._progress = progress
        self._depth = depth
        self._nodes = nodes
        self._board: Any = None
        self._packed_board: Any = None
        self._table: GrowingTable | None = None
        self._works: list[Work] = []
        self._failure: PlygroundError | None = None
        self._saying = self._of = ""
        """What is told of the progress, and of which move."""
        self._stopping = self._is_pausing = False

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        """The worth of a position, and of all its moves if wanted. Raises Unsolved."""
        if position.is_over:
            raise GameOver(f"the game is over ({position.outcome.reason}): nothing to solve")
        self._set_up(position)
        stopwatch = Stopwatch(self.bound)
        try:
            with self._telling(), time_limit(seconds, stopwatch, self.stop):
                if seconds is not None and self._counts:
                    self._approach(position, stopwatch, APPROACH_PART * seconds)
                worth = self._settle(position, self._guess(position), self._depth)
                self.method = self._said(worth)
                moves = self._worth_of_moves(position, worth) if every_move else {}
                self._of = ""
                line = self._line(position, worth)
        except Unsolved as unsolved:
            unsolved.stopped = self._stopping
            unsolved.partial = self._partial(position, stopwatch.seconds)
            raise
        if not moves:
            moves = {line[0]: self._shown(position, worth)}
        return Solution(
            position=position,
            method=self.method,
            worth=self._shown(position, worth),
            moves=moves,
            optimal=best_moves(position.turn, moves),
            line=line,
            nodes=self._looked_at(),
            counted=COUNTED,
            seconds=stopwatch.seconds,
        )

    def verify(self, position: Position) -> int:
        """Check every interval that the table holds below a position against those of its children;
        how many were checked. Raises Unsolved with the position at fault if one is wrong.

        This takes an eighth more memory, for what has to be looked into anew."""
        self.solve(position, every_move=False)
        self._set_up(position)
        work = self._works[0]
        length = len(work.identities) // len(work.moves)
        bucket = (length + EXTRA_WORDS) * BUCKET_WAYS
        spare = new_memory(max(1, len(work.table) // bucket // 8) * bucket).words
        anew = another_thread(work)._replace(table=spare)
        checks = new_check(len(work.table) // (length + EXTRA_WORDS))
        state = self.bound.pack_state(position.state)
        work.shared[STOP] = 0
        work.settings[NODE_LIMIT] = NO_LIMIT
        with self._telling():
            self._saying = "checking the table"
            checked = self.bound.run(recheck, self._packed_board, state, work, anew, checks)
        if checks.found[WRONG]:
            for move in checks.path[: checks.found[LENGTH]]:
                position = position.after(int(move))
            raise Unsolved(f"the table is wrong about {position.text}")
        if work.counters[STOPPED]:
            raise Unsolved(self._why())
        return int(checked)

    def stop(self) -> None:
        """From another thread: give up soon."""
        self._stopping = True
        self._halt()

    def _pause(self) -> None:
        """From another thread: give up the question that is being asked."""
        self._is_pausing = True
        self._halt()

    def _halt(self) -> None:
        for work in self._works:
            work.shared[STOP] = 1

    # Setting up

    def _set_up(self, position: Position) -> None:
        """A table for this board, counters at 0, and compiled code before the clock starts."""
        if position.game is not self.game:
            raise LimitError(f"this solver is for {self.game.name}, not {position.game.name}")
        if self._board is None or not same_board(position.board, self._board):
            self._new_table(position)
        for work in self._works:
            work.counters[:] = 0
            work.history[:] = 0
        self._stopping = self._is_pausing = False
        self._works[0].settings[THREADS] = self._threads
        self._works[0].busy[:] = 0
        self._saying = self._of = ""

    def _new_table(self, position: Position) -> None:
        rules = self.game.rules
        length = len(rules.identity(position.board, position.state))
        self._table = GrowingTable(
            self.bound,
            length,
            self._bytes,
            self._checkpoint,
            label_of("alpha-beta", position),
            buckets=self._buckets,
        )
        work = new_work(rules.max_moves, length, self._table.words)
        self._works = [work] + [another_thread(work) for _ in range(self._threads - 1)]
        self._board = position.board
        self._packed_board = self.bound.pack_board(position.board)
        self.bound.prepare(ask, *self._arguments(position, 0, work))

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """While inside, a thread tells the listener how far we are."""
        done = threading.Event()

        def tell() -> None:
            while not done.wait(TICK):
                assert self._progress is not None
                self._progress(Advance(self._saying, self._looked_at()))

        teller = threading.Thread(target=tell, daemon=True)
        if self._progress is not None:
            teller.start()
        try:
            yield
        finally:
            done.set()

    def _looked_at(self) -> int:
        return sum(int(work.counters[NODES]) for work in self._works)

    # Asking. Worths are the player to move's, on the scale of `interval.py`.

    def _arguments(self, position: Position, goal: int, work: Work) -> tuple[Any, ...]:
        return self._packed_board, self.bound.pack_state(position.state), goal, work

    def _ask(self, position: Position, goal: int) -> tuple[int, int, int]:
        """Low, high and the best move so far; the goal is not between low and high."""
        assert self._table is not None
        most = NO_LIMIT if self._nodes is None else max(1, self._nodes // self._threads)
        while True:
            enough = self._table.enough_for // self._threads
            self._works[0].settings[NODE_LIMIT] = min(most, enough)
            answers = self._ask_this_table(position, goal)
            if answers:
                return answers[0]
            self._heed_stop()
            if most <= enough or self._is_too_long():
                raise Unsolved(self._why())
            words = self._table.grow(lambda: self._stopping or self._is_pausing)
            self._works = [work._replace(table=words) for work in self._works]

    def _ask_this_table(self, position: Position, goal: int) -> list[tuple[int, int, int]]:
        """The same; nothing if it was stopped, or the table should grow first."""
        answers: list[tuple[int, int, int]] = []
        for work in self._works:
            work.counters[STOPPED] = 0
        self._works[0].shared[STOP] = 0
        self._heed_stop()
        helpers = [
            threading.Thread(target=self._run, args=(position, goal, work, answers), daemon=True)
            for work in self._works[1:]
        ]
        for helper in helpers:
            helper.start()
        self._run(position, goal, self._works[0], answers)
        for helper in helpers:
            helper.join()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        return answers

    def _heed_stop(self) -> None:
        if self._stopping:
            raise Unsolved(self._why())
        if self._is_pausing:
            raise Paused(self._why())

    def _is_too_long(self) -> bool:
        return any(work.counters[TOO_LONG] for work in self._works)

    def _run(
        self,
        position: Position,
        goal: int,
        work: Work,
        answers: list[tuple[int, int, int]],
    ) -> None:
        """One thread's part: whoever is first has answered, and the others stop."""
        try:
            interval = unpacked(self.bound.run(ask, *self._arguments(position, goal, work)))
        except PlygroundError as error:
            self._failure = error
            work.shared[STOP] = 1
            return
        if not work.counters[STOPPED]:
            answers.append(interval)
            if self._threads > 1:
                work.shared[STOP] = 1

    def _why(self) -> str:
        """Why there is no answer, and what is known."""
        if self._is_too_long():
            reason = f"a line of play is longer than {PLIES} plies"
        elif self._stopping:
            reason = "stopped"
        else:
            reason = f"{self._looked_at()} positions looked at"
        return f"not solved: {reason}" + (f"; {self._saying}" if self._saying else "")

    def _settle(self, position: Position, guess: int, depth: int) -> int:
        """What a position is worth, exactly. Wins are looked for no further than `depth` plies."""
        return self._narrow(position, guess) if self._counts else self._deepen(position, depth)

    def _guess(self, position: Position) -> int:
        """A first guess of what is still to come."""
        if not self._counts:
            return 0
        guess = round(position.evaluation / self.game.rules.point) - self._margin(position)
        return guess if position.turn == 0 else -guess

    def _narrow(self, position: Position, guess: int) -> int:
        """Up or down from a guess (MTD(f), by A. Plaat), in strides that double."""
        low, high, _ = self._ask(position, -LARGEST)
        goal, stride, upwards = max(low + 1, min(high, guess)), 1, True
        while low < high:
            self._saying = self._between(position, low, high)
            low, high, _ = self._ask(position, goal)
            stride = 2 * stride if upwards == (low >= goal) else 1
            upwards = low >= goal
            goal = min(high, low + stride) if upwards else max(low + 1, high + 1 - stride)
        if abs(low) >= SURE:
            raise Unsolved(f"a margin of {low} points is more than this solver can tell apart")
        return low

    def _approach(self, position: Position, stopwatch: Stopwatch, seconds: float) -> None:
        """For no more than so many seconds, narrow what a position can be worth from both ends.

        A question far from the right answer takes a small part of the time of one nearby. So this
        soon proves something where the answer itself is out of reach; elsewhere it is a detour."""
        guess = self._guess(position)
        with suppress(Paused), time_limit(seconds, stopwatch, self._pause):
            low, high, _ = self._ask(position, -LARGEST)
            while max(-low, high) < SURE and low < guess <= high:
                below, above = guess - low, high - guess
                if max(below, above) <= NEARBY:
                    break
                self._saying = self._between(position, low, high)
                goal = guess - 3 * below // 4 if below > above else guess + 3 * above // 4
                low, high, _ = self._ask(position, goal)
        self._is_pausing = False

    def _between(self, position: Position, low: int, high: int) -> str:
        if max(-low, high) >= SURE:
            return "too early to tell"
        ends = sorted(self._shown(position, worth).utility for worth in (low, high))
        return f"{self._of}between {ends[0]} and {ends[1]}"

    def _deepen(self, position: Position, depth: int) -> int:
        """For a win and a loss within more and more plies."""
        low, high, _ = self._ask(position, -LARGEST)
        while low < high:
            # An end at 0 has been proven to be no worse, or no better, than a draw.
            win = SURE - high if high > 0 else depth + 1
            loss = SURE + low if low < 0 else depth + 1
            within = min(win, loss)
            if within > depth:
                raise Unsolved(f"not solved: nobody wins within {depth} plies")
            self._saying = f"{self._of}nobody wins within {within - 1} plies"
            if win == within:
                low, high, _ = self._ask(position, SURE - within)
            if loss == within and low < high:
                low, high, _ = self._ask(position, within - SURE + 1)
        return low

    # Answering

    def _margin(self, position: Position) -> int:
        return position.score if "score" not in self.game.rules.defaults else 0

    def _worth_of_moves(self, position: Position, worth: int) -> dict[int, Worth]:
        """Every move. In a game where positions come back, no further ahead than the best needs."""
        found = {}
        depth = self._depth
        if self.game.rules.repeats:
            depth = min(depth, SURE - abs(worth))
        for move, child in position.children():
            step = self._step(position, child)
            guess = seen_from_below(self._counts, worth, *step)
            self._of = f"after {position.move_text(move)}: "
            try:
                below = self._settle(child, guess, depth)
            except Unsolved:
                if not self.game.rules.repeats or self._stopping:
                    raise
                continue
            found[move] = self._shown(position, seen_from_above(self._counts, below, *step))
        return found

    def _line(self, position: Position, worth: int) -> tuple[int, ...]:
        """Perfect play: at each position a move that keeps its worth, the table's if it does."""
        line: list[int] = []
        while not position.is_over:
            hint = self._ask(position, -LARGEST)[2]
            order = sorted(position.legal_moves, key=lambda move: move != hint)
            for move in order:
                child = position.after(move)
                same, gained = self._step(position, child)
                below = seen_from_below(self._counts, worth, same, gained)
                low, high, _ = self._ask(child, below if same else below + 1)
                if low >= below if same else high <= below:
                    break
            line.append(move)
            position, worth = child, below
        return tuple(line)

    def _partial(self, position: Position, seconds: float) -> PartialSolution:
        """What is proven so far: all that the table holds is."""
        moves = {}
        for move, child in position.children():
            step = self._step(position, child)
            ends = [seen_from_above(self._counts, end, *step) for end in self._known(child)]
            moves[move] = self._bounds(position, min(ends), max(ends))
        own = self._bounds(position, *self._known(position))
        return PartialSolution(
            position=position,
            method=TO_THE_END,
            bounds=own.narrowed(bounds_by_moves(position.turn, moves.values())),
            moves=moves,
            nodes=self._looked_at(),
            counted=COUNTED,
            seconds=seconds,
        )

    def _known(self, position: Position) -> tuple[int, int]:
        """Low and high as the table has them, or else at sight; nothing is looked into."""
        work = self._works[0]
        return unpacked(self.bound.run(ask, *self._arguments(position, -LARGEST, work)))[:2]

    def _bounds(self, position: Position, low: int, high: int) -> Bounds:
        """An interval as people see it. No margin of points is as large as SURE: an end that is
        comes of one that was not known."""
        worst, best = (
            None if self._counts and abs(end) >= SURE else self._shown(position, end)
            for end in (low, high)
        )
        return Bounds(worst, best) if position.turn == 0 else Bounds(best, worst)

    def _step(self, position: Position, child: Position) -> tuple[bool, int]:
        """Whether the same player moves on, and what he gained."""
        gained = self._margin(child) - self._margin(position) if self._counts else 0
        return child.turn == position.turn, gained if position.turn == 0 else -gained

    def _shown(self, position: Position, worth: int) -> Worth:
        """A worth as people see it: the first player's, with the points so far."""
        worth = worth if position.turn == 0 else -worth
        if self._counts:
            return Worth(worth + self._margin(position))
        if worth == 0:
            return Worth(0)
        return Worth(1 if worth > 0 else -1, SURE - abs(worth))

    def _said(self, worth: int) -> str:
        if self._counts or worth == 0:
            return TO_THE_END
        return f"alpha-beta to depth {SURE - abs(worth)}"
