"""What a student's file defines, found in its text. Nothing of it is run.

Even to parse a text can take all memory and many minutes, if it is written for that. So it is done
in a process with limits of its own: this file, run as a program.
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
"""It never goes back over what it has read, so that no text takes long."""
MOST_MEMORY = 512 << 20
MOST_SECONDS = 5
"""What a parser may use up: more than half a megabyte of tables takes, if it is meant to be run."""
PATIENCE = 60.0
"""Seconds until a parser is given up: a busy machine must not change what is found."""


def defined_names(source: str) -> frozenset[str]:
    """The classes and functions that a text seems to define, be it Python or not."""
    return frozenset(DEFINITION.findall(source))


@lru_cache(maxsize=64)  # every task asks anew
def top_level_names(source: str) -> frozenset[str]:
    """The names that a file gives a meaning to at its top level.

    Where the file is no Python, or too much for a parser, those that it seems to define: it will
    fail when it is run, and then it is told why.
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


# In the process that parses


def main() -> None:
    limit_this_process()
    gc.disable()  # a tree has no garbage in it, and to look for some takes as long as to parse
    tree = ast.parse(sys.stdin.buffer.read().decode())
    names = {name for statement in _statements(tree.body) for name in _names(statement)}
    print(json.dumps(sorted(names)))


def limit_this_process() -> None:
    try:
        import resource
    except ImportError:  # there is none where there is no sandbox either: the files are trusted
        return
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
