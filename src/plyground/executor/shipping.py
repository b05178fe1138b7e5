"""Pickles for another machine: a game in a user's file takes the file along.

In a pickle for this machine, such a game is the path of its file (`core/registry.py`). Here it is
the text of the file and of its neighbours that it imports. The other machine writes them to a
folder whose name depends on nothing but their contents, so that the game is compiled there once.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import tempfile
from operator import attrgetter
from pathlib import Path
from types import FunctionType
from typing import Any

from plyground.core.errors import FileError
from plyground.core.files import write_atomically
from plyground.core.game import Game
from plyground.core.game_files import game_files
from plyground.core.registry import USER_MODULE, find_game

DIGEST_LENGTH = 16


def pickle_for_others(value: Any) -> bytes:
    """A pickle that another machine can read; `pickle.loads` reads it."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Game) and value.is_file and value.made_by is None:
            first = Path(value.rules.path)
            files = {
                path.relative_to(first.parent).as_posix(): content
                for path, content in sorted(game_files(value).items())
            }
            return shipped_game, (first.name, files)
        if isinstance(value, (type, FunctionType)) and value.__module__.startswith(USER_MODULE):
            # Its module has another name there, because it has the path of the file in it.
            path = sys.modules[value.__module__].__file__
            return _member, (find_game(str(path)), value.__qualname__)
        return NotImplemented


def _member(game: Game, name: str) -> Any:
    """A class or function of a game's module."""
    return attrgetter(name)(game.module)


def shipped_game(name: str, files: dict[str, bytes]) -> Game:
    """Write the files of a game, and load it."""
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:DIGEST_LENGTH]
    folder = _private_folder() / digest
    for path, content in files.items():
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_file() and target.read_bytes() == content:
                continue
        except OSError as error:
            raise FileError(f"{target}: {error.strerror}") from None
        write_atomically(target, content)
    return find_game(str(folder / name))


def _private_folder() -> Path:
    """A folder of this user, which others cannot write to."""
    owner = str(os.getuid()) if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"plyground-shipped-{owner}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from None
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise FileError(f"{folder}: others can write to this folder; remove it")
    return folder
