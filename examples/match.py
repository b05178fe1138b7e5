"""A match from Python: is a search of 400 nodes better than one of 100? And how sure are we?

python examples/match.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.event import EventPlan, run_event
from plyground.arena.store import Store
from plyground.arena.summary import summarize
from plyground.core.registry import find_game
from plyground.executor.serial import SerialExecutor
from plyground.players.notation import read_player

STRONG, WEAK = "engine:nodes=400", "engine:nodes=100"


def main() -> None:
    players = tuple(Contestant(read_player(text)) for text in (STRONG, WEAK))
    plan = EventPlan("match", Conditions(find_game("connectfour")), players, ((0, 1),), pairs=10)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "arena.db") as store:
        run_event(plan, store, SerialExecutor(), on_game=lambda _: print(end="."))
        summary = summarize(plan.games(store), STRONG, WEAK)
    known = summary.estimate
    print(f"\n{STRONG} scored {known.points:g} of {known.games} points against {WEAK}")
    print(f"Elo {known.elo_text}, better with a likelihood of {known.superiority:.1%}")


if __name__ == "__main__":
    main()
