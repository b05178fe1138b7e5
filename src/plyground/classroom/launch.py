"""Starting a student's file as a player: in a sandbox, or trusted where it is one's own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from plyground.classroom.game_files import game_files
from plyground.classroom.interfaces import INSIDE, StudentInterface
from plyground.classroom.interfaces.plain import PlainInterface
from plyground.classroom.sandbox import ROOM, Limits, Room, open_channel, python
from plyground.classroom.submission import Submission
from plyground.core.errors import PlygroundError
from plyground.core.game import Game
from plyground.players.line_process import Channel
from plyground.players.player import Clock, Fault
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
    game = interface.own_game if isinstance(interface, PlainInterface) else None
    if game is not None and not trusted:
        check_game(game, engine=engine)
    folder = tempfile.TemporaryDirectory(prefix=f"{COPIES}{os.getpid()}-")
    files = Path(folder.name) / "files"  # readable for all, in a folder that is readable for us
    files.mkdir()
    submission.unpack(files)
    if trusted:
        start = _trusted(files / path, interface)
    else:
        placed = _copies(game, Path(folder.name) / "game")
        start = _sandboxed(files, path, interface, engine=engine, placed=placed)
    program = Program(
        start, interface, name=submission.name, one_core=True, start_seconds=start_seconds
    )
    return program, folder.cleanup


class GameNotLoaded(PlygroundError):
    """A user's own game cannot be loaded in a sandbox: no fault of any player's."""


@cache  # a game that could be loaded; an error is raised anew every time
def check_game(game: Game, *, engine: bool) -> None:
    """Raises GameNotLoaded if players in a sandbox could not load a user's own game.

    It is tried with a player of ours. Of what goes wrong in a student's process nobody could tell
    whose fault it is: the student's code runs there as well, and may say what it likes.
    """
    interface = PlainInterface()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=f"{COPIES}{os.getpid()}-"))
        files = Path(folder) / "files"
        files.mkdir()
        Submission("", {"player.py": b"def choose(position, clock): pass"}).unpack(files)
        placed = _copies(game, Path(folder) / "game")
        start = _sandboxed(files, "player.py", interface, engine=engine, placed=placed)
        player = Program(start, interface, name=game.rules.path)
        stack.callback(player.close)
        try:
            player.begin(game.start(), 0, Clock(None))
        except Fault as fault:
            said = player.complaints.strip().splitlines() or [str(fault)]
            raise GameNotLoaded(
                f"{game.rules.path}: this game cannot be loaded in the sandbox, where it finds the"
                f" modules beside it that it imports, but no other file: {said[-1]}"
            ) from None


def _copies(game: Game | None, folder: Path) -> tuple[tuple[Path, Path], ...]:
    """Copies of the files of a user's own game, each with the place where it is found inside. The
    files themselves may be readable for nobody but the teacher."""
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


def _sandboxed(
    folder: Path,
    path: str,
    interface: StudentInterface,
    *,
    engine: bool,
    placed: tuple[tuple[Path, Path], ...] = (),
) -> Start:
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
    room = Room(folder, tuple(shown), placed, tuple(hidden), environment)
    command = [python(), "-I", "-B", str(INSIDE / "main.py"), interface.kind, f"{ROOM}/{path}"]
    command += map(str, _libraries())
    return lambda: open_channel(command, room, limits)


def _compiled() -> tuple[Path, list[Path]]:
    """Where compiled games are, and the folder of each. What else lies there is nobody's affair."""
    from plyground.search.binding.code_cache import cached_games, wanted_cache_root

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
