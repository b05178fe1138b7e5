"""Messages to and from the game, over two ends of pipes, as multiprocessing has them."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Communicator:
    receiver_pipe: Any = None
    """Has `poll(timeout=0.0)` and `recv()`."""
    sender_pipe: Any = None
    """Has `send(message)`."""
    receiver_threshold: float | None = None

    def __init__(self, receiver_threshold: float | None = None) -> None:
        """`receiver_threshold` is how many seconds `receiver` waits for a message; None: for ever.
        The pipes may have been set already: players call this where they like."""
        self.receiver_threshold = receiver_threshold

    def set_receive_send_pipes(self, recv_pipe: Any, sender_pipe: Any) -> None:
        """Called by the game before the player's loop."""
        self.receiver_pipe, self.sender_pipe = recv_pipe, sender_pipe

    def receiver(self) -> dict[Any, Any]:
        """Wait for the next message. When the game is over this does not return: it exits."""
        if not self.receiver_pipe.poll(self.receiver_threshold):
            sys.exit(-1)  # no message came in the time given
        message: dict[Any, Any] = self.receiver_pipe.recv()
        self.check_game_over(message)
        return message

    @staticmethod
    def check_game_over(msg: dict[Any, Any]) -> None:
        if msg.get("game_over"):
            sys.exit(0)

    def sender(self, msg: dict[str, Any]) -> None:
        """Answer a turn, once: `{"action": "up", "search_time": None}`.

        The number under "depth", if there is one, is shown beside the move.
        """
        self.sender_pipe.send(msg)
