"""The clock of a table. Nobody here waits: the tests say what time it is."""

from __future__ import annotations

import pytest

from plyground.core.outcome import Ending
from plyground.web.protocol.models import ClockSpec
from plyground.web.sessions.game_clock import time_to_think
from plyground.web.sessions.setup import HUMAN, Answer
from plyground.web.sessions.variations import ROOT, TableError
from tests.web.table_builders import ENGINE, new_table, play, told


def test_a_person_is_charged_the_time_until_the_move() -> None:
    table = new_table(clock=ClockSpec(seconds=60, increment=2))
    play(table, "b2", now=10.0)
    assert told(table, 10.0)["clock"] == {
        "seconds": 60.0,
        "increment": 2.0,
        "left": [52.0, 60.0],
        "running": 1,
    }
    assert told(table, 15.0)["clock"]["left"] == [52.0, 55.0]
    assert table.head.seconds == 10.0


def test_a_search_is_charged_its_workers_seconds_and_no_waiting() -> None:
    table = new_table(players=(ENGINE, HUMAN), clock=ClockSpec(seconds=60))
    table.answer(ROOT, Answer("b2", 1.5), 1000.0)
    assert told(table, 1000.0)["clock"]["left"] == [58.5, 60.0]


def test_the_time_of_a_search_that_thinks_is_shown_by_what_it_has_worked() -> None:
    table = new_table(players=(ENGINE, HUMAN), clock=ClockSpec(seconds=60))
    assert table.time_left(1000.0, worked=2.0) == (58.0, 60.0)


def test_no_time_runs_while_the_game_is_paused_or_nobody_looks_on() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    table.pause(10.0)
    table.resume(100.0)
    table.rest(110.0)
    table.wake(500.0)
    assert table.time_left(505.0) == (35.0, 60.0)
    assert table.flag_in(505.0) == 35.0
    table.pause(505.0)
    assert told(table, 600.0)["clock"]["running"] is None
    assert table.flag_in(600.0) is None


def test_looking_around_costs_time_like_thinking() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    table.try_move(ROOT, "a1", 10.0)
    table.go_to(ROOT, 20.0)
    play(table, "b2", now=30.0)
    assert (table.time_left(30.0), table.head.seconds) == ((30.0, 60.0), 30.0)


def test_a_flag_falls_when_the_time_is_up_and_not_before() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    assert not table.flag(59.9)
    assert table.flag(60.0)
    assert table.result is not None
    assert (table.result.ending, table.result.winner) == (Ending.TIME, 1)
    assert table.result.reason == "X ran out of time"
    assert told(table, 70.0)["clock"] == {
        "seconds": 60.0,
        "increment": 0.0,
        "left": [0.0, 60.0],
        "running": None,
    }
    assert not table.flag(80.0)


def test_a_move_that_comes_too_late_is_refused_and_loses() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    with pytest.raises(TableError, match="the move came too late: X ran out of time"):
        play(table, "b2", now=61.0)
    assert table.result is not None
    assert len(table.tree.nodes) == 1


def test_a_search_that_took_too_long_loses() -> None:
    table = new_table(players=(ENGINE, HUMAN), clock=ClockSpec(seconds=1))
    assert table.answer(ROOT, Answer("b2", 1.5), 0.0)
    assert table.result is not None
    assert table.result.reason == "X ran out of time"
    assert len(table.tree.nodes) == 1


def test_a_takeback_gives_the_time_back() -> None:
    table = new_table(players=(HUMAN, ENGINE), clock=ClockSpec(seconds=60, increment=2))
    play(table, "b2", now=10.0)
    table.answer(table.tree.head, Answer("a1", 3.0), 13.0)
    table.takeback(20.0)
    assert table.time_left(20.0) == (60.0, 60.0)


def test_a_takeback_brings_a_game_back_that_was_lost_on_time() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    play(table, "b2", now=10.0)
    table.flag(100.0)
    table.takeback(100.0)
    assert table.result is None
    assert table.moves_to(table.tree.head) == []


def test_who_leaves_the_game_to_the_computer_pays_for_the_time_until_then() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    table.set_players((ENGINE, HUMAN), 10.0)
    assert table.time_left(50.0) == (50.0, 60.0)
    table.set_players((HUMAN, ENGINE), 50.0)
    assert table.time_left(55.0) == (45.0, 60.0)
    table.set_players((ENGINE, HUMAN), 200.0)
    assert table.result is not None
    assert table.result.reason == "X ran out of time"


def test_who_resigns_pays_for_the_time_until_then() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    table.resign(None, 10.0)
    assert table.time_left(20.0) == (50.0, 60.0)


def test_a_search_thinks_as_the_clock_allows() -> None:
    assert time_to_think(1.0, left=60.0, increment=0.0) == 1.0
    assert time_to_think(1.0, left=0.5, increment=0.0) == pytest.approx(0.38)
    assert time_to_think(None, left=60.0, increment=2.0) == pytest.approx(4.5)
    assert 0 < time_to_think(None, left=0.001, increment=0.0) < 0.01
