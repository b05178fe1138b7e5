"""The files that a program consists of, as far as its notation names them.

A program that was built anew is another player, though its notation is the same.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from plyground.players.engine_program import split_command
from plyground.players.notation import PlayerSpec

LOG_SUFFIX = ".log"


def command_files(spec: PlayerSpec) -> list[Path]:
    """The executable of a program, and the files among its arguments and the values of its options:
    scripts, nets, books. A log is none of them: it is another one after each game."""
    command = split_command(spec.target)
    found = shutil.which(command[0]) if command else None
    words = [*command[1:], *spec.own_options.values()]
    # An argument may be --net=FILE.
    named = [word for text in words for word in (text, text.partition("=")[2]) if word]
    files = [Path(word) for word in ([found] if found else []) + named]
    return [file for file in files if file.suffix != LOG_SUFFIX and _is_file(file)]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a word that no file can be called
        return False
