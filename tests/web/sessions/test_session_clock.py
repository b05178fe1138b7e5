"""The clock of a session. Nobody here waits: the tests say what time it is."""

from __future__ import annotations

import pytest

from plyground.core.outcome import Ending
from plyground.web.protocol.models import ClockSpec
from plyground.web.sessions.session import HUMAN, ChosenMove
from plyground.web.sessions.variation_tree import ROOT, SessionError
from tests.web.session_builders import ENGINE, interface_view, new_session, play


def test_a_person_is_charged_the_time_until_the_move() -> None:
    session = new_session(clock=ClockSpec(seconds=60, increment=2))
    play(session, "b2", now=10.0)
    assert interface_view(session, 10.0)["clock"] == {
        "seconds": 60.0,
        "increment": 2.0,
        "left": [52.0, 60.0],
        "running": 1,
    }
    assert interface_view(session, 15.0)["clock"]["left"] == [52.0, 55.0]
    assert session.head.seconds == 10.0


def test_a_search_is_charged_its_workers_seconds_and_no_waiting() -> None:
    session = new_session(players=(ENGINE, HUMAN), clock=ClockSpec(seconds=60))
    session.play_search_move(ROOT, ChosenMove("b2", 1.5), 1000.0)
    assert interface_view(session, 1000.0)["clock"]["left"] == [58.5, 60.0]


def test_the_time_of_a_search_that_thinks_is_shown_by_its_own_seconds() -> None:
    session = new_session(players=(ENGINE, HUMAN), clock=ClockSpec(seconds=60))
    assert session.time_left(1000.0, searched=2.0) == (58.0, 60.0)


def test_no_time_runs_while_the_game_is_paused_or_suspended() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    session.pause(10.0)
    session.resume(100.0)
    session.suspend(110.0)
    session.watch(500.0)
    assert session.time_left(505.0) == (35.0, 60.0)
    assert session.flag_time == 540.0
    session.pause(505.0)
    assert interface_view(session, 600.0)["clock"]["running"] is None
    assert session.flag_time is None


def test_variations_cost_time_like_thinking() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    session.try_move(ROOT, "a1", 10.0)
    session.go_to(ROOT, 20.0)
    play(session, "b2", now=30.0)
    assert (session.time_left(30.0), session.head.seconds) == ((30.0, 60.0), 30.0)


def test_a_flag_falls_when_the_time_is_up_and_not_before() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    assert not session.check_flag(59.9)
    assert session.check_flag(60.0)
    assert session.result is not None
    assert (session.result.ending, session.result.winner) == (Ending.TIME, 1)
    assert session.result.reason == "X ran out of time"
    assert interface_view(session, 70.0)["clock"] == {
        "seconds": 60.0,
        "increment": 0.0,
        "left": [0.0, 60.0],
        "running": None,
    }
    assert not session.check_flag(80.0)


def test_a_move_that_comes_too_late_is_refused_and_loses() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    with pytest.raises(SessionError, match="the move came too late: X ran out of time"):
        play(session, "b2", now=61.0)
    assert session.result is not None
    assert len(session.tree.nodes) == 1


def test_a_search_that_took_too_long_loses() -> None:
    session = new_session(players=(ENGINE, HUMAN), clock=ClockSpec(seconds=1))
    assert session.play_search_move(ROOT, ChosenMove("b2", 1.5), 0.0)
    assert session.result is not None
    assert session.result.reason == "X ran out of time"
    assert len(session.tree.nodes) == 1


def test_a_takeback_gives_the_time_back() -> None:
    session = new_session(players=(HUMAN, ENGINE), clock=ClockSpec(seconds=60, increment=2))
    play(session, "b2", now=10.0)
    session.play_search_move(session.tree.head, ChosenMove("a1", 3.0), 13.0)
    session.takeback(20.0)
    assert session.time_left(20.0) == (60.0, 60.0)


def test_a_takeback_brings_a_game_back_that_was_lost_on_time() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    play(session, "b2", now=10.0)
    session.check_flag(100.0)
    session.takeback(100.0)
    assert session.result is None
    assert session.tree.moves_to(session.tree.head) == []


def test_a_person_replaced_by_the_computer_is_charged_until_then() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    session.set_players((ENGINE, HUMAN), 10.0)
    assert session.time_left(50.0) == (50.0, 60.0)
    session.set_players((HUMAN, ENGINE), 50.0)
    assert session.time_left(55.0) == (45.0, 60.0)
    session.set_players((ENGINE, HUMAN), 200.0)
    assert session.result is not None
    assert session.result.reason == "X ran out of time"


def test_a_person_who_resigns_is_charged_until_then() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    session.resign(None, 10.0)
    assert session.time_left(20.0) == (50.0, 60.0)
