"""Searches of a worker, whole and in parts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from plyground.core.errors import FormatError, IllegalMove, LimitError
from plyground.core.registry import find_game, game_names
from plyground.search.net.evaluation import net_name
from plyground.search.net.files import write_net
from plyground.search.result import Limits
from plyground.web.protocol.messages import SearchReply
from plyground.web.workers.job_run import Cancellation, Interrupted, JobRun
from plyground.web.workers.main import perform
from plyground.web.workers.search_cache import SearchCache
from tests.paths import EXAMPLES
from tests.search.net.random_nets import random_net
from tests.web.workers.job_runner import (
    Message,
    RecordingReporter,
    complete,
    do,
    do_in_parts,
    place,
)


@pytest.mark.parametrize("name", game_names())
def test_a_search_is_the_engines_own(name: str) -> None:
    from plyground.search.engine.engine import Engine

    job = {"type": "search", "place": {"game": name}, "depth": 4, "lines": 3}
    reporter = RecordingReporter()
    found = do(job, reporter=reporter)
    position = find_game(name).start()
    engine = Engine(position.game, evaluation=None)
    result = engine.search(position, Limits(depth=4), lines=3)
    assert found["nodes"] == result.nodes
    assert (found["value"], found["depth"]) == (result.value, result.depth)
    assert [line["value"] for line in found["lines"]] == [
        line.value for line in result.lines or [result]
    ]
    assert found["lines"][0]["moves"] == list(result.line_text)
    assert found["touches"] == list(position.touches(result.move))
    assert [message["depth"] for message in reporter.messages] == list(range(1, result.depth + 1))


def test_an_analysis_without_limits_ends_when_all_is_proven() -> None:
    found = do({"type": "search", "place": place("tictactoe")})
    assert found["proven"]
    assert found["value_text"] == "a draw"


@pytest.mark.parametrize("algorithm", ["alpha-beta", "minimax", "monte-carlo", "perfect", "random"])
def test_every_algorithm_finds_a_legal_move(algorithm: str, cache: SearchCache) -> None:
    limit = {"alpha-beta": {"depth": 3}, "minimax": {"depth": 2}, "monte-carlo": {"nodes": 500}}
    job = {"type": "search", "place": place("tictactoe", "b2"), "algorithm": algorithm}
    found = do({**job, **limit.get(algorithm, {})}, cache=cache)
    assert find_game("tictactoe").start().play("b2").play(found["move"])
    SearchReply.model_validate({"type": "done", "id": 1, **found}, extra="ignore")


LEARNED_BOARD = {"rows": 5, "columns": 5}
"""None comes with plyground for this one."""


@pytest.fixture
def nets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this machine's nets, with one for a board of Connect Four."""
    monkeypatch.setenv("PLYGROUND_NETS", str(tmp_path))
    start = find_game("connectfour").start(LEARNED_BOARD)
    write_net(tmp_path / net_name(start.game, start.board), random_net(start, 1))
    return tmp_path


def test_a_search_uses_the_evaluation_it_is_told_and_says_which(
    cache: SearchCache, nets: Path
) -> None:
    job = {"type": "search", "place": place("connectfour", **LEARNED_BOARD), "depth": 4}
    found = {
        word: do({**job, "evaluation": word}, cache=cache) for word in ("own", "none", "learned")
    }
    assert {word: result["evaluation"] for word, result in found.items()} == {
        word: word for word in found
    }
    assert found["learned"]["value"] != found["none"]["value"]
    assert do(job, cache=cache)["evaluation"] == "learned"
    small = {**job, "place": place("connectfour", columns=4)}
    assert do(small, cache=cache)["evaluation"] == "own"
    with pytest.raises(LimitError, match="no evaluation of connectfour was learned for these"):
        do({**small, "evaluation": "learned"}, cache=cache)
    game = place("connectfour", "c", **LEARNED_BOARD)
    review = do({"type": "review", "place": game, "seconds": 0.01})
    assert review["marks"] == []


def test_a_net_that_is_adopted_or_forgotten_while_a_worker_runs_is_noticed(
    cache: SearchCache, nets: Path
) -> None:
    job = {"type": "search", "place": place("connectfour", **LEARNED_BOARD), "depth": 2}
    (net,) = nets.iterdir()
    content = net.read_bytes()
    seen = []
    for _ in range(2):
        net.unlink()
        seen.append(do(job, cache=cache)["evaluation"])
        net.write_bytes(content)
        seen.append(do(job, cache=cache)["evaluation"])
    assert seen == ["own", "learned"] * 2


def test_a_board_has_the_evaluations_that_make_sense(nets: Path) -> None:
    def choices(*moves: str, **options: Any) -> Message:
        return do({"type": "evaluations", "place": place("connectfour", *moves, **options)})

    learned = {"choices": ["own", "learned", "none"], "automatic": "learned"}
    assert choices(**LEARNED_BOARD) == learned
    assert choices("c", "c", **LEARNED_BOARD) == learned
    assert choices(columns=4) == {"choices": ["own", "none"], "automatic": "own"}
    nim = do({"type": "evaluations", "place": place(str(EXAMPLES / "nim.py"))})
    assert nim == {"choices": ["none"], "automatic": "none"}
    search = {"type": "search", "place": place(str(EXAMPLES / "nim.py")), "depth": 1}
    assert do(search)["evaluation"] == "none"


def test_a_damaged_net_is_told_by_its_name(nets: Path) -> None:
    (net,) = nets.iterdir()
    net.write_bytes(b"damaged")
    with pytest.raises(FormatError, match=re.escape(f"{net} is no net: it is damaged")):
        do({"type": "evaluations", "place": place("connectfour", **LEARNED_BOARD)})


def test_a_finished_game_has_nothing_to_search() -> None:
    over = place("tictactoe", "a1", "b1", "a2", "b2", "a3")
    found = do({"type": "search", "place": over})
    assert (found["move"], found["lines"], found["proven"]) == (None, [], True)


def test_a_search_that_was_interrupted_goes_on_and_counts_all_it_did(cache: SearchCache) -> None:
    job = {"type": "search", "place": place("breakthrough"), "depth": 9}
    found, reporter, interruptions = do_in_parts(job, cache, messages=2)
    assert len(interruptions) > 2
    assert found["depth"] == 9
    depths = [message["depth"] for message in reporter.messages]
    nodes = [message["nodes"] for message in reporter.messages]
    assert depths == list(range(1, 10))
    assert nodes == sorted(nodes)
    assert found["nodes"] >= nodes[-1]
    json.dumps([interruption.rest for interruption in interruptions])  # it travels as text


def test_what_was_used_up_before_an_interruption_is_not_given_again(cache: SearchCache) -> None:
    before = do({"type": "search", "place": place("breakthrough"), "nodes": 20_000}, cache=cache)
    job = {"type": "search", "place": place("breakthrough"), "nodes": 30_000, "before": before}
    found = do(job, cache=cache)
    assert before["nodes"] < found["nodes"] < 45_000


def test_a_search_stops_even_if_that_is_requested_before_it_begins(cache: SearchCache) -> None:
    for algorithm in ("engine", "alpha-beta"):
        cancellation = Cancellation()
        cancellation.request()
        limits = {} if algorithm == "engine" else {"depth": 30}
        board = {"place": place("breakthrough"), "source": "breakthrough"}
        job = {"type": "search", **board, "algorithm": algorithm, **limits}
        with pytest.raises(Interrupted):
            perform(JobRun(complete(job), cache, RecordingReporter(), cancellation))
        cancellation.finish()


@pytest.mark.parametrize(
    ("job", "problem"),
    [
        ({"type": "search", "threads": 1000}, r"1000 threads: there are \d+ cores for"),
        ({"type": "solve", "memory": 1 << 40}, r"MiB: a solver gets at most \d+ MiB"),
        ({"type": "tree", "depth": 2, "algorithm": "minimax", "table": True}, "a table means"),
        ({"type": "search", "depth": 3, "algorithm": "monte-carlo"}, "depth means nothing to"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    job: Message, problem: str, cache: SearchCache
) -> None:
    with pytest.raises(LimitError, match=problem):
        do({**job, "place": place("tictactoe")}, cache=cache)


def test_a_move_that_is_not_legal_is_reported_with_its_number(cache: SearchCache) -> None:
    with pytest.raises(IllegalMove, match=r"^move 2: 'b2' is not a legal move here; legal are"):
        do({"type": "search", "place": place("tictactoe", "b2", "b2")}, cache=cache)
