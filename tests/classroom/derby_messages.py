"""The messages that a controller of Fishing Derby receives, in tests without a process."""

from __future__ import annotations

import json
from typing import Any

from plyground.classroom.interfaces.derby import DerbyInterface
from plyground.core.game import Position
from tests.classroom.student_processes import inside


class Referee:
    """Stands for the line to the referee: hands out messages, keeps answers."""

    def poll(self, timeout: float | None) -> bool:
        return bool(self.messages)

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.messages = list(messages)
        self.answers: list[tuple[str, dict[str, Any]]] = []
        self.over = False

    def receive(self) -> dict[str, Any]:
        message = json.loads(json.dumps(self.messages.pop(0)))
        self.over = message["type"] == "over"
        assert isinstance(message, dict)
        return message

    def send(self, kind: str, answer: dict[str, Any]) -> None:
        self.answers.append((kind, answer))


def messages_of(start: Position, *turns: Position) -> list[dict[Any, Any]]:
    """What a controller receives, from the first message on."""
    interface = DerbyInterface()
    begin = json.loads(json.dumps(interface.begin(start, 0, 0.075)))
    referee = Referee(*(interface.turn(turn, 0.075) for turn in turns))
    pipe = inside("derby").Pipe(referee, begin)
    return [pipe.recv() for _ in range(len(turns) + 1)]
