"""Child processes are ended at once, with their descendants if they have a session of their own."""

from __future__ import annotations

import subprocess
import sys

from plyground.core.processes import NEW_GROUP, kill_process, kill_session

SLEEPER = "import time; time.sleep(1000)"
PARENT = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {SLEEPER!r}])
print("started", flush=True)
child.wait()
"""


def start(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        start_new_session=True,
        creationflags=NEW_GROUP,
    )


def test_a_process_is_ended_and_ending_it_again_does_nothing() -> None:
    with start(SLEEPER) as process:
        kill_process(process.pid)
        assert process.wait() != 0
        kill_process(process.pid)
        kill_session(process.pid)


def test_the_descendants_are_ended_too() -> None:
    with start(PARENT) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"started"
        kill_session(process.pid)
        assert process.stdout.read() == b""  # nobody has the other end of the pipe any more
