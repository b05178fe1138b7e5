"""Blocker's official board to depth 14: the states that the engine visits, beside plain minimax."""

from __future__ import annotations

from benchmarks.report import Row
from plyground.core.registry import find_game
from plyground.search.counting import Counter, Method
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits

DEPTH = 14
MOST_STATES = 1000


def run(quick: bool) -> list[Row]:
    depth = 6 if quick else DEPTH
    game = find_game("blocker")
    start = game.start({"stuck": "mover"})
    minimax = Counter(game).search(start, depth, Method(prunes=False)).nodes
    rows = []
    for name, features in (("as it plays", Features.PLAY), ("exact values", Features.EXACT)):
        visited = Engine(game, features=features).search(start, Limits(depth=depth)).nodes
        judged = features is Features.PLAY and not quick
        rows.append(
            Row(
                f"official board, depth {depth}, {name}",
                f"{visited:,} states",
                f"minimax: {minimax:,} states",
                f"{minimax / visited:,.0f}x fewer",
                f"<= {MOST_STATES:,} states" if features is Features.PLAY else "",
                visited <= MOST_STATES if judged else None,
                {"engine": visited, "minimax": minimax},
            )
        )
    return rows
