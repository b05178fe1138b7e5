"""Errors of the compiler, in terms of the user's file.

Numba's messages are about pipelines and signatures. These say which of the rules is at fault, on
which line, and what to write instead.
"""

from __future__ import annotations

import os
import re
from typing import Any

from numba import types

from plyground.core.contract import Rules, line_of
from plyground.core.errors import GameFileError
from plyground.search.binding.bound_rules import BoundRules

NOISE = re.compile(
    r"^(Failed in nopython mode pipeline.*|During: .*|File .*|Use of unsupported NumPy function.*"
    r"|- Resolution failure .*|Enable logging at debug level.*|There are \d+ candidate.*|\s*)$"
)
PLACE = re.compile(r'(?:File "|Raised from )(?P<path>[^"]+?)(?:", line | \()(?P<line>\d+)')
SOURCE_BEGINS = re.compile(r'^File "|^During: ', re.MULTILINE)
"""Where a message is followed by the code that it is about."""
FLOAT_HINT = (
    "; compiled, a Bits word combined with a plain number is no longer a word:"
    " write bit(0) for 1, drop_lowest(word) for word & (word - 1)"
)
HINTS = {
    "_replace": "; write the whole state: State(...)",
    "reflected list": "; a constant list must be a tuple",
    "<class 'dict'>": "; a constant table must be a tuple or a NumPy array",
    "<class 'type'>": "; rules use numbers, tuples and functions, no classes but State and Board",
    "of type Module": "; rules can use the module math, and parts of NumPy",
    "STORE_GLOBAL": "; rules cannot change a global: what changes is part of the State",
    "use of yield": "; write the generator out as a loop",
}
"""What to write instead, by what the compiler says."""


def explain_rule(bound: BoundRules, name: str, board_type: Any) -> GameFileError | None:
    """What is wrong with one rule, or None if it compiles and returns what it should."""
    rules = bound.game.rules
    arguments = [board_type, bound.state_type]
    if name == "moves":
        arguments.append(types.Array(types.int64, 1, "C"))
    elif name in ("play", "noisy"):
        arguments.append(types.int64)
    rule = bound.compiled(name)
    try:
        rule.compile(tuple(arguments))
    except Exception as error:  # the compiler's errors have no common ancestor
        return _explanation(error, file_of(rules, name), line_of(rules.function(name)), name)
    returned = rule.overloads[tuple(arguments)].signature.return_type
    wanted = _wanted(bound, name)
    if _fits(returned, wanted, bound):
        return None
    return GameFileError(
        file_of(rules, name),
        line_of(rules.function(name)),
        f"{name}() returns {_plain(str(returned))}, but must return {_plain(str(wanted))}"
        + (FLOAT_HINT if "float" in str(returned) else ""),
    )


def file_of(rules: Rules, name: str) -> str:
    """The file that a rule is written in, which need not be the one that is called the game's."""
    file = str(rules.function(name).__code__.co_filename)
    return file if os.path.exists(file) else rules.path


def _wanted(bound: BoundRules, name: str) -> Any:
    if name == "play":
        return bound.state_type
    if name == "over":
        return types.boolean
    if name == "bounds":
        return types.UniTuple(types.int64, 2)
    if name == "identity":
        return types.UniTuple(types.uint64, 1)
    return types.int64


def _fits(returned: Any, wanted: Any, bound: BoundRules) -> bool:
    if wanted == types.UniTuple(types.uint64, 1):  # of whatever length
        return isinstance(returned, types.UniTuple) and returned.dtype == types.uint64
    if isinstance(wanted, types.UniTuple):
        return _same_kind(returned, wanted)
    if wanted is bound.state_type:
        return (
            isinstance(returned, types.BaseNamedTuple)
            and returned.instance_class is bound.game.rules.state_class
            and all(map(_same_kind, returned.types, wanted.types))
        )
    return isinstance(returned, types.Integer | types.Boolean)


def _same_kind(returned: Any, wanted: Any) -> bool:
    if isinstance(wanted, types.BaseTuple):
        return (
            isinstance(returned, types.BaseTuple)
            and len(returned) == len(wanted)
            and all(map(_same_kind, returned.types, wanted.types))
        )
    return isinstance(returned, types.Integer | types.Boolean)


def _explanation(error: Exception, path: str, line: int | None, name: str) -> GameFileError:
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # Numba colours its messages
    places = [(os.path.abspath(place["path"]), place["line"]) for place in PLACE.finditer(text)]
    line = next((int(number) for where, number in places if where == path), line)
    rows = SOURCE_BEGINS.split(text)[0].splitlines() + text.splitlines()
    left = [row.strip() for row in rows if not NOISE.match(row)]
    left = [row.partition(" Raised from ")[0] for row in left]
    problem = _plain(left[0] if left else "the compiler does not say why")
    hint = FLOAT_HINT if "float64" in text and "int64" in text else ""
    hint = next((advice for sign, advice in HINTS.items() if sign in text), hint)
    return GameFileError(
        path, line, f"{name}() cannot be compiled: {problem[:300].rstrip('.')}{hint}"
    )


def _plain(text: str) -> str:
    """Numba's names for types, as Python programmers know them."""
    for theirs, ours in (("unicode_type", "str"), ("uint64", "Bits"), ("float64", "float")):
        text = text.replace(theirs, ours)
    text = re.sub(r"Module\(<module '(\w+)'[^>]*>\)", r"module \1", text)
    return re.sub(r"Literal\[\w+\]\(([^)]*)\)", r"\1", text).replace("int64", "int")
