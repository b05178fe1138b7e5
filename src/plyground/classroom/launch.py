"""Starting a student's file as a player: in a sandbox, or trusted where it is one's own."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from plyground.classroom.interfaces import INSIDE, StudentInterface
from plyground.classroom.sandbox import ROOM, Limits, Room, open_channel, python
from plyground.classroom.submission import Submission
from plyground.players.channel import Channel
from plyground.players.program import Program

PACKAGE = Path(__file__).parent.parent
SUITES = Path(__file__).parent / "suites"
"""The built-in tasks, with their proofs and best moves: no player sees them."""
COMPILED = "PLYGROUND_COMPILED"
"""Tells a player of the plain interface where compiled games can be copied from (`inside/plain`),
so that one who asks the engine need not compile it in every game."""
COPIES = "plyground-copy-"
"""What the folders are called that submissions are unpacked to, before the number of the process
that they belong to."""
PLAIN_MEMORY = 4096
"""MiB for a player of the plain interface, which may load a compiler."""


def start_player(
    submission: Submission,
    path: str,
    interface: StudentInterface,
    *,
    trusted: bool,
) -> tuple[Program, Callable[[], None]]:
    """A player made of a submission's file, and what to call when nobody needs it any more."""
    folder = tempfile.TemporaryDirectory(prefix=f"{COPIES}{os.getpid()}-")
    submission.unpack(Path(folder.name))
    if trusted:
        program = _trusted(submission, Path(folder.name) / path, interface)
    else:
        program = _sandboxed(submission, Path(folder.name), path, interface)
    return program, folder.cleanup


def remove_leftovers() -> None:
    """Copies of submissions whose grader was killed before it could clear up."""
    for folder in Path(tempfile.gettempdir()).glob(f"{COPIES}*-*"):
        owner = folder.name.removeprefix(COPIES).partition("-")[0]
        with contextlib.suppress(OSError):
            mine = folder.lstat().st_uid == os.getuid() and not folder.is_symlink()
            if mine and owner.isdecimal() and not Path(f"/proc/{owner}").exists():
                shutil.rmtree(folder, ignore_errors=True)


def _trusted(submission: Submission, file: Path, interface: StudentInterface) -> Program:
    command = [sys.executable, "-I", "-B", str(INSIDE / "main.py"), interface.kind, str(file)]
    return _player(lambda: Channel(command, environment={}), interface, submission)


def _sandboxed(
    submission: Submission, folder: Path, path: str, interface: StudentInterface
) -> Program:
    if interface.kind == "plain":
        limits = Limits(memory=PLAIN_MEMORY)
        compiled = _compiled()
        room = Room(
            folder,
            (*_libraries(), PACKAGE, compiled),
            hidden=(SUITES,),
            environment=((COMPILED, str(compiled)),),
        )
    else:
        limits = Limits()
        room = Room(folder, (*_libraries(), INSIDE), hidden=(SUITES,))
    command = [python(), "-I", "-B", str(INSIDE / "main.py"), interface.kind, f"{ROOM}/{path}"]
    command += map(str, _libraries())
    return _player(lambda: open_channel(command, room, limits), interface, submission)


def _player(
    start: Callable[[], Channel], interface: StudentInterface, submission: Submission
) -> Program:
    return Program(start, interface, name=submission.name, one_core=True)


def _compiled() -> Path:
    from plyground.search.compile import wanted_cache_root

    return wanted_cache_root().absolute()


def _libraries() -> list[Path]:
    """Where the packages of this Python's environment are: what is installed, students may use."""
    return [
        path
        for path in (Path(entry) for entry in sys.path if entry.endswith("-packages"))
        if path.is_dir() and not path.is_relative_to(sys.base_prefix)
    ]
