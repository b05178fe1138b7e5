"""Locks on open files. A lock ends when its file is closed, and with the process that holds it."""

from __future__ import annotations

import sys
import time
from typing import IO, Any

PATIENCE = 1.0
"""Seconds. A process that was just killed may have started another, which holds its locks until it
runs its own program."""
INTERVAL = 0.05
"""Seconds between two attempts."""

if sys.platform == "win32":
    import msvcrt
    import os

    LOCKED_BYTE = 1 << 30
    """Its place in the file, behind all content: a byte that is locked cannot be read."""

    def try_lock(file: IO[Any]) -> bool:
        """Lock a file, unless it is locked already. Returns whether it is locked now."""
        os.lseek(file.fileno(), LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def lock(file: IO[Any]) -> None:
        """Lock a file, as soon as no other process has it locked."""
        while not try_lock(file):
            time.sleep(INTERVAL)

else:
    import fcntl

    def try_lock(file: IO[Any]) -> bool:
        """Lock a file, unless it is locked already. Returns whether it is locked now."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def lock(file: IO[Any]) -> None:
        """Lock a file, as soon as no other process has it locked."""
        fcntl.flock(file, fcntl.LOCK_EX)


def lock_soon(file: IO[Any], patience: float = PATIENCE) -> bool:
    """Lock a file, unless another process goes on holding its lock. Returns whether it is locked
    now."""
    until = time.monotonic() + patience
    while not try_lock(file):
        if time.monotonic() >= until:
            return False
        time.sleep(INTERVAL)
    return True
