"""What workers do, without any process: searches and solutions, by turns, and what is told."""

from __future__ import annotations

import io
import json
import os
import random
import threading
from dataclasses import replace
from typing import Any

import pytest

from plyground.core.errors import GameOver, IllegalMove, LimitError, PlygroundError
from plyground.core.position import Position
from plyground.core.registry import find_game, game_names
from plyground.search.binding.compile import bind
from plyground.search.result import Limits
from plyground.search.searcher import Algorithm
from plyground.search.solving.solution import Solution, Unsolved, Worth
from plyground.web.protocol.messages import ANALYSIS_REQUEST, SearchReply, Solved
from plyground.web.workers.cancellation import Control, Paused
from plyground.web.workers.jobs import solve as solving
from plyground.web.workers.jobs.search import perform
from plyground.web.workers.jobs.solve import solve_with
from plyground.web.workers.main import Report, Voice
from plyground.web.workers.search_cache import KEPT, Desk
from tests.web.job_runner import Message, Notes, do, do_by_turns, place


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk()


# Search


@pytest.mark.parametrize("name", game_names())
def test_a_search_is_the_engines_own(name: str) -> None:
    from plyground.search.engine.engine import Engine

    job = {"type": "search", "place": {"game": name}, "depth": 4, "lines": 3}
    notes = Notes()
    found = do(job, notes=notes)
    position = find_game(name).start()
    result = Engine(position.game).search(position, Limits(depth=4), lines=3)
    assert found["nodes"] == result.nodes
    assert (found["value"], found["depth"]) == (result.value, result.depth)
    assert [line["value"] for line in found["lines"]] == [
        line.value for line in result.lines or [result]
    ]
    assert found["lines"][0]["moves"] == list(result.line_text)
    assert found["touches"] == list(position.touches(result.move))
    assert [told["depth"] for told in notes.told] == list(range(1, result.depth + 1))


def test_an_analysis_without_limits_ends_when_all_is_proven() -> None:
    found = do({"type": "search", "place": place("tictactoe")})
    assert found["proven"]
    assert found["value_text"] == "a draw (proven)"


@pytest.mark.parametrize("algorithm", ["alpha-beta", "minimax", "monte-carlo", "perfect", "random"])
def test_every_algorithm_finds_a_legal_move(algorithm: str, desk: Desk) -> None:
    limit = {"alpha-beta": {"depth": 3}, "minimax": {"depth": 2}, "monte-carlo": {"nodes": 500}}
    job = {"type": "search", "place": place("tictactoe", "b2"), "algorithm": algorithm}
    found = do({**job, **limit.get(algorithm, {})}, desk=desk)
    assert find_game("tictactoe").start().play("b2").play(found["move"])
    SearchReply.model_validate({"type": "done", "id": 1, **found}, extra="ignore")


def test_a_finished_game_has_nothing_to_search() -> None:
    over = place("tictactoe", "a1", "b1", "a2", "b2", "a3")
    found = do({"type": "search", "place": over})
    assert (found["move"], found["lines"], found["proven"]) == (None, [], True)


def test_a_search_that_was_interrupted_goes_on_and_counts_all_it_did(desk: Desk) -> None:
    job = {"type": "search", "place": place("breakthrough"), "depth": 9}
    found, notes, pauses = do_by_turns(job, desk, messages=2)
    assert len(pauses) > 2
    assert not any(pause.restarts for pause in pauses)
    assert found["depth"] == 9
    depths = [told["depth"] for told in notes.told]
    nodes = [told["nodes"] for told in notes.told]
    assert depths == list(range(1, 10))
    assert nodes == sorted(nodes)
    assert found["nodes"] >= nodes[-1]
    json.dumps([pause.rest for pause in pauses])  # it travels as text


def test_what_was_used_up_before_an_interruption_is_not_given_again(desk: Desk) -> None:
    before = do({"type": "search", "place": place("breakthrough"), "nodes": 20_000}, desk=desk)
    job = {"type": "search", "place": place("breakthrough"), "nodes": 30_000, "before": before}
    found = do(job, desk=desk)
    assert before["nodes"] < found["nodes"] < 45_000


def test_a_search_is_stopped_even_if_it_is_told_before_it_begins(desk: Desk) -> None:
    for algorithm in ("engine", "alpha-beta"):
        control = Control()
        control.stop()
        limits = {} if algorithm == "engine" else {"depth": 30}
        job = {"type": "search", "place": place("breakthrough"), "algorithm": algorithm, **limits}
        with pytest.raises(Paused):
            perform(desk, {**job, "source": "breakthrough"}, Notes(), control)
        control.finish()


@pytest.mark.parametrize(
    ("job", "problem"),
    [
        ({"type": "search", "threads": 1000}, r"1000 threads: this machine has \d+ cores"),
        ({"type": "solve", "memory": 1 << 40}, r"MiB: a solver gets at most \d+ MiB"),
        ({"type": "tree", "depth": 2, "algorithm": "minimax", "table": True}, "a table means"),
        ({"type": "search", "depth": 3, "algorithm": "monte-carlo"}, "depth means nothing to"),
    ],
)
def test_limits_that_make_no_sense_are_refused(job: Message, problem: str, desk: Desk) -> None:
    with pytest.raises(LimitError, match=problem):
        do({**job, "place": place("tictactoe")}, desk=desk)


def test_a_move_that_is_not_legal_is_told_with_its_number(desk: Desk) -> None:
    with pytest.raises(IllegalMove, match=r"^move 2: 'b2' is not a legal move here; legal are"):
        do({"type": "search", "place": place("tictactoe", "b2", "b2")}, desk=desk)


def test_positions_are_replayed_only_from_where_they_differ(desk: Desk) -> None:
    job = {"source": "tictactoe", "place": place("tictactoe", "b2", "a1", "c1")}
    before = desk.positions(job)
    after = desk.positions({"source": "tictactoe", "place": place("tictactoe", "b2", "a1", "c3")})
    assert [one is other for one, other in zip(before, after, strict=True)] == [True] * 3 + [False]
    assert after[-1] == find_game("tictactoe").start().play("b2").play("a1").play("c3")


def test_a_desk_keeps_few_searches(desk: Desk) -> None:
    game = find_game("tictactoe")
    first = desk.engine(game, 1)
    assert desk.engine(game, 1) is first
    for memory in range(1, KEPT + 1):
        desk.searcher(game, Algorithm.MONTE_CARLO, memory=memory)
    assert desk.engine(game, 1) is not first


# Solve


def test_a_solution_is_the_solvers_own(desk: Desk) -> None:
    from plyground.search.solving.methods import make_solver
    from plyground.search.solving.solution import worth_text

    position = find_game("tictactoe").start().play("b2").play("b1")
    found = do({"type": "solve", "place": place("tictactoe", "b2", "b1")}, desk=desk)
    solution = make_solver(position.game, memory=16).solve(position)
    words = {position.move_text(move): worth_text(position, worth)
             for move, worth in solution.moves.items()}  # fmt: skip
    assert {move["text"]: move["words"] for move in found["moves"]} == words
    best = {position.move_text(move) for move in solution.optimal}
    assert {move["text"] for move in found["moves"] if move["best"]} == best
    assert found["value_text"] == "X wins in 5 plies"
    assert found["moves"][0]["best"]
    Solved.model_validate({"type": "solved", "id": 1, **found})


def test_where_positions_come_back_the_other_moves_are_solved_one_by_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plyground.search.solving.retrograde.solver import Retrograde

    monkeypatch.setattr(solving, "LEAST_SECONDS", 600.0)  # the machine may be busy
    position = find_game("blocker").start()
    found = do({"type": "solve", "place": place("blocker")}, desk=desk)
    worths = {
        move: Retrograde(position.game, memory=64).solve(position.after(move)).worth
        for move in position.legal_moves
    }
    assert found["moves"][0]["text"] == "block"
    assert {move["text"]: move["utility"] for move in found["moves"]} == {
        position.move_text(move): worth.utility for move, worth in worths.items()
    }
    for move in found["moves"]:
        plies = worths[position.parse_move(move["text"])].plies
        assert move["plies"] == (None if plies is None else plies + 1)
    assert [move["best"] for move in found["moves"]].count(True) == 1


def test_what_takes_too_long_beside_the_answer_is_said_to_be_unknown(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "LEAST_SECONDS", -1.0)
    monkeypatch.setattr(solving, "solve_with", _solved_in_no_time)
    found = do({"type": "solve", "place": place("blocker")}, desk=desk)
    assert {move["words"] for move in found["moves"]} == {
        "A wins in 11 plies",
        "not decided in the time given",
    }
    Solved.model_validate({"type": "solved", "id": 1, **found})


def _solved_in_no_time(*arguments: Any, **options: Any) -> Solution:
    return replace(solve_with(*arguments, **options), seconds=0.0)


class Slow:
    """A solver that takes all the time that it is given, of which compiling is no part."""

    method = "slow"

    def __init__(self) -> None:
        self._bound = bind(find_game("tictactoe"))
        self.given: list[float | None] = []

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        self.given.append(seconds)
        if len(self.given) == 1:
            self._bound._prepared += 60.0
            return Solution(position, self.method, Worth(0), {}, (), (), 1, "nodes", 0.0)
        self._bound._prepared -= 120.0
        raise Unsolved("stopped")

    def verify(self, position: Position) -> int:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError


def test_the_other_moves_share_a_time_that_compiling_is_no_part_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = find_game("tictactoe").start()
    monkeypatch.setattr(bind(position.game), "_prepared", 0.0)
    solver = Slow()
    found = solving._left_out(solver, position, [0, 1, 2], 60.0, {}, Control())
    assert set(found) == {0}
    first, second = solver.given  # for the third there was no time left
    assert first is not None
    assert second is not None
    assert first <= 60 < second


def test_a_finished_game_cannot_be_solved(desk: Desk) -> None:
    over = place("tictactoe", "a1", "b1", "a2", "b2", "a3")
    with pytest.raises(GameOver, match="nothing to solve"):
        do({"type": "solve", "place": over}, desk=desk)


def test_a_solver_that_was_interrupted_ends_in_a_later_turn(desk: Desk) -> None:
    board = place("breakthrough", rows=5, columns=4)
    job = {"type": "solve", "place": board, "source": "breakthrough", "memory": 64}
    control = Control()
    with pytest.raises(Paused) as paused:
        perform(desk, job, Notes(lambda _: control.stop()), control)
    control.finish()
    assert paused.value.restarts
    assert paused.value.rest == job


# Progress


def test_progress_is_told_first_at_once_then_now_and_then_and_the_newest_at_the_end() -> None:
    output = io.BytesIO()
    report = Report(Voice(output), 7)
    first = threading.Event()

    def told(number: int) -> Message:
        first.set()
        return {"number": number}

    report.progress(lambda: told(0))
    assert first.wait(60)
    for number in range(1, 1000):
        report.progress(lambda number=number: told(number))  # type: ignore[misc]
    report.end(last=True)
    numbers = [json.loads(line)["tell"]["number"] for line in output.getvalue().splitlines()]
    assert numbers[0] == 0
    assert numbers[-1] == 999
    assert numbers == sorted(numbers)
    assert len(numbers) < 500


def test_after_the_end_no_progress_comes() -> None:
    output = io.BytesIO()
    report = Report(Voice(output), 7)
    report.end(last=False)
    assert output.getvalue() == b""


# Requests at random


def test_whatever_a_page_may_ask_ends_in_a_result_or_in_a_sentence(desk: Desk) -> None:
    choose = random.Random(1)
    for _ in range(60):
        question = _any_question(choose)
        message = ANALYSIS_REQUEST.validate_python({**question, "id": 1})
        job = message.model_dump(exclude={"id"}, exclude_none=True)
        if question["place"]["moves"][-1:] == ["nonsense"]:
            with pytest.raises(PlygroundError, match=r"^move \d+: [^\n]+$"):
                do(job, desk=desk)
        else:
            json.dumps(do(job, desk=desk), allow_nan=False)


def _any_question(choose: random.Random) -> Message:
    name = choose.choice(game_names())
    position, moves = find_game(name).start(), []
    for _ in range(choose.randrange(12)):
        if position.is_over:
            break
        moves.append(position.move_text(choose.choice(position.legal_moves)))
        position = position.play(moves[-1])
    where = {"game": name, "moves": moves + choose.choice([[], [], [], ["nonsense"]])}
    return choose.choice(
        [
            {"type": "search", "place": where, "nodes": 500, "lines": choose.randint(1, 5)},
            {"type": "search", "place": where, "algorithm": "monte-carlo", "nodes": 50},
            {"type": "search", "place": where, "algorithm": "minimax", "depth": 2},
            {"type": "search", "place": where, "depth": 3, "threads": os.cpu_count() or 1},
            {"type": "review", "place": where, "seconds": 0.002},
            {"type": "tree", "place": where, "depth": 4, "budget": 200, "ordering": True},
        ]
    )
