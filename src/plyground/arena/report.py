"""Standings as files: CSV, a JSON document, and an HTML page with a chart and a heat map.

The names of players are texts that users choose; they are escaped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from plyground.arena.standings import Standing, Standings
from plyground.arena.statistics import CONFIDENCE, Estimate, GameCounts
from plyground.core.chart import LABEL_WIDTH, bar, chart, line, shortened, text, ticks
from plyground.core.chart import STYLE as CHART_STYLE
from plyground.core.csv_text import cell_text, csv_text
from plyground.core.errors import PlygroundError
from plyground.core.files import check_can_be_written, write_atomically
from plyground.core.outcome import FAULT_NAMES
from plyground.core.page import html_page, sentence

FORMATS = (".csv", ".json", ".html")

LONGEST_NAME = 28
"""Letters of a name in the chart. The table has the whole name."""
NAMES, BARS, ROW, VALUES = 130, 480, 30, 130
"""Units of the chart: the least width of the names, the width of the bars, the height of a row, the
width of the numbers."""
SHADES = 10
"""Of the heat map, from no points to all."""
STRONGEST = 55
"""Percent of colour in the strongest shade. The numbers stay readable on it."""


def heat_rules() -> str:
    """A rule for each shade: the more decided, the stronger the colour of the winner."""
    rules = []
    for shade in range(SHADES + 1):
        colour = "--win" if 2 * shade > SHADES else "--lose"
        strength = round(STRONGEST * abs(2 * shade - SHADES) / SHADES)
        rules.append(
            f".heat-{shade} {{ background: color-mix(in srgb, var({colour}) {strength}%,"
            " var(--paper)); }\n"
        )
    return "".join(rules)


STYLE = (
    CHART_STYLE
    + """
body { max-width: 76rem; }
:root { --win: #3b7fc4; --lose: #e08a2b; }
@media (prefers-color-scheme: dark) { :root { --win: #2f74bd; --lose: #b4620f; } }
th, td { padding: 0.3rem 0.5rem; }
thead th { vertical-align: bottom; }
tbody th { font-weight: 400; }
.name { display: inline-block; max-width: 15rem; overflow-wrap: break-word; }
@media (max-width: 50rem) { .name { max-width: 8rem; } }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.facts th { white-space: nowrap; color: var(--faint); }
.chart { min-width: 34rem; max-width: 58rem; }
.chart .error { stroke: var(--ink); stroke-width: 1.6; }
.chart .origin { stroke: var(--faint); stroke-dasharray: 4 3; }
.cross table { border-collapse: separate; border-spacing: 2px; }
.cross th, .cross td { border: 0; vertical-align: middle; }
.cross td { text-align: center; min-width: 3.6rem; padding: 0.35rem 0.5rem; border-radius: 3px;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
.cross thead th { text-align: center; font-weight: 400; }
.cross abbr { text-decoration: none; }
.cross .result { display: block; font-size: 0.8rem; }
.cross td.number { min-width: 0; }
.cross tbody th { position: sticky; left: 0; background: var(--paper); }
.cross .self { background: var(--line); }
"""
    + heat_rules()
)


# Plain data


def standings_rows(found: Standings) -> list[dict[str, Any]]:
    """A row for each player, the best first, with the same names in CSV and JSON."""
    return [
        {
            "rank": row.rank,
            "player": row.name,
            "rating": round(row.rating.value, 1),
            "error": round(row.rating.error, 1),
            "games": row.summary.games,
            "points": row.summary.points,
            "score": _rounded(row.summary.score, 4),
            "wins": row.summary.wins,
            "draws": row.summary.draws,
            "losses": row.summary.losses,
            "faults": row.summary.faults.total(),
            "seconds_per_game": round(row.summary.seconds_a_game, 3),
            "depth": _rounded(row.summary.depth, 2),
        }
        for row in found.rows
    ]


def standings_csv(found: Standings) -> str:
    return csv_text([{**row, "player": cell_text(row["player"])} for row in standings_rows(found)])


def standings_document(found: Standings, facts: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Everything, for JSON. What is not bounded is null; `facts` tell how the games were played."""
    advantage, summary = found.ratings.advantage, found.summary
    return {
        "facts": dict(facts or {}),
        "games": found.games,
        "confidence": CONFIDENCE,
        "anchor": None if summary.anchor is None else found.names[summary.anchor],
        "anchor_rating": summary.anchor_rating,
        "players": standings_rows(found),
        "first_move": {
            "score": _rounded(summary.first_mover_score, 4) if found.games else None,
            "advantage": round(advantage.value, 1),
            "error": round(advantage.error, 1),
        },
        "pairings": [
            _pairing_document(found, one, other)
            for (one, other), pairing in sorted(summary.pairings.items())
            if pairing.results.games
        ],
        "endings": dict(summary.endings.most_common()),
        "plies_per_game": round(summary.plies_a_game, 1),
        "notes": list(found.notes),
    }


def _pairing_document(found: Standings, one: int, other: int) -> dict[str, Any]:
    pairing = found.summary.pairings[one, other]
    return {
        "players": [found.names[one], found.names[other]],
        "games": pairing.results.games,
        "points": pairing.results.points,
        "wins": pairing.results.wins,
        "draws": pairing.results.draws,
        "losses": pairing.results.losses,
        "pairs": list(pairing.pairs.counts),
        "singles": list(pairing.singles.counts),
        **estimate_document(pairing.estimate),
    }


def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """The difference between two players, for JSON."""
    return {
        "score": round(estimate.score, 4),
        "score_interval": estimate.score_interval.ends(4),
        "elo": round(estimate.elo, 1),
        "elo_interval": estimate.elo_interval.ends(1),
        "normalized_elo": round(estimate.normalized_elo, 1),
        "normalized_elo_interval": estimate.normalized_elo_interval.ends(1),
        "superiority": round(estimate.superiority, 4),
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


# Files


def write_report(
    path: Path, found: Standings, *, title: str, facts: Mapping[str, str] | None = None
) -> None:
    """Write a file of the kind that its name says: .csv, .json or .html."""
    check_report(path)
    kind = path.suffix.lower()
    if kind == ".csv":
        written = standings_csv(found)
    elif kind == ".json":
        written = json.dumps(standings_document(found, facts), indent=2) + "\n"
    else:
        written = report_page(found, title=title, facts=facts)
    write_atomically(path, written.encode())


def check_report(path: Path) -> None:
    """Raise if a report cannot be written there, before any game is played for it."""
    if path.suffix.lower() not in FORMATS:
        raise PlygroundError(
            f"cannot write a report to {path}: the name must end in .csv, .json or .html"
        )
    check_can_be_written(path)


# The page


def report_page(found: Standings, *, title: str, facts: Mapping[str, str] | None = None) -> str:
    """The whole page. `facts` are shown at the top: the game, the time for a move, the openings."""
    parts = [f"<h1>{escape(title)}</h1>\n", f"<p>{escape(_summary(found))}</p>\n"]
    if facts:
        parts.append(_facts(facts))
    if found.notes:
        items = "".join(f"<li>{escape(sentence(note))}</li>\n" for note in found.notes)
        parts.append(f"<ul>\n{items}</ul>\n")
    if found.games:
        parts += _sections(found)
    return html_page(title, STYLE, "".join(parts))


def _sections(found: Standings) -> list[str]:
    match = ["<h2>The match</h2>\n", _match(found)] if len(found.names) == 2 else []
    explained = (
        "Points of the player at the left against the player at the top, and the games won, drawn"
        " and lost."
    )
    return [
        *match,
        "<h2>Ratings</h2>\n",
        _scrolled("Chart of the ratings", rating_chart(found)),
        f'<p class="faint">{escape(_legend(found))}</p>\n',
        "<h2>Table</h2>\n",
        _scrolled("Table of the players", _table(found)),
        "<h2>Cross table</h2>\n",
        f"<p>{explained}</p>\n",
        _scrolled("Cross table", _cross(found), "cross"),
        "<h2>How the games ended</h2>\n",
        _endings(found),
    ]


def _summary(found: Standings) -> str:
    counted = f"{_count(len(found.names), 'player')}, {_count(found.games, 'game')}"
    if not found.games:
        return sentence(counted)
    summary, advantage = found.summary, found.ratings.advantage
    return sentence(
        f"{counted} of {summary.plies_a_game:.0f} moves on average; the player who moves first"
        f" scored {summary.first_mover_score:.1%}, an advantage of {advantage.value:+.0f} ±"
        f" {advantage.error:.0f} rating points"
    )


def _legend(found: Standings) -> str:
    anchor = found.summary.anchor
    origin = "the average" if anchor is None else found.names[anchor]
    return (
        f"Bars begin at {origin}, {found.summary.anchor_rating:g}. The lines are intervals of"
        f" {CONFIDENCE:.0%} for the distance from there. 200 points more win about three"
        " games of four."
    )


def _facts(facts: Mapping[str, str]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(fact)}</td></tr>\n'
        for name, fact in facts.items()
    )
    return f'<table class="facts">\n<tbody>\n{rows}</tbody>\n</table>\n'


def _match(found: Standings) -> str:
    """The statistics of two players."""
    pairing = found.summary.pairing
    estimate, results = pairing.estimate, pairing.results
    facts = {
        "Score": f"{results.points:g} of {results.games}"
        f" ({results.wins} won, {results.draws} drawn, {results.losses} lost)",
        "Elo difference": estimate.elo_text,
        "Normalized Elo": estimate.normalized_elo_text,
        "Likelihood of superiority": f"{estimate.superiority:.1%}",
        "Pairs with 0, ½, 1, 1½, 2 points": ", ".join(map(str, pairing.pairs.counts)),
    }
    if pairing.singles.games:
        facts["Games without a pair"] = str(pairing.singles.games)
    names = f"{found.names[0]} against {found.names[1]}"
    return f"<p>{escape(names)}, with intervals of {CONFIDENCE:.0%}:</p>\n{_facts(facts)}"


def rating_chart(found: Standings) -> str:
    """A bar for each player from the anchor to its rating, with its interval."""
    names = [shortened(row.name, LONGEST_NAME) for row in found.rows]
    left = max([NAMES, *(16 + LABEL_WIDTH * len(name) for name in names)])
    origin = found.summary.anchor_rating
    ends = [row.rating.value + sign * row.rating.error for row in found.rows for sign in (-1, 1)]
    low, high = min([*ends, origin - 1]), max([*ends, origin + 1])
    margin = (high - low) * 0.03
    low, high = low - margin, high + margin
    bottom = 10 + ROW * len(names)

    def x(rating: float) -> float:
        return left + (rating - low) / (high - low) * BARS

    drawn = []
    for tick in ticks(low, high, most=8):
        drawn.append(line(x(tick), 10, x(tick), bottom, "grid"))
        drawn.append(text(x(tick), bottom + 18, str(tick), "middle", "faint"))
    for at, (row, name) in enumerate(zip(found.rows, names, strict=True)):
        top, middle = 10 + ROW * at, 10 + ROW * (at + 0.5)
        words = _rating_text(found, row)
        begin, end = sorted((x(origin), x(row.rating.value)))
        drawn.append(text(left - 8, middle + 4, name, "end", "name"))
        drawn.append(bar(begin, top + 6, end - begin, ROW - 12, f"{row.name}: {words}"))
        if row.player != found.summary.anchor:
            drawn += _error_bar(
                x(row.rating.value - row.rating.error),
                x(row.rating.value + row.rating.error),
                middle,
            )
        drawn.append(text(left + BARS + VALUES - 8, middle + 4, words, "end", "value"))
    drawn.append(line(x(origin), 10, x(origin), bottom, "origin"))
    drawn.append(line(left, bottom, left + BARS, bottom, "axis"))
    said = "; ".join(f"{row.name} {_rating_text(found, row)}" for row in found.rows)
    return chart(left + BARS + VALUES, bottom + 28, f"Ratings: {said}", "".join(drawn)) + "\n"


def _error_bar(low: float, high: float, y: float) -> list[str]:
    ends = [line(end, y - 5, end, y + 5, "error") for end in (low, high)]
    return [line(low, y, high, y, "error"), *ends]


def _rating_text(found: Standings, row: Standing) -> str:
    """An anchor has no error: its rating is given."""
    error = "" if row.player == found.summary.anchor else f" ± {row.rating.error:.0f}"
    return f"{row.rating.value:.0f}{error}"


def _table(found: Standings) -> str:
    titles = ["Rating", "Games", "Points", "Score", "Won", "Drawn", "Lost", "Faults"]
    has_time = any(row.summary.seconds for row in found.rows)
    has_depth = any(row.summary.depth is not None for row in found.rows)
    titles += ["Seconds a game"] * has_time + ["Depth"] * has_depth
    heads = "".join(f'<th scope="col" class="number">{title}</th>' for title in titles)
    body = []
    for row in found.rows:
        own = row.summary
        cells = [
            _rating_text(found, row),
            str(own.games),
            f"{own.points:g}",
            "" if own.score is None else f"{own.score:.1%}",
            str(own.wins),
            str(own.draws),
            str(own.losses),
            str(own.faults.total()),
        ]
        cells += [f"{own.seconds_a_game:.2f}"] * has_time
        cells += ["" if own.depth is None else f"{own.depth:.1f}"] * has_depth
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
        body.append(
            f'<tr><td class="number">{row.rank}</td><th scope="row">{_name(row)}</th>'
            f"{numbers}</tr>\n"
        )
    return f"""<table>
<thead><tr><th scope="col" class="number">Rank</th><th scope="col">Player</th>{heads}</tr></thead>
<tbody>
{"".join(body)}</tbody>
</table>
"""


def _cross(found: Standings) -> str:
    """A row and a column for each player, in the order of the table, numbered from the top."""
    heads = "".join(
        f'<th scope="col"><abbr title="{escape(row.name)}">{number}</abbr></th>'
        for number, row in enumerate(found.rows, start=1)
    )
    body = []
    for number, row in enumerate(found.rows, start=1):
        cells = "".join(
            '<td class="self"></td>'
            if row.player == other.player
            else _cell(found.summary.results(row.player, other.player))
            for other in found.rows
        )
        body.append(
            f'<tr><td class="number">{number}</td><th scope="row">{_name(row)}</th>{cells}</tr>\n'
        )
    return f"""<table>
<thead><tr><td class="number"></td><td class="number"></td>{heads}</tr></thead>
<tbody>
{"".join(body)}</tbody>
</table>
"""


def _name(row: Standing) -> str:
    """Long names are broken into lines."""
    return f'<span class="name">{escape(row.name)}</span>'


def _cell(results: GameCounts) -> str:
    if not results.games:
        return "<td></td>"
    shade = round(SHADES * (results.points / results.games))
    return (
        f'<td class="heat-{shade}">{results.points:g} of {results.games}'
        f'<span class="result">{results.wins}-{results.draws}-{results.losses}</span></td>'
    )


def _endings(found: Standings) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(ending)}{", a fault" if ending in FAULT_NAMES else ""}</th>'
        f'<td class="number">{count}</td><td class="number">{count / found.games:.1%}</td></tr>\n'
        for ending, count in found.summary.endings.most_common()
    )
    return f"""<table>
<thead><tr><th scope="col">Ending</th><th scope="col" class="number">Games</th>
<th scope="col" class="number">Share</th></tr></thead>
<tbody>
{rows}</tbody>
</table>
"""


def _scrolled(label: str, content: str, kind: str = "") -> str:
    """Content that may be wider than a phone: it scrolls by itself, also with the keyboard."""
    kinds = f"wide {kind}".strip()
    return (
        f'<div class="{kinds}" role="region" aria-label="{label}" tabindex="0">\n{content}</div>\n'
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
