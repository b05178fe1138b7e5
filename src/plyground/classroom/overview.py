"""The overview of a class: one HTML page with the distribution of points, and every student's
verdict on every task with a link to the student's report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from statistics import mean, median
from urllib.parse import quote

from plyground.classroom.gradebook import Grade
from plyground.classroom.report import task_anchor
from plyground.classroom.suite import Level, Suite
from plyground.classroom.verdict import VERDICT_TEXTS, Verdict
from plyground.core.chart import LABEL_WIDTH, bar, chart, line, shortened, text, ticks
from plyground.core.chart import STYLE as CHART_STYLE
from plyground.core.page import html_page, sentence

MOST_BARS = 50
"""Of the histogram. With more points than that, a bar stands for several."""
WIDTH, HEIGHT = 760, 190
"""The area of the bars, in units of the picture."""
LEFT, TOP, BOTTOM = 40, 40, 44
"""Margins around it: for the numbers of students, the names of levels, and the points."""

LEGEND = {
    **VERDICT_TEXTS,
    Verdict.JUDGE_ERROR: "not judged; it costs no point",
}

STYLE = (
    CHART_STYLE
    + """
body { max-width: 90rem; }
.chart .level { stroke: var(--ink); stroke-dasharray: 5 4; }
:root { --ac: #d8eee0; --ac-ink: #17502f; --wa: #f8dbd6; --wa-ink: #84231a;
  --tle: #fae7bd; --tle-ink: #634200; --rte: #e9d8f3; --rte-ink: #562673;
  --je: #dde2ea; --je-ink: #323b4a; }
@media (prefers-color-scheme: dark) { :root {
  --ac: #1e4230; --ac-ink: #b0e6c6; --wa: #572822; --wa-ink: #fac3bb;
  --tle: #4c3b10; --tle-ink: #f6da95; --rte: #43274f; --rte-ink: #e3c2f2;
  --je: #383e4a; --je-ink: #d9dee7; } }
.ac { --wash: var(--ac); --mark: var(--ac-ink); } .wa { --wash: var(--wa); --mark: var(--wa-ink); }
.tle { --wash: var(--tle); --mark: var(--tle-ink); }
.rte { --wash: var(--rte); --mark: var(--rte-ink); }
.je { --wash: var(--je); --mark: var(--je-ink); }
.verdict { background: var(--wash); }
.verdict, .verdict a { color: var(--mark); text-decoration: none; }
.verdict a { display: block; padding: 0.3rem 0; min-width: 2rem; font-size: 0.8rem; }
.verdict a:hover, .verdict a:focus-visible { outline: 2px solid currentcolor;
  outline-offset: -2px; }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; padding: 0; list-style: none; }
.legend .verdict { padding: 0.1rem 0.4rem; border-radius: 4px; font-size: 0.85rem; }
.matrix { max-height: 85vh; overflow: auto; border: 1px solid var(--line); width: fit-content;
  max-width: 100%; }
.matrix table { border-collapse: separate; border-spacing: 0; font-size: 0.85rem; }
.matrix th, .matrix td { border-right: 1px solid var(--line); vertical-align: middle; }
.matrix td.verdict { text-align: center; }
.matrix th { font-weight: 400; background: var(--paper); padding: 0.3rem 0.5rem; }
.matrix td.number, .matrix td.level { padding: 0.3rem 0.5rem; white-space: nowrap; }
.matrix thead { position: sticky; top: 0; z-index: 2; }
.matrix thead th { vertical-align: bottom; }
.matrix tbody th, .matrix thead th:first-child { position: sticky; left: 0; z-index: 1;
  min-width: 9rem; max-width: 14rem; overflow-wrap: anywhere; }
.matrix thead th.task { padding: 0.5rem 0.2rem; }
.task span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 12rem;
  overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.matrix .solved td { background: var(--paper); text-align: center; }
@media (max-width: 40rem) { .matrix tbody th, .matrix thead th:first-child {
  min-width: 5rem; max-width: 7rem; } }
"""
)


def overview_page(grades: Sequence[Grade], reports: Sequence[str]) -> str:
    """The page. `reports` are the paths of the students' reports, in the order of the grades."""
    suite = grades[0].suite
    rows = sorted(zip(grades, reports, strict=True), key=lambda row: row[0].submission.name)
    points = [grade.points for grade in grades]
    summary = (
        f"{len(grades)} students, {len(suite.tasks)} tasks of one point each: mean"
        f" {mean(points):.1f}, median {median(points):g}, from {min(points)} to {max(points)}"
    )
    content = [
        f"<h1>{escape(suite.title)}</h1>\n<p>{escape(sentence(summary))}</p>\n",
        "<h2>Points</h2>\n",
        histogram(points, suite),
        _levels(grades, suite),
        _notes(rows),
        "<h2>Verdicts</h2>\n",
        _legend(grades),
        _matrix(rows, suite),
    ]
    return html_page(f"{suite.title}: {len(grades)} students", STYLE, "".join(content))


# The distribution


def histogram(points: Sequence[int], suite: Suite) -> str:
    """How many students have how many points, as an SVG picture with the levels marked."""
    most = len(suite.tasks)
    step = -(-(most + 1) // MOST_BARS)
    bars = most // step + 1
    counts = Counter(number // step for number in points)
    highest = max(counts.values())
    wide = WIDTH / bars

    def x(number: float) -> float:
        """Where a number of points begins."""
        return LEFT + number / step * wide

    def y(count: float) -> float:
        return TOP + HEIGHT - count / highest * HEIGHT

    drawn = []
    for count in ticks(0, highest, most=5):
        drawn.append(line(LEFT, y(count), LEFT + WIDTH, y(count), "grid"))
        drawn.append(text(LEFT - 8, y(count) + 4, str(count), "end", "faint"))
    for at, count in sorted(counts.items()):
        first, last = at * step, min(at * step + step - 1, most)
        which = str(first) if first == last else f"{first} to {last}"
        title = f"{which} points: {count} {_students(count)}"
        high = TOP + HEIGHT - y(count)
        drawn.append(bar(x(first) + 0.08 * wide, y(count), 0.84 * wide, high, title))
    drawn.append(line(LEFT, TOP + HEIGHT, LEFT + WIDTH, TOP + HEIGHT, "axis"))
    for first in ticks(0, bars - 1, most=25):
        drawn.append(
            text(
                x(first * step) + wide / 2, TOP + HEIGHT + 18, str(first * step), "middle", "faint"
            )
        )
    drawn.append(text(LEFT + WIDTH / 2, TOP + HEIGHT + 38, "points", "middle", "faint"))
    drawn += _level_marks(
        {level: x(level.points) for level in suite.levels if level.points <= most}
    )
    said = ", ".join(
        f"{count} with {at * step}{'' if step == 1 else ' or more'}"
        for at, count in sorted(counts.items())
    )
    return chart(
        LEFT + WIDTH + 20,
        TOP + HEIGHT + BOTTOM,
        f"Students by points: {said}",
        "".join(drawn),
    )


def _level_marks(places: Mapping[Level, float]) -> list[str]:
    """A line where each level begins, with its name above. Names that would touch each other are
    in two rows."""
    marks = []
    ends = [0.0, 0.0]
    for level, x in sorted(places.items(), key=lambda item: item[0].points):
        row = 0 if x >= ends[0] else 1
        name = shortened(level.name, 16)
        ends[row] = x + (len(name) + 1) * LABEL_WIDTH
        marks.append(line(x, 12 + 16 * (1 - row), x, TOP + HEIGHT, "level"))
        marks.append(text(x + 4, 14 + 16 * (1 - row), name, "start", "name"))
    return marks


def _levels(grades: Sequence[Grade], suite: Suite) -> str:
    if not suite.levels:
        return ""
    counts = Counter(grade.level for grade in grades)
    texts = [
        f"{level.name} ({level.points} or more): {counts[level.name]}"
        for level in sorted(suite.levels, key=lambda level: -level.points)
    ]
    texts.append(f"no level: {counts[None]}")
    return f"<p>Levels: {escape('; '.join(texts))}.</p>\n"


def _students(count: int) -> str:
    return "student" if count == 1 else "students"


# Students and tasks


Rows = Sequence[tuple[Grade, str]]
"""Students by name, each with the path of the report."""


def _notes(rows: Rows) -> str:
    """What a teacher should look at: files that could not be loaded, tasks that were not judged."""
    items = [
        f"<li>{_link(report, grade.submission.name)}: {escape(grade.note)}</li>\n"
        for grade, report in rows
        if grade.note
    ]
    return f"<h2>To look at</h2>\n<ul>\n{''.join(items)}</ul>\n" if items else ""


def _legend(grades: Sequence[Grade]) -> str:
    found = {result.verdict for grade in grades for result in grade.results}
    items = "".join(
        f'<li><span class="verdict {verdict.value.lower()}">{verdict.value}</span> {words}</li>\n'
        for verdict, words in LEGEND.items()
        if verdict in found
    )
    return f'<ul class="legend">\n{items}</ul>\n'


def _matrix(rows: Rows, suite: Suite) -> str:
    """A row for each student and a column for each task."""
    solved = Counter(
        result.task
        for grade, _ in rows
        for result in grade.results
        if result.verdict is Verdict.ACCEPTED
    )
    names = "".join(
        f'<th scope="col" class="task"><span title="{escape(task.name)}">{escape(task.name)}'
        "</span></th>"
        for task in suite.tasks
    )
    counts = "".join(f"<td>{solved[task.name]}</td>" for task in suite.tasks)
    body = "".join(_row(grade, report, suite) for grade, report in rows)
    return f"""<div class="matrix" role="region" aria-label="Verdicts" tabindex="0">
<table>
<thead>
<tr><th scope="col">Student</th><th scope="col">Points</th><th scope="col">Level</th>{names}</tr>
<tr class="solved"><th scope="row">Solved by, of {len(rows)}</th><td></td><td></td>{counts}</tr>
</thead>
<tbody>
{body}</tbody>
</table>
</div>
"""


def _row(grade: Grade, report: str, suite: Suite) -> str:
    by_task = {result.task: result.verdict for result in grade.results}
    cells = "".join(_cell(report, task.name, by_task.get(task.name)) for task in suite.tasks)
    return (
        f'<tr><th scope="row">{_link(report, grade.submission.name)}</th>'
        f'<td class="number">{grade.points}</td>'
        f'<td class="level">{escape(grade.level or "-")}</td>{cells}</tr>\n'
    )


def _cell(report: str, task: str, verdict: Verdict | None) -> str:
    if verdict is None:
        return "<td></td>"
    link = _link(report, verdict.value, task_anchor(task))
    return f'<td class="verdict {verdict.value.lower()}">{link}</td>'


def _link(path: str, text: str, anchor: str = "") -> str:
    """A link to a file beside the page, or to a place in it."""
    address = quote(path) + (f"#{quote(anchor)}" if anchor else "")
    return f'<a href="{escape(address)}">{escape(text)}</a>'
