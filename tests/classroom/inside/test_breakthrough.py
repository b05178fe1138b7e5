"""Students' agents for Breakthrough: the board that they know, and whole games with them."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.interfaces.breakthrough import BreakthroughInterface
from plyground.core.game import Position
from plyground.core.registry import find_game
from tests.classroom.student_processes import STUDENTS, StudentProcess, inside, play_game
from tests.random_play import random_game

GAME = find_game("breakthrough")
INTERFACE = BreakthroughInterface()
SIZES = [(6, 6), (8, 8), (3, 2), (5, 3), (4, 16)]


def board_of(position: Position) -> Any:
    return inside("breakthrough").new_board(
        inside("breakthrough").Board, INTERFACE.turn(position, 1.0)["rows"]
    )


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_board_agrees_with_the_rules_all_through_random_games(rows: int, columns: int) -> None:
    for seed in range(5):
        positions = random_game(GAME, seed, {"rows": rows, "columns": columns})
        for position in positions:
            board = board_of(position)
            assert (board.n_rows, board.n_cols) == (rows, columns)
            assert board.finishedGame() == position.is_over
            if position.is_over:
                winner = position.outcome.winner
                assert (board.win("W"), board.win("B")) == (winner == 0, winner == 1)
                continue
            assert_same_moves(board, position)


def assert_same_moves(board: Any, position: Position) -> None:
    color = "WB"[position.turn]
    from_cells, to_cells = board.getPiecesPossibleLocations(color)
    found = {}
    for from_cell, cells in zip(from_cells, to_cells, strict=True):
        assert board.board[from_cell[0]][from_cell[1]] == color
        assert cells == board.getPiecePossibleLocations(color, *from_cell)
        for to_cell in cells:
            after = copy.deepcopy(board)
            after.changePieceLocation(color, from_cell, to_cell)
            answer = {"type": "move", "move": [list(from_cell), list(to_cell)]}
            found[position.parse_move(INTERFACE.read(answer, position))] = after.board
    assert set(found) == set(position.legal_moves)
    for move, cells in found.items():
        assert cells == board_of(position.after(move)).board


def test_the_start_is_set_up() -> None:
    for rows, columns in SIZES[:2]:
        start = board_of(GAME.start({"rows": rows, "columns": columns}))
        assert inside("breakthrough").Board(rows, columns).board == start.board
    board = inside("breakthrough").Board()
    assert board.board[0] == board[1] == ["W"] * 6
    assert board.board[4] == board[5] == ["B"] * 6
    assert board[2] == ["E"] * 6
    assert board.getNumberOfArmy("W") == board.getNumberOfArmy("B") == 12


def test_both_spellings_work() -> None:
    board = inside("breakthrough").Board()
    moves = board.getPiecePossibleLocations("W", 1, 0)
    assert moves == board.getPiecePossibeLocations("W", 1, 0) == [(2, 0), (2, 1)]
    board.board[2][0] = "B"
    board.initilizeBoard()
    assert board.board == inside("breakthrough").Board().board


def test_a_side_without_pawns_has_lost_and_not_won() -> None:
    board = inside("breakthrough").new_board(inside("breakthrough").Board, ["EE", "WE", "EE", "EE"])
    assert (board.win("W"), board.win("B"), board.finishedGame()) == (True, False, True)


def test_a_copy_is_a_board_of_its_own() -> None:
    board = inside("breakthrough").Board()
    for twin in (copy.copy(board), copy.deepcopy(board)):
        twin.changePieceLocation("W", (1, 0), (2, 0))
        assert (board[1][0], twin[1][0]) == ("W", "E")
        assert (twin.n_rows, twin.n_cols) == (6, 6)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("file", ["breakthrough_deep_copies", "breakthrough_old_spelling"])
def test_a_file_in_the_style_of_courses_plays_whole_games(file: str, side: int) -> None:
    end = play_game(STUDENTS / f"{file}.py", INTERFACE, GAME.start(), side=side, seed=side)
    assert end.is_over


def test_an_agent_plays_on_boards_of_other_sizes() -> None:
    for rows, columns in ((8, 8), (5, 3)):
        start = GAME.start({"rows": rows, "columns": columns})
        assert play_game(STUDENTS / "breakthrough_old_spelling.py", INTERFACE, start).is_over


def test_an_agent_is_told_its_colours_and_its_time(tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text(
        "class Agent:\n"
        "    def __init__(self, *given):\n"
        "        self.given = given\n"
        "    def move(self, board):\n"
        "        return repr(self.given) + repr(board)\n"
    )
    for side, given in ((0, "('W', 'B', 0.5)"), (1, "('B', 'W', 0.5)")):
        with StudentProcess("breakthrough", file) as student:
            student.ask(INTERFACE.begin(GAME.start(), side, 0.5))
            answer = student.ask(INTERFACE.turn(GAME.start(), 0.5))
            assert answer is not None
            assert given in answer["said"]
    with StudentProcess("breakthrough", file) as student:
        student.ask(INTERFACE.begin(GAME.start(), 0, None))
        answer = student.ask(INTERFACE.turn(GAME.start(), None))
        assert answer is not None
        assert "('W', 'B', None)" in answer["said"]


def test_numbers_of_any_kind_are_cells() -> None:
    read = inside("breakthrough").read_cells

    class Number:
        def __init__(self, value: int) -> None:
            self.value = value

        def __index__(self) -> int:
            return self.value

    assert read([(Number(1), 0), [2, Number(0)]]) == [[1, 0], [2, 0]]
    odd: list[Any] = [None, 5, "ab", ["ab", "cd"], [(1, 2), (3, 4.0)], iter([]), {1: 2, 3: 4}]
    for move in odd:
        assert read(move) is None
