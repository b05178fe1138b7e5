"""Tasks on a small Dask cluster of this machine: no result is lost when a process is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain, count, repeat, takewhile
from pathlib import Path

import pytest

from plyground.classroom.class_run import Plan, run_class
from plyground.classroom.journal import Journal
from plyground.core.errors import PlygroundError
from plyground.core.registry import find_game
from plyground.executor import cluster as cluster_module
from plyground.executor.cluster import ClusterError, ClusterExecutor
from plyground.executor.identity import difference
from plyground.executor.task import Done, Event, Failed, Report, Task, WorkersLost
from tests.classroom.sandboxes import all_have_ended, comes_true
from tests.classroom.small_class import CLASS, class_suite
from tests.cli.runner import plyground
from tests.executor.sample_work import SampleError, sample, with_game
from tests.executor.small_cluster import WORKERS, scheduler_and_worker, small_cluster
from tests.paths import EXAMPLES, ROOT

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with small_cluster() as started:
        yield started


@pytest.fixture
def executor(address: str) -> Iterator[ClusterExecutor]:
    with ClusterExecutor(address) as connected:
        assert comes_true(lambda: connected.slots == WORKERS), connected.slots_by_worker()
        yield connected


def tasks(*payloads: object) -> list[Task]:
    return [Task(f"task {number}", payload) for number, payload in enumerate(payloads)]


def of(events: list[Event], number: int) -> list[Event]:
    return [event for event in events if event.task == f"task {number}"]


def test_every_task_ends_once_and_as_on_one_machine(
    executor: ClusterExecutor, tmp_path: Path
) -> None:
    payloads = [
        ("count", 3),
        ("raise", "two\nlines"),
        ("end", 5),
        ("end once", "mark"),
        ("no pickle", None),
        *(("double", number) for number in range(20)),
    ]
    events = list(executor.run(sample(tmp_path), tasks(*payloads)))
    assert of(events, 0) == [*(Report("task 0", value) for value in range(3)), Done("task 0", 3)]
    assert of(events, 1) == [Report("task 1", "before"), Failed("task 1", "ValueError: two lines")]
    assert of(events, 2) == [Failed("task 2", "its worker ended 2 times: exit status 5")]
    begun = Report("task 3", "begun")
    assert of(events, 3) == [begun, begun, Done("task 3", "second time")]
    (failed,) = of(events, 4)
    assert isinstance(failed, Failed)
    assert "pickle" in failed.reason
    for number in range(20):
        assert of(events, 5 + number) == [Done(f"task {5 + number}", 2 * number)]


def test_the_function_of_each_process_is_closed_after_the_last_task(
    executor: ClusterExecutor, tmp_path: Path
) -> None:
    work = sample(tmp_path, setup="is closed")
    seen = set()
    for event in executor.run(work, tasks(*[("where", 0)] * 6)):
        assert isinstance(event, Done)
        seen.add(event.value[0])
        assert not list(tmp_path.iterdir())
    assert {path.name for path in tmp_path.iterdir()} == {f"closed by {pid}" for pid in seen}


def test_few_tasks_are_taken_ahead(executor: ClusterExecutor) -> None:
    taken, done = 0, 0

    def supply() -> Iterator[Task]:
        nonlocal taken
        for number in range(30):
            assert taken - done < 2 * WORKERS
            taken += 1
            yield Task(f"task {number}", ("double", number))

    for _ in executor.run(sample(), supply()):
        done += 1
    assert done == 30


def test_errors_of_the_setup_and_processes_that_cannot_begin(executor: ClusterExecutor) -> None:
    with pytest.raises(SampleError, match="these settings are wrong"):
        list(executor.run(sample(setup="refuses"), tasks(("double", 1))))
    with pytest.raises(WorkersLost, match="no worker could begin: exit status 9; their own logs"):
        list(executor.run(sample(setup="ends"), tasks(("double", 1))))


def see(
    executor: ClusterExecutor, monkeypatch: pytest.MonkeyPatch, looks: Iterator[list[int]]
) -> None:
    """Let the executor see the workers with these numbers, one list for each look."""
    slots = executor.slots_by_worker()
    workers = sorted(slots)

    def look() -> dict[str, int]:
        return {workers[number]: slots[workers[number]] for number in next(looks)}

    monkeypatch.setattr(executor, "slots_by_worker", look)


def test_a_run_that_finds_no_worker_at_first_waits_for_one(
    executor: ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    see(executor, monkeypatch, chain([[], []], repeat([0, 1])))
    events = list(executor.run(sample(), tasks(("double", 1), ("double", 2))))
    assert {event.task: event for event in events} == {
        "task 0": Done("task 0", 2),
        "task 1": Done("task 1", 4),
    }


def test_a_run_waits_for_a_worker_only_so_long_and_only_if_there_is_a_task(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ClusterExecutor(address, patience=0.5) as executor:
        see(executor, monkeypatch, repeat([]))
        assert list(executor.run(sample(), tasks())) == []
        with pytest.raises(ClusterError, match=r"^the cluster at \S+ has no worker; start one"):
            list(executor.run(sample(), tasks(("double", 1))))


def test_a_worker_that_cannot_begin_is_not_waited_for_when_the_others_are_lost(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ClusterExecutor(address, patience=1.0) as executor:
        assert comes_true(lambda: executor.slots == WORKERS)
        arrived: list[Event] = []
        # The first worker begins; then the second comes, and cannot; then the first is lost.
        alone = takewhile(lambda _: not arrived, repeat([0]))
        see(executor, monkeypatch, chain(alone, repeat([0, 1], 6), repeat([1])))

        def supply() -> Iterator[Task | None]:
            yield tasks(("double", 1))[0]
            while not arrived:
                yield None
            for number in range(1, 9):
                yield Task(f"task {number}", ("sleep", number))

        events = executor.run(sample(tmp_path, setup="ends after the first"), supply())
        arrived.append(next(events))
        assert arrived == [Done("task 0", 2)]
        with pytest.raises(WorkersLost, match="no worker could begin: exit status 9; their own"):
            list(events)


def test_a_users_game_is_sent_along(executor: ClusterExecutor, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text((EXAMPLES / "nim.py").read_text())
    game = find_game(str(path))
    (event,) = executor.run(with_game(game), tasks(game.start()))
    assert isinstance(event, Done)
    there, text, is_start = event.value
    assert there != str(path)
    assert Path(there).name == "mine.py"
    assert (text, is_start) == (game.start().text, True)


def test_closing_a_run_ends_its_processes(executor: ClusterExecutor) -> None:
    events = executor.run(sample(), tasks(("sleep", 1), ("sleep", 2)))
    first, second = next(events), next(events)
    assert isinstance(first, Report)
    assert isinstance(second, Report)
    events.close()
    assert all_have_ended({*first.value, *second.value})


def test_a_lost_worker_costs_nothing_and_a_task_that_ends_two_has_failed(
    executor: ClusterExecutor, tmp_path: Path
) -> None:
    payloads = [("end the parent", "mark"), ("end the parent", ""), ("double", 1), ("double", 2)]
    events = {event.task: event for event in executor.run(sample(tmp_path), tasks(*payloads))}
    assert events["task 0"] == Done("task 0", "second time")
    failed = events["task 1"]
    assert isinstance(failed, Failed)
    assert failed.reason.startswith("its worker ended 2 times: tcp://")
    assert (events["task 2"], events["task 3"]) == (Done("task 2", 2), Done("task 3", 4))


CONSUMER = """
import sys
from plyground.executor.cluster import ClusterExecutor
from plyground.executor.task import Task
from tests.executor.sample_work import sample

for event in ClusterExecutor(sys.argv[1]).run(sample(), [Task("1", ("sleep", 1))]):
    print(*event.value, flush=True)
"""


def test_a_killed_client_leaves_no_process_behind(executor: ClusterExecutor, address: str) -> None:
    command = [sys.executable, "-c", CONSUMER, address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as client:
        assert client.stdout is not None
        started = {int(pid) for pid in client.stdout.readline().split()}
        client.kill()
    assert len(started) == 2
    assert all_have_ended(started)
    (event,) = executor.run(sample(), tasks(("double", 1)))
    assert event == Done("task 0", 2)


def one_after_the_other(arrived: list[Event]) -> Iterator[Task | None]:
    """A task, and one that never ends as soon as the first has arrived. Dask may run tasks that
    wait at a worker in any order."""
    first, second = tasks(("double", 3), ("sleep", 1))
    yield first
    while not arrived:
        yield None
    yield second


def test_a_killed_scheduler_is_told_in_one_line_after_what_has_arrived(tmp_path: Path) -> None:
    with (
        scheduler_and_worker(tmp_path) as (address, scheduler),
        ClusterExecutor(address) as executor,
    ):
        arrived: list[Event] = []
        events = executor.run(sample(), one_after_the_other(arrived))
        arrived.append(next(events))
        assert arrived == [Done("task 0", 6)]
        assert isinstance(next(events), Report)
        os.kill(scheduler, signal.SIGKILL)
        with pytest.raises(ClusterError, match=r"the scheduler at .* does not answer any more$"):
            next(events)


# On the command line


@pytest.mark.parametrize(
    "words",
    ["lab pruning tictactoe --depths 2 --runs 2 --seed 3", "forge slant --level E --count 1"],
)
def test_a_cluster_gives_the_same_results(address: str, words: str) -> None:
    here = plyground(*words.split(), "--json").document
    assert plyground(*words.split(), "--json", "--cluster", address).document == here


def test_a_class_is_graded_on_a_cluster(executor: ClusterExecutor, tmp_path: Path) -> None:
    suite = class_suite(tmp_path)
    verdicts: dict[str, list[str]] = {}
    journal = Journal(tmp_path / "results.jsonl", suite, trusted=True)
    run_class(Plan(suite, CLASS, trusted=True), journal, lambda *_: None, executor)
    journal.close()
    for one in CLASS:
        verdicts[one.name] = [result.verdict.value for result in journal.of(one, suite.tasks)]
    assert verdicts == {
        "ann": ["AC", "WA", "AC"],
        "bob": ["WA", "AC", "AC"],
        "cyd": ["RTE"] * 3,
        "dan": ["RTE"] * 3,
    }


# What a user may get wrong


def test_a_worker_of_another_version_is_named(
    executor: ClusterExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        cluster_module, "difference", lambda ours, theirs: difference({"plyground": "9"}, theirs)
    )
    with pytest.raises(
        ClusterError,
        match=r"^the worker tcp://\S+ differs: plyground is \S+ there, and 9 here; install the sam",
    ):
        list(executor.run(sample(), tasks(("double", 1))))


def test_a_worker_of_another_version_that_comes_later_is_named_and_the_run_goes_on(
    executor: ClusterExecutor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    see(executor, monkeypatch, chain([[0]], repeat([0, 1])))
    answers = chain([None], repeat("Python is 3.9 there, and 3.11 here"))
    monkeypatch.setattr(cluster_module, "difference", lambda ours, theirs: next(answers))
    numbers = takewhile(lambda _: not caplog.messages, count())
    supply = (Task(f"task {number}", ("double", number)) for number in numbers)
    events = list(executor.run(sample(), supply))
    assert all(isinstance(event, Done) for event in events)
    (said,) = caplog.messages
    assert said.startswith("the worker tcp://")
    assert "differs: Python is 3.9 there, and 3.11 here; install the same plyground" in said
    assert said.endswith("on all machines; it gets no tasks")


def test_too_few_threads_are_said(address: str) -> None:
    with pytest.raises(ClusterError, match="has no worker with 2 threads; start one with: dask"):
        ClusterExecutor(address, cores_each=2, patience=0.0)


@pytest.mark.parametrize("wrong", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:99999"])
def test_an_address_where_nothing_answers(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.5)
    with pytest.raises(PlygroundError, match=f"^no Dask scheduler answers at {wrong}") as raised:
        ClusterExecutor(wrong)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("wrong", ["nonsense", "nonsense://x", ""])
def test_what_is_no_address_leaves_no_client_behind(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask would write a traceback when it closes one."""
    monkeypatch.setattr("distributed.Client", None)
    with pytest.raises(PlygroundError, match=f"^no Dask scheduler answers at {wrong}"):
        ClusterExecutor(wrong)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(PlygroundError, match=r"a cluster needs Dask: pip install 'plyground\[clus"):
        ClusterExecutor("tcp://127.0.0.1:8786")
