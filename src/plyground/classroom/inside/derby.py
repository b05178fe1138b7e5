"""Fishing Derby: the student's controller runs its own loop, with an object of ours for its pipes.

All of `fishing_game_core` is imported before the student's file, so that a copy beside that file is
not used. The referee's messages are short; here they are expanded to those of the course. The first
turn brings all movement codes, and a later one needs only the number of its ply.
"""

from __future__ import annotations

import fishing_game_core.communicator
import fishing_game_core.game_tree
import fishing_game_core.player_utils
import fishing_game_core.shared
from channel import no_move, whole_number
from runner import Missing, timed_search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from channel import Channel
    from runner import Load

CONTROLLER = "PlayerControllerMinimax"
SEARCH = "search_best_next_move"
ACTIONS = fishing_game_core.shared.ACTION_TO_STR.values()
SECONDS = 0.075
"""What a decision may take in the course."""


class Settings:
    """The settings of the course's own program."""

    def __init__(self, seconds: float | None) -> None:
        self.observations_file = None
        self.player_type = "ai_minimax"
        self.frames_per_second = 20
        self.frames_per_action = 10
        self.window_scale = 1.0
        self.space_subdivisions = fishing_game_core.game_tree.SIZE
        self.time_threshold = SECONDS if seconds is None else seconds


def play(channel: Channel, load: Load) -> None:
    begin = channel.receive()
    module = load()
    controller_class = getattr(module, CONTROLLER, None)
    if not callable(controller_class):
        raise Missing(f"there is no class {CONTROLLER}")
    controller = controller_class()
    pipe = Pipe(channel, begin)
    controller.load_settings(Settings(begin["seconds"]))
    controller.set_receive_send_pipes(pipe, pipe)
    search = getattr(controller, SEARCH, None)
    if callable(search):
        setattr(controller, SEARCH, timed_search(search, channel))
    controller.player_loop()


class Pipe:
    """Stands for the controller's two pipes: `poll`, `recv()` and `send(message)`.

    The player is ready when it asks for the second message, which is the first turn. It sends one
    answer in each turn.
    """

    def __init__(self, channel: Channel, begin: dict[str, Any]) -> None:
        self._channel = channel
        self._fish = begin["fish"]
        self._codes: dict[int, list[int]] = {}
        self._first_ply = 0
        self._received = 0
        self._is_ready = False
        self._must_answer = False

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether a message arrives within so many seconds, as `Connection.poll` of multiprocessing
        defines it."""
        if self._received == 0:
            return True
        self._be_ready()
        return self._channel.poll(timeout)

    def recv(self) -> dict[Any, Any]:
        if self._received == 0:
            self._received = 1
            return {f"fish{fish}": known for fish, known in self._fish.items()} | {
                "game_over": False
            }
        self._be_ready()
        message = self._channel.receive()
        self._received += 1
        self._must_answer = not self._channel.over
        return {"game_over": True} if self._channel.over else self._turn(message)

    def _be_ready(self) -> None:
        if not self._is_ready:
            self._is_ready = True
            self._channel.send("ready", {})

    def _turn(self, message: dict[str, Any]) -> dict[str, Any]:
        if "codes" in message:
            self._first_ply = message["ply"]
            self._codes = {
                int(fish): [int(code) for code in codes] for fish, codes in message["codes"].items()
            }
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
        if not self._must_answer:
            raise RuntimeError("sender() was called twice in one turn, or before the first one")
        self._must_answer = False
        action, depth = message, None
        if isinstance(message, dict):
            action, depth = message.get("action"), whole_number(message.get("depth"))
        known = isinstance(action, str) and action in ACTIONS
        answer = {"move": str(action)} if known else no_move(action)
        self._channel.send("move", {**answer, "depth": depth})
