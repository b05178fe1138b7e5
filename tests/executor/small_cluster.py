"""Small Dask clusters on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.classroom.sandboxes import comes_true
from tests.paths import ROOT

WORKERS = 2


@contextmanager
def small_cluster() -> Iterator[str]:
    """Two workers; the address of their scheduler. Skips the test where Dask is not installed."""
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    # On a busy machine, a worker that was killed may take longer to start again.
    patience = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
    with (
        dask.config.set(patience),
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
        ) as started,
    ):
        yield started.scheduler_address


@contextmanager
def scheduler_and_worker(folder: Path) -> Iterator[tuple[str, int]]:
    """A scheduler and one worker, each a process of its own; the scheduler's address and id."""
    place = folder / "scheduler.json"
    local = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(place))
    scheduler = _start("distributed.cli.dask_scheduler", *local, "--port", "0")
    worker = _start(
        "distributed.cli.dask_worker",
        *(*local, "--nthreads", "1", "--no-nanny", "--death-timeout", "60"),
    )
    try:
        assert comes_true(place.exists)
        yield json.loads(place.read_text())["address"], scheduler.pid
    finally:
        for process in (scheduler, worker):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _start(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
