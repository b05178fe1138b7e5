"""The overview of a class: the distribution of points, and a table of all verdicts."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyground.classroom.gradebook import Grade
from plyground.classroom.overview import histogram, overview_page
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite
from plyground.classroom.verdict import TaskResult, Verdict
from tests.classroom.small_suite import manifest, small_suite

HOSTILE = "\"><img src=x onerror='alert(1)'>&amp;</title>"


def grade(suite: Suite, name: str, *verdicts: Verdict) -> Grade:
    results = [
        TaskResult(task.name, verdict, "so")
        for task, verdict in zip(suite.tasks, verdicts, strict=False)
    ]
    return Grade(Submission(name, {}), suite, results)


def small_class(suite: Suite) -> list[Grade]:
    return [
        grade(suite, "cyd", Verdict.ACCEPTED, Verdict.WRONG_ANSWER),
        grade(suite, HOSTILE, Verdict.TIME_LIMIT, Verdict.RUNTIME_ERROR),
        grade(suite, "ann", Verdict.ACCEPTED, Verdict.JUDGE_ERROR),
    ]


REPORTS = ["reports/cyd.html", "reports/a #%.html", "reports/ann.html"]


def many_tasks(folder: Path, count: int, **changes: object) -> Suite:
    tasks = [{**manifest()["tasks"][0], "name": f"t{number}"} for number in range(count)]
    return small_suite(folder, tasks=tasks, **changes)


def table_of(page: str) -> ElementTree.Element:
    found = re.search("<table>.*</table>", page, re.DOTALL)
    assert found is not None
    return ElementTree.fromstring(found[0])


def texts(parent: ElementTree.Element, tag: str) -> list[str]:
    return ["".join(one.itertext()) for one in parent.iter(tag)]


def test_every_verdict_is_in_the_table_and_leads_to_its_place_in_the_report(
    tmp_path: Path,
) -> None:
    table = table_of(overview_page(small_class(small_suite(tmp_path)), REPORTS))
    rows = table.findall("tbody/tr")
    assert [texts(row, "th") + texts(row, "td") for row in rows] == [
        [HOSTILE, "0", "-", "TLE", "RTE"],
        ["ann", "2", "A", "AC", "JE"],
        ["cyd", "1", "E", "AC", "WA"],
    ]
    assert [cell.get("class") for cell in rows[2].findall("td")[2:]] == ["verdict ac", "verdict wa"]
    assert [link.get("href") for link in rows[2].iter("a")] == [
        "reports/cyd.html",
        "reports/cyd.html#task-below",
        "reports/cyd.html#task-aside",
    ]


def test_it_says_for_each_task_how_many_solved_it(tmp_path: Path) -> None:
    table = table_of(overview_page(small_class(small_suite(tmp_path)), REPORTS))
    names, solved = table.findall("thead/tr")
    assert texts(names, "th")[3:] == ["below", "aside"]
    assert texts(solved, "th") == ["Solved by, of 3"]
    assert texts(solved, "td") == ["", "", "2", "0"]


def test_names_are_text_alone_and_addresses_are_quoted(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, title=HOSTILE, levels=[{"name": HOSTILE, "points": 0}])
    page = overview_page(small_class(suite), REPORTS)
    assert "<img" not in page
    assert "<script" not in page
    assert "style=" not in page, "the policy would refuse it"
    assert HOSTILE not in page
    assert HOSTILE in unescape(page)
    assert "default-src 'none'; style-src 'sha256-" in page
    assert 'href="reports/a%20%23%25.html"' in page
    assert 'href="reports/a%20%23%25.html#task-below"' in page


def test_what_a_teacher_should_look_at_is_listed(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    lost = [
        TaskResult(task.name, Verdict.RUNTIME_ERROR, "bob could not be loaded: x", loaded=False)
        for task in suite.tasks
    ]
    grades = [*small_class(suite), Grade(Submission("bob", {}), suite, lost)]
    page = overview_page(grades, [*REPORTS, "reports/bob.html"])
    assert page.count("bob could not be loaded: x") == 1
    assert "1 of 2 tasks could not be judged and counts as solved" in page
    assert "To look at" not in overview_page(small_class(suite)[:1], REPORTS[:1])


def test_the_summary_and_the_levels_are_counted(tmp_path: Path) -> None:
    page = overview_page(small_class(small_suite(tmp_path)), REPORTS)
    assert "3 students, 2 tasks of one point each: mean 1.0, median 1, from 0 to 2." in page
    assert "Levels: A (2 or more): 1; E (1 or more): 1; no level: 1." in page
    without = small_suite(tmp_path / "other", levels=[])
    assert "Levels" not in overview_page(small_class(without), REPORTS)


def of_class(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [shape for shape in picture.iter() if shape.get("class") == name]


def test_the_histogram_has_a_bar_for_each_number_of_points_and_marks_the_levels(
    tmp_path: Path,
) -> None:
    levels = [{"name": "C & D", "points": 2}, {"name": "A", "points": 4}]
    picture = ElementTree.fromstring(
        histogram([0, 4, 4, 3], many_tasks(tmp_path, 4, levels=levels))
    )
    bars = of_class(picture, "bar")
    assert [bar.findtext("title") for bar in bars] == [
        "0 points: 1 student",
        "3 points: 1 student",
        "4 points: 2 students",
    ]
    heights = [float(bar.get("height", "")) for bar in bars]
    assert heights[2] == 2 * heights[0] == 2 * heights[1]
    assert [name.text for name in of_class(picture, "name")] == ["C & D", "A"]
    lines = [float(line.get("x1", "")) for line in of_class(picture, "level")]
    left = [float(bar.get("x", "")) for bar in bars]
    assert left[0] < lines[0] < left[1] < lines[1] < left[2]
    assert picture.findtext("title") == "Students by points: 1 with 0, 1 with 3, 2 with 4"


@pytest.mark.parametrize("count", [1, 49, 50, 1000])
def test_the_histogram_of_many_tasks_has_few_bars_and_all_students(
    count: int, tmp_path: Path
) -> None:
    suite = many_tasks(tmp_path, count, levels=[{"name": "never", "points": 1000}])
    picture = ElementTree.fromstring(histogram(list(range(count + 1)), suite))
    bars = of_class(picture, "bar")
    assert len(bars) <= 50
    told = [str(bar.findtext("title")) for bar in bars]
    assert sum(int(text.split(": ")[1].split()[0]) for text in told) == count + 1
    assert len(of_class(picture, "level")) == (count == 1000)
    right = max(float(bar.get("x", "")) + float(bar.get("width", "")) for bar in bars)
    assert right <= float(picture.get("viewBox", "").split()[2])


def test_names_of_levels_that_begin_together_do_not_cover_each_other(tmp_path: Path) -> None:
    levels = [{"name": "Pass", "points": 9}, {"name": "Credit", "points": 10}]
    picture = ElementTree.fromstring(histogram([3], many_tasks(tmp_path, 40, levels=levels)))
    first, second = of_class(picture, "name")
    assert first.get("y") != second.get("y")
