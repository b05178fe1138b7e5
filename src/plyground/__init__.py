"""plyground: two-player games of full information, searched well.

The names below are all that most programs need. They are loaded on first use, so that importing
the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Bits": "core.bits",
    "bit": "core.bits",
    "drop_lowest": "core.bits",
    "lowest": "core.bits",
    "mix": "core.bits",
    "popcount": "core.bits",
    "PlygroundError": "core.errors",
    "Game": "core.game",
    "Outcome": "core.outcome",
    "Position": "core.position",
    "GameRecord": "core.record",
    "find_game": "core.registry",
    "game_names": "core.registry",
    "Engine": "search.alphabeta",
    "Limits": "search.result",
    "SearchResult": "search.result",
}

__all__ = [*_HOMES, "__version__"]

if TYPE_CHECKING:
    from plyground.core.bits import Bits, bit, drop_lowest, lowest, mix, popcount
    from plyground.core.errors import PlygroundError
    from plyground.core.game import Game
    from plyground.core.outcome import Outcome
    from plyground.core.position import Position
    from plyground.core.record import GameRecord
    from plyground.core.registry import find_game, game_names
    from plyground.search.alphabeta import Engine
    from plyground.search.result import Limits, SearchResult


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'plyground' has no attribute {name!r}")
    return getattr(import_module(f"plyground.{_HOMES[name]}"), name)
