"""Positions, which are defined with their game: `core/game.py`."""

from plyground.core.game import MAX_PAST, Position, same_board

__all__ = ["MAX_PAST", "Position", "same_board"]
