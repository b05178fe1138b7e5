"""Sandboxes in tests: whether one can be built here, what a program sees in it, who is left."""

from __future__ import annotations

import contextlib
import json
import os
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.sandbox import (
    FIRST_USER,
    ROOM,
    USERS,
    Limits,
    Room,
    cannot_be_built,
    open_channel,
    python,
)

PATIENCE = 60.0
"""Seconds. Nothing here takes as long, but on a machine that has a lot else to do."""


def need_sandbox() -> None:
    """Skip a test where no sandbox can be built; where all must run, fail it."""
    why = cannot_be_built()
    if why is not None:
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)


def run_inside(
    code: str, folder: Path, *, limits: Limits | None = None, **contents: Any
) -> tuple[Any, int | None, str]:
    """Run code in a room: what it gave to `tell` last, its status, and what it complained of."""
    folder.chmod(0o755)
    telling = "import json, os, sys\ndef tell(value): print(json.dumps(value), flush=True)\n"
    program = folder / "program.py"
    program.write_text(telling + textwrap.dedent(code))
    room = Room(folder, **contents)
    command = [python(), "-I", "-B", f"{ROOM}/program.py"]
    with contextlib.closing(open_channel(command, room, limits)) as channel:
        status = channel.wait(PATIENCE)
        lines = bytes(channel._received).splitlines()
        return json.loads(lines[-1]) if lines else None, status, channel.complaints


def processes_inside() -> set[int]:
    """The processes on this machine that are in a room, of any run, ended ones included."""
    found = set()
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError):
            user = os.stat(f"/proc/{int(entry)}").st_uid
            if FIRST_USER <= user < FIRST_USER + USERS:
                found.add(int(entry))
    return found


def descendants() -> set[int]:
    """All processes that descend from this one."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            after_name = Path(f"/proc/{int(entry)}/stat").read_text().rpartition(")")[2]
            parents[int(entry)] = int(after_name.split()[1])
    found: set[int] = {os.getpid()}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {os.getpid()}


def nobody_is_left(before: set[int]) -> bool:
    """Whether all that was started since then has ended, given a while to do so."""
    until = time.monotonic() + PATIENCE
    while descendants() - before:
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
