"""Printing: answers on standard output, progress and messages on standard error."""

from __future__ import annotations

import json
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.errors import FileError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table


def print_json(document: Any) -> None:
    """The one JSON document of a verb that was called with --json."""
    print(json.dumps(document, indent=2, ensure_ascii=False))


def say(message: str) -> None:
    """A message on standard error."""
    print(message, file=sys.stderr, flush=True)


def console(*, error: bool = False) -> Console:
    """A console for tables and colours. Written to a file or a pipe, it keeps to plain text."""
    from rich.console import Console

    stream = sys.stderr if error else sys.stdout
    return Console(
        file=stream,
        width=shutil.get_terminal_size((100, 24)).columns,
        highlight=False,
        markup=False,
        emoji=False,
    )


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A bar on standard error, removed when it is done; invisible where that is no terminal."""
    from rich.progress import Progress

    screen = console(error=True)
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)


def table(*columns: str) -> Table:
    """An empty table; a column whose title starts with > holds numbers."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(
            column.removeprefix(">"),
            justify="right" if column.startswith(">") else "left",
            no_wrap=column.startswith(">"),
            overflow="fold",  # the end of a name may be all that tells two players apart
        )
    return made


def print_table(shown: Table) -> None:
    """Print a table, without blanks at the ends of its lines."""
    screen = console()
    with screen.capture() as captured:
        screen.print(shown)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_rows(rows: dict[str, str]) -> None:
    """Print names and values, one a line."""
    width = max(map(len, rows)) + 2
    for name, value in rows.items():
        print(f"{name:{width}}{value}")


@cache
def announce_compilation() -> None:
    """Announce each game that is compiled, once, on standard error: that takes seconds. Other
    kernels than the one that is wanted now are compiled meanwhile."""
    from plyground.cli.kernels_ahead import start
    from plyground.search.binding.compile import announce

    announce(cache(say))
    announce(lambda _: start())


def write_new(file: Path, text: str, kind: str) -> None:
    """Write a Python file that must not be there yet; `kind` is what it holds."""
    if file.suffix != ".py":
        raise FileError(f"{file}: a {kind} is a Python file, so its name ends in .py")
    try:
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    except FileExistsError:
        raise FileError(
            f"{file} is there already, and is left as it is; give another name"
        ) from None
    except OSError as error:
        raise FileError(f"{file}: cannot write: {error.strerror}") from None


def count_text(count: float) -> str:
    """A count as people read it: 950, 12.3 k, 4.56 M."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= 0.9995 * size:
            scaled = count / size
            return f"{scaled:.0f} {unit}" if scaled >= 999.5 else f"{scaled:.3g} {unit}"
    return f"{count:.0f}"


def seconds_text(seconds: float) -> str:
    """A time as people read it: 12 ms, 1.53 s, 3 min 20 s."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.3g} ms"
    if seconds < 60:
        return f"{seconds:.2f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"
