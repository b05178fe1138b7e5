"""Reports of the classroom and the arena in a browser: they need no server, fetch nothing, and all
can read them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

from plyground.arena.report import write_report
from plyground.classroom.gradebook import Grade
from plyground.classroom.overview import overview_page
from plyground.classroom.report import report_page
from plyground.classroom.submission import Submission
from plyground.classroom.verdict import Decisive, TaskResult, Verdict
from tests.arena.stored_games import standings_of, stored_game
from tests.classroom.small_suite import small_suite

PRINTED = "<img src='https://example.com/x.png' onerror='alert(1)'><style>*{display:none}"


def write_pages(folder: Path) -> tuple[Path, Path]:
    """A report with a verdict of every kind, a board, and what a hostile student prints; and the
    overview of a class of two."""
    suite = small_suite(folder)
    start = suite.tasks[1].start
    decisive = Decisive(0, start.text, "left", ("down", "stay"), "+5 points", "0 points")
    results = [
        TaskResult("below", Verdict.ACCEPTED, "won", 5, 7, 0.012, 3),
        TaskResult("aside", Verdict.WRONG_ANSWER, "lost", 0, 7, 0.03, 3, decisive),
        TaskResult("late", Verdict.TIME_LIMIT, "too late", complaints=PRINTED),
        TaskResult("broken", Verdict.RUNTIME_ERROR, "<script>alert(1)</script>"),
        TaskResult("ours", Verdict.JUDGE_ERROR, "the judge failed"),
    ]
    ann = Grade(Submission("ann </title>", {}), suite, results)
    lost = [
        TaskResult("below", Verdict.TIME_LIMIT, "too late"),
        TaskResult("aside", Verdict.RUNTIME_ERROR, "not loaded", loaded=False),
    ]
    bob = Grade(Submission(PRINTED, {}), suite, lost)
    report, overview = folder / "ann #1.html", folder / "index.html"
    report.write_text(report_page(ann))
    overview.write_text(overview_page([ann, bob], [report.name, "bob.html"]))
    return report, overview


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report_and_overview_are_readable_by_all_and_fetch_nothing(
    scheme: str, chromium: Browser, tmp_path: Path
) -> None:
    report, overview = write_pages(tmp_path)
    context, problems, asked = watched(chromium, scheme)
    page = context.new_page()
    page.goto(overview.as_uri())
    assert page.title() == "Two short days: 2 students"
    assert page.get_by_role("img").is_visible()
    assert page.get_by_role("link", name=PRINTED).first.is_visible()
    check_layout(page)
    page.get_by_role("link", name="WA").click()
    assert page.title() == "ann </title>: 2 of 2"
    assert page.locator(":target").inner_text() == "aside: lost"
    assert page.locator("figure svg").is_visible()
    assert is_dark(page, "figure svg .theme-sky") is (scheme == "dark")
    assert page.get_by_text("<script>alert(1)</script>").first.is_visible()
    check_layout(page)
    context.close()
    assert problems == []
    assert asked == [overview.as_uri(), report.as_uri()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_of_the_arena_is_readable_by_all_and_fetches_nothing(
    scheme: str, chromium: Browser, tmp_path: Path
) -> None:
    names = [PRINTED, "engine:time=0.1,threads=2,memory=64", *"abcdefgh"]
    scores = (0, 1, 0.5, 1, 1, 0, 1, 1)
    games = [
        stored_game(
            *(names[first], names[second], scores[(first * second + first) % 8]),
            ending="crashed",
            plies=20,
            first_seconds=1,
            second_seconds=2,
        )
        for first in range(10)
        for second in range(10)
        if first != second
    ]
    path = tmp_path / "arena.html"
    found = standings_of(names, games, anchor=1)
    write_report(path, found, title="Ten players", facts={"Game": "x"})
    context, problems, asked = watched(chromium, scheme)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.get_by_role("img", name="Ratings: ").is_visible()
    assert page.get_by_role("rowheader", name=PRINTED).first.is_visible()
    shades = page.locator("td[class^=heat]").evaluate_all(
        "cells => [...new Set(cells.map(cell => getComputedStyle(cell).backgroundColor))]"
    )
    assert len(shades) == 5, "0 to 2 points of two games"
    check_layout(page)
    context.close()
    assert problems == []
    assert asked == [path.as_uri()]


def watched(chromium: Browser, scheme: str) -> tuple[BrowserContext, list[str], list[str]]:
    """A context in light or dark colours, with the errors and the requests of its pages."""
    context = chromium.new_context(color_scheme="dark" if scheme == "dark" else "light")
    problems: list[str] = []
    asked: list[str] = []
    context.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("request", lambda request: asked.append(request.url))
    return context, problems, asked


def is_dark(page: Page, part: str) -> bool:
    """Whether a part of a board is drawn in a dark colour."""
    colour = page.locator(part).first.evaluate("part => getComputedStyle(part).fill")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) < 3 * 128


def check_layout(page: Page) -> None:
    """Axe finds nothing, and on a phone nothing runs out of the page."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 360, "height": 740})
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    page.set_viewport_size(size)
    assert not wide
