"""The referee's side of students' interfaces: what is asked, and what an answer means.

A student's file is never imported here, nor run. It is read as text to find out which interface
it is written for; then `inside/` runs it, in a process of its own.
"""

from __future__ import annotations

from pathlib import Path

from plyground.classroom.interfaces.breakthrough import BreakthroughInterface
from plyground.classroom.interfaces.derby import DerbyInterface
from plyground.classroom.interfaces.plain import PlainInterface
from plyground.classroom.interfaces.source import top_level_names
from plyground.core.errors import PlygroundError
from plyground.core.game import Game, Options

INSIDE = Path(__file__).parent.parent / "inside"
"""The folder to show to a student's process, and `INSIDE / "main.py"` the program to run there."""

STARTERS = Path(__file__).parent.parent / "starters"
"""Files to start from, one for each kind of interface, by its name."""

StudentInterface = DerbyInterface | BreakthroughInterface | PlainInterface


class NoInterface(PlygroundError):
    """A file defines nothing that could play the game."""


def interfaces_of(game: Game, options: Options | None = None) -> list[StudentInterface]:
    """The interfaces that a game can be played through, a course's own one first."""
    of_courses: list[StudentInterface] = [DerbyInterface(), BreakthroughInterface()]
    if game.is_file:  # it may be called as one of those, and be another
        of_courses = []
    return [
        *(interface for interface in of_courses if interface.game == game.name),
        PlainInterface(options, game),
    ]


def find_interface(
    game: Game, source: str, *, name: str = "player.py", options: Options | None = None
) -> StudentInterface:
    """The interface that a file is written for, or a NoInterface that says what it lacks.

    `name` is the file's, for the sentence; `options` are those of the game's board, if any.
    """
    possible = interfaces_of(game, options)
    for interface in possible:
        if interface.fits(game, source):
            return interface
    wanted = [interface.wanted for interface in possible]
    lacks = f"no {wanted[0]}" if len(wanted) == 1 else f"neither {' nor '.join(wanted)}"
    close = {known.lower() for known in top_level_names(source)}
    hint = "".join(
        f" (names are spelt exactly so: {interface.needs})"
        for interface in possible
        if interface.needs.lower() in close
    )
    raise NoInterface(f"{name} defines {lacks}{hint}")


def keep_compiled() -> None:
    """Compile what runs beside students' files, once, where its folder can be written to.

    Their processes write nothing there, and each would compile it anew: half of its start.
    """
    import compileall

    compileall.compile_dir(INSIDE, quiet=2)


__all__ = [
    "INSIDE",
    "STARTERS",
    "NoInterface",
    "StudentInterface",
    "find_interface",
    "interfaces_of",
    "keep_compiled",
]
