"""Starts a student's file as a player: in a sandbox, or without one if the file is trusted."""

from __future__ import annotations

import contextlib
import os
import shutil
import site
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from plyground.classroom.interfaces import INSIDE, StudentInterface
from plyground.classroom.interfaces.plain import PlainInterface
from plyground.classroom.sandbox import (
    PLAYER_FOLDER,
    ResourceLimits,
    SandboxFiles,
    python,
    start_sandboxed,
)
from plyground.classroom.submission import Submission
from plyground.core.errors import PlygroundError
from plyground.core.game import Game
from plyground.core.game_files import game_files
from plyground.core.processes import LEAST_ENVIRONMENT, kill_process
from plyground.players.line_process import LineProcess
from plyground.players.player import Clock, Fault
from plyground.players.program import START_SECONDS, Program

PACKAGE = Path(__file__).resolve().parent.parent
SUITES = PACKAGE / "classroom" / "suites"
"""The built-in tasks, with their proofs and best moves. They are hidden from every player."""
SEARCHES = [PACKAGE / name for name in ("search", "lab", "web", "classroom/forge")]
"""Hidden where students must write their own search."""
COMPILED = "PLYGROUND_COMPILED"
"""The environment variable with the folder from which `inside/plain.py` copies compiled games, so
that a player that uses the engine need not compile it in every game."""
COPIES = "plyground-copy-"
"""The prefix of folders with unpacked submissions. The pid of the grader follows."""
PLAIN_MEMORY = 4096
"""MiB for a player of the plain interface, which may load a compiler."""


class GameNotLoaded(PlygroundError):
    """A user's own game cannot be loaded in a sandbox, which is no player's fault."""


def start_player(
    submission: Submission,
    path: str,
    interface: StudentInterface,
    *,
    trusted: bool,
    engine: bool = True,
    start_seconds: float = START_SECONDS,
) -> Program:
    """A player made of a submission's file. Closing it removes the copies of the files.

    Without `engine`, a player in a sandbox finds the games of plyground, but not its searches.
    """
    folder = tempfile.TemporaryDirectory(prefix=f"{COPIES}{os.getpid()}-")
    files = Path(folder.name) / "files"  # readable for every user, in a private folder
    files.mkdir()
    submission.unpack(files)
    if trusted:
        start = _trusted(files / path, interface)
    else:
        placed = _copies(interface.own_game, Path(folder.name) / "game")
        start = _sandboxed(files, path, interface, engine=engine, placed=placed)
    return Program(
        start,
        interface,
        name=submission.name,
        start_seconds=start_seconds,
        clean=folder.cleanup,
    )


def check_game(game: Game, *, engine: bool) -> None:
    """Raises GameNotLoaded if players in a sandbox cannot load a user's own game.

    The test uses a player of ours: in a student's process, an error could be the student's own.
    """
    ours = Submission(game.rules.path, {"player.py": b"def choose(position, clock): pass"})
    interface = PlainInterface(game=game)
    player = start_player(ours, "player.py", interface, trusted=False, engine=engine)
    try:
        player.begin(game.start(), 0, Clock(None))
    except Fault as fault:
        printed = player.stderr.strip().splitlines() or [str(fault)]
        raise GameNotLoaded(
            f"{game.rules.path}: this game cannot be loaded in the sandbox, where it finds the"
            f" modules beside it that it imports, but no other file: {printed[-1]}"
        ) from None
    finally:
        player.close()


def _copies(game: Game | None, folder: Path) -> tuple[tuple[Path, Path], ...]:
    """Copies of the files of a user's own game, each with its path inside. The files themselves may
    be readable for the teacher only."""
    if game is None:
        return ()
    folder.mkdir(mode=0o755)
    placed = []
    for number, (place, content) in enumerate(game_files(game).items()):
        copy = folder / str(number)
        copy.write_bytes(content)
        copy.chmod(0o644)
        placed.append((copy, place))
    return tuple(placed)


def remove_leftovers() -> None:
    """Remove what a killed grader has left: unpacked submissions, and sandboxes that were not yet
    complete. bubblewrap dies with its parent, but first waits for it to write to a pipe.

    Only Linux tells whose the folders are and which graders still run."""
    if sys.platform != "linux":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{COPIES}*-*"):
        owner = folder.name.removeprefix(COPIES).partition("-")[0]
        with contextlib.suppress(OSError):
            mine = folder.lstat().st_uid == os.getuid() and not folder.is_symlink()
            if mine and owner.isdecimal() and not _is_running(int(owner)):
                _end_incomplete_sandboxes(folder)
                shutil.rmtree(folder, ignore_errors=True)


def _is_running(pid: int) -> bool:
    """False for a zombie, too: some init processes take seconds to reap one."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return after_name.split()[0] not in ("Z", "X")


def _end_incomplete_sandboxes(folder: Path) -> None:
    """End the bubblewrap processes that were to show this folder to a player."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            shows_it = os.fsencode(folder) in (process / "cmdline").read_bytes()
            if shows_it and (process / "comm").read_bytes() == b"bwrap\n":
                kill_process(int(process.name))


Start = Callable[[], LineProcess]


def _trusted(file: Path, interface: StudentInterface) -> Start:
    command = [sys.executable, "-I", "-B", str(INSIDE / "main.py"), interface.kind, str(file)]
    return lambda: LineProcess(command, environment=LEAST_ENVIRONMENT)


def _sandboxed(
    folder: Path,
    path: str,
    interface: StudentInterface,
    *,
    engine: bool,
    placed: tuple[tuple[Path, Path], ...] = (),
) -> Start:
    limits = ResourceLimits()
    shown, hidden = [*_libraries(), INSIDE], [SUITES]
    environment: tuple[tuple[str, str], ...] = ()
    if not engine:
        hidden += SEARCHES
    if interface.kind == "plain":
        shown.append(PACKAGE)
        if engine:
            limits = ResourceLimits(memory=PLAIN_MEMORY)
            root, games = _compiled()
            shown += games
            environment = ((COMPILED, str(root)),)
    files = SandboxFiles(folder, tuple(shown), placed, tuple(hidden), environment)
    # Without -S Python would look for packages itself and run the .pth files beside them, which
    # takes longer than all the rest of its start.
    command = [python(), "-I", "-S", "-B", str(INSIDE / "main.py"), interface.kind]
    of_python = site.getsitepackages([sys.base_prefix, sys.base_exec_prefix])
    command += [f"{PLAYER_FOLDER}/{path}", *of_python, *map(str, _libraries())]
    return lambda: start_sandboxed(command, files, limits)


def _compiled() -> tuple[Path, list[Path]]:
    """The folder of compiled games, and those within it that a player may see."""
    from plyground.search.binding.code_cache import cached_folders, wanted_cache_root

    root = wanted_cache_root().absolute()
    return root, cached_folders(root)


def _libraries() -> list[Path]:
    """The folders of installed packages, besides those of Python itself, which students may
    import."""
    places = {
        path.resolve(): None  # lib64 is often another name of lib
        for path in (Path(entry) for entry in sys.path if entry.endswith("-packages"))
        if path.is_dir() and not path.is_relative_to(sys.base_prefix)
    }
    return list(places)
