"""Sandboxes in tests: whether one can be built here, what a program sees in it, who is left."""

from __future__ import annotations

import contextlib
import json
import os
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.sandbox import (
    FIRST_USER,
    PLAYER_FOLDER,
    USERS,
    ResourceLimits,
    SandboxFiles,
    cannot_be_built,
    python,
    start_sandboxed,
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
    code: str, folder: Path, *, limits: ResourceLimits | None = None, **contents: Any
) -> tuple[Any, int | None, str]:
    """Run code in a sandbox: what it gave to `tell` last, its status, and its standard error."""
    folder.chmod(0o755)
    telling = "import json, os, sys\ndef tell(value): print(json.dumps(value), flush=True)\n"
    program = folder / "program.py"
    program.write_text(telling + textwrap.dedent(code))
    files = SandboxFiles(folder, **contents)
    command = [python(), "-I", "-B", f"{PLAYER_FOLDER}/program.py"]
    with contextlib.closing(start_sandboxed(command, files, limits)) as process:
        status = process.wait(PATIENCE)
        lines = bytes(process.received).splitlines()
        return json.loads(lines[-1]) if lines else None, status, process.stderr


def descendants(of: int | None = None) -> set[int]:
    """All processes that descend from one, or from this one."""
    ancestor = os.getpid() if of is None else of
    parents = parents_of_all()
    found = {ancestor}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {ancestor}


def orphans() -> set[int]:
    """Processes of users that only sandboxes have, and that belong to no grader any more."""
    parents = parents_of_all()
    found = set()
    for process in parents:
        with contextlib.suppress(OSError):
            is_inside = os.stat(f"/proc/{process}").st_uid in range(FIRST_USER, FIRST_USER + USERS)
            above = process
            while is_inside and parents.get(above, 0) > 1:
                above = parents[above]
            if is_inside and Path(f"/proc/{above}/comm").read_text().strip() == "bwrap":
                found.add(process)
    return found


def parents_of_all() -> dict[int, int]:
    """The parent of each process on this machine."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            after_name = Path(f"/proc/{int(entry)}/stat").read_text().rpartition(")")[2]
            parents[int(entry)] = int(after_name.split()[1])
    return parents


def nobody_is_left(before: set[int]) -> bool:
    """Whether all that was started since then has ended, given a while to do so."""
    return comes_true(lambda: descendants() <= before and not orphans())


def all_have_ended(processes: set[int]) -> bool:
    """The same of certain processes, whoever they belong to by now."""
    return comes_true(lambda: not any(os.path.exists(f"/proc/{one}") for one in processes))


def comes_true(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
