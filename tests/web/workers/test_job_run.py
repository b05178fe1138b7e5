"""One job of a worker process: how it is stopped from another thread, and its progress messages."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable

import pytest

from plyground.web.workers.job_run import Cancellation, JobReporter, MessageWriter

PATIENCE = 60.0

# Stopping


def test_a_stop_is_repeated_until_the_job_has_finished() -> None:
    """A search that begins resets its stop flag: one stop just before would be lost."""
    cancellation, calls, third = Cancellation(), list[int](), threading.Event()

    def stop() -> None:
        calls.append(len(calls))
        if len(calls) == 3:
            third.set()

    cancellation.request()
    with cancellation.stopping_by(stop):
        assert third.wait(PATIENCE)
        assert cancellation.is_requested
    count = len(calls)
    with cancellation.stopping_by(lambda: None):
        pass
    cancellation.finish()
    assert len(calls) == count, "it is not called outside of its context"


def test_a_request_stops_what_runs_before_it_returns() -> None:
    cancellation, calls = Cancellation(), list[str]()
    with cancellation.stopping_by(lambda: calls.append("stopped")):
        assert not cancellation.is_requested
        cancellation.request()
        assert calls[0] == "stopped"
    cancellation.finish()


# Progress


def numbers_in(output: io.BytesIO) -> list[int]:
    return [json.loads(line)["progress"]["number"] for line in output.getvalue().splitlines()]


def test_progress_is_sent_now_and_then_and_the_newest_at_the_end() -> None:
    output = io.BytesIO()
    reporter = JobReporter(MessageWriter(output), 7)
    for number in range(1000):
        reporter.progress(lambda number=number: {"number": number})  # type: ignore[misc]
    reporter.send_newest()
    numbers = numbers_in(output)
    assert numbers[0] == 0
    assert numbers[-1] == 999
    assert numbers == sorted(numbers)
    assert len(numbers) < 500


def test_the_first_progress_does_not_wait_and_the_second_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    delays: list[float] = []

    class RecordedTimer:
        def __init__(self, delay: float, function: Callable[[], None]) -> None:
            delays.append(delay)

        def start(self) -> None:
            """The test calls the function itself."""

    monkeypatch.setattr("plyground.web.workers.job_run.INTERVAL", 3600.0)
    monkeypatch.setattr(threading, "Timer", RecordedTimer)
    output = io.BytesIO()
    reporter = JobReporter(MessageWriter(output), 7)
    for number in (0, 1, 2):
        reporter.progress(lambda number=number: {"number": number})  # type: ignore[misc]
        assert numbers_in(output) == [0], "the first at once, without another thread"
    reporter.send_newest()
    assert delays == [pytest.approx(3600.0, abs=600.0)], "one timer for both later reports"
    assert numbers_in(output) == [0, 2]


def test_a_job_without_progress_sends_none() -> None:
    output = io.BytesIO()
    JobReporter(MessageWriter(output), 7).send_newest()
    assert output.getvalue() == b""


def test_what_must_not_be_lost_is_all_sent() -> None:
    output = io.BytesIO()
    reporter = JobReporter(MessageWriter(output), 7)
    for number in range(100):
        reporter.send({"number": number})
    reporter.send_newest()
    assert numbers_in(output) == list(range(100))
    assert json.loads(output.getvalue().splitlines()[0])["job"] == 7
