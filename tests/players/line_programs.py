"""Small programs as players, whose use of resources is what a test says."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from typing import Any

from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.players.line_process import LineProcess
from plyground.players.player import Clock
from plyground.players.program import Program
from plyground.players.usage import Usage

START = find_game("tictactoe").start()
NOTHING = Usage()


class Echo:
    """An interface whose answers are moves already."""

    kind = "echo"

    def begin(self, position: Position, side: int, seconds: float | None) -> dict[str, Any]:
        return {"type": "begin"}

    def turn(self, position: Position, seconds: float | None) -> dict[str, Any]:
        return {"type": "turn", "filling": "x" * 200_000}

    def read(self, answer: dict[str, Any], position: Position) -> str:
        return str(answer["move"])


class ScriptedUsage(LineProcess):
    """A process of which the system reports one usage after another."""

    def __init__(self, command: list[str], usages: Iterable[Usage]) -> None:
        super().__init__(command, environment={})
        self._usages = iter(usages)

    def usage(self) -> Usage:
        return next(self._usages, NOTHING)


def begun(code: str, usages: Iterable[Usage] = (), *, seconds: float = 0.1) -> Program:
    """A program that is ready and then runs the code. The usages are read before and after each
    question for a move."""
    text = "import json, os, sys, time\ndef say(**answer): print(json.dumps(answer), flush=True)\n"
    text += "input(); say(type='ready'); input()\n" + textwrap.dedent(code)
    command = [sys.executable, "-I", "-c", text]
    player = Program(
        lambda: ScriptedUsage(command, [NOTHING, NOTHING, *usages]), Echo(), name="ann"
    )
    player.begin(START, 0, Clock(seconds))
    return player
