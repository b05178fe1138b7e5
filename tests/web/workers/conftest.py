"""Fixtures for tests of workers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plyground.web.workers.search_cache import SearchCache
from tests.web.workers.worker_pools import PoolRunner


@pytest.fixture(scope="module")
def cache() -> SearchCache:
    """The cache of a worker, shared by the tests of a module."""
    return SearchCache()


@pytest.fixture(scope="module")
def runner() -> Iterator[PoolRunner]:
    """An event loop with a pool of one worker, shared by the tests of a module."""
    runner = PoolRunner()
    yield runner
    runner.close()
