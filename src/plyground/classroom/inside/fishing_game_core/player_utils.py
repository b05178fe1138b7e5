"""The base class of players."""

from fishing_game_core.communicator import Communicator


class PlayerController(Communicator):
    """A player is a class with a loop that receives messages and sends actions."""

    def __init__(self) -> None:
        super().__init__()
        self.fishes = None

    def player_loop(self) -> None:
        """For players to write."""
