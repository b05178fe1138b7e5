"""Finds where a test reaches into what it tests: private names of other objects and modules.

Sources are only read. What counts is `object._name`, `setattr(object, "_name", ...)` and the like,
and an import of `_name`; also in programs that tests hold as strings. A class of the tests may use
its own names: those of its methods, and those that it assigns to `self`.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

BY_NAME = ("setattr", "getattr", "delattr", "hasattr", "object")
"""Functions and methods that take an object and the name of an attribute; `patch.object` is one."""

PUBLIC = {
    "_asdict",
    "_exit",
    "_field_defaults",
    "_fields",
    "_make",
    "_replace",
    "_repr_html_",
    "_repr_svg_",
}
"""Documented names: those of named tuples, `os._exit`, and what a notebook calls for a value."""


def private_names(source: str) -> Iterator[tuple[int, str]]:
    """Every private name that is not the test's own, with its line."""
    yield from _accesses(ast.parse(source), frozenset())


def _accesses(tree: ast.AST, own: frozenset[str]) -> Iterator[tuple[int, str]]:
    for node in ast.iter_child_nodes(tree):
        inside = own | _assigned(node) if isinstance(node, ast.ClassDef) else own
        yield from ((line, name) for line, name in _named(node, own) if _is_private(name))
        yield from _accesses(node, inside)


def _named(node: ast.AST, own: frozenset[str]) -> Iterator[tuple[int, str]]:
    """The names of attributes and of imports that a node itself uses."""
    if isinstance(node, ast.Attribute):
        if node.attr not in own:
            yield node.lineno, node.attr
    elif isinstance(node, ast.ImportFrom):
        yield from ((node.lineno, alias.name) for alias in node.names)
    elif isinstance(node, ast.Call) and _called(node.func) in BY_NAME:
        for argument in node.args[:2]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield node.lineno, argument.value.rpartition(".")[2]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from ((node.lineno, name) for name in _in_program(node.value))
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "0" for part in node.values]
        yield from ((node.lineno, name) for name in _in_program("".join(map(str, parts))))


def _in_program(text: str) -> list[str]:
    """The private names in a string, if it is a program."""
    if "plyground" not in text or "import" not in text:
        return []
    try:
        return [name for _, name in private_names(textwrap.dedent(text))]
    except SyntaxError:
        return []


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in PUBLIC


def _assigned(body: ast.ClassDef) -> frozenset[str]:
    """The attributes that a class sets on itself, and its methods."""
    stored = {
        node.attr
        for node in ast.walk(body)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    methods = {
        node.name for node in body.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return frozenset(stored | methods)
