"""Who wins a game without draws or repetition, by proof-number search (`solving/proof.py`)."""

from __future__ import annotations

import threading
from pathlib import Path

from plyground.core.errors import LimitError, PlygroundError
from plyground.core.game import Game
from plyground.core.position import Position, same_board
from plyground.search.binding.compile import bind
from plyground.search.memory_limit import check_memory
from plyground.search.solving.checkpoint import label_of, new_memory
from plyground.search.solving.deadline import Stopwatch, time_limit
from plyground.search.solving.growing_table import NO_LIMIT, GrowingTable
from plyground.search.solving.proof_number.node_table import BUCKET_WAYS, EXTRA_WORDS
from plyground.search.solving.proof_number.search import (
    NODES,
    NODES_ALLOWED,
    PLIES,
    STOP,
    THREADS,
    TOO_LONG,
    ProofWork,
    another_thread,
    new_proof_work,
)
from plyground.search.solving.proof_number.verification import MEASURE, PROVE, RECALL, WRONG, judge
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

PROGRESS_SECONDS = 0.25
PART_FOR_LENGTHS = 5
"""One word in so many is for the lengths of wins, the others are for the proof."""
COUNTED = "positions looked at"


class Prover:
    """Proves who wins, and how soon at most."""

    method = "proof-number search"

    def __init__(
        self,
        game: Game,
        *,
        memory: int = 1024,
        threads: int = 1,
        checkpoint: Path | None = None,
        progress: Listener | None = None,
    ) -> None:
        """`memory` is in MiB. With a checkpoint, it is that file, and is taken up again from it."""
        check_memory(memory, "a solver")
        if not provable(game):
            raise LimitError(
                f"{self.method} asks who wins: {game.name} can end otherwise, or never"
            )
        self.game = game
        self._bound = bind(game)
        self._memory, self._threads, self._checkpoint = memory, threads, checkpoint
        self._progress = progress
        self._board: object = None
        self._table: GrowingTable | None = None
        self._works: list[ProofWork] = []
        self._stopped = False

    # What is asked

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        self._stopped = False
        self._take_board(position)
        self._ask(RECALL, position)  # compiles what needs compiling, in one thread and untimed
        stopwatch = Stopwatch(self._bound)
        for work in self._works:
            work.counters[NODES] = 0
        moves: dict[int, Worth] = {}
        try:
            with time_limit(seconds, stopwatch, self.stop):
                worth = self._worth(position)
                for move, child in position.children() if every_move else ():
                    moves[move] = _earlier(self._worth(child))
                line = self._line(position)
        except Unsolved as unsolved:
            unsolved.stopped = self._stopped
            unsolved.partial = self._partial(position, moves, stopwatch.seconds)
            raise
        return Solution(
            position=position,
            method=self.method,
            worth=worth,
            moves=moves,
            optimal=best_moves(position.turn, moves) if moves else (),
            line=line,
            nodes=self._nodes(),
            counted=COUNTED,
            seconds=stopwatch.seconds,
        )

    def verify(self, position: Position) -> int:
        """Go through the whole proof once more, every position against its children."""
        self._take_board(position)
        self._works[0].lengths[:] = 0
        before = int(self._works[0].counters[NODES])
        if self._measure(position) == WRONG:
            raise Unsolved(f"the proof of {position.text} has a hole")
        return int(self._works[0].counters[NODES]) - before

    def stop(self) -> None:
        self._stopped = True
        for work in self._works[:1]:
            work.shared[STOP] = 1

    # How it is found out

    def _take_board(self, position: Position) -> None:
        """Memory for the positions of this board; what is known of another one is dropped."""
        if self._board is not None and same_board(position.board, self._board):
            return
        width = len(self.game.rules.identity(position.board, position.state))
        most = (self._memory << 20) // PART_FOR_LENGTHS * (PART_FOR_LENGTHS - 1)
        label = label_of(self.method, position)
        self._table = GrowingTable(self._bound, width, most, self._checkpoint, label)
        lengths = new_memory((width + EXTRA_WORDS) * BUCKET_WAYS).words
        work = new_proof_work(self.game.rules, width, self._table.words, lengths, self._threads)
        self._works = [work] + [another_thread(work) for _ in range(self._threads - 1)]
        self._board = position.board

    def _enlarge(self) -> None:
        """A larger table, with all that is known."""
        assert self._table is not None
        words = self._table.grow(lambda: self._stopped)
        self._works = [work._replace(table=words) for work in self._works]

    def _measure(self, position: Position) -> int:
        """The plies that a proven win takes at most, or WRONG."""
        work = self._works[0]
        bucket = (len(self.game.rules.identity(position.board, position.state)) + EXTRA_WORDS) * (
            BUCKET_WAYS
        )
        wanted = max(1, len(work.table) // bucket // (PART_FOR_LENGTHS - 1)) * bucket
        if len(work.lengths) != wanted:
            lengths = new_memory(wanted).words
            self._works = [other._replace(lengths=lengths) for other in self._works]
        self._works[0].shared[NODES_ALLOWED] = NO_LIMIT
        return self._ask(MEASURE, position)

    def _worth(self, position: Position) -> Worth:
        """Who wins, and within how many plies."""
        if position.is_over:
            return Worth(position.utility, 0)
        winner = self._prove(position)
        plies = self._measure(position)
        if plies == WRONG:
            raise self._unsolved(position)
        return Worth(winner if position.turn == 0 else -winner, plies, exactly=False)

    def _prove(self, position: Position) -> int:
        """1 if the player to move wins, -1 if not, found by all threads together."""
        assert self._table is not None
        while True:
            allowed = self._table.enough_for
            self._works[0].shared[NODES_ALLOWED] = allowed // self._threads
            winner = self._prove_on_this_table(position)
            if winner:
                return winner
            if allowed == NO_LIMIT or self._stopped or self._is_too_long():
                raise self._unsolved(position)
            self._enlarge()

    def _prove_on_this_table(self, position: Position) -> int:
        """The same; 0 if it was stopped, or the table should grow first."""
        shared = self._works[0].shared
        shared[STOP], shared[THREADS] = int(self._stopped), self._threads
        answers: list[int] = []
        failures: list[PlygroundError] = []

        def work_on(work: ProofWork) -> None:
            try:
                answers.append(self._ask(PROVE, position, work))
            except PlygroundError as error:
                failures.append(error)
            shared[STOP] = 1  # one answer will do, and a table grows for all

        threads = [threading.Thread(target=work_on, args=(work,)) for work in self._works]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(PROGRESS_SECONDS)
                self._tell(position)
        shared[STOP], shared[THREADS] = int(self._stopped), 1
        if failures:
            raise failures[0]
        return next((answer for answer in answers if answer != 0), 0)

    def _ask(self, task: int, position: Position, work: ProofWork | None = None) -> int:
        return int(
            self._bound.run(
                judge,
                self._bound.pack_board(position.board),
                self._bound.pack_state(position.state),
                task,
                self._works[0] if work is None else work,
            )
        )

    def _line(self, position: Position) -> tuple[int, ...]:
        """Play by the proof: the winner as quickly, the loser as long as it is known how."""
        line: list[int] = []
        while not position.is_over:
            mover_wins = self._ask(PROVE, position) > 0
            lengths = {}
            for move, child in position.children():
                winner = 0 if child.is_over else self._ask(RECALL, child)
                if child.is_over:
                    winner = 1 if (child.utility > 0) == (child.turn == 0) else -1
                if winner and (winner > 0) == (mover_wins == (child.turn == position.turn)):
                    lengths[move] = self._measure(child)
            if self._stopped:  # whatever was asked last has no answer
                raise self._unsolved(position)
            if not lengths:  # the table has forgotten the winning move
                return tuple(line)
            choose = min if mover_wins else max
            line.append(choose(lengths, key=lambda move: lengths[move]))
            position = position.after(line[-1])
        return tuple(line)

    def _partial(
        self, position: Position, found: dict[int, Worth], seconds: float
    ) -> PartialSolution:
        """What is proven so far: the moves that are done with, and all that the table holds."""
        moves = {
            move: _bounds(found[move] if move in found else self._known(child))
            for move, child in position.children()
        }
        own = _bounds(self._known(position))
        return PartialSolution(
            position=position,
            method=self.method,
            bounds=own.narrowed(bounds_by_moves(position.turn, moves.values())),
            moves=moves,
            nodes=self._nodes(),
            counted=COUNTED,
            seconds=seconds,
        )

    def _known(self, position: Position) -> Worth | None:
        """Who wins, if that is proven."""
        winner = self._ask(RECALL, position)
        if winner == 0:
            return None
        return Worth(winner if position.turn == 0 else -winner, exactly=False)

    def _nodes(self) -> int:
        return sum(int(work.counters[NODES]) for work in self._works)

    def _tell(self, position: Position) -> None:
        if self._progress is not None:
            self._progress(Advance(f"proving {position.text}", self._nodes()))

    def _is_too_long(self) -> bool:
        return any(work.counters[TOO_LONG] for work in self._works)

    def _unsolved(self, position: Position) -> Unsolved:
        if self._is_too_long():
            return Unsolved(f"a game of more than {PLIES} plies is too long for {self.method}")
        seen = f"{self._nodes():,} positions were looked at"
        kept = "" if self._checkpoint is None else f"; {self._checkpoint} keeps what they told"
        return Unsolved(f"stopped before {position.text} was proven; {seen}{kept}")


def provable(game: Game) -> bool:
    """Whether a game always ends with a winner."""
    rules = game.rules
    return rules.point == 0 and not rules.repeats and not rules.draws


def _bounds(worth: Worth | None) -> Bounds:
    """Who wins is all or nothing; a win takes so many plies at most, or nobody knows how many."""
    if worth is None:
        return Bounds(Worth(-1), Worth(1))
    latest, soonest = Worth(worth.utility, worth.plies), Worth(worth.utility)
    return Bounds(latest, soonest) if worth.utility > 0 else Bounds(soonest, latest)


def _earlier(worth: Worth) -> Worth:
    """What a move is worth that leads to a position of this worth."""
    plies = None if worth.plies is None else worth.plies + 1
    return Worth(worth.utility, plies, worth.exactly)
