"""The notation of Fairy-Stockfish, for the games that it knows as variants of chess.

It plays them by UCI. Its variant `breakthrough` has 8 x 8 cells; smaller boards and Connect Four
are in its file variants.ini. The pieces of both sides are pawns, `P` and `p`; White is the first
player. Of the numbers at the end of a position (FEN) only the side to move has a meaning here.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.errors import FormatError, IllegalMove
from plyground.core.game import Game, Position

PAWNS, SIDES = "Pp", "wb"


@dataclass(frozen=True)
class Variant:
    """A variant of Fairy-Stockfish and the board of a game that it is."""

    name: str
    game: str
    rows: int
    columns: int
    marks: str
    """The letters of both sides in the game's own notation, as pieces and as the side to move."""
    drops: bool = False
    """Whether a move drops a piece; each side has a supply for its half of the board."""

    def is_board_of(self, position: Position) -> bool:
        if not _is_built_in(position.game, self.game):
            return False
        return (position.board.rows, position.board.columns) == (self.rows, self.columns)


VARIANTS = (
    Variant("breakthrough5", "breakthrough", 5, 5, "wb"),
    Variant("breakthrough6", "breakthrough", 6, 6, "wb"),
    Variant("breakthrough7", "breakthrough", 7, 7, "wb"),
    Variant("breakthrough", "breakthrough", 8, 8, "wb"),
    Variant("cfour", "connectfour", 6, 7, "ry", drops=True),
)


def variants_of(game: Game) -> tuple[Variant, ...]:
    """The variants that are boards of a game; none for a user's own file."""
    return tuple(variant for variant in VARIANTS if _is_built_in(game, variant.game))


def variant_of(position: Position) -> Variant:
    """The variant whose board a position has. Raises FormatError if there is none."""
    for variant in VARIANTS:
        if variant.is_board_of(position):
            return variant
    game = position.game
    sizes = ", ".join(f"{one.columns} x {one.rows}" for one in variants_of(game))
    raise FormatError(
        f"UCI has no variant for this board of {game.name}: it has {sizes} cells"
        if sizes
        else f"UCI is for breakthrough and connectfour, not for {game.name}: use UGI"
    )


class VariantNotation:
    """Positions as FEN, moves as UCI has them."""

    def __init__(self, game: Game, variant: Variant) -> None:
        self._game, self._variant = game, variant

    def start(self) -> Position:
        return self._game.start({"rows": self._variant.rows, "columns": self._variant.columns})

    def write_position(self, position: Position) -> str:
        marks = self._variant.marks
        rows, turn = position.text.split()
        board = rows.translate(str.maketrans(marks, PAWNS))
        if self._variant.drops:
            half = self._variant.rows * self._variant.columns // 2
            board += f"[{''.join(mark * (half - board.count(mark)) for mark in PAWNS)}]"
        return f"{board} {SIDES[marks.index(turn)]} - - 0 1"

    def read_position(self, text: str) -> Position:
        words = text.split()
        rows = words[0].partition("[")[0] if words else ""
        if len(words) < 2 or words[1] not in tuple(SIDES) or set(rows) & set(self._variant.marks):
            example = self.write_position(self.start())
            raise FormatError(f"a position of {self._variant.name} is written like {example!r}")
        marks = self._variant.marks
        turn = marks[SIDES.index(words[1])]
        position = self._game.position(f"{rows.translate(str.maketrans(PAWNS, marks))} {turn}")
        if not self._variant.is_board_of(position):
            size = f"{self._variant.columns} x {self._variant.rows}"
            raise FormatError(f"{self._variant.name} has a board of {size} cells, not {rows!r}")
        return position

    def write_move(self, position: Position, move: int) -> str:
        if self._variant.drops:
            return f"{PAWNS[0]}@{position.touches(move)[0]}"
        return position.move_text(move).replace("x", "")

    def read_move(self, position: Position, token: str) -> int:
        for move in position.legal_moves:
            if self.write_move(position, move) == token:
                return move
        raise IllegalMove(f"{token!r} is not a legal move of {self._variant.name} here")


def _is_built_in(game: Game, name: str) -> bool:
    return game.name == name and not game.is_file
