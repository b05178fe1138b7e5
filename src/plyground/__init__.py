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
    "Position": "core.game",
    "GameRecord": "core.records.record",
    "find_game": "core.registry",
    "game_names": "core.registry",
    "Engine": "search.engine.engine",
    "Limits": "search.result",
    "SearchResult": "search.result",
}

__all__ = [*_HOMES, "__version__"]

if TYPE_CHECKING:  # `as` tells type checkers that these names are meant to be imported from here
    from plyground.core.bits import Bits as Bits
    from plyground.core.bits import bit as bit
    from plyground.core.bits import drop_lowest as drop_lowest
    from plyground.core.bits import lowest as lowest
    from plyground.core.bits import mix as mix
    from plyground.core.bits import popcount as popcount
    from plyground.core.errors import PlygroundError as PlygroundError
    from plyground.core.game import Game as Game
    from plyground.core.game import Position as Position
    from plyground.core.outcome import Outcome as Outcome
    from plyground.core.records.record import GameRecord as GameRecord
    from plyground.core.registry import find_game as find_game
    from plyground.core.registry import game_names as game_names
    from plyground.search.engine.engine import Engine as Engine
    from plyground.search.result import Limits as Limits
    from plyground.search.result import SearchResult as SearchResult


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'plyground' has no attribute {name!r}")
    return getattr(import_module(f"plyground.{_HOMES[name]}"), name)
