"""The rules as kernels call them: `play(game, board, state, move)` for any game.

Kernels are compiled once per game. Their first argument is a bound game, and every game has a Numba
type of its own (`search/binding/bound_rules.py`). Each name in the table of rules and constants
below stands for a function that the compiler replaces by that game's compiled form. A new function
of the contract is one more line of that table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types

from plyground.core.contract import Function, Rules
from plyground.search.binding.bound_rules import BoundRules
from plyground.search.binding.native import compiled_form, instruction, native


def _by_game(name: str, form_for: Callable[[BoundRules], Function]) -> Function:
    """A name for kernels to call, whose compiled form depends on the game, its first argument."""

    def called(*arguments: Any) -> Any:
        raise NotImplementedError(f"{name} is for compiled code")

    @compiled_form(called)
    def typed(game: Any, *arguments: Any) -> Function:
        form = form_for(game.bound)
        # Compiled code goes by this name on disk too, so no two forms may share it.
        form.__qualname__ = name
        return form

    return called


def _rule(name: str, checked: Callable[[Any], Function]) -> Function:
    """A rule of the game. `checked` makes its compiled form from the compiled rule: what kernels
    get has the right type, whatever the rule computed."""
    return _by_game(name, lambda bound: checked(bound.compiled(name)))


def _constant(name: str, value_for: Callable[[Rules], int]) -> Function:
    """A number that is known when kernels are compiled."""

    def form_for(bound: BoundRules) -> Function:
        value = value_for(bound.game.rules)
        return lambda game: value

    return _by_game(name, form_for)


# What a rule returns, as kernels take it


def _count(rule: Any) -> Function:
    return lambda game, board, state, out: no_more_than(rule(board, state, out), len(out))


def _state(rule: Any) -> Function:
    return lambda game, board, state, move: as_state(game, rule(board, state, move))


def _boolean(rule: Any) -> Function:
    return lambda game, board, state: bool(rule(board, state))


def _player(rule: Any) -> Function:
    """Kernels use a player as an index: it is 0 or 1 whatever the rule returns."""
    return lambda game, board, state: types.int64(rule(board, state) != 0)


def _number(rule: Any) -> Function:
    return lambda game, board, state: types.int64(rule(board, state))


def _number_of_move(rule: Any) -> Function:
    return lambda game, board, state, move: types.int64(rule(board, state, move))


def _two_numbers(rule: Any) -> Function:
    return lambda game, board, state: as_numbers(rule(board, state))


def _word(rule: Any) -> Function:
    return lambda game, board, state: types.uint64(rule(board, state))


def _words(rule: Any) -> Function:
    return lambda game, board, state: rule(board, state)


@native
def no_more_than(count: Any, room: Any) -> Any:
    """How many moves there are. One too many has been written outside the array: go no further."""
    if count > room:
        raise IndexError("more moves than MAX_MOVES")
    return types.int64(count)


@native
def as_numbers(pair: Any) -> Any:
    return types.int64(pair[0]), types.int64(pair[1])


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


# The table: rules, then constants. A rule is called with the game, the board and the state; `moves`
# also with the array to fill, `play` and `noisy` with a move. A constant is called with the game.

moves = _rule("moves", _count)
play = _rule("play", _state)
over = _rule("over", _boolean)
utility = _rule("utility", _number)
turn = _rule("turn", _player)
evaluate = _rule("evaluate", _number)
noisy = _rule("noisy", _number_of_move)
key = _rule("key", _word)
score = _rule("score", _number)
bounds = _rule("bounds", _two_numbers)
identity = _rule("identity", _words)
settled = _rule("settled", _number)

has_noisy = _constant("has_noisy", lambda rules: "noisy" not in rules.defaults)
has_settled = _constant("has_settled", lambda rules: "settled" not in rules.defaults)
# In a game of wins no margin is at stake, whatever points it shows.
has_score = _constant("has_score", lambda rules: "score" not in rules.defaults and rules.point > 0)
has_bounds = _constant(
    "has_bounds", lambda rules: "bounds" not in rules.defaults and rules.point > 0
)
repeats = _constant("repeats", lambda rules: rules.repeats)
point = _constant("point", lambda rules: rules.point)
max_moves = _constant("max_moves", lambda rules: rules.max_moves)
