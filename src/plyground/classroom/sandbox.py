"""A closed room for a program that nobody has read: bubblewrap, a user of its own, limits.

Inside there is no network, none of the user's files, no other process, nothing to write to but a
small /tmp of its own. The system and Python are there to read. Programs are started with an empty
environment and no open file but the three pipes, and if memory runs short they go first.

Started by root, the room is built by root and the program then becomes a user that nobody else is:
a user's own limits bind, and a Python under root's home can still be shown. Started by anyone else,
the room is a user namespace, with a count of processes of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground.classroom.seccomp import filter_program
from plyground.core.errors import PlygroundError
from plyground.players.line_process import Channel
from plyground.players.usage import Usage

PROGRAMS = {
    "bwrap": "bubblewrap",
    "prlimit": "util-linux",
    "setpriv": "util-linux",
    "choom": "util-linux",
}
"""What a sandbox is made with, and the Debian packages that have it."""
FIRST_USER = 1_900_000_000
USERS = 200_000_000
"""Numbers of users that no system gives to anybody, nor to containers; each room takes one."""
NOBODY = "65534"
"""Who the program is inside of a namespace of users."""
ROOM = "/player"
"""Where the program's own folder is, inside."""
START_SECONDS = 20.0
WATCH = 0.05
"""Seconds between two looks at what a room takes of the machine."""
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
OF_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")


class NoSandbox(PlygroundError):
    """A sandbox cannot be built here; the sentence says why, and how to mend it."""


@dataclass(frozen=True)
class Limits:
    """What a program may use up."""

    memory: int = 1024
    """MiB of address space for each of its processes, and of memory for all of them together."""
    processes: int = 16
    """Threads count as well."""
    file_size: int = 16
    """MiB."""
    scratch: int = 16
    """MiB of /tmp in all."""
    locks: int = 1
    """MiB of /dev/shm in all."""
    files: int = 10_000
    """In /tmp and /dev/shm together."""
    open_files: int = 128
    cpu_seconds: int = 900
    """For a whole game: a program that never ends is ended."""
    loading_cpu_seconds: float = 20.0
    """Of all its processes together, until it answers for the first time, which says that it is
    ready: as much as one core can give while that is waited for (`players/program.py`). Loading is
    not on the clock, so whoever computes more in it takes the cores from other players."""


@dataclass(frozen=True)
class Room:
    """What is put into a sandbox: the program's folder, and what else it may read."""

    folder: Path
    shown: tuple[Path, ...] = ()
    """Files and folders that are where they are outside."""
    placed: tuple[tuple[Path, Path], ...] = ()
    """Files, each with the place where it is found inside."""
    hidden: tuple[Path, ...] = ()
    """Folders within what is shown that look empty inside."""
    environment: tuple[tuple[str, str], ...] = ()
    """What the program is told that way; nothing else of the environment is there."""


class RoomChannel(Channel):
    """A program in a room. bubblewrap tells about it on a pipe that the room has no part in.

    What no limit of a single process holds is watched by a thread, from the beginning to the end:
    while the program is asked for nothing as well.
    """

    def __init__(self, command: Sequence[str], room: Room, limits: Limits) -> None:
        self._limits = limits
        self._has_answered = False
        reading, writing = os.pipe()
        self._news = os.fdopen(reading, "rb")
        try:
            with _filter_file() as filter_descriptor:
                super().__init__(
                    [*bubblewrap(room, limits, filter_descriptor, writing), *command],
                    environment={},
                    pass_descriptors=[filter_descriptor, writing],
                )
        except BaseException:
            self._news.close()
            raise
        finally:
            os.close(writing)
        self.first_process = _told(self._news.readline(), "child-pid")
        """The number outside of the first process inside; 0 if there is no room."""
        self._handle = _handle(self.first_process)
        self._closing = threading.Event()
        self._watchdog = threading.Thread(target=self._watch, name="sandbox watchdog", daemon=True)
        try:
            self._watchdog.start()
        except RuntimeError:  # there can be no more threads
            self.close()
            raise

    def has_begun(self) -> bool:
        """Whether the room was built and the program in it started, asked after its end. Only then
        does bubblewrap tell its status: a failure before that is nothing that a program did."""
        return self.first_process > 0 and _told(self._news.readline(), "exit-code", -1) >= 0

    def usage(self) -> Usage:
        return Usage.read(self.first_process)

    def listen(self, until: float) -> bytes:
        answer = super().listen(until)
        self._has_answered = True
        return answer

    def _watch(self) -> None:
        while not self.overstepped and not self._has_ended() and not self._closing.wait(WATCH):
            self.check()

    def check(self) -> None:
        """End the room if it has taken too much of what no limit of a single process holds: memory
        and loading time of all together, and files in /tmp, which take memory of the system's."""
        too_much = self._too_much()
        if too_much and not self._has_ended():  # else its number may have been another's meanwhile
            assert self._handle is not None
            self.overstepped = too_much  # before anyone can see that it has ended
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)  # all inside end with it

    def _too_much(self) -> str:
        limit = self._limits
        is_loading, usage = not self._has_answered, self.usage()  # in this order
        if usage.memory > limit.memory << 20:
            return f"its processes hold more than {limit.memory} MiB of memory"
        if is_loading and usage.computed > limit.loading_cpu_seconds:
            return f"it computed for more than {limit.loading_cpu_seconds:g} s before it was ready"
        if self._files() > limit.files:
            return f"it has made more than {limit.files} files"
        return ""

    def _has_ended(self) -> bool:
        """Whether the first process inside has ended, and everything with it."""
        if self._handle is None:
            return True
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return bool(poll.poll(0))

    def _files(self) -> int:
        """How many files are in the room's /tmp and /dev/shm; 0 where nobody may know. While the
        room is being built both are still ours: only those of the right size are the room's."""
        count = 0
        sizes = {"tmp": self._limits.scratch, "dev/shm": self._limits.locks}
        for folder, size in sizes.items():
            with contextlib.suppress(OSError):
                found = os.statvfs(Path("/proc", str(self.first_process), "root", folder))
                if found.f_blocks * found.f_frsize == size << 20:
                    count += found.f_files - found.f_ffree
        return count

    def close(self) -> None:
        self._closing.set()
        if self._watchdog.ident is not None:
            self._watchdog.join()
        super().close()
        self._news.close()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _handle(process: int) -> int | None:
    """A descriptor that means this process for ever, though its number may be given to another;
    None where there is no such process."""
    try:
        return os.pidfd_open(process) if process else None
    except ProcessLookupError:
        return None


def _told(line: bytes, key: str, nothing: int = 0) -> int:
    try:
        return int(json.loads(line)[key])
    except (ValueError, KeyError, TypeError):
        return nothing


def open_channel(command: Sequence[str], room: Room, limits: Limits | None = None) -> RoomChannel:
    """Start a program in a room. Raises NoSandbox where none can be built."""
    why = cannot_be_built()
    if why is not None:
        raise NoSandbox(why)
    return RoomChannel(command, room, limits or Limits())


def bubblewrap(
    room: Room, limits: Limits, filter_descriptor: int, news_descriptor: int
) -> list[str]:
    """The command line up to the program itself."""
    as_root = os.geteuid() == 0
    return [
        *(_found("choom"), "-n", "1000", "--"),
        *_limiting(limits),
        _found("bwrap"),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        "--unshare-cgroup-try",
        *(() if as_root else ("--unshare-user", "--uid", NOBODY, "--gid", NOBODY)),
        *("--die-with-parent", "--new-session", "--clearenv", "--hostname", "room"),
        *("--cap-drop", "ALL"),
        *(("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if as_root else ()),
        *_files(room, limits),
        *("--seccomp", str(filter_descriptor), "--json-status-fd", str(news_descriptor)),
        *("--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/tmp"),
        *("--setenv", "LANG", "C.UTF-8", "--chdir", "/tmp"),
        *(word for pair in room.environment for word in ("--setenv", *pair)),
        *(_as_nobody() if as_root else ()),
        # The last of all. Where bubblewrap itself is under this limit, it counts everything else
        # that the user is running.
        *(_found("prlimit"), f"--nproc={limits.processes}"),
    ]


def _limiting(limits: Limits) -> list[str]:
    mebibyte = 1 << 20
    return [
        _found("prlimit"),
        f"--as={limits.memory * mebibyte}",
        f"--fsize={limits.file_size * mebibyte}",
        f"--nofile={limits.open_files}",
        f"--cpu={limits.cpu_seconds}",
        "--core=0",
        "--memlock=0",
        "--msgqueue=0",
    ]


def _files(room: Room, limits: Limits) -> Iterator[str]:
    """The system to read, a /tmp to write, the program's folder, and all else read-only.

    What is shown may itself lie in /tmp, so that comes first.
    """
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--proc", "/proc", "--dev", "/dev")
    # For the locks of a pool of processes, which are files there.
    yield from ("--size", str(limits.locks << 20), "--perms", "1777", "--tmpfs", "/dev/shm")
    yield from ("--size", str(limits.scratch << 20), "--perms", "1777", "--tmpfs", "/tmp")
    made: set[Path] = {Path("/"), Path("/usr"), Path("/tmp")}
    for path in (*map(Path, OF_ETC), *_python(), *room.shown):
        if path.exists() and not path.is_relative_to("/usr"):
            yield from _parents(path, made)
            yield from ("--ro-bind", str(path), str(path))
    for source, place in room.placed:
        yield from _parents(place, made)
        yield from ("--ro-bind", str(source), str(place))
    seen = (Path("/usr"), *_python(), *room.shown)
    for path in room.hidden:
        if path.is_dir() and any(path.is_relative_to(folder) for folder in seen):
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
    yield from ("--ro-bind", str(room.folder), ROOM)
    # The first process in the room has more rights than the program and, where the teacher is not
    # root, the same user. In /proc nothing can be changed either, such as who goes first when
    # memory is short.
    yield from ("--tmpfs", "/proc/1", "--remount-ro", "/proc/1", "--remount-ro", "/proc")
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
    user = str(FIRST_USER + secrets.randbelow(USERS))
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
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return "a sandbox needs Linux 5.3 or later (and, in a container, leave to call pidfd_open)"
    return _fails_to_start()


def _fails_to_start() -> str | None:
    """Start Python in a room once, and see. The room shows a folder that is there anyway: whoever
    is killed meanwhile leaves none behind."""
    command, room = [python(), "-I", "-B", "-c", "pass"], Room(Path(__file__).resolve().parent)
    with contextlib.closing(RoomChannel(command, room, Limits())) as channel:
        status = channel.wait(START_SECONDS)
        said = " ".join(channel.complaints.split()) or f"it ended with status {status}"
        if status == 0:
            return None
        if status is not None and channel.has_begun():
            return (
                f"Python does not start in a sandbox here ({said[:200]}): install plyground"
                " with a Python that every user may read and run"
            )
    return (
        f"bubblewrap cannot build a sandbox here ({said[:200]}): allow namespaces of users with"
        " sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu"
        " kernel.apparmor_restrict_unprivileged_userns=0"
    )
