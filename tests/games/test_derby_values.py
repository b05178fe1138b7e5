"""Fishing Derby: what is worked out beforehand, the evaluation, the bounds, and the engine."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.core.values import terminal_value
from plyground.games.derby.rules import (
    LANDING,
    NEVER,
    NONE,
    PACKED_BITS,
    POINT,
    row_of_reach,
)
from plyground.games.derby.scenario import place_of
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits
from plyground.search.textbook.algorithms import minimax
from tests.games.test_derby import cell, day, played_out, random_day, random_positions_of

game = find_game("derby")
rules: Any = game.module

# How soon a hook can be where a fish will be


def soonest(position: Position, player: int, fish: int) -> tuple[int, int]:
    """Plies until the player's hook can meet the fish, and until it can be landed, found by trying
    every way to go, as if the player were alone."""
    state, plies = position.state, position.board.plies
    hooks = {(state.green_x, state.green_y) if player == 0 else (state.red_x, state.red_y)}
    met = landed = NEVER
    for ply in range(state.ply, plies):
        if ply % 2 == player:
            hooks = {
                ((x + right) % 20, y + up)
                for x, y in hooks
                for right, up in ((0, 0), (0, 1), (0, -1), (-1, 0), (1, 0))
                if 0 <= y + up < 20
            }
        here = tuple(place_of(position.board, ply + 1, fish))
        if here in hooks:
            met = min(met, ply + 1 - state.ply)
            surfaced, row = ply + 1, here[1]
            while row < 19:
                row += surfaced % 2 == player
                surfaced += 1
            if surfaced <= plies:
                landed = min(landed, surfaced - state.ply)
    return met, landed


@pytest.mark.parametrize("seed", range(12))
def test_how_soon_a_fish_can_be_met_and_landed_is_known(seed: int) -> None:
    for position in random_positions_of(random_day(seed))[::2]:
        board, state = position.board, position.state
        hooks = ((state.green_x, state.green_y), (state.red_x, state.red_y))
        for player, (x, y) in enumerate(hooks):
            row = row_of_reach(board, state.ply, x, y, player)
            for fish in range(board.fish):
                found = int(board.known[row + fish])
                met, landed = soonest(position, player, fish)
                assert found >> PACKED_BITS == met
                assert found & LANDING == landed


def test_after_58_plies_a_hook_can_be_anywhere() -> None:
    """The farthest cell, and a fish that is faster than any hook."""
    still = day((10, 0, 1, "8"), green=(0, 19), plies=100)
    assert int(still.board.known[row_of_reach(still.board, 1, 0, 19, 0)]) == 58 << 7 | 58 + 38
    chance = random.Random(3)
    for _ in range(20):
        codes = "".join(chance.choice("2367") * chance.randrange(1, 30) for _ in range(20))
        position = day((chance.randrange(20), 0, 1, codes), green=(0, 19), plies=120)
        meeting = int(position.board.known[row_of_reach(position.board, 0, 0, 19, 0)]) >> 7
        assert meeting <= 58


# The evaluation


def test_points_count_in_full() -> None:
    position = day((1, 19, 5, "8"), (15, 3, -1, "8")).play("right")
    assert position.evaluation == 5 * POINT


def test_a_fish_on_the_rod_is_as_good_as_landed_if_there_is_time() -> None:
    penalty = (15, 3, -1, "8")
    assert day((0, 17, 6, "8"), penalty, green=(0, 18)).play("down").evaluation == 6 * POINT
    too_late = day((0, 17, 6, "8"), penalty, green=(0, 18), plies=4)
    assert too_late.play("down").evaluation == 0


def test_a_penalty_fish_on_the_rod_is_a_loss() -> None:
    position = day((0, 17, -6, "8"), (15, 3, -1, "8"), green=(0, 18)).play("down")
    assert position.evaluation == -6 * POINT


def test_a_free_penalty_fish_counts_for_neither_player() -> None:
    assert day((0, 17, -6, "8"), (15, 3, -1, "8")).evaluation == 0


def test_a_prize_counts_for_the_nearer_hook_and_the_sea_is_round() -> None:
    assert day((3, 15, 6, "8"), plies=60).evaluation > 0
    assert day((8, 15, 6, "8"), plies=60).evaluation < 0
    assert day((17, 15, 6, "8"), plies=60).evaluation > 0


def test_who_is_first_depends_on_where_the_fish_will_be() -> None:
    """It is nearer to green now, and swims to red."""
    assert day((3, 17, 6, "8"), plies=60).evaluation > 0
    assert day((3, 17, 6, "3" * 6 + "8" * 54), plies=60).evaluation < 0


def test_boats_cannot_pass_so_what_is_behind_the_other_boat_is_its_own() -> None:
    """Red's hook is at the bottom, green's close to the fish; only the columns of boats differ."""
    fish = (6, 18, 6, "8")
    assert day(fish, green=(2, 18), red=(9, 0), plies=90).evaluation > 0
    assert day(fish, green=(2, 18), red=(4, 0), plies=90).evaluation < 0
    assert day(fish, green=(2, 18), red=(6, 0), plies=90).evaluation < 0
    assert day(fish, green=(2, 18), red=(18, 0), plies=90).evaluation > 0
    across_the_seam = (18, 18, 6, "8")
    assert day(across_the_seam, green=(2, 18), red=(0, 0), plies=90).evaluation < 0
    assert day(across_the_seam, green=(2, 18), red=(10, 0), plies=90).evaluation > 0


def test_where_both_ways_are_as_long_no_boat_is_in_the_way() -> None:
    opposite = (12, 18, 6, "8")
    for column in (4, 18):
        assert day(opposite, green=(2, 18), red=(column, 0), plies=90).evaluation > 0


def test_nearer_is_better_and_so_is_the_shorter_way_up() -> None:
    values = [day((0, y, 6, "8"), plies=90).evaluation for y in range(18, -1, -1)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 15


def test_what_cannot_be_landed_in_time_is_worth_nothing() -> None:
    assert day((0, 14, 6, "8"), plies=10).evaluation == 0
    assert day((0, 14, 6, "8"), plies=19).evaluation > 0


def test_after_a_fish_on_the_rod_the_way_starts_at_the_surface() -> None:
    """Green's hook hangs beside the prize, but has to go up first: red is there before."""
    busy = day((1, 4, 9, "8"), (9, 9, 1, "8"), green=(0, 4), red=(5, 9), plies=90, held=[1, None])
    free = day((1, 4, 9, "8"), (9, 9, -1, "8"), green=(0, 4), red=(5, 9), plies=90)
    assert busy.evaluation < 0 < free.evaluation


def test_the_evaluation_is_fair_to_both_colours() -> None:
    """With fish that stand still, the colours can be exchanged a ply later."""
    chance = random.Random(4)
    for _ in range(40):
        cells = chance.sample(range(400), 6)
        fish = [(*divmod(place, 20), chance.choice([-7, -1, 2, 9]), "8") for place in cells[:4]]
        one, other = divmod(cells[4], 20), divmod(cells[5], 20)
        if one[0] == other[0]:
            continue
        plain = day(*fish, green=one, red=other, plies=120, ply=10)
        swapped = day(*fish, green=other, red=one, plies=121, ply=11)
        assert plain.evaluation == -swapped.evaluation


# The bounds


def bounds(position: Position) -> tuple[int, int]:
    low, high = rules.bounds(position.board, position.state)
    return int(low), int(high)


def test_everything_is_possible_at_the_start_of_a_long_day() -> None:
    assert bounds(day((3, 15, 6, "8"), (5, 9, -2, "8"), plies=200)) == (-8, 8)


def test_a_fish_on_the_rod_is_certain() -> None:
    position = day((0, 17, 6, "8"), green=(0, 18)).play("down")
    assert bounds(position) == (6, 6)


def test_what_is_out_of_reach_for_today_does_not_count() -> None:
    assert bounds(day((0, 14, 6, "8"), plies=10)) == (0, 0)
    assert bounds(day((0, 14, 6, "8"), plies=20)) == (0, 6)


@pytest.mark.parametrize("seed", range(40))
def test_bounds_hold_and_are_nested_and_the_evaluation_is_within(seed: int) -> None:
    positions = random_positions_of(random_day(seed))
    for position in positions:
        low, high = bounds(position)
        assert low * POINT <= position.evaluation <= high * POINT
        for _, child in position.children():
            child_low, child_high = bounds(child)
            assert low <= child_low <= child_high <= high
            if child.is_over:
                assert child_low <= child.utility <= child_high


# The engine


def small_day(seed: int) -> Position:
    """Two or three fish within a few steps of two hooks, six plies."""
    chance = random.Random(seed)
    green, red = (3, 18), (chance.choice([2, 4, 5, 6]), 18)
    fish = [
        (
            chance.randrange(1, 8),
            chance.randrange(16, 20),
            chance.choice([-7, -2, 1, 3, 8]),
            "".join(str(chance.randrange(9)) for _ in range(6)),
        )
        for _ in range(chance.randrange(2, 4))
    ]
    return day(*fish, green=green, red=red, plies=6)


@pytest.mark.parametrize(
    "features",
    [
        Features.NONE,
        Features.TABLE,
        Features.EXACT & ~Features.SCOUT,
        Features.EXACT,
    ],
    ids=["bare", "table", "without scout", "all"],
)
def test_the_engine_says_what_minimax_says(features: Features) -> None:
    engine = Engine(game, memory=1, features=features)
    for seed in range(12):
        position = small_day(seed)
        for depth in (1, 2, 3, 4):
            expected = minimax(position, depth)
            found = engine.search(position, Limits(depth=depth))
            assert found.value == expected.value


def exact_value(position: Position, known: dict[Any, int]) -> int:
    """The margin of perfect play: minimax that remembers states, over dictionaries."""
    if position.is_over:
        return position.utility
    if position.state not in known:
        values = [exact_value(child, known) for _, child in position.children()]
        known[position.state] = max(values) if position.turn == 0 else min(values)
    return known[position.state]


def test_whole_days_have_the_value_of_perfect_play() -> None:
    engine = Engine(game, memory=1, features=Features.EXACT)
    decided = 0
    for seed in range(25):
        position = small_day(seed)
        value = exact_value(position, {})
        found = engine.search(position, Limits(depth=6))
        assert found.value == terminal_value(value, POINT, 0)
        assert found.proven
        low, high = bounds(position)
        assert low <= value <= high
        decided += value != 0
    assert decided > 8


def caught_after(position: Position, limits: Limits) -> int:
    """How many plies it takes the engine as green to land all fish, red standing still."""
    engine = Engine(game, memory=8)
    start = position.state.ply
    while not position.is_over:
        move = engine.search(position, limits).move if position.turn == 0 else 0
        position = position.after(move)
    assert position.utility > 0
    return int(position.state.ply - start)


@pytest.mark.parametrize("depth", [1, 2, 5, 9, 14])
def test_a_sure_catch_is_not_put_off(depth: int) -> None:
    """Red cannot take it and there is time enough; green still takes the shortest way, whether or
    not the search reaches the end of the day."""
    position = day((3, 15, 6, "8"), green=(1, 18), red=(11, 19), plies=200)
    assert caught_after(position, Limits(depth=depth)) == 2 * (2 + 3 + 4) - 1


def test_a_boat_between_two_fish_does_not_stand_still() -> None:
    position = day((3, 15, 6, "8"), (17, 15, 6, "8"), green=(0, 17), red=(10, 3), plies=200)
    first = 2 * (3 + 2 + 4)
    second = 2 * (6 + 4 + 4) - 1
    for depth in (1, 4, 8):
        assert caught_after(position, Limits(depth=depth)) == first + second


def test_a_penalty_fish_is_gone_round() -> None:
    """Straight down hangs a penalty: the prize under it is reached from the side."""
    position = day((5, 16, -7, "8"), (5, 14, 8, "8"), green=(5, 18), red=(15, 0), plies=60)
    engine = Engine(game, memory=8)
    while position.state.green_fish == NONE:
        move = engine.search(position, Limits(depth=10)).move if position.turn == 0 else 0
        position = position.after(move)
    assert position.state.green_fish == 1


def test_a_fish_is_met_where_it_will_be() -> None:
    """It swims away faster than a boat can follow, and wraps around."""
    position = day((7, 18, 6, "3"), green=(5, 19), red=(15, 0), plies=60)
    assert caught_after(position, Limits(depth=6)) <= soonest(position, 0, 0)[1]
    assert cell(played_out(position, "sss"), 0) == (10, 18)
