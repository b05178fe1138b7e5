"""A table as a document: moves, variations, takebacks, players."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plyground.core.errors import IllegalMove
from plyground.web.protocol.models import ClockSpec
from plyground.web.sessions import variations
from plyground.web.sessions.setup import HUMAN, Answer
from plyground.web.sessions.variations import MAX_NODES, ROOT, MissingNode, TableError
from tests.web.table_builders import ENGINE, new_table, play, reloaded, told

# Moves


def test_moves_make_the_main_line_and_are_shown() -> None:
    table = new_table()
    play(table, "b2", "a1")
    assert table.moves_to(table.tree.head) == ["b2", "a1"]
    assert table.current == table.tree.head
    assert told(table)["view"]["text"] == "3/1x1/o2 x"


def test_every_change_makes_the_version_grow() -> None:
    table = new_table()
    versions = [table.version]
    actions: list[Callable[[], None]] = [
        lambda: play(table, "b2"),
        lambda: table.try_move(ROOT, "a1", 0.0),
        lambda: table.go_to(ROOT, 0.0),
        lambda: table.comment(ROOT, "the start", 0.0),
        lambda: table.takeback(0.0),
        lambda: table.pause(0.0),
        lambda: table.resign(None, 0.0),
    ]
    for action in actions:
        action()
        versions.append(table.version)
    assert versions == sorted(set(versions))


def test_a_move_is_played_at_the_head_only() -> None:
    table = new_table()
    play(table, "b2")
    with pytest.raises(TableError, match="at another position by now"):
        table.play(ROOT, "a1", 0.0)


def test_an_illegal_move_is_refused_and_nothing_changes() -> None:
    table = new_table(clock=ClockSpec(seconds=60))
    before = told(table, 5.0)
    with pytest.raises(IllegalMove, match="'z9' is not a legal move here"):
        table.play(ROOT, "z9", 5.0)
    assert told(table, 5.0) == before


def test_a_person_does_not_move_for_the_computer() -> None:
    table = new_table(players=(ENGINE, HUMAN))
    with pytest.raises(TableError, match="it is X's turn, which the computer plays"):
        play(table, "b2")


def test_a_finished_game_is_over_and_says_why() -> None:
    table = new_table(moves=("a1", "b1", "a2", "b2", "a3"))
    assert told(table)["result"] == {
        "winner": 0,
        "score": "1-0",
        "reason": "X has three in a line",
        "ending": "finished",
    }
    with pytest.raises(TableError, match="the game is over: X has three in a line"):
        play(table, "c3")


def test_an_answer_is_played_if_somebody_still_waits_for_it() -> None:
    table = new_table(players=(ENGINE, HUMAN))
    assert table.to_think == 0
    assert table.answer(ROOT, Answer("b2", 0.25, 12, 3), 0.0)
    node = told(table)["nodes"][1]
    assert (node["move"], node["seconds"], node["value"], node["depth"]) == ("b2", 0.25, 12, 3)
    assert node["value_text"] == "+12"
    assert not table.answer(ROOT, Answer("a1"), 0.0)
    assert not table.answer(table.tree.head, Answer("a1"), 0.0)
    assert table.moves_to(table.tree.head) == ["b2"]


def test_an_answer_does_not_take_the_page_away_from_what_it_looks_at() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    play(table, "b2")
    table.go_to(ROOT, 0.0)
    table.answer(table.tree.head, Answer("a1"), 0.0)
    assert table.current == ROOT


# Variations


def test_a_variation_is_shown_and_the_game_stays_where_it_is() -> None:
    table = new_table()
    play(table, "b2")
    table.try_move(ROOT, "a1", 0.0)
    assert table.moves_to(table.current) == ["a1"]
    assert table.moves_to(table.tree.head) == ["b2"]


def test_a_move_that_is_there_already_is_just_shown() -> None:
    table = new_table()
    play(table, "b2")
    table.go_to(ROOT, 0.0)
    table.try_move(ROOT, "b2", 0.0)
    assert table.current == table.tree.head
    assert len(table.tree.nodes) == 2


def test_where_people_only_look_at_things_a_move_at_the_end_carries_the_line_on() -> None:
    table = new_table()
    table.try_move(ROOT, "b2", 0.0)
    table.try_move(table.current, "a1", 0.0)
    assert table.moves_to(table.tree.head) == ["b2", "a1"]
    table.try_move(ROOT, "c3", 0.0)
    assert table.moves_to(table.tree.head) == ["b2", "a1"]
    table.resign(None, 0.0)
    table.try_move(table.tree.head, "b1", 0.0)
    assert table.moves_to(table.tree.head) == ["b2", "a1"]


def test_a_variation_can_become_a_move_of_the_game() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    table.try_move(ROOT, "b2", 0.0)
    table.comment(table.current, "an idea", 0.0)
    play(table, "b2")
    assert table.head.comment == "an idea"
    assert len(table.tree.nodes) == 2


def test_a_variation_can_be_removed_and_the_page_goes_back() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    table.try_move(ROOT, "b2", 0.0)
    first = table.current
    table.try_move(first, "a1", 0.0)
    table.remove(first, 0.0)
    assert (table.current, list(table.tree.nodes)) == (ROOT, [ROOT])


def test_what_was_played_cannot_be_removed() -> None:
    table = new_table()
    play(table, "b2")
    for node in (ROOT, table.tree.head):
        with pytest.raises(TableError, match="part of the game"):
            table.remove(node, 0.0)


def test_a_node_that_is_not_there_is_named() -> None:
    table = new_table()
    actions: list[Callable[[], None]] = [
        lambda: table.go_to(7, 0.0),
        lambda: table.remove(7, 0.0),
        lambda: table.promote(7, 0.0),
        lambda: table.comment(7, "?", 0.0),
        lambda: table.try_move(7, "a1", 0.0),
    ]
    for action in actions:
        with pytest.raises(MissingNode, match="no position 7 at this table"):
            action()


def test_the_number_of_a_removed_node_never_comes_back() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    table.try_move(ROOT, "b2", 0.0)
    gone = table.current
    table.remove(gone, 0.0)
    table.try_move(ROOT, "b2", 0.0)
    assert table.current > gone
    assert reloaded(table).tree.next_id == table.tree.next_id


def test_a_variation_becomes_the_main_line_as_far_as_it_goes() -> None:
    table = new_table(moves=("b2", "a1"))
    table.try_move(ROOT, "a1", 0.0)
    first = table.current
    table.try_move(first, "b2", 0.0)
    table.promote(first, 0.0)
    assert table.moves_to(table.tree.head) == ["a1", "b2"]
    assert table.current == first


def test_what_was_played_against_the_computer_or_the_clock_stays_the_main_line() -> None:
    for table in (
        new_table(players=(HUMAN, ENGINE)),
        new_table(clock=ClockSpec(seconds=60)),
    ):
        table.try_move(ROOT, "a1", 0.0)
        with pytest.raises(TableError, match="let humans play both sides, without a clock"):
            table.promote(table.current, 0.0)


def test_a_table_holds_so_many_positions_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variations, "MAX_NODES", 3)
    table = new_table(moves=("b2",))
    table.try_move(ROOT, "a1", 0.0)
    with pytest.raises(TableError, match="at most 3 positions: remove a variation first"):
        play(table, "a1")
    table.try_move(ROOT, "b2", 0.0)
    assert len(table.tree.nodes) == 3
    assert MAX_NODES == 5000


# Takeback


def test_a_takeback_goes_to_the_last_position_where_a_person_was_to_move() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    play(table, "b2")
    table.answer(table.tree.head, Answer("a1", 0.1), 0.0)
    table.takeback(0.0)
    assert list(table.tree.nodes) == [ROOT]
    with pytest.raises(TableError, match="nothing to take back"):
        table.takeback(0.0)


def test_while_the_computer_thinks_a_takeback_takes_the_one_move() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    play(table, "b2")
    table.takeback(0.0)
    assert (table.tree.main, table.to_think) == ([ROOT], None)


def test_between_two_people_a_takeback_takes_one_move() -> None:
    table = new_table(moves=("b2", "a1"))
    table.takeback(0.0)
    assert table.moves_to(table.tree.head) == ["b2"]


def test_the_computers_own_first_move_is_not_taken_back() -> None:
    table = new_table(players=(ENGINE, HUMAN))
    table.answer(ROOT, Answer("b2"), 0.0)
    with pytest.raises(TableError, match="nothing to take back"):
        table.takeback(0.0)


def test_what_somebody_commented_or_tried_stays_as_a_variation() -> None:
    table = new_table(moves=("b2", "a1"))
    table.comment(table.tree.head, "hm", 0.0)
    table.takeback(0.0)
    assert len(table.tree.nodes) == 3
    table = new_table(moves=("b2",), players=(HUMAN, ENGINE))
    table.try_move(table.tree.head, "a1", 0.0)
    table.takeback(0.0)
    assert (table.tree.main, len(table.tree.nodes)) == ([ROOT], 3)


def test_a_finished_game_goes_on_after_a_takeback() -> None:
    table = new_table(moves=("a1", "b1", "a2", "b2", "a3"))
    table.takeback(0.0)
    assert table.result is None
    play(table, "c3")


# Players


def test_a_person_resigns_and_can_take_that_back() -> None:
    table = new_table(moves=("b2",))
    table.resign(None, 0.0)
    assert told(table)["result"]["reason"] == "O resigned"
    table.takeback(0.0)
    assert table.result is None
    assert table.moves_to(table.tree.head) == ["b2"]


def test_the_one_person_resigns_also_while_the_computer_thinks() -> None:
    table = new_table(players=(HUMAN, ENGINE), moves=("b2",))
    table.resign(None, 0.0)
    assert table.ended is not None
    assert (table.ended.winner, table.to_think) == (1, None)


def test_the_computer_plays_on() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    with pytest.raises(TableError, match="O is played by the computer, which plays on"):
        table.resign(1, 0.0)
    table.set_players((ENGINE, ENGINE), 0.0)
    with pytest.raises(TableError, match="X is played by the computer"):
        table.resign(None, 0.0)


def test_nobody_resigns_twice() -> None:
    table = new_table()
    table.resign(1, 0.0)
    with pytest.raises(TableError, match="the game is over: O resigned"):
        table.resign(0, 0.0)


def test_sides_can_be_swapped_in_the_middle_of_a_game() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    table.set_players((ENGINE, HUMAN), 0.0)
    assert table.to_think == 0
    table.answer(ROOT, Answer("b2"), 0.0)
    play(table, "a1")
    assert table.to_think == 0


def test_searches_wait_while_the_game_is_paused_or_nobody_looks_on() -> None:
    table = new_table(players=(ENGINE, ENGINE))
    table.pause(0.0)
    assert table.to_think is None
    table.resume(0.0)
    assert table.to_think == 0
    table.rest(0.0)
    assert table.to_think is None


def test_an_answer_that_comes_while_the_game_is_paused_is_not_played() -> None:
    table = new_table(players=(ENGINE, HUMAN))
    table.pause(0.0)
    assert not table.answer(ROOT, Answer("b2"), 0.0)
    assert table.tree.main == [ROOT]


def test_people_may_move_while_searches_wait() -> None:
    table = new_table(players=(HUMAN, ENGINE))
    table.pause(0.0)
    play(table, "b2")
    assert table.to_think is None
    table.resume(0.0)
    assert table.to_think == 1
