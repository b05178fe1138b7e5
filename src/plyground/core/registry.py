"""Finding a game: by its name among the built-in ones or OpenSpiel's, or by the path of a file.

A folder under `plyground/games` that holds a `game.py` is a game: there is no other registration.
"""

from __future__ import annotations

import copyreg
import difflib
import importlib
import importlib.util
import sys
import zlib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from plyground.core.errors import GameFileError, UnknownGame, line_within
from plyground.core.game import Game

GAMES_FOLDER = Path(__file__).parent.parent / "games"
SPIEL_PREFIX = "spiel:"
SPIEL_MODULE = "plyground.spiel.imported_game"
"""What loads the games of OpenSpiel."""
MAX_SOURCE_BYTES = 1 << 20
"""A game is a short file: a megabyte of source is the wrong file."""

USER_MODULE = "plyground_user_"
"""How the names of the modules begin that users' files are loaded as."""


def game_names() -> list[str]:
    """The names of the built-in games."""
    return sorted(found.parent.name for found in GAMES_FOLDER.glob("*/game.py"))


def find_game(name_or_path: str) -> Game:
    """A built-in game by name, the game in a `.py` file, or OpenSpiel's as `spiel:NAME`."""
    if name_or_path.endswith(".py"):
        return _game_in_file(Path(name_or_path).absolute(), name_or_path)
    if name_or_path.startswith(SPIEL_PREFIX):
        return _openspiel_game(name_or_path)
    if name_or_path not in game_names():
        close = difflib.get_close_matches(name_or_path, game_names(), n=1)
        if Path(f"{name_or_path}.py").is_file():
            close = [f"{name_or_path}.py"]
        hint = f"did you mean {close[0]!r}?" if close else "games: " + ", ".join(game_names())
        raise UnknownGame(
            f"there is no game {name_or_path!r}; {hint} (a file of your own ends in .py)"
        )
    return _built_in(name_or_path)


def _openspiel_game(name: str) -> Game:
    """Found by the name of its module, as the built-in games are: nothing here depends on it."""
    game: Game = importlib.import_module(SPIEL_MODULE).find_spiel_game(name)
    return game


@cache
def _built_in(name: str) -> Game:
    return Game(importlib.import_module(f"plyground.games.{name}.game"), name)


def _pickled(game: Game) -> tuple[Any, ...]:
    """A game is pickled as the way to it: its name, its file, or the `replace` that made it."""
    if game.made_by is not None:
        return game.made_by, ()
    return find_game, (game.rules.path if game.is_file else game.name,)


copyreg.pickle(Game, _pickled)

_files: dict[Path, tuple[bytes, Game]] = {}


def _game_in_file(path: Path, shown: str) -> Game:
    """Load a user's file, and load it again only when it has changed."""
    source = read_game_file(path, shown)
    if path not in _files or _files[path][0] != source:
        _files[path] = source, load_game_file(path, source)
    return _files[path][1]


def read_game_file(path: Path, shown: str) -> bytes:
    """The source of a user's game. Errors name the file as it is `shown`."""
    try:
        size = path.stat().st_size
        source = path.read_bytes() if size <= MAX_SOURCE_BYTES else b""
    except OSError as error:
        raise UnknownGame(f"cannot read {shown}: {error.strerror}") from None
    if size > MAX_SOURCE_BYTES:
        raise GameFileError(shown, None, f"{size} bytes is too long for a game of one file")
    return source


def load_game_file(path: Path, source: bytes) -> Game:
    """The game of a source, which was read from this file."""
    return Game(_load(path, source), path.stem)


def _load(path: Path, source: bytes) -> ModuleType:
    """Run the file as a module of its own name, so that it may import its neighbours."""
    name = f"{USER_MODULE}{path.stem}_{zlib.crc32(str(path).encode()):08x}"
    try:
        code = compile(source, str(path), "exec")
    except SyntaxError as error:
        raise GameFileError(str(path), error.lineno, f"syntax error: {error.msg}") from None
    except (ValueError, UnicodeError) as error:
        raise GameFileError(str(path), None, f"not Python source: {error}") from None
    module = ModuleType(name)
    module.__file__ = str(path)
    module.__spec__ = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = module  # so that annotations can be resolved
    sys.path.insert(0, str(path.parent))
    try:
        exec(code, module.__dict__)
    except Exception as error:
        raise GameFileError(
            str(path), line_within(str(path), error), f"{type(error).__name__}: {error}"
        ) from error
    finally:
        sys.path.remove(str(path.parent))
    return module
