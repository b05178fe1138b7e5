"""The rules of a session: moves, variations, takebacks, players."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plyground.core.errors import IllegalMove
from plyground.web.protocol.models import ClockSpec
from plyground.web.sessions import variation_tree
from plyground.web.sessions.session import HUMAN, ChosenMove
from plyground.web.sessions.variation_tree import MAX_NODES, ROOT, MissingNode, SessionError
from tests.web.session_builders import ENGINE, interface_view, new_session, play, reloaded

# Moves


def test_moves_make_the_main_line_and_are_shown() -> None:
    session = new_session()
    play(session, "b2", "a1")
    assert session.tree.moves_to(session.tree.head) == ["b2", "a1"]
    assert session.current == session.tree.head
    assert interface_view(session)["view"]["text"] == "3/1x1/o2 x"


def test_every_change_makes_the_version_grow() -> None:
    session = new_session()
    versions = [session.version]
    actions: list[Callable[[], None]] = [
        lambda: play(session, "b2"),
        lambda: session.try_move(ROOT, "a1", 0.0),
        lambda: session.go_to(ROOT, 0.0),
        lambda: session.comment(ROOT, "the start", 0.0),
        lambda: session.takeback(0.0),
        lambda: session.pause(0.0),
        lambda: session.resign(None, 0.0),
    ]
    for action in actions:
        action()
        versions.append(session.version)
    assert versions == sorted(set(versions))


def test_a_move_is_played_at_the_head_only() -> None:
    session = new_session()
    play(session, "b2")
    with pytest.raises(SessionError, match="at another position by now"):
        session.play(ROOT, "a1", 0.0)


def test_an_illegal_move_is_refused_and_nothing_changes() -> None:
    session = new_session(clock=ClockSpec(seconds=60))
    before = interface_view(session, 5.0)
    with pytest.raises(IllegalMove, match="'z9' is not a legal move here"):
        session.play(ROOT, "z9", 5.0)
    assert interface_view(session, 5.0) == before


def test_a_person_does_not_move_for_the_computer() -> None:
    session = new_session(players=(ENGINE, HUMAN))
    with pytest.raises(SessionError, match="it is X's turn, which the computer plays"):
        play(session, "b2")


def test_a_finished_game_is_over_and_says_why() -> None:
    session = new_session(moves=("a1", "b1", "a2", "b2", "a3"))
    assert interface_view(session)["result"] == {
        "winner": 0,
        "score": "1-0",
        "reason": "X has three in a line",
        "ending": "finished",
    }
    with pytest.raises(SessionError, match="the game is over: X has three in a line"):
        play(session, "c3")


def test_a_search_move_is_played_unless_it_is_out_of_date() -> None:
    session = new_session(players=(ENGINE, HUMAN))
    assert session.searching_player == 0
    assert session.play_search_move(ROOT, ChosenMove("b2", 0.25, 12, 3), 0.0)
    node = interface_view(session)["nodes"][1]
    assert (node["move"], node["seconds"], node["value"], node["depth"]) == ("b2", 0.25, 12, 3)
    assert node["value_text"] == "X +12"
    assert not session.play_search_move(ROOT, ChosenMove("a1"), 0.0)
    assert not session.play_search_move(session.tree.head, ChosenMove("a1"), 0.0)
    assert session.tree.moves_to(session.tree.head) == ["b2"]


def test_a_search_move_does_not_change_what_the_page_shows() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    play(session, "b2")
    session.go_to(ROOT, 0.0)
    session.play_search_move(session.tree.head, ChosenMove("a1"), 0.0)
    assert session.current == ROOT


# Variations


def test_a_variation_is_shown_and_the_game_stays_where_it_is() -> None:
    session = new_session()
    play(session, "b2")
    session.try_move(ROOT, "a1", 0.0)
    assert session.tree.moves_to(session.current) == ["a1"]
    assert session.tree.moves_to(session.tree.head) == ["b2"]


def test_a_move_that_is_there_already_is_just_shown() -> None:
    session = new_session()
    play(session, "b2")
    session.go_to(ROOT, 0.0)
    session.try_move(ROOT, "b2", 0.0)
    assert session.current == session.tree.head
    assert len(session.tree.nodes) == 2


def test_in_a_study_a_move_at_the_end_extends_the_main_line() -> None:
    session = new_session()
    session.try_move(ROOT, "b2", 0.0)
    session.try_move(session.current, "a1", 0.0)
    assert session.tree.moves_to(session.tree.head) == ["b2", "a1"]
    session.try_move(ROOT, "c3", 0.0)
    assert session.tree.moves_to(session.tree.head) == ["b2", "a1"]
    session.resign(None, 0.0)
    session.try_move(session.tree.head, "b1", 0.0)
    assert session.tree.moves_to(session.tree.head) == ["b2", "a1"]


def test_a_variation_can_become_a_move_of_the_game() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    session.try_move(ROOT, "b2", 0.0)
    session.comment(session.current, "an idea", 0.0)
    play(session, "b2")
    assert session.head.comment == "an idea"
    assert len(session.tree.nodes) == 2


def test_a_variation_can_be_removed_and_the_page_goes_back() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    session.try_move(ROOT, "b2", 0.0)
    first = session.current
    session.try_move(first, "a1", 0.0)
    session.remove(first, 0.0)
    assert (session.current, list(session.tree.nodes)) == (ROOT, [ROOT])


def test_what_was_played_cannot_be_removed() -> None:
    session = new_session()
    play(session, "b2")
    for node in (ROOT, session.tree.head):
        with pytest.raises(SessionError, match="part of the game"):
            session.remove(node, 0.0)


def test_a_node_that_is_not_there_is_named() -> None:
    session = new_session()
    actions: list[Callable[[], None]] = [
        lambda: session.go_to(7, 0.0),
        lambda: session.remove(7, 0.0),
        lambda: session.promote(7, 0.0),
        lambda: session.comment(7, "?", 0.0),
        lambda: session.try_move(7, "a1", 0.0),
    ]
    for action in actions:
        with pytest.raises(MissingNode, match="no position 7 in this game"):
            action()


def test_the_number_of_a_removed_node_never_comes_back() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    session.try_move(ROOT, "b2", 0.0)
    gone = session.current
    session.remove(gone, 0.0)
    session.try_move(ROOT, "b2", 0.0)
    assert session.current > gone
    assert reloaded(session).tree.next_id == session.tree.next_id


def test_a_variation_becomes_the_main_line_as_far_as_it_goes() -> None:
    session = new_session(moves=("b2", "a1"))
    session.try_move(ROOT, "a1", 0.0)
    first = session.current
    session.try_move(first, "b2", 0.0)
    session.promote(first, 0.0)
    assert session.tree.moves_to(session.tree.head) == ["a1", "b2"]
    assert session.current == first


def test_what_was_played_against_the_computer_or_the_clock_stays_the_main_line() -> None:
    for session in (
        new_session(players=(HUMAN, ENGINE)),
        new_session(clock=ClockSpec(seconds=60)),
    ):
        session.try_move(ROOT, "a1", 0.0)
        with pytest.raises(SessionError, match="let humans play both sides, without a clock"):
            session.promote(session.current, 0.0)


def test_a_session_holds_so_many_positions_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variation_tree, "MAX_NODES", 3)
    session = new_session(moves=("b2",))
    session.try_move(ROOT, "a1", 0.0)
    with pytest.raises(SessionError, match="at most 3 positions: remove a variation first"):
        play(session, "a1")
    session.try_move(ROOT, "b2", 0.0)
    assert len(session.tree.nodes) == 3
    assert MAX_NODES == 5000


# Takeback


def test_a_takeback_goes_to_the_last_position_where_a_person_was_to_move() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    play(session, "b2")
    session.play_search_move(session.tree.head, ChosenMove("a1", 0.1), 0.0)
    session.takeback(0.0)
    assert list(session.tree.nodes) == [ROOT]
    with pytest.raises(SessionError, match="nothing to take back"):
        session.takeback(0.0)


def test_while_the_computer_thinks_a_takeback_takes_the_one_move() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    play(session, "b2")
    session.takeback(0.0)
    assert (session.tree.main, session.searching_player) == ([ROOT], None)


def test_between_two_people_a_takeback_takes_one_move() -> None:
    session = new_session(moves=("b2", "a1"))
    session.takeback(0.0)
    assert session.tree.moves_to(session.tree.head) == ["b2"]


def test_the_computers_own_first_move_is_not_taken_back() -> None:
    session = new_session(players=(ENGINE, HUMAN))
    session.play_search_move(ROOT, ChosenMove("b2"), 0.0)
    with pytest.raises(SessionError, match="nothing to take back"):
        session.takeback(0.0)


def test_moves_with_comments_or_variations_stay_as_a_variation() -> None:
    session = new_session(moves=("b2", "a1"))
    session.comment(session.tree.head, "hm", 0.0)
    session.takeback(0.0)
    assert len(session.tree.nodes) == 3
    session = new_session(moves=("b2",), players=(HUMAN, ENGINE))
    session.try_move(session.tree.head, "a1", 0.0)
    session.takeback(0.0)
    assert (session.tree.main, len(session.tree.nodes)) == ([ROOT], 3)


def test_a_finished_game_goes_on_after_a_takeback() -> None:
    session = new_session(moves=("a1", "b1", "a2", "b2", "a3"))
    session.takeback(0.0)
    assert session.result is None
    play(session, "c3")


# Players


def test_a_person_resigns_and_can_take_that_back() -> None:
    session = new_session(moves=("b2",))
    session.resign(None, 0.0)
    assert interface_view(session)["result"]["reason"] == "O resigned"
    session.takeback(0.0)
    assert session.result is None
    assert session.tree.moves_to(session.tree.head) == ["b2"]


def test_the_one_person_resigns_also_while_the_computer_thinks() -> None:
    session = new_session(players=(HUMAN, ENGINE), moves=("b2",))
    session.resign(None, 0.0)
    assert session.ended is not None
    assert (session.ended.winner, session.searching_player) == (1, None)


def test_the_computer_plays_on() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    with pytest.raises(SessionError, match="O is played by the computer, which plays on"):
        session.resign(1, 0.0)
    session.set_players((ENGINE, ENGINE), 0.0)
    with pytest.raises(SessionError, match="X is played by the computer"):
        session.resign(None, 0.0)


def test_a_finished_game_cannot_be_resigned() -> None:
    session = new_session()
    session.resign(1, 0.0)
    with pytest.raises(SessionError, match="the game is over: O resigned"):
        session.resign(0, 0.0)


def test_sides_can_be_swapped_in_the_middle_of_a_game() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    session.set_players((ENGINE, HUMAN), 0.0)
    assert session.searching_player == 0
    session.play_search_move(ROOT, ChosenMove("b2"), 0.0)
    play(session, "a1")
    assert session.searching_player == 0


def test_searches_wait_while_the_game_is_paused_or_suspended() -> None:
    session = new_session(players=(ENGINE, ENGINE))
    session.pause(0.0)
    assert session.searching_player is None
    session.resume(0.0)
    assert session.searching_player == 0
    session.suspend(0.0)
    assert session.searching_player is None


def test_a_search_move_that_comes_while_the_game_is_paused_is_not_played() -> None:
    session = new_session(players=(ENGINE, HUMAN))
    session.pause(0.0)
    assert not session.play_search_move(ROOT, ChosenMove("b2"), 0.0)
    assert session.tree.main == [ROOT]


def test_people_may_move_while_searches_wait() -> None:
    session = new_session(players=(HUMAN, ENGINE))
    session.pause(0.0)
    play(session, "b2")
    assert session.searching_player is None
    session.resume(0.0)
    assert session.searching_player == 1
