"""Any game: the student's function `choose(position, clock)` gets a position of plyground's own.

Only this module imports plyground, as installed or from the folders above this one.
"""

from __future__ import annotations

import os
import sys
import time

from channel import no_move, whole_number
from runner import Missing, timed_search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from channel import Channel
    from plyground.core.game import Game, Position
    from runner import Load

AROUND = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
"""The folder that holds the package, where this one is a part of it."""
LONGEST_MOVE = 200
MOST_COMPILED = 8 << 20
"""Bytes of compiled games that are copied, the latest first: /tmp is small in a sandbox."""
CHOOSE = "choose"


class MoveClock:
    """How long a move may take: `seconds` in all, until `deadline` on time.monotonic().

    Both are infinite where there is no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = float("inf") if seconds is None else seconds
        self.deadline = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """The seconds that are left, less than 0 when it is too late."""
        return self.deadline - time.monotonic()

    def __repr__(self) -> str:
        return f"<Clock: {self.left:.3f} of {self.seconds:g} s left>"


def play(channel: Channel, load: Load) -> None:
    if os.path.isfile(os.path.join(AROUND, "plyground", "__init__.py")):
        sys.path.append(AROUND)
    from plyground.core.registry import find_game

    begin = channel.receive()
    take_compiled(os.path.basename(begin["game"]).removesuffix(".py"))
    game = find_game(begin["game"])
    game.preload()
    module = load()
    choose = getattr(module, CHOOSE, None)
    if not callable(choose):
        raise Missing("there is no function choose(position, clock)")
    choose = timed_search(choose, channel)
    channel.send("ready", {})
    text, board = None, None
    while True:
        message = channel.receive()
        if channel.over:
            return
        clock = MoveClock(message["seconds"])
        if message["start"] != text:
            text = message["start"]
            board = game.position(text, message["options"]).board
        answer = choose(position_of(game, board, message), clock)
        channel.send("move", read_answer(answer))


def take_compiled(game: str) -> None:
    """Copy compiled games from a read-only folder to where the engine looks for them, this game
    first."""
    source = os.environ.pop("PLYGROUND_COMPILED", None)
    if source is None or not os.path.isdir(source):
        return
    import shutil

    target = os.path.join(os.path.expanduser("~"), "compiled")
    os.makedirs(target, exist_ok=True)
    bytes_left = MOST_COMPILED

    def rank(entry: os.DirEntry[str]) -> tuple[bool, float]:
        return not entry.name.startswith(f"{game}-"), -entry.stat().st_mtime

    for entry in sorted(os.scandir(source), key=rank):
        if entry.is_dir() and entry.name.count("-") >= 2:
            size = sum(
                os.path.getsize(os.path.join(folder, file))
                for folder, _, files in os.walk(entry.path)
                for file in files
            )
            bytes_left -= size
            if bytes_left < 0:
                break
            shutil.copytree(entry.path, os.path.join(target, entry.name), dirs_exist_ok=True)
    os.environ["PLYGROUND_CACHE"] = target


def position_of(game: Game, board: Any, message: dict[str, Any]) -> Position:
    """The position of a turn: a state on the board that the game began with."""
    from plyground.core.game import Position

    past = tuple(state_of(game, fields) for fields in message["past"])
    return Position(game, board, state_of(game, message["state"]), past)


def state_of(game: Game, fields: list[Any]) -> Any:
    state_class = game.rules.state_class
    return state_class(*(tuple(field) if isinstance(field, list) else field for field in fields))


def read_answer(answer: Any) -> dict[str, object]:
    """A move, by its number or text, or such a move and the depth that was searched for it."""
    depth = None
    if isinstance(answer, tuple) and len(answer) == 2:
        answer, depth = answer[0], whole_number(answer[1])
    number = whole_number(answer)
    if number is not None:
        return {"move": number, "depth": depth}
    if isinstance(answer, str) and len(answer) <= LONGEST_MOVE:
        return {"move": str(answer), "depth": depth}
    return {**no_move(answer), "depth": depth}
