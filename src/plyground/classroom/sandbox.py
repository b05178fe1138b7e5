"""Sandbox for untrusted programs (bubblewrap).

Inside there is no network, none of the user's files, no other process, and nothing to write to but
a small private /tmp. The system and Python are read-only. A program starts with an empty
environment and no open file but the three pipes, and the kernel ends it first if memory is short.

Started by root, the sandbox is built by root and the program then becomes an unused user: so the
limits of a user apply, and a Python under root's home can be mounted. Started by another user, the
sandbox is a user namespace, with its own count of processes.

Only Linux has all this. `cannot_be_built` is the gate: elsewhere it says so, and no process is
started. The other questions for the platform below are for the type checker.
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
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground.classroom.seccomp import filter_program
from plyground.core.errors import PlygroundError
from plyground.players.line_process import LineProcess
from plyground.players.usage import Usage

PROGRAMS = {
    "bwrap": "bubblewrap",
    "prlimit": "util-linux",
    "setpriv": "util-linux",
    "choom": "util-linux",
}
"""The programs that a sandbox needs, and their Debian packages."""
FIRST_USER = 1_900_000_000
USERS = 200_000_000
"""User ids that systems and containers do not use. Each sandbox takes a random one."""
NOBODY = "65534"
"""The user id inside a user namespace."""
PLAYER_FOLDER = "/player"
"""The path of the program's own folder inside."""
START_SECONDS = 20.0
WATCH_INTERVAL = 0.05
"""Seconds between two checks of a sandbox's total usage."""
SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
OF_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives")


class NoSandbox(PlygroundError):
    """A sandbox cannot be built here. The message says why, and what to do."""


@dataclass(frozen=True)
class ResourceLimits:
    """What a program may use."""

    memory: int = 1024
    """MiB of address space for each of its processes, and of memory for all of them together."""
    processes: int = 16
    """Including threads."""
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
    """Of each process, for a whole game."""
    loading_cpu_seconds: float = 20.0
    """Of all its processes together until the first answer, which reports that it is ready. Loading
    is not on the clock, and must not take several cores from other players."""


@dataclass(frozen=True)
class SandboxFiles:
    """What a program finds in a sandbox: its own folder, and what else it may read."""

    folder: Path
    shown: tuple[Path, ...] = ()
    """Files and folders with the same path inside as outside."""
    placed: tuple[tuple[Path, Path], ...] = ()
    """Files, each with its path inside."""
    hidden: tuple[Path, ...] = ()
    """Folders within those shown that are empty inside."""
    environment: tuple[tuple[str, str], ...] = ()
    """Environment variables; there are no others but PATH, HOME and LANG."""


class SandboxProcess(LineProcess):
    """A program in a sandbox. bubblewrap reports its status on a pipe that is closed inside.

    A thread checks the totals of all processes, which no limit of a single process bounds, as long
    as the program runs.
    """

    def __init__(self, command: Sequence[str], files: SandboxFiles, limits: ResourceLimits) -> None:
        self._limits = limits
        self._has_answered = False
        reading, writing = os.pipe()
        self._status_pipe = os.fdopen(reading, "rb")
        try:
            with _filter_file() as filter_descriptor:
                super().__init__(
                    [*bubblewrap(files, limits, filter_descriptor, writing), *command],
                    environment={},
                    pass_descriptors=[filter_descriptor, writing],
                )
        except BaseException:
            self._status_pipe.close()
            raise
        finally:
            os.close(writing)
        self.first_process = _status_number(self._status_pipe.readline(), "child-pid")
        """The pid outside of the first process inside; 0 if the sandbox was not built."""
        self._handle = _open_process(self.first_process)
        self._closing = threading.Event()
        self._watchdog = threading.Thread(target=self._watch, name="sandbox watchdog", daemon=True)
        try:
            self._watchdog.start()
        except RuntimeError:  # no more threads can be started
            self.close()
            raise

    def has_started(self) -> bool:
        """Whether the sandbox was built and the program started in it, asked after its end. Only
        then does bubblewrap report an exit status."""
        line = self._status_pipe.readline() if self.first_process else b""
        return _status_number(line, "exit-code", -1) >= 0

    def usage(self) -> Usage:
        return Usage.read(self.first_process)

    def read_line(self, until: float) -> bytes:
        answer = super().read_line(until)
        self._has_answered = True
        return answer

    def _watch(self) -> None:
        while not (self.exceeded or self.has_ended() or self._closing.wait(WATCH_INTERVAL)):
            self.check()

    def check(self) -> None:
        """End the sandbox if its processes together have exceeded a limit: of memory, of CPU time
        for loading, or of files in /tmp, which take the system's memory."""
        exceeded = self._exceeded_limit()
        # Its pid may have been reused after its end.
        if sys.platform == "linux" and exceeded and not self.has_ended():
            assert self._handle is not None
            self.exceeded = exceeded  # before its end can be noticed
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)  # ends all inside

    def _exceeded_limit(self) -> str:
        limit = self._limits
        is_loading, usage = not self._has_answered, self.usage()  # in this order
        if usage.memory > limit.memory << 20:
            return f"its processes hold more than {limit.memory} MiB of memory"
        if is_loading and usage.computed > limit.loading_cpu_seconds:
            return f"it computed for more than {limit.loading_cpu_seconds:g} s before it was ready"
        if self._file_count() > limit.files:
            return f"it has made more than {limit.files} files"
        return ""

    def has_ended(self) -> bool:
        """Whether the first process inside has ended, and with it all others."""
        if sys.platform != "linux" or self._handle is None:
            return True
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return bool(poll.poll(0))

    def _file_count(self) -> int:
        """The number of files in /tmp and /dev/shm inside; 0 if unknown. While the sandbox is being
        built these are the system's own, which have another size."""
        if sys.platform != "linux":
            return 0
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
        self._status_pipe.close()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _open_process(process: int) -> int | None:
    """A pidfd, which still means this process when its pid is reused; None if it has ended."""
    if sys.platform != "linux" or not process:
        return None
    try:
        return os.pidfd_open(process)
    except ProcessLookupError:
        return None


def _status_number(line: bytes, key: str, nothing: int = 0) -> int:
    try:
        return int(json.loads(line)[key])
    except (ValueError, KeyError, TypeError):
        return nothing


def start_sandboxed(
    command: Sequence[str], files: SandboxFiles, limits: ResourceLimits | None = None
) -> SandboxProcess:
    """Start a program in a sandbox. Raises NoSandbox if none can be built here."""
    why = cannot_be_built()
    if why is not None:
        raise NoSandbox(why)
    return SandboxProcess(command, files, limits or ResourceLimits())


def bubblewrap(
    files: SandboxFiles, limits: ResourceLimits, filter_descriptor: int, status_descriptor: int
) -> list[str]:
    """The command line up to the program itself."""
    as_root = sys.platform == "linux" and os.geteuid() == 0
    return [
        *(find_program("choom"), "-n", "1000", "--"),
        *_limiting(limits),
        find_program("bwrap"),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        "--unshare-cgroup-try",
        *(() if as_root else ("--unshare-user", "--uid", NOBODY, "--gid", NOBODY)),
        *("--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"),
        *("--cap-drop", "ALL"),
        *(("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID") if as_root else ()),
        *_mounts(files, limits),
        *("--seccomp", str(filter_descriptor), "--json-status-fd", str(status_descriptor)),
        *("--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/tmp"),
        *("--setenv", "LANG", "C.UTF-8", "--chdir", "/tmp"),
        *(word for pair in files.environment for word in ("--setenv", *pair)),
        *(_as_unused_user() if as_root else ()),
        # Set last: for bubblewrap itself this limit would count all other processes of the user.
        *(find_program("prlimit"), f"--nproc={limits.processes}"),
    ]


def _limiting(limits: ResourceLimits) -> list[str]:
    mebibyte = 1 << 20
    return [
        find_program("prlimit"),
        f"--as={limits.memory * mebibyte}",
        f"--fsize={limits.file_size * mebibyte}",
        f"--nofile={limits.open_files}",
        f"--cpu={limits.cpu_seconds}",
        "--core=0",
        "--memlock=0",
        "--msgqueue=0",
    ]


def _mounts(files: SandboxFiles, limits: ResourceLimits) -> Iterator[str]:
    """The read-only system, a /tmp to write to, and the program's folder.

    /tmp is mounted first, because files to show may be in /tmp.
    """
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--proc", "/proc", "--dev", "/dev")
    # For the locks of a process pool, which are files there.
    yield from ("--size", str(limits.locks << 20), "--perms", "1777", "--tmpfs", "/dev/shm")
    yield from ("--size", str(limits.scratch << 20), "--perms", "1777", "--tmpfs", "/tmp")
    made: set[Path] = {Path("/"), Path("/usr"), Path("/tmp")}
    for path in (*map(Path, OF_ETC), *_python(), *files.shown):
        if path.exists() and not path.is_relative_to("/usr"):
            yield from _parents(path, made)
            yield from ("--ro-bind", str(path), str(path))
    for source, place in files.placed:
        yield from _parents(place, made)
        yield from ("--ro-bind", str(source), str(place))
    seen = (Path("/usr"), *_python(), *files.shown)
    for path in files.hidden:
        if path.is_dir() and any(path.is_relative_to(folder) for folder in seen):
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
    yield from ("--ro-bind", str(files.folder), PLAYER_FOLDER)
    # The first process inside has more rights than the program and may have the same user, so its
    # /proc folder is hidden. The rest of /proc is read-only, oom_score_adj for example.
    yield from ("--tmpfs", "/proc/1", "--remount-ro", "/proc/1", "--remount-ro", "/proc")
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _parents(path: Path, made: set[Path]) -> Iterator[str]:
    """Folders above a path that every user may enter: those that bubblewrap makes are private."""
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


def _as_unused_user() -> tuple[str, ...]:
    user = str(FIRST_USER + secrets.randbelow(USERS))
    return (
        find_program("setpriv"),
        *("--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"),
        *("--inh-caps=-all", "--bounding-set=-all"),
    )


@contextlib.contextmanager
def _filter_file() -> Iterator[int]:
    """A descriptor from which bubblewrap reads the filter: a file in memory, so that a grader that
    is killed leaves none behind."""
    if sys.platform != "linux":
        raise NoSandbox("a sandbox needs Linux")
    with os.fdopen(os.memfd_create("filter"), "w+b") as file:
        file.write(filter_program() or b"")
        file.seek(0)
        yield file.fileno()


# Whether it works here


@cache
def find_program(program: str) -> str:
    return shutil.which(program, path="/usr/bin:/bin:/usr/sbin:/sbin") or program


@cache
def cannot_be_built() -> str | None:
    """Why no sandbox can be built on this machine, and what to do; None if one can."""
    if sys.platform != "linux":
        system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        return f"a sandbox needs Linux, and this is {system}"
    for program, package in PROGRAMS.items():
        if shutil.which(find_program(program)) is None:
            return f"{program} is not installed: on Debian, apt-get install {package}"
    if filter_program() is None:
        return "system calls cannot be filtered on this kind of processor"
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return "a sandbox needs Linux 5.3 or later (and, in a container, leave to call pidfd_open)"
    return _fails_to_start()


def _fails_to_start() -> str | None:
    """Try to start Python in a sandbox. It shows an existing folder: a grader that is killed must
    not leave one behind."""
    command = [python(), "-I", "-B", "-c", "pass"]
    files = SandboxFiles(Path(__file__).resolve().parent)
    with contextlib.closing(SandboxProcess(command, files, ResourceLimits())) as process:
        status = process.wait(START_SECONDS)
        said = " ".join(process.stderr.split()) or f"it ended with status {status}"
        if status == 0:
            return None
        if status is not None and process.has_started():
            return (
                f"Python does not start in a sandbox here ({said[:200]}): install plyground"
                " with a Python that every user may read and run"
            )
    return (
        f"bubblewrap cannot build a sandbox here ({said[:200]}): allow namespaces of users with"
        " sysctl kernel.unprivileged_userns_clone=1, and on Ubuntu"
        " kernel.apparmor_restrict_unprivileged_userns=0"
    )
