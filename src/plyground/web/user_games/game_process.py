"""The processes that run the code of one user's game, from the server's side.

The server keeps all positions and the processes keep nothing, so that any of them can answer any
question. One that does not answer in time is killed, and the next question starts another.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe, get_context
from pathlib import Path
from typing import Any

from plyground.core import errors
from plyground.core.errors import PlygroundError
from plyground.web.user_games.main import serve_game

ANSWER_SECONDS = 10.0
"""For one function of a game. Most take less than a millisecond."""
START_SECONDS = 30.0
"""For a process to start and to load the game, which may import large packages."""
MAX_PROCESSES = 8
"""Of one game, at the same time: sessions of a game wait for each other only beyond that."""
MAX_IDLE = 2
"""Processes that are kept while there is no question."""

FUNCTIONS = {"is_over": "over", "legal_moves": "moves", "after": "play", "outcome": "ending"}
"""The functions of a game behind attributes of a position, where their names differ."""


class GameProcesses:
    """The processes of one version of a game's file. May be used from any thread."""

    def __init__(self, path: Path, source: bytes) -> None:
        self.path, self.source = path, source
        self._free = threading.BoundedSemaphore(MAX_PROCESSES)
        self._lock = threading.Lock()
        self._idle: list[GameProcess] = []
        self._busy: set[GameProcess] = set()
        self._is_closed = False

    def describe(self) -> dict[str, Any]:
        """Load the game, and return what its process tells about it."""
        with self._process() as process:
            return process.description

    def ask(self, name: str, of: str | None, *arguments: Any) -> dict[str, Any]:
        """The answer to a question; `main.py` lists what can be asked. Raises PlygroundError."""
        message = {"ask": name, "of": of, "arguments": arguments}
        with self._process() as process:
            return process.ask(message, ANSWER_SECONDS, f"{FUNCTIONS.get(name, name)}()")

    def close(self) -> None:
        """End all processes. Questions under way fail at once, and so do all that follow."""
        with self._lock:
            self._is_closed = True
            for process in (*self._idle, *self._busy):
                process.kill()

    @contextmanager
    def _process(self) -> Iterator[GameProcess]:
        """A process that has loaded the game, for one question."""
        with self._free:
            with self._lock:
                if self._is_closed:
                    raise PlygroundError("the server has been closed")
                self._idle = [process for process in self._idle if process.is_alive]
                process = self._idle.pop() if self._idle else GameProcess(self.path)
                self._busy.add(process)
            try:
                if not process.description:
                    process.load(self.source)
                yield process
            finally:
                with self._lock:
                    self._busy.discard(process)
                    if process.description and len(self._idle) < MAX_IDLE and not self._is_closed:
                        self._idle.append(process)
                    else:
                        process.kill()


class GameProcess:
    """One process and the connection to it. One thread uses it at a time; any may kill it."""

    def __init__(self, path: Path) -> None:
        self.description: dict[str, Any] = {}
        self._path = path
        self._connection, theirs = Pipe()
        with theirs:
            self._process = get_context("spawn").Process(
                target=serve_game, args=[theirs], daemon=True
            )
            self._process.start()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def load(self, source: bytes) -> None:
        message = {"path": str(self._path), "source": source.decode("latin-1")}
        self.description = self.ask(message, START_SECONDS, "the file")["game"]

    def ask(self, message: dict[str, Any], seconds: float, what: str) -> dict[str, Any]:
        """The reply to a message. Raises PlygroundError, also if there is none in time: then the
        process is killed."""
        try:
            self._connection.send_bytes(json.dumps(message).encode())
            if not self._connection.poll(seconds):
                self.kill()
                raise PlygroundError(
                    f"{self._path}: {what} did not end in {seconds:.0f} seconds; does it loop?"
                )
            reply: dict[str, Any] = json.loads(self._connection.recv_bytes())
        except (OSError, EOFError):
            self.kill()
            raise PlygroundError(
                f"{self._path}: {what} ended the process that it runs in"
                f" (status {self._process.exitcode})"
            ) from None
        if "error" in reply:
            kind, text = reply["error"]
            found = getattr(errors, kind, None) if kind else None
            if found in (errors.IllegalMove, errors.GameOver, errors.FormatError):
                raise found(text)
            raise PlygroundError(text if kind else f"{self._path}: {what} raised {text}")
        return reply

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
