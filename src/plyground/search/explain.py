"""The compiler's complaints, said in terms of the user's file.

Numba speaks of pipelines and signatures. An author wants to know which of the rules is at fault,
on which line, and what to write instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from numba import types
from numba.core.errors import NumbaError

from plyground.core.contract import line_of
from plyground.core.errors import GameFileError

if TYPE_CHECKING:
    from plyground.search.compile import Bound

NOISE = re.compile(
    r"^(Failed in nopython mode pipeline.*|During: .*|File .*|Use of unsupported NumPy function.*"
    r"|- Resolution failure .*|Enable logging at debug level.*|There are \d+ candidate.*|\s*)$"
)
PLACE = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+)')
HINT = (
    "; compiled, a Bits word combined with a plain number is no longer a word:"
    " write bit(0) for 1, drop_lowest(word) for word & (word - 1)"
)


def explain_rule(bound: Bound, name: str, board_type: Any) -> GameFileError | None:
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
    except NumbaError as error:
        return _said(error, rules.path, line_of(rules.function(name)), name)
    returned = rule.nopython_signatures[-1].return_type
    wanted = _wanted(bound, name)
    if _fits(returned, wanted, bound):
        return None
    return GameFileError(
        rules.path,
        line_of(rules.function(name)),
        f"{name}() returns {_plain(str(returned))}, but must return {_plain(str(wanted))}"
        + (HINT if "float" in str(returned) else ""),
    )


def _wanted(bound: Bound, name: str) -> Any:
    if name == "play":
        return bound.state_type
    if name in ("over", "noisy"):
        return types.boolean
    return types.int64


def _fits(returned: Any, wanted: Any, bound: Bound) -> bool:
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


def _said(error: NumbaError, path: str, line: int | None, name: str) -> GameFileError:
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # Numba colours its messages
    for place in PLACE.finditer(text):
        if place["path"] == path or path.endswith(place["path"]):
            line = int(place["line"])
    told = [row.strip() for row in text.splitlines() if not NOISE.match(row)]
    problem = _plain(" ".join(told[:3]))
    hint = HINT if "float64" in text and "int64" in text else ""
    return GameFileError(path, line, f"{name}() cannot be compiled: {problem[:300]}{hint}")


def _plain(text: str) -> str:
    """Numba's names for types, as Python programmers know them."""
    for theirs, ours in (("unicode_type", "str"), ("uint64", "Bits"), ("float64", "float")):
        text = text.replace(theirs, ours)
    return re.sub(r"Literal\[\w+\]\(([^)]*)\)", r"\1", text).replace("int64", "int")
