"""Proof-number search against brute force, known values, and everything that can interrupt it."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from plyground.core.errors import FileError, LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits
from plyground.search.solving import kernel_solver
from plyground.search.solving.checkpoint import HEADER_BYTES
from plyground.search.solving.proof_number.search import HALF, PROVEN
from plyground.search.solving.proof_number.solver import Prover
from plyground.search.solving.solution import SolveProgress, Unsolved
from tests.killed import killed_in_the_middle

GAME = find_game("breakthrough")

SECOND_WINS = [(4, 2), (4, 3), (5, 2), (5, 3), (5, 4)]
FIRST_WINS = [(6, 2), (6, 3)]


def board(rows: int, columns: int) -> Position:
    return GAME.start({"rows": rows, "columns": columns})


def by_brute_force(position: Position, known: dict[object, int]) -> int:
    """The first player's result, from nothing but the rules."""
    if position.is_over:
        return position.utility
    if position.state not in known:
        best = max if position.turn == 0 else min
        known[position.state] = best(
            by_brute_force(child, known) for _, child in position.children()
        )
    return known[position.state]


def random_positions(rows: int, columns: int, count: int) -> Iterator[Position]:
    """Different open positions from random games."""
    draw = random.Random(rows * 10 + columns)
    seen: set[object] = set()
    while len(seen) < count:
        position = board(rows, columns)
        while not position.is_over:
            if position.state not in seen:
                seen.add(position.state)
                yield position
            position = position.after(draw.choice(position.legal_moves))


@pytest.fixture(name="prover", scope="module")
def shared_prover() -> Prover:
    return Prover(GAME, memory=32)


# Values


@pytest.mark.parametrize(("rows", "columns"), SECOND_WINS + FIRST_WINS)
@pytest.mark.parametrize("threads", [1, 2])
def test_known_boards_have_their_known_winners(rows: int, columns: int, threads: int) -> None:
    prover = Prover(GAME, memory=128, threads=threads)
    solution = prover.solve(board(rows, columns), every_move=False)
    assert solution.worth.utility == (1 if (rows, columns) in FIRST_WINS else -1)
    assert solution.nodes > 0
    assert solution.method == "proof-number search"


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 2), (4, 3), (5, 2)])
def test_every_move_is_worth_what_brute_force_says(prover: Prover, rows: int, columns: int) -> None:
    known: dict[object, int] = {}
    for position in random_positions(rows, columns, 150):
        solution = prover.solve(position)
        assert solution.worth.utility == by_brute_force(position, known)
        assert {move: worth.utility for move, worth in solution.moves.items()} == {
            move: by_brute_force(child, known) for move, child in position.children()
        }
        assert {solution.moves[move].utility for move in solution.optimal} == {
            solution.worth.utility
        }


def test_races_that_are_settled_at_sight_end_as_they_say(prover: Prover) -> None:
    """The promise: who wins, and within how many plies. Brute force knows the one, the engine the
    other."""
    engine = Engine(GAME, memory=8, features=Features.EXACT)
    count = 0
    for rows, columns in ((4, 3), (5, 2), (6, 2)):
        known: dict[object, int] = {}
        for position in random_positions(rows, columns, 300):
            plies = GAME.rules.settled(position.board, position.state)
            if plies:
                count += 1
                assert by_brute_force(position, known) == (1 if plies > 0 else -1), position.text
                if count % 5 == 0:
                    found = engine.search(position, Limits(depth=abs(plies)))
                    assert found.proven, position.text
    assert count > 300


def test_a_win_takes_no_longer_than_it_says(prover: Prover) -> None:
    engine = Engine(GAME, memory=8, features=Features.EXACT)
    for position in random_positions(4, 3, 60):
        worth = prover.solve(position, every_move=False).worth
        assert worth.plies is not None
        found = engine.search(position, Limits(depth=worth.plies))
        assert found.proven
        assert (found.value > 0) == (worth.utility > 0)


def test_the_line_leads_to_the_end_that_was_proven(prover: Prover) -> None:
    for position in [board(5, 3), board(6, 2), *random_positions(4, 3, 40)]:
        solution = prover.solve(position, every_move=False)
        last = position
        for move in solution.line:
            last = last.play(move)
        assert last.is_over
        assert last.utility == solution.worth.utility
        assert solution.worth.plies is not None
        assert len(solution.line) <= solution.worth.plies


# Limits


def test_the_smallest_memory_will_do() -> None:
    small = Prover(GAME, memory=1)
    assert small.solve(board(5, 3)).worth.utility == -1
    assert small.verify(board(5, 3)) > 0


def test_another_board_finds_no_trace_of_the_last(prover: Prover) -> None:
    assert prover.solve(board(6, 2), every_move=False).worth.utility == 1
    assert prover.solve(board(5, 2), every_move=False).worth.utility == -1
    assert prover.solve(board(6, 2), every_move=False).worth.utility == 1


@pytest.mark.parametrize("name", ["tictactoe", "blocker", "slant"])
def test_a_game_that_can_end_otherwise_is_refused(name: str) -> None:
    with pytest.raises(LimitError, match=f"asks who wins: {name} can end otherwise, or never"):
        Prover(find_game(name))


def test_absurd_memory_is_refused() -> None:
    with pytest.raises(LimitError, match="0 MiB: a solver takes from 1"):
        Prover(GAME, memory=0)


def test_a_stopped_proof_says_how_far_it_came() -> None:
    prover = Prover(GAME, memory=64)
    prover.solve(board(4, 2))
    threading.Timer(0.3, prover.stop).start()
    with pytest.raises(Unsolved, match=r"stopped before .* was proven; [\d,]+ positions were"):
        prover.solve(board(8, 8))


def test_progress_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_solver, "REPORT_SECONDS", 0.001)
    reports: list[SolveProgress] = []
    prover = Prover(GAME, memory=64, progress=reports.append)
    prover.solve(board(5, 4), every_move=False)
    assert reports
    assert reports[-1].nodes > 0
    assert reports[-1].text.startswith("proving bbbb")


# A second look


def test_a_proof_is_checked_position_by_position(prover: Prover) -> None:
    prover.solve(board(5, 3), every_move=False)
    assert prover.verify(board(5, 3)) > 100


def test_a_hole_in_a_proof_is_found(tmp_path: Path) -> None:
    file = tmp_path / "5x3.solve"
    prover = Prover(GAME, memory=8, checkpoint=file)
    start = board(5, 3)
    prover.solve(start, every_move=False)
    # Turn every loss that was proven into a win, as a fault of the memory might.
    entries = np.memmap(file, np.uint64, "r+", offset=HEADER_BYTES).reshape(-1, 4)
    lost = np.uint64(PROVEN << HALF)
    won = np.uint64(PROVEN)
    wrong = entries[:, 2] == lost
    entries[wrong, :2] ^= lost ^ won
    entries[wrong, 2] = won
    with pytest.raises(Unsolved, match=r"the proof of .* has a hole"):
        prover.verify(start.play("b2b3"))


# Checkpoints


def test_a_checkpoint_is_resumed(tmp_path: Path) -> None:
    file = tmp_path / "5x4.solve"
    first = Prover(GAME, memory=32, checkpoint=file).solve(board(5, 4), every_move=False)
    again = Prover(GAME, memory=32, checkpoint=file).solve(board(5, 4), every_move=False)
    assert again.worth == first.worth
    assert again.nodes < first.nodes / 10


def test_a_killed_proof_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "5x4.solve"
    script = (
        "from pathlib import Path\n"
        "from plyground.core.registry import find_game\n"
        "from plyground.search.solving.proof_number.solver import Prover\n"
        "game = find_game('breakthrough')\n"
        "start = game.start({'rows': 5, 'columns': 5})\n"
        f"Prover(game, memory=64, checkpoint=Path({str(file)!r})).solve(start)\n"
    )
    killed_in_the_middle(script, file)
    kept = np.fromfile(file, np.uint64)[512:].reshape(-1, 4)
    solved = Prover(GAME, memory=64, checkpoint=file)
    with pytest.raises(
        FileError, match="another solve, or of another version: breakthrough, proof"
    ):
        solved.solve(board(5, 4))
    assert np.count_nonzero(kept[:, 2]) > 1000


def test_what_is_no_checkpoint_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader, " * 1000)
    with pytest.raises(FileError, match="is not a checkpoint; it was left as it is"):
        Prover(GAME, memory=1, checkpoint=file).solve(board(4, 2))
    assert file.read_text() == "Dear reader, " * 1000


def test_a_checkpoint_keeps_its_size(tmp_path: Path) -> None:
    file = tmp_path / "4x2.solve"
    Prover(GAME, memory=2, checkpoint=file).solve(board(4, 2))
    with pytest.raises(FileError, match=r"another amount of memory.*the same --memory as then"):
        Prover(GAME, memory=4, checkpoint=file).solve(board(4, 2))


def test_a_checkpoint_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file or directory"):
        Prover(GAME, memory=1, checkpoint=tmp_path / "no" / "file").solve(board(4, 2))
