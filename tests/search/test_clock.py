"""The parts of a time limit: deadlines, and a thread that is waited for until then."""

from __future__ import annotations

import os
import threading

import pytest

from plyground.search import clock
from plyground.search.clock import (
    LARGEST_RESERVE,
    LARGEST_WAIT,
    LEAST_RESERVE,
    DeadlineThread,
    SearchDeadlines,
    reserve_seconds,
)
from plyground.search.system_clock import NANOSECONDS, read_clock
from plyground.search.thread_cores import WakeupCore, use_share_of_cores

needs_affinity = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="the system cannot set the cores of a thread"
)


def wait_for(event: threading.Event, seconds: float = 60) -> None:
    assert event.wait(seconds)


def deadlines(seconds: float) -> tuple[float, float]:
    """When kernels stop and when the caller stops waiting, in seconds after the start."""
    time = SearchDeadlines()
    time.start(seconds)
    assert time.answer_deadline is not None
    return (
        (time.kernel_deadline - time.started) / NANOSECONDS,
        (time.answer_deadline - time.started) / NANOSECONDS,
    )


def test_a_reserve_is_a_small_part_of_a_time_limit_and_a_larger_one_on_a_busy_machine() -> None:
    for seconds in (1e-6, 0.001, 0.075):
        assert 0 < reserve_seconds(seconds, busy=False) <= 0.08 * seconds
        assert reserve_seconds(seconds, busy=False) < reserve_seconds(seconds, busy=True) < seconds
    for seconds in (0.05, 0.075, 0.1):
        assert reserve_seconds(seconds, busy=False) == LEAST_RESERVE
    for busy in (False, True):
        assert reserve_seconds(3600.0, busy=busy) == LARGEST_RESERVE


def test_a_kernel_has_nearly_all_of_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "is_machine_busy", lambda: False)
    kernel, answer = deadlines(0.1)
    assert 0.095 <= kernel < answer < 0.1


def test_on_a_busy_machine_a_kernel_has_half_of_a_short_limit_and_nearly_all_of_a_long_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock, "is_machine_busy", lambda: True)
    for seconds in (0.001, 0.01, 0.1):
        kernel, answer = deadlines(seconds)
        assert 0.4 * seconds < kernel < 0.7 * seconds
        assert kernel < answer < seconds
    kernel, answer = deadlines(60.0)
    assert 60 - LARGEST_RESERVE - LARGEST_WAIT <= kernel + 1e-6 < answer < 60


def test_without_a_time_limit_there_is_no_deadline() -> None:
    time = SearchDeadlines()
    time.start(10)
    time.start(None)
    assert time.answer_deadline is None
    assert time.kernel_deadline == 0


def test_a_thread_that_has_ended_is_not_waited_for() -> None:
    done: list[int] = []
    thread = DeadlineThread(lambda: done.append(1))
    assert thread.wait()
    assert done == [1]
    assert thread.wait(read_clock() + 3600 * NANOSECONDS)
    thread.raise_error()


def test_a_thread_that_goes_on_is_waited_for_until_the_deadline() -> None:
    resume = threading.Event()
    thread = DeadlineThread(lambda: wait_for(resume))
    deadline = read_clock() + NANOSECONDS // 50
    assert not thread.wait(deadline)
    assert read_clock() >= deadline
    assert not thread.wait(deadline)
    resume.set()
    assert thread.wait()
    thread.raise_error()


def test_the_error_of_a_thread_is_raised_on_request() -> None:
    thread = DeadlineThread(lambda: wait_for(threading.Event(), seconds=0))
    assert thread.wait()
    with pytest.raises(AssertionError):
        thread.raise_error()


@needs_affinity
def test_a_thread_wakes_up_on_the_core_of_the_one_that_wakes_it_and_keeps_all_its_cores() -> None:
    allowed = os.sched_getaffinity(0)
    wakeup = WakeupCore()
    with wakeup:
        wakeup.use_this_core()
        (core,) = os.sched_getaffinity(0)
        assert core in allowed
    assert os.sched_getaffinity(0) == allowed
    wakeup.use_this_core()  # no thread sleeps any more
    assert os.sched_getaffinity(0) == allowed


@needs_affinity
@pytest.mark.parametrize(
    ("threads", "shares"),
    [
        (1, [{1, 3, 4, 6, 7}]),
        (2, [{1, 4, 7}, {3, 6}]),
        (5, [{1}, {3}, {4}, {6}, {7}]),
        (6, [{1, 3, 4, 6, 7}] * 6),
    ],
)
def test_threads_of_a_search_share_no_core_unless_there_are_too_few(
    threads: int, shares: list[set[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    cores = {1, 3, 4, 6, 7}
    found = [cores] * threads
    for number in range(threads):
        monkeypatch.setattr(os, "sched_getaffinity", lambda thread: set(cores))
        monkeypatch.setattr(
            os,
            "sched_setaffinity",
            lambda thread, share, at=number: found.__setitem__(at, set(share)),
        )
        use_share_of_cores(number, threads)
    assert found == shares
