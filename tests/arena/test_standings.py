"""Standings: pairs are found, players are counted and ranked, faults are the loser's."""

from __future__ import annotations

import pytest

from plyground.arena.standings import GameResult, cross_table, paired, standings
from plyground.arena.statistics import GameCounts, PairCounts
from plyground.core.outcome import FAULT_NAMES, Ending

NAMES = ["ann", "bob", "cyd"]
GAMES = [
    GameResult(0, 1, 1, "finished", 20, (2.0, 4.0), (8.0, None), pair=1),
    GameResult(1, 0, 0.5, "finished", 30, (6.0, 4.0), (None, 10.0), pair=1),
    GameResult(0, 1, 0, "crashed", 10, (1.0, 2.0), (None, None), pair=2),
    GameResult(1, 2, 1, "decided", 40, (3.0, 3.0), (None, 4.0), pair=3),
    GameResult(2, 1, 1, "overrun", 50, (3.0, 3.0), (6.0, None), pair=3),
]


def test_two_games_with_swapped_sides_and_one_number_are_a_pair() -> None:
    table = cross_table(GAMES)
    assert table[0, 1].pairs == PairCounts.of([1.5])
    assert table[0, 1].singles == GameCounts.of([0])
    assert table[0, 1].results == GameCounts((1, 1, 1))
    assert (table[0, 1].games, table[0, 1].points, table[0, 1].score) == (3, 1.5, 0.5)
    assert table[1, 0].pairs == PairCounts.of([0.5])
    assert table[1, 0].singles == GameCounts.of([1])
    assert table[1, 2].pairs == table[2, 1].pairs == PairCounts.of([1])
    assert set(table) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert table[0, 1].estimate().games == 3


def test_games_of_one_number_and_the_same_sides_are_no_pair() -> None:
    games = [GameResult(0, 1, score, pair=7) for score in (1, 1, 0.5)]
    assert paired(games, 0) == (PairCounts(), GameCounts((0, 1, 2)))
    games.append(GameResult(1, 0, 1, pair=7))
    assert paired(games, 0) == (PairCounts.of([1]), GameCounts((0, 1, 1)))
    assert paired([GameResult(0, 1, 1), GameResult(1, 0, 1)], 0)[0] == PairCounts()


def test_a_row_counts_the_games_of_its_player() -> None:
    rows = {row.name: row for row in standings(NAMES, GAMES).rows}
    ann, bob, cyd = (rows[name] for name in NAMES)
    assert (ann.games, ann.points, ann.score) == (3, 1.5, 0.5)
    assert (bob.results.wins, bob.results.draws, bob.results.losses) == (2, 1, 2)
    assert (ann.faults, bob.faults, cyd.faults) == (1, 1, 0)
    assert ann.seconds == pytest.approx(7 / 3)
    assert cyd.seconds == 3
    assert (ann.depth, bob.depth, cyd.depth) == (9.0, None, 5.0)


def test_the_whole_is_summed_up() -> None:
    found = standings(NAMES, GAMES, anchor=1, anchor_rating=1500)
    assert (found.games, found.plies) == (5, 30)
    assert found.first_results == GameCounts((1, 1, 3))
    assert found.endings == {"finished": 2, "crashed": 1, "decided": 1, "overrun": 1}
    assert next(iter(found.endings)) == "finished"
    assert found.ratings.players[1].value == 1500
    assert found.notes == []


def test_the_best_player_is_first_and_equal_ones_share_a_rank() -> None:
    games = [GameResult(first, second, 1) for first in (0, 1) for second in (2, 3)]
    games += [GameResult(1, 0, 0.5), GameResult(0, 1, 0.5)]
    found = standings(["c", "b", "a", "d"], games)
    assert [(row.rank, row.name) for row in found.rows] == [(1, "c"), (1, "b"), (3, "a"), (3, "d")]
    assert [row.rating.value for row in found.rows] == sorted(
        (rating.value for rating in found.ratings.players), reverse=True
    )


def test_before_the_first_game_nobody_is_ahead() -> None:
    found = standings(NAMES, [])
    assert [(row.rank, row.name, row.score) for row in found.rows] == [
        (1, "ann", None),
        (1, "bob", None),
        (1, "cyd", None),
    ]
    assert (found.games, found.cross, found.notes) == (0, {}, [])


def test_players_who_never_met_are_told_apart() -> None:
    found = standings([*NAMES, "dan"], GAMES)
    assert len(found.notes) == 1
    assert "no games connect" in found.notes[0]


def test_every_ending_that_loses_by_itself_is_a_fault_except_giving_up() -> None:
    harmless = {
        Ending.FINISHED,
        Ending.DECIDED,
        Ending.AGREED,
        Ending.LENGTH,
        Ending.RESIGNED,
    }
    assert {ending for ending in Ending if ending.value not in FAULT_NAMES} == harmless
    assert GameResult(4, 5, 0, "crashed").fault_of == 4
    assert GameResult(4, 5, 1, "silent").fault_of == 5
    assert GameResult(4, 5, 1, "finished").fault_of is None
