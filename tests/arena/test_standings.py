"""Standings: players are rated and ranked."""

from __future__ import annotations

import pytest

from plyground.core.outcome import FAULT_NAMES, Ending
from tests.arena.stored_games import standings_of, stored_game

NAMES = ["ann", "bob", "cyd"]
GAMES = [
    stored_game(
        *("ann", "bob", 1, 1),
        plies=20,
        first_seconds=2.0,
        second_seconds=4.0,
        first_depth=8.0,
    ),
    stored_game(
        *("bob", "ann", 0.5, 1),
        plies=30,
        first_seconds=6.0,
        second_seconds=4.0,
        second_depth=10.0,
    ),
    stored_game(
        *("ann", "bob", 0, 2),
        ending="crashed",
        plies=10,
        first_seconds=1.0,
        second_seconds=2.0,
    ),
    stored_game(
        *("bob", "cyd", 1, 3),
        ending="decided",
        plies=40,
        first_seconds=3.0,
        second_seconds=3.0,
        second_depth=4.0,
    ),
    stored_game(
        *("cyd", "bob", 1, 3),
        ending="overrun",
        plies=50,
        first_seconds=3.0,
        second_seconds=3.0,
        first_depth=6.0,
    ),
]


def test_a_row_has_the_games_of_its_player() -> None:
    rows = {row.name: row.summary for row in standings_of(NAMES, GAMES).rows}
    ann, bob, cyd = (rows[name] for name in NAMES)
    assert (ann.games, ann.points, ann.score) == (3, 1.5, 0.5)
    assert (bob.wins, bob.draws, bob.losses) == (2, 1, 2)
    assert [one.faults.total() for one in (ann, bob, cyd)] == [1, 1, 0]
    assert ann.seconds_a_game == pytest.approx(7 / 3)
    assert cyd.seconds_a_game == 3
    assert (ann.depth, bob.depth, cyd.depth) == (9.0, None, 5.0)


def test_an_anchor_has_the_rating_that_it_is_given() -> None:
    found = standings_of(NAMES, GAMES, anchor=1, anchor_rating=1500)
    assert found.games == 5
    assert found.ratings.players[1].value == 1500
    assert found.notes == []


def test_the_best_player_is_first_and_equal_ones_share_a_rank() -> None:
    games = [stored_game(first, second, 1) for first in "cb" for second in "ad"]
    games += [stored_game("b", "c", 0.5), stored_game("c", "b", 0.5)]
    found = standings_of("cbad", games)
    assert [(row.rank, row.name) for row in found.rows] == [(1, "c"), (1, "b"), (3, "a"), (3, "d")]
    assert [row.rating.value for row in found.rows] == sorted(
        (rating.value for rating in found.ratings.players), reverse=True
    )


def test_before_the_first_game_nobody_is_ahead() -> None:
    found = standings_of(NAMES, [])
    assert [(row.rank, row.name, row.summary.score) for row in found.rows] == [
        (1, "ann", None),
        (1, "bob", None),
        (1, "cyd", None),
    ]
    assert (found.games, found.notes) == (0, [])


def test_players_who_never_met_are_told_apart() -> None:
    found = standings_of([*NAMES, "dan"], GAMES)
    assert len(found.notes) == 1
    assert "no games connect" in found.notes[0]


def test_every_ending_that_loses_by_itself_is_a_fault_except_giving_up() -> None:
    harmless = {
        Ending.FINISHED,
        Ending.DECIDED,
        Ending.AGREED,
        Ending.REPETITION,
        Ending.LENGTH,
        Ending.RESIGNED,
    }
    assert {ending for ending in Ending if ending.value not in FAULT_NAMES} == harmless
