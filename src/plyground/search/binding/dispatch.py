"""The rules as kernels call them: `play(game, board, state, move)` for whatever game it is.

Kernels are compiled once per game. Their first argument is a `Bound` game
(`search/binding/compile.py`), whose Numba type is the game's own; each function here is an empty
name that the compiler replaces by that game's compiled rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from plyground.core import bits
from plyground.core.contract import Function
from plyground.search.binding.compile import Bound, bound_by_key
from plyground.search.binding.native import INNER, instruction, native


class GameType(types.Type):  # type: ignore[misc]
    """The Numba type of one game. Equal digests mean equal rules, in this process or another."""

    def __init__(self, name: str, digest: str) -> None:
        self.game_name = name
        self.digest = digest
        super().__init__(name=f"Game({name},{digest})")

    @property
    def key(self) -> tuple[str, str]:
        return self.game_name, self.digest

    @property
    def bound(self) -> Bound:
        return bound_by_key(self.digest)


@typeof_impl.register(Bound)  # type: ignore[untyped-decorator]
def _type_of_game(value: Bound, context: Any) -> GameType:
    return GameType(value.game.name, value.digest)


@register_model(GameType)
class _GameModel(models.OpaqueModel):  # type: ignore[misc]
    """A game holds nothing at run time: its rules are in the code."""


@unbox(GameType)  # type: ignore[untyped-decorator]
def _unbox_game(kind: Any, value: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())


def compiled_form(name: Function) -> Callable[[Function], Function]:
    """Marks the function that gives the compiled form of a name.

    Numba insists that the parameters of both look the same, and a lambda has no annotations.
    """

    def decorate(typed: Function) -> Function:
        typed.__annotations__ = {}
        overload(name, jit_options=INNER)(typed)
        return typed

    return decorate


# The rules


def moves(game: Any, board: Any, state: Any, out: Any) -> Any: ...
def play(game: Any, board: Any, state: Any, move: Any) -> Any: ...
def over(game: Any, board: Any, state: Any) -> Any: ...
def utility(game: Any, board: Any, state: Any) -> Any: ...
def turn(game: Any, board: Any, state: Any) -> Any: ...
def evaluate(game: Any, board: Any, state: Any) -> Any: ...
def noisy(game: Any, board: Any, state: Any, move: Any) -> Any: ...
def key(game: Any, board: Any, state: Any) -> Any: ...
def score(game: Any, board: Any, state: Any) -> Any: ...
def bounds(game: Any, board: Any, state: Any) -> Any: ...
def identity(game: Any, board: Any, state: Any) -> Any: ...
def settled(game: Any, board: Any, state: Any) -> Any: ...


@compiled_form(moves)
def _moves(game: Any, board: Any, state: Any, out: Any) -> Any:
    rule = game.bound.compiled("moves")
    return lambda game, board, state, out: no_more_than(rule(board, state, out), len(out))


@native
def no_more_than(count: Any, room: Any) -> Any:
    """How many moves there are. One too many has been written outside the array: go no further."""
    if count > room:
        raise IndexError("more moves than MAX_MOVES")
    return types.int64(count)


@compiled_form(play)
def _play(game: Any, board: Any, state: Any, move: Any) -> Any:
    rule = game.bound.compiled("play")
    return lambda game, board, state, move: as_state(game, rule(board, state, move))


@compiled_form(over)
def _over(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("over")
    return lambda game, board, state: bool(rule(board, state))


@compiled_form(utility)
def _utility(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("utility")
    return lambda game, board, state: types.int64(rule(board, state))


@compiled_form(turn)
def _turn(game: Any, board: Any, state: Any) -> Any:
    # Whatever a rule says, kernels see player 0 or 1: they use it as an index.
    rule = game.bound.compiled("turn")
    return lambda game, board, state: types.int64(rule(board, state) != 0)


@compiled_form(evaluate)
def _evaluate(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("evaluate")
    return lambda game, board, state: types.int64(rule(board, state))


@compiled_form(noisy)
def _noisy(game: Any, board: Any, state: Any, move: Any) -> Any:
    rule = game.bound.compiled("noisy")
    return lambda game, board, state, move: types.int64(rule(board, state, move))


@compiled_form(key)
def _key(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("key")
    return lambda game, board, state: types.uint64(rule(board, state))


@compiled_form(score)
def _score(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("score")
    return lambda game, board, state: types.int64(rule(board, state))


@compiled_form(bounds)
def _bounds(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("bounds")
    return lambda game, board, state: as_numbers(rule(board, state))


@native
def as_numbers(pair: Any) -> Any:
    return types.int64(pair[0]), types.int64(pair[1])


@compiled_form(identity)
def _identity(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("identity")
    return lambda game, board, state: rule(board, state)


@compiled_form(settled)
def _settled(game: Any, board: Any, state: Any) -> Any:
    rule = game.bound.compiled("settled")
    return lambda game, board, state: types.int64(rule(board, state))


@instruction
def as_state(typing_context: Any, game: Any, state: Any) -> Any:
    """A state with exactly the types that its class declares, whatever the rule computed."""
    declared = game.bound.state_type

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _converted(context, builder, arguments[1], state, declared)

    if getattr(state, "instance_class", None) is not declared.instance_class:
        return None
    if not _convertible(typing_context, state, declared):
        return None
    return declared(game, state), generate


def _convertible(typing_context: Any, given: Any, declared: Any) -> bool:
    """Item by item: Numba has two types of tuples, and converts neither into the other."""
    if isinstance(declared, types.BaseTuple):
        return (
            isinstance(given, types.BaseTuple)
            and len(given) == len(declared)
            and all(
                _convertible(typing_context, *pair)
                for pair in zip(given.types, declared.types, strict=True)
            )
        )
    return typing_context.can_convert(given, declared) is not None


def _converted(context: Any, builder: Any, value: Any, given: Any, declared: Any) -> Any:
    if not isinstance(declared, types.BaseTuple):
        return context.cast(builder, value, given, declared)
    items = [
        _converted(context, builder, builder.extract_value(value, index), *pair)
        for index, pair in enumerate(zip(given.types, declared.types, strict=True))
    ]
    return context.make_tuple(builder, declared, items)


# Constants of a game, known when its kernels are compiled


def has_noisy(game: Any) -> Any: ...
def has_score(game: Any) -> Any: ...
def has_bounds(game: Any) -> Any: ...
def has_settled(game: Any) -> Any: ...
def repeats(game: Any) -> Any: ...
def point(game: Any) -> Any: ...
def max_moves(game: Any) -> Any: ...


@compiled_form(has_noisy)
def _has_noisy(game: Any) -> Any:
    given = "noisy" not in game.bound.game.rules.defaults
    return lambda game: given


@compiled_form(has_score)
def _has_score(game: Any) -> Any:
    """In a game of wins no margin is at stake, whatever points it shows."""
    rules = game.bound.game.rules
    given = "score" not in rules.defaults and rules.point > 0
    return lambda game: given


@compiled_form(has_bounds)
def _has_bounds(game: Any) -> Any:
    rules = game.bound.game.rules
    given = "bounds" not in rules.defaults and rules.point > 0
    return lambda game: given


@compiled_form(has_settled)
def _has_settled(game: Any) -> Any:
    given = "settled" not in game.bound.game.rules.defaults
    return lambda game: given


@compiled_form(repeats)
def _repeats(game: Any) -> Any:
    value = game.bound.game.rules.repeats
    return lambda game: value


@compiled_form(point)
def _point(game: Any) -> Any:
    value = game.bound.game.rules.point
    return lambda game: value


@compiled_form(max_moves)
def _max_moves(game: Any) -> Any:
    value = game.bound.game.rules.max_moves
    return lambda game: value


# The bit operations of `core/bits.py`, one machine instruction each


@instruction
def _population(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@instruction
def _trailing_zeros(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.uint64), generate


@compiled_form(bits.popcount)
def _popcount(word: Any) -> Any:
    return lambda word: _population(types.uint64(word))


@compiled_form(bits.lowest)
def _lowest(word: Any) -> Any:
    return lambda word: _trailing_zeros(types.uint64(word))


@compiled_form(bits.drop_lowest)
def _drop_lowest(word: Any) -> Any:
    one = types.uint64(1)
    return lambda word: types.uint64(word) & (types.uint64(word) - one)


@compiled_form(bits.bit)
def _bit(index: Any) -> Any:
    one = types.uint64(1)
    return lambda index: one << types.uint64(index)


@compiled_form(bits.word)
def _word(number: Any) -> Any:
    return lambda number: types.uint64(number)


@compiled_form(bits.mix)
def _mix(seed: Any, value: Any) -> Any:
    return lambda seed, value: _stirred(types.uint64(seed) ^ types.uint64(value))


@native
def _stirred(word: Any) -> Any:
    word *= types.uint64(bits.MIX_MULTIPLIER)
    word = (word ^ (word >> types.uint64(32))) * types.uint64(bits.MIX_MULTIPLIER)
    return word ^ (word >> types.uint64(29))
