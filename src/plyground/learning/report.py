"""A page about a run of learning: the curve, a table of generations, the tests, the verdict, and
what the net thinks of single features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from plyground.arena.statistics import Estimate, GameCounts, PairCounts, estimate
from plyground.core.chart import STYLE as CHART_STYLE
from plyground.core.chart import chart, kind_of, line, text, ticks
from plyground.core.files import write_atomically
from plyground.core.page import html_page, sentence
from plyground.core.svg import element
from plyground.learning.effect_charts import STYLE as EFFECTS_STYLE
from plyground.learning.effect_charts import effects_section
from plyground.learning.gate import GateResult
from plyground.learning.run import (
    FIRST,
    MATCH_NODES,
    NONE,
    OWN,
    Generation,
    Learning,
)

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 370, 60, 50, 26, 150
LABEL = 17
"""Between two labels."""
ASIDE = 4
"""Between the error bars of two opponents."""
MOST_ELO = 800
"""The chart ends here: a player that wins every game is better by any number."""
ORDER = (OWN, NONE, FIRST)
SHORT = {OWN: "its own", NONE: "none", FIRST: "the first"}
CURVE_TEXT = (
    "Each generation played against the game's own evaluation if there is one, against none and"
    f" against the first generation: pairs of games with {MATCH_NODES:,} nodes a"
    f" move. Bars are intervals of 95 %; the chart ends at {MOST_ELO} Elo."
)

RatingsByOpponent = Mapping[str, Mapping[int, Estimate]]
"""By opponent, then by generation."""

CURVE_STYLE = (
    CHART_STYLE
    + """
.chart polyline { fill: none; stroke-width: 2.2; } .chart .error { stroke-opacity: 0.55; }
.line-0 { stroke: #3b7fc4; } .line-1 { stroke: #c8641b; } .line-2 { stroke: #3d8a55; }
.chart .dot-0 { fill: #3b7fc4; } .chart .dot-1 { fill: #c8641b; } .chart .dot-2 { fill: #3d8a55; }
@media (prefers-color-scheme: dark) {
  .line-0 { stroke: #7fb0e6; } .line-1 { stroke: #eda06a; } .line-2 { stroke: #7fcb9d; }
  .chart .dot-0 { fill: #7fb0e6; } .chart .dot-1 { fill: #eda06a; } .chart .dot-2 { fill: #7fcb9d; }
}
"""
)
STYLE = (
    CURVE_STYLE
    + EFFECTS_STYLE
    + """
body { max-width: 60rem; }
th, td { padding: 0.3rem 0.7rem; }
td { font-variant-numeric: tabular-nums; }
"""
)


def write_report(
    path: Path, learning: Learning, results: Sequence[GateResult], verdict: str
) -> None:
    title = f"Learning {learning.game.title}"
    tests = "".join(f"<li>{escape(sentence(result.text))}</li>\n" for result in results)
    rated = ratings({one.number: one.pairs for one in learning.generations})
    content = (
        f"<h1>{escape(title)}</h1>\n<p>{escape(sentence(verdict))}</p>\n"
        f"<h2>Strength by generation</h2>\n"
        f"<p>{escape(CURVE_TEXT)}</p>\n{curve(rated)}\n{_table(learning)}\n"
        + (f"<h2>Tests at equal time</h2>\n<ul>\n{tests}</ul>\n" if tests else "")
        + effects_section(learning.start, learning.best.net)
    )
    write_atomically(path, html_page(title, STYLE, content).encode())


def ratings(pairs: Mapping[int, Mapping[str, PairCounts]]) -> RatingsByOpponent:
    """Ratings against each opponent, from the pairs of games that each generation has played."""
    found: dict[str, dict[int, Estimate]] = {}
    for number, played in pairs.items():
        for name in sorted(played, key=ORDER.index):
            found.setdefault(name, {})[number] = estimate(played[name], GameCounts.of(()))
    return found


def curve(rated: RatingsByOpponent) -> str:
    """Elo of each generation against each opponent, with errors."""
    numbers = sorted({number for known in rated.values() for number in known})
    estimates = [one for known in rated.values() for one in known.values()]
    bounds = [bound for one in estimates for bound in _bounds(one)]
    low, high = min(0.0, *bounds), max(0.0, *bounds)
    step_x = (WIDTH - LEFT - RIGHT) / max(1, len(numbers) - 1)

    def place(number: int, elo: float) -> tuple[float, float]:
        share = (elo - low) / max(1.0, high - low)
        return LEFT + (number - 1) * step_x, HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)

    parts = []
    for tick in ticks(low, high, most=6):
        y = place(1, tick)[1]
        parts.append(line(LEFT, y, WIDTH - RIGHT, y, "axis" if tick == 0 else "grid"))
        parts.append(text(LEFT - 8, y + 4, f"{tick:+d}" if tick else "0", "end", "faint"))
    for number in numbers:
        parts.append(text(place(number, 0)[0], HEIGHT - 26, str(number), "middle", "faint"))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "generation", "middle", "faint"))
    parts.append(text(LEFT - 8, TOP - 8, "Elo", "end", "faint"))
    labels: list[tuple[float, str, str]] = []
    for name, known in rated.items():
        order = ORDER.index(name)
        aside = (order - 1) * ASIDE
        points = []
        for number, one in known.items():
            x, y = place(number, _clipped(one.elo))
            bottom, top = (place(number, bound)[1] for bound in _bounds(one))
            points.append((x + aside, y))
            parts.append(line(x + aside, bottom, x + aside, top, f"line-{order} error"))
        shape = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(element("polyline", points=shape, **kind_of(f"line-{order}")))
        for x, y in points:
            parts.append(element("circle", cx=x, cy=y, r=3.5, **kind_of(f"dot-{order}")))
        labels.append((points[-1][1], f"against {SHORT[name]}", f"dot-{order}"))
    lowest = float(-LABEL)
    for y, words, kind in sorted(labels):
        lowest = max(y + 4, lowest + LABEL)  # one below the other where lines end together
        parts.append(text(WIDTH - RIGHT + 14, lowest, words, "start", kind))
    return chart(WIDTH, HEIGHT, "Elo of each generation, with errors", "".join(parts))


def _clipped(elo: float) -> float:
    return max(-MOST_ELO, min(MOST_ELO, elo))


def _bounds(known: Estimate) -> tuple[float, float]:
    return _clipped(known.elo_interval.low), _clipped(known.elo_interval.high)


def _table(learning: Learning) -> str:
    names = [*learning.opponents, FIRST]
    heads = "".join(f"<th class='number'>against {SHORT[name]}</th>" for name in names)
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
