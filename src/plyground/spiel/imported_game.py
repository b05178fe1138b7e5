"""OpenSpiel's games as ours: `spiel:hex`, `spiel:breakthrough(rows=6,columns=6)`.

A `SpielGame` is a `Game` and a `SpielPosition` a `Position`, so that the referee, records, players
and all uncompiled searches take them as they are. There are no rules to compile, so the engine, the
solvers and perft refuse them (`Game.can_be_compiled`).

* The board is the game as OpenSpiel has loaded it, with its parameters.
* The state is the tuple of all moves so far: positions are equal if they were reached alike.
* The utility is OpenSpiel's return for the first player, a whole number.
* Texts of moves are OpenSpiel's, without blanks; the text of a position is its moves.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from inspect import Parameter
from types import ModuleType, SimpleNamespace
from typing import Any, cast

from plyground.core.contract import PARAMETERS, REQUIRED, Rules
from plyground.core.errors import FormatError, PlygroundError, UnknownGame
from plyground.core.game import Game, Option, Options, Position
from plyground.core.registry import SPIEL_PREFIX, find_game
from plyground.spiel.library import load_pyspiel

NAME = re.compile(r"(?P<name>\w+)(?:\((?P<parameters>.*)\))?")
START = "start"
"""The text of the position before the first move."""
UNCOLOURED = "ansi_color_output"
"""A parameter of some games: escape codes in their pictures. It is off unless it is asked for."""

ParameterValue = int | float | str | bool


class WrongKind(UnknownGame):
    """A game of OpenSpiel's of a kind that is not played here."""


def find_spiel_game(name: str) -> Game:
    """The game of a name such as `spiel:hex(board_size=5)`."""
    match = NAME.fullmatch(name.removeprefix(SPIEL_PREFIX).strip())
    if match is None:
        raise UnknownGame(
            f"{name!r}: a game of OpenSpiel's is written spiel:NAME or spiel:NAME(OPTION=VALUE,...)"
        )
    defaults = _parameters_of(match["name"])
    given: dict[str, ParameterValue] = {}
    for part in filter(None, (match["parameters"] or "").split(",")):
        option, equals, value = part.partition("=")
        if not equals:
            raise FormatError(f"{name}: {part.strip()!r} is no OPTION=VALUE, such as board_size=5")
        given[option.strip()] = _read_value(match["name"], defaults, option.strip(), value.strip())
    return _game(match["name"], tuple(sorted(given.items())))


@cache
def _game(short_name: str, given: tuple[tuple[str, ParameterValue], ...]) -> SpielGame:
    """One game for each name and the parameters given with it."""
    shown = ",".join(f"{option}={value}" for option, value in given)
    name = f"{SPIEL_PREFIX}{short_name}" + (f"({shown})" if shown else "")
    return SpielGame(name, short_name, {**_parameters_of(short_name), **dict(given)})


def _parameters_of(short_name: str) -> dict[str, ParameterValue]:
    """The parameters of a game with their defaults."""
    types = {found.short_name: found for found in load_pyspiel().registered_games()}
    if short_name not in types:
        close = difflib.get_close_matches(short_name, types, n=1)
        hint = f"; did you mean {SPIEL_PREFIX}{close[0]}?" if close else ""
        raise UnknownGame(f"OpenSpiel has no game {short_name!r}{hint}")
    _refuse_kind(types[short_name])
    parameters = dict(types[short_name].parameter_specification)
    if UNCOLOURED in parameters:
        parameters[UNCOLOURED] = False
    return parameters


def _refuse_kind(game_type: Any) -> None:
    """Refuse a game that is not one of full information between two, without chance."""
    kinds = load_pyspiel().GameType
    problems = {
        "is made of another game": not game_type.default_loadable,
        "leaves something to chance": game_type.chance_mode != kinds.ChanceMode.DETERMINISTIC,
        "hides something from its players": (
            game_type.information != kinds.Information.PERFECT_INFORMATION
        ),
        "lets its players move at once": game_type.dynamics != kinds.Dynamics.SEQUENTIAL,
        "is not for two players": not game_type.min_num_players <= 2 <= game_type.max_num_players,
        "is not zero-sum": game_type.utility != kinds.Utility.ZERO_SUM,
    }
    found = next((problem for problem, holds in problems.items() if holds), None)
    if found is not None:
        raise WrongKind(
            f"{SPIEL_PREFIX}{game_type.short_name} {found}: only two-player zero-sum games of"
            " full information, without chance and with moves in turn, are played here"
        )


def _read_value(
    game: str, defaults: Mapping[str, ParameterValue], option: str, text: Option | float
) -> ParameterValue:
    if option not in defaults:
        known = ", ".join(defaults) or "none"
        raise FormatError(f"{SPIEL_PREFIX}{game} has no option {option!r}; its options: {known}")
    default = defaults[option]
    wanted = "a whole number"
    try:
        if isinstance(default, bool):
            wanted = "yes or no"
            return {"true": True, "yes": True, "false": False, "no": False}[str(text).lower()]
        if isinstance(default, float):
            wanted = "a number"
            return float(text)
        if isinstance(default, int):
            number = int(text)
            if number < min(default, 1):
                wanted = f"{min(default, 1)} or more"
                raise ValueError
            return number
    except (KeyError, ValueError):
        raise FormatError(f"option {option} must be {wanted}, not {text!r}") from None
    return str(text)


@contextlib.contextmanager
def _no_standard_error() -> Iterator[None]:
    """OpenSpiel writes its errors to the file of standard error, besides raising them."""
    try:
        kept = os.dup(2)
    except OSError:  # there is none
        yield
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


@dataclass(frozen=True)
class SpielBoard:
    """A game as OpenSpiel has loaded it. Boards with the same parameters are equal."""

    parameters: tuple[tuple[str, ParameterValue], ...]
    loaded: Any = field(compare=False, repr=False)


class SpielGame(Game):
    """A game of OpenSpiel's. Its options are the parameters."""

    can_be_compiled = False

    def __init__(
        self, name: str, short_name: str, parameters: Mapping[str, ParameterValue]
    ) -> None:
        self.name = name
        self._short_name, self._parameters = short_name, dict(parameters)
        kind = Parameter.POSITIONAL_OR_KEYWORD
        self.options = {
            option: Parameter(option, kind, default=value) for option, value in parameters.items()
        }
        self.position_options = self.options
        self._board = self._load({})
        loaded = self._board.loaded
        if loaded.num_players() != 2:
            raise WrongKind(f"{name} is for {loaded.num_players()} players: only 2 can play here")
        self.title = str(loaded.get_type().long_name)
        self.summary = f"{self.title}, as OpenSpiel has it."
        self.rules_text = ""
        self.players, self.colours = ("First", "Second"), ("#2d5fa8", "#e08a1e")
        self.choices, self.option_texts = {}, {}
        self.variant, self.made_by = "", None
        self.module = ModuleType(name)
        known = {
            "name": name,
            "path": name,
            "point": 1 if loaded.max_utility() > 1 else 0,
            "repeats": False,
            "draws": True,
            "defaults": frozenset(PARAMETERS) - set(REQUIRED),
        }
        self.rules = cast(Rules, SimpleNamespace(**known))

    def __reduce__(self) -> tuple[Any, ...]:
        return find_game, (self.name,)

    def replace(self, **changes: Any) -> Game:
        raise FormatError(f"{self.name} is OpenSpiel's: nothing of it can be replaced")

    @property
    def is_file(self) -> bool:
        return False

    def board(self, options: Options | None = None) -> SpielBoard:
        given = {
            option: _read_value(self._short_name, self._parameters, option, value)
            for option, value in (options or {}).items()
        }
        return self._load(given) if given else self._board

    def _load(self, given: Mapping[str, ParameterValue]) -> SpielBoard:
        """The loaded game, with a start that has been tried."""
        parameters = {**self._parameters, **given}
        default = _parameters_of(self._short_name)
        changed = {
            option: value for option, value in parameters.items() if value != default[option]
        }
        if UNCOLOURED in parameters:
            changed[UNCOLOURED] = parameters[UNCOLOURED]
        try:
            with _no_standard_error():
                loaded = load_pyspiel().load_game(self._short_name, changed)
                loaded.new_initial_state().legal_actions()
        except Exception as error:  # OpenSpiel has no class of its own for all of its errors
            raise FormatError(f"OpenSpiel cannot load {self.name}: {error}") from None
        return SpielBoard(tuple(sorted(parameters.items())), loaded)

    def start(self, options: Options | None = None) -> Position:
        board = self.board(options)
        return SpielPosition(self, board, board.loaded.new_initial_state())

    def position(self, text: str, options: Options | None = None) -> Position:
        """The position after the moves that a text lists, or `start`."""
        position = self.start(options)
        for number, move in enumerate(text.split() if text.strip() != START else (), 1):
            try:
                position = position.play(move)
            except PlygroundError as error:
                raise FormatError(f"move {number} of the position: {error}") from None
        return position

    def move_limit(self, board: SpielBoard) -> int:
        return int(board.loaded.num_distinct_actions())

    def longest_game(self, board: SpielBoard) -> int | None:
        return int(board.loaded.max_game_length())


class SpielPosition(Position):
    """A position of a game of OpenSpiel's."""

    def __init__(
        self, game: Game, board: SpielBoard, spiel: Any, history: tuple[int, ...] = ()
    ) -> None:
        super().__init__(game, board, history)
        self._spiel = spiel

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self.game, dict(self.board.parameters), self.state)

    @property
    def spiel_state(self) -> Any:
        """A state of OpenSpiel's of its own, which may be changed."""
        return self._spiel.clone()

    @cached_property
    def is_over(self) -> bool:
        return bool(self._spiel.is_terminal())

    @cached_property
    def turn(self) -> int:
        return max(0, int(self._spiel.current_player()))

    @cached_property
    def legal_moves(self) -> tuple[int, ...]:
        return tuple(self._spiel.legal_actions())

    def after(self, move: int) -> Position:
        return SpielPosition(
            self.game, self.board, self._spiel.child(int(move)), (*self.state, int(move))
        )

    @cached_property
    def utility(self) -> int:
        utility = float(self._spiel.returns()[0])
        if not utility.is_integer():
            raise FormatError(f"{self.game.name} ended with {utility}: not a whole number")
        return int(utility)

    @cached_property
    def evaluation(self) -> int:
        return 0

    @cached_property
    def text(self) -> str:
        start = SpielPosition(self.game, self.board, self.board.loaded.new_initial_state())
        return " ".join(start.line_text(self.state)) or START

    @cached_property
    def picture(self) -> str:
        return "\n".join(line.rstrip() for line in str(self._spiel).splitlines())

    # Moves

    @cached_property
    def _names(self) -> dict[int, str]:
        """The legal moves by OpenSpiel's names; with its number after one that is not unique."""
        found = {
            move: _without_blanks(self._spiel.action_to_string(move)) for move in self.legal_moves
        }
        names = list(found.values())
        return {
            move: name if names.count(name) == 1 else f"{name}#{move}"
            for move, name in found.items()
        }

    def move_text(self, move: int) -> str:
        return self._names[move]

    def parse_move(self, text: str) -> int:
        """The move of exactly this name, or else the only one that differs in case or blanks."""
        self._refuse_finished()
        wanted = _without_blanks(text)
        same = [move for move, name in self._names.items() if name == wanted]
        alike = same or [move for move, name in self._names.items() if _plain(name) == _plain(text)]
        if len(alike) != 1:
            raise self.illegal_move(text)
        return alike[0]

    # A position is a value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpielPosition):
            return NotImplemented
        return self.game is other.game and self.board == other.board and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))


def _replay(game: SpielGame, options: Options, history: tuple[int, ...]) -> Position:
    """The position of a pickle."""
    position = game.start(options)
    for move in history:
        position = position.after(move)
    return position


def _without_blanks(text: str) -> str:
    """OpenSpiel's text of a move as one word: `X To (1, 5)` is `X_To_(1,5)`."""
    return "_".join(text.replace(", ", ",").split())


def _plain(text: str) -> str:
    return "".join(text.replace("_", " ").lower().split())
