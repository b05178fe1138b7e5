"""A student's report in a browser: it needs no server, fetches nothing, and all can read it."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from plyground.classroom.gradebook import Grade
from plyground.classroom.report import report_page
from plyground.classroom.submission import Submission
from plyground.classroom.verdict import Decisive, TaskResult, Verdict
from tests.classroom.small_suite import small_suite


def report(folder: Path) -> Path:
    """A page with a verdict of every kind, a board, and what a hostile student prints."""
    suite = small_suite(folder)
    start = suite.tasks[1].start
    decisive = Decisive(0, start.text, "left", ("down", "stay"), "+5 points", "0 points")
    printed = "<img src='https://example.com/x.png' onerror='alert(1)'><style>*{display:none}"
    results = [
        TaskResult("below", Verdict.ACCEPTED, "won", 5, 7, 0.012, 3),
        TaskResult("aside", Verdict.WRONG_ANSWER, "lost", 0, 7, 0.03, 3, 0, decisive),
        TaskResult("late", Verdict.TIME_LIMIT, "too late", complaints=printed),
        TaskResult("broken", Verdict.RUNTIME_ERROR, "<script>alert(1)</script>"),
        TaskResult("ours", Verdict.JUDGE_ERROR, "the judge failed"),
    ]
    page = folder / "ann.html"
    page.write_text(report_page(Grade(Submission("ann </title>", {}), suite, results)))
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_readable_by_all_and_fetches_nothing(
    scheme: str, chromium: Browser, tmp_path: Path
) -> None:
    place = report(tmp_path)
    context = chromium.new_context(color_scheme="dark" if scheme == "dark" else "light")
    problems: list[str] = []
    asked: list[str] = []
    context.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(place.as_uri())
    assert page.title() == "ann </title>: 2 of 2"
    assert page.locator("figure svg").is_visible()
    assert page.get_by_text("<script>alert(1)</script>").first.is_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 360, "height": 740})
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    context.close()
    assert problems == []
    assert asked == [place.as_uri()]
    assert not wide, "on a phone nothing runs out of the page"
