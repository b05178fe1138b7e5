"""What the experiments of `plyground lab` share: gathering, and giving out what was measured."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from plyground.core.errors import FormatError, PlygroundError

Result = TypeVar("Result")

CsvFile = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Write the rows as CSV.", show_default=False),
]
PlotFile = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Draw them: a .png or an .svg.", show_default=False
    ),
]

MOST_NUMBERS = 1000


def gather(results: Iterator[Result], total: int) -> tuple[list[Result], bool]:
    """All results, with a bar on the terminal while they come in, and whether these are all.

    Ctrl-C ends the gathering: what came in before is kept.
    """
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    from plyground.cli.interrupt import interruptible
    from plyground.cli.output import console

    screen = console(error=True)
    columns = (*Progress.get_default_columns()[:-1], MofNCompleteColumn(), TimeRemainingColumn())
    found: list[Result] = []
    with Progress(
        *columns, console=screen, transient=True, disable=not screen.is_terminal
    ) as progress:
        task = progress.add_task("measuring", total=total)
        try:
            while (result := interruptible(partial(next, results, None))) is not None:
                found.append(result)
                progress.advance(task)
        except KeyboardInterrupt:
            return found, False
    return found, True


def check_files(csv: Path | None, plot: Path | None) -> None:
    """Refuse files that cannot be written before anything is measured for them."""
    for path in (csv, plot):
        if path is not None and not path.absolute().parent.is_dir():
            raise PlygroundError(f"cannot write {path}: there is no such folder")
        if path is not None and path.is_dir():
            raise PlygroundError(f"cannot write {path}: it is a folder")
    if plot is not None:
        from plyground.lab.plot import check_plot

        check_plot(plot)


def read_numbers(name: str, text: str) -> tuple[int, ...]:
    """Numbers as people list them: 4, or 1-6, or 2,4,6-8; in order, each once."""
    found: set[int] = set()
    for part in text.split(","):
        if not re.fullmatch(r"\s*[0-9]{1,6}\s*(-\s*[0-9]{1,6}\s*)?", part, re.ASCII):
            raise FormatError(f"--{name} {text!r}: write whole numbers, such as 1-6 or 2,4,8")
        low, _, high = part.partition("-")
        first, last = int(low), int(high or low)
        if last < first or last - first >= MOST_NUMBERS:
            raise FormatError(f"--{name} {text!r}: from {first} to {last} is no range to measure")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def mean_text(mean: float, error: float | None, write: Callable[[float], str]) -> str:
    """A mean, with its standard error where there is one."""
    return write(mean) if error is None else f"{write(mean)} ± {write(error)}"
