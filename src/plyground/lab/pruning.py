"""The experiment `lab pruning`: how many states each algorithm visits, depth by depth.

Either a single search of one position is counted, or a whole game in which both sides search to the
same depth at every move, all states of all searches added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from plyground.core.bits import mix
from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Game
from plyground.core.position import Position
from plyground.lab.asking import games_by_asker
from plyground.search.result import Limits

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
SHUFFLES = ("all", "max", "none")
VALUATIONS = ("game", "plain", "asking")
CUTS = ("at", "past")

MEMORY = 16
"""MiB of table for the engine: searches that minimax can follow do not fill more."""
DEEPEST = 100
MOST_RUNS = 1_000_000
LONGEST_GAME = 100_000
LARGEST_WINDOW = 1_000_000_000
LARGEST_SEED = (1 << 63) - 1


class Sample(NamedTuple):
    """One search, or one game, of one algorithm."""

    algorithm: str
    depth: int
    states: int
    plies: int
    """How many searches that were; in a game, how many moves were played."""
    finished: bool
    """False for a game that was given up because it went on and on."""


@dataclass(frozen=True)
class Pruning:
    """The experiment, with every detail that its numbers depend on."""

    position: Position
    depths: tuple[int, ...]
    algorithms: tuple[str, ...] = tuple(ALGORITHMS)
    runs: int = 10
    games: bool = False
    """Whole games, and not single searches."""
    shuffle: Literal["all", "max", "none"] = "all"
    """Where the children of a node come in random order: at all nodes, at those of the player who
    searches, or nowhere."""
    valuation: Literal["game", "plain", "asking"] = "game"
    """What leaves are worth. "game": nearer wins are worth more, and at the horizon stands the
    game's evaluation. "plain": the utility at the end, and 0 at the horizon. "asking": as plain,
    but where neither agent of Blocker can move, whoever searches has won."""
    window: tuple[int, int] | None = None
    """alpha and beta at the root, as the player who searches sees them; None: no bounds."""
    cut: Literal["at", "past"] = "at"
    """Whether a node is left when beta <= alpha, or only when beta < alpha."""
    longest: int = 1000
    """A game that is longer than this is given up."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.position.is_over:
            raise GameOver(f"the game is over ({self.position.outcome.reason}): nothing to search")
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
        _ = self.searched  # an unknown valuation of this game is refused now

    @cached_property
    def searched(self) -> tuple[Game, Game]:
        """The game as the first and as the second player sees it while searching."""
        game = self.position.game
        return games_by_asker(game) if self.valuation == "asking" else (game, game)

    def method(self, algorithm: str) -> Method:
        """What one of the compiled algorithms of the textbook is to do."""
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
        """How often to run it: what cannot come out differently is run once."""
        varies = self.shuffle != "none" and (self.games or algorithm != "minimax")
        return self.runs if varies else 1

    @property
    def total(self) -> int:
        """How many samples there will be."""
        return len(self.depths) * sum(map(self.runs_of, self.algorithms))


def _check_number(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise LimitError(f"{name} {value}: it must be from {low} to {high}")


def measure(experiment: Pruning) -> Iterator[Sample]:
    """The samples, one after another: the shallow depths first, algorithm by algorithm."""
    laboratory = _Laboratory(experiment)
    for depth in experiment.depths:
        for algorithm in experiment.algorithms:
            first = mix(mix(mix(1, experiment.seed), depth), list(ALGORITHMS).index(algorithm))
            for run in range(experiment.runs_of(algorithm)):
                yield laboratory.sample(algorithm, depth, mix(first, run))


class _Laboratory:
    """The searches that are set up for an experiment, each made when it is first needed."""

    def __init__(self, experiment: Pruning) -> None:
        self._experiment = experiment
        self._counters: dict[Game, Counter] = {}
        self._engine: Engine | None = None
        self._known: dict[tuple[Position, int], Counted] = {}
        """What minimax has found. It visits everything in any order, and the order only decides
        which of the equally good moves is played: each of them with the same probability. So no
        position is searched twice in all the games of an experiment."""

    def sample(self, algorithm: str, depth: int, seed: int) -> Sample:
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
        return Sample(algorithm, depth, states, plies, not experiment.games or position.is_over)

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
