"""Long work that Ctrl-C ends at once.

Python delivers an interrupt only between its own instructions, and compiled code may run for
minutes without one. So the work is done in a thread of its own, and the main thread waits, again
and again for a short time: on Windows, Ctrl-C does not end a wait.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

Returned = TypeVar("Returned")

AGAIN = 0.05
"""Seconds between two calls of `stop` for work that has not ended."""
INTERVAL = 0.2
"""Seconds that a wait lasts."""


def interruptible(
    work: Callable[[], Returned], stop: Callable[[], None] | None = None, *, patience: float = 0.0
) -> Returned:
    """What `work` returns or raises. On Ctrl-C `stop` is called, and work that has not ended within
    `patience` seconds, or at the next Ctrl-C, is abandoned."""
    answers: list[Returned] = []
    errors: list[BaseException] = []
    ended = threading.Event()  # join() of a thread that was interrupted may return early

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)
        ended.set()

    try:
        threading.Thread(target=run, daemon=True).start()
        while not ended.wait(INTERVAL):
            pass
    except KeyboardInterrupt:
        until = time.monotonic() + patience
        if stop is not None:
            stop()
        while time.monotonic() < until and not ended.wait(AGAIN):
            if stop is not None:
                stop()  # a search clears the flag when it begins
        if patience == 0 or not ended.is_set():
            raise
    if errors:
        raise errors[0]
    return answers[0]
