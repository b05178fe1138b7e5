"""The checkpoint of many workers: a solve that was ended goes on, and other files are refused."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from plyground.core.errors import FileError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Event, Task, Work
from plyground.search.solving.proof_number.job_level import JobLevelProver
from plyground.search.solving.proof_number.solver import Prover
from plyground.search.solving.solution import Solution, Unsolved
from tests.full_disk import files_of_at_most
from tests.killed import killed_in_the_middle

breakthrough = find_game("breakthrough")
start = breakthrough.start({"rows": 5, "columns": 3})


class Counting(SerialExecutor):
    """Counts the jobs that it does."""

    def __init__(self) -> None:
        self.jobs = 0

    def run(self, work: Work, tasks: Iterable[Task | None]) -> Generator[Event, None, None]:
        for event in super().run(work, tasks):
            self.jobs += 1
            yield event


def solve(
    file: Path, position: Position = start, *, nodes: int = 100, most: int | None = None
) -> tuple[Solution | None, int]:
    """The solution, None if it was stopped after so many jobs, and how many jobs were done."""
    executor = Counting()

    def stop_soon(_: object) -> None:
        if executor.jobs == most:
            prover.stop()

    prover = JobLevelProver(
        breakthrough, executor, nodes=nodes, memory=16, checkpoint=file, progress=stop_soon
    )
    try:
        return prover.solve(position), executor.jobs
    except Unsolved:
        return None, executor.jobs


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The checkpoint of a solve that was stopped after 20 jobs."""
    file = tmp_path / "begun.jobs"
    assert solve(file, most=20) == (None, 20)
    return file


def test_a_solve_that_was_stopped_goes_on_where_it_was(begun: Path, tmp_path: Path) -> None:
    whole, jobs = solve(tmp_path / "whole.jobs")
    solution, rest = solve(begun)
    assert whole is not None
    assert solution is not None
    assert solution.worth.utility == whole.worth.utility
    assert 0 < rest < jobs
    assert len(begun.read_bytes().splitlines()) == 1 + 20 + rest


def test_a_finished_solve_is_read_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "whole.jobs"
    first, _ = solve(file)
    before = file.read_bytes()
    again, jobs = solve(file)
    assert jobs == 0
    assert first is not None
    assert again is not None
    assert (again.worth, again.line, again.nodes) == (first.worth, first.line, first.nodes)
    assert file.read_bytes() == before


def test_another_size_of_jobs_goes_on_too(begun: Path) -> None:
    solution, jobs = solve(begun, nodes=100_000)
    assert solution is not None
    assert jobs > 0


SCRIPT = """
from pathlib import Path
from plyground.core.registry import find_game
from plyground.executor.serial import SerialExecutor
from plyground.search.solving.proof_number.job_level import JobLevelProver

game = find_game("breakthrough")
prover = JobLevelProver(game, SerialExecutor(), nodes=5, memory=16, checkpoint=Path({file!r}))
prover.solve(game.start({{"rows": 5, "columns": 4}}))
"""


def test_what_a_killed_solve_had_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "killed.jobs"
    killed_in_the_middle(SCRIPT.format(file=str(file)), file)
    kept = len(file.read_bytes().splitlines()) - 1
    assert kept > 1
    position = breakthrough.start({"rows": 5, "columns": 4})
    solution, _ = solve(file, position, nodes=20_000)
    assert solution is not None
    alone = Prover(breakthrough, memory=16).solve(position, every_move=False)
    assert solution.worth.utility == alone.worth.utility
    assert len(file.read_bytes().splitlines()) > kept


@pytest.mark.parametrize("bytes_left", [0, 5, 60])
def test_a_header_that_was_not_complete_is_written_again(begun: Path, bytes_left: int) -> None:
    begun.write_bytes(begun.read_bytes()[:bytes_left])
    assert solve(begun)[0] is not None


def test_a_last_line_that_is_not_complete_is_removed(begun: Path) -> None:
    content = begun.read_bytes()
    begun.write_bytes(content[:-7])
    assert solve(begun, most=1) == (None, 1)
    assert begun.read_bytes().startswith(content[: content.rindex(b"\n", 0, -1)])
    assert solve(begun)[0] is not None


def test_a_damaged_line_is_named_and_the_file_is_left_alone(begun: Path) -> None:
    lines = begun.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b"1", b"2")
    for damaged in (lines, [*lines[:3], *lines[4:]], [*lines[:3], b"nonsense\n"]):
        begun.write_bytes(b"".join(damaged))
        with pytest.raises(FileError, match=r"begun\.jobs, line 4 is damaged; remove it and all a"):
            solve(begun)
        assert begun.read_bytes() == b"".join(damaged)


@pytest.mark.parametrize("content", [b"Dear reader,\n", b"plyground solver 1\n", b"\0" * 100_000])
def test_another_file_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "letter"
    file.write_bytes(content)
    with pytest.raises(FileError, match="letter is not a checkpoint of many workers; it was left"):
        solve(file)
    assert file.read_bytes() == content


def test_the_checkpoint_of_another_position_is_refused(begun: Path) -> None:
    said = r"begun\.jobs is the checkpoint of another solve, or of another version: breakth"
    for other in (start.play("a2a3"), breakthrough.start({"rows": 5, "columns": 4})):
        with pytest.raises(FileError, match=said):
            solve(begun, other)


def test_a_checkpoint_that_another_solve_writes_is_refused(begun: Path) -> None:
    def second(_: object) -> None:
        with pytest.raises(FileError, match="another solve is writing here; choose another file"):
            solve(begun)
        prover.stop()

    prover = JobLevelProver(
        breakthrough, Counting(), nodes=100, memory=16, checkpoint=begun, progress=second
    )
    with pytest.raises(Unsolved):
        prover.solve(start)


def test_a_checkpoint_that_cannot_be_written_ends_the_solve_in_one_line(
    begun: Path, tmp_path: Path
) -> None:
    with pytest.raises(FileError, match="nowhere"):
        solve(tmp_path / "nowhere" / "file")
    size = begun.stat().st_size
    with files_of_at_most(size + 100), pytest.raises(FileError, match=r"begun\.jobs: File too la"):
        solve(begun)
    assert size <= begun.stat().st_size <= size + 100
    assert solve(begun)[0] is not None
