"""The games of the web app: the built-in ones and the files given at its start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plyground.core.errors import GameOver, IllegalMove, PlygroundError, UnknownGame
from plyground.core.game import Game, Position
from plyground.core.registry import find_game, game_names
from plyground.web.protocol.models import Place


class Catalogue:
    """Games by name. A user's file has its stem as its name.

    Requests name games of the catalogue, never paths, so no request makes the server run a file
    that its user has not chosen.
    """

    def __init__(self, files: Sequence[str] = ()) -> None:
        self._sources = {name: name for name in game_names()}
        for file in files:
            if not file.endswith(".py"):
                raise PlygroundError(f"{file}: a game of your own is a file that ends in .py")
            name = Path(file).stem
            if name in self._sources:
                raise PlygroundError(
                    f"{file}: there is a game called {name!r} already; rename the file"
                )
            self._sources[name] = str(Path(file).absolute())
            self.find(name)

    @property
    def names(self) -> list[str]:
        """The user's own games first."""
        return sorted(self._sources, key=lambda name: (self._sources[name] == name, name))

    def source(self, name: str) -> str:
        """The argument of `find_game` for a game: its name, or the path of its file."""
        if name not in self._sources:
            raise UnknownGame(f"there is no game {name[:100]!r}; games: {', '.join(self.names)}")
        return self._sources[name]

    def find(self, name: str) -> Game:
        """The game of a name. A file that has changed is read again."""
        return find_game(self.source(name))

    def position(self, place: Place) -> tuple[Position, Position | None, int | None]:
        """The position of a place, with the position before it and the last move, if any."""
        game = self.find(place.game)
        options = dict(place.options or {})
        found = game.start(options) if place.text is None else game.position(place.text, options)
        before, last = None, None
        for number, text in enumerate(place.moves or (), 1):
            try:
                last = found.parse_move(text)
                before, found = found, found.play(last)
            except (IllegalMove, GameOver) as error:
                raise type(error)(f"move {number}: {error}") from None
        return found, before, last
