"""The base class of players."""

from __future__ import annotations

from fishing_game_core.communicator import Communicator
from fishing_game_core.shared import SettingLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Player:
    """Points and boat of a player, as the course's own window keeps them."""

    def __init__(self) -> None:
        self.score = 0
        self.boat: Any = None
        self.fishes_density: dict[Any, Any] = {}
        self.fishes_cluster: dict[Any, Any] = {}


class PlayerController(SettingLoader, Communicator):
    """A player is a class with a loop that receives messages and sends actions."""

    def __init__(self) -> None:
        SettingLoader.__init__(self)
        Communicator.__init__(self)
        self.fishes: Any = None

    def player_loop(self) -> None:
        """For players to write."""
