"""The files of a user's own game: what a player in a sandbox must find, and what grades depend on.

A game is one file, but it may import modules that lie beside it (`core/registry.py`). Those are
found in the text; nothing is run. The rest of the folder is nobody's affair: other students' files
may lie there, or the tasks with their answers.
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


@cache  # what was loaded counts for as long as this process lives, whatever becomes of the files
def game_files(game: Game) -> dict[Path, bytes]:
    """The file of a user's own game and the modules beside it that it imports, with their contents;
    nothing for a game of plyground's own."""
    if not game.is_file:
        return {}
    first = Path(game.rules.path)
    found: dict[Path, bytes] = {}
    waiting = [first]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        try:
            found[path] = path.read_bytes()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
        if len(found) > MOST_FILES or sum(map(len, found.values())) > MOST_BYTES:
            problem = f"it imports more than {MOST_FILES} files or {MOST_BYTES >> 20} MiB beside it"
            raise GameFileError(str(first), None, problem)
        waiting += _imported(path, found[path], first.parent)
    return found


def _imported(path: Path, source: bytes, folder: Path) -> Iterator[Path]:
    """The modules in a game's folder that a file of it imports."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return  # what no interpreter can read cannot have been loaded either
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _modules(folder, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = folder
            if node.level:  # so many folders up, the file's own being the first
                base = path.parents[min(node.level, len(path.parents)) - 1]
            if base.is_relative_to(folder):
                for alias in node.names:  # each may be a module, or a name in one
                    yield from _modules(base, f"{node.module or ''}.{alias.name}".strip("."))


def _modules(place: Path, dotted: str) -> Iterator[Path]:
    """The files that importing a name runs, as far as they lie in a place."""
    for part in dotted.split("."):
        if (place / part / "__init__.py").is_file():
            yield place / part / "__init__.py"
        elif (place / f"{part}.py").is_file():
            yield place / f"{part}.py"
            return
        elif not (place / part).is_dir():
            return
        place /= part
