"""Stores with games in them, for tests: written directly, without a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.event import EventPlan, round_robin
from plyground.arena.pair import FinishedGame
from plyground.arena.store import Store
from plyground.core.outcome import Outcome
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.players.notation import read_player

GAME = find_game("tictactoe")
MOVES = ("a1", "a2", "b1", "b2", "c1")
"""X wins."""


def plan_of(
    players: Sequence[str], pairs: int = 3, kind: str = "match", *, seed: int = 0, **more: Any
) -> EventPlan:
    """An event. Another seed means other games, where several events share a store."""
    conditions = Conditions(GAME, seed=seed)
    contestants = tuple(Contestant(read_player(text)) for text in players)
    command = more.pop("command", (kind, "tictactoe", *players))
    pairings = round_robin(len(players))
    return EventPlan(kind, conditions, contestants, pairings, pairs, command=command, **more)


def record_of(plan: EventPlan, sides: tuple[int, int], moves: Iterable[str] = MOVES) -> GameRecord:
    names = plan.contestants[sides[0]].spec.name, plan.contestants[sides[1]].spec.name
    record = GameRecord.begin(GAME.start(), players=names, clock="100 ms a move")
    for move in moves:
        record = record.append(move, seconds=0.25, evaluation=0)
    return record


def game_of(
    plan: EventPlan, sides: tuple[int, int], opening: int, outcome: Outcome | None = None
) -> FinishedGame:
    """A game that the first to move wins, or with another outcome."""
    record = record_of(plan, sides) if outcome is None else record_of(plan, sides, MOVES[:2])
    if outcome is not None:
        record = record.ended(outcome)
    assert record.outcome is not None
    return FinishedGame(
        first=sides[0],
        second=sides[1],
        opening=opening,
        winner=record.outcome.winner,
        utility=record.outcome.utility,
        ending=record.outcome.ending.value,
        reason=record.outcome.reason,
        plies=len(record.plies),
        seconds=(0.75, 0.5),
        depths=(None, None),
        record=record.json,
    )


def begin(path: Path, plan: EventPlan) -> Store:
    """A store in which an event has been started, by this very process."""
    store = Store(path)
    store.add_conditions(plan.conditions)
    store.start_event(
        plan.id,
        plan.kind,
        plan.conditions,
        plan.contestants,
        command=plan.command,
        settings={**plan.settings, "pairs": plan.pairs, "pairings": plan.pairings},
    )
    return store


def add(store: Store, plan: EventPlan, *games: FinishedGame) -> None:
    for game in games:
        assert store.add_game(plan.id, plan.conditions, plan.contestants, game)


def store_event(path: Path, plan: EventPlan) -> None:
    """An event with all its games is in the store, whether it was there before or not."""
    with Store(path) as store:
        is_there = any(event.id == plan.id for event in store.events())
    if not is_there:
        filled(path, plan)


def filled(path: Path, plan: EventPlan, status: str = "finished") -> None:
    """A store with all games of an event, each won by the player who moved first."""
    with begin(path, plan) as store:
        for opening in range(plan.pairs):
            for one, other in plan.pairings:
                add(store, plan, game_of(plan, (one, other), opening))
                add(store, plan, game_of(plan, (other, one), opening))
        store.end_event(plan.id, status)
