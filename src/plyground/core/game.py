"""A game: its rules, and all that people see of it (names, texts, pictures, files).

Everything is read from one module. The rules are the contract's (`core/contract.py`); the rest is
ordinary Python, never compiled, and optional:

    TITLE = "Breakthrough"                     default: the module's name
    SUMMARY = "First pawn across wins."        one line for lists; default: the module's docstring
    PLAYERS = ("White", "Black")               default: "First" and "Second"

    new_board(rows=6, columns=6) -> Board      its parameters are the options of the game
    CHOICES = {"stuck": ("either", "mover")}   what may be chosen for options that are words
    move_text(board, state, move) -> str       default: the number itself
    parse_move(board, state, text) -> int      default: the legal move whose text it is
    position_text(board, state) -> str         default: every field of the state, name=value
    parse_position(text) -> (board, state)     must accept what position_text writes; parameters
                                               after the text are options that may go with it
    picture(board, state) -> str               for a terminal; default: the position's text
    svg(board, state) -> str                   for a page; default: the picture as text
    touches(board, state, move) -> (str, ...)  the cells of the SVG (`core/svg.py`) that a person
                                               touches to make the move, in order, such as from and
                                               to; default: the cells that the move's text names
    move_key(board, state, move) -> str        a key that plays the move at once, by its name in a
                                               browser: "ArrowLeft", " "; default: none
    idle(board, state) -> int                  the move of a player who does nothing in time; a game
                                               that has it can be played live
    ending(board, state) -> str                why a finished game is over, in words
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Mapping
from functools import cached_property
from numbers import Integral
from types import ModuleType
from typing import Any

from plyground.core.contract import Field, Function, NoBoard, Rules, line_of, read_rules
from plyground.core.errors import (
    FormatError,
    GameFileError,
    IllegalMove,
    NoScore,
    NotLive,
    PlygroundError,
    line_within,
)
from plyground.core.outcome import Ending, Outcome
from plyground.core.position import Position
from plyground.core.svg import cells_of, text_svg

Option = int | str | bool
Options = Mapping[str, Option]

CELL_NAME = re.compile("[a-z]+[0-9]+")
"""What the name of a cell looks like in the text of a move, unless the game says it itself."""


class Game:
    """One game, as read from its module. Games compare by identity; the registry keeps one each."""

    def __init__(self, module: ModuleType, name: str) -> None:
        self.name = name
        self.module = module
        self.rules: Rules = read_rules(module, name)
        self.title = str(getattr(module, "TITLE", name))
        summary = str(getattr(module, "SUMMARY", None) or module.__doc__ or "").strip()
        self.summary = summary.splitlines()[0] if summary else ""
        self.players = self._read_players()
        self.choices = self._read_choices()

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from plyground.core.registry import find_game

        return find_game, (self.rules.path if self.is_file else self.name,)

    @property
    def is_file(self) -> bool:
        """Whether this is a user's own file and not one of the built-in games."""
        return not self.module.__name__.startswith("plyground.games.")

    @property
    def is_live(self) -> bool:
        """Whether it can be played live: who does nothing in time makes the idle move."""
        return hasattr(self.module, "idle")

    # Boards and positions

    @cached_property
    def options(self) -> dict[str, inspect.Parameter]:
        """The options of `new_board`, by name; each has a default, which tells its type."""
        make = getattr(self.module, "new_board", None)
        return {} if make is None else dict(inspect.signature(make).parameters)

    @cached_property
    def position_options(self) -> dict[str, inspect.Parameter]:
        """The options that may go with a position's text, by name."""
        parse = getattr(self.module, "parse_position", None)
        if parse is None:
            return self.options
        return dict(list(inspect.signature(parse).parameters.items())[1:])

    def board(self, options: Options | None = None) -> Any:
        """A board with these options, the others at their defaults."""
        given = self._read_options(options, self.options)
        make = getattr(self.module, "new_board", None)
        if make is not None:
            return self.freeze_board(self.call(make, **given))
        board_class = self.rules.board_class
        if board_class is NoBoard:
            return NoBoard()
        missing = [field for field in board_class._fields if field not in _defaults(board_class)]
        if missing:
            raise GameFileError(
                self.rules.path,
                None,
                f"Board.{missing[0]} has no default: give it one, or write new_board()",
            )
        return self.freeze_board(board_class())

    def start(self, options: Options | None = None) -> Position:
        """The position that a game starts from."""
        board = self.board(options)
        return Position(self, board, self.call(self.rules.start, board))

    def position(self, text: str, options: Options | None = None) -> Position:
        """The position that a text describes, in the game's own format."""
        parse = getattr(self.module, "parse_position", None)
        if parse is None:
            return Position(self, self.board(options), self._parse_fields(text.strip()))
        if options and not self.position_options:
            raise FormatError(
                "options go with the start position; a position given as text says all itself"
            )
        given = self._read_options(options, self.position_options)
        board, state = self.call(parse, text, **given)
        return Position(self, self.freeze_board(board), state)

    def position_text(self, board: Any, state: Any) -> str:
        write = getattr(self.module, "position_text", None)
        return self._format_fields(state) if write is None else str(self.call(write, board, state))

    def freeze_board(self, board: Any) -> Any:
        """The board with its arrays contiguous and read-only: a game never changes its board."""
        if not any(field.kind == "array" for field in self.rules.board_fields):
            return board
        import numpy as np

        frozen = []
        for field, value in zip(self.rules.board_fields, board, strict=True):
            if field.kind == "array":
                value = np.ascontiguousarray(value)
                value.setflags(write=False)
            frozen.append(value)
        return self.rules.board_class(*frozen)

    # Moves and views

    def move_text(self, board: Any, state: Any, move: int) -> str:
        write = getattr(self.module, "move_text", None)
        return str(move) if write is None else str(self.call(write, board, state, move))

    def parse_move(self, board: Any, state: Any, text: str) -> int:
        """The legal move that a text names, or an IllegalMove that lists what would be right."""
        legal = self.rules.legal_moves(board, state)
        parse = getattr(self.module, "parse_move", None)
        if parse is not None:
            move = self.call(parse, board, state, text.strip())
            if move in legal:
                return int(move)
        else:
            wanted = "".join(text.lower().split())
            for move in legal:
                if "".join(self.move_text(board, state, move).lower().split()) == wanted:
                    return move
        names = [self.move_text(board, state, move) for move in legal]
        some = ", ".join(names[:12]) + (f", ... ({len(names)} in all)" if len(names) > 12 else "")
        raise IllegalMove(f"{text.strip()!r} is not a legal move here; legal are {some}")

    def picture(self, board: Any, state: Any) -> str:
        draw = getattr(self.module, "picture", None)
        if draw is None:
            return self.position_text(board, state)
        return str(self.call(draw, board, state)).rstrip("\n")

    def svg(self, board: Any, state: Any) -> str:
        draw = getattr(self.module, "svg", None)
        if draw is None:
            return text_svg(self.picture(board, state))
        return str(self.call(draw, board, state))

    # Moves on a board that is seen

    def touches(
        self, board: Any, state: Any, move: int, cells: Collection[str] | None = None
    ) -> tuple[str, ...]:
        """The cells that a person touches for a move, in order; empty if it is made otherwise.

        `cells` are the names of the picture's cells, for callers who have drawn it already.
        """
        find = getattr(self.module, "touches", None)
        if find is None:
            known = cells_of(self.svg(board, state)) if cells is None else cells
            return _cells_named(self.move_text(board, state, move), known)
        answer = self.call(find, board, state, move)
        if not (isinstance(answer, tuple) and all(isinstance(name, str) for name in answer)):
            raise self._wrong_answer(find, "a tuple of names of cells", answer)
        return answer

    def move_key(self, board: Any, state: Any, move: int) -> str:
        """The key that plays a move at once, or an empty text."""
        find = getattr(self.module, "move_key", None)
        if find is None:
            return ""
        answer = self.call(find, board, state, move)
        if not isinstance(answer, str):
            raise self._wrong_answer(find, "the name of a key", answer)
        return answer

    def idle(self, board: Any, state: Any) -> int:
        """The legal move of a player who does nothing in time, in a game that can be live."""
        find = getattr(self.module, "idle", None)
        if find is None:
            raise NotLive(f"{self.name} cannot be played live: it has no function idle()")
        move = self.number(find, board, state)
        if move not in self.rules.legal_moves(board, state):
            raise self._wrong_answer(find, "a legal move", move)
        return move

    def _wrong_answer(self, function: Function, wanted: str, answer: object) -> GameFileError:
        return GameFileError(
            self.rules.path,
            line_of(function),
            f"{function.__name__}() must return {wanted}, not {answer!r}",
        )

    # The result

    def outcome(self, board: Any, state: Any) -> Outcome:
        """How a finished game ended."""
        utility = self.number(self.rules.utility, board, state)
        winner = None if utility == 0 else 0 if utility > 0 else 1
        explain = getattr(self.module, "ending", None)
        if explain is not None:
            reason = str(self.call(explain, board, state))
        elif winner is None:
            reason = "a draw"
        else:
            margin = f" by {abs(utility)}" if self.rules.point else ""
            reason = f"{self.players[winner]} wins{margin}"
        return Outcome(winner, utility, Ending.FINISHED, reason)

    def score(self, board: Any, state: Any) -> int:
        """The first player's points minus the second's so far."""
        if "score" in self.rules.defaults:
            raise NoScore(f"{self.name} keeps no score: it has no function score(board, state)")
        return self.number(self.rules.score, board, state)

    def number(self, function: Function, *arguments: Any) -> int:
        """The whole number that a rule answers with; anything else is said of its own file."""
        answer = self.call(function, *arguments)
        if not isinstance(answer, Integral):
            raise self._wrong_answer(function, "a whole number", answer)
        return int(answer)

    def call(self, function: Function, *arguments: Any, **options: Any) -> Any:
        """Run a function of the game's module; what it gets wrong is said of its own file."""
        try:
            return function(*arguments, **options)
        except PlygroundError:
            raise
        except Exception as error:
            raise GameFileError(
                self.rules.path,
                line_within(self.rules.path, error),
                f"{function.__name__}() raised {type(error).__name__}: {error}",
            ) from error

    # Reading what the module says

    def _read_players(self) -> tuple[str, str]:
        players = getattr(self.module, "PLAYERS", ("First", "Second"))
        if not (
            isinstance(players, tuple)
            and len(players) == 2
            and all(isinstance(player, str) for player in players)
        ):
            raise GameFileError(self.rules.path, None, "PLAYERS must be two names in a tuple")
        return players

    def _read_choices(self) -> dict[str, tuple[str, ...]]:
        choices = getattr(self.module, "CHOICES", {})
        if not (
            isinstance(choices, dict)
            and all(isinstance(words, tuple) and words for words in choices.values())
            and all(isinstance(word, str) for words in choices.values() for word in words)
        ):
            raise GameFileError(
                self.rules.path, None, "CHOICES must be a dict from options to tuples of words"
            )
        return choices

    def _read_options(
        self, options: Options | None, known: Mapping[str, inspect.Parameter]
    ) -> dict[str, Option]:
        return {
            name: self._read_option(name, value, known) for name, value in (options or {}).items()
        }

    def _read_option(
        self, name: str, value: Option, known: Mapping[str, inspect.Parameter]
    ) -> Option:
        if name not in known:
            with_text = name in self.options
            names = ", ".join(known) or "none"
            raise FormatError(
                f"option {name} goes with the start position; with a position's text: {names}"
                if with_text
                else f"{self.name} has no option {name!r}; its options: {names}"
            )
        wanted = known[name].default
        choices = self.choices.get(name)
        if choices is not None and value not in choices:
            raise FormatError(f"option {name} must be {_or(choices)}, not {value!r}")
        try:
            if isinstance(wanted, bool):
                return {"true": True, "yes": True, "false": False, "no": False}[str(value).lower()]
            if isinstance(wanted, int):
                return int(value)
        except (KeyError, ValueError):
            kind = "yes or no" if isinstance(wanted, bool) else "a whole number"
            raise FormatError(f"option {name} must be {kind}, not {value!r}") from None
        return str(value)

    # The default text of a position: every field of the state

    def _format_fields(self, state: Any) -> str:
        return " ".join(
            f"{field.name}={_format_value(field, value)}"
            for field, value in zip(self.rules.state_fields, state, strict=True)
        )

    def _parse_fields(self, text: str) -> Any:
        words = text.split()
        fields = self.rules.state_fields
        expected = " ".join(f"{field.name}=..." for field in fields)
        if len(words) != len(fields):
            raise FormatError(f"{len(words)} fields where {len(fields)} belong: {expected}")
        values = []
        for field, word in zip(fields, words, strict=True):
            name, _, value = word.partition("=")
            if name != field.name:
                raise FormatError(f"{word!r} where {field.name}=... belongs: {expected}")
            values.append(_parse_value(field, value))
        return self.rules.state_class(*values)


def _cells_named(text: str, cells: Collection[str]) -> tuple[str, ...]:
    """The cells that a text names: `a2xb3` names a2 and b3, for there is no cell xb3."""
    named = []
    for found in CELL_NAME.findall(text.lower()):
        endings = (found[first:] for first in range(len(found)))
        named += [name for name in endings if name in cells][:1]
    return tuple(named)


def _or(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _defaults(tuple_class: type[Any]) -> Mapping[str, Any]:
    defaults: Mapping[str, Any] = tuple_class._field_defaults
    return defaults


def _format_value(field: Field, value: Any) -> str:
    items = value if field.length else (value,)
    return ",".join(str(int(item)) for item in items)


RANGES = {"int64": (-(1 << 63), (1 << 63) - 1), "uint64": (0, (1 << 64) - 1), "bool": (0, 1)}


def _parse_value(field: Field, text: str) -> Any:
    low, high = RANGES[field.kind]
    items: list[int] = []
    for word in text.split(","):
        if not word.removeprefix("-").isdecimal() or len(word) > 20:
            raise FormatError(f"{field.name}={text}: {word!r} is not a whole number")
        if not low <= int(word) <= high:
            raise FormatError(f"{field.name}={text}: {word} is not between {low} and {high}")
        items.append(int(word))
    if len(items) != max(1, field.length):
        raise FormatError(f"{field.name}={text}: {field.length or 1} numbers belong here")
    values = [bool(item) for item in items] if field.kind == "bool" else items
    return tuple(values) if field.length else values[0]
