"""The names that a student's file defines, found without running it.

Parsing a hostile text can take all memory and many minutes, so that a child process with limits
does it: this file, run as a program.
"""

from __future__ import annotations

import ast
import gc
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache

DEFINITION = re.compile(r"^(?:class|def|async[ \t]++def)[ \t]++(\w++)", re.MULTILINE)
"""Without backtracking, so that no text takes long."""
MOST_MEMORY = 512 << 20
MOST_SECONDS = 5
"""The limits of the parser: enough for half a megabyte of tables."""
PATIENCE = 60.0
"""Seconds until the parser is stopped: a busy machine must not change the result."""


def defined_names(source: str) -> frozenset[str]:
    """The classes and functions that a text seems to define, even if it is not valid Python."""
    return frozenset(DEFINITION.findall(source))


@lru_cache(maxsize=64)  # called for every task
def top_level_names(source: str) -> frozenset[str]:
    """The names that a file defines at its top level.

    If the file cannot be parsed, those that it seems to define: it will fail when it is run, with a
    message that says why.
    """
    command = [sys.executable, "-I", "-S", "-B", "-W", "ignore", __file__]
    try:
        ran = subprocess.run(
            command,
            input=source.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=True,
        )
        return frozenset(json.loads(ran.stdout))
    except (OSError, subprocess.SubprocessError, ValueError):
        return defined_names(source)


# The child process


def main() -> None:
    limit_this_process()
    gc.disable()  # collecting takes as long as parsing, and finds nothing
    tree = ast.parse(sys.stdin.buffer.read().decode())
    names = {name for statement in _statements(tree.body) for name in _names(statement)}
    print(json.dumps(sorted(names)))


def limit_this_process() -> None:
    if sys.platform != "linux":  # all files are trusted there
        return
    import resource

    for what, most in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_CPU, MOST_SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        if hard == resource.RLIM_INFINITY or hard > most:
            resource.setrlimit(what, (most, most))


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


if __name__ == "__main__":
    main()
