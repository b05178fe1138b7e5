"""A full disk, simulated by a limit on the size of files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Inside the block this process can write no longer file, as if the disk were full."""
    resource = pytest.importorskip("resource", reason="there are no limits on files here")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
