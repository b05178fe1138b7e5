"""What the experiments of `plyground lab` share: running them, reading numbers, writing files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from plyground.cli.interrupt import interruptible
from plyground.cli.output import progress_bar, say
from plyground.core.csv_text import csv_text
from plyground.core.errors import FormatError
from plyground.core.files import check_can_be_written, write_atomically
from plyground.lab.plot import check_plot
from plyground.lab.report import Row

Measured = TypeVar("Measured")

CsvFile = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Write the rows as CSV."),
]
PlotFile = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw them: a .png or an .svg."),
]

MOST_NUMBERS = 1000


def gather(results: Iterator[Measured], total: int) -> tuple[list[Measured], bool]:
    """All results, and whether they are complete. A terminal shows a bar.

    Ctrl-C ends the experiment; the results so far are kept.
    """
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:-1], MofNCompleteColumn(), TimeRemainingColumn())
    found: list[Measured] = []
    with progress_bar(*columns) as progress:
        task = progress.add_task("measuring", total=total)
        try:
            while (result := interruptible(partial(next, results, None))) is not None:
                found.append(result)
                progress.advance(task)
        except KeyboardInterrupt:
            return found, False
    return found, True


def check_files(csv: Path | None, plot: Path | None) -> None:
    """Refuse files that cannot be written, before anything is measured."""
    for path in (csv, plot):
        if path is not None:
            check_can_be_written(path)
    if plot is not None:
        check_plot(plot)


def write_results(
    rows: list[Row], csv: Path | None, plot: Path | None, draw: Callable[[Path], bytes]
) -> None:
    """Write the rows as CSV and as a plot, where asked for."""
    if csv is not None:
        write_atomically(csv, csv_text(rows).encode())
        say(f"rows written to {csv}")
    if plot is not None and rows:
        write_atomically(plot, draw(plot))
        say(f"plot written to {plot}")


def read_numbers(name: str, text: str) -> tuple[int, ...]:
    """A list of numbers such as 4, 1-6 or 2,4,6-8: in order, each once."""
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
