"""Retrograde analysis: every reachable state, worked backwards from the ends of the game.

For games whose positions can come back, where looking ahead never ends: what neither side can force
is a draw. The graph is built (`graph.py`) and values are propagated from the finished games back
(`propagation.py`), also while the graph still grows, since a win needs only as much of it as the
proof does (`analysis.py`). All distances are exact: the winner hurries, the loser delays. A solver
keeps its graph: once it is whole, every position in it is solved at once.

Memory is taken as it is needed, up to the limit. With a checkpoint it is a file, and a later run
resumes with the graph that a killed run has built; the propagation, by far the shorter part, starts
again.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from plyground.core.game import Game, Position
from plyground.search.solving.kernel_solver import KernelSolver
from plyground.search.solving.retrograde.analysis import SLICE, Analysis, spans
from plyground.search.solving.retrograde.propagation import check_values
from plyground.search.solving.solution import Bounds, Unsolved, Worth, best_moves


class Retrograde(KernelSolver):
    """Solves games of wins, above all those whose positions can come back. One thread builds the
    graph; more threads help to verify."""

    method = "retrograde analysis"
    counted = "states"

    _analysis: Analysis | None = None

    def _check_game(self, game: Game) -> None:
        if game.rules.point:
            raise Unsolved(
                f"retrograde analysis finds out who wins, and {game.name} is a game of points"
            )

    def verify(self, position: Position) -> int:
        self._begin(position)
        analysis = self._analyse(position, every_move=False)
        states = analysis.expanded
        parts = list(spans(states, SLICE))

        def check(part: tuple[int, int]) -> int:
            if self._stopped:
                return -1
            arguments = analysis.board, analysis.graph, analysis.new_scratch(), *part
            return int(self._bound.run(check_values, *arguments))

        with ThreadPoolExecutor(self._threads) as pool:
            for (_, last), fault in zip(parts, pool.map(check, parts), strict=True):
                analysis.check_stopped()
                if fault >= 0:
                    self.stop()
                    raise Unsolved(
                        "a value does not follow from those of its children:"
                        f" {analysis.position(fault).text}"
                    )
                self._report(f"{last:,} of {states:,} states checked", last / states)
        return states

    def _solve(
        self, position: Position, *, every_move: bool
    ) -> tuple[Worth, dict[int, Worth], tuple[int, ...]]:
        """The optimal moves at least, and every move if that is wanted and there is memory enough.

        Plies are counted from the position, for its moves as well: the best has the same worth.
        """
        analysis = self._analyse(position, every_move=every_move)
        worth = analysis.worth(position)
        assert worth is not None
        moves = _moves(analysis, position, 0)
        if moves and not every_move:
            moves = {move: moves[move] for move in best_moves(position.turn, moves)}
        return worth, moves, _line(analysis, position)

    def _proven(self, position: Position) -> tuple[Bounds, dict[int, Bounds]]:
        assert self._analysis is not None
        assert self._analysis.root == position
        return self._analysis.proven, dict(self._analysis.proven_of_moves)

    def _nodes(self) -> int:
        assert self._analysis is not None
        return self._analysis.states

    def _analyse(self, position: Position, *, every_move: bool) -> Analysis:
        """An analysis that answers for this position."""
        known = self._analysis
        if known is not None and known.is_whole and known.has(position):
            return known
        if known is None or known.root != position:
            # The old memory is freed before the new memory is taken: the limit is for both.
            known = self._analysis = None
            known = self._analysis = Analysis(
                self._bound,
                position,
                self._memory,
                self._checkpoint,
                report=self._report,
                is_stopped=lambda: self._stopped,
            )
        if not known.answers(every_move=every_move):
            known.run(every_move=every_move)
        return known


def _moves(analysis: Analysis, position: Position, later: int) -> dict[int, Worth]:
    """The moves of a position that is reached so many plies after the root, as far as known."""
    found = {move: analysis.worth(child, later + 1) for move, child in position.children()}
    return {move: worth for move, worth in found.items() if worth is not None}


def _line(analysis: Analysis, position: Position) -> tuple[int, ...]:
    """Perfect play to the end, or until a position comes back."""
    line: list[int] = []
    seen: set[int] = set()
    while not position.is_over and (number := analysis.number(position)) not in seen:
        seen.add(number)
        line.append(best_moves(position.turn, _moves(analysis, position, len(line)))[0])
        position = position.after(line[-1])
    return tuple(line)
