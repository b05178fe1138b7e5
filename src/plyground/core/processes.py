"""Processes: how children are started apart from this one, and ended with all their descendants."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

PR_SET_PDEATHSIG = 1
BACKGROUND_NICENESS = 10
"""How far processes and threads whose work can wait step back behind others."""

if sys.platform == "win32":
    NEW_GROUP = subprocess.CREATE_NEW_PROCESS_GROUP
    """As `creationflags`, beside `start_new_session=True`, it keeps Ctrl-C away from a process."""
    LEAST_ENVIRONMENT: Mapping[str, str] = os.environ
    """The environment variables without which no program starts."""

    def kill_process(pid: int) -> None:
        """End a process at once. Nothing happens if it has ended."""
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)  # no process can refuse it here

    def interrupt_process(pid: int) -> None:
        """Do to a process what Ctrl-C does, if it was started with NEW_GROUP."""
        with contextlib.suppress(OSError):
            os.kill(pid, signal.CTRL_BREAK_EVENT)

    def kill_session(pid: int) -> None:
        """End a process that was started in a session of its own, and its descendants."""
        command = ["taskkill", "/F", "/T", "/PID", str(pid)]
        with contextlib.suppress(OSError):
            subprocess.run(command, capture_output=True, check=False)
        kill_process(pid)

    def kill_trees(pids: Iterable[int]) -> None:
        """End processes and all their descendants."""
        for pid in pids:
            kill_session(pid)

    def lead_session() -> None:
        """There are no sessions here."""

else:
    NEW_GROUP = 0
    """As `creationflags`, beside `start_new_session=True`, it keeps Ctrl-C away from a process."""
    LEAST_ENVIRONMENT: Mapping[str, str] = {}
    """The environment variables without which no program starts."""

    def kill_process(pid: int) -> None:
        """End a process at once. Nothing happens if it has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def interrupt_process(pid: int) -> None:
        """Do to a process what Ctrl-C does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)

    def kill_session(pid: int) -> None:
        """End a process that was started in a session of its own, and its descendants."""
        # On macOS, a process that has just ended may not be killed.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)

    def kill_trees(pids: Iterable[int]) -> None:
        """End processes and all their descendants, those in other sessions as well."""
        found: set[int] = set()
        fresh = set(pids)
        while fresh:
            for pid in fresh:  # a stopped process starts no further one
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGSTOP)
            found |= fresh
            fresh = {pid for pid, parent in _parents().items() if parent in found} - found
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)

    def _parents() -> dict[int, int]:
        """The parent of each process."""
        parents: dict[int, int] = {}
        if sys.platform == "linux":
            for entry in Path("/proc").iterdir():
                if entry.name.isdecimal():
                    with contextlib.suppress(OSError, IndexError):  # it has just ended
                        after_name = (entry / "stat").read_bytes().rpartition(b")")[2]
                        parents[int(entry.name)] = int(after_name.split()[1])
        else:
            command = ["ps", "-A", "-o", "pid=,ppid="]
            listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            for line in listed.splitlines():
                pid, parent = line.split()
                parents[int(pid)] = int(parent)
        return parents

    def lead_session() -> None:
        """Give this process a session of its own, so that `kill_session` ends it."""
        with contextlib.suppress(OSError):  # it has one
            os.setsid()


def die_with_parent() -> None:
    """Let the system kill this process when its parent ends. Only Linux can do it, and for it the
    parent is the thread that started this process."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))


def notice_ends_of_children() -> None:
    """A process may inherit that the end of its children is ignored. Then it could read no exit
    status. Windows has no such thing."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def lower_process_priority() -> None:
    """Let other programs go first. Windows is left as it is."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.nice(BACKGROUND_NICENESS)
