"""Settings and hooks for every test."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.paths import ROOT
from tests.skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["pytest_make_collect_report", "pytest_runtest_makereport"]

SLOWEST_FIRST = (
    "tests/classroom/test_levels.py",
    "tests/test_benchmarks.py",
    "tests/classroom/forge/test_forge.py",
    "tests/classroom/test_class_run.py",
    "tests/search/test_boundscheck.py",
    "tests/test_package.py",
    "tests/web/sessions/test_session_machine.py",
    "tests/executor/test_cluster.py",
)
"""The modules with the longest tests. If one of them came last, a worker of pytest-xdist would run
it while the others have nothing left to do."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.relative_to(ROOT).as_posix() not in SLOWEST_FIRST)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: it is not looked through for garbage, neither while it
    grows, which takes a quarter of the time, nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


# What was learned on this machine must not change what is tested.
os.environ["PLYGROUND_NETS"] = str(ROOT / "tests" / "no-nets")

# The test workers use all cores: a second process that compiles would only add work.
os.environ["PLYGROUND_COMPILERS"] = "1"

# A shell ignores Ctrl-C in what it runs in the background, and so would the programs that tests
# start and interrupt.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples every time, and no clock: a busy machine must not fail a test.
settings.register_profile("plyground", deadline=None, derandomize=True)
settings.load_profile("plyground")
