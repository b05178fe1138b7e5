"""The games of the web app: the built-in ones and the files given at its start."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from weakref import WeakSet

from plyground.core.errors import GameOver, IllegalMove, PlygroundError, UnknownGame
from plyground.core.game import Game, Options, Position
from plyground.core.registry import find_game, game_names, read_game_file
from plyground.web.protocol.models import Place
from plyground.web.user_games.remote_game import RemoteGame


class Catalogue:
    """Games by name. A user's file has its stem as its name.

    Requests name games of the catalogue, never paths, so no request makes the server run a file
    that its user has not chosen. The code of a user's file runs in processes of its own.
    """

    def __init__(self, files: Sequence[str] = ()) -> None:
        self._built_in = game_names()
        self._files: dict[str, GameFile] = {}
        for file in files:
            if not file.endswith(".py"):
                raise PlygroundError(f"{file}: a game of your own is a file that ends in .py")
            name = Path(file).stem
            if name in self.names:
                raise PlygroundError(
                    f"{file}: there is a game called {name!r} already; rename the file"
                )
            self._files[name] = GameFile(Path(file).absolute())
            self.find(name)

    @property
    def names(self) -> list[str]:
        """The user's own games first."""
        return [*sorted(self._files), *self._built_in]

    def source(self, name: str) -> str:
        """The argument of `find_game` for a game: its name, or the path of its file."""
        if name not in self.names:
            raise UnknownGame(f"there is no game {name[:100]!r}; games: {', '.join(self.names)}")
        return str(self._files[name].path) if name in self._files else name

    def find(self, name: str) -> Game:
        """The game of a name. A file that has changed is read again."""
        source = self.source(name)
        return self._files[name].game() if name in self._files else find_game(source)

    @property
    def games(self) -> list[Game]:
        """Every game. A file that cannot be loaded any more is listed as it was."""
        return [
            self._files[name].last_version() if name in self._files else find_game(name)
            for name in self.names
        ]

    def positions(self, place: Place) -> list[Position]:
        """Every position of a place, from its start on."""
        first = first_position(self.find(place.game), place.options or {}, place.text)
        return play_moves([first], place.moves or ())

    def close(self) -> None:
        """End the processes of the users' games. What they are asked from now on fails."""
        for file in self._files.values():
            file.close()


class GameFile:
    """A user's file, and its game in the version that was loaded last."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._game: RemoteGame | None = None
        self._versions: WeakSet[RemoteGame] = WeakSet()
        self._failed: tuple[bytes, int] | None = None
        """The source that could not be loaded, and when it was written."""
        self._error = ""

    def game(self) -> RemoteGame:
        """The game as the file is now. A source that cannot be loaded is tried once."""
        source = read_game_file(self.path, str(self.path))
        with self._lock:
            if self._game is None or self._game.source != source:
                self._load(source)
            assert self._game is not None
            return self._game

    def _load(self, source: bytes) -> None:
        version = source, self.path.stat().st_mtime_ns
        if version == self._failed:
            raise PlygroundError(self._error)
        try:
            self._game = RemoteGame(self.path, source)
        except PlygroundError as error:
            self._failed, self._error = version, str(error)
            raise
        self._versions.add(self._game)

    def last_version(self) -> RemoteGame:
        """The game as the file is now, or as it was when it could last be loaded."""
        try:
            return self.game()
        except PlygroundError:
            assert self._game is not None, "the catalogue has loaded it at the start"
            return self._game

    def close(self) -> None:
        for game in list(self._versions):
            game.processes.close()


def first_position(game: Game, options: Options, text: str | None) -> Position:
    """The position that a text describes; without one, the start of the game."""
    return game.start(options) if text is None else game.position(text, options)


def play_moves(positions: list[Position], moves: Sequence[str]) -> list[Position]:
    """The positions of a game, and those after further moves. An error tells the move's number."""
    positions = list(positions)
    for move in moves:
        try:
            positions.append(positions[-1].play(move))
        except (IllegalMove, GameOver) as error:
            raise type(error)(f"move {len(positions)}: {error}") from None
    return positions
