"""What a student's file defines, found in its text. Nothing of it is run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

DEFINITION = re.compile(r"^(?:class|def|async[ \t]+def)[ \t]+(\w+)", re.MULTILINE)


def top_level_names(source: str) -> set[str]:
    """The names that a file gives a meaning to at its top level.

    Where the file is no Python, those that it seems to define: it will fail when it is run, and
    then it is told why.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an escape that is none, for example
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(DEFINITION.findall(source))
    return {name for statement in _statements(tree.body) for name in _names(statement)}


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of the top level, those under `if`, `try` and the like too."""
    waiting = list(reversed(body))
    while waiting:
        statement = waiting.pop()
        yield statement
        if not isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for part in (statement, *getattr(statement, "handlers", [])):
                for name in ("body", "orelse", "finalbody"):
                    waiting += getattr(part, name, [])


def _names(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).split(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))
