"""No test is skipped silently: with `CI=true` a skip fails, unless it is listed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.skips import ALLOWED

SKIPPING = """
import pytest

ALLOWED = {"test_skipping.py::test_listed": "no reason", "test_skipping.py::test_other": "another"}

@pytest.fixture(autouse=True, scope="session")
def listed():
    from tests import skips
    skips.ALLOWED.update(ALLOWED)

@pytest.fixture
def nowhere():
    pytest.skip("no browser here")

def test_runs(): pass
def test_skips_itself(): pytest.skip("no file here")
def test_fixture_skips(nowhere): pass
@pytest.mark.skip(reason="not today")
def test_marked(): pass
@pytest.mark.parametrize("number", [1, 2])
def test_listed(number): pytest.skip("no reason")
def test_other(): pytest.skip("no reason")
@pytest.mark.xfail
def test_expected_to_fail(): assert False
"""
WHOLE_MODULE = 'import pytest\npytest.importorskip("a_module_that_is_not_there")\n'


ONE_WORKER = ("-p", "xdist", "-n", "1")


def run_tests(folder: Path, text: str, *options: str, ci: str = "true") -> str:
    """The output of pytest in its own process, without the plugins that are installed here."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_skipping.py").write_text(text)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.skips", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "CI": ci,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout


@pytest.mark.parametrize("options", [(), ONE_WORKER], ids=["here", "in a worker"])
def test_with_ci_a_skip_fails_unless_it_is_listed_with_its_reason(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    output = run_tests(tmp_path, SKIPPING, *options)
    assert "2 failed, 1 passed, 2 skipped, 1 xfailed, 2 errors" in output
    for name, reason in (
        ("test_skips_itself", "no file here"),
        ("test_fixture_skips", "no browser here"),
        ("test_marked", "not today"),
        ("test_other", "no reason"),
    ):
        assert f"test_skipping.py::{name} was skipped: {reason}\n" in output


def test_with_ci_a_module_that_skips_itself_fails(tmp_path: Path) -> None:
    output = run_tests(tmp_path, WHOLE_MODULE)
    assert "test_skipping.py was skipped: could not import 'a_module_that_is_not_there'" in output
    assert "1 error" in output


def test_without_ci_a_skip_is_a_skip(tmp_path: Path) -> None:
    assert "1 passed, 6 skipped, 1 xfailed" in run_tests(tmp_path, SKIPPING, ci="")


def test_the_list_is_short_and_names_tests_that_exist() -> None:
    assert len(ALLOWED) <= 5
    for name in ALLOWED:
        file, _, function = name.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
        assert re.search(rf"^def {function}\(", text, re.MULTILINE), f"there is no test {name}"
