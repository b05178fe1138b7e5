"""Results in the order of the tasks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from plyground.executor.local import LocalExecutor
from plyground.executor.ordered import TaskFailed, in_order
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Executor, TaskFunction, Work
from tests.executor.sample_work import sample

BOTH = pytest.mark.parametrize("executor", [SerialExecutor(), LocalExecutor(2)])


def slow_first(_: object) -> TaskFunction:
    import time

    def run(number: int, report: object) -> int:
        time.sleep(0.5 if number == 0 else 0)
        return number

    return run


@BOTH
def test_values_come_in_the_order_of_the_tasks(executor: Executor) -> None:
    assert list(in_order(executor, Work(slow_first, None), range(6))) == list(range(6))


@BOTH
def test_one_may_stop_in_the_middle_of_endless_tasks(executor: Executor) -> None:
    def payloads() -> Iterator[tuple[str, int]]:
        yield from (("double", number) for number in count())

    results = in_order(executor, sample(), payloads())
    assert [next(results) for _ in range(3)] == [0, 2, 4]
    results.close()


@BOTH
def test_a_failure_is_an_error(executor: Executor) -> None:
    with pytest.raises(TaskFailed, match=r"^ValueError: wrong$"):
        list(in_order(executor, sample(), [("raise", "wrong")]))
