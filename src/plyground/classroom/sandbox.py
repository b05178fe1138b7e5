"""A closed room for a program that nobody has read: bubblewrap, a user of its own, limits.

Inside there is no network, none of the user's files, no other process, nothing to write to but a
small /tmp of its own. The system and Python are there to read. Programs are started with an empty
environment and no open file but the three pipes.

Started by root, the room is built by root and the program then becomes a user that nobody else is:
a user's own limits bind, and a Python under root's home can still be shown. Started by anyone else,
the room is a user namespace.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground.classroom.seccomp import filter_program
from plyground.core.errors import PlygroundError
from plyground.players.channel import Channel

PROGRAMS = {"bwrap": "bubblewrap", "prlimit": "util-linux", "setpriv": "util-linux"}
"""What a sandbox is made with, and the Debian packages that have it."""
FIRST_USER = 1_000_000
USERS = 900_000
"""Numbers of users that no system gives to anybody; each room takes another one."""
ROOM = "/player"
"""Where the program's own folder is, inside."""
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
OF_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")

_rooms = itertools.count()


class NoSandbox(PlygroundError):
    """A sandbox cannot be built here; the sentence says why, and how to mend it."""


@dataclass(frozen=True)
class Limits:
    """What a program may use up."""

    memory: int = 1024
    """MiB of address space, for each of its processes."""
    processes: int = 16
    """Threads count as well."""
    file_size: int = 16
    """MiB."""
    scratch: int = 16
    """MiB of /tmp in all."""
    open_files: int = 128
    cpu_seconds: int = 900
    """For a whole game: a program that never ends is ended."""


@dataclass(frozen=True)
class Room:
    """What is put into a sandbox: the program's folder, and what else it may read."""

    folder: Path
    shown: tuple[Path, ...] = ()
    """Files and folders that are where they are outside."""


def open_channel(
    command: Sequence[str], room: Room, limits: Limits | None = None
) -> tuple[Channel, int]:
    """Start a program in a room; also the number outside of the room's first process."""
    limits = limits or Limits()
    reading, writing = os.pipe()
    with _filter_file() as filter_descriptor, contextlib.ExitStack() as stack:
        stack.callback(os.close, reading)
        try:
            arguments = bubblewrap(room, limits, filter_descriptor, writing)
            channel = Channel(
                [*arguments, *command],
                environment={},
                pass_descriptors=[filter_descriptor, writing],
            )
        finally:
            os.close(writing)
        return channel, _first_process(reading)


def bubblewrap(
    room: Room, limits: Limits, filter_descriptor: int, info_descriptor: int
) -> list[str]:
    """The command line up to the program itself."""
    why = cannot_be_built()
    if why is not None:
        raise NoSandbox(why)
    as_root = os.geteuid() == 0
    return [
        *_limiting(limits),
        _found("bwrap"),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        "--unshare-cgroup-try",
        *(() if as_root else ("--unshare-user",)),
        *("--die-with-parent", "--new-session", "--clearenv", "--hostname", "room"),
        *("--cap-drop", "ALL"),
        *(("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if as_root else ()),
        *_files(room, limits),
        *("--seccomp", str(filter_descriptor), "--info-fd", str(info_descriptor)),
        *("--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/tmp"),
        *("--setenv", "LANG", "C.UTF-8", "--chdir", "/tmp"),
        *(_as_nobody() if as_root else ()),
    ]


def _limiting(limits: Limits) -> list[str]:
    mebibyte = 1 << 20
    return [
        _found("prlimit"),
        f"--as={limits.memory * mebibyte}",
        f"--nproc={limits.processes}",
        f"--fsize={limits.file_size * mebibyte}",
        f"--nofile={limits.open_files}",
        f"--cpu={limits.cpu_seconds}",
        "--core=0",
        "--memlock=0",
        "--msgqueue=0",
    ]


def _files(room: Room, limits: Limits) -> Iterator[str]:
    """The system to read, a /tmp to write, the program's folder, and all else read-only."""
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    made: set[Path] = {Path("/"), Path("/usr")}
    for path in (*map(Path, OF_ETC), *_python(), *room.shown):
        if path.exists() and not path.is_relative_to("/usr"):
            yield from _parents(path, made)
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--size", str(limits.scratch << 20), "--perms", "1777", "--tmpfs", "/tmp")
    yield from ("--ro-bind", str(room.folder), ROOM)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _parents(path: Path, made: set[Path]) -> Iterator[str]:
    """The folders on the way to a path, which others may pass: bubblewrap's own are private."""
    for parent in reversed(path.parents):
        if parent not in made:
            made.add(parent)
            yield from ("--perms", "0755", "--dir", str(parent))


def _python() -> tuple[Path, ...]:
    """Where this Python lives, if not with the system."""
    return tuple({Path(sys.base_prefix), Path(sys.base_exec_prefix)})


def python() -> str:
    """The interpreter to run inside: the one that runs here, outside any virtual environment."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def _as_nobody() -> tuple[str, ...]:
    user = str(FIRST_USER + (os.getpid() * 64 + next(_rooms)) % USERS)
    return (
        _found("setpriv"),
        *("--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"),
        *("--inh-caps=-all", "--bounding-set=-all"),
    )


@contextlib.contextmanager
def _filter_file() -> Iterator[int]:
    """A descriptor from which bubblewrap reads the filter."""
    with tempfile.TemporaryFile() as file:
        file.write(filter_program() or b"")
        file.flush()
        file.seek(0)
        yield file.fileno()


def _first_process(descriptor: int) -> int:
    """The process number that bubblewrap tells, or 0 if it could not build the room."""
    with os.fdopen(os.dup(descriptor)) as file:
        try:
            return int(json.loads(file.read())["child-pid"])
        except (ValueError, KeyError, TypeError):
            return 0


def program_in(first_process: int) -> int:
    """The number outside of the program itself, to watch its clock by. The first process in a room
    does nothing but wait for the program, its one child."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        children = Path(f"/proc/{first_process}/task/{first_process}/children")
        return int(children.read_text().split()[0])
    return first_process


# Whether it works here


@cache
def _found(program: str) -> str:
    return shutil.which(program, path="/usr/bin:/bin:/usr/sbin:/sbin") or program


@cache
def cannot_be_built() -> str | None:
    """Why no sandbox can be built on this machine, and how to mend it; None if one can."""
    if sys.platform != "linux":
        return f"a sandbox needs Linux, and this is {sys.platform}"
    for program, package in PROGRAMS.items():
        if shutil.which(_found(program)) is None:
            return f"{program} is not installed: on Debian, apt-get install {package}"
    if filter_program() is None:
        return "system calls cannot be filtered on this kind of processor"
    return _fails_to_start()


def _fails_to_start() -> str | None:
    """Build a bare room once, and see."""
    command = [_found("bwrap"), "--unshare-pid", "--unshare-net", "--ro-bind", "/usr", "/usr"]
    command += ["--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64"]
    command += ["--proc", "/proc", "--dev", "/dev", "/usr/bin/true"]
    if os.geteuid() != 0:
        command.insert(1, "--unshare-user")
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    if ran.returncode == 0:
        return None
    said = " ".join(ran.stderr.split()) or f"it ended with status {ran.returncode}"
    return (
        f"bubblewrap cannot build a sandbox here ({said[:200]}): allow namespaces of users with"
        " sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu"
        " kernel.apparmor_restrict_unprivileged_userns=0"
    )
