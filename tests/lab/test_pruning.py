"""`lab pruning`: what is counted, and that a published table is reproduced."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.executor.local import LocalExecutor
from plyground.lab.presets import BLOCKER_2023
from plyground.lab.pruning import ALGORITHMS, Pruning, PruningRun, games_by_searcher, measure
from plyground.lab.report import pruning_rows
from plyground.search.textbook.algorithms import alpha_beta, minimax

START = find_game("tictactoe").start()


def measured(experiment: Pruning) -> list[PruningRun]:
    found = list(measure(experiment))
    assert len(found) == experiment.total
    return found


def test_single_searches_are_counted_as_the_textbook_counts_them() -> None:
    experiment = Pruning(START, (1, 2, 3), ("minimax", "alpha-beta"), shuffle="none")
    assert measured(experiment) == [
        run
        for depth in (1, 2, 3)
        for run in (
            PruningRun("minimax", depth, minimax(START, depth).nodes, 1, True),
            PruningRun("alpha-beta", depth, alpha_beta(START, depth).nodes, 1, True),
        )
    ]


def test_a_game_is_the_sum_of_its_searches() -> None:
    position, states, plies = START, 0, 0
    while not position.is_over:
        answer = minimax(position, 2)
        states, plies = states + answer.nodes, plies + 1
        assert answer.move is not None
        position = position.after(answer.move)
    experiment = Pruning(START, (2,), ("minimax",), games=True, shuffle="none")
    assert measured(experiment) == [PruningRun("minimax", 2, states, plies, True)]


def test_what_cannot_vary_is_run_once() -> None:
    experiment = Pruning(START, (1, 2), runs=3)
    runs = {name: experiment.runs_of(name) for name in ALGORITHMS}
    assert runs == {"minimax": 1, "alpha-beta": 3, "ordering": 3, "table": 3, "engine": 3}
    assert set(map(replace(experiment, games=True).runs_of, ALGORITHMS)) == {3}
    assert set(map(replace(experiment, shuffle="none").runs_of, ALGORITHMS)) == {1}
    assert experiment.total == 2 * 13


def test_the_same_seed_measures_the_same() -> None:
    experiment = Pruning(START, (3,), ("minimax", "alpha-beta", "engine"), runs=4, games=True)
    assert measured(experiment) == measured(experiment)
    assert measured(experiment) != measured(replace(experiment, seed=1))


def test_runs_differ_from_each_other() -> None:
    found = measured(Pruning(START, (4,), ("alpha-beta",), runs=10))
    assert len({run.states for run in found}) > 3


def test_every_algorithm_visits_fewer_states_than_minimax() -> None:
    start = find_game("connectfour").start()
    experiment = Pruning(start, (7,), runs=5)
    rows = pruning_rows(experiment, measured(experiment))
    states = {row["algorithm"]: row["states"] for row in rows}
    assert list(states) == list(ALGORITHMS)
    assert states["minimax"] > 5 * states["alpha-beta"]
    assert states["alpha-beta"] > states["ordering"] > states["table"]


def test_minimax_plays_each_of_its_best_moves_equally_often() -> None:
    """It searches a position once and draws lots: as good as a search with shuffled children."""
    position = find_game("tictactoe").position("o1x/1o1/x2 x")
    found = measured(Pruning(position, (9,), ("minimax",), runs=200, games=True))
    lengths = [run.plies for run in found]
    assert {run.states for run in found if run.plies == 3} != set()
    assert set(lengths) == {3}, "X wins in three by any of its best moves"
    opening = measured(Pruning(START, (1,), ("minimax",), runs=20, games=True, valuation="plain"))
    assert len({run.plies for run in opening}) > 1, "equal moves, different games"


def test_an_endless_game_is_ended() -> None:
    """Depth 1 sees nothing but equal values: by move order an agent walks to and fro for ever."""
    start = find_game("blocker").start({"board": "board1"})
    looping = Pruning(
        start, (1,), ("minimax",), games=True, shuffle="none", valuation="plain", longest=50
    )
    (found,) = measured(looping)
    assert (found.plies, found.finished) == (50, False)
    shuffled = replace(looping, shuffle="all", runs=5, longest=5000)
    assert all(run.finished for run in measured(shuffled))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"depths": (0, 1)}, "depth 0: it must be from 1 to 100"),
        ({"depths": (1, 101)}, "depth 101: it must be from 1 to 100"),
        ({"runs": 0}, "runs 0: it must be from 1 to 1000000"),
        ({"longest": 0}, "longest 0: it must be from 1 to 100000"),
        ({"seed": -1}, "seed -1: it must be from 0 to "),
        ({"algorithms": ("magic",)}, "there is no algorithm 'magic' to count; there are minimax,"),
        ({"window": (2, 2)}, "window 2,2: alpha must be less than beta"),
        ({"valuation": "asking"}, "valuation asking is for blocker alone"),
    ],
)
def test_an_experiment_that_makes_no_sense_is_refused(
    changes: dict[str, object], message: str
) -> None:
    settings: dict[str, object] = {"depths": (1,), **changes}
    with pytest.raises(LimitError, match=message):
        Pruning(START, **settings)  # type: ignore[arg-type]


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(GameOver, match=r"the game is over \(.*\): nothing to search"):
        Pruning(find_game("tictactoe").position("xxx/oo1/3 o"), (1,))


# The preset


def test_the_player_who_searches_has_won_where_neither_agent_can_move() -> None:
    game = find_game("blocker")
    first, second = games_by_searcher(game)
    both_stuck = game.position("(#A)#(#B)#* A 0-0")
    only_b_stuck = game.position(".A#(#B)#* B 0-0")
    for position, values in ((both_stuck, [0, 1, -1]), (only_b_stuck, [1, 1, 1])):
        assert position.is_over
        found = [
            Position(valued, position.board, position.state).utility
            for valued in (game, first, second)
        ]
        assert found == values


@pytest.mark.parametrize("depth", [6, 7, 8, 9, 10])
def test_the_published_table_is_reproduced(depth: int) -> None:
    """Fewer games than the command plays, and the same ones in every run of this test."""
    experiment = preset_experiment(depths=(depth,), algorithms=("minimax", "alpha-beta"), runs=60)
    rows = pruning_rows(experiment, measured(experiment), BLOCKER_2023)
    assert [row["agrees"] for row in rows] == [True, True], rows


def test_minimax_of_the_preset_visits_what_is_known_at_the_root() -> None:
    """The numbers of the rules' own page, and the last one of the published experiment."""
    experiment = preset_experiment(games=False, algorithms=("minimax",), depths=(*range(1, 9), 14))
    counts = [run.states for run in measured(experiment)]
    assert counts == [5, 16, 47, 123, 338, 831, 2087, 5135, 1106109]


@pytest.mark.parametrize(
    "changes",
    [{"valuation": "plain"}, {"shuffle": "all"}, {"cut": "past"}],
    ids=lambda changes: str(*changes),
)
def test_each_detail_of_the_preset_is_needed(changes: dict[str, str]) -> None:
    experiment = preset_experiment(depths=(10,), algorithms=("alpha-beta",), runs=60, **changes)
    (row,) = pruning_rows(experiment, measured(experiment), BLOCKER_2023)
    assert row["agrees"] is False, row


def preset_experiment(**changes: object) -> Pruning:
    start = find_game(BLOCKER_2023.game).start(BLOCKER_2023.options)
    return Pruning(start, **{**BLOCKER_2023.settings, **changes})


def test_runs_are_the_same_with_many_workers() -> None:
    experiment = Pruning(START, (2, 3), runs=4, games=True, seed=5)
    assert list(measure(experiment, LocalExecutor(2))) == list(measure(experiment))
