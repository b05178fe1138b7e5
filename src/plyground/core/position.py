"""A position: a board and a state of one game, immutable, with every question people ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from plyground.core.contract import Function
from plyground.core.errors import GameFileError, GameOver, IllegalMove
from plyground.core.outcome import Outcome
from plyground.core.svg import cells_of

if TYPE_CHECKING:
    from plyground.core.game import Game


MAX_PAST = 200
"""How many earlier states a position remembers, in games where they can come back."""


class Position:
    """A board and a state. Playing a move gives a new position; nothing ever changes this one."""

    def __init__(self, game: Game, board: Any, state: Any, past: tuple[Any, ...] = ()) -> None:
        self._game = game
        self._board = board
        self._state = state
        self._past = past

    @property
    def game(self) -> Game:
        return self._game

    @property
    def board(self) -> Any:
        return self._board

    @property
    def state(self) -> Any:
        return self._state

    @property
    def past(self) -> tuple[Any, ...]:
        """The latest states before this one in the game that was played up to here, the last one
        last. Kept in games where positions can come back; part of no comparison."""
        return self._past

    # The rules, uncompiled

    @cached_property
    def is_over(self) -> bool:
        return bool(self._ask(self._game.rules.over))

    @cached_property
    def turn(self) -> int:
        """0 or 1: who moves. Of no meaning once the game is over."""
        turn = self._number(self._game.rules.turn)
        if turn not in (0, 1):
            raise GameFileError(
                self._game.rules.path, None, f"it is player {turn}'s turn: there are only 0 and 1"
            )
        return turn

    @cached_property
    def legal_moves(self) -> tuple[int, ...]:
        """The legal moves in the order in which the rules list them; none once the game is over."""
        if self.is_over:
            return ()
        legal: tuple[int, ...] = self._game.call(
            self._game.rules.legal_moves, self._board, self._state
        )
        if not legal:
            rules = self._game.rules
            raise GameFileError(
                rules.path,
                None,
                f"moves() lists no move, but over() says that the game goes on: {self.text}",
            )
        return legal

    def play(self, move: int | str) -> Position:
        """The position after a legal move, given as its number or as people write it."""
        if self.is_over:
            raise GameOver(f"the game is over ({self.outcome.reason}): no move can be played")
        if isinstance(move, str):
            move = self.parse_move(move)
        elif move not in self.legal_moves:
            raise IllegalMove(f"move number {move} is not legal here")
        child = self.after(move)
        if self._game.rules.repeats:
            child._past = (*self._past, self._state)[-MAX_PAST:]
        return child

    def after(self, move: int) -> Position:
        """Like `play`, for searches: the caller knows that the move is legal, and needs no past."""
        return Position(self._game, self._board, self._ask(self._game.rules.play, move))

    def children(self) -> Iterator[tuple[int, Position]]:
        """Every legal move with the position it leads to."""
        return ((move, self.after(move)) for move in self.legal_moves)

    @cached_property
    def utility(self) -> int:
        """The first player's utility. Only a finished game has one."""
        return self._number(self._game.rules.utility)

    @cached_property
    def evaluation(self) -> int:
        """The game's own estimate of the first player's prospects."""
        return self._number(self._game.rules.evaluate)

    @cached_property
    def score(self) -> int:
        """The margin so far: first player's points minus second's. Not every game keeps one."""
        return self._game.score(self._board, self._state)

    @cached_property
    def key(self) -> int:
        """The hash word under which tables know this position."""
        return self._number(self._game.rules.key)

    def is_noisy(self, move: int) -> bool:
        return bool(self._ask(self._game.rules.noisy, move))

    @cached_property
    def outcome(self) -> Outcome:
        """How the game ended; a game that goes on has no outcome yet."""
        if not self.is_over:
            raise GameOver("the game is not over: it has no outcome yet")
        return self._game.outcome(self._board, self._state)

    def _number(self, function: Function) -> int:
        return self._game.number(function, self._board, self._state)

    def _ask(self, function: Function, *arguments: Any) -> Any:
        return self._game.call(function, self._board, self._state, *arguments)

    # What people read

    @cached_property
    def text(self) -> str:
        """The position in the game's own notation; `game.position(text)` reads it back."""
        return self._game.position_text(self._board, self._state)

    @cached_property
    def picture(self) -> str:
        """The position as a drawing in characters, for a terminal."""
        return self._game.picture(self._board, self._state)

    def svg(self) -> str:
        """The position as an SVG picture."""
        return self._svg

    @cached_property
    def _svg(self) -> str:
        return self._game.svg(self._board, self._state)

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The names of the cells that can be touched in the SVG picture."""
        return cells_of(self.svg())

    def _repr_svg_(self) -> str:
        return self.svg()

    def move_text(self, move: int) -> str:
        return self._game.move_text(self._board, self._state, move)

    def touches(self, move: int) -> tuple[str, ...]:
        """The cells of the picture that a person touches for a move, in order."""
        return self._game.touches(self._board, self._state, move, self.cells)

    def move_key(self, move: int) -> str:
        """The key that plays a move at once, or an empty text."""
        return self._game.move_key(self._board, self._state, move)

    @property
    def idle(self) -> int:
        """The move of a player who does nothing in time, in a game that can be played live."""
        if self.is_over:
            raise GameOver(f"the game is over ({self.outcome.reason}): no move can be played")
        return self._game.idle(self._board, self._state)

    def parse_move(self, text: str) -> int:
        """The legal move that a text names."""
        if self.is_over:
            raise GameOver(f"the game is over ({self.outcome.reason}): no move can be played")
        return self._game.parse_move(self._board, self._state, text)

    def line_text(self, line: tuple[int, ...]) -> tuple[str, ...]:
        """The moves of a line of play from here, as people write them."""
        position, names = self, []
        for move in line:
            names.append(position.move_text(move))
            position = position.after(move)
        return tuple(names)

    # A position is a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self._game is other._game
            and self._state == other._state
            and same_board(self._board, other._board)
        )

    def __hash__(self) -> int:
        return hash((self._game.name, self._state))

    def __repr__(self) -> str:
        return f"<{self._game.name}: {self.text}>"


def same_board(board: Any, other: Any) -> bool:
    """Whether two boards of one game are equal, arrays and all."""
    return board is other or all(map(_same_field, board, other))


def _same_field(value: Any, other: Any) -> bool:
    if not hasattr(value, "dtype"):
        return bool(value == other)
    import numpy as np

    return bool(np.array_equal(value, other))
