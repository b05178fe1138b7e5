"""How the results of matches, tournaments and tests are shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyground.arena.event import EventPlan
from plyground.arena.statistics import PairCounts
from plyground.arena.store import Store, StoredFailure, StoredGame
from plyground.arena.summary import EventSummary, PlayerSummary
from plyground.cli.output import seconds_text
from plyground.core.errors import FileError
from plyground.core.files import check_can_be_written, write_atomically

SHOWN_FAILURES = 3
SHOWN_OPENINGS = 5


def score_text(summary: EventSummary) -> str:
    """The score of a match so far, in a line."""
    results = summary.pairing.results
    elo = summary.estimate.elo_text
    return f"+{results.wins} ={results.draws} -{results.losses}, Elo {elo}"


def match_rows(
    plan: EventPlan, summary: EventSummary, failures: Sequence[StoredFailure]
) -> dict[str, str]:
    """The result of a match, line by line."""
    (own, other), known = summary.players, summary.estimate
    names = [one.spec.name for one in plan.contestants]
    rows = {
        "players": " against ".join(names),
        "games": f"{summary.games}, won {own.wins}, drawn {own.draws}, lost {own.losses}",
        "score": f"{own.points:g} : {other.points:g}, {100 * known.score:.1f} %",
        "pairs": pairs_text(summary.pairing.pairs),
        "Elo": f"{known.elo_text} (95 %)",
        "superiority": f"{100 * known.superiority:.1f} % likely",
        "moving first": f"scored {100 * summary.first_mover_score:.1f} %",
        "ended": ", ".join(f"{name} {count}" for name, count in summary.endings.most_common()),
        "time": _each(names, own, other, lambda one: f"{seconds_text(one.seconds_a_move)} a move"),
        "depth": _each(
            names, own, other, lambda one: "-" if one.depth is None else f"{one.depth:.1f}"
        ),
        "faults": _each(names, own, other, _faults),
    }
    if own.depth is None and other.depth is None:
        del rows["depth"]
    if not own.faults and not other.faults:
        del rows["faults"]
    if failures:
        rows["not played"] = failures_text(failures)
    return rows


def pairs_text(pairs: PairCounts) -> str:
    """Pairs by the points of the player: 0, 1/2, 1, 3/2, 2."""
    names = ("0", "1/2", "1", "3/2", "2")
    return ", ".join(
        f"{count} with {name}" for name, count in zip(names, pairs.counts, strict=True) if count
    )


def _faults(one: PlayerSummary) -> str:
    return ", ".join(f"{name} {count}" for name, count in one.faults.items()) or "none"


def _each(names: list[str], own: PlayerSummary, other: PlayerSummary, text: Any) -> str:
    return f"{names[0]} {text(own)}; {names[1]} {text(other)}"


def failures_text(failures: Sequence[StoredFailure]) -> str:
    """Games that could not be played, which no player is to blame for, and their openings."""
    openings: dict[str, list[int]] = {}
    for failure in failures:
        openings.setdefault(failure.reason, []).append(failure.opening + 1)
    reasons = sorted(openings.items(), key=lambda reason: -len(reason[1]))[:SHOWN_FAILURES]
    return f"{len(failures)} games: " + "; ".join(
        f"{reason} ({_openings_text(sorted(set(numbers)))})" for reason, numbers in reasons
    )


def _openings_text(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:SHOWN_OPENINGS]))
    more = ", ..." if len(numbers) > SHOWN_OPENINGS else ""
    return f"opening{'s' * (len(numbers) > 1)} {shown}{more}"


def match_json(
    plan: EventPlan, summary: EventSummary, failures: Sequence[StoredFailure]
) -> dict[str, Any]:
    known = summary.estimate
    return {
        "game": plan.conditions.game.name,
        "players": [
            _player_json(one.spec.text, one.spec.name, own)
            for one, own in zip(plan.contestants, summary.players, strict=True)
        ],
        "games": summary.games,
        "score": known.score,
        "pairs": list(summary.pairing.pairs.counts),
        "elo": known.elo,
        "elo_interval": known.elo_interval.ends(),
        "normalized_elo": known.normalized_elo,
        "superiority": known.superiority,
        "first_mover_score": summary.first_mover_score,
        "endings": dict(summary.endings),
        "failures": [failure.text for failure in failures],
        "conditions": plan.conditions.document,
    }


def _player_json(text: str, name: str, own: PlayerSummary) -> dict[str, Any]:
    return {
        "player": text,
        "name": name,
        "wins": own.wins,
        "draws": own.draws,
        "losses": own.losses,
        "faults": dict(own.faults),
        "seconds_a_move": own.seconds_a_move,
        "depth": own.depth,
    }


def check_records_path(path: Path | None) -> None:
    """Refuse a file that cannot be written before anything is played."""
    if path is None:
        return
    if path.suffix != ".jsonl":
        raise FileError(f"{path}: records of many games go into a file that ends in .jsonl")
    check_can_be_written(path)


def write_records(path: Path, games: Sequence[StoredGame], store: Store) -> None:
    """Write the records of games as JSON Lines."""
    lines = [store.record(game.id) or "" for game in games]
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
