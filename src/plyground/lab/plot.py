"""Plots of the results, as PNG or SVG. Imported only when a plot is wanted."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.errors import PlygroundError
from plyground.lab.report import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")
SIZE = 8.0, 5.5
"""Inches."""
DOTS = 150
"""To an inch, in a PNG."""

COLOURS = (
    "#1f4e9c",
    "#d1495b",
    "#2e8b57",
    "#b8730b",
    "#6a3d9a",
    "#0e7c86",
    "#8c4a2f",
    "#d6409f",
    "#5b6770",
    "#111111",
)
MARKERS = "os^Dv<>Ph*"
"""Lines differ in colour and in their markers."""


def check_plot(path: Path) -> None:
    """Raise if the plot cannot be written, before anything is measured for it."""
    if path.suffix.lower() not in FORMATS:
        raise PlygroundError(f"cannot plot to {path}: the name must end in .png or .svg")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PlygroundError("a plot takes matplotlib, which is not installed") from None


def plot_pruning(rows: Sequence[Row], path: Path, *, title: str, games: bool) -> bytes:
    """States visited against depth, on a logarithmic scale, a line for each algorithm."""
    figure, axes = _new_figure(title)
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    has_label = False
    for number, name in enumerate(names):
        own = [row for row in rows if row["algorithm"] == name]
        _line(axes, number, name, own, x="depth", y="states")
        published = [row for row in own if row.get("published") is not None]
        if published:
            axes.plot(
                [row["depth"] for row in published],
                [row["published"] for row in published],
                linestyle="none",
                marker="_",
                markersize=16,
                markeredgewidth=2,
                color="black",
                label=None if has_label else "published",
                zorder=5,
            )
            has_label = True
    axes.set_yscale("log")
    axes.set_xlabel("depth of search (plies)")
    axes.set_ylabel("states visited in a " + ("game" if games else "search"))
    axes.set_xticks(sorted({row["depth"] for row in rows}))
    axes.legend(frameon=False)
    return _written(figure, path)


def plot_ablation(rows: Sequence[Row], path: Path, *, title: str) -> bytes:
    """Depth reached against time, a line for each search, the best at the top of the legend."""
    figure, axes = _new_figure(title)
    names = list(dict.fromkeys(row["search"] for row in rows))
    for number, name in enumerate(names):
        own = [row for row in rows if row["search"] == name]
        _line(axes, number, name, own, x="seconds", y="depth")
    times = sorted({row["seconds"] for row in rows})
    axes.set_xscale("log")
    axes.set_xticks(times, [f"{seconds:g}" for seconds in times])
    axes.minorticks_off()
    axes.set_xlabel("time for a move (seconds)")
    axes.set_ylabel("depth reached (plies)")
    axes.set_ylim(bottom=0)
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        handles[::-1], labels[::-1], frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5)
    )
    return _written(figure, path)


def _new_figure(title: str) -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    FigureCanvasAgg(figure)  # draws without a screen
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", fontsize=11)
    axes.grid(visible=True, which="major", color="#d8d8d8", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _line(axes: Axes, number: int, name: str, rows: Sequence[Row], *, x: str, y: str) -> None:
    axes.errorbar(
        [row[x] for row in rows],
        [row[y] for row in rows],
        yerr=[row["error"] or 0 for row in rows],
        label=name,
        color=COLOURS[number % len(COLOURS)],
        marker=MARKERS[number % len(MARKERS)],
        markersize=5,
        linewidth=1.6,
        capsize=3,
    )


def _written(figure: Figure, path: Path) -> bytes:
    """The contents of the file. The same results give the same file: no date, no random names."""
    import matplotlib

    file = io.BytesIO()
    kind = path.suffix.lower().removeprefix(".")
    metadata: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
    with matplotlib.rc_context({"svg.hashsalt": "plyground", "svg.fonttype": "path"}):
        figure.savefig(file, format=kind, dpi=DOTS, metadata=metadata)
    return file.getvalue()
