"""`plyground new`: a game of your own to start from, which already plays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.output import write_new

EXAMPLES = ("plyground new my_game.py", "plyground new games/hexes.py")

TEMPLATE = Path(__file__).with_name("new_game_template.py")
NAME = "my_game.py"
"""What the template calls its file."""


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it: NAME.py.")],
) -> None:
    """Write a game to start from, which already plays.

    It is a short file with comments that explain what each function promises. No file that is there
    already is written over.
    """
    text = TEMPLATE.read_text(encoding="utf-8")
    write_new(file, text.replace(NAME, file.name), "game")
    print(f"wrote {file}: a game that already plays; its comments say what to change")
    print(f"next: plyground play {file}, and plyground check {file} after every change")
