"""Running the command line in tests: in this process, which is quick, or as one of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from plyground.cli.main import run

COMPILING = re.compile(r"^compiling .*\n", re.MULTILINE)
"""What is said when the game has not been compiled here before. Tests must not care."""


@dataclass(frozen=True)
class Ran:
    """What came of a command line."""

    status: int
    output: str
    errors: str

    @property
    def document(self) -> Any:
        """Standard output, which must be exactly one JSON document."""
        return json.loads(self.output)


def plyground(*arguments: str | Path, typed: str | bytes = "") -> Ran:
    """Run a command line in this process, with `typed` as its standard input."""
    output, errors = io.StringIO(), io.StringIO()
    data = typed.encode() if isinstance(typed, str) else typed
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")),
        patch.dict(os.environ, {"COLUMNS": "100"}),
    ):
        status = run([str(argument) for argument in arguments])
    return Ran(status, output.getvalue(), COMPILING.sub("", errors.getvalue()))


def refusal(*arguments: str | Path, typed: str | bytes = "") -> str:
    """The one line that says what is wrong with a command line; all else must be as it should."""
    ran = plyground(*arguments, typed=typed)
    assert ran.status == 2, ran
    assert ran.output == "", ran
    lines = ran.errors.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("plyground: "), lines
    assert lines[0].isprintable()
    return lines[0].removeprefix("plyground: ")


def process(*arguments: str | Path, **settings: Any) -> subprocess.Popen[str]:
    """The command line as a program of its own, with its three streams piped."""
    environment: Mapping[str, str] = settings.pop("environment", {})
    return subprocess.Popen(
        [sys.executable, "-m", "plyground", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "100", **environment},
        **settings,
    )


def matches(pattern: str, text: str) -> bool:
    """Whether a text is the pattern, in which three dots stand for anything.

    How wide the columns of a table are may depend on what stands for the dots, so that runs of
    blanks, and of the line under a heading, are all as good as one.
    """
    pattern, text = (re.sub(r"([ ─])\1+", r"\1", given.strip()) for given in (pattern, text))
    return re.fullmatch(r"[\s\S]*?".join(map(re.escape, pattern.split("..."))), text) is not None
