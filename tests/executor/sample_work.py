"""Work for the tests of executors: tasks that report, raise, end their process or never end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from plyground.core.errors import GameFileError, PlygroundError
from plyground.core.game import Game
from plyground.executor.task import TaskFunction, Tell, Work


class SampleError(PlygroundError):
    """An error that is sent as it is."""


def sample(folder: Path | None = None, *, setup: str = "", patience: float | None = None) -> Work:
    """Tasks are words: what to do, and a value."""
    return Work(set_up, (folder, setup), patience)


def with_game(game: Game) -> Work:
    """Tasks are positions: the answer has the file of the game, and whether it is the start."""
    return Work(set_up_game, game)


def set_up_game(game: Game) -> TaskFunction:
    return lambda payload, report: (game.rules.path, payload.text, game.start() == payload)


class Closing:
    """Does tasks, and leaves a file when it is closed."""

    def __init__(self, run: TaskFunction, folder: Path) -> None:
        self._run, self._folder = run, folder

    def __call__(self, payload: Any, report: Tell) -> Any:
        return self._run(payload, report)

    def close(self) -> None:
        (self._folder / f"closed by {os.getpid()}").touch(exist_ok=False)


def set_up(settings: tuple[Path | None, str]) -> TaskFunction:
    folder, setup = settings
    parent = os.getppid()
    if setup == "refuses":
        raise SampleError("these settings are wrong")
    if setup == "refuses a file":
        raise GameFileError("mine.py", 3, "no rules")
    if setup == "ends":
        os._exit(9)
    if setup == "ends after the first":
        assert folder is not None
        try:
            (folder / "first").touch(exist_ok=False)
        except FileExistsError:
            os._exit(9)

    def run(payload: Any, report: Tell) -> Any:
        match payload:
            case ("double", number):
                return number * 2
            case ("count", number):
                for value in range(number):
                    report(value)
                return number
            case ("raise", text):
                report("before")
                raise ValueError(text)
            case ("end", status):
                os._exit(status)
            case ("end once", name):
                assert folder is not None
                report("begun")
                if not (folder / name).exists():
                    (folder / name).touch()
                    os._exit(7)
                return "second time"
            case ("signal", number):
                os.kill(os.getpid(), number)
                time.sleep(60)
            case ("end the parent", name):  # once, or always without a name
                assert folder is not None
                if not name or not (folder / name).exists():
                    if name:
                        (folder / name).touch()
                    if os.getppid() == parent:
                        os.kill(parent, signal.SIGKILL)
                    time.sleep(60)
                return "second time"
            case ("where", _):
                cores = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
                return os.getpid(), tuple(cores)
            case ("report slowly", number):
                for value in range(number):
                    time.sleep(0.4)
                    report(value)
                return number
            case ("loop for ever", _):
                while True:
                    pass
            case ("no pickle", _):
                return lambda: None
            case ("sleep", _):
                child = subprocess.Popen(
                    [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
                )
                report((os.getpid(), child.pid))
                signal.pause()
        raise AssertionError(payload)

    if setup == "is closed":
        assert folder is not None
        return Closing(run, folder)
    return run
