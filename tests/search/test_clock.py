"""The parts of a time limit: deadlines, expected waits, a thread that is waited for until then."""

from __future__ import annotations

import os
import threading
from types import SimpleNamespace

import pytest

from plyground.search import clock
from plyground.search.clock import (
    LARGEST_RESERVE,
    LEAST_RESERVE,
    DeadlineThread,
    SearchDeadlines,
    reserve_seconds,
)
from plyground.search.kernel_memory import COUNTERS, DEADLINE, LONGEST_WAIT, numbers
from plyground.search.system_clock import NANOSECONDS, read_clock
from plyground.search.thread_cores import WakeupCore, use_share_of_cores

needs_affinity = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="the system cannot set the cores of a thread"
)


def wait_for(event: threading.Event, seconds: float = 60) -> None:
    assert event.wait(seconds)


@pytest.fixture
def memory() -> SimpleNamespace:
    return SimpleNamespace(settings=numbers(8), counters=numbers(COUNTERS))


@pytest.fixture
def idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "is_machine_busy", lambda: False)


def test_a_reserve_is_a_small_part_of_a_time_limit_and_a_larger_one_on_a_busy_machine() -> None:
    for seconds in (1e-6, 0.001, 0.075):
        assert 0 < reserve_seconds(seconds, busy=False) <= 0.08 * seconds
        assert reserve_seconds(seconds, busy=False) < reserve_seconds(seconds, busy=True) < seconds
    for seconds in (0.05, 0.075, 0.1):
        assert reserve_seconds(seconds, busy=False) == LEAST_RESERVE
    for busy in (False, True):
        assert reserve_seconds(3600.0, busy=busy) == LARGEST_RESERVE


@pytest.mark.usefixtures("idle_machine")
def test_a_kernel_has_nearly_all_of_a_time_limit(memory: SimpleNamespace) -> None:
    time = SearchDeadlines()
    time.start(0.1)
    time.set_deadline([memory])
    assert time.answer_deadline is not None
    assert memory.settings[DEADLINE] < time.answer_deadline < time.started + NANOSECONDS // 10
    assert memory.settings[DEADLINE] - time.started >= 0.95 * NANOSECONDS / 10


def test_a_kernel_gets_its_deadline_and_none_without_a_time_limit(memory: SimpleNamespace) -> None:
    time = SearchDeadlines()
    time.start(10)
    time.set_deadline([memory])
    assert time.answer_deadline is not None
    assert time.started < memory.settings[DEADLINE] < time.answer_deadline
    assert time.answer_deadline < time.started + 10 * NANOSECONDS
    time.start(None)
    time.set_deadline([memory])
    assert time.answer_deadline is None
    assert memory.settings[DEADLINE] == 0


@pytest.mark.usefixtures("idle_machine")
def test_a_long_wait_is_expected_again_but_not_for_ever(memory: SimpleNamespace) -> None:
    time = SearchDeadlines()
    time.start(1)
    time.set_deadline([memory])
    assert memory.counters[LONGEST_WAIT] == 0
    memory.counters[LONGEST_WAIT] = NANOSECONDS // 10
    expected = [NANOSECONDS // 10]
    for _ in range(3):
        time.note_waits([memory])
        time.start(1)
        time.set_deadline([memory])
        expected.append(int(memory.counters[LONGEST_WAIT]))
    assert expected[0] > expected[1] > expected[2] > expected[3] > 0


@pytest.mark.usefixtures("idle_machine")
def test_a_kernel_that_has_not_ended_in_time_was_waiting(memory: SimpleNamespace) -> None:
    time = SearchDeadlines()
    time.start(10)
    time.set_deadline([memory])
    time.start_polling(memory)
    time.note_missing_poll(memory)
    time.note_waits([memory])
    time.set_deadline([memory])
    assert memory.counters[LONGEST_WAIT] > 0


def test_no_wait_is_expected_to_use_up_the_time(memory: SimpleNamespace) -> None:
    time = SearchDeadlines()
    memory.counters[LONGEST_WAIT] = 3600 * NANOSECONDS
    time.note_waits([memory])
    time.start(1)
    time.set_deadline([memory])
    assert memory.counters[LONGEST_WAIT] < NANOSECONDS // 2


def test_on_a_busy_machine_the_reserve_is_large_and_a_wait_expected_before_the_first_one(
    memory: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "is_machine_busy", lambda: True)
    time = SearchDeadlines()
    time.start(0.1)
    time.set_deadline([memory])
    assert memory.settings[DEADLINE] - time.started < 0.9 * NANOSECONDS / 10
    assert memory.counters[LONGEST_WAIT] > 0


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
