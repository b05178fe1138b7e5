"""Runs the notebook of the examples, cell by cell, and writes what its cells show into it.

A cell is run as a notebook runs it: its statements in one namespace for all cells, and if the last
one is an expression, its value is shown as the object draws itself. No Jupyter is needed. `make
golden` writes the outputs anew; the tests compare them.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from tests.paths import EXAMPLES

FILE = EXAMPLES / "notebook.ipynb"
DRAWINGS = {"_repr_svg_": "image/svg+xml", "_repr_html_": "text/html"}
"""The methods that a notebook calls for a value, and the kind of what they return."""
SECONDS = re.compile(r"\d+\.\d{3} s\b")

Output = dict[str, Any]


def read() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return document


def executed(document: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs that its cells have now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    numbered = iter(range(1, len(document["cells"]) + 1))
    return {
        **document,
        "cells": [
            run_cell(cell, next(numbered), names) if cell["cell_type"] == "code" else cell
            for cell in document["cells"]
        ],
    }


def run_cell(cell: dict[str, Any], number: int, names: dict[str, Any]) -> dict[str, Any]:
    source = "".join(cell["source"])
    body = ast.parse(source, f"cell {number}").body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[Output] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed)})
    if value is not None:
        outputs.append(
            {
                "data": dict(shown(value)),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return {**cell, "execution_count": number, "outputs": outputs}


def shown(value: Any) -> Iterator[tuple[str, list[str]]]:
    """A value in every form in which it shows itself. Times are not kept: they vary."""
    for method, kind in DRAWINGS.items():
        if hasattr(value, method):
            yield kind, without_times(getattr(value, method)())
    yield "text/plain", without_times(repr(value))


def without_times(text: str) -> list[str]:
    text = re.sub(r"seconds=[\d.e-]+", "seconds=0.0", SECONDS.sub("0.000 s", text))
    return text.splitlines(keepends=True)


def lines(printed: io.StringIO) -> list[str]:
    return printed.getvalue().splitlines(keepends=True)


def write() -> None:
    FILE.write_text(json.dumps(executed(read()), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    write()
