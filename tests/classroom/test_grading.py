"""A task and its verdict: the decisive move, the clock, and the judge's own faults."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom import grading
from plyground.classroom.grading import Grader
from plyground.classroom.sandbox import SandboxFiles, python, start_sandboxed
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, Task, load_suite
from plyground.classroom.verdict import Decisive, TaskResult, Verdict
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.core.records.record import GameRecord
from plyground.players import program
from plyground.players.player import Choice, Clock, Fault
from plyground.players.program import NotStarted, Program
from plyground.players.simple import greedy_move
from plyground.search.result import points_text
from tests.classroom.sandboxes import need_sandbox
from tests.classroom.small_suite import day, manifest, small_suite
from tests.search.solving.brute_force import Memory, brute_force, worth_of_move

CONTROLLER = Submission("ann", {"player.py": b"class PlayerControllerMinimax: pass"})
CHOOSER = Submission("ann", {"player.py": b"def choose(position, clock): pass"})


class Scripted:
    """A student's player that does as it is told, in this process."""

    name = "ann"
    stderr = "hm " * 3000
    is_ready = True

    def __init__(self, choose: Callable[[Position], Choice | str]) -> None:
        self._choose = choose
        self.closed = 0

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self.side = side

    def choose(self, position: Position, clock: Clock) -> Choice:
        chosen = self._choose(position)
        return Choice(chosen, 0.001) if isinstance(chosen, str) else chosen

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def in_place(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scripted], None]:
    """Put a scripted player in the place of every submission."""

    def replace_players(player: Any) -> None:
        monkeypatch.setattr(grading, "start_player", lambda *_, **__: player)

    return replace_players


Place = Callable[[Scripted], None]


def tasks_of(folder: Path, game: str, *tasks: dict[str, Any]) -> Suite:
    named = [{"name": f"task-{number}", **task} for number, task in enumerate(tasks, 1)]
    (folder / "suite.json").write_text(json.dumps(manifest(game=game, tasks=named)))
    return load_suite(folder)


def first_legal(position: Position) -> str:
    return position.move_text(position.legal_moves[0])


def script(moves: Sequence[str]) -> Callable[[Position], str]:
    """These moves where they are legal, and else what comes first."""
    waiting = list(moves)
    return lambda position: legal_or_first(position, waiting.pop(0) if waiting else "")


def legal_or_first(position: Position, move: str) -> str:
    legal = [position.move_text(one) for one in position.legal_moves]
    return move if move in legal else legal[0]


# The decisive move

SEA = [
    day((5, 18), (5, 17), plies=8),
    day((5, 18), (4, 17), plies=9),
    day((5, 19), (6, 18), plies=10),
]
SEA_TEXT = json.dumps(day((5, 18), (5, 17)))
GAMES: list[list[str]] = [
    ["stay"] * 9,
    ["left", "right"] * 5,
    ["down", "up", "stay", "stay", "stay"],
    ["right", "stay", "down", "left", "up"],
]


@pytest.mark.parametrize("moves", GAMES, ids=" ".join)
def test_the_decisive_move_is_the_first_that_gives_a_won_game_away(
    moves: list[str], tmp_path: Path, in_place: Place
) -> None:
    """By brute force, which shares nothing with the solver."""
    tasks = [{"task": "win", "position": json.dumps(scenario)} for scenario in SEA]
    suite = tasks_of(tmp_path, "derby", *tasks)
    grader = Grader(suite)
    for task in suite.tasks:
        in_place(Scripted(script(moves)))
        result = grader.grade(CONTROLLER, task)
        positions = GameRecord.from_text(result.record).positions()
        memory: Memory = {}
        worths = [brute_force(position, memory=memory) for position in positions]
        lost_at = [
            ply
            for ply, worth in enumerate(worths[1:])
            if worth <= 0 < worths[ply] and positions[ply].turn == 0
        ]
        assert result.point == (positions[-1].utility > 0)
        if result.point:
            assert result.decisive is None
            continue
        assert result.verdict is Verdict.WRONG_ANSWER
        assert isinstance(result.decisive, Decisive)
        assert result.decisive.ply == lost_at[0]
        before = positions[lost_at[0]]
        assert result.decisive.position == before.text
        for move in before.legal_moves:
            is_best = worth_of_move(before, move, memory=memory) == worths[lost_at[0]]
            assert (before.move_text(move) in result.decisive.better) == is_best
        assert result.decisive.before == f"Green wins by {points_text(worths[lost_at[0]])}"
        assert result.decisive.after == "a draw"


def test_where_the_game_was_never_won_no_move_is_blamed(tmp_path: Path, in_place: Place) -> None:
    hopeless = day((5, 18), (5, 2), plies=8)
    suite = tasks_of(tmp_path, "derby", {"task": "win", "position": json.dumps(hopeless)})
    in_place(Scripted(first_legal))
    result = Grader(suite).grade(CONTROLLER, suite.tasks[0])
    assert (result.verdict, result.margin, result.decisive) == (Verdict.WRONG_ANSWER, 0, None)


def test_against_an_opponent_that_knows_nothing_no_move_is_blamed(
    tmp_path: Path, in_place: Place
) -> None:
    suite = small_suite(
        tmp_path, tasks=[{**manifest()["tasks"][0], "opponent": {"kind": "random"}}]
    )
    in_place(Scripted(lambda position: legal_or_first(position, "stay")))
    result = Grader(suite).grade(CONTROLLER, suite.tasks[0])
    assert (result.verdict, result.decisive) == (Verdict.WRONG_ANSWER, None)


# Games that end when they are decided


def both_ways(
    suite: Suite, task: Task, choose: Callable[[], Callable[[Position], str]], in_place: Place
) -> tuple[TaskResult, TaskResult]:
    """The results of the same player in a game to its end, and in one that ends when decided."""
    results = []
    for early in (False, True):
        in_place(Scripted(choose()))
        grader = Grader(replace(suite, end_when_decided=early))
        results.append(grader.grade(CHOOSER, task))
    return results[0], results[1]


def random_moves(seed: int) -> Callable[[Position], str]:
    """A player that plays at random, and now and then well."""
    chance = random.Random(seed)

    def choose(position: Position) -> str:
        move = chance.choice(position.legal_moves)
        return position.move_text(greedy_move(position) if chance.random() < 0.6 else move)

    return choose


def moves_of(result: TaskResult) -> list[str]:
    return [ply.move for ply in GameRecord.from_text(result.record).plies]


@pytest.mark.parametrize(
    ("game", "options", "opponent"),
    [
        ("derby", {"board": "random", "fish": 4, "plies": 24}, "perfect"),
        ("derby", {"board": "random", "fish": 4, "plies": 60}, "greedy"),
        ("slant", {"board": "random", "rows": 3, "columns": 3}, "perfect"),
        ("tictactoe", {}, "perfect"),
    ],
)
@pytest.mark.parametrize("side", [0, 1])
def test_a_game_that_ends_when_decided_has_the_verdict_of_the_whole_game(
    side: int, game: str, options: dict[str, Any], opponent: str, tmp_path: Path, in_place: Place
) -> None:
    seeds = range(8)
    task = {"task": "win", "side": side, "opponent": {"kind": opponent}}
    boards = [options if not options else {**options, "seed": seed} for seed in seeds]
    suite = tasks_of(tmp_path, game, *({**task, "options": board} for board in boards))
    shorter = 0
    for seed, one in zip(seeds, suite.tasks, strict=True):
        whole, early = both_ways(suite, one, partial(random_moves, seed), in_place)
        assert (early.verdict, early.decisive) == (whole.verdict, whole.decisive)
        assert moves_of(early) == moves_of(whole)[: len(moves_of(early))]
        record = GameRecord.from_text(early.record)
        assert record.outcome is not None
        if record.outcome.ending is Ending.DECIDED:
            shorter += 1
            assert len(moves_of(early)) < len(moves_of(whole))
            assert early.margin is None
            if early.decisive is not None:
                assert early.decisive.ply == len(moves_of(early)) - 1
        else:
            assert moves_of(early) == moves_of(whole)
    assert shorter > 0


@pytest.mark.parametrize(
    ("game", "position", "moves", "reason"),
    [
        ("tictactoe", "xx./oo./... x", ["c1"], "lost after move 1: from there O wins with"),
        ("tictactoe", "xx./oo./... x", ["c2"], "not won after move 1: from there O does not lose"),
        ("derby", SEA_TEXT, ["down", "up"], "won after move 1: nothing can change that any more"),
        ("derby", SEA_TEXT, ["stay"] * 9, "not won after move 9: nothing can change that any more"),
    ],
)
def test_a_decided_game_says_since_when_and_why(
    game: str, position: str, moves: list[str], reason: str, tmp_path: Path, in_place: Place
) -> None:
    suite = tasks_of(tmp_path, game, {"task": "win", "position": position})
    _, early = both_ways(suite, suite.tasks[0], lambda: script(moves), in_place)
    assert early.reason.startswith(reason)


# A game as the second player, and a move to find


def test_the_second_player_can_win_too(tmp_path: Path, in_place: Place) -> None:
    almost = {"task": "win", "position": "xx./oo./x.. o", "side": 1, "opponent": {"kind": "greedy"}}
    suite = tasks_of(tmp_path, "tictactoe", almost)
    in_place(Scripted(lambda position: "c2"))
    result = Grader(suite).grade(CHOOSER, suite.tasks[0])
    assert (result.verdict, result.moves) == (Verdict.ACCEPTED, 1)
    assert result.margin is None, "nobody counts points in this game"
    assert len(result.complaints) == grading.LONGEST_STDERR


def best_task(folder: Path) -> Suite:
    return tasks_of(
        folder, "tictactoe", {"task": "best", "position": "xx./oo./... x", "best": ["c3"]}
    )


@pytest.mark.parametrize(
    ("answer", "verdict", "reason"),
    [
        ("c3", "AC", "c3"),
        ("c1", "WA", "c1, where c3 is best"),
        ("a3", "WA", "'a3' is not a legal move here; legal are .*"),
        ("z\ud8009", "WA", ".* is not a legal move here; legal are .*"),
        (Choice("c3", 0.7), "TLE", "ann took 700 ms for a move of 500 ms"),
    ],
)
def test_a_move_to_find_is_found_or_not(
    answer: Choice | str, verdict: str, reason: str, tmp_path: Path, in_place: Place
) -> None:
    suite = best_task(tmp_path)
    player = Scripted(lambda position: answer)
    in_place(player)
    result = Grader(suite).grade(CHOOSER, suite.tasks[0])
    assert result.verdict.value == verdict
    assert re.fullmatch(reason, result.reason)
    assert result.reason.isprintable()
    assert (result.decisive is not None) == (reason == "c1, where c3 is best")
    assert player.closed >= 1


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        (Ending.CRASHED, "RTE"),
        (Ending.SILENT, "TLE"),
        (Ending.GARBAGE, "WA"),
        (Ending.ILLEGAL, "WA"),
        (Ending.OVERRUN, "TLE"),
    ],
)
def test_each_ending_has_its_verdict(
    ending: Ending, verdict: str, tmp_path: Path, in_place: Place
) -> None:
    def fail(position: Position) -> str:
        raise Fault(ending, "what happened")

    for suite in (best_task(tmp_path), tasks_of(tmp_path, "tictactoe", {"task": "win"})):
        in_place(Scripted(fail))
        result = Grader(suite).grade(CHOOSER, suite.tasks[0])
        assert (result.verdict.value, result.reason) == (verdict, "what happened")


# The judge's own faults


@pytest.mark.parametrize(
    "error",
    [PlygroundError("x"), OSError(28, "full"), TypeError("t"), MemoryError(), AssertionError()],
    ids=repr,
)
def test_a_fault_of_the_judges_costs_no_point_and_is_tried_twice(
    error: Exception, tmp_path: Path, in_place: Place
) -> None:
    suite = best_task(tmp_path)
    tries = 0

    def fail(position: Position) -> str:
        nonlocal tries
        tries += 1
        raise error

    in_place(Scripted(fail))
    result = Grader(suite).grade(CHOOSER, suite.tasks[0])
    assert (result.verdict, result.point) == (Verdict.JUDGE_ERROR, True)
    assert result.reason.startswith(f"the judge failed: {type(error).__name__}")
    assert tries == grading.TRIES

    def fail_once(position: Position) -> str:
        nonlocal tries
        tries += 1
        if tries == grading.TRIES + 1:
            raise error
        return "c1"

    in_place(Scripted(fail_once))
    result = Grader(suite).grade(CHOOSER, suite.tasks[0])
    assert result.verdict is Verdict.WRONG_ANSWER


def test_an_opponent_that_fails_is_the_judges_fault(
    tmp_path: Path, in_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading, "make_opponent", lambda *_: Scripted(lambda position: "z9"))
    suite = tasks_of(tmp_path, "tictactoe", {"task": "win"})
    in_place(Scripted(first_legal))
    result = Grader(suite).grade(CHOOSER, suite.tasks[0])
    assert result.verdict is Verdict.JUDGE_ERROR
    assert "the opponent failed" in result.reason


def test_a_room_that_cannot_be_built_is_the_judges_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_sandbox()

    def start(submission: Submission, path: str, interface: Any, **_: Any) -> Any:
        nowhere = SandboxFiles(tmp_path / "nowhere")
        return Program(
            lambda: start_sandboxed([python(), "-c", "pass"], nowhere), interface, name="ann"
        )

    monkeypatch.setattr(grading, "start_player", start)
    suite = best_task(tmp_path)
    result = Grader(suite).grade(CHOOSER, suite.tasks[0])
    assert result.verdict is Verdict.JUDGE_ERROR
    assert f"{NotStarted.__name__}: ann could not be started: bwrap: " in result.reason


@pytest.mark.parametrize(("kills", "verdict"), [(1, Verdict.WRONG_ANSWER), (9, "RTE")])
def test_who_was_ended_because_memory_was_short_gets_another_try_but_no_third(
    kills: int, verdict: str, tmp_path: Path, in_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each process that is ended has taken the memory."""
    killed = [0]

    def choose(position: Position) -> str:
        if killed[0] < kills:
            killed[0] += 1
            raise Fault(Ending.CRASHED, "ann ended before the game was over, with status 137")
        return "c1"

    monkeypatch.setattr(grading, "killed_for_memory", lambda: killed[0])
    suite = best_task(tmp_path)
    in_place(Scripted(choose))
    assert Grader(suite).grade(CHOOSER, suite.tasks[0]).verdict == verdict
    assert killed[0] == min(kills, grading.TRIES)


def test_whoever_did_not_get_ready_once_does_not_keep_a_class_waiting_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def start(*_: Any, start_seconds: float, **__: Any) -> Any:
        given.append(start_seconds)
        player = Scripted(lambda position: pytest.fail("it is never asked"))
        player.is_ready = False

        def begin(position: Position, side: int, clock: Clock) -> None:
            raise Fault(Ending.SILENT, "ann did not answer when it was asked to get ready")

        monkeypatch.setattr(player, "begin", begin)
        return player

    monkeypatch.setattr(grading, "start_player", start)
    suite = best_task(tmp_path)
    grader = Grader(suite)
    results = [grader.grade(CHOOSER, suite.tasks[0]) for _ in range(3)]
    assert {result.verdict for result in results} == {Verdict.TIME_LIMIT}
    assert given == [program.START_SECONDS, grading.LAST_CHANCE, grading.LAST_CHANCE]


def test_an_interruption_is_no_verdict(tmp_path: Path, in_place: Place) -> None:
    def interrupt(position: Position) -> str:
        raise KeyboardInterrupt

    suite = best_task(tmp_path)
    player = Scripted(interrupt)
    in_place(player)
    with pytest.raises(KeyboardInterrupt):
        Grader(suite).grade(CHOOSER, suite.tasks[0])
    assert player.closed


def test_a_file_that_cannot_play_the_side_is_the_students_affair(tmp_path: Path) -> None:
    """Else a point could be had for a class that plays the other side."""
    suite = tasks_of(tmp_path, "derby", {"task": "win", "position": json.dumps(SEA[0]), "side": 1})
    result = Grader(suite, trusted=True).grade(CONTROLLER, suite.tasks[0])
    assert result.verdict is Verdict.RUNTIME_ERROR
    assert "only choose(position, clock) can play red" in result.reason
    assert result.loaded


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"def choose(position, clock)\n", "SyntaxError: expected ':' in line 1 of player.py"),
        (b"\n1 / 0\ndef choose(*_): pass\n", "division by zero in line 2 of player.py"),
        (b"x = 1\n", "player.py defines no choose(position, clock)"),
    ],
)
@pytest.mark.parametrize("kind", ["win", "best"])
def test_a_file_that_cannot_be_loaded_is_told_from_one_that_fails_later(
    kind: str, source: bytes, reason: str, tmp_path: Path
) -> None:
    task = {"task": "best", "best": ["b2"]} if kind == "best" else {"task": "win"}
    suite = tasks_of(tmp_path, "tictactoe", task)
    grader = Grader(suite, trusted=True)
    result = grader.grade(Submission("ann", {"player.py": source}), suite.tasks[0])
    assert (result.verdict, result.loaded) == (Verdict.RUNTIME_ERROR, False)
    assert reason in result.reason
    later = Submission("ann", {"player.py": b"def choose(position, clock): 1 / 0"})
    assert grader.grade(later, suite.tasks[0]).loaded
