"""Runs an event: a match of two players, a tournament, or a sequential test.

The games of an event are known before it starts. What the store has is not played again; the rest
is given to an executor, pair by pair, and every game goes into the store as soon as it is over.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.pair import (
    FailedGame,
    FinishedGame,
    GameUnderWay,
    MatchSettings,
    Pair,
    Refused,
    set_up,
)
from plyground.arena.sprt import TEST_SETTINGS
from plyground.arena.store import Store, StoredFailure, StoredGame
from plyground.core.errors import LimitError, PlygroundError
from plyground.core.file_lock import lock_soon
from plyground.executor.task import Done, Executor, Failed, Task, Work
from plyground.players.entrants import plays_the_same_again, varies_by_seed
from plyground.players.notation import PlayerSpec

MOST_PAIRS = 1_000_000
PATIENCE = 600.0
"""Seconds without a move, beyond the time that a move may take, after which a game will not end:
generous, since players may have to be started or compiled, and a machine may be busy."""
UNTIMED_PATIENCE = 3600.0
"""The same where a player has no limit of time. One that needs longer for a move is not of use in a
match of many games."""


HOPELESS = 8
"""Two players of whose first games so many fail for the same reason, and none is played, cannot
play each other: four openings are no bad luck."""


class EventRefused(PlygroundError):
    """A player cannot take part, or another program runs the same event."""


@dataclass(frozen=True)
class EventPlan:
    """Who plays whom, how often, and under which conditions."""

    kind: str
    """match, tournament or sprt."""
    conditions: Conditions
    contestants: tuple[Contestant, ...]
    pairings: tuple[tuple[int, int], ...]
    """The numbers of two players each."""
    pairs: int
    """Pairs of games for each pairing."""
    trusted: bool = False
    command: tuple[str, ...] = ()
    """The command line that runs it, and resumes it."""
    settings: dict[str, Any] = field(default_factory=dict)
    """What a reader of the store needs to judge the games."""

    def __post_init__(self) -> None:
        if not 1 <= self.pairs <= MOST_PAIRS:
            raise LimitError(f"{2 * self.pairs} games: a match has from 2 to {2 * MOST_PAIRS}")
        for one in self.contestants:
            if self.notations.count(one.spec.text) > 1:
                raise EventRefused(
                    f"{one.spec.text} takes part twice; to tell them apart, give them names:"
                    f" {_named(one.spec)}"
                )
        self.conditions.openings.check(self.conditions.game)
        copies = self._copies(plays_the_same_again)
        if copies is not None:
            raise EventRefused(f"{copies[0]} would play the same games again: {copies[1]}")

    @cached_property
    def warning(self) -> str | None:
        """What a reader of the results should know before the event."""
        copies = self._copies(lambda spec: not varies_by_seed(spec))
        if copies is None:
            return None
        return (
            f"{copies[0]} may play games again, and copies count as if they were not: {copies[1]}"
        )

    def _copies(self, repeats: Callable[[PlayerSpec], bool]) -> tuple[str, str] | None:
        """Two players who both repeat themselves, if they meet in an opening more than once, and
        how many openings there are: in words."""
        for one, other in self.pairings:
            specs = self.contestants[one].spec, self.contestants[other].spec
            if not all(map(repeats, specs)):
                continue
            openings = self.conditions.openings
            different = openings.count_different(self.conditions.game, self.pairs)
            if different == self.pairs:
                return None
            return f"{specs[0].text} and {specs[1].text}", (
                f"of different openings ({openings.text}) there are {different}, enough for"
                f" {2 * different} games and not for {2 * self.pairs}"
            )
        return None

    @cached_property
    def id(self) -> str:
        """The same for the same command, however many games it asks for: the kind, the conditions,
        the players, who meets whom, and what a test decides between. How ratings are shown, such as
        their anchor, does not matter."""
        players = [(one.spec.text, one.digest) for one in self.contestants]
        parts: list[Any] = [self.kind, self.conditions.id, players]
        # Everyone against everyone is left out, as stores of earlier versions have it.
        if self.pairings != round_robin(len(players)):
            parts.append(self.pairings)
        test = {name: self.settings[name] for name in TEST_SETTINGS & self.settings.keys()}
        if test:
            parts.append(test)
        text = json.dumps(parts, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    @property
    def notations(self) -> list[str]:
        """Of the players."""
        return [one.spec.text for one in self.contestants]

    @property
    def total(self) -> int:
        """Games of the whole event."""
        return 2 * self.pairs * len(self.pairings)

    @property
    def patience(self) -> float:
        """Seconds without a move after which a game is ended."""
        clock = self.conditions.clock
        terms = [clock.terms(one.spec) for one in self.contestants]
        limits = [one.seconds if one.bank is None else one.bank for one in terms]
        timed = [limit for limit in limits if limit is not None]
        if len(timed) < len(limits):
            return max([UNTIMED_PATIENCE, *(PATIENCE + limit for limit in timed)])
        return PATIENCE + max(timed)

    def schedule(self, played: set[tuple[int, int, int]]) -> Iterator[Pair]:
        """The pairs that are not complete, opening by opening, with the games that are missing."""
        for number in range(self.pairs):
            for one, other in self.pairings:
                missing = tuple(
                    (first, second)
                    for first, second in ((one, other), (other, one))
                    if (first, second, number) not in played
                )
                if missing:
                    yield Pair(number, missing)

    def games(self, store: Store) -> list[StoredGame]:
        """The games of this event that the store has."""
        players = [(one.spec.text, one.digest) for one in self.contestants]
        games = store.games(conditions=self.conditions.id, players=players)
        return [game for game in games if self._has(game)]

    def failures(self, store: Store) -> list[StoredFailure]:
        """The games of this event that could not be played."""
        return [one for one in store.failures(self.conditions, self.contestants) if self._has(one)]

    def _has(self, game: StoredGame | StoredFailure) -> bool:
        return game.opening < self.pairs and frozenset((game.first, game.second)) in self._meetings

    @cached_property
    def _meetings(self) -> set[frozenset[str]]:
        texts = self.notations
        return {frozenset((texts[one], texts[other])) for one, other in self.pairings}


def _named(spec: PlayerSpec) -> str:
    """The notation of a player with a name of its own."""
    options = tuple((name, value) for name, value in spec.options if name != "name")
    return replace(spec, options=(*options, ("name", "other"))).text


def round_robin(players: int) -> tuple[tuple[int, int], ...]:
    """Everyone against everyone."""
    return tuple(combinations(range(players), 2))


def gauntlet(players: int) -> tuple[tuple[int, int], ...]:
    """The first against all others."""
    return tuple((0, other) for other in range(1, players))


def run_event(
    plan: EventPlan,
    store: Store,
    executor: Executor,
    *,
    on_game: Callable[[StoredGame], None],
    on_failure: Callable[[StoredFailure], None] = lambda _: None,
    is_enough: Callable[[], bool] = lambda: False,
    live: bool = False,
    counted: Iterable[StoredGame] | None = None,
) -> None:
    """Play what is missing.

    `on_game` is called with each new game, also if another program was first to play it, and
    `on_failure` with each that could not be played. No new pair is started if `is_enough` after
    that. `counted` are the games that the caller knows already; without it, those that the store
    has. With `live`, the store shows games under way."""
    with _only_run(store.path, plan.id):
        store.add_conditions(plan.conditions)
        store.start_event(
            plan.id,
            plan.kind,
            plan.conditions,
            plan.contestants,
            command=plan.command,
            settings={
                **plan.settings,
                "pairs": plan.pairs,
                "pairings": plan.pairings,
                "folder": str(Path.cwd()),
            },
        )
        status = "stopped"
        try:
            run = _EventRun(plan, store, on_game, on_failure)
            run.count(plan.games(store) if counted is None else counted, told=True)
            run.play(executor, is_enough, live)
            status = "finished"
        finally:
            store.end_event(plan.id, status)


class _EventRun:
    """One run of an event: which games are known, and which are being played."""

    def __init__(
        self,
        plan: EventPlan,
        store: Store,
        on_game: Callable[[StoredGame], None],
        on_failure: Callable[[StoredFailure], None],
    ) -> None:
        self._plan, self._store = plan, store
        self._on_game, self._on_failure = on_game, on_failure
        self._counted: set[int] = set()
        """The games that were told, or were known before. A game that two programs play, or a
        worker that was lost and its successor, comes twice."""
        self._open: dict[str, Pair] = {}
        """By task, the games whose end has not been told."""
        self._met: set[frozenset[str]] = set()
        """The players of the games that were played."""
        self._failed: Counter[tuple[frozenset[str], str]] = Counter()
        """By players and reason, the games that could not be played."""

    def count(self, games: Iterable[StoredGame], *, told: bool = False) -> None:
        """Tell of games that are new, unless they were `told` already."""
        for game in games:
            self._met.add(frozenset((game.first, game.second)))
            if game.id not in self._counted:
                self._counted.add(game.id)
                if not told:
                    self._on_game(game)

    def play(self, executor: Executor, is_enough: Callable[[], bool], live: bool) -> None:
        plan, store = self._plan, self._store
        settings = MatchSettings(plan.conditions, plan.contestants, plan.trusted, live)
        work = Work(set_up, settings, plan.patience)
        tasks = self._tasks(executor, is_enough)
        with contextlib.closing(executor.run(work, tasks)) as events:
            for event in events:
                if isinstance(event, Failed):
                    pair = self._open.pop(event.task)
                    for sides in pair.games:
                        self._fail(sides, pair.number, event.reason)
                elif isinstance(event, Done):
                    del self._open[event.task]
                elif isinstance(event.value, Refused):
                    raise EventRefused(event.value.reason)
                elif isinstance(event.value, GameUnderWay):
                    if live:
                        store.show_game(plan.id, plan.contestants, event.value)
                elif isinstance(event.value, FailedGame | FinishedGame):
                    self._end(event.task, event.value)
                if is_enough():
                    return

    def _tasks(self, executor: Executor, is_enough: Callable[[], bool]) -> Iterator[Task]:
        plan, store = self._plan, self._store
        played = store.played(plan.conditions, plan.contestants)
        # Another program may have added games since the caller looked.
        self.count(plan.games(store))
        # Asked once: of a cluster it is a question to its scheduler.
        plays_one = executor.slots == 1
        for pair in plan.schedule(played):
            # A single worker may be this process, which reports a game when its task is done.
            parts = [Pair(pair.number, (one,)) for one in pair.games] if plays_one else [pair]
            for part in parts:
                if is_enough():
                    return
                games = " ".join(f"{first}-{second}" for first, second in part.games)
                task = Task(f"{plan.id}/{pair.number}/{games}", part)
                self._open[task.id] = part
                yield task

    def _end(self, task: str, game: FinishedGame | FailedGame) -> None:
        sides, pair = (game.first, game.second), self._open[task]
        self._open[task] = Pair(pair.number, tuple(one for one in pair.games if one != sides))
        if isinstance(game, FailedGame):
            self._fail(sides, game.opening, game.reason)
            return
        plan, store = self._plan, self._store
        added = store.add_game(plan.id, plan.conditions, plan.contestants, game)
        if added is None:
            added = self._find(sides, game.opening)
        if added is not None:
            self.count([added])

    def _fail(self, sides: tuple[int, int], opening: int, reason: str) -> None:
        """Keep that a game could not be played, unless another program could."""
        self._store.hide_game(self._plan.id, self._plan.contestants, sides, opening)
        found = self._find(sides, opening)
        if found is not None:
            self.count([found])
            return
        plan = self._plan
        self._store.add_failure(plan.conditions, plan.contestants, sides, opening, reason)
        first, second = (plan.notations[side] for side in sides)
        self._on_failure(StoredFailure(first, second, opening, reason))
        players = frozenset((first, second))
        self._failed[players, reason] += 1
        count = self._failed[players, reason]
        if players not in self._met and count >= min(HOPELESS, 2 * plan.pairs):
            one, other = (plan.notations[side] for side in sorted(sides))
            raise EventRefused(
                f"none of {count} games between {one} and {other} could be played: {reason}"
            )

    def _find(self, sides: tuple[int, int], opening: int) -> StoredGame | None:
        plan = self._plan
        return self._store.find_game(plan.conditions, plan.contestants, sides, opening)


@contextlib.contextmanager
def _only_run(path: Path, event: str) -> Iterator[None]:
    """Two programs that run the same event would play the same games."""
    place = hashlib.sha256(f"{path.resolve()} {event}".encode()).hexdigest()[:16]
    lock = Path(tempfile.gettempdir()) / f"plyground-arena-{place}.lock"
    with lock.open("a") as file:
        if not lock_soon(file):
            raise EventRefused(f"{path}: another program is playing the same games; wait for it")
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                lock.unlink()
