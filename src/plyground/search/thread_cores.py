"""The cores of threads: where one wakes up, and where it runs. Only Linux lets a program choose."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading

if sys.platform == "linux":

    class WakeupCore:
        """The core on which a thread wakes up that sleeps in a `with` block.

        The system wakes a thread where it fell asleep, if that core is idle. A virtual machine may
        not be given that core at the moment, but it has the core of the thread that ends the sleep.
        """

        def __init__(self) -> None:
            self._thread: int | None = None
            self._cores: set[int] = set()
            self._lock = threading.Lock()

        def __enter__(self) -> None:
            self._cores = os.sched_getaffinity(0)
            self._thread = threading.get_native_id()

        def __exit__(self, *problem: object) -> None:
            with self._lock:
                self._thread = None
                if self._cores:
                    with contextlib.suppress(OSError):
                        os.sched_setaffinity(0, self._cores)

        def use_this_core(self) -> None:
            """Let the sleeping thread wake up on the core of the thread that calls."""
            with self._lock:
                if self._thread is not None:
                    with contextlib.suppress(OSError, AttributeError):
                        os.sched_setaffinity(self._thread, {ctypes.CDLL(None).sched_getcpu()})

    def use_share_of_cores(number: int, threads: int) -> None:
        """Let this thread, one of so many of a search, run on its share of the cores from now on.
        No two threads of a search have a core in common, unless there are fewer cores.

        The threads of a search wake each other up between two depths, when one has Python's lock
        and the other one waits for it. The system likes to wake a thread on the core of the thread
        that wakes it, and leaves both there for milliseconds, though other cores are idle. Measured
        in Blocker, 20 ms a move, on two cores: two threads visited 0.9 times the nodes of one
        thread without this, and 1.5 times with it.
        """
        cores = sorted(os.sched_getaffinity(0))
        if 1 < threads <= len(cores):
            with contextlib.suppress(OSError):  # the cores may have been taken from us meanwhile
                os.sched_setaffinity(0, cores[number::threads])

else:

    class WakeupCore:
        """The system chooses the core."""

        def __enter__(self) -> None:
            pass

        def __exit__(self, *problem: object) -> None:
            pass

        def use_this_core(self) -> None:
            pass

    def use_share_of_cores(number: int, threads: int) -> None:
        """The system chooses the cores."""
