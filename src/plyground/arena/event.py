"""Runs an event: a match of two players, a tournament, or a sequential test.

The games of an event are known before it starts. What the store has is not played again; the rest
is given to an executor, pair by pair, and every game goes into the store as soon as it is over.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.pair import (
    FinishedGame,
    GameUnderWay,
    MatchSettings,
    Pair,
    Refused,
    set_up,
)
from plyground.arena.store import Store, StoredGame
from plyground.core.errors import LimitError, PlygroundError
from plyground.core.file_lock import lock_soon
from plyground.executor.task import Executor, Failed, Report, Task, Work
from plyground.players.entrants import plays_the_same_again, varies_by_seed
from plyground.players.notation import PlayerSpec

MOST_PAIRS = 1_000_000


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
        """The same for the same command, however many games it asks for."""
        players = [(one.spec.text, one.digest) for one in self.contestants]
        text = json.dumps([self.kind, self.conditions.id, players])
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    @property
    def notations(self) -> list[str]:
        """Of the players."""
        return [one.spec.text for one in self.contestants]

    @property
    def total(self) -> int:
        """Games of the whole event."""
        return 2 * self.pairs * len(self.pairings)

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
        texts = self.notations
        wanted = {frozenset((texts[a], texts[b])) for a, b in self.pairings}
        return [
            game
            for game in store.games(conditions=self.conditions.id, players=players)
            if game.opening < self.pairs and frozenset((game.first, game.second)) in wanted
        ]


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
    is_enough: Callable[[], bool] = lambda: False,
    live: bool = False,
) -> None:
    """Play what is missing. `on_game` is called with each new game, and after it no new pair is
    started if `is_enough`; with `live`, the store shows games under way."""
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
            _play(plan, store, executor, on_game, is_enough, live)
            status = "finished"
        finally:
            store.end_event(plan.id, status)


def _play(
    plan: EventPlan,
    store: Store,
    executor: Executor,
    on_game: Callable[[StoredGame], None],
    is_enough: Callable[[], bool],
    live: bool,
) -> None:
    pairs: dict[str, Pair] = {}

    def tasks() -> Iterator[Task]:
        # Asked once: of a cluster it is a question to its scheduler.
        plays_one = executor.slots == 1
        for pair in plan.schedule(store.played(plan.conditions, plan.contestants)):
            # A single worker may be this process, which reports a game when its task is done.
            parts = [Pair(pair.number, (one,)) for one in pair.games] if plays_one else [pair]
            for part in parts:
                if is_enough():
                    return
                games = " ".join(f"{first}-{second}" for first, second in part.games)
                task = Task(f"{plan.id}/{pair.number}/{games}", part)
                pairs[task.id] = part
                yield task

    settings = MatchSettings(plan.conditions, plan.contestants, plan.trusted, live)
    events = executor.run(Work(set_up, settings), tasks())
    with contextlib.closing(events):
        for event in events:
            if isinstance(event, Failed):
                pair = pairs[event.task]
                done = store.played(plan.conditions, plan.contestants)
                for first, second in pair.games:
                    if (first, second, pair.number) not in done:
                        store.add_failure(
                            plan.conditions,
                            plan.contestants,
                            (first, second),
                            pair.number,
                            event.reason,
                        )
            elif isinstance(event, Report) and isinstance(event.value, Refused):
                raise EventRefused(event.value.reason)
            elif isinstance(event, Report) and isinstance(event.value, GameUnderWay):
                store.show_game(plan.id, plan.contestants, event.value)
            elif isinstance(event, Report) and isinstance(event.value, FinishedGame):
                added = store.add_game(plan.id, plan.conditions, plan.contestants, event.value)
                if added is not None:
                    on_game(added)
                if is_enough():
                    return


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
