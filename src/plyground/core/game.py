"""A game, and its positions: the rules, and how people see them (names, texts, pictures).

A game is read from one module. The rules are the contract's (`core/contract.py`); the rest is
ordinary Python, never compiled, and optional:

    TITLE = "Breakthrough"                     default: the module's name
    SUMMARY = "First pawn across wins."        one line for lists; default: the module's docstring
    PLAYERS = ("White", "Black")               default: "First" and "Second"
    COLOURS = ("#ffffff", "#33363d")           of the players, as the drawing has them, for bars and
                                               graphs; default: blue and orange
    RULES = "Pawns go one step forward ..."    the rules for people, in Markdown without headings;
                                               default: the module's docstring

    new_board(rows=6, columns=6) -> Board      its parameters are the options of the game
    CHOICES = {"stuck": ("either", "mover")}   what may be chosen for options that are words
    OPTION_TEXTS = {"rows": "3 to 9 rows"}     a line about each option
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
    move_limit(board) -> int                   every move on this board is below it; default: 65536
    longest_game(board) -> int                 no game from the start of this board has more moves;
                                               default: not known

`Game.replace` gives a game with some of this changed, such as its evaluation.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from numbers import Integral
from types import ModuleType
from typing import Any

from plyground.core.computed_once import computed_once
from plyground.core.contract import (
    MOVE_LIMIT,
    PARAMETERS,
    Function,
    NoBoard,
    Rules,
    file_of,
    line_of,
    read_rules,
)
from plyground.core.errors import (
    FormatError,
    GameFileError,
    GameOver,
    IllegalMove,
    LimitError,
    NoScore,
    NotLive,
    PlygroundError,
    line_within,
)
from plyground.core.outcome import Ending, Outcome
from plyground.core.state_text import read_state, write_state
from plyground.core.svg import cells_of, text_svg
from plyground.core.values import LONGEST

Option = int | str | bool
Options = Mapping[str, Option]

REPLACEABLE = {
    *PARAMETERS,
    *(
        "POINT",
        "MAX_MOVES",
        "REPEATS",
        "DRAWS",
        "TITLE",
        "SUMMARY",
        "PLAYERS",
        "COLOURS",
        "RULES",
        "CHOICES",
    ),
    *("new_board", "move_text", "parse_move", "position_text", "parse_position", "picture", "svg"),
    *("OPTION_TEXTS", "touches", "move_key", "idle", "ending", "move_limit", "longest_game"),
}
"""What a module has for a game, besides its classes Board and State."""

COLOUR = re.compile("#[0-9a-f]{6}")
CELL_NAME = re.compile("[a-z]+[0-9]+")
"""What the name of a cell looks like in the text of a move."""
SHOWN_MOVES = 12
"""Legal moves that the message about an illegal one lists."""
MAX_PAST = 200
"""How many earlier states a position remembers, in games where they can come back."""


class Game:
    """One game, as read from its module. Games compare by identity; the registry keeps one each."""

    can_be_compiled = True
    """Whether its rules are functions that the kernels of the searches can be linked with."""

    def __init__(self, module: ModuleType, name: str) -> None:
        self.name = name
        self.module = module
        self.rules: Rules = read_rules(module, name)
        self.title = str(getattr(module, "TITLE", name))
        docstring = inspect.getdoc(module) or ""
        summary = str(getattr(module, "SUMMARY", docstring)).strip()
        self.summary = summary.splitlines()[0] if summary else ""
        self.rules_text = str(getattr(module, "RULES", docstring)).strip()
        """The rules for people, in Markdown without headings."""
        self.players = self._read_players()
        self.colours = self._read_colours()
        self.choices = self._read_choices()
        self.option_texts = self._read_option_texts()
        """What an option means, in a line. A user's game need not explain all of them."""
        self.variant = ""
        """What `replace` has changed; empty for a game as its module has it."""
        self.made_by: Callable[[], Game] | None = None
        """The call of `replace` that made this game; None for a game as its module has it."""

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def replace(self, *, name: str | None = None, title: str | None = None, **changes: Any) -> Game:
        """This game with other functions or constants: `game.replace(evaluate=material)`.

        They go by the names that a module has for them; None removes one, so that its default
        holds. Where the game's own functions call each other directly, they still do. The new game
        is compiled and cached as any other, and can be pickled if its functions can.
        """
        if title is not None:
            changes["TITLE"] = title
        unknown = changes.keys() - REPLACEABLE
        if unknown:
            known = ", ".join(sorted(REPLACEABLE))
            raise TypeError(f"a game has no {min(unknown)!r} to replace; it has {known}")
        module = ModuleType(self.module.__name__)
        vars(module).update(vars(self.module))
        for attribute, value in changes.items():
            vars(module).pop(attribute, None)
            if value is not None:
                setattr(module, attribute, value)
        game = Game(module, self.name if name is None else name)
        game.variant = " ".join([self.variant, *map(_change_text, sorted(changes.items()))]).strip()
        game.made_by = partial(self.replace, name=name, **changes)
        return game

    @property
    def is_file(self) -> bool:
        """Whether this is a user's own file and not one of the built-in games."""
        return not self.module.__name__.startswith("plyground.games.")

    @property
    def is_live(self) -> bool:
        """Whether it can be played live: a player who does nothing in time makes the idle move."""
        return hasattr(self.module, "idle")

    @computed_once
    def options(self) -> dict[str, inspect.Parameter]:
        """The options of `new_board` by name. Each has a default, which is of its type."""
        make = self.own("new_board")
        return {} if make is None else dict(inspect.signature(make).parameters)

    @computed_once
    def position_options(self) -> dict[str, inspect.Parameter]:
        """The options that may go with a position's text, by name."""
        parse = self.own("parse_position")
        if parse is None:
            return self.options
        return dict(list(inspect.signature(parse).parameters.items())[1:])

    def require_compilable(self) -> None:
        """Raise LimitError if the rules cannot be compiled."""
        if not self.can_be_compiled:
            raise LimitError(
                f"the rules of {self.name} are not ours and cannot be compiled, as this needs"
                " them; minimax, alpha-beta, monte-carlo and random do without"
            )

    # Boards and positions

    def board(self, options: Options | None = None) -> Any:
        """A board with these options, the others at their defaults."""
        given = self._read_options(options, self.options)
        make = self.own("new_board")
        if make is not None:
            return self.freeze_board(self.call(make, **given))
        board_class = self.rules.board_class
        if board_class is NoBoard:
            return NoBoard()
        defaults: Mapping[str, Any] = board_class._field_defaults
        missing = [field for field in board_class._fields if field not in defaults]
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
        state = self.call(self.rules.start, board)
        if not isinstance(state, self.rules.state_class):
            raise self.wrong_result(self.rules.start, "a State", state)
        return Position(self, board, state)

    def position(self, text: str, options: Options | None = None) -> Position:
        """The position that a text describes, in the game's own format."""
        parse = self.own("parse_position")
        if parse is None:
            return Position(self, self.board(options), read_state(self.rules, text.strip()))
        if options and not self.position_options:
            raise FormatError(
                "options go with the start position; a position given as text says all itself"
            )
        given = self._read_options(options, self.position_options)
        board, state = self.call(parse, text, **given)
        return Position(self, self.freeze_board(board), state)

    def preload(self) -> None:
        """Import now what the game imports only to make a board or to read a text, so that no
        clock runs meanwhile. A game may read its own texts only, or none."""
        start = self.start()
        with suppress(PlygroundError):
            self.position(start.text)

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

    def move_limit(self, board: Any) -> int:
        """Every move on this board is below this."""
        find = self.own("move_limit")
        return MOVE_LIMIT if find is None else self._bound(find, board, MOVE_LIMIT)

    def longest_game(self, board: Any) -> int | None:
        """No game from the start of this board has more moves; None if the game does not say."""
        find = self.own("longest_game")
        return None if find is None else self._bound(find, board, LONGEST)

    def _bound(self, function: Function, board: Any, most: int) -> int:
        number = self.call(function, board)
        if not isinstance(number, Integral) or not 1 <= int(number) <= most:
            raise self.wrong_result(function, f"a whole number from 1 to {most}", number)
        return int(number)

    # Functions of the module

    def own(self, name: str) -> Function | None:
        """An optional function of the module."""
        return getattr(self.module, name, None)

    def call(self, function: Function, *arguments: Any, **options: Any) -> Any:
        """Run a function of the game. An error in it becomes a GameFileError with file and line."""
        try:
            return function(*arguments, **options)
        except PlygroundError:
            raise
        except Exception as error:
            raise self.failure(function, error) from error

    def failure(self, function: Function, error: Exception) -> GameFileError:
        """What to raise when a function of the game has raised an error."""
        path = file_of(function) or self.rules.path
        return GameFileError(
            path,
            line_within(path, error),
            f"{function.__name__}() raised {type(error).__name__}: {error}",
        )

    def wrong_result(self, function: Function, wanted: str, result: object) -> GameFileError:
        return GameFileError(
            file_of(function) or self.rules.path,
            line_of(function),
            f"{function.__name__}() must return {wanted}, not {result!r}",
        )

    # Reading the module

    def _read_players(self) -> tuple[str, str]:
        players = getattr(self.module, "PLAYERS", ("First", "Second"))
        if not (
            isinstance(players, tuple)
            and len(players) == 2
            and all(isinstance(player, str) for player in players)
        ):
            raise GameFileError(self.rules.path, None, "PLAYERS must be two names in a tuple")
        return players

    def _read_colours(self) -> tuple[str, str]:
        colours = getattr(self.module, "COLOURS", ("#2d5fa8", "#e08a1e"))
        if not (
            isinstance(colours, tuple)
            and len(colours) == 2
            and all(isinstance(colour, str) and COLOUR.fullmatch(colour) for colour in colours)
        ):
            raise GameFileError(
                self.rules.path, None, 'COLOURS must be two colours such as "#2d5fa8" in a tuple'
            )
        return colours

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

    def _read_option_texts(self) -> dict[str, str]:
        texts = getattr(self.module, "OPTION_TEXTS", {})
        if not (isinstance(texts, dict) and all(isinstance(text, str) for text in texts.values())):
            raise GameFileError(
                self.rules.path, None, "OPTION_TEXTS must be a dict from options to texts"
            )
        return texts

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


class Position:
    """A board and a state of one game. Playing a move gives a new position; none ever changes."""

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
        """The latest states before this one, the last one last. Kept in games where positions can
        come back; not part of comparisons."""
        return self._past

    # The rules, uncompiled

    @computed_once
    def is_over(self) -> bool:
        return bool(self._call(self._game.rules.over))

    @computed_once
    def turn(self) -> int:
        """The player to move, 0 or 1. Without meaning once the game is over."""
        turn = self._number(self._game.rules.turn)
        if turn not in (0, 1):
            raise GameFileError(
                self._game.rules.path, None, f"it is player {turn}'s turn: there are only 0 and 1"
            )
        return turn

    @computed_once
    def legal_moves(self) -> tuple[int, ...]:
        """The legal moves in the order of the rules; none once the game is over."""
        if self.is_over:
            return ()
        rules = self._game.rules
        legal: tuple[int, ...] = self._call(rules.legal_moves)
        if not legal:
            raise GameFileError(
                rules.path,
                None,
                f"moves() lists no move, but over() says that the game goes on: {self.text}",
            )
        return legal

    def play(self, move: int | str) -> Position:
        """The position after a legal move, given as its number or as people write it."""
        self._refuse_finished()
        if isinstance(move, str):
            move = self.parse_move(move)
        elif move not in self.legal_moves:
            raise IllegalMove(f"move number {move} is not legal here")
        child = self.after(move)
        if self._game.rules.repeats:
            child._past = (*self._past, self._state)[-MAX_PAST:]
        return child

    def after(self, move: int) -> Position:
        """Like `play`, for searches: the move is not checked, and no past is kept."""
        rules = self._game.rules
        state = self._call(rules.play, move)
        if not isinstance(state, rules.state_class):
            raise self._game.wrong_result(rules.play, "a State", state)
        return Position(self._game, self._board, state)

    def children(self) -> Iterator[tuple[int, Position]]:
        """Every legal move with the position it leads to."""
        return ((move, self.after(move)) for move in self.legal_moves)

    @computed_once
    def utility(self) -> int:
        """The first player's utility. Only a finished game has one."""
        return self._number(self._game.rules.utility)

    @computed_once
    def evaluation(self) -> int:
        """The game's own estimate of the first player's prospects."""
        return self._number(self._game.rules.evaluate)

    @computed_once
    def score(self) -> int:
        """The first player's points minus the second's so far. Not every game keeps a score."""
        rules = self._game.rules
        if "score" in rules.defaults:
            raise NoScore(
                f"{self._game.name} keeps no score: it has no function score(board, state)"
            )
        return self._number(rules.score)

    @computed_once
    def key(self) -> int:
        """The hash word of this position in tables."""
        return self._number(self._game.rules.key)

    def is_noisy(self, move: int) -> bool:
        return bool(self._call(self._game.rules.noisy, move))

    @computed_once
    def outcome(self) -> Outcome:
        """How the game ended; a game that goes on has no outcome yet."""
        if not self.is_over:
            raise GameOver("the game is not over: it has no outcome yet")
        game, utility = self._game, self.utility
        winner = None if utility == 0 else 0 if utility > 0 else 1
        explain = game.own("ending")
        if explain is not None:
            reason = str(self._call(explain))
        elif winner is None:
            reason = "a draw"
        else:
            margin = f" by {abs(utility)}" if game.rules.point else ""
            reason = f"{game.players[winner]} wins{margin}"
        return Outcome(winner, utility, Ending.FINISHED, reason)

    # Texts and pictures

    @computed_once
    def text(self) -> str:
        """The position in the game's own notation; `game.position(text)` reads it back."""
        write = self._game.own("position_text")
        if write is None:
            return write_state(self._game.rules, self._state)
        return str(self._call(write))

    @computed_once
    def picture(self) -> str:
        """The position as a drawing in characters, for a terminal."""
        draw = self._game.own("picture")
        return self.text if draw is None else str(self._call(draw)).rstrip("\n")

    def svg(self) -> str:
        """The position as an SVG picture."""
        return self._svg

    @computed_once
    def _svg(self) -> str:
        draw = self._game.own("svg")
        return text_svg(self.picture) if draw is None else str(self._call(draw))

    def _repr_svg_(self) -> str:
        return self.svg()

    @computed_once
    def cells(self) -> tuple[str, ...]:
        """The names of the cells that can be touched in the SVG picture."""
        return cells_of(self.svg())

    def line_text(self, line: tuple[int, ...]) -> tuple[str, ...]:
        """The moves of a line of play from here, as people write them."""
        position, names = self, []
        for move in line:
            names.append(position.move_text(move))
            position = position.after(move)
        return tuple(names)

    # Moves as people make them

    def move_text(self, move: int) -> str:
        write = self._game.own("move_text")
        return str(move) if write is None else str(self._call(write, move))

    def parse_move(self, text: str) -> int:
        """The legal move that a text names, or an IllegalMove that lists the legal ones."""
        self._refuse_finished()
        parse = self._game.own("parse_move")
        if parse is not None:
            move = self._call(parse, text.strip())
            if move in self.legal_moves:
                return int(move)
        else:
            wanted = "".join(text.lower().split())
            for move in self.legal_moves:
                if "".join(self.move_text(move).lower().split()) == wanted:
                    return move
        raise self.illegal_move(text)

    def illegal_move(self, text: str) -> IllegalMove:
        """The error for a text that names no legal move, with those that are legal."""
        names = [self.move_text(move) for move in self.legal_moves]
        some = ", ".join(names[:SHOWN_MOVES])
        more = f", ... ({len(names)} in all)" if len(names) > SHOWN_MOVES else ""
        return IllegalMove(f"{text.strip()!r} is not a legal move here; legal are {some}{more}")

    def touches(self, move: int) -> tuple[str, ...]:
        """The cells of the picture that a person touches for a move, in order; empty if it is made
        otherwise."""
        find = self._game.own("touches")
        if find is None:
            return _cells_named(self.move_text(move), self.cells)
        cells = self._call(find, move)
        if not (isinstance(cells, tuple) and all(isinstance(name, str) for name in cells)):
            raise self._game.wrong_result(find, "a tuple of names of cells", cells)
        return cells

    def move_key(self, move: int) -> str:
        """The key that plays a move at once, or an empty text."""
        find = self._game.own("move_key")
        key = "" if find is None else self._call(find, move)
        if find is not None and not isinstance(key, str):
            raise self._game.wrong_result(find, "the name of a key", key)
        return str(key)

    @property
    def idle(self) -> int:
        """The legal move of a player who does nothing in time, in a game that can be live."""
        self._refuse_finished()
        find = self._game.own("idle")
        if find is None:
            raise NotLive(f"{self._game.name} cannot be played live: it has no function idle()")
        move = self._number(find)
        if move not in self.legal_moves:
            raise self._game.wrong_result(find, "a legal move", move)
        return move

    # Functions of the game, called for this position

    def _call(self, function: Function, *arguments: Any) -> Any:
        """As `Game.call`, without calling it: textbook searches come here several times a node."""
        try:
            return function(self._board, self._state, *arguments)
        except PlygroundError:
            raise
        except Exception as error:
            raise self._game.failure(function, error) from error

    def _number(self, function: Function) -> int:
        number = self._call(function)
        if not isinstance(number, (int, Integral)):  # an int is found out at once
            raise self._game.wrong_result(function, "a whole number", number)
        return int(number)

    def _refuse_finished(self) -> None:
        if self.is_over:
            raise GameOver(f"the game is over ({self.outcome.reason}): no move can be played")

    # A position is a value

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

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
    """Whether two boards of one game are equal, arrays included."""
    return board is other or all(map(_same_field, board, other))


def _same_field(value: Any, other: Any) -> bool:
    if not hasattr(value, "dtype"):
        return bool(value == other)
    import numpy as np

    return bool(np.array_equal(value, other))


def _change_text(change: tuple[str, Any]) -> str:
    name, value = change
    if not inspect.isfunction(value):
        return f"{name}={value!r}"
    return f"{name}={value.__module__}.{value.__qualname__}"


def _cells_named(text: str, cells: Collection[str]) -> tuple[str, ...]:
    """The cells that a text names: `a2xb3` names a2 and b3, for there is no cell xb3."""
    named = []
    for found in CELL_NAME.findall(text.lower()):
        endings = (found[first:] for first in range(len(found)))
        named += [name for name in endings if name in cells][:1]
    return tuple(named)


def _or(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
