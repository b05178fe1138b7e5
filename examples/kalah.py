"""Kalah: sow your seeds, end in your own store to move again; the fuller store wins.

Each player has six houses and a store. A move empties one of your houses and drops its seeds one
by one into the places that follow: your houses, your store, the other's houses, and round again
past the other's store. The last seed decides:

* in your store: you move again;
* in a house of yours that was empty, with seeds in the house across: both go into your store.

When a player's houses are all empty the game is over, and what is left goes to whose side it is on.

This file shows a game in which turns do not alternate, a State that holds tuples, and a game of
points (`POINT`), where a search cares how high it wins.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.errors import FormatError

SUMMARY = "Sow seeds, move again, capture; the fuller store wins."
PLAYERS = ("South", "North")

MAX_MOVES = 6  # a move is the number of a house, 0 to 5, counted in the direction of sowing
POINT = 4  # evaluations are in quarters of a seed

OWN_STORE = 6  # places as the player who sows meets them: 0-5 own houses, 6 store, 7-12 the other's
PLACES = 13

Row = tuple[int, int, int, int, int, int]


class Board(NamedTuple):
    seeds: int  # in each house at the start


class State(NamedTuple):
    south: Row
    north: Row
    stores: tuple[int, int]
    turn: int


# The rules. They are compiled, so they keep to numbers, tuples and plain loops.


def new_board(seeds: int = 4) -> Board:
    """The parameters of `new_board` are the options of the game: here the seeds in a house."""
    if not 1 <= seeds <= 10:
        raise FormatError(f"{seeds} seeds in a house: from 1 to 10 are possible")
    return Board(seeds)


def start(board: Board) -> State:
    n = board.seeds
    return State((n, n, n, n, n, n), (n, n, n, n, n, n), (0, 0), 0)


def moves(board: Board, state: State, out: list[int]) -> int:
    own = state.south if state.turn == 0 else state.north
    count = 0
    for house in range(6):
        if own[house] > 0:
            out[count] = house
            count += 1
    return count


def play(board: Board, state: State, move: int) -> State:
    own, other = (state.south, state.north) if state.turn == 0 else (state.north, state.south)
    seeds = own[move]
    store = state.stores[state.turn] + dropped(move, seeds, OWN_STORE)
    own = sown(emptied(own, move), move, seeds, 0)
    other = sown(other, move, seeds, OWN_STORE + 1)

    last = (move + seeds) % PLACES
    # One seed after sowing means that the house was empty before.
    if last < OWN_STORE and own[last] == 1 and other[5 - last] > 0:
        store += 1 + other[5 - last]
        own = emptied(own, last)
        other = emptied(other, 5 - last)

    next_turn = state.turn if last == OWN_STORE else 1 - state.turn
    if state.turn == 0:
        return State(own, other, (store, state.stores[1]), next_turn)
    return State(other, own, (state.stores[0], store), next_turn)


def dropped(house: int, seeds: int, place: int) -> int:
    """How many of the seeds from a house fall into a place: one for each time they get there."""
    distance = (place - house - 1) % PLACES
    return (seeds + PLACES - 1 - distance) // PLACES


def sown(row: Row, house: int, seeds: int, place: int) -> Row:
    """A row of houses, the first of them at `place`, with the seeds that fall there.

    A tuple is never changed, and compiled code cannot build one in a loop: it is written out.
    """
    return (
        row[0] + dropped(house, seeds, place),
        row[1] + dropped(house, seeds, place + 1),
        row[2] + dropped(house, seeds, place + 2),
        row[3] + dropped(house, seeds, place + 3),
        row[4] + dropped(house, seeds, place + 4),
        row[5] + dropped(house, seeds, place + 5),
    )


def emptied(row: Row, house: int) -> Row:
    return (
        row[0] * (house != 0),
        row[1] * (house != 1),
        row[2] * (house != 2),
        row[3] * (house != 3),
        row[4] * (house != 4),
        row[5] * (house != 5),
    )


def over(board: Board, state: State) -> bool:
    return total(state.south) == 0 or total(state.north) == 0


def utility(board: Board, state: State) -> int:
    """South's margin in seeds."""
    return state.stores[0] + total(state.south) - state.stores[1] - total(state.north)


def total(row: Row) -> int:
    return row[0] + row[1] + row[2] + row[3] + row[4] + row[5]


def evaluate(board: Board, state: State) -> int:
    """The margin so far. A seed on one's own side may yet be lost: it counts for a quarter."""
    margin = state.stores[0] - state.stores[1]
    return POINT * margin + total(state.south) - total(state.north)


def noisy(board: Board, state: State, move: int) -> int:
    """How many seeds a capture brings home; a single seed is nothing to make noise about."""
    gained = play(board, state, move).stores[state.turn] - state.stores[state.turn]
    return gained if gained > 1 else 0


# What people see. This part is ordinary Python and is never compiled.


def score(board: Board, state: State) -> int:
    """The margin so far."""
    return state.stores[0] - state.stores[1]


def move_text(board: Board, state: State, move: int) -> str:
    return str(move + 1)


def picture(board: Board, state: State) -> str:
    """North's houses run from right to left, as he sits across the table."""
    north = "  ".join(f"{seeds:2}" for seeds in reversed(state.north))
    south = "  ".join(f"{seeds:2}" for seeds in state.south)
    numbers = "  ".join(f"{number:2}" for number in range(1, 7))
    return (
        f"      {north}\n"
        f"{state.stores[1]:4}  {'':22}  {state.stores[0]:2}\n"
        f"      {south}\n\n"
        f"      {numbers}\n"
        f"{PLAYERS[state.turn]} to move"
    )
