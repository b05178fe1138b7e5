"""Trees: the textbook's searches with every step, and what they leave out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyground.core.game import Position
from plyground.core.registry import find_game, game_names
from plyground.core.values import INFINITY
from plyground.search.textbook.algorithms import Answer, alpha_beta, minimax
from plyground.search.textbook.trace import Cut, Enter
from plyground.web.protocol.messages import TreeReply
from plyground.web.workers.job_run import Cancellation, Interrupted, JobRun
from plyground.web.workers.jobs.tree import FewStates, best_first, count_compiled
from plyground.web.workers.main import perform
from plyground.web.workers.search_cache import SearchCache
from tests.paths import SAMPLE_GAMES
from tests.web.workers.job_runner import Message, RecordingReporter, complete, do, place


def textbook(position: Position, job: Message, **more: Any) -> Answer:
    order = best_first if job.get("ordering") else None
    if job["algorithm"] == "minimax":
        return minimax(position, job["depth"], order=order, **more)
    return alpha_beta(position, job["depth"], order=order, table=job.get("table", False), **more)


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize(
    "settings",
    [
        {"algorithm": "minimax"},
        {"algorithm": "alpha-beta"},
        {"algorithm": "alpha-beta", "ordering": True},
        {"algorithm": "alpha-beta", "ordering": True, "table": True},
    ],
    ids=["minimax", "plain", "ordered", "table"],
)
def test_a_tree_is_the_textbooks_own(name: str, settings: Message, cache: SearchCache) -> None:
    job = {"type": "tree", "place": {"game": name}, "depth": 3, "budget": 5000, **settings}
    found = do(job, cache=cache)
    steps: list[Any] = []
    answer = textbook(find_game(name).start(), job, steps=steps.append)
    assert (found["value"], found["visited"]) == (answer.value, answer.nodes)
    assert found["truncated"] is None
    assert [found["nodes"][node]["move"] for node in found["line"][1:]] == list(answer.line_text)
    windows = [(step.alpha, step.beta) for step in steps if isinstance(step, Enter)]
    for node, (alpha, beta) in zip(found["nodes"], windows, strict=True):
        assert node["window"] == (alpha is not None)
        assert node["alpha"] == (None if alpha in (None, -INFINITY) else alpha)
        assert node["beta"] == (None if beta in (None, INFINITY) else beta)
    cuts = [(step.node, step.reason) for step in steps if isinstance(step, Cut)]
    assert [(cut["node"], cut["reason"]) for cut in found["cuts"]] == cuts
    whole = minimax(find_game(name).start(), 3).nodes
    assert found["minimax_visited"] == whole
    if not settings.get("table"):
        assert found["visited"] + sum(cut["below"] for cut in found["cuts"]) == whole
    TreeReply.model_validate({"type": "tree", "id": 1, **found})


def test_the_steps_of_a_tree_lead_to_its_values(cache: SearchCache) -> None:
    found = do({"type": "tree", "place": place("tictactoe"), "depth": 3}, cache=cache)
    check_steps(found)


def test_a_tree_that_is_too_large_is_cut_short_and_says_so(cache: SearchCache) -> None:
    job = {"type": "tree", "place": place("tictactoe"), "depth": 9, "budget": 300}
    found = do(job, cache=cache)
    assert found["visited"] == 300
    assert "has visited 300 nodes and is not finished" in found["truncated"]
    assert found["value"] is None
    assert found["nodes"][0]["value"] is None
    assert found["minimax_visited"] == 549_946
    check_steps(found)


def check_steps(found: Message) -> None:
    """Play the steps through: they must tell all that the nodes hold, in a possible order."""
    values: dict[int, int] = {}
    entered: list[int] = []
    for kind, node, *rest in found["steps"]:
        if kind == "enter":
            assert node == len(entered)
            assert found["nodes"][node]["parent"] in (None, *entered)
            entered.append(node)
            continue
        assert node in entered
        assert node not in values
        if kind in ("leaf", "value"):
            values[node] = rest[0]
        elif kind == "better":
            assert values[rest[0]] == rest[1]
            assert found["nodes"][rest[0]]["parent"] == node
        else:
            assert kind == "cut"
            assert node in [cut["node"] for cut in found["cuts"]]
    assert len(entered) == len(found["nodes"])
    assert [node["value"] for node in found["nodes"]] == [values.get(node) for node in entered]
    for node, child in zip(found["line"], found["line"][1:], strict=False):
        assert found["nodes"][child]["parent"] == node


def test_what_is_too_much_to_count_is_left_open(cache: SearchCache) -> None:
    job = {"type": "tree", "place": place("breakthrough"), "depth": 12, "budget": 50}
    found = do(job, cache=cache)
    assert found["minimax_visited"] is None
    assert all(cut["below"] is None for cut in found["cuts"])


def test_the_tree_of_a_finished_game_is_a_leaf(cache: SearchCache) -> None:
    over = place("tictactoe", "a1", "b1", "a2", "b2", "a3")
    found = do({"type": "tree", "place": over, "depth": 2}, cache=cache)
    assert [node["leaf"] for node in found["nodes"]] == ["the game is over"]
    assert (found["line"], found["minimax_visited"]) == ([0], 1)


def test_a_tree_can_be_stopped(cache: SearchCache) -> None:
    cancellation = Cancellation()
    cancellation.request()
    job = {"type": "tree", "place": place("tictactoe"), "depth": 9, "source": "tictactoe"}
    with pytest.raises(Interrupted):
        perform(JobRun(complete(job), cache, RecordingReporter(), cancellation))
    cancellation.finish()


def test_the_best_order_puts_a_win_first() -> None:
    position = find_game("tictactoe").start()
    for move in ("a1", "b1", "a2", "b2"):
        position = position.play(move)
    assert position.move_text(best_first(position)[0]) == "a3"
    assert sorted(best_first(position)) == sorted(position.legal_moves)


@pytest.mark.parametrize("name", game_names())
def test_states_are_counted_alike_compiled_and_not(name: str, cache: SearchCache) -> None:
    position = find_game(name).start()
    few, counter = FewStates(), cache.counter(position.game)
    for depth in range(4):
        states = minimax(position, depth).nodes
        assert few.count(position, depth) == states
        assert count_compiled(counter, position, depth) == states


def test_rules_that_cannot_be_compiled_can_be_searched_by_the_book(tmp_path: Path) -> None:
    source = (SAMPLE_GAMES / "endless.py").read_text(encoding="utf-8")
    file = tmp_path / "uncompiled.py"
    file.write_text(source.replace("1 - state.turn", "int(str(1 - state.turn))"), encoding="utf-8")
    job = {"type": "tree", "place": {"game": str(file), "options": {"counting": True}}}
    found = do({**job, "depth": 4, "budget": 3})
    assert found["truncated"]
    assert found["minimax_visited"] == 5
