"""With `CI=true` a skipped test is a failed one, unless it is on a short list.

The hooks are part of `conftest.py`. They run in the process of the test, so that they work with
pytest-xdist too.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

ALLOWED = {
    "tests/cli/test_errors.py::test_a_position_file_that_may_not_be_read_is_told": (
        "root can read everything"
    ),
    "tests/classroom/test_sandbox.py::test_two_sandboxes_have_two_users": (
        "in a namespace of its own everyone is the same nobody"
    ),
    "tests/classroom/test_sandbox_builders.py"
    "::test_an_ordinary_user_can_build_one_however_much_else_is_running": (
        "all other tests run as an ordinary user already"
    ),
    "tests/test_benchmarks.py::test_a_benchmark_runs_small_and_judges_no_time": (
        "only root may take cores away from other programs, and on Linux"
    ),
}
"""The tests that may be skipped, each with the only reason that counts. All of them depend on
whether root runs the tests: no machine can run every one."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skipped itself, was marked to be skipped, or has a fixture that did."""
    report = yield
    refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A module that skipped itself as a whole."""
    report = yield
    refuse_skip(report)
    return report


def refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip that is not allowed into a failure. Expected failures are no skips."""
    if not report.skipped or hasattr(report, "wasxfail") or os.environ.get("CI") != "true":
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if ALLOWED.get(report.nodeid.partition("[")[0]) != reason:
        report.outcome = "failed"
        report.longrepr = (
            f"{report.nodeid} was skipped: {reason}\n"
            "With CI=true that is a failure. Make it run, or list it with this reason in "
            "tests/skips.py."
        )
