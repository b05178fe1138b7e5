"""Executors on this machine: every task ends once, whatever happens to its worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from plyground.core.errors import PlygroundError
from plyground.executor.cores import free_cores, share_cores, usable_cores
from plyground.executor.local import LocalExecutor
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Done, Event, Executor, Failed, Report, Task, WorkersLost
from tests.classroom.sandboxes import all_have_ended
from tests.executor.sample_work import SampleError, sample

ONE = LocalExecutor(1)
TWO = LocalExecutor(2)


def tasks(*payloads: object) -> list[Task]:
    return [Task(f"task {number}", payload) for number, payload in enumerate(payloads)]


def of(events: list[Event], number: int) -> list[Event]:
    return [event for event in events if event.task == f"task {number}"]


@pytest.mark.parametrize("executor", [SerialExecutor(), ONE, TWO])
def test_every_task_is_done_and_its_reports_come_first_in_order(executor: Executor) -> None:
    events = list(
        executor.run(sample(), tasks(("count", 3), ("double", 5), ("raise", "two\nlines")))
    )
    assert of(events, 0) == [*(Report("task 0", value) for value in range(3)), Done("task 0", 3)]
    assert of(events, 1) == [Done("task 1", 10)]
    assert of(events, 2) == [Report("task 2", "before"), Failed("task 2", "ValueError: two lines")]
    assert len(events) == 7


def test_events_are_the_same_in_this_process_and_in_another() -> None:
    work = tasks(("count", 2), ("raise", "x"), ("double", 1), ("count", 1))
    assert list(SerialExecutor().run(sample(), work)) == list(ONE.run(sample(), work))


@pytest.mark.parametrize("executor", [SerialExecutor(), ONE, TWO])
def test_the_function_of_each_worker_is_closed_after_the_last_task(
    executor: Executor, tmp_path: Path
) -> None:
    work = sample(tmp_path, setup="is closed")
    seen = set()
    for event in executor.run(work, tasks(*[("where", 0)] * 6)):
        assert isinstance(event, Done)
        seen.add(event.value[0])
        assert not list(tmp_path.iterdir())
    assert {path.name for path in tmp_path.iterdir()} == {f"closed by {pid}" for pid in seen}


def test_no_tasks_start_no_worker() -> None:
    assert list(TWO.run(sample(setup="ends"), [])) == []
    assert list(SerialExecutor().run(sample(setup="refuses"), [])) == []


def where(executor: Executor, processes: int) -> dict[int, tuple[int, ...]]:
    """The cores of each worker process, after tasks on so many of them."""
    seen: dict[int, tuple[int, ...]] = {}
    with closing(executor.run(sample(), (Task(str(n), ("where", n)) for n in count()))) as events:
        for event in events:
            assert isinstance(event, Done)
            pid, cores = event.value
            assert seen.setdefault(pid, cores) == cores
            if len(seen) == processes:
                break
    return seen


def test_two_workers_are_two_processes() -> None:
    assert os.getpid() not in where(TWO, 2)


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds to cores")


@needs_linux
def test_workers_are_bound_to_the_cores_that_are_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which are free depends on what else runs, so that it is said here."""
    mine = sorted(os.sched_getaffinity(0))
    monkeypatch.setattr("plyground.executor.cores.free_cores", lambda: mine)
    assert list(where(LocalExecutor(1), 1).values()) == [(mine[0],)]
    assert list(where(LocalExecutor(1, pin=False), 1).values()) == [tuple(mine)]
    monkeypatch.setattr("plyground.executor.cores.free_cores", list)
    assert list(where(LocalExecutor(1), 1).values()) == [tuple(mine)]


def test_no_core_is_given_to_two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.executor.cores.free_cores", lambda: [1, 2, 4, 7, 8])
    assert share_cores(2, 1) == [(1,), (2,)]
    assert share_cores(2, 2) == [(1, 2), (4, 7)]
    assert share_cores(3, 2) == [(), (), ()]


@needs_linux
def test_cores_to_which_other_programs_are_bound_are_not_free() -> None:
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) == 1:
        assert usable_cores() == 1
        return
    code = f"import os, sys; os.sched_setaffinity(0, {{{mine[0]}}}); print(); sys.stdin.read()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bound:
        assert bound.stdout is not None
        bound.stdout.readline()
        assert mine[0] not in free_cores()
        bound.communicate()


# Tasks are taken one by one


@pytest.mark.parametrize("executor", [SerialExecutor(), ONE, TWO])
def test_a_task_is_taken_when_a_worker_is_free_and_earlier_events_are_known(
    executor: Executor,
) -> None:
    taken, done = 0, 0

    def supply() -> Iterator[Task]:
        nonlocal taken
        for number in range(20):
            assert taken - done < executor.slots
            taken += 1
            yield Task(f"task {number}", ("double", number))

    for _ in executor.run(sample(), supply()):
        done += 1
        assert taken - done < executor.slots
    assert done == 20


def test_tasks_may_depend_on_results_and_wait_for_them() -> None:
    known: list[int] = [1]
    asked = 0

    def supply() -> Iterator[Task | None]:
        nonlocal asked
        while known[-1] < 64:
            asked += 1
            number = known[-1]
            yield Task(f"double {number}", ("double", number))
            while known[-1] == number:
                yield None

    for event in TWO.run(sample(), supply()):
        assert isinstance(event, Done)
        known.append(event.value)
    assert known == [1, 2, 4, 8, 16, 32, 64]


@pytest.mark.parametrize("executor", [SerialExecutor(), ONE])
def test_none_while_nothing_runs_is_the_end(executor: Executor) -> None:
    given = [*tasks(("double", 1)), None, Task("never", ("end", 1))]
    assert list(executor.run(sample(), given)) == [Done("task 0", 2)]


# Workers that end


@pytest.mark.parametrize("executor", [ONE, TWO])
def test_a_task_whose_worker_ended_is_given_out_once_more(
    executor: Executor, tmp_path: Path
) -> None:
    events = list(executor.run(sample(tmp_path), tasks(("end once", "mark"), ("double", 2))))
    begun = Report("task 0", "begun")
    assert of(events, 0) == [begun, begun, Done("task 0", "second time")]
    assert of(events, 1) == [Done("task 1", 4)]


@pytest.mark.parametrize("executor", [ONE, TWO])
def test_a_task_whose_worker_ended_twice_has_failed_and_the_others_go_on(
    executor: Executor,
) -> None:
    payloads = [("end", 5), ("double", 1), ("end", 0), ("double", 2)]
    events = {event.task: event for event in executor.run(sample(), tasks(*payloads))}
    assert events == {
        "task 0": Failed("task 0", "its worker ended 2 times: exit status 5"),
        "task 1": Done("task 1", 2),
        "task 2": Failed("task 2", "its worker ended 2 times: exit status 0"),
        "task 3": Done("task 3", 4),
    }


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_the_signal_that_ended_a_worker_is_named() -> None:
    (event,) = ONE.run(sample(), tasks(("signal", signal.SIGKILL)))
    reason = f"its worker ended 2 times: signal {signal.SIGKILL.value} (SIGKILL)"
    assert event == Failed("task 0", reason)


def test_a_result_that_cannot_be_sent_is_a_failure_and_the_worker_goes_on() -> None:
    events = list(ONE.run(sample(), tasks(("no pickle", None), ("double", 4))))
    assert isinstance(events[0], Failed)
    assert "pickle" in events[0].reason
    assert events[1] == Done("task 1", 8)


@pytest.mark.parametrize("executor", [ONE, TWO])
def test_workers_that_cannot_begin_are_not_started_for_ever(executor: Executor) -> None:
    with pytest.raises(WorkersLost, match=r"^no worker could begin: exit status 9; plyground doct"):
        list(executor.run(sample(setup="ends"), tasks(("double", 1), ("double", 2))))


def test_one_worker_that_can_begin_does_all_tasks(tmp_path: Path) -> None:
    work = sample(tmp_path, setup="ends after the first")
    events = list(TWO.run(work, tasks(*(("double", number) for number in range(6)))))
    assert sorted(event.task for event in events) == [f"task {number}" for number in range(6)]
    assert all(isinstance(event, Done) for event in events)


@pytest.mark.parametrize("executor", [SerialExecutor(), TWO])
def test_an_error_of_the_setup_is_that_of_the_user(executor: Executor) -> None:
    with pytest.raises(SampleError, match="these settings are wrong"):
        list(executor.run(sample(setup="refuses"), tasks(("double", 1))))
    with pytest.raises(PlygroundError, match=r"^mine\.py:3: no rules$"):
        list(executor.run(sample(setup="refuses a file"), tasks(("double", 1))))


# The end of a run

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@needs_proc
def test_closing_a_run_ends_its_workers_and_what_they_have_started() -> None:
    events = TWO.run(sample(), tasks(("sleep", 1), ("sleep", 2)))
    first, second = next(events), next(events)
    assert isinstance(first, Report)
    assert isinstance(second, Report)
    events.close()
    assert all_have_ended({*first.value, *second.value})


@needs_proc
def test_an_error_in_the_supply_of_tasks_ends_the_workers() -> None:
    def supply() -> Iterator[Task]:
        yield Task("busy", ("sleep", 1))
        yield Task("quick", ("double", 1))
        raise RuntimeError("no more")

    seen: list[Event] = []
    with pytest.raises(RuntimeError, match="no more"):
        seen.extend(TWO.run(sample(), supply()))
    started = {pid for event in seen if isinstance(event, Report) for pid in event.value}
    assert all_have_ended(started)


@needs_proc
def test_events_may_be_consumed_by_one_thread_after_the_other() -> None:
    """The system would end workers together with the thread that has started them."""
    events = ONE.run(sample(), tasks(*(("where", number) for number in range(5))))
    found: list[Event] = []
    for _ in range(5):
        thread = threading.Thread(target=lambda: found.append(next(events)))
        thread.start()
        thread.join()
    events.close()
    assert len({event.value for event in found if isinstance(event, Done)}) == 1


CONSUMER = """
from plyground.executor.local import LocalExecutor
from plyground.executor.task import Task
from tests.executor.sample_work import sample

if __name__ == "__main__":
    for event in LocalExecutor(2).run(sample(), [Task(str(n), ("sleep", n)) for n in range(2)]):
        print(*event.value, flush=True)
"""


@needs_proc
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_an_interrupted_or_killed_run(end: signal.Signals, tmp_path: Path) -> None:
    """Of a killed run, only its workers are ended by the system."""
    script = tmp_path / "consumer.py"
    script.write_text(CONSUMER)
    command = [sys.executable, str(script)]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    ) as run:
        assert run.stdout is not None
        started = [[int(pid) for pid in run.stdout.readline().split()] for _ in range(2)]
        os.killpg(run.pid, end)  # as a terminal does
        run.wait()
    workers = {worker for worker, _ in started}
    children = {child for _, child in started}
    try:
        assert all_have_ended(workers if end is signal.SIGKILL else workers | children)
    finally:
        for child in children if end is signal.SIGKILL else ():
            os.kill(child, signal.SIGKILL)
