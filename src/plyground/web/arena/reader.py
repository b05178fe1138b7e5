"""Reads a store for the pages that watch it. Everything here runs in one thread."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plyground.arena.rating import notes
from plyground.arena.sprt import TEST_SETTINGS, SequentialRun, Sprt
from plyground.arena.store import GameFilter, Store, StoredEvent, StoredFailure, StoredGame
from plyground.arena.summary import EventSummary, Sample
from plyground.core.errors import PlygroundError
from plyground.players.notation import read_player
from plyground.web.arena.boards import Boards, GameKey
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.arena import (
    BoardModel,
    BoardsModel,
    CrossCell,
    CurvePoint,
    EventCard,
    EventModel,
    EventPlayer,
    FinishedGameModel,
    GamesPage,
    MatchResult,
    TestResult,
)

MALFORMED = (AttributeError, LookupError, TypeError, ValueError)
"""What another program may have written to the store makes these errors."""
MOST_EVENTS = 100
"""Events that are listed."""
SHOWN_FAILURES = 3


class NoEvent(PlygroundError):
    """An event or a game that the store does not have."""


@dataclass
class Watched:
    """An event that a page watches: what its games have said so far."""

    event: StoredEvent
    summary: EventSummary
    boards: Boards | None
    problem: str | None = None
    last: int = 0
    """The game that was counted last."""
    failures: list[StoredFailure] = field(default_factory=list)


@dataclass(frozen=True)
class Reading:
    """What a store holds now."""

    events: list[StoredEvent] = field(default_factory=list)
    cards: list[EventCard] = field(default_factory=list)
    details: dict[str, EventModel] = field(default_factory=dict)
    boards: dict[str, tuple[BoardsModel, list[BoardModel]]] = field(default_factory=dict)
    problem: str | None = None


class StoreReader:
    """The store may be missing, and appear or disappear while it is watched."""

    def __init__(self, path: Path, catalogue: Catalogue) -> None:
        self.path = path
        self._catalogue = catalogue
        self._store: Store | None = None
        self._file: tuple[int, int] | None = None
        self._watched: dict[str, Watched] = {}
        self._counts: dict[str, tuple[float, int]] = {}
        """By event, how many games it had when it was updated last."""
        self._seen: object = None
        self._reading = Reading()

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def read(self, watched: frozenset[str]) -> Reading | None:
        """What has changed: all of it, or None if nothing has."""
        try:
            store = self._open()
            if store is None:
                seen: object = "there is no store"
            else:
                alive = [event.id for event in self._reading.events if event.is_running]
                seen = store.data_version, watched, alive
            if seen == self._seen:
                return None
            self._reading = Reading() if store is None else self._read(store, watched)
            alive = [event.id for event in self._reading.events if event.is_running]
            self._seen = seen if store is None else (seen[0], watched, alive)  # type: ignore[index]
        except (PlygroundError, *MALFORMED) as error:
            self._seen = None
            problem = f"{self.path}: an event in it cannot be read"
            problem = str(error) if isinstance(error, PlygroundError) else problem
            if self._reading.problem == problem:
                return None
            self._reading = Reading(problem=problem)
        return self._reading

    def event(self, name: str) -> StoredEvent:
        store = self._open()
        for event in [] if store is None else store.events():
            if event.id == name:
                return event
        raise NoEvent("there is no such event in the store")

    def games(self, name: str, wanted: GameFilter, limit: int, offset: int) -> GamesPage:
        """Games of an event, the latest first."""
        event = self.event(name)
        store = self._open()
        assert store is not None, "it has the event"
        found = store.event_games(event, wanted, newest=limit, offset=offset)
        return GamesPage(
            total=store.count_event_games(event, wanted), games=[_game(game) for game in found]
        )

    def record(self, game: int) -> str:
        store = self._open()
        record = None if store is None else store.record(game)
        if record is None:
            raise NoEvent("there is no such game in the store")
        return record

    # Reading

    def _open(self) -> Store | None:
        try:
            status = self.path.stat()
        except OSError:
            self.close()
            return None
        file = status.st_dev, status.st_ino
        if self._store is None or file != self._file:
            self.close()
            self._watched.clear()
            self._counts.clear()
            self._store, self._file = Store(self.path, create=False), file
        return self._store

    def _read(self, store: Store, watched: frozenset[str]) -> Reading:
        # The latest first, but events that run keep their order.
        events = sorted(store.events(), key=lambda event: event.is_running, reverse=True)
        running = sorted(
            (event for event in events if event.is_running),
            key=lambda event: event.started,
            reverse=True,
        )
        events[: len(running)] = running
        events = events[:MOST_EVENTS]
        for name in self._watched.keys() - watched:
            del self._watched[name]
        reading = Reading(events)
        for event in events:
            if event.id not in watched:
                reading.cards.append(self._card(event, self._count_games(store, event)))
                continue
            failures = store.failures_of(event)
            seen = self._watched.get(event.id)
            # The same event may have been started again, with more games or another anchor. A test
            # does not look back at a pair that it left out, but one may be played later.
            if (
                seen is None
                or seen.event.settings != event.settings
                or not set(seen.failures) <= set(failures)
            ):
                seen = self._watched[event.id] = self._watch(event)
            seen.failures = failures
            self._count(store, event, seen)
            reading.cards.append(self._card(event, seen.summary.games))
            reading.details[event.id] = _detail(store, event, reading.cards[-1], seen)
            reading.boards[event.id] = _boards(event, seen)
        return reading

    def _count_games(self, store: Store, event: StoredEvent) -> int:
        updated, games = self._counts.get(event.id, (None, 0))
        if updated != event.updated:
            games = store.count_event_games(event)
            self._counts[event.id] = event.updated, games
        return games

    def _card(self, event: StoredEvent, games: int) -> EventCard:
        ended = "finished" if event.status == "finished" else "stopped"
        return EventCard(
            id=event.id,
            kind=event.kind,  # type: ignore[arg-type]
            game=event.game,
            title=self._title(event.game),
            players=[name_of(text) for text in event.players],
            games=games,
            total=event.total,
            status="running" if event.is_running else ended,  # type: ignore[arg-type]
            own=False,
            updated=event.updated,
        )

    def _title(self, game: str) -> str:
        try:
            return self._catalogue.find(game).title
        except PlygroundError:
            return game

    def _watch(self, event: StoredEvent) -> Watched:
        test = None
        if event.kind == "sprt" and event.settings.keys() >= TEST_SETTINGS:
            test = Sprt(**{name: event.settings[name] for name in TEST_SETTINGS})
        names = [name_of(text) for text in event.players]
        anchor = event.settings.get("anchor")
        summary = EventSummary(
            event.players,
            test,
            anchor=names.index(anchor) if anchor in names else None,
            anchor_rating=event.settings.get("anchor_rating", 0.0),
        )
        watched = Watched(event, summary, None)
        try:
            watched.boards = Boards(self._catalogue.find(event.game))
        except PlygroundError:
            watched.problem = (
                f"this server does not know the game {event.game}; to see its boards, start it with"
                " plyground serve and the game's file"
            )
        return watched

    def _count(self, store: Store, event: StoredEvent, watched: Watched) -> None:
        """Count new games, and show those that are under way."""
        playing: list[tuple[GameKey, str]] = []
        if event.is_running:
            for first, second, opening, record in store.under_way(event.id):
                playing.append(((first, second, opening), record))
        # Read after the games under way: one that ends meanwhile is shown as ended.
        new = store.event_games(event, GameFilter(after=watched.last))
        for failure in watched.failures:
            watched.summary.leave_out(failure)
        watched.summary.add_all(new)
        watched.last = new[-1].id if new else watched.last
        if watched.boards is None or watched.problem is not None:
            return
        try:
            self._show(store, event, watched.boards, playing, new)
        except PlygroundError as error:
            watched.problem = str(error)

    def _show(
        self,
        store: Store,
        event: StoredEvent,
        boards: Boards,
        playing: list[tuple[GameKey, str]],
        new: list[StoredGame],
    ) -> None:
        ended = {(game.first, game.second, game.opening): game.id for game in new}
        finished = [
            (key, store.record(number) or "") for key, number in ended.items() if boards.wants(key)
        ]
        boards.update([(key, record) for key, record in playing if key not in ended], finished)
        # Quick games are over between two readings; then the latest is shown.
        if not boards.slots or (new and not boards.under_way and not finished):
            for game in new[-1:] or store.event_games(event, newest=1):
                key = game.first, game.second, game.opening
                boards.show_finished(key, store.record(game.id) or "")


def name_of(player: str) -> str:
    """What tables call the player of a notation."""
    try:
        return read_player(player).name
    except PlygroundError:  # of a later version
        return player


def _plays_by_clock(player: str) -> bool:
    try:
        return read_player(player).plays_by_clock
    except PlygroundError:
        return True


def _game(game: StoredGame) -> FinishedGameModel:
    return FinishedGameModel(
        id=game.id,
        first=name_of(game.first),
        second=name_of(game.second),
        opening=game.opening + 1,
        winner=game.winner,  # type: ignore[arg-type]
        score=game.result,
        ending=game.ending,
        reason=game.reason,
        plies=game.plies,
        finished=game.finished,
    )


# What a page shows of an event


def _detail(store: Store, event: StoredEvent, card: EventCard, watched: Watched) -> EventModel:
    summary = watched.summary
    players = [
        EventPlayer(
            text=text,
            name=name,
            games=own.games,
            wins=own.wins,
            draws=own.draws,
            losses=own.losses,
            faults=own.faults.total(),
            seconds_a_move=own.seconds_a_move,
            depth=own.depth,
            rating=None,
            rating_error=None,
        )
        for text, name, own in zip(event.players, card.players, summary.players, strict=True)
    ]
    found: list[str] = []
    if len(players) > 2:
        ratings = summary.ratings
        players = [
            player.model_copy(update={"rating": one.value, "rating_error": one.error})
            for player, one in zip(players, ratings.players, strict=True)
        ]
        if summary.games:
            found = notes(ratings, card.players)
    return EventModel(
        card=card,
        command=shlex.join(["plyground", *event.command]),
        facts=facts(store.conditions(event.conditions), event.players),
        players=players,
        cross=_cross(summary),
        match=_match(summary) if len(players) == 2 else None,
        test=None if summary.test is None else _test(summary.test),
        first_mover_score=summary.first_mover_score,
        endings=dict(summary.endings.most_common()),
        notes=found,
        failures=[failure.text for failure in watched.failures[-SHOWN_FAILURES:]],
        failed=len(watched.failures),
    )


def _cross(summary: EventSummary) -> list[CrossCell]:
    cells = []
    for (one, other), pairing in summary.pairings.items():
        if not pairing.results.games:
            continue
        lost, drawn, won = pairing.results.counts
        cells.append(CrossCell(player=one, opponent=other, wins=won, draws=drawn, losses=lost))
        cells.append(CrossCell(player=other, opponent=one, wins=lost, draws=drawn, losses=won))
    return cells


def _match(summary: EventSummary) -> MatchResult:
    known = summary.estimate
    low, high = known.elo_interval.ends(2)
    return MatchResult(
        score=known.score,
        pairs=summary.pairing.pairs.counts,  # type: ignore[arg-type]
        elo=known.elo,
        elo_low=low,
        elo_high=high,
        elo_text=known.elo_text,
        superiority=known.superiority,
        curve=[_curve_point(sample) for sample in summary.curve],
    )


def _curve_point(sample: Sample) -> CurvePoint:
    low, high = sample.elo_interval.ends(2)
    return CurvePoint(
        games=sample.games,
        elo=round(sample.elo, 2),
        low=low,
        high=high,
        llr=None if sample.llr is None else round(sample.llr, 3),
    )


def _test(run: SequentialRun) -> TestResult:
    lower, upper = run.test.bounds
    return TestResult(
        llr=run.llr,
        lower=lower,
        upper=upper,
        decision=run.decision.value,
        why=run.test.why(run.pairs),
        remaining=2 * run.test.remaining(run.pairs),
    )


def facts(document: str, players: Sequence[str]) -> list[str]:
    """The conditions of games, in words: what a document of the store says. The clock matters only
    if one of the players brings no limit of its own."""
    try:
        conditions = json.loads(document)
        clock, openings = conditions["clock"], conditions["openings"]
        found = [f"{name} {value}" for name, value in conditions["options"].items()]
        if any(_plays_by_clock(player) for player in players):
            found.append(
                f"{clock['seconds'] * 1000:g} ms a move"
                if clock["seconds"] is not None
                else f"{clock['bank']:g} s + {clock['increment']:g} s a game"
            )
        kinds = {
            "random": f"openings of {openings['plies']} random moves",
            "boards": "the game's boards as openings",
            "generator": "random boards as openings",
            "positions": f"{len(openings['positions'])} positions as openings",
        }
        found.append(("balanced " if openings["balanced"] else "") + kinds[openings["kind"]])
        found.append(f"seed {conditions['seed']}")
        for name, unit in (("proven", "nodes"), ("agreed", "moves"), ("length", "moves")):
            if conditions["adjudication"][name]:
                found.append(f"{name}: {conditions['adjudication'][name]} {unit}")
    except MALFORMED:  # of a later version
        return []
    return found


def _boards(event: StoredEvent, watched: Watched) -> tuple[BoardsModel, list[BoardModel]]:
    boards = watched.boards
    models = [
        model
        for number, slot in enumerate([] if boards is None else boards.slots)
        if (model := slot.model(event.id, number)) is not None
    ]
    return (
        BoardsModel(
            event=event.id,
            slots=len(models),
            under_way=0 if boards is None else boards.under_way,
            problem=watched.problem,
        ),
        models,
    )
