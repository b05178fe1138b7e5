"""Where a sandbox can be built: by whom, and what is said where it cannot."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.classroom import sandbox
from plyground.classroom.sandbox import (
    NoSandbox,
    ResourceLimits,
    SandboxFiles,
    cannot_be_built,
    start_sandboxed,
)
from tests.classroom import sandboxes
from tests.classroom.sandboxes import need_sandbox
from tests.paths import ROOT

# Where it cannot be built


@pytest.fixture
def another_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Nothing is remembered of this machine, nor of that one afterwards."""
    cannot_be_built.cache_clear()
    sandbox.find_program.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    cannot_be_built.cache_clear()
    sandbox.find_program.cache_clear()


@pytest.mark.parametrize(
    ("platform", "system"), [("darwin", "macOS"), ("win32", "Windows"), ("freebsd14", "freebsd14")]
)
def test_elsewhere_than_on_linux_it_is_refused(
    platform: str, system: str, another_machine: pytest.MonkeyPatch
) -> None:
    another_machine.setattr(sys, "platform", platform)
    assert cannot_be_built() == f"a sandbox needs Linux, and this is {system}"


@pytest.mark.parametrize(
    ("program", "package"),
    [("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux")],
)
def test_a_missing_program_is_named_with_its_package(
    program: str, package: str, another_machine: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    another_machine.setattr(
        shutil, "which", lambda name, path=None: None if program in name else name
    )
    why = f"{program} is not installed: on Debian, apt-get install {package}"
    assert cannot_be_built() == why
    with pytest.raises(NoSandbox, match=f"^{why}$"):
        start_sandboxed(["true"], SandboxFiles(tmp_path))


def test_an_unknown_processor_is_refused(another_machine: pytest.MonkeyPatch) -> None:
    another_machine.setattr(sandbox, "filter_program", lambda: None)
    another_machine.setattr(shutil, "which", lambda name, path=None: name)
    assert cannot_be_built() == "system calls cannot be filtered on this kind of processor"


def test_whether_one_can_be_built_is_found_out_without_a_folder_that_could_be_left(
    another_machine: pytest.MonkeyPatch,
) -> None:
    need_sandbox()
    cannot_be_built.cache_clear()
    another_machine.setattr(tempfile, "mkdtemp", lambda *_, **__: pytest.fail("a folder is made"))
    assert cannot_be_built() is None


def test_a_kernel_without_handles_of_processes_is_told(
    another_machine: pytest.MonkeyPatch,
) -> None:
    need_sandbox()
    cannot_be_built.cache_clear()

    def refuse(process: int) -> int:
        raise OSError(38, "Function not implemented")

    another_machine.setattr(os, "pidfd_open", refuse)
    told = "a sandbox needs Linux 5.3 or later (and, in a container, leave to call pidfd_open)"
    assert cannot_be_built() == told


def fake(folder: Path, name: str, script: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_where_namespaces_are_forbidden_the_remedy_is_told(
    another_machine: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    need_sandbox()
    cannot_be_built.cache_clear()
    bwrap = fake(
        tmp_path, "bwrap", "echo bwrap: No permissions to create new namespace >&2; exit 1"
    )
    real = sandbox.find_program
    another_machine.setattr(
        sandbox, "find_program", lambda name: bwrap if name == "bwrap" else real(name)
    )
    why = cannot_be_built()
    assert why is not None
    assert why.startswith(
        "bubblewrap cannot build a sandbox here (bwrap: No permissions to create new namespace):"
    )
    assert "kernel.unprivileged_userns_clone=1" in why


def test_a_python_that_does_not_start_inside_is_told_apart(
    another_machine: pytest.MonkeyPatch,
) -> None:
    need_sandbox()
    cannot_be_built.cache_clear()
    another_machine.setattr(sandbox, "python", lambda: "/usr/bin/false")
    why = cannot_be_built()
    assert why is not None
    assert why.startswith("Python does not start in a sandbox here (it ended with status 1)")


# As another user

FORKING = """
import json, os, time
forks = 0
try:
    while forks < 99:
        if not os.fork():
            time.sleep(1000)
        forks += 1
except OSError:
    pass
print(json.dumps([os.getuid(), sorted(os.listdir("/")), forks]), flush=True)
os.kill(os.getpid(), 9)
"""
BUSY_USER = """
import subprocess, sys, time
from pathlib import Path
from plyground.classroom.sandbox import SandboxFiles, cannot_be_built, start_sandboxed, python
others = [subprocess.Popen(["sleep", "1000"]) for _ in range(20)]
try:
    if cannot_be_built() is not None:
        sys.exit(cannot_be_built())
    process = start_sandboxed([python(), "/player/inside.py"], SandboxFiles(Path(__file__).parent))
    print(process.ask(b"", time.perf_counter() + 60).decode())
    process.close()
finally:
    for one in others:
        one.kill()
"""


def test_an_ordinary_user_can_build_one_however_much_else_is_running(tmp_path: Path) -> None:
    """Through a namespace of users, with the system's own Python."""
    if os.geteuid() != 0:
        pytest.skip("all other tests run as an ordinary user already")
    need_sandbox()
    interpreter = ordinary_python()
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == os.geteuid() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
    package = tmp_path / "source"
    shutil.copytree(ROOT / "src" / "plyground", package / "plyground", ignore=not_code)
    (tmp_path / "inside.py").write_text(FORKING)
    (tmp_path / "outside.py").write_text(BUSY_USER)
    ran = subprocess.run(
        [
            *("setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"),
            *(interpreter, "-B", str(tmp_path / "outside.py")),
        ],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(package)},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if "bubblewrap cannot build a sandbox here" in ran.stderr:
        pytest.skip(ran.stderr.strip())
    assert ran.returncode == 0, ran.stderr
    user, folders, forks = json.loads(ran.stdout)
    assert user == int(sandbox.NOBODY)
    assert "player" in folders
    assert not {"var", "run", "root", "sys"} & set(folders)
    assert 10 <= forks < ResourceLimits().processes


def not_code(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name in ("static", "suites", "__pycache__")]


def ordinary_python() -> str:
    """A Python that every user may run."""
    found = "/usr/bin/python3"
    asked = [found, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    if not Path(found).exists() or subprocess.run(asked, check=False).returncode:
        pytest.skip("the system has no Python 3.11 of its own")
    return found


# Tests that need one


def test_without_a_sandbox_tests_are_skipped_but_fail_where_all_must_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandboxes, "cannot_be_built", lambda: "there is no bwrap")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="there is no bwrap"):
        need_sandbox()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="there is no bwrap"):
        need_sandbox()
