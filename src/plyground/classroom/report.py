"""A student's report: one HTML page, with the board at every move that lost a point.

Everything that a student controls (names, printed text) is escaped.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from plyground.classroom.gradebook import NOT_LOADED, Grade, decisive_text
from plyground.classroom.marked_board import (
    BETTER,
    PLAYED,
    MarkStyle,
    can_be_told_apart,
    draw_on,
)
from plyground.classroom.suite import Suite
from plyground.classroom.verdict import VERDICT_TEXTS, Decisive, TaskResult, Verdict
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.page import html_page, sentence
from plyground.core.records.record import GameRecord
from plyground.core.svg import board_style

LONGEST_OUTPUT = 2000
"""Characters from the end of what a player printed."""

STYLE = f"""
body {{ max-width: 60rem; }}
table {{ width: 100%; }}
th, td {{ padding: 0.35rem 0.8rem 0.35rem 0; }}
tbody th {{ white-space: nowrap; }}
:target {{ background: color-mix(in srgb, var(--link) 15%, transparent); }}
.boards {{ display: flex; flex-wrap: wrap; gap: 1rem; }}
figure {{ margin: 1rem 0; flex: 1 1 16rem; max-width: 30rem; }}
figure svg {{ width: 100%; height: auto; display: block; border-radius: 6px; }}
figcaption {{ margin-top: 0.4rem; }}
.key {{ display: inline-block; width: 2.2rem; height: 0; margin-right: 0.4rem;
  vertical-align: 0.3rem; border-top: 0.3rem solid; }}
.key.played {{ border-color: {PLAYED.colour}; border-top-style: dashed; }}
.key.better {{ border-color: {BETTER.colour}; }}
@media (prefers-color-scheme: dark) {{ .key {{ outline: 0.1rem solid #fff; background: #fff; }} }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line);
  padding: 0.6rem; border-radius: 6px; font-size: 0.85rem; }}
"""


NUMBERS: dict[str, Callable[[TaskResult], str]] = {
    "Margin": lambda result: "" if result.margin is None else f"{result.margin:+d}",
    "Slowest move": lambda result: f"{result.slowest * 1000:.0f} ms" if result.moves else "",
    "Depth": lambda result: "" if result.depth is None else str(result.depth),
}
"""The numeric columns of the table. A column without values is left out."""


def task_anchor(task: str) -> str:
    """The id of a task in a report, for links from the overview of a class. Names of tasks are
    letters, digits, - and _."""
    return f"task-{task}"


def report_page(grade: Grade) -> str:
    """The whole page."""
    suite, name = grade.suite, grade.submission.name
    score = f"{grade.points} of {len(suite.tasks)}"
    level = f", level {grade.level}" if grade.level else ""
    lost = [
        result
        for result in grade.results
        if result.verdict is not Verdict.ACCEPTED and result.loaded
    ]
    parts = [
        f"<h1>{escape(name)}</h1>\n",
        f"<p>{escape(suite.title)}: <strong>{score} points{escape(level)}</strong></p>\n",
    ]
    if grade.note:
        parts.append(f'<p class="bad">{escape(sentence(grade.note))}</p>\n')
    parts += [_printed(error.printed) for error in grade.load_errors]
    if any(result.loaded for result in grade.results):
        parts.append(_table(grade))
    if lost:
        parts.append("<h2>What was lost, and where</h2>\n")
        parts += [_detail(suite, result) for result in lost]
    return html_page(f"{name}: {score}", STYLE + board_style(), "".join(parts))


def _table(grade: Grade) -> str:
    numbers = [title for title, value in NUMBERS.items() if any(map(value, grade.results))]
    titles = "".join(f'<th scope="col" class="number">{title}</th>' for title in numbers)
    return f"""<div class="wide" role="region" aria-label="Results by task" tabindex="0">
<table>
<thead><tr><th scope="col">Task</th><th scope="col">Verdict</th><th scope="col">How it ended</th>
{titles}</tr></thead>
<tbody>
{"".join(_row(result, numbers) for result in grade.results)}</tbody>
</table>
</div>
"""


def _row(result: TaskResult, numbers: list[str]) -> str:
    look = "good" if result.verdict is Verdict.ACCEPTED else "bad"
    cells = "".join(f'<td class="number">{NUMBERS[title](result)}</td>' for title in numbers)
    is_detailed = result.verdict is not Verdict.ACCEPTED and result.loaded
    name, anchor = escape(result.task), escape(task_anchor(result.task))
    task = f'<a href="#{anchor}">{name}</a>' if is_detailed else name
    row = "<tr>" if is_detailed else f'<tr id="{anchor}">'
    reason = escape(result.reason) if result.loaded else NOT_LOADED
    return (
        f'{row}<th scope="row">{task}</th>'
        f'<td><span class="{look}">{result.verdict.value}</span>'
        f" {VERDICT_TEXTS[result.verdict]}</td>"
        f"<td>{reason}</td>{cells}</tr>\n"
    )


def _detail(suite: Suite, result: TaskResult) -> str:
    anchor = escape(task_anchor(result.task))
    parts = [f'<h3 id="{anchor}">{escape(result.task)}: {escape(result.reason)}</h3>\n']
    if result.decisive is not None:
        parts.append(f"<p>{escape(sentence(decisive_text(result)))}</p>\n")
        parts.append(_boards(suite, result, result.decisive))
    else:
        parts.append(_end(suite, result))
    parts.append(_printed(result.complaints))
    return "".join(parts)


def _printed(text: str) -> str:
    text = text.rstrip().lstrip("\r\n")  # the first line may be indented
    if not text:
        return ""
    return (
        '<p class="faint">What the player printed, the last of it:</p>\n'
        f"<pre>{escape(text[-LONGEST_OUTPUT:])}</pre>\n"
    )


def _end(suite: Suite, result: TaskResult) -> str:
    """The last position of a game without a decisive move."""
    try:
        record = GameRecord.from_text(result.record)
        svg = record.positions(suite.game)[-1].svg() if record.plies else ""
    except PlygroundError:
        return ""
    caption = f"Where it ended, after move {len(record.plies)}."
    return _figure(svg, caption) if svg else ""


def _boards(suite: Suite, result: TaskResult, decisive: Decisive) -> str:
    """The position before the decisive move, with that move and the better ones on it. If marks
    cannot show which is which, the positions after the move and after the first better one."""
    task = next((task for task in suite.tasks if task.name == result.task), None)
    if task is None:
        return ""
    try:
        position = suite.game.position(decisive.position, task.options)
        played = position.parse_move(decisive.played)
        better = [position.parse_move(text) for text in decisive.better]
        played_text = f"{_key('played')}played: {escape(decisive.played)}"
        if can_be_told_apart(position, played, better):
            marks = [(position.touches(move), BETTER) for move in better]
            svg = draw_on(position.svg(), [*marks, (position.touches(played), PLAYED)])
            better_text = f"{_key('better')}better: {escape(' or '.join(decisive.better))}"
            figures = [_figure(svg, f"{played_text}<br>{better_text}")]
        else:
            figures = [_after(position, played, PLAYED, played_text)]
            if better:
                better_text = f"{_key('better')}better: {escape(decisive.better[0])}"
                figures.append(_after(position, better[0], BETTER, better_text))
    except PlygroundError:
        return ""
    return f'<div class="boards">{"".join(figures)}</div>\n'


def _after(position: Position, move: int, style: MarkStyle, caption: str) -> str:
    after = position.after(move)
    return _figure(draw_on(after.svg(), [(position.touches(move), style)]), caption)


def _key(kind: str) -> str:
    """A piece of the line with which moves of a kind are drawn."""
    return f'<span class="key {kind}"></span>'


def _figure(svg: str, caption: str) -> str:
    """A picture with a caption, which is HTML."""
    return f"<figure>{svg}<figcaption>{caption}</figcaption></figure>\n"
