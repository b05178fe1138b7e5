"""The experiment `lab pruning`: how many states each algorithm visits, depth by depth.

A run is either a single search of one position, or a whole game in which both sides search to the
same depth at every move, with the states of all searches added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from plyground.core.bits import mix
from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.executor.ordered import in_order
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Executor, TaskFunction, Work
from plyground.games.blocker.rules import Board, State, utility
from plyground.search.result import Limits, refuse_finished

if TYPE_CHECKING:
    from plyground.search.counting import Counted, Counter, Method
    from plyground.search.engine.engine import Engine

ALGORITHMS = {
    "minimax": "every state down to the depth",
    "alpha-beta": "without those that cannot matter",
    "ordering": "alpha-beta that tries promising moves first",
    "table": "alpha-beta with ordering that recalls positions met again",
    "engine": "all that the engine does, its deepening included",
}
Shuffle = Literal["all", "max", "none"]
Valuation = Literal["game", "plain", "asking"]
CutRule = Literal["at", "past"]

MEMORY = 16
"""MiB of table for the engine: enough for every depth that minimax can reach."""
DEEPEST = 100
MOST_RUNS = 1_000_000
LONGEST_GAME = 100_000
LARGEST_WINDOW = 1_000_000_000
LARGEST_SEED = (1 << 63) - 1


class PruningRun(NamedTuple):
    """One search, or one game, of one algorithm."""

    algorithm: str
    depth: int
    states: int
    plies: int
    """The number of searches; in a game, of the moves played."""
    finished: bool
    """False for a game that was ended because it was too long."""


@dataclass(frozen=True)
class Pruning:
    """The experiment, with every setting that its numbers depend on."""

    position: Position
    depths: tuple[int, ...]
    algorithms: tuple[str, ...] = tuple(ALGORITHMS)
    runs: int = 10
    games: bool = False
    """Whole games instead of single searches."""
    shuffle: Shuffle = "all"
    """Which nodes have their children in random order: all, those of the player who searches, or
    none."""
    valuation: Valuation = "game"
    """The values of leaves. "game": nearer wins are worth more, and the horizon has the game's
    evaluation. "plain": the utility at the end, and 0 at the horizon. "asking": as plain, but where
    neither agent of Blocker can move, the player who searches has won."""
    window: tuple[int, int] | None = None
    """alpha and beta at the root, for the player who searches; None: no bounds."""
    cut: CutRule = "at"
    """Whether a node is left when beta <= alpha, or only when beta < alpha."""
    longest: int = 1000
    """A longer game is ended."""
    seed: int = 0

    def __post_init__(self) -> None:
        refuse_finished(self.position)
        _check_number("depth", min(self.depths), 1, DEEPEST)
        _check_number("depth", max(self.depths), 1, DEEPEST)
        _check_number("runs", self.runs, 1, MOST_RUNS)
        _check_number("longest", self.longest, 1, LONGEST_GAME)
        _check_number("seed", self.seed, 0, LARGEST_SEED)
        for name in self.algorithms:
            if name not in ALGORITHMS:
                known = ", ".join(ALGORITHMS)
                raise LimitError(f"there is no algorithm {name!r} to count; there are {known}")
        if self.window is not None:
            low, high = self.window
            if not -LARGEST_WINDOW <= low < high <= LARGEST_WINDOW:
                raise LimitError(f"window {low},{high}: alpha must be less than beta")
        _ = self.searched  # raises if the game does not have this valuation

    @cached_property
    def searched(self) -> tuple[Game, Game]:
        """The game as the first and as the second player sees it while searching."""
        game = self.position.game
        return games_by_searcher(game) if self.valuation == "asking" else (game, game)

    def method(self, algorithm: str) -> Method:
        """The settings of one of the compiled textbook algorithms."""
        from plyground.core.values import INFINITY
        from plyground.search.counting import Method

        return Method(
            prunes=algorithm != "minimax",
            ordered=algorithm in ("ordering", "table"),
            table=algorithm == "table",
            shuffle=self.shuffle,
            plain=self.valuation != "game",
            window=self.window or (-INFINITY, INFINITY),
            cut=self.cut,
        )

    def runs_of(self, algorithm: str) -> int:
        """The number of runs; one, if all runs would be the same."""
        varies = self.shuffle != "none" and (self.games or algorithm != "minimax")
        return self.runs if varies else 1

    @property
    def total(self) -> int:
        """The number of runs of the whole experiment."""
        return len(self.depths) * sum(map(self.runs_of, self.algorithms))


def _check_number(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise LimitError(f"{name} {value}: it must be from {low} to {high}")


def measure(experiment: Pruning, executor: Executor | None = None) -> Iterator[PruningRun]:
    """The runs: depth by depth from the shallowest, algorithm by algorithm. They are the same with
    every executor; without one they run in this process."""
    return in_order(executor or SerialExecutor(), Work(_set_up, experiment), _runs(experiment))


def _runs(experiment: Pruning) -> Iterator[tuple[str, int, int]]:
    """For each run: the algorithm, the depth, the seed."""
    for depth in experiment.depths:
        for algorithm in experiment.algorithms:
            first = mix(mix(mix(1, experiment.seed), depth), list(ALGORITHMS).index(algorithm))
            for run in range(experiment.runs_of(algorithm)):
                yield algorithm, depth, mix(first, run)


def _set_up(experiment: Pruning) -> TaskFunction:
    searches = _Searches(experiment)
    return lambda run, _: searches.run(*run)


class _Searches:
    """The searches of an experiment, each made when it is first needed."""

    def __init__(self, experiment: Pruning) -> None:
        self._experiment = experiment
        self._counters: dict[Game, Counter] = {}
        self._engine: Engine | None = None
        self._known: dict[tuple[Position, int], Counted] = {}
        """The results of minimax. It visits every state in any order, and the order only decides
        which of the equally good moves is played, each with the same probability. So no position is
        searched twice in all games of an experiment."""

    def run(self, algorithm: str, depth: int, seed: int) -> PruningRun:
        experiment = self._experiment
        if algorithm == "engine" and self._engine is not None:
            self._engine.clear()
        position, states, plies = experiment.position, 0, 0
        longest = experiment.longest if experiment.games else 1
        while not position.is_over and plies < longest:
            move, nodes = self._search(algorithm, position, depth, mix(seed, plies))
            states += nodes
            plies += 1
            position = position.after(move)
        return PruningRun(algorithm, depth, states, plies, not experiment.games or position.is_over)

    def _search(self, algorithm: str, position: Position, depth: int, seed: int) -> tuple[int, int]:
        """The move that an algorithm plays, and how many states it visited to find it."""
        if algorithm == "engine":
            return self._engine_search(position, depth, seed)
        game = self._experiment.searched[position.turn]
        seen = position if game is position.game else Position(game, position.board, position.state)
        if algorithm == "minimax" and self._experiment.shuffle != "none":
            return self._minimax(seen, depth, seed)
        found = self._count(seen, depth, self._experiment.method(algorithm), seed)
        return found.move, found.nodes

    def _minimax(self, position: Position, depth: int, seed: int) -> tuple[int, int]:
        known = position, depth
        if known not in self._known:
            method = self._experiment.method("minimax")
            self._known[known] = self._count(position, depth, method, seed)
        found = self._known[known]
        return found.equals[seed % len(found.equals)], found.nodes

    def _count(self, position: Position, depth: int, method: Method, seed: int) -> Counted:
        from plyground.search.counting import Counter

        game = position.game
        if game not in self._counters:
            self._counters[game] = Counter(game)
        return self._counters[game].search(position, depth, method, seed)

    def _engine_search(self, position: Position, depth: int, seed: int) -> tuple[int, int]:
        from plyground.search.engine.engine import Engine

        if self._engine is None:
            self._engine = Engine(position.game, memory=MEMORY)
        chosen_by = None if self._experiment.shuffle == "none" else seed
        result = self._engine.search(position, Limits(depth=depth), seed=chosen_by)
        return result.move, result.nodes


# The valuation "asking" of the preset `blocker-2023`


def games_by_searcher(game: Game) -> tuple[Game, Game]:
    """Blocker as the first and as the second player values it while searching: in a state where
    neither agent can move, the player who searches has won.

    That valuation is not zero-sum, but each of the two games is, so that any search works on it.
    The games that are played end by the rules.
    """
    if game.rules.utility is not utility:
        raise LimitError(f"valuation asking is for blocker alone: {game.name} has no such states")
    return _valued_by(game, 0), _valued_by(game, 1)


@cache
def _valued_by(game: Game, player: int) -> Game:
    valued = (utility_for_first, utility_for_second)[player]
    return game.replace(name=f"{game.name} as {game.players[player]} values it", utility=valued)


def neither_can_move(board: Board, state: State) -> bool:
    return state.a_can == 0 and state.b_can == 0


def utility_for_first(board: Board, state: State) -> int:
    return 1 if neither_can_move(board, state) else utility(board, state)


def utility_for_second(board: Board, state: State) -> int:
    return -1 if neither_can_move(board, state) else utility(board, state)
