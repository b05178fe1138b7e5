"""Settings and hooks for every test."""

from __future__ import annotations

import signal
import threading

from hypothesis import settings

from tests.skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["pytest_make_collect_report", "pytest_runtest_makereport"]

# A shell ignores Ctrl-C in what it runs in the background, and so would the programs that tests
# start and interrupt.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples every time, and no clock: a busy machine must not fail a test.
settings.register_profile("plyground", deadline=None, derandomize=True)
settings.load_profile("plyground")
