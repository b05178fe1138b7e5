"""Connect Four from the start: beside easyAI's Negamax on its own ConnectFour."""

from __future__ import annotations

import importlib.util

from benchmarks.contest import plain_connectfour, serve_search
from benchmarks.report import Row, UnavailableError
from benchmarks.slower import compare_at_depths
from plyground.search.features import Features

TARGET = 500.0


def run(quick: bool) -> list[Row]:
    if importlib.util.find_spec("easyAI") is None:
        raise UnavailableError("easyAI is not installed: pip install easyAI")
    return compare_at_depths(
        "easy_ai",
        plain_connectfour(),
        Features.EXACT,
        depths=(2,) if quick else (6, 8),
        value_scale=1.0,
        target=TARGET,
        judged=not quick,
    )


def search(depth: int) -> float:
    """Search as its own example does, with the scoring that its game brings: wins, nothing else."""
    from easyAI import AI_Player, Negamax
    from easyAI.games.ConnectFour import ConnectFour

    negamax = Negamax(depth)
    negamax(ConnectFour([AI_Player(negamax), AI_Player(negamax)]))
    return float(negamax.alpha)


if __name__ == "__main__":
    import easyAI.games.ConnectFour  # noqa: F401  imported before the clock starts

    serve_search(search)
