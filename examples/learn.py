"""Learning an evaluation from Python: some seconds of self-play, then a match against none.

python examples/learn.py
"""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

from plyground import Engine, Limits, find_game
from plyground.arena.conditions import Conditions, contestant
from plyground.arena.event import EventPlan, run_event
from plyground.arena.openings import Openings
from plyground.arena.store import Store
from plyground.arena.summary import summarize
from plyground.executor.serial import SerialExecutor
from plyground.learning.run import Learning
from plyground.players.notation import read_player
from plyground.search.net.files import write_net
from plyground.search.net.net import Net

GAME = find_game("breakthrough")
BOARD = {"rows": "5", "columns": "4"}
"""A small one: its games are short, and a few seconds are enough."""


def learn() -> Net:
    """Three generations: each plays against itself, and a net is fitted to its games."""
    learning = Learning(GAME, BOARD, SerialExecutor(), seconds=30, seed=1)
    for generation in itertools.islice(learning.run(), 3):
        rated = generation.rating("none")
        print(f"generation {generation.number}: {generation.games} games, {rated.elo_text} Elo")
    return learning.best.net


def search(net: Net) -> None:
    """One position with each evaluation. Values of different evaluations cannot be compared."""
    start = GAME.start(BOARD)
    for evaluation in ("own", "none", net):
        result = Engine(GAME, memory=16, evaluation=evaluation).search(start, Limits(depth=6))
        print(f"{result.evaluation:>8}: {start.move_text(result.move)}, {result.value_text}")


def play_match(net: Net, folder: Path) -> None:
    """The net against no evaluation, in pairs of games from random openings."""
    write_net(folder / "net.npz", net)
    learned = f"engine:nodes=500,evaluation={folder / 'net.npz'},name=learned"
    players = [read_player(text) for text in (learned, "engine:nodes=500,evaluation=none")]
    options = tuple(BOARD.items())
    conditions = Conditions(GAME, options, Openings("random", options=options, seed=1))
    contestants = tuple(contestant(player) for player in players)
    plan = EventPlan("match", conditions, contestants, ((0, 1),), pairs=20)
    with Store(folder / "arena.db") as store:
        run_event(plan, store, SerialExecutor(), on_game=lambda _: None)
        known = summarize(plan.games(store), *(player.text for player in players)).estimate
    print(f"the net scored {known.points:g} of {known.games} points against no evaluation")


if __name__ == "__main__":
    found = learn()
    search(found)
    with tempfile.TemporaryDirectory() as name:
        play_match(found, Path(name))
