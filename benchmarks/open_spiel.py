"""Breakthrough 6x6, material only: beside OpenSpiel's alpha_beta_search in Python."""

from __future__ import annotations

import importlib.util
from typing import Any

from benchmarks.contest import material_breakthrough, serve_search
from benchmarks.report import Row, UnavailableError
from benchmarks.slower import compare_at_depths
from plyground.search.features import Features

TARGET = 100.0
PAWN = 0.01
"""OpenSpiel's wins count 1, so twelve pawns have to count less; ours are 100 to the pawn."""


def run(quick: bool) -> list[Row]:
    if importlib.util.find_spec("pyspiel") is None:
        raise UnavailableError("OpenSpiel is not installed: pip install open_spiel")
    return compare_at_depths(
        "open_spiel",
        material_breakthrough(),
        Features.EXACT,
        depths=(3,) if quick else (7, 9),
        value_scale=100 / PAWN,
        target=TARGET,
        judged=not quick,
    )


def material(state: Any) -> float:
    """The first player's material, who is black in OpenSpiel; the last line names the columns."""
    cells = str(state).rpartition("\n ")[0]
    return PAWN * (cells.count("b") - cells.count("w"))


def search(depth: int) -> float:
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("breakthrough(rows=6,columns=6)")
    value, _ = minimax.alpha_beta_search(
        game, value_function=material, maximum_depth=depth, maximizing_player_id=0
    )
    return float(value)


if __name__ == "__main__":
    # Imported before the clock starts.
    import open_spiel.python.algorithms.minimax  # noqa: F401
    import pyspiel  # noqa: F401

    serve_search(search)
