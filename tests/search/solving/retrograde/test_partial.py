"""What retrograde analysis has proven when it is stopped: right at every moment."""

from __future__ import annotations

import pytest

from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.binding.compile import bind
from plyground.search.solving.retrograde import analysis
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import Unsolved, bounds_text
from tests.random_play import random_game
from tests.search.solving.partial_checks import MOMENTS, Moment, assert_right, partial_of

blocker = find_game("blocker")
connectfour = find_game("connectfour")
tictactoe = find_game("tictactoe")


def small_graphs() -> list[Position]:
    return [
        blocker.start(),
        blocker.start({"board": "random", "width": 3, "height": 2, "food": 1, "seed": 3}),
        blocker.start({"board": "random", "width": 3, "height": 3, "food": 2, "seed": 1}),
        random_game(tictactoe, 1)[2],
        connectfour.start({"columns": 4, "rows": 3}).play("a").play("b").play("b"),
    ]


@pytest.mark.usefixtures("many_moments")
@pytest.mark.parametrize("position", small_graphs(), ids=lambda position: position.text)
def test_an_analysis_is_right_whenever_it_is_stopped_and_goes_on_rightly(
    position: Position,
) -> None:
    counting = Moment(0)
    solution = Retrograde(position.game, memory=16, progress=counting).solve(position)
    seen = set()
    for number in range(MOMENTS):
        moment = Moment(1 + number * counting.reports // MOMENTS)
        solver = Retrograde(position.game, memory=16, progress=moment)
        moment.stop = solver.stop
        partial = partial_of(solver, position)
        if partial is not None:
            assert_right(partial, solution)
            seen.add(bounds_text(position, partial.bounds))
        again = solver.solve(position)
        assert (again.worth, again.moves) == (solution.worth, solution.moves)
    assert len(seen) > 1


@pytest.mark.usefixtures("many_moments")
def test_nothing_is_looked_up_after_a_stop_during_propagation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There the predecessors are in the memory of the index."""
    monkeypatch.setattr(analysis, "SLICE", 20)
    propagations = 0

    def report(text: str, part: float | None = None) -> None:
        nonlocal propagations
        propagations += text.endswith("states decided")

    stopped = analysis.Analysis(
        bind(tictactoe),
        tictactoe.start(),
        16,
        None,
        report=report,
        is_stopped=lambda: propagations >= 10,
    )
    with pytest.raises(Unsolved, match=r"^stopped: "):
        stopped.run(every_move=True)
    assert not stopped.is_whole
    monkeypatch.setattr(stopped, "number", None)
    assert not stopped.answers(every_move=False)
