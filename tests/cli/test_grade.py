"""`plyground grade`: what a teacher and a student see, and what is kept."""

from __future__ import annotations

import csv
import json
import re
import shlex
import signal
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from plyground.classroom import class_run, sandbox, suite
from plyground.classroom.gradebook import Grade, decisive_text, gradebook, gradescope, kattis
from plyground.classroom.grading import Grader
from plyground.classroom.report import report_page
from plyground.classroom.student_process import COPIES
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Task
from plyground.classroom.verdict import Decisive, TaskResult, Verdict
from plyground.cli.grade import EXAMPLES
from plyground.core.records.record import GameRecord
from tests.classroom.hostile_players import ACTS
from tests.classroom.sandboxes import need_sandbox
from tests.classroom.small_suite import manifest, small_suite, write_suite
from tests.cli.runner import plyground, process, refusal
from tests.full_disk import files_of_at_most

FIRST_MOVE = b"def choose(position, clock):\n    return position.legal_moves[0]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a suite, a player and a class, and small suites in place of the built-in."""
    monkeypatch.chdir(tmp_path)
    write_suite(tmp_path / "my_suite")
    write_suite(tmp_path / "built_in" / "derby")
    (tmp_path / "built_in" / "blocker").mkdir()
    task = {"name": "start", "task": "win", "opponent": {"kind": "random"}}
    document = manifest(game="blocker", tasks=[task], seconds=5.0)
    (tmp_path / "built_in" / "blocker" / "suite.json").write_text(json.dumps(document))
    monkeypatch.setattr(suite, "BUILT_IN", tmp_path / "built_in")
    (tmp_path / "player.py").write_bytes(ACTS["right"].file)
    (tmp_path / "submissions").mkdir()
    for name, act in (("ann", "right"), ("bob", "weak"), ("<i>=cmd", "crashes in the middle")):
        (tmp_path / "submissions" / f"{name}.py").write_bytes(ACTS[act].file)
    return tmp_path


# What is seen


def test_a_student_sees_a_line_a_task_and_then_the_points(folder: Path) -> None:
    ran = plyground("grade", "derby", "player.py", "--trust")
    assert (ran.status, ran.errors) == (0, "")
    lines = ran.output.splitlines()
    assert [line.split()[:3] for line in lines[:2]] == [
        ["below", "AC", "+5"],
        ["aside", "AC", "+5"],
    ]
    assert all(line.endswith("the day is over, Green has 5 and Red 0") for line in lines[:2])
    assert "depth 1" in lines[0]
    assert lines[2:] == [
        "",
        "2 of 2 points: level A",
        "kept in grade-player: gradebook.csv, reports, records",
    ]


def test_for_each_lost_point_the_decisive_move_is_told(folder: Path) -> None:
    ran = plyground("grade", "derby", "submissions/bob.py", "--trust")
    told = [line for line in ran.output.splitlines() if "better was" in line]
    assert len(told) == 2
    assert told[0].startswith("below: move ")
    assert ", stay: Green wins by 5 points became a draw; better was " in told[0]
    assert "0 of 2 points\n" in ran.output


def test_a_record_of_every_game_is_kept_and_can_be_shown(folder: Path) -> None:
    assert plyground("grade", "derby", "player.py", "--trust", "--out", "mine").status == 0
    assert not (folder / "mine" / "index.html").exists(), "one student is no class"
    path = folder / "mine" / "records" / "player" / "below.record"
    record = GameRecord.load(path)
    assert record.outcome is not None
    assert record.outcome.winner == 0
    shown = plyground("show", path)
    assert shown.status == 0
    assert "Green has 5" in shown.output


def test_as_json_there_is_one_document(folder: Path) -> None:
    document = plyground("grade", "derby", "submissions/bob.py", "--trust", "--json").document
    (bob,) = document
    assert (bob["student"], bob["points"], bob["of"], bob["level"]) == ("bob", 0, 2, None)
    assert bob["verdict"] == "WA"
    assert bob["results"][0]["decisive"]["played"] == "stay"


def test_a_run_that_is_done_is_not_done_again(folder: Path) -> None:
    first = plyground("grade", "derby", "player.py", "--trust")
    again = plyground("grade", "derby", "player.py", "--trust")
    assert "2 of 2 are graded already, and not graded again" in again.output
    assert first.output.splitlines()[-2:] == again.output.splitlines()[-2:]


def test_who_asks_for_it_is_graded_again(folder: Path) -> None:
    assert plyground("grade", "derby", "player.py", "--trust").status == 0
    again = plyground("grade", "derby", "player.py", "--trust", "--again")
    assert again.output.splitlines()[0].startswith("below  AC")
    known = plyground("grade", "derby", "player.py", "--trust")
    assert known.output.startswith("2 of 2 are graded already")
    assert "2 of 2 points: level A" in known.output


def test_a_student_reads_what_was_printed_where_a_player_failed_each_text_once(
    folder: Path,
) -> None:
    (folder / "player.py").write_bytes(b"class PlayerControllerMinimax\n  '\x1b[2J'\n")
    ran = plyground("grade", "derby", "player.py", "--trust")
    assert ran.output.count("what was printed") == 1
    assert "what was printed when the file was loaded:\n" in ran.output
    assert "  | SyntaxError: expected ':'" in ran.output
    assert "\x1b" not in ran.output


LOAD_ERROR = "could not be loaded: SyntaxError: expected ':' in line 1 of"


def test_a_file_that_cannot_be_loaded_is_told_once_and_not_for_every_task(folder: Path) -> None:
    (folder / "player.py").write_bytes(b"class PlayerControllerMinimax\n")
    first, again = (plyground("grade", "derby", "player.py", "--trust") for _ in range(2))
    for ran in (first, again):
        assert ran.output.count(LOAD_ERROR) == 1
        assert ran.output.splitlines()[-3:] == [
            "0 of 2 points",
            f"player {LOAD_ERROR} player.py",
            "kept in grade-player: gradebook.csv, reports, records",
        ]
    assert "RTE" not in first.output
    page = (folder / "grade-player" / "reports" / "player.html").read_text()
    assert unescape(page).count(LOAD_ERROR) == 1


def test_in_a_class_a_file_that_cannot_be_loaded_is_told_once(folder: Path) -> None:
    (folder / "submissions" / "bob.py").write_bytes(b"class PlayerControllerMinimax\n")
    ran = plyground("grade", "derby", "submissions", "--trust", "--workers", "1", "--out", "grades")
    assert ran.output.count(LOAD_ERROR) == 1
    assert ran.output.splitlines()[-2:] == [
        f"bob: bob {LOAD_ERROR} bob.py",
        "kept in grades: index.html, gradebook.csv, reports, records",
    ]
    overview = (folder / "grades" / "index.html").read_text()
    assert unescape(overview).count(LOAD_ERROR) == 1


def test_who_interrupts_a_run_hears_how_far_it_came_and_nothing_is_left(folder: Path) -> None:
    slow = ACTS["right"].file.replace(b"turn += 1", b"turn += 1; time.sleep(0.2)")
    assert slow != ACTS["right"].file
    for name in ("ann", "bob"):
        (folder / "submissions" / f"{name}.py").write_bytes(slow)
    scratch = folder / "scratch"
    scratch.mkdir()
    words = ("grade", "derby", folder / "submissions", "--suite", folder / "my_suite", "--trust")
    run = process(*words, "--out", folder / "out", environment={"TMPDIR": str(scratch)})
    assert run.stdout
    run.stdout.readline()
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate()
    assert run.returncode == 130
    assert re.search(r"^\d of 6 are graded and kept in .*out; the same command goes on", errors)
    assert not list(scratch.glob(f"{COPIES}*"))


def test_a_disk_that_is_full_ends_a_run_with_a_line_and_the_same_command_goes_on(
    folder: Path,
) -> None:
    words = ("grade", "derby", "submissions", "--trust", "--workers", "1", "--out", "grades")
    with files_of_at_most(4096):
        ran = plyground(*words)
    assert ran.status == 2
    assert ran.errors == (
        "plyground: grades/results.jsonl: File too large; what was graded before is kept, and the"
        " same command goes on from there\n"
    )
    graded = ran.output.count("\n")
    assert 0 < graded < 6
    journal = folder / "grades" / "results.jsonl"
    kept = journal.read_bytes()
    assert kept.count(b"\n") == graded
    assert kept.endswith(b"\n")
    ran = plyground(*words)
    assert ran.status == 0
    assert f"{graded} of 6 are graded already, and not graded again" in ran.output
    assert journal.read_bytes().startswith(kept)
    with files_of_at_most(1024):
        told = refusal(*words, "--json")
    assert told == "grades/reports/_i__cmd.html: cannot write: File too large"
    assert len(list((folder / "grades" / "reports").iterdir())) == 3, "no part of a page is left"


def test_what_is_in_the_way_of_a_folder_is_said(folder: Path) -> None:
    (folder / "mine" / "records").mkdir(parents=True)
    (folder / "mine" / "records" / "player").write_text("")
    words = ("grade", "derby", "player.py", "--trust", "--out", "mine", "--json")
    assert refusal(*words) == "mine/records/player: File exists"


def test_a_folder_is_one_student_s_if_that_is_said(folder: Path) -> None:
    words = ("grade", "derby", "submissions", "--trust", "--gradescope", "--out", "results")
    (folder / "submissions" / "bob.py").unlink()
    (folder / "submissions" / "<i>=cmd.py").unlink()
    (folder / "submissions" / "helper.py").write_text("")
    assert plyground(*words, "--one").status == 0
    document = json.loads((folder / "results" / "results.json").read_text())
    assert document["score"] == 2


def test_a_class_has_a_gradebook_and_a_page_for_each(folder: Path) -> None:
    need_sandbox()
    words = ("submissions/", "--workers", "2", "--out", "grades", "--gradescope", "--kattis")
    ran = plyground("grade", "derby", *words)
    assert ran.status == 0, ran.errors
    rows = list(csv.DictReader((folder / "grades" / "gradebook.csv").open()))
    assert [(row["student"], row["points"], row["level"], row["below"]) for row in rows] == [
        ("<i>=cmd", "0", "", "RTE"),
        ("ann", "2", "A", "AC"),
        ("bob", "0", "", "WA"),
    ]
    reports = folder / "grades" / "reports"
    names = ["_i__cmd", "ann", "bob"]
    assert sorted(path.name for path in reports.iterdir()) == sorted(
        f"{name}.{ending}" for name in names for ending in ("html", "results.json", "verdict.json")
    )
    assert "<i>=cmd" not in (reports / "_i__cmd.html").read_text()
    assert "KeyError" in (reports / "_i__cmd.html").read_text()
    overview = (folder / "grades" / "index.html").read_text()
    links = {unquote(link) for link in re.findall('href="([^"#]*)', overview)}
    assert links == {f"reports/{name}.html" for name in names}
    assert all((folder / "grades" / link).is_file() for link in links)
    anchor = re.search('href="reports/bob.html#([^"]*)"', overview)
    assert anchor is not None
    assert f'id="{anchor[1]}"' in (reports / "bob.html").read_text()
    assert json.loads((reports / "ann.verdict.json").read_text())["verdict"] == "AC"
    assert sorted(path.name for path in (folder / "grades" / "records").iterdir()) == names
    assert ["ann", "2", "of", "2", "A"] in [line.split()[:5] for line in ran.output.splitlines()]


class Failing(Grader):
    """A grader that can judge nothing but the first task."""

    def grade(self, submission: Submission, task: Task) -> TaskResult:
        if task is self.suite.tasks[0]:
            return super().grade(submission, task)
        return TaskResult(task.name, Verdict.JUDGE_ERROR, "the judge failed")


NOT_JUDGED = "1 of 2 tasks could not be judged and counts as solved: a teacher should look"


def test_what_could_not_be_judged_is_told_at_the_end_and_everywhere_it_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_run, "Grader", Failing)
    words = ("grade", "derby", "player.py", "--trust", "--out", "mine")
    assert plyground(*words, "--gradescope").output.splitlines()[-3:] == [
        "2 of 2 points: level A",
        NOT_JUDGED,
        "kept in mine: gradebook.csv, reports, records",
    ]
    (row,) = csv.DictReader((folder / "mine" / "gradebook.csv").open())
    assert (row["points"], row["judge_errors"], row["note"]) == ("2", "1", NOT_JUDGED)
    page = (folder / "mine" / "reports" / "player.html").read_text()
    assert f'<p class="bad">{NOT_JUDGED}.</p>' in page
    assert '<span class="bad">JE</span>' in page
    document = json.loads((folder / "mine" / "results.json").read_text())
    assert document["output"] == f"2 of 2 points, level A; {NOT_JUDGED}"
    assert plyground(*words, "--json").document[0]["note"] == NOT_JUDGED


def test_in_a_class_those_who_could_not_be_judged_are_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_run, "Grader", Failing)
    ran = plyground("grade", "derby", "submissions", "--trust", "--workers", "1")
    assert ran.output.splitlines()[-4:] == [
        *(f"{name}: {NOT_JUDGED}" for name in ("<i>=cmd", "ann", "bob")),
        "kept in grades-derby: index.html, gradebook.csv, reports, records",
    ]


def test_a_damaged_journal_is_graded_anew_and_spoils_nothing(folder: Path) -> None:
    words = ("grade", "derby", "player.py", "--trust")
    first = plyground(*words)
    path = folder / "grade-player" / "results.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["result"]["slowest"] = "y"
    lines[1]["result"]["reason"] = lines[1]["result"]["complaints"] = "as it was"
    path.write_text("[" * 100_000 + "\n" + "".join(json.dumps(line) + "\n" for line in lines))
    again = plyground(*words)
    assert (again.status, again.errors) == (0, "")
    assert "1 of 2 are graded already" in again.output
    assert again.output.splitlines()[-2:] == first.output.splitlines()[-2:]
    page = (folder / "grade-player" / "reports" / "player.html").read_text()
    assert "as it was" in page


def test_a_game_of_an_earlier_run_is_not_left_where_this_one_had_none(folder: Path) -> None:
    words = ("grade", "derby", "player.py", "--trust")
    assert plyground(*words).status == 0
    records = folder / "grade-player" / "records" / "player"
    (records / "mine.record").write_text("a teacher's own")
    (folder / "player.py").write_bytes(b"no player at all")
    assert plyground(*words).status == 0
    assert [path.name for path in records.iterdir()] == ["mine.record"]


def test_names_that_are_gone_stay_in_the_folder_but_not_in_the_gradebook(folder: Path) -> None:
    words = ("grade", "derby", "submissions", "--trust", "--workers", "1", "--out", "grades")
    assert plyground(*words).status == 0
    (folder / "submissions" / "bob.py").unlink()
    assert plyground(*words).status == 0
    assert (folder / "grades" / "reports" / "bob.html").exists()
    rows = list(csv.DictReader((folder / "grades" / "gradebook.csv").open()))
    assert [row["student"] for row in rows] == ["<i>=cmd", "ann"]


def test_whoever_ignores_the_end_of_children_can_start_a_grader(folder: Path) -> None:
    need_sandbox()
    ran = process(
        *("grade", "derby", "player.py", "--suite", "my_suite"),
        preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN),
    )
    output, errors = ran.communicate()
    assert ran.returncode == 0, errors
    assert "2 of 2 points: level A" in output


def test_who_listens_for_the_end_of_children_goes_on_doing_so(folder: Path) -> None:
    def listen(*_: object) -> None: ...

    before = signal.signal(signal.SIGCHLD, listen)
    try:
        assert plyground("grade", "derby", "player.py", "--trust").status == 0
        assert signal.getsignal(signal.SIGCHLD) is listen
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_plain_player_finds_plyground_but_no_suite_in_its_sandbox(folder: Path) -> None:
    need_sandbox()
    looks = b"""
import os, plyground
suites = os.path.join(os.path.dirname(plyground.__file__), "classroom", "suites")
def choose(position, clock):
    assert os.listdir(suites) == []
    return position.legal_moves[0]
"""
    (folder / "plain.py").write_bytes(looks)
    ran = plyground("grade", "blocker", "plain.py", "--json")
    assert ran.status == 0, ran.errors
    assert ran.document[0]["results"][0]["verdict"] in ("AC", "WA"), ran.document


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_help_works(example: str, folder: Path) -> None:
    if "--trust" not in example:
        need_sandbox()
    if "blocker" in example:
        (folder / "player.py").write_bytes(FIRST_MOVE)
    ran = plyground(*shlex.split(example.removeprefix("plyground ")))
    assert ran.status == 0, ran
    assert "Traceback" not in ran.errors + ran.output


# What is refused


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("chess player.py", "there is no game 'chess'"),
        ("derby nowhere.py", "no such file or folder"),
        ("derby empty", "there is no .py file, folder or zip in it"),
        ("slant player.py", "there is no built-in suite for slant, only for blocker, derby"),
        ("blocker player.py --suite my_suite", "this suite is for derby, not for blocker"),
        ("derby player.py --suite submissions", "suite.json: No such file or directory"),
        ("derby player.py --workers 0", "0 workers: from 1 to 512 can work at a time"),
        ("derby player.py --workers 513", "513 workers: from 1 to 512 can work at a time"),
        (
            "derby player.py --workers 2 --cluster tcp://127.0.0.1:9",
            "--workers is for this machine, --cluster for others: give one",
        ),
        ("derby player.py --out player.py", "player.py/results.jsonl: "),
    ],
)
def test_wrong_input_is_refused(words: str, told: str, folder: Path) -> None:
    (folder / "empty").mkdir()
    assert told in refusal("grade", *shlex.split(words), "--trust")


def test_without_a_sandbox_it_is_refused_with_the_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = "bwrap is not installed: on Debian, apt-get install bubblewrap"
    monkeypatch.setattr(sandbox, "cannot_be_built", lambda: why)
    told = refusal("grade", "derby", "player.py")
    assert told == f"{why}; for a file of your own at home there is --trust"
    assert not (folder / "grade-player").exists()
    assert plyground("grade", "derby", "player.py", "--trust").status == 0


# Documents


def grade_of(folder: Path, **results: Any) -> Grade:
    made: list[TaskResult] = [
        TaskResult("below", Verdict.ACCEPTED, "won", 5, 7, 0.012, 3),
        TaskResult(
            **{
                "task": "aside",
                "verdict": Verdict.WRONG_ANSWER,
                "reason": "lost",
                "margin": 0,
                "moves": 7,
                "slowest": 0.0301,
                "decisive": Decisive(2, "no position", "left", ("up", "stay"), "+5", "0"),
                "complaints": "<script>alert('ä')</script>",
                **results,
            }
        ),
    ]
    return Grade(Submission("<b>ann</b>", {}), small_suite(folder), made)


def test_gradescope_gets_its_document(tmp_path: Path) -> None:
    document = gradescope(grade_of(tmp_path))
    assert (document["score"], document["output"]) == (1, "1 of 2 points, level E")
    first, second = document["tests"]
    assert (first["status"], first["score"], first["max_score"]) == ("passed", 1, 1)
    assert (second["status"], second["score"]) == ("failed", 0)
    assert second["output"].startswith(
        "WA: lost\nmove 3, left: +5 became 0; better was up or stay\n\n<script>"
    )


@pytest.mark.parametrize(
    ("verdict", "whole", "points"),
    [("AC", "AC", 2), ("WA", "WA", 1), ("TLE", "TLE", 1), ("RTE", "RTE", 1), ("JE", "JE", 2)],
)
def test_kattis_gets_a_verdict_for_each_and_for_all(
    verdict: str, whole: str, points: int, tmp_path: Path
) -> None:
    document = kattis(grade_of(tmp_path, verdict=Verdict(verdict)))
    assert (document["verdict"], document["score"], document["time"]) == (whole, points, 0.03)
    assert [case["verdict"] for case in document["testcases"]] == ["AC", verdict]


def test_no_name_becomes_a_formula(tmp_path: Path) -> None:
    small = small_suite(tmp_path)
    odd = {
        "=1+1": "'=1+1",
        "+1": "'+1",
        "-1": "'-1",
        "@x": "'@x",
        "\uff1d1": "'\uff1d1",
        "  =1+1": "'  =1+1",
        '"=1+1': "'\"=1+1",
        "a;=1+1": "a;'=1+1",
        "a; =1+1": "a;' =1+1",
        "a,@x": "a,'@x",
        "a|-1": "a|'-1",
        'a";"=1+1': 'a";\'"=1+1',
        "\t=x": "?=x",
        "a\t=1+1": "a?=1+1",
        "a\n=1+1": "a?=1+1",
        "a\r\n=1+1\n": "a??=1+1?",
        "half \ud800": "half ?",
        "a,b": "a,b",
        'a"b': 'a"b',
        "Smith-Jones, Ann": "Smith-Jones, Ann",
        "'=1": "'=1",
    }
    book = gradebook([Grade(Submission(name, {}), small, []) for name in odd])
    assert book.count("\n") == len(odd) + 1
    rows = list(csv.reader(book.splitlines()))
    assert sorted(row[0] for row in rows[1:]) == sorted(odd.values())
    for separator in ",;\t|":  # read by a program that knows quotes, and by one that does not
        read = [cell for row in csv.reader(book.splitlines(), delimiter=separator) for cell in row]
        cut = [cell for line in book.splitlines() for cell in line.split(separator)]
        for cell in read + cut:
            assert cell.strip(' "')[:1] not in tuple("=+-@\uff1d\uff0b\uff0d\uff20"), cell
    assert gradebook([]) == ""


def test_no_level_and_no_name_of_a_task_becomes_a_formula(tmp_path: Path) -> None:
    tasks = [{**manifest()["tasks"][0], "name": "-A1"}]
    level = {"name": "b;=1+1", "points": 0}
    suite = small_suite(tmp_path, tasks=tasks, levels=[level])
    header, row = csv.reader(gradebook([Grade(Submission("ann", {}), suite, [])]).splitlines())
    assert header[-1] == "'-A1"
    assert row[3] == "b;'=1+1"


def test_a_judges_fault_is_told_and_costs_nothing(tmp_path: Path) -> None:
    grade = grade_of(tmp_path, verdict=Verdict.JUDGE_ERROR, reason="the judge failed")
    assert grade.points == 2
    row = next(csv.DictReader(gradebook([grade]).splitlines()))
    assert (row["judge_errors"], row["aside"]) == ("1", "JE")
    assert "costs no point" in report_page(grade)


def test_a_report_shows_what_students_chose_as_text_alone(tmp_path: Path) -> None:
    page = report_page(grade_of(tmp_path))
    assert "<script" not in page
    assert "<b>ann" not in page
    assert "&lt;script&gt;alert" in page
    assert "&lt;b&gt;ann" in page
    assert "Move 3, left: +5 became 0; better was up or stay." in page


def test_a_report_shows_where_a_game_ended_if_nobody_knows_the_move_that_lost_it(
    tmp_path: Path,
) -> None:
    suite = small_suite(tmp_path / "suite")
    record = GameRecord.begin(suite.tasks[0].start).append(suite.tasks[0].start.legal_moves[0])
    page = report_page(grade_of(tmp_path, decisive=None, record=record.text))
    assert "<svg" in page
    assert "Where it ended, after move 1." in page
    assert "<svg" not in report_page(grade_of(tmp_path, decisive=None, record=""))


def test_a_report_has_no_column_without_anything_in_it(tmp_path: Path) -> None:
    def with_margins(margins: tuple[int | None, int | None]) -> str:
        grade = grade_of(tmp_path)
        found = zip(grade.results, margins, strict=True)
        return report_page(
            replace(grade, results=[replace(result, margin=margin) for result, margin in found])
        )

    assert ">Margin</th>" in with_margins((None, -3))
    assert ">Margin</th>" not in with_margins((None, None))


def test_who_has_lost_nothing_reads_of_no_loss(tmp_path: Path) -> None:
    page = report_page(grade_of(tmp_path, verdict=Verdict.ACCEPTED, decisive=None, complaints=""))
    assert "What was lost" not in page
    assert decisive_text(TaskResult("x", Verdict.ACCEPTED, "won")) == ""
