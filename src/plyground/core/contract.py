"""The contract: what a module must hold to be a game, and the sound default of all it may omit.

A game is a value and a few pure functions, in plain Python:

    class Board(NamedTuple)               what never changes during a game; may hold NumPy arrays
    class State(NamedTuple)               what changes: int, bool, Bits, or fixed tuples of them

    start(board) -> State
    moves(board, state, out) -> int       writes the legal moves into out, returns how many
    play(board, state, move) -> State
    over(board, state) -> bool
    utility(board, state) -> int          the first player's, asked only when the game is over

and, each with a default,

    turn(board, state) -> int             0 or 1; default: state.turn
    evaluate(board, state) -> int         the first player's prospects; default: the points so far
                                          in a game that keeps a score, else 0
    noisy(board, state, move) -> int      0 for a quiet move, more for a capture or the like: the
                                          noisier, the sooner it is tried; default: 0
    key(board, state) -> Bits             equal for equal states; default: a mix of every field
    score(board, state) -> int            the points so far, the first player's minus the second's;
                                          default: the game keeps none. A key may leave them out if
                                          what is still to come does not depend on them
    bounds(board, state) -> (int, int)    the least and the most that the utility can still become,
                                          in games of points; default: nothing is known
    identity(board, state) -> tuple       the state, its points aside, as a few words of Bits that
                                          only states worth the same share: what solvers remember;
                                          default: every field
    settled(board, state) -> int          n if it is certain at sight that the first player wins
                                          within n plies, -n if the second does; default: 0

Constants: `POINT`, how many units of evaluation a point of utility is, in games of points;
`MAX_MOVES`, the most moves of any position (256); `REPEATS = True` if positions can come back;
`DRAWS = False` if no game can end in a draw.

A move is a whole number from 0 to 65535. `read_rules` turns a module into `Rules`, or raises a
GameFileError that names what is missing and where.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from plyground.core.bits import mix, word
from plyground.core.errors import GameFileError

Function = Callable[..., Any]

MOVE_LIMIT = 1 << 16
"""A move is below this: tables keep it in 16 bits."""

PARAMETERS = {
    "start": ("board",),
    "moves": ("board", "state", "out"),
    "play": ("board", "state", "move"),
    "over": ("board", "state"),
    "utility": ("board", "state"),
    "turn": ("board", "state"),
    "evaluate": ("board", "state"),
    "noisy": ("board", "state", "move"),
    "key": ("board", "state"),
    "score": ("board", "state"),
    "bounds": ("board", "state"),
    "identity": ("board", "state"),
    "settled": ("board", "state"),
}
"""The arguments that each function of the contract takes."""

REQUIRED = ("start", "moves", "play", "over", "utility")
COMPILED = tuple(name for name in PARAMETERS if name != "start")
"""What runs inside the search kernels. `start` runs once a game and stays plain Python."""


class NoBoard(NamedTuple):
    """The board of a game that has nothing constant to remember."""

    nothing: int = 0


@dataclass(frozen=True)
class Field:
    """One field of a Board or State: its name, its kind, and how many of it (0: not a tuple)."""

    name: str
    kind: str  # "int64", "uint64", "bool" or, in a Board only, "array"
    length: int = 0


@dataclass(frozen=True)
class Rules:
    """The functions of one game, checked and completed."""

    name: str
    path: str
    board_class: type[Any]
    state_class: type[Any]
    board_fields: tuple[Field, ...]
    state_fields: tuple[Field, ...]
    start: Function
    moves: Function
    play: Function
    over: Function
    utility: Function
    turn: Function
    evaluate: Function
    noisy: Function
    key: Function
    score: Function
    bounds: Function
    identity: Function
    settled: Function
    defaults: frozenset[str]
    """The functions that the game does not have itself."""
    point: int
    """Units of evaluation in a point of utility; 0 for a game of wins."""
    max_moves: int
    repeats: bool
    """Whether a position can come back during a game."""
    draws: bool
    """Whether a game can end in a draw."""

    def legal_moves(self, board: Any, state: Any) -> tuple[int, ...]:
        """The legal moves, uncompiled. Callers make sure that the game is not over."""
        out = [0] * self.max_moves
        try:
            count = self.moves(board, state, out)
        except IndexError as error:
            raise GameFileError(
                self.path,
                line_of(self.moves),
                f"moves() failed: {error}; if a position can have more than {self.max_moves} moves,"
                " set MAX_MOVES",
            ) from error
        return tuple(int(move) for move in out[:count])

    def function(self, name: str) -> Function:
        found: Function = getattr(self, name)
        return found


def line_of(function: Function) -> int | None:
    """The line on which a function starts in its file."""
    code = getattr(function, "__code__", None)
    return None if code is None else int(code.co_firstlineno)


def file_of(function: Function) -> str | None:
    """The file that a function is written in, which need not be that of the game. A method, such
    as `Rules.legal_moves`, is none of a game's own."""
    code = None if inspect.ismethod(function) else getattr(function, "__code__", None)
    return code.co_filename if code is not None and os.path.exists(code.co_filename) else None


def read_rules(module: ModuleType, name: str) -> Rules:
    """The rules of a module. Raises GameFileError with what is missing or wrong, and its line."""
    path = str(getattr(module, "__file__", None) or module.__name__)
    state_class = _tuple_class(module, "State", path)
    board_class = _tuple_class(module, "Board", path) if hasattr(module, "Board") else NoBoard
    state_fields = _read_fields(state_class, path, arrays=False)
    functions = {
        function: _read_function(module, function, path, arguments)
        for function, arguments in PARAMETERS.items()
    }
    missing = [function for function in REQUIRED if functions[function] is None]
    if missing:
        names = ", ".join(f"{name}()" for name in missing)
        raise GameFileError(path, None, f"the game lacks {names}")
    defaults = frozenset(function for function, found in functions.items() if found is None)
    if "turn" in defaults and "turn" not in state_class._fields:
        raise GameFileError(
            path, None, "whose turn is it? Give State a field 'turn' or write turn(board, state)"
        )
    found = {function: given for function, given in functions.items() if given is not None}
    point = _read_constant(module, "POINT", path, default=0, low=0, high=1 << 20)
    if "evaluate" in defaults and "score" in found and point:
        found["evaluate"] = _score_as_evaluation(found["score"], point)
    return Rules(
        name=name,
        path=path,
        board_class=board_class,
        state_class=state_class,
        board_fields=_read_fields(board_class, path, arrays=True),
        state_fields=state_fields,
        **{**_default_functions(state_fields), **found},
        defaults=defaults,
        point=point,
        max_moves=_read_constant(module, "MAX_MOVES", path, default=256, low=1, high=4096),
        repeats=bool(_read_constant(module, "REPEATS", path, default=0, low=0, high=1)),
        draws=bool(_read_constant(module, "DRAWS", path, default=1, low=0, high=1)),
    )


def _tuple_class(module: ModuleType, name: str, path: str) -> type[Any]:
    found = getattr(module, name, None)
    if found is None:
        raise GameFileError(path, None, f"the game lacks a class {name}(NamedTuple)")
    if not (isinstance(found, type) and issubclass(found, tuple) and hasattr(found, "_fields")):
        raise GameFileError(path, _line_of_class(found), f"{name} must be a typing.NamedTuple")
    return found


def _line_of_class(found: object) -> int | None:
    try:
        return inspect.getsourcelines(found)[1]  # type: ignore[arg-type]
    except (OSError, TypeError):
        return None


def _read_function(
    module: ModuleType, name: str, path: str, arguments: tuple[str, ...]
) -> Function | None:
    function = getattr(module, name, None)
    if function is None:
        return None
    if not inspect.isfunction(function):
        raise GameFileError(path, None, f"{name} must be a plain function")
    positional = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind
        in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]
    if len(positional) != len(arguments):
        call = f"{name}({', '.join(arguments)})"
        problem = f"{name}() must take {len(arguments)} arguments: {call}"
        raise GameFileError(path, line_of(function), problem)
    return function


def _read_constant(
    module: ModuleType, name: str, path: str, *, default: int, low: int, high: int
) -> int:
    value = getattr(module, name, default)
    if isinstance(value, bool) and (low, high) == (0, 1):
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise GameFileError(
            path, None, f"{name} must be a whole number from {low} to {high}, not {value!r}"
        )
    return value


def _read_fields(tuple_class: type[Any], path: str, *, arrays: bool) -> tuple[Field, ...]:
    try:
        hints = get_type_hints(tuple_class, include_extras=True)
    except (NameError, TypeError) as error:
        raise GameFileError(
            path, _line_of_class(tuple_class), f"{tuple_class.__name__}: {error}"
        ) from error
    fields = []
    for name in tuple_class._fields:
        field = _read_field(name, hints.get(name), arrays=arrays)
        if field is None:
            allowed = "int, bool, Bits or a fixed tuple of them such as tuple[int, int]"
            raise GameFileError(
                path,
                _line_of_class(tuple_class),
                f"{tuple_class.__name__}.{name} must be {allowed}"
                + (", or a NumPy array" if arrays else ""),
            )
        fields.append(field)
    return tuple(fields)


def _read_field(name: str, hint: Any, *, arrays: bool) -> Field | None:
    kind = _scalar_kind(hint)
    if kind is not None:
        return Field(name, kind)
    if get_origin(hint) is tuple:
        kinds = {_scalar_kind(item) for item in get_args(hint)}
        if len(kinds) == 1 and None not in kinds:
            return Field(name, str(kinds.pop()), len(get_args(hint)))
        return None
    if arrays and "ndarray" in getattr(get_origin(hint) or hint, "__name__", ""):
        return Field(name, "array")
    return None


def _scalar_kind(hint: Any) -> str | None:
    if get_origin(hint) is Annotated:
        return "uint64" if get_args(hint) == (int, "uint64") else None
    return {int: "int64", bool: "bool"}.get(hint)


# The defaults, which are compiled like the game's own functions


def default_turn(board: Any, state: Any) -> Any:
    return state.turn


def default_evaluate(board: Any, state: Any) -> int:
    return 0


def default_noisy(board: Any, state: Any, move: int) -> int:
    return 0


def default_score(board: Any, state: Any) -> int:
    return 0


NO_BOUND = 1 << 31
"""More than any utility."""


def default_bounds(board: Any, state: Any) -> tuple[int, int]:
    return -NO_BOUND, NO_BOUND


def _default_functions(state_fields: tuple[Field, ...]) -> dict[str, Function]:
    return {
        "turn": default_turn,
        "evaluate": default_evaluate,
        "noisy": default_noisy,
        "key": _default_key(state_fields),
        "score": default_score,
        "bounds": default_bounds,
        "identity": _default_identity(state_fields),
        "settled": default_settled,
    }


def default_settled(board: Any, state: Any) -> int:
    return 0


# The compiler cannot loop over names, so these are generated field by field.


def _items(state_fields: tuple[Field, ...]) -> list[str]:
    """Every number in a state, as the expression that reads it."""
    return [
        f"state.{field.name}" + (f"[{index}]" if field.length else "")
        for field in state_fields
        for index in range(max(1, field.length))
    ]


def _default_key(state_fields: tuple[Field, ...]) -> Function:
    """A key from every field."""
    stirred = "".join(f"    word = mix(word, {item})\n" for item in _items(state_fields))
    return _generated(
        "default_key", f"    word = {len(state_fields)}\n{stirred}    return word", {"mix": mix}
    )


def _default_identity(state_fields: tuple[Field, ...]) -> Function:
    words = "".join(f"word({item}), " for item in _items(state_fields))
    return _generated("default_identity", f"    return ({words})", {"word": word})


def _score_as_evaluation(score: Function, point: int) -> Function:
    body = f"    return {point} * score(board, state)"
    return _generated("default_evaluate", body, {"score": score})


def _generated(name: str, body: str, names: dict[str, Any]) -> Function:
    namespace = dict(names)
    exec(compile(f"def {name}(board, state):\n{body}", f"<{name}>", "exec"), namespace)
    function: Function = namespace[name]
    return function
