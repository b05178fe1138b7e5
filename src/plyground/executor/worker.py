"""The program of a local worker: it does one task after the other until its channel is closed."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

from plyground.core.errors import PlygroundError
from plyground.core.processes import die_with_parent, lead_session
from plyground.executor.cores import bind_to_cores
from plyground.executor.messages import DONE, ERROR, FAILED, READY, REPORT, encode
from plyground.executor.task import Work, close_function, reason_of

if TYPE_CHECKING:
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection as Connection
    else:
        from multiprocessing.connection import Connection


def serve(connection: Connection, pickled: bytes, cores: tuple[int, ...], parent: int) -> None:
    """Set up the work, say so, then do each task that comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    lead_session()
    die_with_parent()
    bind_to_cores(cores)
    try:
        work: Work = pickle.loads(pickled)
        run = work.setup(work.settings)
    except PlygroundError as error:
        with contextlib.suppress(OSError):
            connection.send_bytes(encode(ERROR, portable(error)))
        return
    with contextlib.suppress(EOFError, OSError):  # the parent has closed the channel
        connection.send_bytes(encode(READY, work.patience))
        while os.getppid() == parent:  # it may have ended before die_with_parent
            pickled_payload = connection.recv_bytes()
            report = _Reporting(connection)
            try:
                message = encode(DONE, run(pickle.loads(pickled_payload), report))
            except Exception as error:
                message = encode(FAILED, reason_of(error))
            report.end(message)
    close_function(run)


class _Reporting:
    """Sends what one task reports. What one of its threads says after its end is dropped."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._has_ended = False

    def __call__(self, value: Any) -> None:
        message = encode(REPORT, value)
        with self._lock:
            if not self._has_ended:
                self._connection.send_bytes(message)

    def end(self, message: bytes) -> None:
        with self._lock:
            self._has_ended = True
            self._connection.send_bytes(message)


def portable(error: PlygroundError) -> PlygroundError:
    """The error itself if it can be sent, else one with the same text."""
    try:
        copy = pickle.loads(pickle.dumps(error))
    except Exception:
        return PlygroundError(str(error))
    return error if str(copy) == str(error) else PlygroundError(str(error))
