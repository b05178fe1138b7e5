"""Retrograde analysis of a larger board: limits, progress, and checkpoints that survive a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from plyground.core.contract import Field
from plyground.core.errors import FileError
from plyground.core.registry import find_game
from plyground.search.kernel_memory import Words
from plyground.search.solving.retrograde import graph, packing
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import Solution, SolveProgress, Unsolved
from tests.search.solving.brute_force import same
from tests.search.solving.partial_checks import Moment

MEMORY = 64
blocker = find_game("blocker")


MIDDLE: dict[str, int | str | bool] = {
    "board": "random",
    "seed": 6,
    "width": 4,
    "height": 4,
    "food": 2,
    "walls": 35,
}
"""A board with half a million states that is drawn, so that all of them are needed."""


def test_too_little_memory_is_said_with_how_far_it_went() -> None:
    solver = Retrograde(blocker, memory=1)
    with pytest.raises(
        Unsolved,
        match=r"^[\d,]+ states were found, [\d,]+ of them still to be looked into, when the limit"
        " of 1 MiB was reached$",
    ):
        solver.solve(blocker.start(MIDDLE))


@pytest.mark.parametrize("factor", [0.3, 9.0])
def test_memory_that_is_partitioned_badly_is_partitioned_again(
    monkeypatch: pytest.MonkeyPatch, factor: float
) -> None:
    partition = graph.partition
    degrees: list[float] = []

    def partition_badly(
        words: Words, how: packing.Packing, width: int, degree: float
    ) -> graph.Graph:
        degrees.append(degree)
        return partition(words, how, width, degree if degrees[1:] else degree * factor)

    monkeypatch.setattr(graph, "partition", partition_badly)
    assert same(Retrograde(blocker, memory=36).solve(blocker.start(MIDDLE)), whole())
    assert len(degrees) == 2


def test_bits_that_change_late_make_the_packing_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    widened = packing.widened
    found: list[Words] = []

    def too_narrow_at_first(state_fields: tuple[Field, ...], masks: Words) -> Words:
        found.append(widened(state_fields, masks))
        return found[-1] if found[1:] else found[-1] & ~np.uint64(6)

    monkeypatch.setattr(packing, "widened", too_narrow_at_first)
    assert same(Retrograde(blocker, memory=MEMORY).solve(blocker.start(MIDDLE)), whole())
    assert len(found) > 2


@cache
def whole() -> Solution:
    """The solution of MIDDLE in one go."""
    return Retrograde(blocker, memory=MEMORY).solve(blocker.start(MIDDLE))


def test_progress_has_the_states_found_and_waiting() -> None:
    heard: list[SolveProgress] = []
    Retrograde(blocker, memory=MEMORY, progress=heard.append).solve(blocker.start(MIDDLE))
    assert any("states found" in progress.text for progress in heard)


def test_a_stopped_analysis_says_so_and_can_be_resumed() -> None:
    root = blocker.start(MIDDLE)
    first_report = Moment(1)
    stopping = Retrograde(blocker, memory=MEMORY, progress=first_report)
    first_report.stop = stopping.stop
    with pytest.raises(Unsolved, match=r"^stopped: [\d,]+ states were found, [\d,]+ of them"):
        stopping.solve(root)
    assert same(stopping.solve(root), whole())


def test_several_threads_verify_the_same(tmp_path: Path) -> None:
    solver = Retrograde(blocker, memory=MEMORY, threads=2)
    root = blocker.start(MIDDLE)
    assert solver.verify(root) == solver.solve(root).nodes


# Checkpoints


CHILD = """
    import sys
    from pathlib import Path
    from plyground.core.registry import find_game
    from plyground.search.solving import kernel_solver
    from plyground.search.solving.retrograde import analysis
    from plyground.search.solving.retrograde.solver import Retrograde

    analysis.SLICE = 5000
    kernel_solver.REPORT_SECONDS = 0
    game = find_game("blocker")
    solver = Retrograde(
        game, memory=64, checkpoint=Path(sys.argv[1]), progress=lambda p: print(p.text, flush=True)
    )
    solver.solve(game.start(eval(sys.argv[2])))
"""


def kill_after(path: Path, words: str, lines: int) -> None:
    """Have another process solve the board, and kill it when it has reported so much."""
    command = [sys.executable, "-c", textwrap.dedent(CHILD), str(path), repr(MIDDLE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            lines -= words in line
            if lines == 0:
                break
        time.sleep(0.003)
        child.send_signal(signal.SIGKILL)


def test_a_killed_analysis_is_resumed_where_it_was(tmp_path: Path) -> None:
    root = blocker.start(MIDDLE)
    right = whole()
    path = tmp_path / "solve"
    for words, lines in (("found", 20), ("found", 31), ("looking back", 2), ("decided", 3)):
        kill_after(path, words, lines)
    found = np.fromfile(path, np.int64, 64, offset=4096 - 8 * 64)
    assert found[graph.EXPANDED] == right.nodes
    solver = Retrograde(blocker, memory=MEMORY, checkpoint=path)
    assert same(solver.solve(root), right)
    assert solver.verify(root) == right.nodes
    again = Retrograde(blocker, memory=MEMORY, checkpoint=path)
    assert same(again.solve(root), right)


def test_an_analysis_killed_while_it_finds_states_goes_on_from_there(tmp_path: Path) -> None:
    path = tmp_path / "solve"
    kill_after(path, "found", 25)
    heard: list[SolveProgress] = []
    solver = Retrograde(blocker, memory=MEMORY, checkpoint=path, progress=heard.append)
    root = blocker.start(MIDDLE)
    assert same(solver.solve(root), whole())
    assert heard[0].nodes > 10_000
    assert solver.verify(root) > 100_000


def test_a_checkpoint_of_another_position_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "solve"
    Retrograde(blocker, memory=1, checkpoint=path).solve(blocker.start())
    with pytest.raises(FileError, match="is the checkpoint of another solve"):
        Retrograde(blocker, memory=1, checkpoint=path).solve(blocker.start({"stuck": "mover"}))
