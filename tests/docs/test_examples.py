"""The examples run, keep the contract, and have the values that theory or brute force gives."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plyground.core.errors import FormatError
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.search.conformance import CheckStatus, check_game
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits, SearchResult
from tests.paths import EXAMPLES

GAMES = ("nim", "kalah", "dots")

ENOUGH = Limits(depth=100)


@cache
def example(name: str) -> Game:
    return find_game(str(EXAMPLES / f"{name}.py"))


@cache
def engine_for(name: str) -> Engine:
    return Engine(example(name), memory=4, features=Features.EXACT)


def solve(position: Position) -> SearchResult:
    """Search to the end of the game."""
    result = engine_for(position.game.name).search(position, ENOUGH)
    assert result.proven
    return result


def test_every_example_of_a_game_is_listed_here() -> None:
    arena = {"match", "tournament", "sequential_test", "drive_engine"}
    names = {*GAMES, *arena, "library", "learn", "spiel_both_ways"}
    assert {path.stem for path in EXAMPLES.glob("*.py")} == names


@pytest.mark.parametrize("name", GAMES)
def test_an_example_keeps_the_contract_compiled_and_uncompiled(name: str) -> None:
    broken = [
        finding for finding in check_game(example(name)) if finding.status is not CheckStatus.PASSED
    ]
    assert broken == []


def run_example(name: str, *arguments: str) -> str:
    finished = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_the_library_example_runs() -> None:
    printed = run_example("library.py")
    assert "Best move:" in printed
    assert printed.endswith("First wins\n")


def test_the_example_of_a_match_runs() -> None:
    printed = run_example("match.py")
    assert "scored 15 of 20 points against engine:nodes=100" in printed


def test_the_example_of_a_tournament_runs_and_writes_its_report(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    *rows, written = run_example("tournament.py", str(report)).splitlines()
    assert [row.split(". ")[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0].startswith("1. three plies ")
    assert next(row for row in rows if "greedy" in row).endswith(" 0 ± 0")
    assert written == f"written: {report}"
    assert report.read_text().startswith("<!doctype html>")


def test_the_example_of_a_sequential_test_runs() -> None:
    assert "games: H1 is accepted: the log-likelihood ratio" in run_example("sequential_test.py")


def test_the_example_of_a_program_that_drives_the_engine_runs() -> None:
    moves, result = run_example("drive_engine.py").splitlines()
    position = find_game("connectfour").start()
    for move in moves.partition(": ")[2].split():
        position = position.play(move)
    assert position.is_over
    assert moves.startswith(f"{len(moves.partition(': ')[2].split())} moves: ")
    results = {"1-0": "p1win", "0-1": "p2win", "1/2-1/2": "draw"}
    assert result == f"result: {results[position.outcome.score]}"


def test_the_example_of_learning_runs() -> None:
    printed = run_example("learn.py").splitlines()
    assert [line.split(":")[0] for line in printed[:3]] == [f"generation {n}" for n in (1, 2, 3)]
    assert [line.split(":")[0].strip() for line in printed[3:6]] == ["own", "none", "learned"]
    assert printed[6].endswith("of 40 points against no evaluation")


def test_the_example_with_openspiel_runs() -> None:
    pytest.importorskip("pyspiel")
    finished = subprocess.run(
        [sys.executable, str(EXAMPLES / "spiel_both_ways.py")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "OpenSpiel's alpha-beta says +1, by a3" in finished.stdout
    assert finished.stdout.endswith("Hex 3x3, by our alpha-beta: First wins in 5 plies\n")


# Nim


def test_nim_is_short_enough_to_show_whole() -> None:
    lines = (EXAMPLES / "nim.py").read_text().splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 32


def test_nim_is_won_by_the_player_to_move_unless_the_heaps_cancel_out() -> None:
    nim = example("nim")
    for a, b, c, turn in itertools.product(range(4), range(6), range(8), range(2)):
        if a == b == c == 0:
            continue
        value = solve(nim.position(f"heaps={a},{b},{c} turn={turn}")).value
        mover_wins = a ^ b ^ c != 0
        assert (value > 0) == (mover_wins == (turn == 0)), (a, b, c, turn)


# Dots and Boxes


def best_margin(across: int, down: int, board: Any) -> int:
    """The mover's margin with best play, by brute force over sets of sides, without bitboards."""
    lines = [("across", i) for i in range(64) if board.across >> i & 1]
    lines += [("down", i) for i in range(64) if board.down >> i & 1]
    sides = [
        {
            ("across", row * board.width + column),
            ("across", (row + 1) * board.width + column),
            ("down", row * board.width + column),
            ("down", row * board.width + column + 1),
        }
        for row in range(board.rows)
        for column in range(board.columns)
    ]

    @cache
    def margin(drawn: frozenset[tuple[str, int]]) -> int:
        values = []
        for line in set(lines) - drawn:
            after = drawn | {line}
            closed = sum(line in box and box <= after for box in sides)
            values.append(closed + margin(after) if closed else -margin(after))
        return max(values, default=0)

    return margin(
        frozenset((kind, i) for kind, i in lines if (across if kind == "across" else down) >> i & 1)
    )


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)])
def test_small_boards_of_dots_have_the_value_of_brute_force(rows: int, columns: int) -> None:
    position = example("dots").start({"rows": rows, "columns": columns})
    assert solve(position).value == best_margin(0, 0, position.board)


def test_one_box_goes_to_the_second_player() -> None:
    assert solve(example("dots").start({"rows": 1, "columns": 1})).value == -1


def test_closing_two_boxes_with_one_line_counts_both_and_draws_again() -> None:
    position = example("dots").start({"rows": 1, "columns": 2})
    for line in ("a1-b1", "b1-c1", "a2-b2", "b2-c2", "a1-a2", "c1-c2"):
        position = position.play(line)
    assert position.turn == 0
    assert position.is_noisy(position.parse_move("b1-b2"))
    finished = position.play("b1-b2")
    assert finished.is_over
    assert finished.outcome.reason == "First wins by 2"
    assert finished.score == 2


def test_a_board_of_dots_that_is_too_large_is_refused() -> None:
    with pytest.raises(FormatError, match="8 rows and 3 columns: 1 to 7 of each are possible"):
        example("dots").start({"rows": 8})


# Kalah


def sow_seed_by_seed(houses: list[list[int]], stores: list[int], turn: int, house: int) -> int:
    """Play Kalah as people do, one seed at a time; returns whose turn is next."""
    places = [(turn, i) for i in range(6)] + [(turn, 6)] + [(1 - turn, i) for i in range(6)]
    seeds, houses[turn][house] = houses[turn][house], 0
    at = house
    for _ in range(seeds):
        at = (at + 1) % 13
        side, index = places[at]
        if index == 6:
            stores[turn] += 1
        else:
            houses[side][index] += 1
    if at < 6 and houses[turn][at] == 1 and houses[1 - turn][5 - at]:
        stores[turn] += 1 + houses[1 - turn][5 - at]
        houses[turn][at] = houses[1 - turn][5 - at] = 0
    return turn if at == 6 else 1 - turn


def test_kalah_sows_as_people_do_seed_by_seed() -> None:
    chance = random.Random(4)
    kalah = example("kalah")
    for seeds in (1, 4, 6, 10):
        for _ in range(20):
            position = kalah.start({"seeds": seeds})
            houses, stores, turn = [[seeds] * 6, [seeds] * 6], [0, 0], 0
            while not position.is_over:
                move = chance.choice(position.legal_moves)
                turn = sow_seed_by_seed(houses, stores, turn, move)
                position = position.play(move)
                state = position.state
                assert (list(state.south), list(state.north)) == (houses[0], houses[1])
                assert (list(state.stores), state.turn) == (stores, turn)
            assert position.utility == (stores[0] + sum(houses[0]) - stores[1] - sum(houses[1]))


def test_a_seed_in_the_own_store_gives_another_move() -> None:
    position = example("kalah").start().play("3")
    assert position.turn == 0
    assert position.score == 1
    assert position.play("6").turn == 1


def test_a_lap_round_the_board_can_end_in_the_house_it_started_from() -> None:
    kalah = example("kalah")
    text = "south=13,0,0,0,0,0 north=2,2,2,2,2,2 stores=0,0 turn=0"
    after = kalah.position(text).play("1").state
    assert after.south == (0, 1, 1, 1, 1, 1)
    assert after.stores == (1 + 1 + 3, 0)  # one sown, one captured with the three across
    assert after.north == (3, 3, 3, 3, 3, 0)


@cache
def kalah_margin(south: tuple[int, ...], north: tuple[int, ...], turn: int) -> int:
    """What South gains on North from here with best play, by brute force, seed by seed."""
    if not any(south) or not any(north):
        return sum(south) - sum(north)
    values = []
    for house in range(6):
        if (south, north)[turn][house]:
            houses, stores = [list(south), list(north)], [0, 0]
            next_turn = sow_seed_by_seed(houses, stores, turn, house)
            rest = kalah_margin(tuple(houses[0]), tuple(houses[1]), next_turn)
            values.append(stores[0] - stores[1] + rest)
    return max(values) if turn == 0 else min(values)


def test_endgames_of_kalah_have_the_value_of_brute_force() -> None:
    chance = random.Random(6)
    kalah = example("kalah")
    for _ in range(40):
        position = kalah.start()
        while sum(position.state.south) + sum(position.state.north) > 9 and not position.is_over:
            position = position.play(chance.choice(position.legal_moves))
        if not position.is_over:
            south, north, stores, turn = position.state
            margin = stores[0] - stores[1] + kalah_margin(south, north, turn)
            assert solve(position).value == kalah.rules.point * margin, position.text


def test_a_number_of_seeds_that_cannot_be_is_refused() -> None:
    with pytest.raises(FormatError, match="11 seeds in a house: from 1 to 10 are possible"):
        example("kalah").start({"seeds": 11})
