"""What solvers have proven when they are stopped: right at every moment, and soon when asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyground.core.errors import LimitError
from plyground.core.game import Options
from plyground.core.position import Position
from plyground.core.registry import find_game
from plyground.search.binding import compile as compiling
from plyground.search.binding.compile import bind
from plyground.search.solving import growing_table, methods
from plyground.search.solving.deadline import Stopwatch, time_limit
from plyground.search.solving.exhaustive.solver import Exhaustive
from plyground.search.solving.growing_table import GrowingTable
from plyground.search.solving.methods import Method, make_solver
from plyground.search.solving.proof_number.solver import Prover
from plyground.search.solving.retrograde import analysis
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import (
    Advance,
    Bounds,
    PartialSolution,
    Solution,
    Solver,
    Unsolved,
    Worth,
    bounds_by_moves,
    bounds_text,
)
from tests.paths import ROOT
from tests.random_play import random_game

MOMENTS = 50
LONG = 1e6
"""A time limit that is never reached, in seconds."""

blocker = find_game("blocker")
breakthrough = find_game("breakthrough")
connectfour = find_game("connectfour")
derby = find_game("derby")
slant = find_game("slant")
tictactoe = find_game("tictactoe")


def partial_of(solver: Solver, position: Position, **settings: Any) -> PartialSolution | None:
    """What is proven of a position, None if it is solved."""
    try:
        solver.solve(position, **settings)
    except Unsolved as unsolved:
        partial = unsolved.partial
    else:
        return None
    assert partial is not None
    assert partial.position == position
    return partial


def allows(bounds: Bounds, worth: Worth) -> bool:
    """Whether a worth lies within bounds, its distance too."""
    if bounds.low is not None and position_on_scale(bounds.low, -1) > position_on_scale(worth, 0):
        return False
    return bounds.high is None or position_on_scale(bounds.high, 1) >= position_on_scale(worth, 0)


def position_on_scale(worth: Worth, unknown: int) -> tuple[int, int]:
    """From the soonest loss to the soonest win. A distance that is not known is as far out as it
    can be: `unknown` says to which side."""
    if worth.plies is None:
        return worth.utility, unknown * 10_000
    return worth.utility, -worth.plies if worth.utility > 0 else worth.plies


def assert_right(partial: PartialSolution, solution: Solution) -> None:
    """Nothing that is claimed contradicts the solution."""
    assert allows(partial.bounds, solution.worth), (partial.bounds, solution.worth)
    decided = partial.bounds.worth
    assert decided is None or decided.utility == solution.worth.utility
    assert set(partial.moves) == set(solution.position.legal_moves)
    for move, worth in solution.moves.items():
        assert allows(partial.moves[move], worth), (move, partial.moves[move], worth)
    assert bounds_text(partial.position, partial.bounds)


def width(partial: PartialSolution) -> int:
    assert partial.bounds.low is not None
    assert partial.bounds.high is not None
    return partial.bounds.high.utility - partial.bounds.low.utility


# Alpha-beta to the end


def small_positions() -> list[Position]:
    """Games of points and of wins, with and without bounds at sight, and some that repeat."""
    full: Options = {"board": "random", "rows": 3, "columns": 4, "circles": 100}
    dots = find_game(str(ROOT / "examples" / "dots.py"))
    kalah = find_game(str(ROOT / "examples" / "kalah.py"))
    return [
        slant.start({**full, "seed": 1}),
        random_game(slant, 5, {**full, "seed": 2})[1],
        derby.start({"board": "random", "fish": 6, "plies": 24, "seed": 3}),
        derby.start({"board": "random", "fish": 8, "plies": 26, "seed": 2}),
        random_game(kalah, 1)[24],
        random_game(dots, 1)[9],
        tictactoe.start(),
        connectfour.start({"rows": 4, "columns": 4}),
        breakthrough.start({"rows": 5, "columns": 3}),
        blocker.start({"board": "random", "width": 3, "height": 3, "food": 2, "seed": 1}),
        blocker.start({"board": "random", "width": 3, "height": 3, "food": 2, "seed": 2}),
    ]


@pytest.mark.parametrize("position", small_positions(), ids=lambda position: position.game.title)
@pytest.mark.parametrize("seconds", [None, LONG])
def test_alpha_beta_is_right_whenever_it_is_stopped(
    position: Position, seconds: float | None
) -> None:
    if position.game.rules.repeats:
        solution = Retrograde(position.game, memory=64).solve(position)
        most = 50_000
    else:
        solution = Exhaustive(position.game, memory=4).solve(position)
        most = Exhaustive(position.game, memory=4).solve(position, seconds=seconds).nodes
    told = set()
    for moment in range(MOMENTS):
        solver = Exhaustive(position.game, memory=4, nodes=1 + moment * most // MOMENTS)
        partial = partial_of(solver, position, seconds=seconds)
        if partial is not None:
            assert_right(partial, solution)
            assert partial.nodes > 0
            told.add((partial.bounds, *partial.moves.values()))
    assert len(told) > 3


def test_more_work_never_proves_less() -> None:
    position = slant.start({"board": "full"})
    widths = []
    for nodes in range(1000, 400_000, 20_000):
        partial = partial_of(Exhaustive(slant, memory=16, nodes=nodes), position, seconds=LONG)
        assert partial is not None
        widths.append(width(partial))
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0]


def test_with_a_time_limit_something_is_proven_though_the_answer_is_out_of_reach() -> None:
    position = slant.start({"board": "random", "rows": 5, "columns": 5, "circles": 100, "seed": 1})
    nodes = 200_000
    unlimited = partial_of(Exhaustive(slant, memory=16, nodes=nodes), position)
    limited = partial_of(Exhaustive(slant, memory=16, nodes=nodes), position, seconds=LONG)
    assert limited is not None
    assert unlimited is not None
    assert width(limited) < 0.7 * width(unlimited)


def test_what_is_proven_is_told_to_the_point_while_the_answer_is_sought() -> None:
    """Also after the part of the time that is spent on bounds."""
    position = slant.start({"board": "random", "rows": 6, "columns": 6, "circles": 100})
    solver = Exhaustive(slant, memory=16)
    partial = partial_of(solver, position, seconds=0.2)
    assert partial is not None
    low, high = slant.rules.bounds(position.board, position.state)
    assert 0 < width(partial) < high - low


def test_a_game_of_points_without_bounds_has_none_before_they_are_proven() -> None:
    kalah = find_game(str(ROOT / "examples" / "kalah.py"))
    assert "bounds" in kalah.rules.defaults
    position = kalah.start()
    partial = partial_of(Exhaustive(kalah, memory=1, nodes=1), position, seconds=LONG)
    assert partial is not None
    assert set(partial.moves.values()) == {Bounds()}
    assert partial.bounds == Bounds()
    assert bounds_text(position, partial.bounds) == "nothing is proven yet"


def test_a_table_that_is_stopped_while_it_grows_stays_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(growing_table, "FIRST_BYTES", 1 << 14)
    monkeypatch.setattr(growing_table, "SLICE", 1 << 9)
    solver = Exhaustive(slant, memory=64)
    solver.solve(slant.start({"board": "random", "rows": 3, "columns": 3, "circles": 100}))
    table = solver._table
    assert table is not None
    words, enough_for = table.words, table.enough_for
    entries = np.count_nonzero(words)
    assert len(words) * 8 > 1 << 15, "it has grown on the way"
    asked = iter([False, False, True])
    assert table.grow(lambda: next(asked)) is words
    assert table.words is words
    assert table.enough_for == enough_for
    larger = table.grow(lambda: False)
    assert len(larger) > 3 * len(words)
    assert np.count_nonzero(larger) == entries


# Proof-number search


@pytest.mark.parametrize(("seed", "ply"), [(0, 4), (2, 5), (3, 5)])
def test_a_proof_is_right_whenever_it_is_stopped(
    monkeypatch: pytest.MonkeyPatch, seed: int, ply: int
) -> None:
    position = random_game(breakthrough, seed, {"rows": 6, "columns": 3})[ply]
    solution = Prover(breakthrough, memory=32).solve(position)
    decided = set()
    for moment in range(MOMENTS):
        allowed = 1 + moment * solution.nodes // MOMENTS
        monkeypatch.setattr(GrowingTable, "enough_for", allowed)
        prover = Prover(breakthrough, memory=32)
        monkeypatch.setattr(prover, "_enlarge", prover.stop)
        partial = partial_of(prover, position)
        if partial is not None:
            assert_winners_right(partial, solution)
            decided.add(sum(bounds.worth is not None for bounds in partial.moves.values()))
    assert len(decided) > 1


def test_a_proof_is_right_whatever_was_asked_last() -> None:
    """Stopped between any two questions: while who wins is proven, while the plies are counted,
    while the line is put together."""
    position = random_game(breakthrough, 1, {"rows": 5, "columns": 3})[4]
    solution = Prover(breakthrough, memory=32).solve(position)
    last = 0
    while True:
        last += 1
        prover = StoppedAt(last)
        partial = partial_of(prover, position)
        if partial is not None:
            assert_winners_right(partial, solution)
        elif prover.asked < last:
            break
    assert last > 10


class StoppedAt(Prover):
    """Stopped before its so-manieth question."""

    def __init__(self, last: int) -> None:
        super().__init__(breakthrough, memory=32)
        self.asked, self._last = 0, last

    def _ask(self, *arguments: Any) -> int:
        self.asked += 1
        if self.asked == self._last:
            self.stop()
        return super()._ask(*arguments)


def assert_winners_right(partial: PartialSolution, solution: Solution) -> None:
    """As above, where the plies of the solution are themselves no more than an upper bound."""
    for bounds, worth in (
        (partial.bounds, solution.worth),
        *((partial.moves[move], worth) for move, worth in solution.moves.items()),
    ):
        assert bounds.worth is None or bounds.worth.utility == worth.utility
        if bounds.worth is not None and bounds.worth.plies is not None:
            assert not bounds.worth.exactly


# Retrograde analysis


def small_graphs() -> list[Position]:
    return [
        blocker.start(),
        blocker.start({"board": "random", "width": 3, "height": 2, "food": 1, "seed": 3}),
        blocker.start({"board": "random", "width": 3, "height": 3, "food": 2, "seed": 1}),
        random_game(tictactoe, 1)[2],
        connectfour.start({"columns": 4, "rows": 3}).play("a").play("b").play("b"),
    ]


class Moment:
    """A listener that stops a solver at the so-manieth report."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.heard = 0
        self.stop: Callable[[], None] | None = None

    def __call__(self, advance: object) -> None:
        self.heard += 1
        if self.heard == self.last and self.stop is not None:
            self.stop()


@pytest.fixture
def many_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph that is worked back often, by an analysis that tells of every step."""
    monkeypatch.setattr(analysis, "FIRST_TRIAL", 4)
    monkeypatch.setattr(analysis, "TRIALS", 2)
    monkeypatch.setattr(analysis, "SLICE", 500)
    monkeypatch.setattr(analysis, "BETWEEN_REPORTS", -1)


@pytest.mark.usefixtures("many_moments")
@pytest.mark.parametrize("position", small_graphs(), ids=lambda position: position.text)
def test_an_analysis_is_right_whenever_it_is_stopped_and_goes_on_rightly(
    position: Position,
) -> None:
    counting = Moment(0)
    solution = Retrograde(position.game, memory=16, progress=counting).solve(position)
    told = set()
    for number in range(MOMENTS):
        moment = Moment(1 + number * counting.heard // MOMENTS)
        solver = Retrograde(position.game, memory=16, progress=moment)
        moment.stop = solver.stop
        partial = partial_of(solver, position)
        if partial is not None:
            assert_right(partial, solution)
            told.add(bounds_text(position, partial.bounds))
        again = solver.solve(position)
        assert (again.worth, again.moves) == (solution.worth, solution.moves)
    assert len(told) > 1


@pytest.mark.usefixtures("many_moments")
def test_nothing_is_looked_up_after_a_stop_on_the_way_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the predecessors lie in the place of the index."""
    monkeypatch.setattr(analysis, "SLICE", 20)
    ways_back = 0

    def listen(advance: Advance) -> None:
        nonlocal ways_back
        ways_back += advance.text.endswith("states decided")
        if ways_back == 10:
            solver.stop()

    solver = Retrograde(tictactoe, memory=16, progress=listen)
    assert partial_of(solver, tictactoe.start()) is not None
    stopped = solver._analysis
    assert stopped is not None
    assert not stopped.is_whole
    monkeypatch.setattr(stopped, "number", None)
    assert not stopped.answers(every_move=False)


@pytest.mark.usefixtures("many_moments")
def test_both_parts_for_games_that_repeat_prove_things_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = blocker.start()
    solution = Retrograde(blocker, memory=16).solve(position)
    monkeypatch.setattr(methods, "NEAR_WIN_NODES", 300)
    near = partial_of(Exhaustive(blocker, memory=4, nodes=300), position)
    assert near is not None
    for last in range(1, 40, 3):
        moment = Moment(last)
        solver = make_solver(blocker, memory=16, progress=moment)
        moment.stop = solver.stop
        partial = partial_of(solver, position)
        assert partial is not None
        assert_right(partial, solution)
        assert partial.bounds.narrowed(near.bounds) == partial.bounds
        assert partial.method == solver.method


# Time


class Slow:
    """What `Bound` tells of its compiling, which goes on until it is said to be done."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._done: float | None = None

    def finish(self) -> None:
        self._done = self.seconds_preparing

    @property
    def seconds_preparing(self) -> float:
        return time.monotonic() - self._began if self._done is None else self._done


def test_a_time_limit_stops_again_and_again_until_it_is_heeded() -> None:
    stopped = threading.Semaphore(0)
    with time_limit(0.001, Stopwatch(bind(tictactoe)), stopped.release):
        for _ in range(3):
            assert stopped.acquire(timeout=60)
    while stopped.acquire(blocking=False):
        pass
    assert not stopped.acquire(timeout=0.05)


def test_compiling_is_no_part_of_the_time() -> None:
    bound, stopped = Slow(), threading.Event()
    with time_limit(0.01, Stopwatch(bound), stopped.set):  # type: ignore[arg-type]
        assert not stopped.wait(0.2)
        bound.finish()
        assert stopped.wait(60)


def test_compiling_counts_as_preparing_already_while_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = bind(tictactoe)
    before = bound.seconds_preparing
    seen = []

    def slow(*arguments: Any) -> Any:
        time.sleep(0.002)
        seen.append(bound.seconds_preparing)
        return arguments

    def kernel(game: Any) -> int:
        return 0

    monkeypatch.setattr(compiling, "_compiled", slow)
    bound.prepare(kernel)
    assert before < seen[0] <= bound.seconds_preparing == bound.seconds_preparing


def test_no_limit_starts_no_thread() -> None:
    before = threading.active_count()
    with time_limit(None, Stopwatch(bind(tictactoe)), lambda: None):
        assert threading.active_count() == before


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("method", list(Method))
def test_a_time_that_makes_no_sense_is_refused(seconds: float, method: Method) -> None:
    game = breakthrough if method is Method.PROOF_NUMBER else tictactoe
    with pytest.raises(LimitError, match=r"^\S+ seconds: a time is above 0 and at most"):
        make_solver(game, method, memory=1).solve(game.start(), seconds=seconds)


HARD: dict[Method, tuple[Position, int]] = {
    Method.ALPHA_BETA: (slant.start({"board": "random", "rows": 6, "columns": 6}), 1),
    Method.PROOF_NUMBER: (breakthrough.start({"rows": 8, "columns": 8}), 2),
    Method.RETROGRADE: (connectfour.start(), 1),
    Method.NEAR_WINS_FIRST: (blocker.start({"board": "random", "width": 8, "height": 8}), 1),
}


@pytest.mark.parametrize("method", list(HARD))
def test_every_method_ends_when_its_time_is_up(method: Method) -> None:
    position, threads = HARD[method]
    solver = make_solver(position.game, method, memory=64, threads=threads)
    with pytest.raises(Unsolved) as unsolved:
        solver.solve(position, seconds=0.1)
    assert unsolved.value.stopped
    partial = unsolved.value.partial
    assert partial is not None
    assert partial.bounds.worth is None
    assert partial.nodes > 0
    assert partial.seconds >= 0.1


def test_whoever_runs_out_of_something_else_was_not_stopped() -> None:
    with pytest.raises(Unsolved) as unsolved:
        Retrograde(connectfour, memory=1).solve(connectfour.start(), seconds=LONG)
    assert not unsolved.value.stopped
    assert unsolved.value.partial is not None
    with pytest.raises(Unsolved) as unsolved:
        Exhaustive(slant, memory=1, nodes=300).solve(slant.start({"board": "full"}))
    assert not unsolved.value.stopped


def test_what_has_time_enough_is_solved_as_ever() -> None:
    starts = [game.start() for game in (slant, blocker, tictactoe)]
    for position in (*starts, breakthrough.start({"rows": 5, "columns": 3})):
        solution = make_solver(position.game, memory=16).solve(position)
        limited = make_solver(position.game, memory=16).solve(position, seconds=LONG)
        assert (limited.worth, limited.moves) == (solution.worth, solution.moves)


@pytest.mark.parametrize("method", [Method.ALPHA_BETA, Method.PROOF_NUMBER, Method.RETROGRADE])
def test_a_solve_in_small_pieces_comes_to_its_end(tmp_path: Path, method: Method) -> None:
    """Each a solver of its own, so that only the checkpoint goes from one to the next."""
    position = breakthrough.start({"rows": 4, "columns": 3})
    expected = make_solver(breakthrough, method, memory=16).solve(position).worth.utility
    file = tmp_path / "pieces.solve"
    seconds, solution = 0.01, None
    while solution is None:
        solver = make_solver(breakthrough, method, memory=16, checkpoint=file)
        with suppress(Unsolved):
            solution = solver.solve(position, seconds=seconds)
        seconds *= 1.2  # however busy the machine is
    assert solution.worth.utility == expected


# Bounds


def test_a_decided_win_tells_the_plies_at_most() -> None:
    assert Bounds(Worth(1, 7), Worth(1, 5)).worth == Worth(1, 7, exactly=False)
    assert Bounds(Worth(-1, 5), Worth(-1, 7)).worth == Worth(-1, 7, exactly=False)
    assert Bounds(Worth(1, 7), Worth(1, 7)).worth == Worth(1, 7)
    assert Bounds(Worth(0), Worth(1)).worth is None
    assert Bounds(None, Worth(3)).worth is None


def test_a_player_can_do_as_well_as_by_any_move_and_no_better_than_by_the_best() -> None:
    moves = [Bounds(Worth(-2), Worth(3)), Bounds(Worth(1), Worth(2)), Bounds(None, Worth(5))]
    assert bounds_by_moves(0, moves) == Bounds(Worth(1), Worth(5))
    assert bounds_by_moves(1, moves) == Bounds(None, Worth(2))
    assert bounds_by_moves(1, moves[:2]) == Bounds(Worth(-2), Worth(2))
    assert bounds_by_moves(0, [*moves, Bounds(Worth(2), None)]) == Bounds(Worth(2), None)


def test_a_distance_that_is_not_known_may_be_the_longest() -> None:
    lost_in_5, lost = Bounds(Worth(-1, 5), Worth(-1, 5)), Bounds(Worth(-1), Worth(-1))
    assert bounds_by_moves(0, [lost_in_5, lost]) == Bounds(Worth(-1, 5), Worth(-1))
    won_in_5, won = Bounds(Worth(1, 5), Worth(1, 5)), Bounds(Worth(1), Worth(1))
    assert bounds_by_moves(0, [won_in_5, won]) == Bounds(Worth(1, 5), Worth(1))
    assert won.narrowed(won_in_5) == won_in_5


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Bounds(Worth(-3), Worth(7)), "at least -3, at most +7 points for First"),
        (Bounds(Worth(2), Worth(7)), "at least +2, at most +7 points for First: First wins"),
        (Bounds(Worth(0), None), "at least 0 points for First: First does not lose"),
        (Bounds(None, Worth(0)), "at most 0 points for First: Second does not lose"),
        (Bounds(None, Worth(-2)), "at most -2 points for First: Second wins"),
        (Bounds(Worth(10), Worth(10)), "First wins by 10 points"),
        (Bounds(), "nothing is proven yet"),
    ],
)
def test_bounds_of_points_in_words(bounds: Bounds, words: str) -> None:
    assert bounds_text(slant.start(), bounds) == words


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Bounds(Worth(-1), Worth(1)), "nothing is proven yet"),
        (Bounds(Worth(-1, 1), Worth(1, 1)), "nothing is proven yet"),
        (Bounds(Worth(-1, 2), Worth(1, 2)), "nobody wins within 1 ply"),
        (
            Bounds(Worth(-1, 6), Worth(1, 9)),
            "X does not win within 8 plies; O does not win within 5 plies",
        ),
        (Bounds(Worth(0), Worth(1, 9)), "X does not lose; X does not win within 8 plies"),
        (Bounds(Worth(-1), Worth(0)), "O does not lose"),
        (Bounds(Worth(-1), Worth(-1, 6)), "O wins within 6 plies"),
        (Bounds(Worth(0), Worth(0)), "a draw"),
    ],
)
def test_bounds_of_wins_in_words(bounds: Bounds, words: str) -> None:
    assert bounds_text(tictactoe.start(), bounds) == words
