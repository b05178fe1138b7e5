"""The files of a user's own game: what another process or machine needs, and what grades depend on.

A game is one file, which may import modules beside it (`core/registry.py`). They are found in the
text; nothing is run. Other files of the folder do not belong to it: they may be students' files, or
the tasks with their answers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from plyground.core.errors import FileError, GameFileError
from plyground.core.game import Game

MOST_FILES = 100
MOST_BYTES = 16 << 20


@cache  # the game itself is loaded once per process, too
def game_files(game: Game) -> dict[Path, bytes]:
    """The file of a user's own game and the modules beside it that it imports, with their contents;
    empty for a built-in game."""
    if not game.is_file:
        return {}
    first = Path(game.rules.path)
    found: dict[Path, bytes] = {}
    pending = [first]
    while pending:
        path = pending.pop()
        if path in found:
            continue
        try:
            found[path] = path.read_bytes()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
        if len(found) > MOST_FILES or sum(map(len, found.values())) > MOST_BYTES:
            problem = f"it imports more than {MOST_FILES} files or {MOST_BYTES >> 20} MiB beside it"
            raise GameFileError(str(first), None, problem)
        pending += _imported(path, found[path], first.parent)
    return found


def _imported(path: Path, source: bytes, folder: Path) -> Iterator[Path]:
    """The modules in a game's folder that a file of it imports."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return  # such a file cannot have been loaded
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _modules(folder, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = folder
            if node.level:  # relative: 1 is the folder of the file
                base = path.parents[min(node.level, len(path.parents)) - 1]
            if base.is_relative_to(folder):
                for alias in node.names:  # each may be a module, or a name in one
                    yield from _modules(base, f"{node.module or ''}.{alias.name}".strip("."))


def _modules(place: Path, dotted: str) -> Iterator[Path]:
    """The files in a folder that importing a name runs."""
    for part in dotted.split("."):
        if (place / part / "__init__.py").is_file():
            yield place / part / "__init__.py"
        elif (place / f"{part}.py").is_file():
            yield place / f"{part}.py"
            return
        elif not (place / part).is_dir():
            return
        place /= part
