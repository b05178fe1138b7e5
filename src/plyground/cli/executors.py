"""Where the tasks of a verb run: what `--workers` and `--cluster` ask for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from plyground.core.errors import LimitError, PlygroundError
from plyground.executor.local import MOST_WORKERS, LocalExecutor
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Executor


@contextmanager
def make_executor(
    workers: int | None,
    cluster: str | None,
    *,
    default: int = 1,
    cores_each: int = 1,
    pin: bool = True,
    serial: bool = True,
) -> Iterator[Executor]:
    """The executor that the options ask for; `default` is the number of workers without them.

    A task uses `cores_each` cores, its own ones with `pin`. With `serial`, a single worker is this
    process: it need not be started, but its reports come late.
    """
    if workers is not None and cluster is not None:
        raise PlygroundError("--workers is for this machine, --cluster for others: give one")
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise LimitError(f"{workers} workers: from 1 to {MOST_WORKERS} can work at a time")
    if cluster is not None:
        from plyground.executor.cluster import ClusterExecutor

        with ClusterExecutor(cluster, cores_each=cores_each) as connected:
            yield connected
        return
    count = default if workers is None else workers
    if count == 1 and serial:
        yield SerialExecutor()
    else:
        yield LocalExecutor(count, pin=pin, cores_each=cores_each)
