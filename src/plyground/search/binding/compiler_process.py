"""Compiles the rules of a game in two processes: this one, and a second one beside it.

Compiling is Python code, which uses one core. The second process (`compiler_main.py`) loads the
game by its name or its file, and compiles only if that is the same game: digest and board types
have to be equal. A thread passes parts to it and code back. Both processes take the largest part
that is left. What the second process cannot do, this one does: whatever happens to the other, the
result is the same, and errors in the rules are found here.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import IO, Any

from plyground.core.contract import COMPILED, Rules
from plyground.core.game import Game
from plyground.core.processes import NEW_GROUP
from plyground.core.registry import USER_MODULE
from plyground.executor.cores import usable_cores
from plyground.search.binding.compiler_main import Order, receive, send
from plyground.search.binding.layout import describe_arrays
from plyground.search.binding.sources import reachable_functions

SWITCH = "PLYGROUND_COMPILERS"
"""The environment variable that says how many processes may compile a game: 2, unless it says
otherwise."""
LEAST_BYTES = 1200
"""Of the bytecode of rules for which a second process is started. On two free cores it is ready
when this one has compiled about 500 bytes (measured: 0.3 to 0.6 ms each)."""
PATIENCE = 20.0
"""Seconds to wait for a part that the second process has begun. It takes a few at most."""
ENDING_SECONDS = 5.0
"""In which a thread notices that the process it talks to was killed."""

PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from plyground.search.binding.compiler_main import main;"
    "main()"
)


def code_sizes(rules: Rules, names: Iterable[str]) -> dict[str, int]:
    """For each of these rules how much bytecode there is to compile."""
    return {
        name: sum(len(each.__code__.co_code) for each, _ in reachable_functions(function))
        for name, function in ((name, rules.function(name)) for name in names)
    }


def source_of(game: Game) -> str | None:
    """What `find_game` finds this game by in another process; None if it cannot."""
    if game.made_by is not None or type(game) is not Game:
        return None
    if not game.is_file:
        return game.name
    # A module that was loaded in another way may be a program, which must not run once more.
    return game.rules.path if game.module.__name__.startswith(USER_MODULE) else None


def may_start() -> bool:
    """Whether this machine and this user allow a second process."""
    return os.environ.get(SWITCH, "2") == "2" and usable_cores() > 1 and bool(sys.executable)


class SharedCompiler:
    """Compiles parts of a game's rules, some of them in a second process once that has started.

    `compile_here` compiles one in this process. Close it after use: as a context manager.
    """

    def __init__(self, game: Game, digest: str, compile_here: Callable[[str], bytes]) -> None:
        self._game = game
        self._digest = digest
        self._compile_here = compile_here
        self._sizes: dict[str, int] = {}
        self._changed = threading.Condition()
        # What follows is shared by two threads, under this condition.
        self._wanted: set[str] = set()
        self.done: dict[str, bytes] = {}
        """The code of what is compiled."""
        self.failed: set[str] = set()
        """What the second process could not compile."""
        self._here: str | None = None
        """What this process compiles now."""
        self.elsewhere: str | None = None
        """What the second process compiles now."""
        self._since = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._is_closing = False

    def __enter__(self) -> SharedCompiler:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, board: Any, names: Collection[str]) -> None:
        """Start the second process if compiling these rules is worth it."""
        source = source_of(self._game)
        if self._process is not None or source is None or not may_start():
            return
        self._sizes = code_sizes(self._game.rules, [name for name in names if name in COMPILED])
        if sum(self._sizes.values()) < LEAST_BYTES:
            return
        try:
            order = Order(source, self._digest, pickle.dumps(tuple(board)), describe_arrays(board))
            process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM.format(path=sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for this process
                creationflags=NEW_GROUP,
            )
        except (OSError, ValueError, pickle.PicklingError):
            return
        thread = threading.Thread(target=self._serve, args=(order, process), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # this process may have no more threads
            process.kill()
            process.communicate()
            return
        self._process, self._thread = process, thread

    def expect(self, parts: Iterable[str]) -> None:
        """Let the second process, if there is one, begin with parts that will be needed."""
        with self._changed:
            self._wanted |= set(parts)
            self._changed.notify_all()

    def compile(self, parts: Collection[str]) -> Mapping[str, bytes]:
        """The code of these parts, and of no others that may have been expected."""
        with self._changed:
            self._wanted = set(parts)
            self._changed.notify_all()
        while (part := self._next_here()) is not None:
            code = self._compile_here(part)
            with self._changed:
                self.done[part] = code
        return {part: self.done[part] for part in parts}

    def close(self) -> None:
        """End the second process. Nothing is left of it."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._thread is not None:
            self._thread.join(ENDING_SECONDS)

    # In the thread that calls `compile`

    def _next_here(self) -> str | None:
        """What to compile here next; None if all is done."""
        with self._changed:
            self._here = None
            while not (waiting := self._waiting):
                if self.elsewhere not in self._wanted:
                    return None
                left = self._since + PATIENCE - time.monotonic()
                if left <= 0:
                    assert self._process is not None
                    self._process.kill()  # its part comes back
                    left = PATIENCE
                self._changed.wait(left)
            self._here = self._largest(waiting)
            return self._here

    @property
    def _waiting(self) -> set[str]:
        """What neither process has begun."""
        begun = {self._here, self.elsewhere, *self.done}
        return {part for part in self._wanted if part not in begun}

    def _largest(self, parts: Iterable[str]) -> str:
        return max(sorted(parts), key=lambda part: self._sizes.get(part, 0))

    # In the thread that talks to the second process

    def _serve(self, order: Order, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with process.stdin as requests, process.stdout as answers:
                self._pass_parts(order, requests, answers)
        except (OSError, EOFError):
            pass
        finally:
            self._finish(None)

    def _pass_parts(self, order: Order, requests: IO[bytes], answers: IO[bytes]) -> None:
        send(requests, pickle.dumps(order))
        if not receive(answers):
            return
        while (part := self._next_elsewhere()) is not None:
            send(requests, part.encode())
            self._finish(receive(answers))

    def _next_elsewhere(self) -> str | None:
        with self._changed:
            while not self._is_closing:
                choice = self._waiting - self.failed
                if choice:
                    self.elsewhere, self._since = self._largest(choice), time.monotonic()
                    return self.elsewhere
                self._changed.wait()
            return None

    def _finish(self, code: bytes | None) -> None:
        """The second process has compiled a part, or it cannot."""
        with self._changed:
            part, self.elsewhere = self.elsewhere, None
            if part is not None and code:
                self.done[part] = code
            elif part is not None:
                self.failed.add(part)
            self._changed.notify_all()
