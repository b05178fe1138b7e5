"""What a worker process sends: a byte that names the kind of a message, and a pickled value."""

from __future__ import annotations

import pickle
from typing import Any

READY, ERROR, REPORT, DONE, FAILED = range(5)
"""The setup is complete, with the patience of the work; the setup has raised this error; of a task:
a report, the value that it returned, why it failed."""
BEGUN, LOST, UNABLE = range(5, 8)
"""Of a cluster: a process gets the task now; how the process of a task ended; how one ended before
its first task."""


def encode(kind: int, value: Any) -> bytes:
    """A message."""
    return bytes([kind]) + pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def decode(message: bytes) -> tuple[int, Any]:
    """The kind of a message, and its value."""
    return message[0], pickle.loads(memoryview(message)[1:])
