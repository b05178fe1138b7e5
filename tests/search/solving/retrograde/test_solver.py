"""Retrograde analysis: against a fixpoint in plain Python, known values, limits, checkpoints."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from plyground.core.errors import GameFileError, LimitError
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.core.values import DECIDED
from plyground.search.binding.compile import bind
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits
from plyground.search.solving.retrograde import analysis, graph
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import Unsolved, Worth
from tests.paths import EXAMPLES
from tests.search.solving.brute_force import same

MEMORY = 64
blocker = find_game("blocker")


# The oracle: every state in a dictionary, and rounds over all of them until nothing changes


def brute_force(root: Position) -> dict[Any, tuple[int, int] | None]:
    """For every reachable state who wins (1, -1) and in how many plies, or None: a draw."""
    rules, board = root.game.rules, root.board
    children: dict[Any, list[Any]] = {}
    waiting = [root.state]
    while waiting:
        state = waiting.pop()
        if state not in children:
            legal = () if rules.over(board, state) else rules.legal_moves(board, state)
            children[state] = [rules.play(board, state, move) for move in legal]
            waiting += children[state]
    known: dict[Any, tuple[int, int] | None] = dict.fromkeys(children)
    for state in children:
        if rules.over(board, state) and rules.utility(board, state) != 0:
            known[state] = 1 if rules.utility(board, state) > 0 else -1, 0
    open_states = {state: after for state, after in children.items() if after}
    plies = 0
    while True:
        plies += 1
        decided = {}
        for state, after in open_states.items():
            if known[state] is None:
                mover = 1 if rules.turn(board, state) == 0 else -1
                ends = [known[child] for child in after]
                if any(end is not None and end[0] == mover for end in ends):
                    decided[state] = mover, plies
                elif all(end is not None for end in ends):
                    decided[state] = -mover, plies
        if not decided:
            return known
        known.update(decided)


def worth_of(known: tuple[int, int] | None, later: int = 0) -> Worth:
    return Worth(0) if known is None else Worth(known[0], known[1] + later)


def optimal_moves(root: Position, values: dict[Any, tuple[int, int] | None]) -> set[int]:
    """Wins first, the quickest; then draws; then losses, the slowest."""

    def rank(child: Position) -> tuple[int, int]:
        known = values[child.state]
        if known is None:
            return 0, 0
        winner, plies = known
        won = winner == (1 if root.turn == 0 else -1)
        return (1, -plies) if won else (-1, plies)

    ranks = {move: rank(child) for move, child in root.children()}
    return {move for move, found in ranks.items() if found == max(ranks.values())}


def small_boards() -> Iterator[dict[str, int | str | bool]]:
    sizes = [(3, 2, 1), (2, 2, 1), (5, 1, 2), (5, 1, 1), (2, 3, 2)]
    for seed in range(40):
        width, height, food = sizes[seed % len(sizes)]
        for stuck in ("either", "mover"):
            yield {
                "board": "random",
                "stuck": stuck,
                "seed": seed,
                "width": width,
                "height": height,
                "food": food,
                "walls": 10 + seed % 4 * 5,
            }


@pytest.fixture(scope="module")
def solver() -> Retrograde:
    return Retrograde(blocker, memory=MEMORY)


def test_values_distances_and_optimal_moves_are_those_of_brute_force(solver: Retrograde) -> None:
    outcomes = set()
    for options in small_boards():
        root = blocker.start(options)
        values = brute_force(root)
        solution = solver.solve(root)
        assert solution.worth == worth_of(values[root.state]), root
        assert solution.moves == {
            move: worth_of(values[child.state], later=1) for move, child in root.children()
        }, root
        assert set(solution.optimal) == (set() if root.is_over else optimal_moves(root, values))
        assert solution.nodes == len(values)
        outcomes.add((options["stuck"], solution.worth.utility))
    assert len(outcomes) == 6


def test_every_state_of_a_board_is_answered_without_another_analysis(solver: Retrograde) -> None:
    root = blocker.start(
        {"board": "random", "seed": 3, "width": 3, "height": 2, "food": 1, "walls": 20}
    )
    values = brute_force(root)
    states = solver.solve(root).nodes
    assert states == len(values)
    for state, known in values.items():
        solution = solver.solve(Position(blocker, root.board, state))
        assert (solution.worth, solution.nodes) == (worth_of(known), states)


def test_the_official_board_is_won_in_eleven_plies_and_only_by_block(solver: Retrograde) -> None:
    for stuck in ("either", "mover"):
        root = blocker.start({"stuck": stuck})
        solution = solver.solve(root)
        assert solution.worth == Worth(1, 11)
        assert [root.move_text(move) for move in solution.optimal] == ["block"]
        assert solution.method == "retrograde analysis"
        assert (solution.nodes, solution.counted) == (len(brute_force(root)), "states")
        assert solver.verify(root) == solution.nodes
        end = root
        for move in solution.line:
            end = end.play(move)
        assert len(solution.line) == 11
        assert end.utility == 1


def test_a_drawn_line_goes_on_until_a_position_comes_back(solver: Retrograde) -> None:
    root = blocker.position("A*.#.*B A 0-0")
    solution = solver.solve(root)
    assert solution.worth == Worth(0)
    seen, position = [root], root
    for move in solution.line:
        assert solver.solve(position).worth == Worth(0)
        position = position.play(move)
        seen.append(position)
    assert position in seen[:-1]
    assert len(set(seen)) == len(seen) - 1


def test_an_exact_search_never_contradicts_a_solved_value(solver: Retrograde) -> None:
    engine = Engine(blocker, memory=1, features=Features.EXACT)
    for options in list(small_boards())[::7]:
        root = blocker.start(options)
        if root.is_over:
            continue
        worth = solver.solve(root).worth
        value = engine.search(root, Limits(depth=9)).value
        within_reach = worth.plies is not None and worth.plies <= 9
        if abs(value) >= DECIDED or within_reach:
            assert (value > 0) - (value < 0) == worth.utility, root
            assert abs(value) >= DECIDED, root


# A part of the graph


def test_a_win_is_proven_without_the_whole_graph() -> None:
    """A alone has food. Nothing that B does can keep it from eating all within eleven plies."""
    root = blocker.start({"board": "board1"})
    solver = Retrograde(blocker, memory=MEMORY)
    solution = solver.solve(root, every_move=False)
    assert solution.worth == Worth(1, 11)
    assert [root.move_text(move) for move in solution.optimal] == ["down", "left"]
    assert solution.moves == dict.fromkeys(solution.optimal, Worth(1, 11))
    assert len(solution.line) == 11
    assert solution.nodes < 200_000
    assert 0 < solver.verify(root) < solution.nodes


def test_a_part_of_the_graph_never_contradicts_the_whole(
    monkeypatch: pytest.MonkeyPatch, solver: Retrograde
) -> None:
    monkeypatch.setattr(analysis, "FIRST_TRIAL", 4)
    monkeypatch.setattr(analysis, "TRIALS", 1.2)
    fewer = 0
    for options in small_boards():
        root = blocker.start(options)
        right = solver.solve(root)
        partial = Retrograde(blocker, memory=1)
        found = partial.solve(root, every_move=False)
        assert (found.worth, found.optimal) == (right.worth, right.optimal), root
        assert found.moves == {move: right.moves[move] for move in right.optimal}
        assert partial.verify(root) <= right.nodes
        whole = partial.solve(root)
        assert same(whole, right) or whole.nodes < right.nodes
        assert whole.moves == right.moves
        fewer += found.nodes < right.nodes
    assert fewer > 8


def test_a_proven_win_is_returned_when_memory_is_full(
    monkeypatch: pytest.MonkeyPatch, solver: Retrograde
) -> None:
    root = blocker.start()
    right = solver.solve(root)
    monkeypatch.setattr(graph, "MAX_STATES", 3600)
    scant = Retrograde(blocker, memory=1)
    solution = scant.solve(root)
    assert (solution.worth, solution.optimal) == (right.worth, right.optimal)
    assert solution.nodes < right.nodes
    assert set(solution.optimal) <= set(solution.moves) < set(root.legal_moves)
    assert solution.moves.items() < right.moves.items()
    assert same(scant.solve(root), solution)


# Games that do not repeat


def minimax(position: Position, known: dict[Any, Worth]) -> Worth:
    """The winner hurries, the loser delays."""
    if position.state not in known:
        known[position.state] = (
            Worth(position.utility, 0 if position.utility else None)
            if position.is_over
            else _best(position, known)
        )
    return known[position.state]


def _best(position: Position, known: dict[Any, Worth]) -> Worth:
    mover = 1 if position.turn == 0 else -1
    found = [minimax(child, known) for _, child in position.children()]
    wins = [worth.plies or 0 for worth in found if worth.utility == mover]
    if wins:
        return Worth(mover, min(wins) + 1)
    if any(worth.utility == 0 for worth in found):
        return Worth(0)
    return Worth(-mover, max(worth.plies or 0 for worth in found) + 1)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tictactoe", {}),
        ("connectfour", {"columns": 4, "rows": 3}),
        (str(EXAMPLES / "nim.py"), {}),
    ],
)
def test_games_without_repetition_have_their_minimax_values(
    name: str, options: dict[str, int | str | bool]
) -> None:
    game = find_game(name)
    known: dict[Any, Worth] = {}
    root = game.start(options)
    worth = minimax(root, known)
    solver = Retrograde(game, memory=MEMORY)
    solution = solver.solve(root)
    assert solution.worth == worth
    assert solver.verify(root) == solution.nodes <= len(known)
    for state in list(known)[:: len(known) // 200 + 1]:
        assert solver.solve(Position(game, root.board, state)).worth == known[state]
    if name == "tictactoe":
        assert (solution.worth, solution.nodes) == (Worth(0), 5478)
        assert len(solution.optimal) == 9


def test_a_player_may_move_again_and_numbers_may_be_negative(tmp_path: Path) -> None:
    game = own_game(tmp_path, AGAIN)
    root = game.start()
    values = brute_force(root)
    solver = Retrograde(game, memory=MEMORY)
    assert solver.solve(root).nodes == len(values)
    for state, known in values.items():
        assert solver.solve(Position(game, root.board, state)).worth == worth_of(known)
    assert {None if known is None else known[0] for known in values.values()} == {1, -1, None}


AGAIN = """
    from typing import NamedTuple

    class State(NamedTuple):
        at: tuple[int, int]
        again: bool
        turn: int

    REPEATS = True
    MAX_MOVES = 3

    def start(board):
        return State((0, 0), False, 0)

    def moves(board, state, out):
        for move in range(3):
            out[move] = move
        return 3

    def play(board, state, move):
        x, y = state.at
        if move == 0:
            x += 1 if state.turn == 0 else -1
        elif move == 1:
            y -= 1
        elif y < 0:
            y += 2
        again = not state.again and y % 3 == 0
        return State((x, y), again, state.turn if again else 1 - state.turn)

    def over(board, state):
        return abs(state.at[0]) == 4 or abs(state.at[1]) == 5

    def utility(board, state):
        return 1 if state.at[0] == 4 else -1 if state.at[0] == -4 else 0
"""


def own_game(folder: Path, text: str) -> Game:
    path = folder / "own.py"
    path.write_text(textwrap.dedent(text))
    return find_game(str(path))


# What is refused


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="0 threads: a solver takes from 1 to"):
        Retrograde(blocker, memory=MEMORY, threads=0)
    with pytest.raises(LimitError, match="0 MiB: a solver takes from 1 to"):
        Retrograde(blocker, memory=0)
    with pytest.raises(Unsolved, match="finds out who wins, and slant is a game of points"):
        Retrograde(find_game("slant"), memory=MEMORY)
    with pytest.raises(LimitError, match="this solver is for blocker, not tictactoe"):
        Retrograde(blocker, memory=MEMORY).solve(find_game("tictactoe").start())
    stuck = own_game(tmp_path, AGAIN.replace("return 3\n", "return 3 if state.at[1] > -3 else 0\n"))
    with pytest.raises(GameFileError, match="lists no move, but over"):
        Retrograde(stuck, memory=MEMORY).solve(stuck.start())


# Checking


def test_a_value_that_does_not_follow_is_found(tmp_path: Path) -> None:
    root = blocker.start({"stuck": "mover"})
    file = tmp_path / "a.solve"
    solver = Retrograde(blocker, memory=MEMORY, checkpoint=file)
    states = solver.solve(root).nodes
    values = values_in(file, root)
    for number in (0, 17, states - 1):
        for change in (1, 2, 0xFFFE):
            before = int(values[number])
            values[number] = before ^ change
            with pytest.raises(Unsolved, match=r"not follow from those of its children: \S*#"):
                solver.verify(root)
            values[number] = before
    assert solver.verify(root) == states


def values_in(file: Path, root: Position) -> npt.NDArray[np.uint32]:
    """The values in a checkpoint, to be changed there."""
    found = analysis.Analysis(
        bind(blocker), root, MEMORY, file, report=lambda *_: None, is_stopped=lambda: False
    )
    found.run(every_move=True)
    return found.graph.values
