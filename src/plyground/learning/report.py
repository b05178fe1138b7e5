"""A page about a run of learning: the curve, a table of generations, the tests, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from plyground.core.chart import STYLE as CHART_STYLE
from plyground.core.chart import chart, line, text, ticks
from plyground.core.files import write_atomically
from plyground.core.page import html_page, sentence
from plyground.core.svg import element
from plyground.learning.gate import OPPONENTS, GateResult
from plyground.learning.run import FIRST, Generation, Learning

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 340, 60, 36, 14, 150
LABEL = 17
"""Between two labels."""
MOST_ELO = 800
"""The chart ends here: a player that wins every game is better by any number."""

STYLE = (
    CHART_STYLE
    + """
body { max-width: 60rem; }
th, td { padding: 0.3rem 0.7rem; }
td { font-variant-numeric: tabular-nums; }
.chart polyline { fill: none; stroke-width: 2.2; }
.line-0 { stroke: #3b7fc4; } .line-1 { stroke: #c8641b; } .line-2 { stroke: #3d8a55; }
.chart .dot-0 { fill: #3b7fc4; } .chart .dot-1 { fill: #c8641b; } .chart .dot-2 { fill: #3d8a55; }
@media (prefers-color-scheme: dark) {
  .line-0 { stroke: #7fb0e6; } .line-1 { stroke: #eda06a; } .line-2 { stroke: #7fcb9d; }
  .chart .dot-0 { fill: #7fb0e6; } .chart .dot-1 { fill: #eda06a; } .chart .dot-2 { fill: #7fcb9d; }
}
"""
)


def write_report(
    path: Path, learning: Learning, results: Sequence[GateResult], verdict: str
) -> None:
    title = f"Learning {learning.game.title}"
    tests = "".join(f"<li>{escape(sentence(result.text))}</li>\n" for result in results)
    content = (
        f"<h1>{escape(title)}</h1>\n<p>{escape(sentence(verdict))}</p>\n"
        f"<h2>Strength by generation</h2>\n{curve(learning)}\n{_table(learning)}\n"
        + (f"<h2>Tests at equal time</h2>\n<ul>\n{tests}</ul>\n" if tests else "")
    )
    write_atomically(path, html_page(title, STYLE, content).encode())


def curve(learning: Learning) -> str:
    """Elo of each generation against each opponent, with errors."""
    generations = learning.generations
    names = [*learning.opponents, FIRST]
    values = [
        bound
        for one in generations
        for name in names
        if name in one.pairs
        for bound in _bounds(one, name)
    ]
    low, high = min(0.0, *values), max(0.0, *values)
    step_x = (WIDTH - LEFT - RIGHT) / max(1, len(generations) - 1)

    def place(number: int, elo: float) -> tuple[float, float]:
        share = (elo - low) / max(1.0, high - low)
        return LEFT + (number - 1) * step_x, HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)

    parts = []
    for tick in ticks(low, high, most=6):
        y = place(1, tick)[1]
        parts.append(line(LEFT, y, WIDTH - RIGHT, y, "axis" if tick == 0 else "grid"))
        parts.append(text(LEFT - 8, y + 4, f"{tick:+d}" if tick else "0", "end", "faint"))
    for one in generations:
        parts.append(text(place(one.number, 0)[0], HEIGHT - 12, str(one.number), "middle", "faint"))
    labels: list[tuple[float, str, str]] = []
    for number, name in enumerate(names):
        rated = [one for one in generations if name in one.pairs]
        if not rated:
            continue
        points = [place(one.number, _clipped(one.rating(name).elo)) for one in rated]
        shape = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(element("polyline", points=shape, **{"class": f"line-{number}"}))
        for one, (x, y) in zip(rated, points, strict=True):
            bottom, top = (place(one.number, bound)[1] for bound in _bounds(one, name))
            parts.append(line(x, bottom, x, top, f"line-{number}"))
            parts.append(element("circle", cx=x, cy=y, r=3.5, **{"class": f"dot-{number}"}))
        labels.append((points[-1][1], f"against {_opponent(name)}", f"dot-{number}"))
    lowest = float(-LABEL)
    for y, words, kind in sorted(labels):
        lowest = max(y + 4, lowest + LABEL)  # one below the other where lines end together
        parts.append(text(WIDTH - RIGHT + 10, lowest, words, "start", kind))
    return chart(WIDTH, HEIGHT, "Elo of each generation, with errors", "".join(parts))


def _clipped(elo: float) -> float:
    return max(-MOST_ELO, min(MOST_ELO, elo))


def _bounds(generation: Generation, name: str) -> tuple[float, float]:
    interval = generation.rating(name).elo_interval
    return _clipped(interval.low), _clipped(interval.high)


def _opponent(name: str) -> str:
    short = {"own": "its own", "none": "none", FIRST: "the first"}
    return short.get(name, OPPONENTS.get(name, name))


def _table(learning: Learning) -> str:
    names = [*learning.opponents, FIRST]
    heads = "".join(f"<th class='number'>against {_opponent(name)}</th>" for name in names)
    rows = []
    for one in learning.generations:
        cells = "".join(
            f"<td class='number'>{_rating_text(one, name) if name in one.pairs else ''}</td>"
            for name in names
        )
        rows.append(
            f"<tr><td class='number'>{one.number}</td><td class='number'>{one.seconds:.0f} s</td>"
            f"<td class='number'>{one.games:,}</td><td class='number'>{one.loss:.4f}</td>"
            f"{cells}</tr>"
        )
    return (
        "<div class='wide'><table>\n<thead><tr><th class='number'>generation</th>"
        "<th class='number'>after</th><th class='number'>games</th><th class='number'>loss</th>"
        f"{heads}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table></div>"
    )


def _rating_text(generation: Generation, name: str) -> str:
    known = generation.rating(name)
    low, high = known.elo_interval.low, known.elo_interval.high
    return f"{known.elo:+.0f} [{low:.0f}, {high:.0f}]"
