"""Long work that Ctrl-C ends at once.

Python delivers an interrupt only between its own instructions, and compiled code may run for
minutes without one. So the work is done in a thread of its own, and the main thread waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")


def interruptible(work: Callable[[], Answer], stop: Callable[[], None] | None = None) -> Answer:
    """What `work` returns or raises. On Ctrl-C, `stop` is called and the work is left behind."""
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        if stop is not None:
            stop()
        raise
    if errors:
        raise errors[0]
    return answers[0]
