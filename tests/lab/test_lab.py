"""The lab: what is counted and measured, and that a published table comes out again."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from itertools import pairwise

import pytest

from plyground.core.errors import GameOver, LimitError
from plyground.core.position import Position
from plyground.core.registry import find_game
from plyground.lab import ablation
from plyground.lab.ablation import STEPS, Ablation, DepthReached, random_positions
from plyground.lab.presets import BLOCKER_2023
from plyground.lab.pruning import ALGORITHMS, Pruning, PruningRun, games_by_searcher, measure
from plyground.lab.report import (
    Summary,
    ablation_document,
    ablation_rows,
    csv_text,
    distance,
    pruning_document,
    pruning_rows,
    summarize,
)
from plyground.search.features import Features
from plyground.search.result import Limits, SearchResult
from plyground.search.textbook.algorithms import alpha_beta, minimax

START = find_game("tictactoe").start()


# Statistics


def test_a_summary_has_the_mean_and_its_standard_error() -> None:
    found = summarize([2, 4, 4, 4, 5, 5, 7, 9])
    assert found.mean == 5
    assert found.deviation == pytest.approx(math.sqrt(32 / 7))
    assert found.error == pytest.approx(math.sqrt(32 / 7 / 8))


def test_one_measurement_has_no_error() -> None:
    assert summarize([7]) == Summary(1, 7, None)
    assert summarize([7]).error is None
    assert distance(summarize([7]), 7, 100) is None


def test_a_published_mean_is_as_uncertain_as_ours() -> None:
    measured = Summary(100, 50.0, 10.0)
    assert distance(measured, 50.0, 100) == 0
    assert distance(measured, 50 + math.sqrt(2), 100) == pytest.approx(1)
    assert distance(measured, 50 - math.sqrt(2), 100) == pytest.approx(-1)


def test_what_does_not_vary_must_be_the_same() -> None:
    assert distance(Summary(5, 50.0, 0.0), 50.0, 100) == 0
    assert distance(Summary(5, 50.0, 0.0), 50.1, 100) == math.inf


# Pruning


def samples_of(experiment: Pruning) -> list[PruningRun]:
    found = list(measure(experiment))
    assert len(found) == experiment.total
    return found


def test_single_searches_are_counted_as_the_textbook_counts_them() -> None:
    experiment = Pruning(START, (1, 2, 3), ("minimax", "alpha-beta"), shuffle="none")
    assert samples_of(experiment) == [
        sample
        for depth in (1, 2, 3)
        for sample in (
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
    assert samples_of(experiment) == [PruningRun("minimax", 2, states, plies, True)]


def test_what_cannot_vary_is_run_once() -> None:
    experiment = Pruning(START, (1, 2), runs=3)
    runs = {name: experiment.runs_of(name) for name in ALGORITHMS}
    assert runs == {"minimax": 1, "alpha-beta": 3, "ordering": 3, "table": 3, "engine": 3}
    assert set(map(replace(experiment, games=True).runs_of, ALGORITHMS)) == {3}
    assert set(map(replace(experiment, shuffle="none").runs_of, ALGORITHMS)) == {1}
    assert experiment.total == 2 * 13


def test_the_same_seed_measures_the_same() -> None:
    experiment = Pruning(START, (3,), ("minimax", "alpha-beta", "engine"), runs=4, games=True)
    assert samples_of(experiment) == samples_of(experiment)
    assert samples_of(experiment) != samples_of(replace(experiment, seed=1))


def test_runs_differ_from_each_other() -> None:
    found = samples_of(Pruning(START, (4,), ("alpha-beta",), runs=10))
    assert len({sample.states for sample in found}) > 3


def test_every_algorithm_visits_fewer_states_than_minimax() -> None:
    start = find_game("connectfour").start()
    experiment = Pruning(start, (7,), runs=5)
    rows = pruning_rows(experiment, samples_of(experiment))
    states = {row["algorithm"]: row["states"] for row in rows}
    assert list(states) == list(ALGORITHMS)
    assert states["minimax"] > 5 * states["alpha-beta"]
    assert states["alpha-beta"] > states["ordering"] > states["table"]


def test_minimax_plays_each_of_its_best_moves_equally_often() -> None:
    """It searches a position once and draws lots: as good as a search with shuffled children."""
    position = find_game("tictactoe").position("o1x/1o1/x2 x")
    found = samples_of(Pruning(position, (9,), ("minimax",), runs=200, games=True))
    lengths = [sample.plies for sample in found]
    assert {sample.states for sample in found if sample.plies == 3} != set()
    assert set(lengths) == {3}, "X wins in three by any of its best moves"
    opening = samples_of(Pruning(START, (1,), ("minimax",), runs=20, games=True, valuation="plain"))
    assert len({sample.plies for sample in opening}) > 1, "equal moves, different games"


def test_an_endless_game_is_given_up() -> None:
    """Depth 1 sees nothing but equal values: by move order an agent walks to and fro for ever."""
    start = find_game("blocker").start({"board": "board1"})
    looping = Pruning(
        start, (1,), ("minimax",), games=True, shuffle="none", valuation="plain", longest=50
    )
    (found,) = samples_of(looping)
    assert (found.plies, found.finished) == (50, False)
    shuffled = replace(looping, shuffle="all", runs=5, longest=5000)
    assert all(sample.finished for sample in samples_of(shuffled))


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


def test_who_asks_has_won_where_neither_agent_can_move() -> None:
    game = find_game("blocker")
    first, second = games_by_searcher(game)
    both_stuck = game.position("(#A)#(#B)#* A 0-0")
    only_b_stuck = game.position(".A#(#B)#* B 0-0")
    for position, values in ((both_stuck, [0, 1, -1]), (only_b_stuck, [1, 1, 1])):
        assert position.is_over
        found = [
            Position(asked, position.board, position.state).utility
            for asked in (game, first, second)
        ]
        assert found == values


@pytest.mark.parametrize("depth", [6, 7, 8, 9, 10])
def test_the_published_table_comes_out_again(depth: int) -> None:
    """Fewer games than the command plays, and the same ones in every run of this test."""
    experiment = preset_experiment(depths=(depth,), algorithms=("minimax", "alpha-beta"), runs=60)
    rows = pruning_rows(experiment, samples_of(experiment), BLOCKER_2023)
    assert [row["agrees"] for row in rows] == [True, True], rows


def test_minimax_of_the_preset_visits_what_is_known_at_the_root() -> None:
    """The numbers of the rules' own page, and the last one of the published experiment."""
    experiment = preset_experiment(games=False, algorithms=("minimax",), depths=(*range(1, 9), 14))
    counts = [sample.states for sample in samples_of(experiment)]
    assert counts == [5, 16, 47, 123, 338, 831, 2087, 5135, 1106109]


@pytest.mark.parametrize(
    "changes",
    [{"valuation": "plain"}, {"shuffle": "all"}, {"cut": "past"}],
    ids=lambda changes: str(*changes),
)
def test_each_detail_of_the_preset_is_needed(changes: dict[str, str]) -> None:
    experiment = preset_experiment(depths=(10,), algorithms=("alpha-beta",), runs=60, **changes)
    (row,) = pruning_rows(experiment, samples_of(experiment), BLOCKER_2023)
    assert row["agrees"] is False, row


def preset_experiment(**changes: object) -> Pruning:
    start = find_game(BLOCKER_2023.game).start(BLOCKER_2023.options)
    return Pruning(start, **{**BLOCKER_2023.settings, **changes})


# Depth


def test_each_step_has_one_feature_more() -> None:
    assert list(STEPS) == [
        "alpha-beta",
        "+ table",
        "+ killers",
        "+ history",
        "+ noisy first",
        "+ scout",
        "+ aspiration",
        "+ quiescence",
        "+ reductions",
        "+ pruning",
        "+ repetition",
        "+ settled",
    ]
    flags = list(STEPS.values())
    assert flags[0] == Features.NONE
    assert flags[6] == Features.EXACT
    assert flags[-1] == Features.PLAY
    for before, after in pairwise(flags):
        assert (before | after, (after & ~before).bit_count()) == (after, 1)


def test_repetition_is_a_step_where_positions_can_come_back() -> None:
    assert "+ repetition" not in Ablation((START,), (1.0,)).steps
    assert "+ repetition" in Ablation((find_game("blocker").start(),), (1.0,)).steps


def test_wins_at_sight_are_a_step_where_the_rules_know_some() -> None:
    assert "+ settled" not in Ablation((START,), (1.0,)).steps
    steps = Ablation((find_game("breakthrough").start(),), (1.0,)).steps
    assert "+ repetition" not in steps
    assert steps["+ settled"] == Features.PLAY & ~Features.REPETITION


def test_a_search_tells_how_deep_it_was_at_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the engine, since no test may hang on a clock."""
    monkeypatch.setattr("plyground.search.engine.engine.Engine", FakeEngine)
    found = [one for search in ablation.measure(Ablation((START,), (0.1, 1.0))) for one in search]
    assert found[:2] == [
        DepthReached("alpha-beta", 0, 0.1, 0, 0, False),
        DepthReached("alpha-beta", 0, 1.0, 2, 20, False),
    ]
    assert found[-1] == DepthReached("+ pruning", 0, 1.0, 3, 30, True)
    assert len(found) == 2 * (len(STEPS) - 2)


class FakeEngine:
    """An engine that reaches depth 1 after 0.2 seconds, 2 after 0.4, and 3 with all features."""

    def __init__(self, _game: object, *, memory: int, features: Features) -> None:
        assert memory == 16
        self.features = features

    def clear(self) -> None:
        pass

    def search(self, position: Position, limits: Limits, progress: object) -> None:
        assert callable(progress)
        assert limits.seconds == 1
        deepest = 3 if self.features & Features.PRUNING else 2
        for depth in range(1, deepest + 1):
            result = SearchResult.unsearched(position, 0)
            progress(
                replace(result, depth=depth, nodes=10 * depth, seconds=depth / 5, proven=depth == 3)
            )


def test_the_real_engine_is_measured() -> None:
    start = find_game("connectfour").start()
    found = [one for search in ablation.measure(Ablation((start,), (0.02, 0.05))) for one in search]
    assert [(one.step, one.seconds) for one in found] == [
        (step, seconds) for step in list(STEPS)[:-2] for seconds in (0.02, 0.05)
    ]


def test_random_positions_are_the_same_for_the_same_seed_and_never_over() -> None:
    start = find_game("connectfour").start()
    found = random_positions(start, 20, 4)
    assert found == random_positions(start, 20, 4)
    assert found != random_positions(start, 20, 5)
    assert len(set(found)) > 15
    assert not any(position.is_over for position in found)


@pytest.mark.parametrize("count", [0, -3, 10_001])
def test_a_number_of_positions_that_makes_no_sense_is_refused(count: int) -> None:
    message = f"{count} positions: there can be from 1 to 10000"
    with pytest.raises(LimitError, match=message):
        random_positions(START, count, 0)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf, 3601.0])
def test_a_time_that_makes_no_sense_is_refused(seconds: float) -> None:
    with pytest.raises(LimitError, match="a time is more than 0 and at most 3600 seconds"):
        Ablation((START,), (seconds,))


def test_finished_games_have_no_depth() -> None:
    over = find_game("tictactoe").position("xxx/oo1/3 o")
    with pytest.raises(GameOver, match=r"position 2: the game is over \(.*\): nothing to search"):
        Ablation((START, over), (1.0,))
    with pytest.raises(GameOver, match=r"the game is over \(.*\): nothing to search"):
        random_positions(over, 3, 0)


# Reports


def test_rows_are_in_order_and_hold_only_what_was_measured() -> None:
    experiment = Pruning(START, (1, 2), ("minimax", "alpha-beta"), games=True)
    samples = [
        PruningRun("alpha-beta", 2, 10, 9, True),
        PruningRun("minimax", 1, 5, 9, True),
        PruningRun("alpha-beta", 2, 12, 1000, False),
    ]
    rows = pruning_rows(experiment, samples)
    assert rows == [
        {
            "depth": 1,
            "algorithm": "minimax",
            "runs": 1,
            "states": 5,
            "error": None,
            "searches": 9,
            "given_up": 0,
        },
        {
            "depth": 2,
            "algorithm": "alpha-beta",
            "runs": 2,
            "states": 11,
            "error": 1,
            "searches": 504.5,
            "given_up": 1,
        },
    ]
    document = pruning_document(experiment, rows, None, complete=False)
    assert (document["complete"], document["what"], document["rows"]) == (False, "games", rows)


def test_csv_leaves_out_what_is_not_known() -> None:
    experiment = Ablation((START,), (0.5,))
    rows = ablation_rows(experiment, [DepthReached("+ table", 0, 0.5, 7, 1234, True)])
    (read,) = csv.DictReader(io.StringIO(csv_text(rows)))
    assert read == {
        "search": "+ table",
        "seconds": "0.5",
        "positions": "1",
        "depth": "7",
        "error": "",
        "nodes": "1234",
        "solved": "1",
    }
    assert csv_text([]) == ""
    assert ablation_document(experiment, rows, complete=True)["times"] == [0.5]
