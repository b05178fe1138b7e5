"""A student's report: the board at the move that lost a point, and errors of loading."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from plyground.classroom.gradebook import Grade, gradebook, gradescope
from plyground.classroom.marked_board import BETTER, PLAYED
from plyground.classroom.report import report_page
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, load_suite
from plyground.classroom.verdict import Decisive, TaskResult, Verdict
from tests.classroom.small_suite import manifest, small_suite
from tests.paths import ROOT

LOAD_ERROR = "ann could not be loaded: SyntaxError: expected ':' in line 1 of <b>.py"


def one_task(folder: Path, game: str, **options: str) -> Suite:
    task = {"name": "only", "task": "win", "opponent": {"kind": "random"}, "options": options}
    document = manifest(game=game, tasks=[task], levels=[])
    (folder / "suite.json").write_text(json.dumps(document))
    return load_suite(folder)


def lost_by(suite: Suite, played: str, *better: str) -> str:
    """The report of a student who lost the last task of a suite by its first move."""
    task = suite.tasks[-1]
    decisive = Decisive(0, task.start.text, played, better, "a win", "a draw")
    result = TaskResult(task.name, Verdict.WRONG_ANSWER, "lost", decisive=decisive)
    return report_page(Grade(Submission("ann", {}), suite, [result]))


def captions(page: str) -> list[str]:
    found = re.findall("<figcaption>(.*?)</figcaption>", page, re.DOTALL)
    return [unescape(re.sub("<[^>]*>", " ", text)).strip() for text in found]


def frames_and_arrows(page: str, colour: str) -> tuple[int, int]:
    """How many frames and how many arrows have a colour."""
    frames = re.findall(f'<rect[^>]*stroke="{colour}"', page)
    shafts = re.findall(f'<path d="[^"]*[^Z"]" fill="none"[^>]*stroke="{colour}"', page)
    return len(frames), len(shafts)


def test_the_played_and_the_better_moves_are_drawn_on_one_board(tmp_path: Path) -> None:
    page = lost_by(small_suite(tmp_path), "stay", "left", "down")
    assert page.count("<figure>") == page.count("<svg") == 1
    assert captions(page) == ["played: stay   better: left or down"]
    assert frames_and_arrows(page, PLAYED.colour) == (1, 0)
    assert frames_and_arrows(page, BETTER.colour) == (0, 2)


def test_moves_in_one_cell_are_shown_by_the_positions_after_them(tmp_path: Path) -> None:
    suite = one_task(tmp_path, "slant", orientation="free")
    start = suite.tasks[0].start
    page = lost_by(suite, "a4/", "a4\\")
    assert captions(page) == ["played: a4/", "better: a4\\"]
    for move, colour in (("a4/", PLAYED.colour), ("a4\\", BETTER.colour)):
        assert start.after(start.parse_move(move)).svg().removesuffix("</svg>") in page
        assert frames_and_arrows(page, colour) == (1, 0)


def test_a_game_without_cells_is_shown_after_each_of_both_moves(tmp_path: Path) -> None:
    suite = one_task(tmp_path, str(ROOT / "examples" / "nim.py"))
    start = suite.tasks[0].start
    first, second = start.legal_moves[:2]
    page = lost_by(suite, start.move_text(first), start.move_text(second))
    assert start.after(first).svg() in page
    assert start.after(second).svg() in page


@pytest.mark.parametrize(("position", "played"), [("no position", "left"), (None, "fly")])
def test_what_cannot_be_drawn_is_left_out(
    position: str | None, played: str, tmp_path: Path
) -> None:
    suite = small_suite(tmp_path)
    text = position or suite.tasks[0].start.text
    decisive = Decisive(0, text, played, ("up",), "+5", "0")
    result = TaskResult("below", Verdict.WRONG_ANSWER, "lost", decisive=decisive)
    page = report_page(Grade(Submission("ann", {}), suite, [result]))
    assert "<figure>" not in page
    assert f"Move 1, {played}: +5 became 0; better was up." in page


def test_a_page_has_no_scripts_and_its_policy_allows_none(tmp_path: Path) -> None:
    page = lost_by(small_suite(tmp_path), "stay", "left")
    assert "<script" not in page
    assert "style=" not in page, "the policy would refuse it"
    assert "default-src 'none'; style-src 'sha256-" in page


# Errors of loading


def not_loaded(task: str, reason: str = LOAD_ERROR) -> TaskResult:
    printed = '  File "<b>.py", line 1\n    class Player\n'
    return TaskResult(task, Verdict.RUNTIME_ERROR, reason, complaints=printed, loaded=False)


def test_a_file_that_cannot_be_loaded_is_reported_once(tmp_path: Path) -> None:
    results = [not_loaded("below"), not_loaded("aside")]
    grade = Grade(Submission("ann", {}), small_suite(tmp_path), results)
    assert grade.note == LOAD_ERROR
    page = report_page(grade)
    assert unescape(page).count("SyntaxError: expected ':' in line 1 of <b>.py") == 1
    assert page.count("class Player") == 1
    assert "<pre>  File &quot;&lt;b&gt;.py&quot;" in page
    assert "<table" not in page, "there is nothing to say about single tasks"
    assert "What was lost" not in page


def test_a_file_that_cannot_be_loaded_for_some_tasks_is_reported_once_with_their_number(
    tmp_path: Path,
) -> None:
    results = [not_loaded("below"), TaskResult("aside", Verdict.ACCEPTED, "won")]
    grade = Grade(Submission("ann", {}), small_suite(tmp_path), results)
    assert grade.note == f"in 1 of 2 tasks: {LOAD_ERROR}"
    page = report_page(grade)
    assert page.count("SyntaxError") == 1
    assert page.count("the file could not be loaded") == 1


def test_different_errors_of_loading_are_all_reported(tmp_path: Path) -> None:
    results = [not_loaded("below", "one\ud800"), not_loaded("aside", "two")]
    grade = Grade(Submission("ann", {}), small_suite(tmp_path), results)
    assert grade.note == "in 1 of 2 tasks: one?; in 1 of 2 tasks: two"


def test_an_error_of_loading_is_once_in_the_gradebook_and_for_gradescope(tmp_path: Path) -> None:
    results = [not_loaded("below"), not_loaded("aside")]
    grade = Grade(Submission("ann", {}), small_suite(tmp_path), results)
    assert gradebook([grade]).count("SyntaxError") == 1
    document = gradescope(grade)
    assert document["output"].startswith(f"0 of 2 points; {LOAD_ERROR}\n\nFile ")
    assert [test["output"] for test in document["tests"]] == [
        "RTE: the file could not be loaded"
    ] * 2
