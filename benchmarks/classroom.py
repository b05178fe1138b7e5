"""The classroom: points of reference players and of the engine, time for a class, punctuality."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

from benchmarks.clock import busy_processes
from benchmarks.derby_levels import POSITIONS, REPEATS, SPEEDS, cost_rows, simulated_rows
from benchmarks.report import Row, UnavailableError
from plyground.arena.referee import UNTIMED, Terms, play_game
from plyground.classroom.class_run import Plan, run_class
from plyground.classroom.interfaces import STARTERS
from plyground.classroom.journal import Journal
from plyground.classroom.opponents import Perfect
from plyground.classroom.sandbox import cannot_be_built
from plyground.classroom.student_process import start_player
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, find_suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.registry import find_game
from plyground.executor.local import LocalExecutor
from plyground.players.player import Choice, Clock
from plyground.players.search_player import SearchPlayer
from plyground.search.result import Limits
from plyground.search.searcher import Algorithm, make_searcher

ROUNDS = 10
CLASS = 30
GRADERS = 2
BUSY_PROCESSES = 2
CLASS_SECONDS = 900.0
MOVES = 2000
TRIPS = 500
ROUND_TRIP = 0.001
QUICK_DAY = "day-07"
"""The shortest day of the suite: its sea is empty after 14 plies."""

STUDENTS = Path(__file__).parent.parent / "tests" / "data" / "students"

AT_ONCE = """
from fishing_game_core.player_utils import PlayerController

class PlayerControllerHuman(PlayerController):
    pass

class PlayerControllerMinimax(PlayerController):
    def player_loop(self):
        self.receiver()
        while True:
            self.receiver()
            self.sender({"action": "stay", "search_time": None})
"""
LOADING = 120.0
"""Seconds in which a player must be ready. Loading is not what is measured."""
ENGINE = """
from plyground import Engine, Limits, find_game

engine = Engine(find_game("derby"), memory=16)
engine.search(find_game("derby").start(), Limits(depth=2))

def choose(position, clock):
    result = engine.search(position, Limits(seconds=max(clock.left, 0.001)))
    return result.move, result.depth
"""


def run(quick: bool) -> Iterator[Row]:
    why = cannot_be_built()
    if why is not None:
        raise UnavailableError(why)
    suite = find_suite(find_game("derby"))
    if quick:
        day = next(task for task in suite.tasks if task.name == QUICK_DAY)
        suite = replace(suite, tasks=(day,))
    yield from cost_rows(suite, 2 if quick else POSITIONS, 1 if quick else REPEATS)
    yield from simulated_rows(suite, SPEEDS[:1] if quick else SPEEDS, judged=not quick)
    players = list(reference_players())
    if quick:
        players = players[2:]  # one of each kind
    yield from level_rows(suite, players, 1 if quick else ROUNDS, judged=not quick)
    yield points_row(suite, 1 if quick else ROUNDS, judged=not quick)
    yield class_row(suite, 2 if quick else CLASS, judged=not quick)
    yield clock_row(suite, 4 if quick else MOVES, judged=not quick)
    yield trip_row(suite, 20 if quick else TRIPS, judged=not quick)


def points_row(suite: Suite, rounds: int, *, judged: bool) -> Row:
    """The engine as green against perfect red, every day of the suite, several times."""
    limits = Limits(seconds=suite.seconds)
    engine = SearchPlayer(make_searcher(Algorithm.ENGINE, suite.game), limits, name="engine")
    red = Perfect(suite.game)
    terms = (Terms(suite.seconds, suite.overruns), UNTIMED)
    days = suite.tasks
    won = [
        sum(play_game(day.start, [engine, red], terms).outcome.winner == 0 for day in days)
        for _ in range(rounds)
    ]
    return Row(
        f"the engine at 75 ms as green, {rounds} times {len(days)} days",
        f"points: {', '.join(map(str, won))}",
        "perfect red",
        f"{sum(won)}/{rounds * len(days)}",
        "all",
        min(won) == len(days) if judged else None,
        {"won": sum(won), "games": rounds * len(days)},
    )


def level_rows(
    suite: Suite, players: list[tuple[str, str, range]], rounds: int, *, judged: bool
) -> Iterator[Row]:
    """The reference players of the tests, written as students write, graded again and again. All
    of them are one class, so that a day is solved once."""
    sources = [source for _, source, _ in players for _ in range(rounds)]
    results = graded(suite, sources, GRADERS if judged else 1)
    for number, (name, _, wanted) in enumerate(players):
        own = results[number * rounds : (number + 1) * rounds]
        points = [sum(result.point for result in student) for student in own]
        yield level_row(name, points, wanted, judged=judged)


def reference_players() -> Iterator[tuple[str, str, range]]:
    """What each does, its file, and the points that its level begins and ends with."""
    plain = (STUDENTS / "derby_reference_minimax.py").read_text(encoding="utf-8")
    for depth in (2, 3, 4):
        source = plain.replace("DEPTH = 3", f"DEPTH = {depth}")
        yield f"minimax, {depth} plies", source, range(10, 15)
    for name, wanted in (("iterative", range(15, 20)), ("table", range(20, 26))):
        source = (STUDENTS / f"derby_reference_{name}.py").read_text(encoding="utf-8")
        yield source.split('"""')[1].rstrip("."), source, wanted


def level_row(name: str, points: list[int], wanted: range, *, judged: bool) -> Row:
    rounds = len(points)
    within = sum(count in wanted for count in points)
    return Row(
        f"points of a reference player: {name}",
        f"points: {', '.join(map(str, points))}",
        f"its level: {wanted[0]} to {wanted[-1]}",
        f"{within}/{rounds}",
        "all, within one",
        within == rounds and max(points) - min(points) <= 1 if judged else None,
        {"least": min(points), "most": max(points)},
    )


def class_row(suite: Suite, students: int, *, judged: bool) -> Row:
    """A class whose players use 20 ms a move, in sandboxes."""
    source = (STARTERS / "derby.py").read_text(encoding="utf-8")
    quick = source.replace("TIME = 0.050", "TIME = 0.020")
    assert quick != source
    started = time.perf_counter()
    graders = GRADERS if judged else 1
    graded_class = graded(suite, [quick] * students, graders)
    results = [result for student in graded_class for result in student]
    seconds = time.perf_counter() - started
    late = sum(result.verdict is Verdict.TIME_LIMIT for result in results)
    return Row(
        f"a class of {students} on {len(suite.tasks)} days, graders: {graders}",
        f"{len(results)} games in {seconds:.0f} s, {late} of them too slow",
        f"allowed: {CLASS_SECONDS:.0f} s",
        f"{CLASS_SECONDS / seconds:.1f}x",
        ">= 1x",
        seconds <= CLASS_SECONDS if judged else None,
        {"seconds": seconds, "games": len(results)},
    )


def graded(suite: Suite, sources: list[str], graders: int) -> list[list[TaskResult]]:
    """The results of a class whose students hand in these players, graded so many at a time."""
    submissions = [
        Submission(f"student-{number:02}", {"player.py": f"{source}\n# {number}\n".encode()})
        for number, source in enumerate(sources)
    ]
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "results.jsonl", suite)
        executor = LocalExecutor(graders, pin=False)
        run_class(Plan(suite, submissions), journal, lambda *_: None, executor)
        journal.close()
        return [journal.of(submission, suite.tasks) for submission in submissions]


def clock_row(suite: Suite, count: int, *, judged: bool) -> Row:
    """A player that asks the compiled engine, in a sandbox, beside busy processes."""
    busy = BUSY_PROCESSES if judged else 1
    with busy_processes(busy):
        choices = ask_often(suite, "choose.py", ENGINE, count)
    limit = suite.seconds or 0.0
    own = [choice.charged_seconds for choice in choices]
    late = sum(seconds > limit for seconds in own)
    on_the_wall = sum(choice.seconds > limit for choice in choices)
    percentiles = quantiles(own, n=100, method="inclusive")
    return Row(
        f"{len(own)} moves of a compiled player in a sandbox, busy processes beside it: {busy}",
        f"p50 {percentiles[49] * 1000:.1f} ms, p99 {percentiles[98] * 1000:.1f} ms,"
        f" max {max(own) * 1000:.1f} ms; on the wall clock {on_the_wall} late",
        f"allowed: {limit * 1000:.0f} ms",
        f"{late} late",
        "0 late",
        late == 0 if judged else None,
        {"late": late, "late_on_the_wall": on_the_wall, "max": max(own)},
    )


def trip_row(suite: Suite, count: int, *, judged: bool) -> Row:
    """What asking costs: a player in a sandbox that answers at once."""
    waited = [choice.seconds for choice in ask_often(suite, "player.py", AT_ONCE, count)]
    middle = median(waited)
    return Row(
        f"round trip of a move (median of {len(waited)})",
        f"{middle * 1e6:.0f} us",
        f"allowed: {ROUND_TRIP * 1e6:.0f} us",
        f"{ROUND_TRIP / middle:.1f}x",
        ">= 1x",
        middle <= ROUND_TRIP if judged else None,
        {"seconds": middle},
    )


def ask_often(suite: Suite, name: str, source: str, count: int) -> list[Choice]:
    """A player's answers to positions of green's, game after game until there are so many."""
    submission = Submission("player", {name: source.encode()})
    clock = Clock(suite.seconds)
    choices: list[Choice] = []
    while len(choices) < count:
        for task in suite.tasks:
            path, interface = submission.player(suite.game, task.options)
            player = start_player(submission, path, interface, trusted=False, start_seconds=LOADING)
            try:
                player.begin(task.start, 0, clock)
                position = task.start
                while not position.is_over and len(choices) < count:
                    if position.turn == 0:
                        choices.append(player.choose(position, clock))
                    position = position.play(position.legal_moves[-1])
            finally:
                player.close()
    return choices
