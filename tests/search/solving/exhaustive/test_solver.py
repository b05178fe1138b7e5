"""The exhaustive solver: against brute force and known values, with little memory, and killed."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plyground.core.errors import FileError, GameOver, LimitError
from plyground.core.game import Options, Position
from plyground.core.registry import find_game
from plyground.search.solving import kernel_solver
from plyground.search.solving.checkpoint import HEADER_BYTES
from plyground.search.solving.exhaustive import solver as exhaustive
from plyground.search.solving.exhaustive.interval import LOW_SHIFT, MOVE_BITS, OFFSET, unpacked
from plyground.search.solving.exhaustive.solver import DEEPEST, Exhaustive
from plyground.search.solving.solution import SolveProgress, Unsolved, Worth
from plyground.search.solving.transposition_table import BUCKET_WAYS, EXTRA_WORDS, bucket_words
from tests.paths import EXAMPLES, SAMPLE_GAMES
from tests.random_play import random_game, random_positions
from tests.search.solving.brute_force import Memory, as_number, assert_perfect, brute_force

slant = find_game("slant")
blocker = find_game("blocker")


# Known values


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"board": "corner"}, 0),
        ({"board": "corner", "orientation": "free"}, -1),
        ({"board": "example_a"}, 2),
        ({"board": "example_b"}, 0),
    ],
)
def test_known_boards_of_slant_are_solved(options: Options, value: int) -> None:
    solution = Exhaustive(slant, memory=4).solve(slant.start(options))
    assert solution.worth == Worth(value)
    assert solution.method == "alpha-beta to the end"
    assert solution.counted == "positions looked at"


def test_blocker_is_won_in_11_plies_and_only_by_block() -> None:
    start = blocker.start()
    solution = Exhaustive(blocker, memory=4).solve(start)
    assert solution.worth == Worth(1, 11)
    assert solution.method == "alpha-beta to depth 11"
    assert [start.move_text(move) for move in solution.optimal] == ["block"]
    assert len(solution.line) == 11


def test_a_board_of_blocker_with_millions_of_states_is_solved_by_what_the_proof_needs() -> None:
    start = blocker.start({"board": "board1"})
    solution = Exhaustive(blocker, memory=4).solve(start)
    assert solution.worth == Worth(1, 11)
    assert sorted(start.move_text(move) for move in solution.optimal) == ["down", "left"]


def test_small_boards_of_connect_four_are_drawn() -> None:
    game = find_game("connectfour")
    solver = Exhaustive(game, memory=16)
    assert solver.solve(game.start({"rows": 4, "columns": 4}), every_move=False).worth == Worth(0)


# Against brute force


SMALL_SLANT = [
    ({"rows": rows, "columns": columns, "orientation": orientation}, circles)
    for rows, columns in ((1, 3), (2, 2), (3, 2))
    for orientation in ("owned", "free")
    for circles in (30, 100)
    if rows * columns < 6 or orientation == "owned"
]


@pytest.mark.parametrize(("options", "circles"), SMALL_SLANT)
def test_slant_is_worth_what_brute_force_says(options: dict[str, int | str], circles: int) -> None:
    solver = Exhaustive(slant, memory=1)
    for seed in range(50):
        start = slant.start({**options, "board": "random", "circles": circles, "seed": seed})
        assert_perfect(solver.solve(start))


def test_positions_with_points_on_the_way_are_solved() -> None:
    solver = Exhaustive(slant, memory=1)
    options: Options = {"board": "random", "rows": 3, "columns": 3, "circles": 100, "seed": 4}
    memory: Memory = {}
    for seed in range(20):
        assert_perfect(solver.solve(random_game(slant, seed, options)[3]), memory)


def test_short_days_of_fishing_derby_are_worth_what_brute_force_says() -> None:
    game = find_game("derby")
    solver = Exhaustive(game, memory=1)
    for seed in range(6):
        options: Options = {"board": "random", "fish": 3, "plies": 60, "seed": seed}
        assert_perfect(solver.solve(random_game(game, seed, options)[54]))


def test_tic_tac_toe_is_worth_what_brute_force_says() -> None:
    game = find_game("tictactoe")
    solver = Exhaustive(game, memory=1)
    memory: Memory = {}
    for position in [game.start(), *random_positions(game, 150)]:
        assert_perfect(solver.solve(position), memory)


def test_four_in_a_row_on_a_narrow_board_is_worth_what_brute_force_says() -> None:
    game = find_game("connectfour")
    solver = Exhaustive(game, memory=1)
    memory: Memory = {}
    for seed in range(60):
        assert_perfect(solver.solve(random_game(game, seed, {"rows": 4, "columns": 4})[6]), memory)


def test_races_that_are_settled_at_sight_keep_their_exact_distance() -> None:
    game = find_game("breakthrough")
    solver = Exhaustive(game, memory=1)
    memory: Memory = {}
    for seed in range(40):
        positions = random_game(game, seed, {"rows": 4, "columns": 3})
        assert_perfect(solver.solve(positions[len(positions) // 2]), memory)


def test_nim_is_worth_what_brute_force_says() -> None:
    game = find_game(str(EXAMPLES / "nim.py"))
    solver = Exhaustive(game, memory=1)
    memory: Memory = {}
    for position in [game.start(), *random_positions(game, 40)]:
        assert_perfect(solver.solve(position), memory)


def test_endings_of_kalah_are_worth_what_brute_force_says() -> None:
    game = find_game(str(EXAMPLES / "kalah.py"))
    solver = Exhaustive(game, memory=1)
    memory: Memory = {}
    for seed in range(40):
        for position in random_game(game, seed, {"seeds": 1})[:-1]:
            if sum(position.state.south + position.state.north) == 6:
                assert_perfect(solver.solve(position), memory)


def test_a_player_who_moves_again_is_no_trouble() -> None:
    game = find_game(str(EXAMPLES / "dots.py"))
    solver = Exhaustive(game, memory=1)
    memory: Memory = {}
    for seed in range(20):
        assert_perfect(solver.solve(random_game(game, seed, {"rows": 2, "columns": 2})[5]), memory)


@pytest.mark.parametrize("stuck", ["either", "mover"])
def test_wins_where_positions_come_back_are_those_of_brute_force(
    monkeypatch: pytest.MonkeyPatch, stuck: str
) -> None:
    depth = 7
    monkeypatch.setattr(exhaustive, "DEEPEST", depth)
    solver = Exhaustive(blocker, memory=1)
    solved = 0
    for seed in range(25):
        options: Options = {
            "board": "random",
            "stuck": stuck,
            "seed": seed,
            "width": 5,
            "height": 4,
            "food": 2,
        }
        for position in random_game(blocker, seed, options)[:6:5]:
            value = brute_force(position, depth)
            if position.is_over:
                continue
            if value == 0:
                with pytest.raises(Unsolved, match=f"nobody wins within {depth} plies"):
                    solver.solve(position)
            else:
                assert as_number(solver.solve(position).worth) == value
                solved += 1
    assert solved > 5


# Little memory, several threads


def limit_table(monkeypatch: pytest.MonkeyPatch, position: Position, buckets: int) -> None:
    """Let a table of one MiB have only so many buckets."""
    width = len(position.game.rules.identity(position.board, position.state))
    monkeypatch.setattr(kernel_solver, "MEBIBYTE", 8 * buckets * bucket_words(width))


@pytest.mark.parametrize("buckets", [1, 7, 100])
def test_a_table_that_is_far_too_small_costs_time_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, buckets: int
) -> None:
    start = slant.start({"board": "random", "rows": 3, "columns": 3, "circles": 60, "seed": 1})
    roomy = Exhaustive(slant, memory=1).solve(start)
    limit_table(monkeypatch, start, buckets)
    narrow = Exhaustive(slant, memory=1).solve(start)
    assert (narrow.worth, narrow.moves) == (roomy.worth, roomy.moves)
    assert narrow.nodes >= roomy.nodes


def test_blocker_is_solved_with_a_table_of_one_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_table(monkeypatch, blocker.start(), 1)
    assert Exhaustive(blocker, memory=1).solve(blocker.start()).worth == Worth(1, 11)


def test_two_threads_find_the_same() -> None:
    for seed in range(5):
        start = slant.start(
            {"board": "random", "rows": 3, "columns": 4, "circles": 60, "seed": seed}
        )
        alone = Exhaustive(slant, memory=4).solve(start)
        together = Exhaustive(slant, memory=4, threads=3).solve(start)
        assert (together.worth, together.moves) == (alone.worth, alone.moves)


def test_two_threads_solve_blocker() -> None:
    assert Exhaustive(blocker, memory=4, threads=2).solve(blocker.start()).worth == Worth(1, 11)


def test_a_solver_keeps_what_it_found_and_separates_boards() -> None:
    solver = Exhaustive(slant, memory=4)
    first, second = slant.start({"board": "example_a"}), slant.start({"board": "example_b"})
    assert solver.solve(first).nodes > 0
    assert solver.solve(first).nodes == 0
    assert solver.solve(second).worth == Worth(0)
    assert solver.solve(first).worth == Worth(2)


def test_only_the_value_and_one_best_move_if_no_more_is_wanted() -> None:
    start = slant.start()
    solution = Exhaustive(slant, memory=4).solve(start, every_move=False)
    whole = Exhaustive(slant, memory=4).solve(start)
    assert solution.worth == whole.worth
    assert len(solution.moves) == len(solution.optimal) == 1
    assert set(solution.optimal) <= set(whole.optimal)
    assert solution.nodes < whole.nodes


# Limits


def test_a_limit_of_positions_is_kept_and_tells_what_is_known() -> None:
    solver = Exhaustive(slant, memory=4, nodes=1000)
    with pytest.raises(
        Unsolved, match=r"not solved: \d+ positions looked at; between -\d+ and \d+"
    ):
        solver.solve(slant.start({"board": "full"}))
    blocked = Exhaustive(blocker, memory=4, nodes=300)
    with pytest.raises(Unsolved, match=r"nobody wins within \d plies"):
        blocked.solve(blocker.start())


def test_a_game_without_an_end_is_given_up() -> None:
    game = find_game(str(SAMPLE_GAMES / "endless.py"))
    with pytest.raises(Unsolved, match=f"nobody wins within {DEEPEST} plies"):
        Exhaustive(game, memory=1).solve(game.start())


def test_a_solve_can_be_stopped_from_another_thread() -> None:
    hard = slant.start({"board": "random", "rows": 6, "columns": 6, "circles": 100})
    reports: list[SolveProgress] = []

    def listen(progress: SolveProgress) -> None:
        reports.append(progress)
        solver.stop()

    solver = Exhaustive(slant, memory=4, threads=2, progress=listen)
    with pytest.raises(Unsolved, match="not solved: stopped; between -"):
        solver.solve(hard)
    assert reports[0].nodes > 0
    assert reports[0].text.startswith("between")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"memory": 0}, "0 MiB: a solver takes from 1"),
        ({"memory": 1, "threads": 0}, "0 threads: a solver takes from 1 to 256"),
        ({"memory": 1, "nodes": 0}, "0 nodes: there must be at least 1"),
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, int], message: str) -> None:
    with pytest.raises(LimitError, match=message):
        Exhaustive(slant, **wrong)  # type: ignore[arg-type]


def test_another_game_is_refused() -> None:
    with pytest.raises(LimitError, match="this solver is for slant, not blocker"):
        Exhaustive(slant, memory=1).solve(blocker.start())


def test_a_finished_game_has_nothing_to_solve() -> None:
    with pytest.raises(GameOver, match="nothing to search"):
        Exhaustive(slant, memory=1).solve(random_game(slant, 1)[-1])


def test_what_is_known_so_far_is_said_in_points_of_the_first_player() -> None:
    for position in random_game(slant, 5, {"board": "full"})[2:4]:
        solver = Exhaustive(slant, memory=4, nodes=1000)
        with pytest.raises(Unsolved) as unsolved:
            solver.solve(position)
        low, high = slant.rules.bounds(position.board, position.state)
        found = re.search(r"between (-?\d+) and (-?\d+)", str(unsolved.value))
        assert found is not None
        assert low <= int(found[1]) < int(found[2]) <= high


# Checkpoints


KILLED = """
import sys
from pathlib import Path
from plyground.core.registry import find_game
from plyground.search.solving.exhaustive.solver import Exhaustive

game = find_game("slant")
start = game.start({"board": "full"})
report = lambda progress: print(progress.nodes, flush=True)
Exhaustive(game, memory=16, checkpoint=Path(sys.argv[1]), progress=report).solve(start)
"""


def test_a_solve_that_was_killed_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "full.solve"
    start = slant.start({"board": "full"})
    whole = Exhaustive(slant, memory=16).solve(start)
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(file)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    spent = int(process.stdout.readline() or 0)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    resumed = Exhaustive(slant, memory=16, checkpoint=file).solve(start)
    assert (resumed.worth, resumed.moves) == (whole.worth, whole.moves)
    assert resumed.nodes < whole.nodes - spent // 4
    assert Exhaustive(slant, memory=16, checkpoint=file).solve(start).nodes == 0


def test_the_checkpoint_of_another_board_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.solve"
    Exhaustive(slant, memory=1, checkpoint=file).solve(slant.start({"board": "corner"}))
    with pytest.raises(FileError, match="checkpoint of another solve"):
        Exhaustive(slant, memory=1, checkpoint=file).solve(slant.start({"board": "example_a"}))


# Verifying


@pytest.mark.parametrize("memory", [1, 16])
def test_every_stored_value_follows_from_its_children(memory: int) -> None:
    solver = Exhaustive(slant, memory=memory)
    start = slant.start()
    nodes = solver.solve(start).nodes
    assert nodes // 4 < solver.verify(start) <= nodes


def test_a_table_that_has_forgotten_most_is_verified_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = slant.start({"board": "example_b"})
    limit_table(monkeypatch, start, 50)
    assert 4 <= Exhaustive(slant, memory=1).verify(start) <= 4 * 50


def test_the_proof_of_blocker_is_verified() -> None:
    solver = Exhaustive(blocker, memory=1)
    assert solver.verify(blocker.start()) > 100


@pytest.mark.parametrize(("low", "high"), [(1, 1), (-1, -1), (1, 0)])
def test_a_wrong_value_in_the_table_is_found(low: int, high: int, tmp_path: Path) -> None:
    file = tmp_path / "a.solve"
    solver = Exhaustive(slant, memory=1, checkpoint=file)
    start = slant.start({"board": "random", "rows": 3, "columns": 3, "circles": 100, "seed": 2})
    solver.solve(start)
    position = start
    for _ in range(3):  # below the root there are entries that nothing above depends on
        position = position.play(solver.solve(position).optimal[0])
    corrupt(file, position, low, high)
    with pytest.raises(Unsolved, match="the table is wrong about"):
        solver.verify(start)


def table_in(file: Path) -> np.memmap[tuple[int], np.dtype[np.uint64]]:
    return np.memmap(file, np.uint64, "r+", offset=HEADER_BYTES)


def corrupt(file: Path, position: Position, low: int, high: int) -> None:
    """Change the interval of a position, in a way that the table itself does not notice."""
    words = [np.uint64(word) for word in slant.rules.identity(position.board, position.state)]
    table = table_in(file)
    rows = table.reshape(-1, len(words) + EXTRA_WORDS)
    held = [
        row for row in rows if row[len(words)] and all(row[: len(words)] ^ row[len(words)] == words)
    ]
    assert len(held) == 1
    old_low, old_high, move = unpacked(held[0][len(words)])
    assert old_low == old_high
    data = np.uint64(
        (old_low + low + OFFSET) << LOW_SHIFT | (old_high + high + OFFSET) << MOVE_BITS | move
    )
    held[0][: len(words)] = np.array(words) ^ data
    held[0][len(words)] = data


def test_a_check_can_be_stopped() -> None:
    hard = slant.start({"board": "full"})
    solver = Exhaustive(slant, memory=16, progress=lambda _: solver.stop())
    with pytest.raises(Unsolved, match="stopped"):
        solver.verify(hard)


def test_a_bucket_holds_several_positions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "a.solve"
    start = slant.start({"board": "random", "rows": 3, "columns": 3, "circles": 60, "seed": 1})
    limit_table(monkeypatch, start, 1)
    Exhaustive(slant, memory=1, checkpoint=file).solve(start)
    assert np.count_nonzero(table_in(file).reshape(BUCKET_WAYS, -1)[:, -2]) == BUCKET_WAYS
