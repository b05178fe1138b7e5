"""The rules of a game, compiled, under the symbols that kernels call.

Each function of `RULES` in `search/binding/rule_calls.py` becomes a piece of LLVM bitcode of its
own, compiled when the first kernel needs it.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types

from plyground.core.contract import Field, Function, Rules
from plyground.search.binding.bound_rules import BoundRules
from plyground.search.binding.handles import BOARD, IDENTITY, STATE, WORD
from plyground.search.binding.linking import PREFIX
from plyground.search.binding.native import (
    dispatcher,
    instruction,
    native,
    optimised_module,
    resolve,
)
from plyground.search.binding.pointers import fetch
from plyground.search.binding.rule_calls import CONSTANTS, RULES

CONSTANTS_PART = "constants"


def part_of(symbol: str) -> str:
    """The piece of bitcode that defines a symbol (without its prefix)."""
    if symbol in CONSTANTS:
        return CONSTANTS_PART
    return "identity" if symbol == "identity_width" else symbol


def export(bound: BoundRules, part: str, board: Any) -> bytes:
    """One piece of a game's code, for boards with the types of this one."""
    if part == CONSTANTS_PART:
        return bytes(_constants_module(_constants(bound)).as_bitcode())
    resolve(globals())
    function, kinds = _exported(bound, part, board)
    compiled = dispatcher(function)
    module, name = optimised_module(compiled, kinds)
    module.get_function(name).name = PREFIX + part
    if part == "identity":
        rule = bound.compiled("identity")
        words = rule.overloads[bound.board_type(board), bound.state_type].signature.return_type
        module.link_in(_constants_module({"identity_width": len(words)}))
    return bytes(module.as_bitcode())


def _exported(bound: BoundRules, part: str, board: Any) -> tuple[Function, tuple[Any, ...]]:
    """The function to compile, and the types of its arguments."""
    board_at = types.CPointer(bound.board_type(board))
    state_at = types.CPointer(bound.state_type)
    fields, state_class = bound.game.rules.state_fields, bound.game.rules.state_class
    if part == "flatten":
        function = _flatten(_generate_flatten(fields))
    elif part == "rebuild":
        function = _rebuild(_generate_rebuild(fields, state_class))
    else:
        function = FORMS[part](bound.compiled(part))
    # Kernels know boards and states by their addresses; here is what lies there.
    pointed = {BOARD: board_at, STATE: state_at, IDENTITY: types.CPointer(types.uint64)}
    kinds = tuple(pointed.get(kind, kind) for kind in RULES[part][1])
    # Symbols are named after functions: two versions of a game must not share one.
    function.__qualname__ = f"{part}_export_{bound.digest}"
    return function, kinds


# Each rule as kernels take it: what they get has the right type, whatever the rule computed.


def _count(rule: Any) -> Function:
    def exported(board_at: Any, state_at: Any, out: Any) -> Any:
        count = rule(fetch(board_at), fetch(state_at), out)
        if count > len(out):  # one too many has been written outside the array: go no further
            raise IndexError("more moves than MAX_MOVES")
        return types.int64(count)

    return exported


def _child(rule: Any) -> Function:
    def exported(board_at: Any, state_at: Any, move: Any, child_at: Any) -> None:
        put(child_at, rule(fetch(board_at), fetch(state_at), move))

    return exported


def _boolean(rule: Any) -> Function:
    return lambda board_at, state_at: bool(rule(fetch(board_at), fetch(state_at)))


def _player(rule: Any) -> Function:
    """Kernels use a player as an index: it is 0 or 1 whatever the rule returns."""
    return lambda board_at, state_at: types.int64(rule(fetch(board_at), fetch(state_at)) != 0)


def _number(rule: Any) -> Function:
    return lambda board_at, state_at: types.int64(rule(fetch(board_at), fetch(state_at)))


def _number_of_move(rule: Any) -> Function:
    def exported(board_at: Any, state_at: Any, move: Any) -> Any:
        return types.int64(rule(fetch(board_at), fetch(state_at), move))

    return exported


def _word(rule: Any) -> Function:
    return lambda board_at, state_at: types.uint64(rule(fetch(board_at), fetch(state_at)))


def _two_numbers(rule: Any) -> Function:
    def exported(board_at: Any, state_at: Any) -> Any:
        pair = rule(fetch(board_at), fetch(state_at))
        return types.int64(pair[0]), types.int64(pair[1])

    return exported


def _words(rule: Any) -> Function:
    def exported(board_at: Any, state_at: Any, words_at: Any) -> None:
        words = rule(fetch(board_at), fetch(state_at))
        for index in range(len(words)):
            words_at[index] = words[index]

    return exported


FORMS = {
    "moves": _count,
    "play": _child,
    "over": _boolean,
    "utility": _number,
    "turn": _player,
    "evaluate": _number,
    "noisy": _number_of_move,
    "key": _word,
    "score": _number,
    "bounds": _two_numbers,
    "settled": _number,
    "identity": _words,
}


@instruction
def put(typing_context: Any, pointer: Any, value: Any) -> Any:
    """Write a state to an address, with exactly the types that its class declares."""
    declared = pointer.dtype
    if getattr(value, "instance_class", None) is not declared.instance_class:
        return None
    if not _convertible(typing_context, value, declared):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        converted = _converted(context, builder, arguments[1], value, declared)
        stored = context.data_model_manager[declared].as_data(builder, converted)
        builder.store(stored, arguments[0])
        return context.get_dummy_value()

    return types.none(pointer, value), generate


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


# Constants


def _constants(bound: BoundRules) -> dict[str, int]:
    rules: Rules = bound.game.rules
    return {
        "state_size": bound.state_size,
        "has_noisy": "noisy" not in rules.defaults,
        "has_settled": "settled" not in rules.defaults,
        # In a game of wins no margin is at stake, whatever points it shows.
        "has_score": "score" not in rules.defaults and rules.point > 0,
        "has_bounds": "bounds" not in rules.defaults and rules.point > 0,
        "repeats": rules.repeats,
        "point": rules.point,
        "max_moves": rules.max_moves,
    }


def _constants_module(numbers: dict[str, int]) -> Any:
    """A function without arguments for each number."""
    module = ir.Module()
    module.triple = llvm.get_process_triple()
    for name, number in numbers.items():
        function = ir.Function(module, ir.FunctionType(WORD, []), PREFIX + name)
        ir.IRBuilder(function.append_basic_block()).ret(ir.Constant(WORD, int(number)))
    return llvm.parse_assembly(str(module))


# Items: every number of a state as a word. The sign goes to the lowest bit, so that small numbers
# of either sign have few bits that change.


@native
def folded(number: Any) -> Any:
    return types.uint64((types.int64(number) << 1) ^ (types.int64(number) >> 63))


@native
def unfolded(word: Any) -> Any:
    return types.int64(word >> types.uint64(1)) ^ -types.int64(word & types.uint64(1))


def _flatten(rule: Any) -> Function:
    def exported(state_at: Any, items: Any) -> None:
        rule(fetch(state_at), items)

    return exported


def _rebuild(rule: Any) -> Function:
    def exported(items: Any, state_at: Any) -> None:
        put(state_at, rule(items))

    return exported


def places_of(state_fields: tuple[Field, ...]) -> list[tuple[str, str]]:
    """For each item where it is in a state, and its kind."""
    return [
        (f"state.{field.name}" + (f"[{index}]" if field.length else ""), field.kind)
        for field in state_fields
        for index in range(max(1, field.length))
    ]


def _generate_flatten(state_fields: tuple[Field, ...]) -> Any:
    """Code with a line for each field: the compiler cannot loop over names."""
    lines = [
        f"    items[{number}] = {'folded' if kind == 'int64' else 'unsigned'}({place})\n"
        for number, (place, kind) in enumerate(places_of(state_fields))
    ]
    return _generate("flatten(state, items)", "".join(lines), {})


def _generate_rebuild(state_fields: tuple[Field, ...], state_class: type[Any]) -> Any:
    forms = {"int64": "unfolded(items[{}])", "uint64": "items[{}]", "bool": "(items[{}] != 0)"}
    values, at = [], 0
    for field in state_fields:
        count = max(1, field.length)
        parts = [forms[field.kind].format(at + index) for index in range(count)]
        values.append(f"({', '.join(parts)},)" if field.length else parts[0])
        at += count
    return _generate(
        "rebuild(items)", f"    return State({', '.join(values)})", {"State": state_class}
    )


def _generate(head: str, body: str, names: dict[str, Any]) -> Any:
    namespace = {"folded": folded, "unfolded": unfolded, "unsigned": types.uint64, **names}
    exec(compile(f"def {head}:\n{body}", f"<{head}>", "exec"), namespace)
    return dispatcher(namespace[head.partition("(")[0]])
