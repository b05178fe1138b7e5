"""Kills a process in the middle of its work, to test what it leaves on disk."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 120.0
"""Seconds to wait for a process to begin its work."""


def killed_in_the_middle(script: str, file: Path, *, changes: int = 3) -> None:
    """Run a script until the file that it maps has changed a few times, then kill it."""
    process = subprocess.Popen([sys.executable, "-c", script])
    try:
        deadline = time.monotonic() + PATIENCE
        seen: set[int] = set()
        while len(seen) <= changes:
            assert process.poll() is None, "the script ended before it could be killed"
            assert time.monotonic() < deadline, "the script never began its work"
            time.sleep(0.1)
            if file.exists():
                seen.add(hash(file.read_bytes()))
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
