"""Reviews: every position of a game searched, and its mistakes marked."""

from __future__ import annotations

import pytest

from plyground.core.registry import find_game
from plyground.core.values import WIN
from plyground.web.workers.jobs.review import Assessment, expectation, kind_of_mistake, unit_of
from plyground.web.workers.search_cache import SearchCache
from tests.web.workers.job_runner import RecordingReporter, do, do_in_parts, place


def test_a_review_marks_what_gives_a_win_or_a_draw_away(cache: SearchCache) -> None:
    reporter = RecordingReporter()
    game = place("tictactoe", "b2", "b1", "a1", "c3", "b3", "a3")
    found = do({"type": "review", "place": game, "seconds": 10}, cache=cache, reporter=reporter)
    assert {message["ply"] for message in reporter.messages} == set(range(7))
    assert [(mark["ply"], mark["kind"]) for mark in found["marks"]] == [
        (2, "blunder"),
        (5, "blunder"),
    ]
    assert found["marks"][0]["words"].startswith("b1 is a blunder: X wins in 6 plies. With ")
    assert found["marks"][0]["words"].endswith(": a draw.")


def test_a_review_without_time_still_searches_enough_to_be_right(
    cache: SearchCache,
) -> None:
    game = place("tictactoe", "a1", "b1", "b2", "c1", "c3")
    found = do({"type": "review", "place": game, "seconds": 1e-6}, cache=cache)
    assert [(mark["ply"], mark["kind"]) for mark in found["marks"]] == [(2, "blunder")]


def test_a_review_ends_with_the_result_of_the_game(cache: SearchCache) -> None:
    reporter = RecordingReporter()
    over = place("tictactoe", "a1", "b1", "a2", "b2", "a3")
    do({"type": "review", "place": over, "seconds": 10}, cache=cache, reporter=reporter)
    last = [message for message in reporter.messages if message["ply"] == 5][-1]
    assert (last["value"], last["best"], last["proven"]) == (WIN, None, True)


def test_a_review_that_was_interrupted_goes_on_at_the_next_ply(cache: SearchCache) -> None:
    moves = ("a2a3", "b5b4", "c2c3", "d5d4")
    job = {"type": "review", "place": place("breakthrough", *moves), "seconds": 0.02}
    _, reporter, interruptions = do_in_parts(job, cache, messages=1)
    assert len(interruptions) >= 4
    assert [message["ply"] for message in reporter.messages][:5] == [0, 1, 2, 3, 4]


def assessed(value: int, *, proven: bool = False, best: str = "better") -> Assessment:
    return Assessment(value, proven, best)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (WIN - 5, WIN - 20, None),  # the longer way
        (WIN - 5, 0, "blunder"),
        (WIN - 5, 400, None),  # still winning, as far as anyone can see
        (0, -(WIN - 4), "blunder"),
        (-2000, -(WIN - 4), None),  # it was lost anyway
        (0, -100, "mistake"),
        (0, -50, None),
        (0, -300, "blunder"),
        (900, 600, None),
    ],
)
def test_a_mistake_is_what_costs_a_part_of_a_win(before: int, after: int, kind: str | None) -> None:
    white = find_game("breakthrough").start()
    assert kind_of_mistake(white, "played", assessed(before), assessed(after)) == kind
    black = white.play(white.legal_moves[0])
    assert kind_of_mistake(black, "played", assessed(-before), assessed(-after)) == kind
    assert kind_of_mistake(white, "better", assessed(before), assessed(after)) is None


@pytest.mark.parametrize(
    ("before", "after", "proven", "kind"),
    [
        (200, 150, False, None),
        (200, 100, False, "mistake"),
        (500, 100, False, "blunder"),
        (100, 0, False, "mistake"),
        (100, 0, True, "blunder"),
        (0, -100, True, "blunder"),
        (500, 300, True, "mistake"),
    ],
)
def test_a_mistake_is_what_costs_points(
    before: int, after: int, proven: bool, kind: str | None
) -> None:
    start = find_game("derby").start()
    sign = 1 if start.turn == 0 else -1
    found = kind_of_mistake(
        start,
        "played",
        assessed(sign * before, proven=proven),
        assessed(sign * after, proven=proven),
    )
    assert found == kind


def test_a_unit_is_larger_where_values_change_more() -> None:
    assert unit_of([assessed(value) for value in (0, 10, -10, 20)]) == 100
    assert unit_of([assessed(value) for value in (0, 1000, 0, WIN - 3, 0, 1000)]) == 2000
    assert expectation(2000, 2000) == pytest.approx(2 / 3)
