"""How a protocol writes positions and moves: as single tokens, in the game's own notation.

`GameNotation` serves every game. `protocol/fairy_stockfish.py` has the notation of another program
for some of them.
"""

from __future__ import annotations

from typing import Protocol

from plyground.core.game import Game, Options, Position
from plyground.protocol.tokens import from_token, to_token


class Notation(Protocol):
    """Writes and reads the positions and moves of one game."""

    def start(self) -> Position:
        """What `startpos` stands for."""

    def write_position(self, position: Position) -> str:
        """A position in words. `read_position` reads them back."""

    def read_position(self, text: str) -> Position:
        """Raises FormatError for what is no position."""

    def write_move(self, position: Position, move: int) -> str:
        """A legal move as one token."""

    def read_move(self, position: Position, token: str) -> int:
        """The legal move that a token names. Raises IllegalMove, or FormatError for no token."""


class GameNotation:
    """The game's own texts as tokens (`protocol/tokens.py`)."""

    def __init__(self, game: Game, options: Options | None = None) -> None:
        """The options are those of the board on which the game starts."""
        self._game, self._options = game, dict(options or {})

    def start(self) -> Position:
        return self._game.start(self._options)

    def write_position(self, position: Position) -> str:
        return to_token(position.text)

    def read_position(self, text: str) -> Position:
        """A token, or the text itself if it has spaces."""
        known = self._game.position_options
        options = {name: value for name, value in self._options.items() if name in known}
        return self._game.position(from_token(text), options)

    def write_move(self, position: Position, move: int) -> str:
        return to_token(position.move_text(move))

    def read_move(self, position: Position, token: str) -> int:
        text = from_token(token)
        exact = [move for move in position.legal_moves if position.move_text(move) == text]
        return exact[0] if len(exact) == 1 else position.parse_move(text)
