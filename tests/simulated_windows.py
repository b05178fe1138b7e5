"""A Python in which plyground finds what there is on Windows, and nothing else.

Only the modules of plyground see that system: the standard library and Numba need the real one.
Their child processes see the same. Not simulated are paths, the console, and what other processes
do with open files.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import ctypes
import errno
import fcntl
import io
import mmap
import multiprocessing
import os
import runpy
import select
import signal
import stat
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.paths import ROOT

PACKAGE = str(Path(find_spec("plyground").origin).parent)  # type: ignore[union-attr, arg-type]

MISSING_MODULES = set(
    "crypt fcntl grp nis posix pty pwd readline resource spwd syslog termios tty".split()
)
MISSING_NAMES = {
    "mmap": {name for name in dir(mmap) if name.startswith(("MAP_", "MADV_", "PROT_"))},
    "os": set(
        """O_ASYNC O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH O_SYNC O_TMPFILE
        PRIO_PROCESS WEXITED WNOHANG WNOWAIT chown chroot copy_file_range ctermid eventfd fchmod
        fchown fdatasync fork forkpty getegid geteuid getgid getgroups getloadavg getpgid getpgrp
        getpriority getresuid getsid getuid initgroups killpg lchown major makedev memfd_create
        mkfifo mknod nice openpty pidfd_open pipe2 posix_fadvise posix_fallocate posix_spawn pread
        preadv pwrite pwritev register_at_fork sched_getaffinity sched_getscheduler
        sched_setaffinity sched_setscheduler sched_yield sendfile set_blocking setpgid setpriority
        setsid splice statvfs sync sysconf sysconf_names tcgetpgrp ttyname uname wait wait3 wait4
        waitid writev""".split()
    ),
    "select": {"epoll", "poll"},
    "selectors": {"DefaultSelector", "EpollSelector", "PollSelector"},  # useless with pipes
    "signal": {name for name in dir(signal) if name.startswith(("SIG", "pthread_", "pidfd_"))}
    | {"alarm", "getitimer", "pause", "setitimer", "siginterrupt", "sigpending", "sigwait"},
    "time": {name for name in dir(time) if name.startswith(("clock_", "CLOCK_", "pthread_"))},
}
MISSING_NAMES["signal"] -= {"SIGABRT", "SIGINT", "SIGTERM", "SIG_DFL", "SIG_IGN"}

NEW_PROCESS_GROUP = 0x200
MEMORY = 8 << 20
"""Of the simulated machine, in KiB."""
FREQUENCY = 10_000_000
"""Ticks in a second of the simulated clock, which is the real one, less precise."""
CLOCK = f"""
declare i32 @clock_gettime(i32, ptr)

define i32 @QueryPerformanceFrequency(ptr %out) {{
  store i64 {FREQUENCY}, ptr %out
  ret i32 1
}}

define i32 @QueryPerformanceCounter(ptr %out) {{
  %place = alloca {{i64, i64}}
  %status = call i32 @clock_gettime(i32 {time.CLOCK_MONOTONIC}, ptr %place)
  %time = load {{i64, i64}}, ptr %place
  %seconds = extractvalue {{i64, i64}} %time, 0
  %nanoseconds = extractvalue {{i64, i64}} %time, 1
  %whole = mul i64 %seconds, {FREQUENCY}
  %parts = udiv i64 %nanoseconds, {1_000_000_000 // FREQUENCY}
  %ticks = add i64 %whole, %parts
  store i64 %ticks, ptr %out
  ret i32 1
}}
"""
_compiled: list[Any] = []
"""Keeps the code of the clock alive."""


class View(ModuleType):
    """A module without some of its names, and with others changed."""

    def __new__(cls, module: ModuleType | str, **_: Any) -> Any:
        """`type(sys)("name")` makes a module."""
        return ModuleType(module) if isinstance(module, str) else super().__new__(cls)

    def __init__(self, module: ModuleType, **changes: Any) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(changes, _module=module)

    def __getattr__(self, name: str) -> Any:
        module: ModuleType = self.__dict__["_module"]
        if name in MISSING_NAMES.get(module.__name__, ()):
            raise AttributeError(f"there is no {module.__name__}.{name} on Windows")
        return getattr(module, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.__dict__["_module"], name, value)


# What behaves differently


def kill(pid: int, number: int) -> None:
    """The only signals are Ctrl-C and Ctrl-Break. All others end the process."""
    assert number == signal.SIGTERM
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        raise PermissionError(errno.EACCES, "Access is denied") from None


def select_sockets(*lists: Any) -> Any:
    for descriptor in (descriptor for listed in lists[:3] for descriptor in listed):
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            raise OSError(errno.ENOTSOCK, "An operation was attempted on something not a socket")
    return select.select(*lists)


def locking(descriptor: int, mode: int, count: int) -> None:
    """A locked byte cannot be read by others, so it must lie behind the content."""
    assert (mode, count) == (2, 1)
    assert os.lseek(descriptor, 0, os.SEEK_CUR) > os.fstat(descriptor).st_size
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


class WindowsPopen(subprocess.Popen[Any]):
    def __init__(self, *arguments: Any, creationflags: int = 0, **settings: Any) -> None:
        assert creationflags in (0, NEW_PROCESS_GROUP)
        assert not settings.get("pass_fds")
        assert settings.get("env", os.environ), "no program starts without SYSTEMROOT"
        super().__init__(*arguments, **settings)


def run_program(command: list[str], **settings: Any) -> Any:
    if command[0] == "taskkill":
        assert command[1:4] == ["/F", "/T", "/PID"]
        os.killpg(int(command[4]), signal.SIGKILL)
        return None
    return subprocess.run(command, **settings)


async def create_subprocess_exec(*command: str, creationflags: int, **settings: Any) -> Any:
    assert creationflags == NEW_PROCESS_GROUP
    return await asyncio.create_subprocess_exec(*command, **settings)


class Kernel32:
    def GetPhysicallyInstalledSystemMemory(self, place: Any) -> int:  # noqa: N802  its name
        place._obj.value = MEMORY
        return 1


def no_library(name: str | None) -> ctypes.CDLL:
    if name is None:
        raise TypeError("argument of type 'NoneType' is not iterable")
    return ctypes.CDLL(name)


def simulate(executable: str) -> None:
    """From now on, modules of plyground see Windows; `executable` starts other such processes."""
    views = {
        "asyncio": View(asyncio, create_subprocess_exec=create_subprocess_exec),
        "ctypes": View(ctypes, CDLL=no_library, windll=View(ctypes, kernel32=Kernel32())),
        "mmap": View(mmap, mmap=lambda descriptor, size: mmap.mmap(descriptor, size)),
        "msvcrt": View(ModuleType("msvcrt"), LK_NBLCK=2, locking=locking),
        "os": View(os, kill=kill),
        "select": View(select, select=select_sockets),
        "selectors": View(__import__("selectors")),
        "signal": View(signal),
        "subprocess": View(
            subprocess,
            CREATE_NEW_PROCESS_GROUP=NEW_PROCESS_GROUP,
            Popen=WindowsPopen,
            run=run_program,
        ),
        "sys": View(sys, platform="win32", executable=executable),
        "time": View(time),
    }
    multiprocessing.set_executable(executable)
    _refuse_open_files()
    _hide_proc()
    real_import = builtins.__import__

    def find(name: str, importer: Any = None, *rest: Any, **settings: Any) -> Any:
        if importer and str(importer.get("__file__", "")).startswith(PACKAGE):
            if name in MISSING_MODULES:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in views:
                return views[name]
            if name == "llvmlite":
                _define_clock()
        return real_import(name, importer, *rest, **settings)

    builtins.__import__ = find  # type: ignore[assignment]


def _define_clock() -> None:
    """Give kernels the functions of the system that read the clock."""
    from llvmlite import binding

    if not _compiled:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_default_triple().create_target_machine()
        engine = binding.create_mcjit_compiler(binding.parse_assembly(CLOCK), machine)
        engine.finalize_object()
        for name in ("QueryPerformanceFrequency", "QueryPerformanceCounter"):
            binding.add_symbol(name, engine.get_function_address(name))
        _compiled.append(engine)


def _refuse_open_files() -> None:
    """No file that is open can be replaced or removed."""

    def refusing(function: Any) -> Any:
        def refuse_or_call(*paths: Any, **settings: Any) -> Any:
            folder = settings.get("dir_fd")
            for path in map(os.fsdecode, paths):
                if folder is not None:
                    path = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), path)
                if os.path.realpath(path) in _open_files():
                    raise PermissionError(errno.EACCES, "The file is being used", path)
            return function(*paths, **settings)

        return refuse_or_call

    for name in ("remove", "rename", "replace", "unlink"):
        setattr(os, name, refusing(getattr(os, name)))


def _open_files() -> set[str]:
    found = set()
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the descriptor of the list itself
            found.add(os.readlink(f"/proc/self/fd/{descriptor}"))
    return found


def _hide_proc() -> None:
    real_open = builtins.open

    def open_elsewhere(file: Any, *arguments: Any, **settings: Any) -> Any:
        if isinstance(file, str | os.PathLike) and os.fspath(file).startswith("/proc"):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(file))
        return real_open(file, *arguments, **settings)

    builtins.open = io.open = open_elsewhere


# Running


def write_executable(folder: Path) -> Path:
    """A program to be called like Python, in which plyground sees Windows."""
    path = folder / "python-on-windows"
    here = f"sys.path.insert(0, {str(ROOT)!r})"
    start = "from tests.simulated_windows import main; main()"
    path.write_text(f"#!{sys.executable}\nimport sys; {here}; {start}\n")
    path.chmod(0o755)
    return path


def main() -> None:
    """Run a module, a text or a file, as Python would with the same arguments."""
    sys.path.remove(str(ROOT))
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(encoding="cp1252")
    simulate(os.path.abspath(sys.argv[0]))
    arguments = sys.argv[1:]
    while arguments[0].startswith("-") and arguments[0] not in ("-c", "-m"):
        del arguments[: 2 if arguments[0] in ("-W", "-X") else 1]
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        exec(arguments[1], sys.modules["__main__"].__dict__)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")
