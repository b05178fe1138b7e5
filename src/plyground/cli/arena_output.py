"""How the results of matches, tournaments and tests are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyground.arena.event import EventPlan
from plyground.arena.pair import FinishedGame
from plyground.arena.statistics import PairCounts
from plyground.arena.store import Store, StoredGame
from plyground.arena.summary import MatchSummary, PlayerSums
from plyground.arena.tally import PairingTally
from plyground.cli.output import seconds_text
from plyground.core.errors import FileError
from plyground.core.files import write_atomically

SHOWN_FAILURES = 3


class RunningScore:
    """The score of a match between two players while it runs: nothing is read again."""

    def __init__(self, plan: EventPlan, store: Store) -> None:
        first = plan.contestants[0].spec.text
        self.tally = PairingTally()
        for game in plan.games(store):
            self.tally.add(game.opening, game.score if game.first == first else 1 - game.score)

    def add(self, game: FinishedGame) -> str:
        """One more game; the score so far in a line."""
        won = 0.5 if game.winner is None else float((game.first, game.second)[game.winner] == 0)
        self.tally.add(game.opening, won)
        losses, draws, wins = self.tally.results
        return f"+{wins} ={draws} -{losses}, Elo {self.tally.estimate.elo_text}"


def match_rows(plan: EventPlan, summary: MatchSummary, failures: Sequence[str]) -> dict[str, str]:
    """The result of a match, line by line."""
    own, other, known = summary.own, summary.other, summary.estimate
    names = [one.spec.name for one in plan.contestants]
    rows = {
        "players": " against ".join(names),
        "games": f"{summary.games}, won {own.wins}, drawn {own.draws}, lost {own.losses}",
        "score": f"{own.points:g} : {other.points:g}, {100 * known.score:.1f} %",
        "pairs": pairs_text(summary.pairs),
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


def _faults(one: PlayerSums) -> str:
    return ", ".join(f"{name} {count}" for name, count in one.faults.items()) or "none"


def _each(names: list[str], own: PlayerSums, other: PlayerSums, text: Any) -> str:
    return f"{names[0]} {text(own)}; {names[1]} {text(other)}"


def failures_text(failures: Sequence[str]) -> str:
    """Games that could not be played, which no player is to blame for."""
    reasons = Counter(failures).most_common(SHOWN_FAILURES)
    return f"{len(failures)} games: " + "; ".join(reason for reason, _ in reasons)


def match_json(plan: EventPlan, summary: MatchSummary, failures: Sequence[str]) -> dict[str, Any]:
    known = summary.estimate
    return {
        "game": plan.conditions.game.name,
        "players": [
            _player_json(one.spec.text, one.spec.name, sums)
            for one, sums in zip(plan.contestants, (summary.own, summary.other), strict=True)
        ],
        "games": summary.games,
        "score": known.score,
        "pairs": list(summary.pairs.counts),
        "elo": known.elo,
        "elo_interval": interval_json(known.elo_interval),
        "normalized_elo": known.normalized_elo,
        "superiority": known.superiority,
        "first_mover_score": summary.first_mover_score,
        "endings": dict(summary.endings),
        "failures": list(failures),
        "conditions": plan.conditions.document,
    }


def interval_json(interval: Any) -> list[float | None]:
    """The ends of an interval; null for one that the results do not bound."""
    ends = (interval.low, interval.high)
    return [end if abs(end) != float("inf") else None for end in ends]


def _player_json(text: str, name: str, sums: PlayerSums) -> dict[str, Any]:
    return {
        "player": text,
        "name": name,
        "wins": sums.wins,
        "draws": sums.draws,
        "losses": sums.losses,
        "faults": dict(sums.faults),
        "seconds_a_move": sums.seconds_a_move,
        "depth": sums.depth,
    }


def check_records_path(path: Path | None) -> None:
    """Refuse a wrong name before anything is played."""
    if path is not None and path.suffix != ".jsonl":
        raise FileError(f"{path}: records of many games go into a file that ends in .jsonl")


def write_records(path: Path, games: Sequence[StoredGame], store: Store) -> None:
    """Write the records of games as JSON Lines."""
    check_records_path(path)
    lines = [store.record(game.id) or "" for game in games]
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
