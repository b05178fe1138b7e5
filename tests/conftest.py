"""Settings and hooks for every test."""

from __future__ import annotations

from hypothesis import settings

from tests.skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["pytest_make_collect_report", "pytest_runtest_makereport"]

# The same examples every time, and no clock: a busy machine must not fail a test.
settings.register_profile("plyground", deadline=None, derandomize=True)
settings.load_profile("plyground")
