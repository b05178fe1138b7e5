"""Starting a student's file as a player: in a sandbox, or trusted where it is one's own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from plyground.classroom.interfaces import INSIDE, StudentInterface
from plyground.classroom.sandbox import ROOM, Limits, Room, open_channel, python
from plyground.classroom.submission import Submission
from plyground.players.channel import Channel
from plyground.players.program import START_SECONDS, Program

PACKAGE = Path(__file__).resolve().parent.parent
SUITES = PACKAGE / "classroom" / "suites"
"""The built-in tasks, with their proofs and best moves: no player sees them."""
SEARCHES = [PACKAGE / name for name in ("search", "lab", "web", "classroom/forge")]
"""What plays for a student who is to write a search."""
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
    engine: bool = True,
    start_seconds: float = START_SECONDS,
) -> tuple[Program, Callable[[], None]]:
    """A player made of a submission's file, and what to call when nobody needs it any more.

    Without `engine`, a player in a sandbox finds the games of plyground, but nothing that searches.
    """
    folder = tempfile.TemporaryDirectory(prefix=f"{COPIES}{os.getpid()}-")
    files = Path(folder.name) / "files"  # readable for all, in a folder that is readable for us
    files.mkdir()
    submission.unpack(files)
    if trusted:
        start = _trusted(files / path, interface)
    else:
        start = _sandboxed(files, path, interface, engine=engine)
    program = Program(
        start, interface, name=submission.name, one_core=True, start_seconds=start_seconds
    )
    return program, folder.cleanup


def remove_leftovers() -> None:
    """Copies of submissions whose grader was killed before it could clear up, and rooms that were
    only half built then: bubblewrap asks to die with its parent, but not before it has waited for
    a word from it, which never comes."""
    for folder in Path(tempfile.gettempdir()).glob(f"{COPIES}*-*"):
        owner = folder.name.removeprefix(COPIES).partition("-")[0]
        with contextlib.suppress(OSError):
            mine = folder.lstat().st_uid == os.getuid() and not folder.is_symlink()
            if mine and owner.isdecimal() and not Path(f"/proc/{owner}").exists():
                _end_half_built_rooms(folder)
                shutil.rmtree(folder, ignore_errors=True)


def _end_half_built_rooms(folder: Path) -> None:
    """End the bubblewrap that was to show this folder to a player."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            shows_it = os.fsencode(folder) in (process / "cmdline").read_bytes()
            if shows_it and (process / "comm").read_bytes() == b"bwrap\n":
                os.kill(int(process.name), signal.SIGKILL)


Start = Callable[[], Channel]


def _trusted(file: Path, interface: StudentInterface) -> Start:
    command = [sys.executable, "-I", "-B", str(INSIDE / "main.py"), interface.kind, str(file)]
    return lambda: Channel(command, environment={})


def _sandboxed(folder: Path, path: str, interface: StudentInterface, *, engine: bool) -> Start:
    limits = Limits()
    shown, hidden = [*_libraries(), INSIDE], [SUITES]
    environment: tuple[tuple[str, str], ...] = ()
    if not engine:
        hidden += SEARCHES
    if interface.kind == "plain":
        shown.append(PACKAGE)
        if engine:
            limits = Limits(memory=PLAIN_MEMORY)
            root, games = _compiled()
            shown += games
            environment = ((COMPILED, str(root)),)
    room = Room(folder, tuple(shown), tuple(hidden), environment)
    command = [python(), "-I", "-B", str(INSIDE / "main.py"), interface.kind, f"{ROOM}/{path}"]
    command += map(str, _libraries())
    return lambda: open_channel(command, room, limits)


def _compiled() -> tuple[Path, list[Path]]:
    """Where compiled games are, and the folder of each. What else lies there is nobody's affair."""
    from plyground.search.compile import cached_games, wanted_cache_root

    root = wanted_cache_root().absolute()
    return root, cached_games(root)


def _libraries() -> list[Path]:
    """Where the packages of this Python's environment are: what is installed, students may use."""
    places = {
        path.resolve(): None  # lib64 is often another name of lib
        for path in (Path(entry) for entry in sys.path if entry.endswith("-packages"))
        if path.is_dir() and not path.is_relative_to(sys.base_prefix)
    }
    return list(places)
