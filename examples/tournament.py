"""A tournament from Python: how much is a search worth that looks deeper? With a report.

python examples/tournament.py [REPORT.html]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.event import EventPlan, round_robin, run_event
from plyground.arena.report import write_report
from plyground.arena.standings import standings
from plyground.arena.store import Store
from plyground.arena.summary import EventSummary
from plyground.core.registry import find_game
from plyground.executor.serial import SerialExecutor
from plyground.players.notation import read_player

PLAYERS = ("random", "greedy", "engine:depth=1,name=one ply", "engine:depth=3,name=three plies")
GAMES = 10
"""Of each two players."""


def main(report: Path | None) -> None:
    players = tuple(Contestant(read_player(text)) for text in PLAYERS)
    names = [one.spec.name for one in players]
    conditions = Conditions(find_game("connectfour"))
    plan = EventPlan("tournament", conditions, players, round_robin(len(players)), GAMES // 2)
    summary = EventSummary(plan.notations, anchor=1)  # the rating of greedy is 0
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "arena.db") as store:
        run_event(plan, store, SerialExecutor(), on_game=lambda _: None)
        summary.add_all(plan.games(store))
    found = standings(names, summary)
    for row in found.rows:
        print(f"{row.rank}. {row.name:12} {row.rating.value:5.0f} ± {row.rating.error:.0f}")
    if report is not None:
        write_report(report, found, title="How deep to look", facts={"game": "connectfour"})
        print(f"written: {report}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
