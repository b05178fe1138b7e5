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

from plyground.core.errors import FileError
from plyground.core.registry import find_game
from plyground.search.solving.retrograde import graph
from plyground.search.solving.retrograde.analysis import Analysis
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import Advance, Solution, Unsolved
from tests.search.solving.brute_force import same

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
def test_memory_that_is_parted_badly_is_parted_anew(
    monkeypatch: pytest.MonkeyPatch, factor: float
) -> None:
    begin = Analysis._begin
    begun: list[float] = []

    def begin_badly(self: Analysis, degree: float) -> None:
        begin(self, degree if begun else degree * factor)
        begun.append(degree)

    monkeypatch.setattr(Analysis, "_begin", begin_badly)
    assert same(Retrograde(blocker, memory=36).solve(blocker.start(MIDDLE)), whole())
    assert len(begun) == 2


def test_bits_that_change_late_make_the_packing_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Analysis._begin
    begun: list[float] = []

    def begin_narrow(self: Analysis, degree: float) -> None:
        if not begun:
            self.memory.words[: self._items] &= ~np.uint64(6)
        begin(self, degree)
        begun.append(degree)

    monkeypatch.setattr(Analysis, "_begin", begin_narrow)
    assert same(Retrograde(blocker, memory=MEMORY).solve(blocker.start(MIDDLE)), whole())
    assert len(begun) > 2


@cache
def whole() -> Solution:
    """The solution of MIDDLE in one go."""
    return Retrograde(blocker, memory=MEMORY).solve(blocker.start(MIDDLE))


def test_progress_tells_states_found_and_waiting() -> None:
    heard: list[Advance] = []
    Retrograde(blocker, memory=MEMORY, progress=heard.append).solve(blocker.start(MIDDLE))
    assert any("states found" in advance.text for advance in heard)


def test_a_stopped_analysis_says_so_and_can_be_taken_up() -> None:
    root = blocker.start(MIDDLE)
    stopping = Retrograde(blocker, memory=MEMORY, progress=lambda _: stopping.stop())
    with pytest.raises(Unsolved, match=r"^stopped: [\d,]+ states were found, [\d,]+ of them"):
        stopping.solve(root)
    stopping._watch.listener = None
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
    from plyground.search.solving.retrograde import analysis
    from plyground.search.solving.retrograde.solver import Retrograde

    analysis.SLICE = 5000
    analysis.BETWEEN_REPORTS = 0
    game = find_game("blocker")
    solver = Retrograde(
        game, memory=64, checkpoint=Path(sys.argv[1]), progress=lambda a: print(a.text, flush=True)
    )
    solver.solve(game.start(eval(sys.argv[2])))
"""


def kill_after(path: Path, words: str, lines: int) -> None:
    """Have another process solve the board, and kill it when it has told so much."""
    command = [sys.executable, "-c", textwrap.dedent(CHILD), str(path), repr(MIDDLE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            lines -= words in line
            if lines == 0:
                break
        time.sleep(0.003)
        child.send_signal(signal.SIGKILL)


def test_a_killed_analysis_is_taken_up_where_it_was(tmp_path: Path) -> None:
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
    heard: list[Advance] = []
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
