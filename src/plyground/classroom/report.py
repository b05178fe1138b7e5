"""A student's report: one HTML page without scripts or external files.

Everything that a student controls (names, printed text) is escaped, and the page's content security
policy allows only its own style.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from html import escape

from plyground.classroom.gradebook import Grade, decisive_text
from plyground.classroom.suite import Suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import PlygroundError
from plyground.core.records.record import GameRecord

WORDS = {
    Verdict.ACCEPTED: "solved",
    Verdict.WRONG_ANSWER: "not solved",
    Verdict.TIME_LIMIT: "too slow",
    Verdict.RUNTIME_ERROR: "crashed",
    Verdict.JUDGE_ERROR: "the judge's own fault; it costs no point",
}

STYLE = """
:root { color-scheme: light dark; --ink: #2b2f36; --paper: #fbfaf5; --line: #d8d2c2;
  --faint: #5c626b; --good: #22633f; --bad: #9c2f24; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceae3; --paper: #1d1f23; --line: #3d4149;
  --faint: #a9aeb8; --good: #7fcb9d; --bad: #f0958a; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0.2rem; } h2 { margin-top: 2.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.35rem 0.8rem 0.35rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.number, th.number { text-align: right; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.faint { color: var(--faint); }
figure { margin: 1rem 0; max-width: 30rem; } figure svg { width: 100%; height: auto; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line);
  padding: 0.6rem; border-radius: 6px; font-size: 0.85rem; }
"""


NUMBERS: dict[str, Callable[[TaskResult], str]] = {
    "Margin": lambda result: "" if result.margin is None else f"{result.margin:+d}",
    "Slowest move": lambda result: f"{result.slowest * 1000:.0f} ms" if result.moves else "",
    "Depth": lambda result: "" if result.depth is None else str(result.depth),
}
"""The numeric columns of the table. A column without values is left out."""


def report_page(grade: Grade) -> str:
    """The whole page."""
    suite, name = grade.suite, grade.submission.name
    total = len(suite.tasks)
    level = f", level {grade.level}" if grade.level else ""
    lost = [result for result in grade.results if result.verdict is not Verdict.ACCEPTED]
    numbers = [title for title, value in NUMBERS.items() if any(map(value, grade.results))]
    details = "".join(_detail(suite, result) for result in lost)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src {_hash(STYLE)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(name)}: {grade.points} of {total}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{escape(name)}</h1>
<p>{escape(suite.title)}: <strong>{grade.points} of {total} points{escape(level)}</strong></p>
{f'<p class="bad">{escape(_sentence(grade.note))}</p>' if grade.note else ""}
<div class="wide" role="region" aria-label="Results by task" tabindex="0">
<table>
<thead><tr><th scope="col">Task</th><th scope="col">Verdict</th><th scope="col">How it ended</th>
{"".join(f'<th scope="col" class="number">{title}</th>' for title in numbers)}</tr></thead>
<tbody>
{"".join(_row(result, numbers) for result in grade.results)}</tbody>
</table>
</div>
{f"<h2>What was lost, and where</h2>{details}" if lost else ""}
</main>
</body>
</html>
"""


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _row(result: TaskResult, numbers: list[str]) -> str:
    look = "good" if result.verdict is Verdict.ACCEPTED else "bad"
    cells = "".join(f'<td class="number">{NUMBERS[title](result)}</td>' for title in numbers)
    return (
        f'<tr><th scope="row">{escape(result.task)}</th>'
        f'<td><span class="{look}">{result.verdict.value}</span> {WORDS[result.verdict]}</td>'
        f"<td>{escape(result.reason)}</td>{cells}</tr>\n"
    )


def _detail(suite: Suite, result: TaskResult) -> str:
    parts = [f"<h3>{escape(result.task)}: {escape(result.reason)}</h3>"]
    if result.decisive is not None:
        parts.append(f"<p>{escape(_sentence(decisive_text(result)))}</p>")
        parts.append(_board(suite, result))
    else:
        parts.append(_end(suite, result))
    if result.complaints.strip():
        parts.append('<p class="faint">What the player printed, the last of it:</p>')
        parts.append(f"<pre>{escape(result.complaints.strip()[-2000:])}</pre>")
    return "".join(parts)


def _end(suite: Suite, result: TaskResult) -> str:
    """The last position of a game without a decisive move."""
    try:
        record = GameRecord.from_text(result.record)
        svg = record.positions(suite.game)[-1].svg() if record.plies else ""
    except PlygroundError:
        return ""
    caption = f"Where it ended, after move {len(record.plies)}."
    return f"<figure>{svg}<figcaption>{caption}</figcaption></figure>" if svg else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _board(suite: Suite, result: TaskResult) -> str:
    """The position before the decisive move."""
    assert result.decisive is not None
    task = next((task for task in suite.tasks if task.name == result.task), None)
    if task is None:
        return ""
    try:
        svg = suite.game.position(result.decisive.position, task.options).svg()
    except PlygroundError:
        return ""
    return (
        f"<figure>{svg}<figcaption>Before {escape(result.decisive.played)}.</figcaption></figure>"
    )
