"""Students' files at the table, in tests: a process of their own each, and a simple referee."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from plyground.classroom.interfaces import INSIDE, StudentInterface
from plyground.core.game import Position
from tests.paths import DATA

STUDENTS = DATA / "students"

Message = dict[str, Any]


def inside(name: str) -> Any:
    """A module as students' files know it."""
    if str(INSIDE) not in sys.path:
        sys.path.append(str(INSIDE))
    return import_module(name)


class StudentProcess:
    """A student's process, as it is started in earnest but for the sandbox around it."""

    def __init__(self, kind: str, file: Path, *, main: Path = INSIDE / "main.py") -> None:
        self.failure = ""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  as long as the process lives
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(main), kind, str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={},
            cwd=file.parent,
            bufsize=0,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self._errors.close()

    def tell(self, message: Message) -> None:
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):  # what became of it is asked elsewhere
            self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def hear(self) -> Message | None:
        """The next answer, without the times in it; None if the process has closed its end, or says
        that it has failed, and then `failure` is how."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            return None
        answer = json.loads(line)
        assert isinstance(answer, dict)
        if answer["type"] == "failed":
            self.failure = answer["error"]
            return None
        for time in ("search", "collector"):
            assert answer.pop(time, 0) >= 0
        return answer

    def ask(self, message: Message) -> Message | None:
        self.tell(message)
        return self.hear()

    def status(self) -> int:
        return self.process.wait()

    def rest(self) -> bytes:
        """Everything else that it writes on the referee's pipe until it ends."""
        assert self.process.stdout
        return self.process.stdout.read()

    def errors(self) -> str:
        """What the student gets to see."""
        self._errors.seek(0)
        return self._errors.read().decode()


def play_game(
    file: Path,
    interface: StudentInterface,
    start: Position,
    *,
    side: int = 0,
    seed: int = 0,
    seconds: float = 5.0,
) -> Position:
    """A whole game of a student's file against random moves; every answer must be in order."""
    chance = random.Random(seed)
    position = start
    with StudentProcess(interface.kind, file) as student:
        ready = student.ask(interface.begin(position, side, seconds))
        assert ready is not None, student.errors()
        assert ready["type"] == "ready"
        while not position.is_over:
            if position.turn == side:
                answer = student.ask(interface.turn(position, seconds))
                assert answer is not None, student.errors()
                position = position.play(interface.read(answer, position))
            else:
                position = position.play(chance.choice(position.legal_moves))
        student.tell({"type": "over"})
        assert student.status() == 0, student.errors()
        assert student.rest() == b""
    return position
