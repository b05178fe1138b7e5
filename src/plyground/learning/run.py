"""A run of learning: generation after generation of self-play, fitting and rating.

The first generation plays by the rules alone, with no evaluation, and learns from how its games
ended. Each later one plays with the net of the one before, and learns from the games of the last
few generations: from how they ended, and from what the search said, which by then knows something.
Generations grow, since early ones are soon outdated.

Every generation is rated by matches against what the game has already, and the best one is kept.
A generation may be weaker than the one before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.arena.statistics import Estimate, GameCounts, PairCounts, estimate
from plyground.core.errors import LimitError
from plyground.core.game import Game, Options, Position
from plyground.executor.task import Done, Executor, Failed, Task, Work
from plyground.learning.fit import (
    Fit,
    Weights,
    find_targets,
    fit_weights,
    make_net,
    new_weights,
    weights_of,
)
from plyground.learning.self_play import Positions, joined
from plyground.learning.symmetry import Symmetry, find_symmetries
from plyground.learning.tasks import (
    LearningSettings,
    MatchTask,
    SelfPlayTask,
    set_up,
)
from plyground.search.binding.compile import bind
from plyground.search.net.layout import FeatureLayout, find_layout
from plyground.search.net.net import Net, fingerprint
from plyground.search.random_games import random_game

SHARES = (0.045, 0.06, 0.082, 0.104, 0.134, 0.164, 0.194, 0.217)
"""Of the time of a run, for each generation: for self-play, fitting and rating."""
LEAST_SELF_PLAY = 1 / 3
"""Of the time of a generation: if fitting takes longer than it should, the run does, too."""
FIRST_NOT_PLAYING = 1 / 3
"""The part of its time for which the first generation is expected to fit and to rate."""
SELF_PLAY_NODES = 400
"""A move. More games of few nodes teach more than fewer games of many."""
MATCH_NODES = 2000
"""A move, when generations are rated."""
MATCH_PAIRS, FEWEST_PAIRS, MATCH_SHARE = 100, 4, 1 / 3
"""Against the opponent that decides which generation is best, the one that the last generation did
worst against: a pair for so many seconds of a run, so that a short one is not spent on rating,
within these bounds."""
OTHER_PAIRS = 1 / 4
"""The part of that against each other opponent, which soon loses all games."""
WINDOW = 3
"""Generations whose games are learned from."""
RESULT_TRUST = 0.6
"""How much the result of a game counts after the first generation, beside the search's value."""
EPOCHS = 8
SYMMETRY_TRIALS = 3
"""In so many generations it is tried which symmetries help."""
SAMPLE_GAMES = 60
"""Random games from which the layout and the symmetries are found."""
TASK_SECONDS = 3.0
"""The longest task of self-play: a worker is free again after it."""
SHORTEST_TASK = 0.2
FEWEST_POSITIONS = 100
MOST_EXTRA_TASKS = 50
"""Of self-play, after the time is up, until there are FEWEST_POSITIONS."""


OWN, NONE, FIRST = "own", "none", "first"
"""What generations are rated against: the game's own evaluation, none, the first generation."""


def self_play_seconds(whole: float, number: int, elapsed: float, not_playing: float) -> float:
    """How long the generation of this number plays, in a run of `whole` seconds of which some have
    elapsed. `not_playing` is the part of its time for which the one before was fitted and rated."""
    share = whole * SHARES[number - 1]
    end = whole * sum(SHARES[:number])
    return max(end - elapsed - not_playing * share, LEAST_SELF_PLAY * share)


@dataclass(frozen=True)
class Generation:
    """What is known about one generation."""

    number: int
    net: Net
    weights: Weights
    games: int
    positions: int
    """That it was fitted to."""
    loss: float
    pairs: dict[str, PairCounts]
    """Of the matches against each opponent."""
    seconds: float
    """Since the run began."""

    def rating(self, opponent: str) -> Estimate:
        """What the match against an opponent says."""
        return estimate(self.pairs[opponent], GameCounts.of(()))

    @property
    def merit(self) -> float:
        """By which the best generation is chosen: the least difference in Elo against anything but
        the first generation, which every later one should beat."""
        return min(self.rating(name).elo for name in self.pairs if name != FIRST)


@dataclass
class Progress:
    """Where a run is, for who watches it."""

    phase: str = ""
    generation: int = 0
    games: int = 0
    positions: int = 0


class Learning:
    """One run, for one game on one board."""

    def __init__(
        self,
        game: Game,
        options: Options,
        executor: Executor,
        *,
        seconds: float,
        seed: int,
        threads: int = 1,
        on_progress: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        game.require_compilable()
        self.game, self.options = game, dict(options)
        self._executor, self._seconds, self._seed = executor, seconds, seed
        self._threads = threads
        """Of this process, for fitting. Workers have nothing to do meanwhile."""
        self._on_progress = on_progress
        self.progress = Progress()
        self._settings = LearningSettings(game, self.options)
        self.start = game.start(self.options)
        sample = _sample(self.start, seed)
        self.layout: FeatureLayout = find_layout(sample)
        if not self.layout.features:
            raise LimitError(f"{game.name}: nothing in a State changes, so that nothing is learned")
        self.symmetries: list[Symmetry] = find_symmetries(sample, self.layout)
        self.used_symmetries = self.symmetries
        """Those with which the loss was smallest."""
        self.fingerprint = fingerprint(game, self.start.board)
        self.has_own = "evaluate" not in game.rules.defaults
        self.generations: list[Generation] = []
        self._data: list[Positions] = []
        self._scale: int | None = None
        self._net: Net | str = NONE
        self._weights: Weights | None = None
        self._began_with_nothing = True
        self._began = time.perf_counter()
        self._not_playing = FIRST_NOT_PLAYING
        """The part of its time for which the last generation was fitted and rated."""

    def _match_pairs(self, opponent: str) -> int:
        wanted = min(MATCH_PAIRS, MATCH_SHARE * self._seconds)
        decisive = self.opponents[0]
        if self.generations:
            rating = self.generations[-1].rating
            decisive = min(self.opponents, key=lambda name: rating(name).elo)
        part = 1 if opponent == decisive else OTHER_PAIRS
        return max(FEWEST_PAIRS, round(part * wanted))

    @property
    def opponents(self) -> list[str]:
        return [OWN, NONE] if self.has_own else [NONE]

    def go_on_from(self, net: Net) -> None:
        """Begin with a net instead of nothing."""
        self._began_with_nothing = False
        self._use(net)

    def _use(self, net: Net) -> None:
        self.layout, self._scale = net.layout, net.scale
        self._net, self._weights = net, weights_of(net)

    def go_on_after(self, generations: list[Generation]) -> None:
        """Go on after generations of an earlier run, whose games are gone."""
        self.generations = list(generations)
        self._use(generations[-1].net)
        self.progress.games = generations[-1].games
        self._began -= generations[-1].seconds

    def run(self) -> Iterator[Generation]:
        """Learn, and yield each generation when it is rated."""
        while len(self.generations) < len(SHARES):
            yield self._next_generation()

    def _next_generation(self) -> Generation:
        number = len(self.generations) + 1
        self.progress.generation = number
        elapsed = time.perf_counter() - self._began
        seconds = self_play_seconds(self._seconds, number, elapsed, self._not_playing)
        played = self._self_play(self._net, seconds, number)
        played_at = time.perf_counter()
        self._data = [*self._data, played][-WINDOW:]
        if number == 2 and self._began_with_nothing:
            self._data = [played]  # games without any sense teach nothing more
        generation = self._fit(number)
        not_playing = time.perf_counter() - played_at
        self._not_playing = not_playing / (self._seconds * SHARES[number - 1])
        self.generations.append(generation)
        self._net, self._weights = generation.net, generation.weights
        return generation

    @property
    def best(self) -> Generation:
        """Of equal ones the last, which has learned from more games."""
        return max(self.generations, key=lambda one: (one.merit, one.number))

    # Self-play

    def _self_play(self, evaluation: Net | str, seconds: float, number: int) -> Positions:
        self._tell("self-play")
        until = time.perf_counter() + seconds
        parts: list[Positions] = []

        def is_enough(count: int) -> bool:
            """On a busy machine the time may be up before there is anything to learn from."""
            if count == 0 or time.perf_counter() < until:
                return False
            return count >= MOST_EXTRA_TASKS or sum(map(len, parts)) >= FEWEST_POSITIONS

        def tasks() -> Iterator[Task]:
            count = 0
            while not is_enough(count):
                left = max(SHORTEST_TASK, until - time.perf_counter())
                task = SelfPlayTask(
                    count,
                    self._seed * 1000 + number,
                    evaluation,
                    SELF_PLAY_NODES,
                    min(TASK_SECONDS, left),
                )
                yield Task(f"self-play {number}/{count}", task)
                count += 1

        for _, played in self._run(tasks()):
            parts.append(played)
            self.progress.games += played.games
            self.progress.positions += len(played)
            self._tell("self-play")
        return joined(parts)

    # Fitting

    def _fit(self, number: int) -> Generation:
        self._tell("fitting")
        positions = joined(self._data)
        if len(positions) < FEWEST_POSITIONS:
            raise LimitError(
                f"{len(positions)} positions of {self.game.name} were played in a generation, too"
                " few to learn from; give it more time with --minutes"
            )
        trust = 1.0 if self._net == NONE else RESULT_TRUST
        targets = find_targets(self.game, positions, trust, self._scale)
        self._scale = targets.scale
        weights = self._weights
        # The net of the first generation has learned from games without any sense: begin anew.
        if weights is None or (number == 2 and self._began_with_nothing):
            weights = new_weights(self.layout.features, self._seed)
        tried = [self.used_symmetries]
        if number <= SYMMETRY_TRIALS:
            tried = self._sets_of_symmetries()
        fits = [self._new_fit(positions, targets, weights, symmetries) for symmetries in tried]
        losses = [fit_weights(fit, EPOCHS) for fit in fits]
        chosen = losses.index(min(losses))
        self.used_symmetries = tried[chosen]
        fitted = fits[chosen].weights
        net = make_net(
            self.game,
            self.options,
            self.fingerprint,
            self.layout,
            fitted,
            targets.scale,
            {"seed": self._seed, "generation": number},
        )
        pairs = self._rate(net, number)
        return Generation(
            number=number,
            net=net,
            weights=fitted,
            games=self.progress.games,
            positions=len(positions),
            loss=losses[chosen],
            pairs=pairs,
            seconds=time.perf_counter() - self._began,
        )

    def _sets_of_symmetries(self) -> list[list[Symmetry]]:
        """All, those that leave the sides as they are, none. An exchange of the sides may hold and
        yet lead to positions that no game reaches: in Connect Four it is a matter of counting."""
        found: list[list[Symmetry]] = []
        for some in (
            self.symmetries,
            [one for one in self.symmetries if not one.images[-1]],
            [],
        ):
            if some not in found:
                found.append(some)
        return found

    def _new_fit(
        self, positions: Positions, targets: Any, weights: Weights, symmetries: Sequence[Symmetry]
    ) -> Fit:
        return Fit(
            bind(self.game),
            self.layout,
            positions,
            targets,
            weights,
            symmetries,
            self._seed,
            threads=self._threads,
        )

    # Rating

    def _rate(self, net: Net, number: int) -> dict[str, PairCounts]:
        """Matches by nodes against each opponent, all at once."""
        self._tell("rating")
        opponents: dict[str, Net | str] = {name: name for name in self.opponents}
        if self.generations:
            opponents[FIRST] = self.generations[0].net
        slots = max(1, self._executor.slots)
        seed = self._seed * 1000 + number
        tasks = [
            Task(f"{name} {slot}", MatchTask(slot, seed, net, opponent, MATCH_NODES, len(share)))
            for name, opponent in opponents.items()
            for slot, share in enumerate(np.array_split(range(self._match_pairs(name)), slots))
            if len(share)
        ]
        found = {name: PairCounts() for name in opponents}
        for task, counts in self._run(tasks):
            found[task.split()[0]] += counts
        return found

    def _run(self, tasks: Iterable[Task]) -> Iterator[tuple[str, Any]]:
        """The names of tasks and their values, as they are done."""
        for event in self._executor.run(Work(set_up, self._settings), tasks):
            if isinstance(event, Failed):
                raise LimitError(f"{event.task} failed: {event.reason}")
            if isinstance(event, Done):
                yield event.task, event.value

    def _tell(self, phase: str) -> None:
        self.progress.phase = phase
        self._on_progress(self.progress)


def _sample(start: Position, seed: int) -> list[Position]:
    games = (random_game(start, (seed << 20) + number, 300) for number in range(SAMPLE_GAMES))
    return [position for game in games for position in game.positions]
