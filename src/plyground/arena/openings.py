"""Openings: the positions from which the pairs of a match start.

Both games of a pair start from the same opening with sides swapped, so that an opening which
favours a side favours both players once. The same seed gives the same openings on every machine.
"""

from __future__ import annotations

import contextlib
import random
from dataclasses import dataclass
from typing import Literal

from plyground.core.errors import FormatError, GameFileError, LimitError
from plyground.core.game import Game, Position
from plyground.core.values import DECIDED

OpeningKind = Literal["random", "boards", "generator", "positions"]

DEFAULT_PLIES = 4
MOST_PLIES = 200
TRIES = 50
"""How often a random opening is drawn again because the game ended in it."""
CANDIDATES = 8
"""A balanced opening is the most even of so many."""
BALANCE_NODES = 2000
"""Nodes of the search that tells how even an opening is: the same answer on every machine."""
MOST_COUNTED = 1000
"""Random openings are counted no further: of so many, few come again in a match."""
FINISHED = "the game is over where it starts: nothing can be played"
LARGEST_SEED = (1 << 31) - 1
"""Fits the seed of every game's generator."""


@dataclass(frozen=True)
class Opening:
    """A position as the way to it."""

    options: tuple[tuple[str, str], ...] = ()
    start: str | None = None
    """The text of a position; None for the game's start with these options."""
    moves: tuple[str, ...] = ()

    def position(self, game: Game) -> Position:
        options = dict(self.options)
        if self.start is None:
            position = game.start(options)
        else:
            # Options that made the board go with a text only if the text does not tell the board.
            taken = options.keys() & game.position_options.keys()
            position = game.position(self.start, {name: options[name] for name in taken})
        for move in self.moves:
            position = position.play(move)
        return position


@dataclass(frozen=True)
class Openings:
    """Where the openings of a match come from."""

    kind: OpeningKind = "random"
    plies: int = DEFAULT_PLIES
    """Random moves after the start, of kind "random"."""
    balanced: bool = False
    positions: tuple[str, ...] = ()
    """Texts of positions, of kind "positions"; used in turn."""
    seed: int = 0
    options: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """In words, for reports."""
        if self.kind == "random":
            return f"{self.plies} random plies" + (", balanced" if self.balanced else "")
        if self.kind == "positions":
            return f"{len(self.positions)} positions of a file"
        return {"boards": "built-in boards", "generator": "random boards"}[self.kind]

    def check(self, game: Game) -> None:
        """Raise an error if this game has no such openings."""
        if not 0 <= self.plies <= MOST_PLIES:
            raise LimitError(f"{self.plies} random plies: an opening has from 0 to {MOST_PLIES}")
        if not 0 <= self.seed <= LARGEST_SEED:
            raise LimitError(f"seed {self.seed}: it is from 0 to {LARGEST_SEED}")
        if self.kind == "boards" and not built_in_boards(game):
            raise LimitError(f"{game.name} has no built-in boards; --openings random, or a file")
        if self.kind == "generator" and not {"board", "seed"} <= game.options.keys():
            raise LimitError(f"{game.name} has no random boards; --openings random, or a file")
        if self.kind == "positions" and not self.positions:
            raise LimitError("the file of openings has no position in it")
        for number, _ in enumerate(self._in_turn(game) or ("drawn",)):
            if self.opening(game, number).position(game).is_over:
                which = f"opening {number + 1}: " if number else ""
                raise LimitError(which + FINISHED)

    def _in_turn(self, game: Game) -> tuple[str, ...]:
        """The boards or positions that are used in turn; none where openings are drawn."""
        if self.kind == "positions":
            return self.positions
        return built_in_boards(game) if self.kind == "boards" else ()

    def count_different(self, game: Game, pairs: int) -> int:
        """How many different openings so many pairs have at most; `pairs` if there are enough."""
        if self.kind == "positions":
            starts = (
                self.opening(game, number) for number in range(min(pairs, len(self.positions)))
            )
            return len({start.position(game).text for start in starts})
        if self.kind == "boards":
            return min(pairs, len(built_in_boards(game)))
        if self.kind == "generator":
            return pairs
        with contextlib.suppress(GameFileError):  # told by the games that meet it, if any does
            return self._count_random(game, pairs)
        return pairs

    def _count_random(self, game: Game, pairs: int) -> int:
        enough = min(pairs, MOST_COUNTED)
        level = {"": game.start(dict(self.options))}
        for _ in range(self.plies):
            children = (child for position in level.values() for _, child in position.children())
            found: dict[str, Position] = {}
            for child in children:
                if not child.is_over:
                    found[child.text] = child
                if len(found) == enough:
                    return pairs
            level = found or level
        return len(level)

    def opening(self, game: Game, number: int) -> Opening:
        """The opening of a pair."""
        if self.kind == "positions":
            return Opening(self.options, self.positions[number % len(self.positions)])
        options = dict(self.options)
        if self.kind == "boards":
            boards = built_in_boards(game)
            options["board"] = boards[number % len(boards)]
        elif self.kind == "generator":
            generated = random.Random(f"{self.seed} {number} board").randint(0, LARGEST_SEED)
            options |= {"board": "random", "seed": str(generated)}
        first = Opening(tuple(options.items()))
        plies = self.plies if self.kind == "random" else 0
        if not plies:
            return first
        start = first.position(game)
        draws = [
            _draw(start, plies, random.Random(f"{self.seed} {number} {candidate}"))
            for candidate in range(CANDIDATES if self.balanced else 1)
        ]
        moves, _ = draws[0] if len(draws) == 1 else min(draws, key=lambda draw: imbalance(draw[1]))
        return Opening(first.options, None, moves)


def built_in_boards(game: Game) -> tuple[str, ...]:
    """The boards that a game offers by name."""
    return tuple(name for name in game.choices.get("board", ()) if name != "random")


def _draw(
    start: Position, plies: int, generator: random.Random
) -> tuple[tuple[str, ...], Position]:
    """Random moves, and where they lead. In a short game there are fewer than asked for, but where
    the game is not over at the start there is always a way: no move at all."""
    if start.is_over:
        raise LimitError(FINISHED)
    while True:
        for _ in range(TRIES):
            position = start
            moves: list[str] = []
            while len(moves) < plies and not position.is_over:
                move = generator.choice(position.legal_moves)
                moves.append(position.move_text(move))
                position = position.play(move)
            if not position.is_over:
                return tuple(moves), position
        plies -= 1


def imbalance(position: Position) -> int:
    """How far from even a short search finds a position. A decided one is the farthest."""
    from plyground.search.result import Limits
    from plyground.search.searcher import Algorithm, SearcherSettings, make_searcher

    searcher = make_searcher(
        Algorithm.ENGINE, position.game, SearcherSettings(memory=1, evaluation="own")
    )
    value = abs(searcher.search(position, Limits(nodes=BALANCE_NODES)).value)
    return min(value, DECIDED)


def read_positions(game: Game, text: str, source: str) -> tuple[str, ...]:
    """The positions in a file: one a line, or with empty lines between them. Each is checked."""
    found: list[str] = []
    line = 1
    for block in text.replace("\r\n", "\n").split("\n\n"):
        found += _read_block(game, block, source, line)
        line += block.count("\n") + 2
    return tuple(found)


def _read_block(game: Game, block: str, source: str, first: int) -> list[str]:
    """The positions in the lines from number `first` to an empty one: a single one if they are
    one, otherwise one a line."""
    lines = [(number, line) for number, line in enumerate(block.split("\n"), first) if line.strip()]
    if len(lines) > 1:
        whole = block.strip("\n")
        with contextlib.suppress(FormatError):
            game.position(whole)
            lines = [(lines[0][0], whole)]
    for number, text in lines:
        try:
            is_over = game.position(text).is_over
        except FormatError as error:
            raise FormatError(error.problem, source=source, line=number) from None
        if is_over:
            raise FormatError(FINISHED, source=source, line=number)
    return [text for _, text in lines]
