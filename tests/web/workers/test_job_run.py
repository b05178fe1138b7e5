"""Stopping a job from another thread."""

from __future__ import annotations

import threading

from plyground.web.workers.job_run import Cancellation

PATIENCE = 60.0


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
