"""Slant: what is still to come. Keys, identities, bounds and the evaluation against brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from plyground.core.game import Options, Position
from plyground.core.registry import find_game
from plyground.games.slant.notation import circle_rows
from plyground.games.slant.outlook import READY, TAKE, bounds, evaluate
from plyground.games.slant.rules import (
    MAX_MOVES,
    POINT,
    Board,
    State,
    cell_of,
    make_board,
    moves,
    over,
    play,
    score,
    start,
)
from plyground.games.slant.sameness import identity, key
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits
from tests.games.naive_slant import to_come
from tests.random_play import random_game

game = find_game("slant")
OUT = [0] * MAX_MOVES

SMALL = [
    *((2, 2, False, seed) for seed in range(40)),
    *((2, 2, True, seed) for seed in range(40)),
    *((2, 3, False, seed) for seed in range(15)),
    *((3, 2, True, seed) for seed in range(5)),
    *((1, 5, False, seed) for seed in range(10)),
    *((3, 3, False, seed) for seed in range(3)),
]
"""Rows, columns, whether lines are free, seed."""


def small_board(rows: int, columns: int, free: bool, seed: int) -> Board:
    """Any numbers from 0 to 5 at any intersections."""
    chance = random.Random(f"{rows} {columns} {free} {seed}")
    dense = chance.randrange(20, 101)
    places = (rows + 1) * (columns + 1)
    numbers = [
        chance.choice((0, 1, 1, 1, 2, 2, 2, 3, 4, 5)) if chance.randrange(100) < dense else -1
        for _ in range(places)
    ]
    return make_board(rows, columns, numbers, free)


def children(board: Board, state: State) -> list[State]:
    if over(board, state):
        return []
    return [play(board, state, move) for move in OUT[: moves(board, state, OUT)]]


class Tree:
    """Every filling of a small board, and what is to come from it by plain minimax."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.values: dict[tuple[Any, Any], int] = {}
        self.states: dict[tuple[Any, Any], State] = {}
        self.value(start(board))

    def value(self, state: State) -> int:
        filling = state.slashes, state.backslashes
        if filling not in self.values:
            now = score(self.board, state)
            found = [
                score(self.board, child) - now + self.value(child)
                for child in children(self.board, state)
            ]
            best = max if state.turn == 0 else min
            self.values[filling] = best(found) if found else 0
            self.states[filling] = state
        return self.values[filling]

    def __iter__(self) -> Iterator[tuple[State, int]]:
        return ((state, self.values[filling]) for filling, state in self.states.items())


@pytest.fixture(scope="module", params=SMALL, ids=str)
def tree(request: pytest.FixtureRequest) -> Tree:
    return Tree(small_board(*request.param))


# What positions have in common


def test_positions_of_the_same_identity_are_worth_the_same(tree: Tree) -> None:
    worth: dict[Any, int] = {}
    for state, value in tree:
        assert worth.setdefault(identity(tree.board, state), value) == value


def test_positions_of_the_same_key_are_followed_by_the_same_move_by_move(tree: Tree) -> None:
    """So they are worth the same to any depth, whatever is made of keys and points alone."""
    seen: dict[int, Any] = {}
    for state, _ in tree:
        now = score(tree.board, state)
        low, high = bounds(tree.board, state)
        following = sorted(
            (score(tree.board, child) - now, key(tree.board, child))
            for child in children(tree.board, state)
        )
        ends = not following
        about = (
            state.turn,
            following,
            low - now,
            high - now,
            0 if ends else evaluate(tree.board, state) - POINT * now,
        )
        assert seen.setdefault(key(tree.board, state), about) == about


def test_an_identity_tells_apart_no_more_than_a_key(tree: Tree) -> None:
    seen: dict[int, Any] = {}
    for state, _ in tree:
        found = identity(tree.board, state)
        assert seen.setdefault(key(tree.board, state), found) == found
        assert all(0 <= word < 1 << 64 for word in found)


def test_cells_that_no_longer_matter_are_alike() -> None:
    """The only circle is out of reach: all that is left is to pass, an odd or even number of times.

    Keys count the passes, identities only whether they are odd.
    """
    first = game.position("****/*4**/****/**** s../.../b.. 0-0")
    second = game.position("****/*4**/****/**** s.b/..s/b.. 0-0")
    assert first.key != second.key
    assert identity(first.board, first.state) == identity(second.board, second.state)


def test_the_points_are_in_neither_key_nor_identity() -> None:
    one = game.position("1*1/*2*/**1 .s/b. 1-0")
    board, state = one.board, one.state
    other = state._replace(first_points=7)
    assert key(board, state) == key(board, other)
    assert identity(board, state) == identity(board, other)
    assert score(board, other) == 7


@pytest.mark.parametrize("orientation", ["owned", "free"])
@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (5, 5), (7, 7), (8, 8), (10, 10), (3, 26)])
def test_keys_of_large_boards_agree_where_the_last_lines_are_exchanged(
    rows: int, columns: int, orientation: str
) -> None:
    options: Options = {
        "board": "random",
        "rows": rows,
        "columns": columns,
        "orientation": orientation,
    }
    for position in random_game(game, 1, options)[:-3:5]:
        first, second = position.legal_moves[0], position.legal_moves[-1]
        reply = position.legal_moves[len(position.legal_moves) // 2]
        cells = {cell_of(position.board, move) for move in (first, second, reply)}
        if len(cells) == 3:
            one = position.after(first).after(reply).after(second)
            two = position.after(second).after(reply).after(first)
            assert one.key == two.key
            assert identity(one.board, one.state) == identity(two.board, two.state)


# Values


@pytest.mark.parametrize(("text", "value"), [("1*1/*2*/**1", 0), ("1*1/*2*/**1 free", -1)])
def test_the_smallest_board_is_worth_what_is_known(text: str, value: int) -> None:
    position = game.position(text)
    assert to_come(text) == value
    assert Tree(position.board).value(position.state) == value


# Bounds and evaluation


def test_bounds_hold_what_is_to_come_and_are_exact_at_the_end(tree: Tree) -> None:
    for state, value in tree:
        low, high = bounds(tree.board, state)
        now = score(tree.board, state)
        assert low <= now <= high
        assert low <= now + value <= high
        if over(tree.board, state):
            assert low == high == now


def test_bounds_of_what_follows_lie_within(tree: Tree) -> None:
    for state, _ in tree:
        low, high = bounds(tree.board, state)
        for child in children(tree.board, state):
            below, above = bounds(tree.board, child)
            assert low <= below <= above <= high


@pytest.mark.parametrize("orientation", ["owned", "free"])
@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (5, 5), (3, 8), (8, 8), (10, 10)])
def test_bounds_are_nested_and_hold_on_large_boards(
    rows: int, columns: int, orientation: str
) -> None:
    options: Options = {
        "board": "random",
        "rows": rows,
        "columns": columns,
        "circles": 70,
        "orientation": orientation,
    }
    for seed in range(3):
        positions = random_game(game, seed, options)
        result = positions[-1].utility
        widest = None
        for position in positions:
            low, high = bounds(position.board, position.state)
            assert low <= result <= high
            assert widest is None or widest[0] <= low <= high <= widest[1]
            widest = low, high
            if not position.is_over:
                assert POINT * low <= position.evaluation <= POINT * high


def test_a_circle_counts_only_for_those_who_can_complete_it() -> None:
    assert bounds_of("1**/***/***") == (-1, 0)
    assert bounds_of("**1/***/***") == (0, 1)
    assert bounds_of("1**/***/*** free") == (-1, 1)
    assert bounds_of("***/*2*/***") == (-2, 2)


def test_a_circle_that_is_reached_or_lost_counts_no_more() -> None:
    assert bounds_of("***/*4*/*** s./.. 0-0") == (0, 0)
    assert bounds_of("***/*1*/*** .s/.. 1-0") == (1, 1)


def bounds_of(text: str) -> tuple[int, int]:
    position = game.position(text)
    return bounds(position.board, position.state)


def test_what_the_mover_can_take_and_what_is_one_sides_counts() -> None:
    """Never more than can be had: a corner that only the first player touches is a point."""
    assert game.position("**1/***/***").evaluation == POINT < TAKE + READY
    assert game.position("**1/***/*** s./.. 0-0").evaluation == READY
    assert game.position("1**/***/***").evaluation == -READY
    assert game.position("***/*3*/*** free").evaluation == 0
    assert game.position("*2*/***/***").evaluation == 0


def test_the_evaluation_is_fair_to_both_sides() -> None:
    """Left and right exchanged, slashes are backslashes: the same for the other player."""
    for seed in range(6):
        options: Options = {"board": "random", "rows": 3, "columns": 4, "circles": 60, "seed": seed}
        for position in random_game(game, seed, options)[:-1]:
            board, state = position.board, position.state
            rows = circle_rows(board)
            numbers = [-1 if mark == "*" else int(mark) for row in rows for mark in row[::-1]]
            other = make_board(board.rows, board.columns, numbers, free=False)
            swapped = State(
                flipped(board, state.backslashes[0]),
                flipped(board, state.slashes[0]),
                state.second_points,
                state.first_points,
                1 - state.turn,
            )
            assert evaluate(other, swapped) == -evaluate(board, state)


def flipped(board: Board, cells: int) -> tuple[int, int]:
    found = 0
    for cell in range(64):
        if cells >> cell & 1:
            row, column = divmod(cell, board.stride)
            found |= 1 << row * board.stride + board.columns - 1 - column
    return found, 0


# The engine


@pytest.mark.parametrize(("name", "value"), [("example_a", 2), ("example_b", 0), ("corner", 0)])
def test_boards_are_worth_what_is_known(name: str, value: int) -> None:
    engine = Engine(game, memory=16, features=Features.EXACT)
    result = engine.search(game.start({"board": name}), Limits(depth=16))
    assert result.value == POINT * value


@pytest.mark.parametrize("orientation", ["owned", "free"])
def test_the_engine_finds_what_brute_force_finds(orientation: str) -> None:
    """With one table for all positions of a board: whatever it says of one holds for its likes."""
    engine = Engine(game, memory=1, features=Features.EXACT)
    for seed in range(20):
        free = orientation == "free"
        found = Tree(small_board(2, 2 if free else 3, free, 100 + seed))
        for state, value in list(found)[:: 3 if free else 11]:
            if not over(found.board, state):
                position = Position(game, found.board, state)
                result = engine.search(position, Limits(depth=6))
                assert result.value == POINT * (score(found.board, state) + value)
