"""A Dask cluster of two workers on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

WORKERS = 2


@contextmanager
def small_cluster() -> Iterator[str]:
    """The address of its scheduler. Skips the test where Dask is not installed."""
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
