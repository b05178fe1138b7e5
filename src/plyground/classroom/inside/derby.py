"""Fishing Derby: the student's controller runs its own loop, and both its pipes end here.

All of `fishing_game_core` is imported before the student's file is, so that it is ours even where
another one lies beside it. The referee's messages are short; here they become those that the course
sends. All movement codes come with the first one, since a turn only takes a few of them away.
"""

from __future__ import annotations

import fishing_game_core.communicator
import fishing_game_core.game_tree
import fishing_game_core.player_utils
import fishing_game_core.shared
from seat import Missing
from wire import said, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from seat import Load
    from wire import Channel

CONTROLLER = "PlayerControllerMinimax"
ACTIONS = fishing_game_core.shared.ACTION_TO_STR.values()


def play(channel: Channel, load: Load) -> None:
    begin = channel.receive()
    module = load()
    controller_class = getattr(module, CONTROLLER, None)
    if not callable(controller_class):
        raise Missing(f"there is no class {CONTROLLER}")
    controller = controller_class()
    pipe = Pipe(channel, begin)
    controller.set_receive_send_pipes(pipe, pipe)
    controller.player_loop()


class Pipe:
    """Both ends of what a controller takes for two pipes: `recv()` and `send(message)`.

    The player is ready when it asks for the second message, the first turn: all that it does
    with the first one is preparation. To each turn there is one answer.
    """

    def __init__(self, channel: Channel, begin: dict[str, Any]) -> None:
        self._channel = channel
        self._fish = begin["fish"]
        self._codes = {
            int(fish): [int(code) for code in codes] for fish, codes in begin["codes"].items()
        }
        self._first_ply: int = begin["ply"]
        self._received = 0
        self._owes = False

    def recv(self) -> dict[Any, Any]:
        self._received += 1
        if self._received == 1:
            return {f"fish{fish}": known for fish, known in self._fish.items()} | {
                "game_over": False
            }
        if self._received == 2:
            self._channel.send("ready", {})
        message = self._channel.receive()
        self._owes = not self._channel.over
        return {"game_over": True} if self._channel.over else self._turn(message)

    def _turn(self, message: dict[str, Any]) -> dict[str, Any]:
        places = {int(fish): tuple(place) for fish, place in message["fish"].items()}
        played = message["ply"] - self._first_ply
        return {
            "game_over": False,
            "hooks_positions": dict(enumerate(map(tuple, message["hooks"]))),
            "fishes_positions": places,
            "observations": {fish: self._codes[fish][played:] for fish in places},
            "fish_scores": {fish: self._fish[str(fish)]["score"] for fish in places},
            "player_scores": dict(enumerate(message["points"])),
            "caught_fish": dict(enumerate(message["held"])),
        }

    def send(self, message: Any) -> None:
        if not self._owes:
            raise RuntimeError("sender() was called twice in one turn, or before the first one")
        self._owes = False
        action, depth = message, None
        if isinstance(message, dict):
            action, depth = message.get("action"), whole_number(message.get("depth"))
        known = isinstance(action, str) and action in ACTIONS
        answer = {"move": str(action)} if known else said(action)
        self._channel.send("move", {**answer, "depth": depth})
