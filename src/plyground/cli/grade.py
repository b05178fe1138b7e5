"""`plyground grade`: a student's player on a suite of tasks, or a whole class."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import Annotated, Self

import typer

from plyground.classroom import gradebook, sandbox
from plyground.classroom.class_run import Plan, run_class
from plyground.classroom.gradebook import Grade, decisive_text
from plyground.classroom.journal import Journal
from plyground.classroom.overview import overview_page
from plyground.classroom.report import report_page
from plyground.classroom.submission import Submission, find_submissions
from plyground.classroom.suite import find_suite
from plyground.classroom.verdict import TaskResult
from plyground.cli.arguments import AsJson, Cluster, GameArgument, Workers
from plyground.cli.executors import make_executor
from plyground.cli.output import (
    announce_compilation,
    print_json,
    print_table,
    progress_bar,
    say,
    table,
)
from plyground.core.errors import FileError
from plyground.core.files import write_atomically
from plyground.core.printable import printable
from plyground.core.processes import notice_ends_of_children
from plyground.core.registry import find_game
from plyground.executor.cores import usable_cores

EXAMPLES = (
    "plyground grade derby player.py",
    "plyground grade derby submissions/ --out grades/",
    "plyground grade blocker player.py --trust",
    "plyground grade derby player.py --suite my_suite/ --json",
)

JOURNAL = "results.jsonl"
OVERVIEW = "index.html"
SHOWN_ERROR_LINES = 12
SHOWN_ERRORS = 3
"""Of what a player printed; the reports have more of it."""
LONGEST_FILE_NAME = 50
"""Characters of a student's name in the name of a file: four bytes each, and an ending."""
LONGEST_COLUMN = 30
"""Characters that the column of students' names is wide at most."""


def grade(
    name: GameArgument,
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="A player's file, its folder or zip; or a folder with many."
        ),
    ],
    suite_folder: Annotated[
        Path | None,
        typer.Option(
            "--suite", metavar="FOLDER", help="Tasks of your own instead of the built-in ones."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep gradebook, reports and records here; a run that was ended goes on from it.",
        ),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Without a sandbox: for a file of your own, at home.")
    ] = False,
    one: Annotated[
        bool, typer.Option("--one", help="The folder is one student's, whatever is in it.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Grade anew what has been graded already.")
    ] = False,
    gradescope: Annotated[
        bool, typer.Option("--gradescope", help="Write a results.json for each student, too.")
    ] = False,
    kattis: Annotated[
        bool, typer.Option("--kattis", help="Write a verdict.json for each student, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Grade a player on a suite of tasks, or a class of them.

    Each task is worth a point. A player runs in a sandbox, in a process of its own for each game,
    with so much time for a move as the suite says. For each point that was lost on the board, the
    first move that threw it away is shown, with a better one. The exit status is 0 however many
    points there are. A class is graded on all cores of this machine at once, or on a cluster.
    """
    notice_ends_of_children()  # without an exit status, every sandbox would seem to fail
    announce_compilation()
    suite = find_suite(find_game(name), suite_folder)
    submissions = find_submissions(path, one=one)
    why = None if trust or cluster is not None else sandbox.cannot_be_built()
    if why is not None:
        raise sandbox.NoSandbox(f"{why}; for a file of your own at home there is --trust")
    if len(submissions) > 1 and out is None:
        out = Path(f"grades-{suite.name}")
    several = 1 if len(submissions) == 1 else usable_cores()
    plan = Plan(suite, submissions, trust)
    folder = out or Path(f"grade-{submissions[0].name}")
    journal = Journal(folder / JOURNAL, suite, trusted=trust)
    if again:
        journal.forget(submissions, suite.tasks)
    try:
        with (
            # A player may have threads, which use all cores.
            make_executor(workers, cluster, default=several, pin=False) as executor,
            GradingProgress(plan, journal, quiet=as_json) as progress,
        ):
            run_class(plan, journal, progress.show, executor)
    except KeyboardInterrupt:
        say(f"{progress.text} are graded and kept in {folder}; the same command goes on from there")
        raise
    else:
        grades = [Grade(one, suite, journal.of(one, suite.tasks)) for one in submissions]
    finally:
        journal.close()
    _write(folder, grades, gradescope=gradescope, kattis=kattis)
    _print_grades(folder, grades, as_json=as_json)


class GradingProgress:
    """Shows results as they come: a line each, and a bar on a terminal. With `quiet` only the
    bar."""

    def __init__(self, plan: Plan, journal: Journal, *, quiet: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        self._quiet = quiet
        keys = [journal.key(one, task) for one in plan.submissions for task in plan.suite.tasks]
        self._total = len(keys)
        self._done = self._known = sum(key in journal.results for key in keys)
        longest = max(len(one.name) for one in plan.submissions)
        self._name_width = 0 if len(plan.submissions) == 1 else min(longest, LONGEST_COLUMN)
        self._task_width = max(len(task.name) for task in plan.suite.tasks)
        self._progress = progress_bar(
            TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        )
        self._bar = self._progress.add_task("", total=self._total, completed=self._known)

    def __enter__(self) -> Self:
        if self._known and not self._quiet:
            self._print(f"{self._known} of {self._total} are graded already, and not graded again")
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    @property
    def text(self) -> str:
        return f"{self._done} of {self._total}"

    def show(self, submission: Submission, result: TaskResult) -> None:
        self._progress.advance(self._bar)
        self._done += 1
        if not self._quiet and result.loaded:  # the notes at the end say once what was not loaded
            name = f"{submission.name:{self._name_width}}  " if self._name_width else ""
            self._print(name + _result_line(result, self._task_width))

    def _print(self, line: str) -> None:
        """A line above the bar, on standard error where that is the terminal, else as an answer."""
        if self._progress.disable:
            print(line, flush=True)
        else:
            self._progress.console.print(line, soft_wrap=True)
            if not sys.stdout.isatty():
                print(line, flush=True)


def _result_line(result: TaskResult, width: int) -> str:
    """One line of a result; `width` is that of the longest task's name."""
    margin = "" if result.margin is None else f"{result.margin:+d}"
    slowest = f"{result.slowest * 1000:.0f} ms" if result.moves else ""
    depth = "" if result.depth is None else f"depth {result.depth}"
    numbers = f"{margin:>5} {slowest:>8} {depth:9}"
    return f"{result.task:{width}}  {result.verdict.value:4}{numbers}{result.reason}".rstrip()


def _write(folder: Path, grades: list[Grade], *, gradescope: bool, kattis: bool) -> None:
    def write_text(path: Path, text: str) -> None:
        # What a player says may hold half a character.
        write_atomically(path, text.encode(errors="replace"))

    def make_folder(path: Path) -> None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None

    for part in ("reports", "records"):
        make_folder(folder / part)
    write_text(folder / "gradebook.csv", gradebook.gradebook(grades))
    names = _file_names(grades)
    for one, name in zip(grades, names, strict=True):
        write_text(folder / "reports" / f"{name}.html", report_page(one))
        for result in one.results:
            path = folder / "records" / name / f"{result.task}.record"
            if result.record:
                make_folder(path.parent)
                write_text(path, result.record)
            else:  # an earlier run may have left the record of another game there
                with contextlib.suppress(OSError):
                    path.unlink()
        for wanted, ending, make in (
            (gradescope, "results.json", gradebook.gradescope),
            (kattis, "verdict.json", gradebook.kattis),
        ):
            if wanted:
                place = folder if len(grades) == 1 else folder / "reports"
                target = ending if len(grades) == 1 else f"{name}.{ending}"
                write_text(place / target, json.dumps(make(one), indent=1) + "\n")
    if len(grades) > 1:
        reports = [f"reports/{name}.html" for name in names]
        write_text(folder / OVERVIEW, overview_page(grades, reports))


def _file_names(grades: list[Grade]) -> list[str]:
    """Students' names as names of files, no two the same."""
    names: list[str] = []
    for one in grades:
        marks = (mark if mark.isalnum() or mark in "-_. " else "_" for mark in one.submission.name)
        name = "".join(marks).strip(". ")[:LONGEST_FILE_NAME] or "_"
        while name.casefold() in map(str.casefold, names):
            name += "_"
        names.append(name)
    return names


def _print_grades(folder: Path, grades: list[Grade], *, as_json: bool) -> None:
    if as_json:
        print_json([_as_json(one) for one in grades])
        return
    if len(grades) == 1:
        one = grades[0]
        for result in one.results:
            if result.decisive is not None:
                print(f"{result.task}: {decisive_text(result)}")
        _print_errors(one)
        level = f": level {one.level}" if one.level else ""
        print(f"\n{one.points} of {len(one.suite.tasks)} points{level}")
    else:
        shown = table("student", ">points", "level", ">slowest")
        for one in grades:
            shown.add_row(
                one.submission.name,
                f"{one.points} of {len(one.suite.tasks)}",
                one.level or "-",
                f"{one.slowest * 1000:.0f} ms",
            )
        print_table(shown)
    _print_notes(grades)
    overview = f"{OVERVIEW}, " if len(grades) > 1 else ""
    print(f"kept in {folder}: {overview}gradebook.csv, reports, records")


def _print_errors(one: Grade) -> None:
    """What a player printed where it failed. Each last line, which has the error, is shown once."""
    shown: set[str] = set()
    for result in one.results:
        lines = result.complaints.strip().splitlines()[-SHOWN_ERROR_LINES:]
        if result.point or not lines or lines[-1] in shown or len(shown) == SHOWN_ERRORS:
            continue
        shown.add(lines[-1])
        when = f"in {result.task}" if result.loaded else "when the file was loaded"
        print(f"\nwhat was printed {when}:")
        for line in lines:
            print("  |", printable(line))


def _print_notes(grades: list[Grade]) -> None:
    for one in grades:
        if one.note:
            print(one.note if len(grades) == 1 else f"{one.submission.name}: {one.note}")


def _as_json(one: Grade) -> dict[str, object]:
    return {
        "student": one.submission.name,
        "points": one.points,
        "of": len(one.suite.tasks),
        "level": one.level,
        "verdict": one.verdict.value,
        "note": one.note,
        "results": [result.as_json() for result in one.results],
    }
