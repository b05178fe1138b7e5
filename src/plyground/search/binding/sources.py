"""What a game's rules consist of: the functions they call, and a digest of all of it.

The digest is made of what the interpreter holds, never of the text on disk: a file that was edited
after it was loaded would otherwise give its new name to the old rules.
"""

from __future__ import annotations

import enum
import hashlib
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from plyground.core import bits, contract, values
from plyground.core.contract import COMPILED, Function, Rules

BUILT_IN: frozenset[Function] = frozenset(
    {bits.popcount, bits.lowest, bits.drop_lowest, bits.bit, bits.word, bits.mix}
)
"""What `search/binding/bit_operations.py` gives a compiled form of its own."""

DIGEST_LENGTH = 16

SEARCH = Path(__file__).parent.parent
ALSO_COMPILED = ("learning/fit.py", "learning/self_play.py")
"""Modules outside the search package that have kernels."""
NEVER_COMPILED = (
    "binding/code_cache.py",
    "binding/compiler_main.py",
    "binding/compiler_process.py",
    "binding/diagnostics.py",
    "binding/sources.py",
    "conformance/",
    "engine/engine.py",
    "garbage_collection.py",
    "large_pages.py",
    "memory_limit.py",
    "net/evaluation.py",
    "net/files.py",
    "net/net.py",
    "random_games.py",
    "result.py",
    "searcher.py",
    "solving/checkpoint.py",
    "solving/exhaustive/solver.py",
    "solving/kernel_solver.py",
    "solving/methods.py",
    "solving/proof_number/job_level.py",
    "solving/proof_number/job_log.py",
    "solving/proof_number/jobs.py",
    "solving/proof_number/solver.py",
    "solving/retrograde/analysis.py",
    "solving/retrograde/solver.py",
    "solving/solution.py",
    "textbook/",
    "thread_cores.py",
    "time_management.py",
)
"""Modules and folders of the search package that no kernel calls. A change of any other one
compiles all kernels anew; forgetting to list a module here costs that and nothing else."""

COMPILER_SETTINGS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_DEBUG")
"""Variables of the environment that change what is compiled."""

VERSIONED = ("numpy", "numba")
"""Packages that change only with their version, which is part of every digest, as Python's is."""
STANDARD_LIBRARY = str(Path(enum.__file__).parent)

PLAIN = frozenset({str, bytes, int, bool, float})
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def reachable_functions(function: Function) -> list[tuple[Any, dict[str, Any]]]:
    """A function and all those it calls, each with the plain functions that it calls by name.

    Callees come first, unless two functions call each other. A function that its author had
    compiled counts by what it was made of, but is no callee: it can be called as it is.
    """
    found: set[Any] = set()
    order: list[tuple[Any, dict[str, Any]]] = []

    def visit(current: Any) -> None:
        if current in found:
            return
        found.add(current)
        called: dict[str, Any] = {}
        for name, value in _referenced(current):
            plain = uncompiled(value)
            if not isinstance(plain, FunctionType) or plain in BUILT_IN:
                continue
            if plain is value:
                called[name] = value
            visit(plain)
        order.append((current, called))

    visit(function)
    return order


def uncompiled(value: Any) -> Any:
    """The function that was given to Numba's decorator; anything else as it is."""
    plain = getattr(value, "py_func", None)
    return plain if isinstance(plain, FunctionType) else value


def _referenced(function: Any) -> Iterator[tuple[str, Any]]:
    """The globals that a function names, in it or in the functions within it."""
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: CodeType) -> Iterator[str]:
    """Every name in a function that is not local to it: globals, and attributes of anything."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def kernel_digest() -> str:
    """A name for everything that decides what the compiled kernels do."""
    return _surroundings().hex()


def digest_of(rules: Rules) -> str:
    """A short name for everything that decides what the compiled code does."""
    digest = hashlib.sha256(_surroundings())
    description = _Description()
    for part in (
        rules.name,
        rules.path,
        repr(rules.board_fields),
        repr(rules.state_fields),
        rules.board_class,
        rules.state_class,
        sorted(rules.defaults),
        rules.point,
        rules.max_moves,
        rules.repeats,
        *(rules.function(name) for name in COMPILED),
    ):
        digest.update(description.of(part).encode())
    return digest.hexdigest()[:DIGEST_LENGTH]


class _Description:
    """Values as text: the same in every process, and different for different values.

    What can refer to itself is described once; after that its number stands for it.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def of(self, value: Any) -> str:
        value_type = type(value).__qualname__
        if type(value) in PLAIN:  # as below, sooner: nearly all values are
            return f"{value_type}:{value!r}"
        if isinstance(value, enum.Enum):
            return f"{value_type}.{value.name}={self.of(value.value)}"
        if isinstance(value, str | bytes | int | float):
            return f"{value_type}:{value!r}"
        if isinstance(value, tuple | list):
            return f"{value_type}[{self._list(value)}]"
        if isinstance(value, set | frozenset):
            return f"{value_type}[{','.join(sorted(map(self.of, value)))}]"
        if isinstance(value, dict):
            return f"{value_type}[{self._list(value.items())}]"
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, CodeType):
            return self._code(value)
        plain = uncompiled(value)
        if isinstance(plain, FunctionType | type | ModuleType):
            options = "" if plain is value else repr(getattr(value, "targetoptions", None))
            return options + self._once(plain)
        return f"{value_type}:{ADDRESS.sub('', repr(value))}"

    def _list(self, items: Any) -> str:
        return ",".join(map(self.of, items))

    def _once(self, value: Any) -> str:
        number = self._numbers.get(id(value))
        if number is not None:
            return f"#{number}"
        self._numbers[id(value)] = len(self._numbers)
        name = f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
        if isinstance(value, ModuleType):
            return f"module {value.__name__}"
        if _is_foreign(value.__module__) or value in BUILT_IN:
            return name
        if isinstance(value, type):
            return f"{name}({self._members(value)})"
        return f"{name}({self._function(value)})"

    def _function(self, function: Any) -> str:
        names = dict.fromkeys(_names(function.__code__))
        closure = [cell.cell_contents for cell in function.__closure__ or () if _is_full(cell)]
        parts = [function.__code__, function.__defaults__, function.__kwdefaults__, closure]
        described = [self.of(part) for part in parts]
        for name, value in _referenced(function):
            described.append(f"{name}={self.of(value)}")
        for module in [*(value for _, value in _referenced(function)), *closure]:
            if isinstance(module, ModuleType):
                described.append(self._attributes(module, names))
        return ";".join(described)

    def _attributes(self, module: ModuleType, names: dict[str, None]) -> str:
        """What a function may take from a module: all that goes by a name that it mentions."""
        if _is_foreign(module.__name__):
            return ""
        found = [(name, vars(module)[name]) for name in names if name in vars(module)]
        inner = {name: value for name, value in found if isinstance(value, ModuleType)}
        # Two modules may hold each other: a name that has led on to one is not followed again.
        fewer = {name: None for name in names if name not in inner}
        return ";".join(
            [f"{module.__name__}.{name}={self.of(value)}" for name, value in found]
            + [self._attributes(part, fewer) for part in inner.values()]
        )

    def _members(self, value: type) -> str:
        """The constants of a class: an enumeration's members, a tuple's fields, plain numbers."""
        if issubclass(value, enum.Enum):
            return self._list(value.__members__.values())
        fields = getattr(value, "_fields", ())
        defaults = getattr(value, "_field_defaults", {})
        own = {
            name: member
            for name, member in vars(value).items()
            if not name.startswith("__") and isinstance(member, int | float | str | tuple | list)
        }
        return self.of((fields, defaults, own))

    def _code(self, code: CodeType) -> str:
        return self.of(
            (
                code.co_code,
                code.co_consts,
                code.co_names,
                code.co_varnames,
                code.co_freevars,
                code.co_cellvars,
                code.co_argcount,
                code.co_posonlyargcount,
                code.co_kwonlyargcount,
                code.co_flags,
                code.co_exceptiontable,
            )
        )

    def _array(self, array: Any) -> str:
        if array.dtype.hasobject:
            return f"{array.dtype}{array.shape}{self.of(array.tolist())}"
        order = "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "A"
        content = hashlib.sha256(array.tobytes()).hexdigest()
        return f"{array.dtype.str}{array.dtype}{array.shape}{order}{content}"


def _is_foreign(module: str | None) -> bool:
    """Whether a module is Python's own, or one of the packages we know the version of."""
    package = (module or "").partition(".")[0]
    if package in VERSIONED:
        return True
    # An author's own file may bear the name of a module of Python's.
    file = getattr(sys.modules.get(package), "__file__", None) or STANDARD_LIBRARY
    return package in sys.stdlib_module_names and file.startswith(STANDARD_LIBRARY)


def _is_full(cell: Any) -> bool:
    """A cell is empty while the function around it has not yet given the name a value."""
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


@cache
def _surroundings() -> bytes:
    """The compiler, the way it is set up, and our own sources that are compiled into a kernel."""
    versions = (sys.version, version("numba"), np.__version__)
    settings = (*versions, *map(os.environ.get, COMPILER_SETTINGS))
    core = [Path(str(module.__file__)) for module in (bits, contract, values)]
    ours = [
        path
        for path in sorted(SEARCH.rglob("*.py"))
        if not path.relative_to(SEARCH).as_posix().startswith(NEVER_COMPILED)
    ]
    others = [SEARCH.parent / name for name in ALSO_COMPILED]
    sources = [*core, *ours, *others]
    compiled = b"".join(hashlib.sha256(path.read_bytes()).digest() for path in sources)
    return hashlib.sha256(repr(settings).encode() + compiled).digest()
