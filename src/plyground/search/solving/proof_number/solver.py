"""The proof-number solver: who wins a game without draws or repetition, and how soon at most."""

from __future__ import annotations

from typing import Any

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.search.solving.checkpoint import new_memory as mapped_memory
from plyground.search.solving.proof_number.search import PLIES, new_memory
from plyground.search.solving.proof_number.verification import (
    MEASURE,
    PROVE,
    RECALL,
    WRONG,
    run_task,
)
from plyground.search.solving.solution import Bounds, Unsolved, Worth
from plyground.search.solving.table_solver import NODE_LIMIT, NODES, TableSolver
from plyground.search.solving.transposition_table import NO_LIMIT, bucket_words

PART_FOR_LENGTHS = 5
"""One word in so many is for the lengths of wins, the others are for the proof."""


class Prover(TableSolver):
    """Proves who wins, and how soon at most."""

    method = label = "proof-number search"

    _found: dict[int, Worth]
    """The moves that are solved."""
    _searched: Position
    """The position that was proven last, or is being proven."""

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
        return (self._memory << 20) // PART_FOR_LENGTHS * (PART_FOR_LENGTHS - 1)

    def _new_memory(self, width: int) -> Any:
        lengths = mapped_memory(bucket_words(width)).words
        return new_memory(self.game.rules, width, self._table.words, lengths)

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
                self._found[move] = _one_ply_later(self._worth(child))
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
        return Worth(winner if position.turn == 0 else -winner, plies, exactly=False)

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
        if winner == 0:
            return None
        return Worth(winner if position.turn == 0 else -winner, exactly=False)

    def _line(self, position: Position) -> tuple[int, ...]:
        """Play by the proof: the quickest known win, the longest known resistance."""
        line: list[int] = []
        while not position.is_over:
            self._searched = position
            mover_wins = self._run_task(PROVE, position) > 0
            lengths = {}
            for move, child in position.children():
                winner = 0 if child.is_over else self._run_task(RECALL, child)
                if child.is_over:
                    winner = 1 if (child.utility > 0) == (child.turn == 0) else -1
                if winner and (winner > 0) == (mover_wins == (child.turn == position.turn)):
                    lengths[move] = self._measure(child)
            self._check_stopped()  # the last task may have no result
            if not lengths:  # the table has lost the winning move
                return tuple(line)
            choose = min if mover_wins else max
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
    latest, soonest = Worth(worth.utility, worth.plies), Worth(worth.utility)
    return Bounds(latest, soonest) if worth.utility > 0 else Bounds(soonest, latest)


def _one_ply_later(worth: Worth) -> Worth:
    """The worth of a move to a position of this worth."""
    plies = None if worth.plies is None else worth.plies + 1
    return Worth(worth.utility, plies, worth.exactly)
