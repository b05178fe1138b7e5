"""Tasks of which nothing is heard: they end with their worker, and the others go on."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from plyground.executor.cluster import ClusterExecutor
from plyground.executor.local import LocalExecutor
from plyground.executor.task import Done, Event, Executor, Failed, Task
from tests.executor.sample_work import sample
from tests.executor.small_cluster import small_cluster

PATIENCE = 6
"""Seconds. Tasks report every 0.4 s, and a machine may be busy."""
SILENCE = f"nothing was heard of it for {PATIENCE} s, and its worker was ended"


@pytest.fixture(params=["a worker", "two workers", "a cluster"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    if request.param == "a cluster":
        with small_cluster() as address, ClusterExecutor(address) as connected:
            yield connected
    else:
        yield LocalExecutor(1 if request.param == "a worker" else 2)


def tasks(*payloads: object) -> list[Task]:
    return [Task(f"task {number}", payload) for number, payload in enumerate(payloads)]


def of(events: list[Event], number: int) -> list[Event]:
    return [event for event in events if event.task == f"task {number}"]


def test_a_task_of_which_nothing_is_heard_has_failed_and_the_others_go_on(
    executor: Executor,
) -> None:
    work = tasks(("loop for ever", 1), ("report slowly", 17), ("double", 2))
    events = list(executor.run(sample(patience=PATIENCE), work))
    assert of(events, 0) == [Failed("task 0", SILENCE)]
    assert of(events, 1)[-1] == Done("task 1", 17), "it took longer in all, but was heard"
    assert of(events, 2) == [Done("task 2", 4)]


def test_a_task_that_was_heard_while_nobody_listened_goes_on() -> None:
    work = tasks(("report slowly", 17), ("double", 2))
    events = LocalExecutor(1).run(sample(patience=PATIENCE), work)
    found = [next(events)]
    time.sleep(PATIENCE + 1)
    found += events
    assert of(found, 0)[-1] == Done("task 0", 17)
    assert of(found, 1) == [Done("task 1", 4)]
