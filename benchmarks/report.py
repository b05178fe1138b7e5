"""The report of a benchmark: rows of figures, each with a target and whether it is met."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

WIDTH = 140
VERDICTS = {True: "yes", False: "NO", None: "-"}


class UnavailableError(Exception):
    """This benchmark cannot be run here; the message says what it lacks."""


@dataclass(frozen=True)
class Row:
    """One comparison. `met` is None where there is no target, or the run was too small to judge."""

    what: str
    ours: str
    other: str
    figure: str
    """Nearly always a ratio, so written that more is better."""
    target: str
    met: bool | None
    numbers: Mapping[str, float] = field(default_factory=dict)
    """The bare numbers behind the row, for `--json`."""


def ratio_row(
    what: str,
    *,
    ours: str,
    other: str,
    ratio: float,
    target: float,
    judged: bool,
    at_least: bool = False,
    numbers: Mapping[str, float] | None = None,
) -> Row:
    """A ratio that should reach a target. `at_least`: a lower bound, as the other was stopped."""
    return Row(
        what,
        ours,
        other,
        ("> " if at_least else "") + ratio_text(ratio),
        f">= {ratio_text(target)}" if judged else "-",
        # A bound below the target proves nothing either way, and is not called met.
        ratio >= target if judged else None,
        {"ratio": ratio, "target": target, **(numbers or {})},
    )


def ratio_text(ratio: float) -> str:
    return f"{ratio:,.0f}x" if ratio >= 100 else f"{ratio:.3g}x"


def seconds_text(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def rate_text(nodes_per_second: float) -> str:
    return f"{nodes_per_second / 1e6:.2f} M nodes/s"


def print_rows(name: str, description: str, rows: Sequence[Row]) -> None:
    table = Table(
        title=f"{name}: {description.rstrip('.')}", title_justify="left", title_style="bold"
    )
    for heading in ("measured", "ours", "other", "figure", "target", "met"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(row.what, row.ours, row.other, row.figure, row.target, VERDICTS[row.met])
    console = Console()
    if not console.is_terminal:  # a file or a pipe has no width to fit
        console = Console(width=WIDTH)
    console.print(table)


def machine() -> dict[str, Any]:
    """The machine on which the figures were measured."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def write_json(
    path: Path, results: Mapping[str, Sequence[Row]], skipped: Mapping[str, str]
) -> None:
    document = {
        "machine": machine(),
        "benchmarks": {name: [asdict(row) for row in rows] for name, rows in results.items()},
        "skipped": dict(skipped),
    }
    path.write_text(json.dumps(document, indent=2) + "\n")
