"""Locks on files: one holder at a time, in this process and in others, until it closes or ends."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from plyground.core.file_lock import lock, lock_soon, try_lock

HOLDER = """
import sys
from plyground.core.file_lock import lock
file = open(sys.argv[1], "a")
lock(file)
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_locked_file_is_not_locked_again_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with open(path, "ab") as first, open(path, "ab") as second:
        assert try_lock(first)
        assert not try_lock(second)
        first.close()
        assert try_lock(second)


def test_a_locked_file_can_be_read_and_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old ")
    with open(path, "ab", buffering=0) as file:
        lock(file)
        file.write(b"new")
        assert path.read_bytes() == b"old new"


def test_one_waits_for_the_lock_of_another(tmp_path: Path) -> None:
    path = tmp_path / "file"
    locked = threading.Event()

    def wait() -> None:
        with open(path, "a") as file:
            lock(file)
            locked.set()

    with open(path, "a") as first:
        lock(first)
        thread = threading.Thread(target=wait)
        thread.start()
        assert not locked.wait(0.2)
    assert locked.wait(60)
    thread.join()


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "file"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder,
        open(path, "a") as file,
    ):
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        assert not try_lock(file)
        holder.kill()
        holder.wait()
        assert try_lock(file)


def test_a_lock_that_ends_soon_is_waited_for_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "file"
    first = open(path, "ab")  # noqa: SIM115  closed by the timer
    assert try_lock(first)
    with open(path, "ab") as second:
        assert not lock_soon(second, patience=0.1)
        closing = threading.Timer(0.2, first.close)
        closing.start()
        assert lock_soon(second, patience=60.0)
        closing.join()
