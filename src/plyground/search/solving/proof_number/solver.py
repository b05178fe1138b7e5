"""The proof-number solver: who wins a game without draws or repetition, and how soon at most."""

from __future__ import annotations

from typing import Any

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.search.kernel_memory import NO_LIMIT, NODE_LIMIT, NODES
from plyground.search.solving.checkpoint import new_memory as mapped_memory
from plyground.search.solving.kernel_solver import TableSolver
from plyground.search.solving.proof_number.search import (
    ESTIMATE,
    HALF,
    LOW,
    MEASURE,
    PLIES,
    PROVE,
    RECALL,
    WRONG,
    new_memory,
    run_task,
)
from plyground.search.solving.solution import (
    Bounds,
    Unsolved,
    Worth,
    one_ply_later,
    won_within,
)
from plyground.search.solving.transposition_table import bucket_words

PART_FOR_LENGTHS = 5
"""One word in so many is for the lengths of wins, the others are for the proof."""


class Prover(TableSolver):
    """Proves who wins, and how soon at most. A limit of nodes is for the proof; its lengths and its
    line come on top."""

    method = label = "proof-number search"

    _found: dict[int, Worth]
    """The moves that are solved."""
    _searched: Position
    """The position that was proven last, or is being proven."""

    def estimate(self, position: Position) -> tuple[int, int]:
        """How hard it still seems, after all that was searched on this board, to prove that the
        first player wins, and that the second does. 0 is proven."""
        packed = self._run_task(ESTIMATE, position)
        phi, delta = packed >> HALF, packed & LOW
        return (phi, delta) if position.turn == 0 else (delta, phi)

    def _check_game(self, game: Game) -> None:
        if not provable(game):
            raise LimitError(
                f"{self.method} asks who wins: {game.name} can end otherwise, or never"
            )

    def verify(self, position: Position) -> int:
        """Go through the whole proof once more, every position against its children."""
        self._begin(position)
        self._memories[0].lengths[:] = 0
        if self._measure(position) == WRONG:
            raise Unsolved(f"the proof of {position.text} has a hole")
        return int(self._memories[0].counters[NODES])

    # What the base classes need

    @property
    def _table_bytes(self) -> int:
        return super()._table_bytes // PART_FOR_LENGTHS * (PART_FOR_LENGTHS - 1)

    def _new_memory(self, width: int) -> Any:
        lengths = mapped_memory(bucket_words(width)).words
        return new_memory(self.game.rules.max_moves, width, self._table.words, lengths)

    def _begin(self, position: Position) -> None:
        super()._begin(position)
        self._found = {}
        self._run_task(RECALL, position)  # compiles, in one thread and untimed

    def _solve(
        self, position: Position, *, every_move: bool
    ) -> tuple[Worth, dict[int, Worth], tuple[int, ...]]:
        with self._reporting():
            worth = self._worth(position)
            for move, child in position.children() if every_move else ():
                self._found[move] = one_ply_later(self._worth(child))
            return worth, self._found, self._line(position)

    def _proven(self, position: Position) -> tuple[Bounds, dict[int, Bounds]]:
        """The moves that are solved, and everything that the table holds."""
        moves = {
            move: _bounds(self._found.get(move) or self._known(child))
            for move, child in position.children()
        }
        return _bounds(self._known(position)), moves

    def _unsolved(self) -> Unsolved:
        if self._is_too_long():
            return Unsolved(f"a game of more than {PLIES} plies is too long for {self.method}")
        seen = f"{self._nodes():,} positions were looked at"
        kept = "" if self._checkpoint is None else f"; {self._checkpoint} keeps what was found"
        return Unsolved(f"stopped before {self._searched.text} was proven; {seen}{kept}")

    # Proving and measuring

    def _run_task(self, task: int, position: Position, memory: Any = None) -> int:
        return int(
            self._bound.run(
                run_task,
                self._packed_board,
                self._bound.pack_state(position.state),
                task,
                self._memories[0] if memory is None else memory,
            )
        )

    def _worth(self, position: Position) -> Worth:
        """Who wins, and within how many plies."""
        if position.is_over:
            return Worth(position.utility, 0)
        self._searched = position
        self._status = f"proving {position.text}"
        winner = self._first_answer(lambda memory: self._run_task(PROVE, position, memory) or None)
        plies = self._measure(position)
        if plies == WRONG:
            raise self._unsolved()
        return Worth(winner, plies, exactly=False)

    def _measure(self, position: Position) -> int:
        """The plies that a proven win takes at most, or WRONG."""
        first = self._memories[0]
        bucket = bucket_words(len(first.identities) // len(first.moves))
        wanted = max(1, len(first.table) // bucket // (PART_FOR_LENGTHS - 1)) * bucket
        if len(first.lengths) != wanted:
            lengths = mapped_memory(wanted).words
            self._memories = tuple(memory._replace(lengths=lengths) for memory in self._memories)
        first.settings[NODE_LIMIT] = NO_LIMIT
        return self._run_task(MEASURE, position)

    def _known(self, position: Position) -> Worth | None:
        """Who wins, if that is proven."""
        winner = self._run_task(RECALL, position)
        return Worth(winner, exactly=False) if winner else None

    def _line(self, position: Position) -> tuple[int, ...]:
        """Play by the proof: the quickest known win, the longest known resistance."""
        line: list[int] = []
        while not position.is_over:
            self._searched = position
            winner = self._run_task(PROVE, position)
            lengths = {
                move: self._measure(child)
                for move, child in position.children()
                if winner and self._run_task(RECALL, child) == winner
            }
            self._check_stopped()  # the last task may have no result
            if not lengths:  # the table has lost the winning move
                return tuple(line)
            choose = min if (winner > 0) == (position.turn == 0) else max
            line.append(choose(lengths, key=lambda move: lengths[move]))
            position = position.after(line[-1])
        return tuple(line)


def provable(game: Game) -> bool:
    """Whether a game always ends with a winner."""
    rules = game.rules
    return rules.point == 0 and not rules.repeats and not rules.draws


def _bounds(worth: Worth | None) -> Bounds:
    """The winner is known or not; the plies of a win are known at most."""
    if worth is None:
        return Bounds(Worth(-1), Worth(1))
    return won_within(worth.utility, None, worth.plies)
