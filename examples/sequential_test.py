"""A sequential test from Python: it plays until it is clear whether a change makes a player better.

python examples/sequential_test.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.event import EventPlan, run_event
from plyground.arena.sprt import Decision, Sprt
from plyground.arena.store import Store
from plyground.arena.summary import EventSummary
from plyground.core.registry import find_game
from plyground.executor.serial import SerialExecutor
from plyground.players.notation import read_player

NEW, OLD = "engine:nodes=400", "engine:nodes=100"
MOST_PAIRS = 200


def main() -> None:
    test = Sprt(elo0=0, elo1=200, alpha=0.05, beta=0.05)
    players = tuple(Contestant(read_player(text)) for text in (NEW, OLD))
    conditions = Conditions(find_game("connectfour"))
    plan = EventPlan("sprt", conditions, players, ((0, 1),), MOST_PAIRS)
    summary = EventSummary(plan.notations, test)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "arena.db") as store:
        run_event(
            plan,
            store,
            SerialExecutor(),
            on_game=summary.add,
            is_enough=lambda: summary.decision is not Decision.CONTINUE,
        )
    run = summary.test
    assert run is not None, "the summary was made with a test"
    print(f"{summary.games} games: {test.why(run.pairs)}")


if __name__ == "__main__":
    main()
