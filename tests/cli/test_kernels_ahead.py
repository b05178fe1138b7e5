"""The first command that compiles on a machine has other kernels compiled in the background."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyground.cli import kernels_ahead
from plyground.executor.cores import usable_cores
from plyground.search import preparation
from plyground.search.binding import code_cache, compiler_process
from plyground.search.binding.code_cache import KERNEL
from tests.paths import EXAMPLES

PATIENCE = 300.0
"""Seconds. It takes five on a quiet machine."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The processes that were started, none of which runs. Everything speaks for starting one."""
    found: list[dict[str, Any]] = []

    def note(command: list[str], **options: Any) -> None:
        found.append({"command": command, **options})

    monkeypatch.setattr(subprocess, "Popen", note)
    monkeypatch.setattr(compiler_process, "may_start", lambda: True)
    monkeypatch.setattr(preparation, "are_kernels_prepared", lambda: False)
    kernels_ahead.start.cache_clear()
    return found


def test_it_is_started_once_and_starts_no_other(started: list[dict[str, Any]]) -> None:
    for _ in range(2):
        kernels_ahead.start()
    (process,) = started
    assert process["command"][-3:] == ["prepare", "--kernels", "--low-priority"]
    assert process["env"]["PLYGROUND_COMPILERS"] == "1"
    assert process["start_new_session"]


def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler_process, "may_start", lambda: False)


def prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "are_kernels_prepared", lambda: True)


def unwritable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "cache_root", lambda: Path("elsewhere"))


def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError("the home folder is not known")

    monkeypatch.setattr(code_cache, "wanted_cache_root", unknown)


@pytest.mark.parametrize("reason", [forbidden, prepared, unwritable, homeless])
def test_it_is_not_started_without_need(
    started: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    reason: Callable[[pytest.MonkeyPatch], None],
) -> None:
    reason(monkeypatch)
    kernels_ahead.start()
    assert started == []


@pytest.mark.skipif(usable_cores() < 2, reason="with one core nothing is compiled meanwhile")
def test_a_command_leaves_compiled_kernels_behind(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "plyground", "perft", str(EXAMPLES / "nim.py"), "--depth", "2"],
        env={**os.environ, "PLYGROUND_CACHE": str(tmp_path), "PLYGROUND_COMPILERS": "2"},
        capture_output=True,
        check=True,
    )
    until = time.monotonic() + PATIENCE
    wanted = {"null_window_search", "run_simulations"}
    while not wanted <= {
        path.parent.name.removeprefix(KERNEL).split("-")[0] for path in tmp_path.glob("*/*.bc")
    }:
        assert time.monotonic() < until, "the background process has not compiled them"
        time.sleep(0.1)
