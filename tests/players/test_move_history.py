"""The moves of a game are found again from its positions."""

from __future__ import annotations

from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.players.move_history import MoveHistory
from tests.paths import EXAMPLES

START = find_game("tictactoe").start()


def texts(history: MoveHistory) -> list[str]:
    return [position.move_text(move) for position, move in history.moves]


def after(*moves: str) -> Position:
    position = START
    for move in moves:
        position = position.play(move)
    return position


def test_the_first_player_sees_its_own_move_and_the_answer() -> None:
    history = MoveHistory(START)
    history.advance_to(START)
    assert texts(history) == []
    history.advance_to(after("a1", "b2"), START.parse_move("a1"))
    assert texts(history) == ["a1", "b2"]
    assert history.start == START
    assert history.latest == after("a1", "b2")


def test_the_second_player_first_sees_a_move_of_the_opponent() -> None:
    history = MoveHistory(START)
    history.advance_to(after("c3"))
    assert texts(history) == ["c3"]


def test_a_player_may_move_twice_in_a_row() -> None:
    position, own = twice_to_move(find_game(str(EXAMPLES / "dots.py")).start())
    history = MoveHistory(position)
    history.advance_to(position.after(own), own)
    assert [move for _, move in history.moves] == [own]


def twice_to_move(position: Position) -> tuple[Position, int]:
    """A position, and a move after which the same side is to move."""
    while True:
        for move, child in position.children():
            if not child.is_over and child.turn == position.turn:
                return position, move
        position = position.after(position.legal_moves[0])


def test_where_the_moves_are_not_known_the_history_starts_again() -> None:
    history = MoveHistory(START)
    history.advance_to(after("a1"))
    history.advance_to(after("a1", "b1", "c1", "a2"), START.parse_move("b1"))
    assert texts(history) == []
    assert history.start == after("a1", "b1", "c1", "a2")
