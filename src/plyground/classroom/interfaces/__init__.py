"""The referee's side of students' interfaces: questions to a player, and the meaning of answers.

A student's file is never imported or run here. Its text shows which interface it is written for;
then `inside/` runs it in another process.
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
"""The folder to show to a student's process, which runs `INSIDE / "main.py"`."""

STARTERS = Path(__file__).parent.parent / "starters"
"""Files to start from, one for each kind of interface, by its name."""

StudentInterface = DerbyInterface | BreakthroughInterface | PlainInterface


class NoInterface(PlygroundError):
    """A file defines nothing that could play the game."""


def interfaces_of(game: Game, options: Options | None = None) -> list[StudentInterface]:
    """The interfaces that a game can be played through, a course's own one first."""
    of_courses: list[StudentInterface] = [DerbyInterface(), BreakthroughInterface()]
    if game.is_file:  # it may have the name of a built-in game
        of_courses = []
    return [
        *(interface for interface in of_courses if interface.game == game.name),
        PlainInterface(options, game),
    ]


def find_interface(
    game: Game, source: str, *, name: str = "player.py", options: Options | None = None
) -> StudentInterface:
    """The interface that a file is written for. Raises NoInterface with what the file lacks.

    `name` is the file's; `options` are those of the game's board, if any.
    """
    possible, names = interfaces_of(game, options), top_level_names(source)
    for interface in possible:
        if interface.needs in names:
            return interface
    wanted = [interface.wanted for interface in possible]
    lacks = f"no {wanted[0]}" if len(wanted) == 1 else f"neither {' nor '.join(wanted)}"
    close = {known.lower() for known in names}
    hint = "".join(
        f" (names are spelt exactly so: {interface.needs})"
        for interface in possible
        if interface.needs.lower() in close
    )
    raise NoInterface(f"{name} defines {lacks}{hint}")


def keep_compiled() -> None:
    """Compile the files of `inside/` to byte code, if the folder can be written to.

    Students' processes cannot write there; each would compile the files again, which takes half of
    its start.
    """
    import compileall

    compileall.compile_dir(INSIDE, quiet=2)
