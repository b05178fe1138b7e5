"""The sandbox: what is in it, what it allows, and what happens beyond its limits."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from plyground.classroom import sandbox
from plyground.classroom.sandbox import (
    FIRST_USER,
    PLAYER_FOLDER,
    USERS,
    ResourceLimits,
    SandboxFiles,
    python,
    start_sandboxed,
)
from plyground.players.line_process import ProcessClosed
from plyground.players.usage import Usage
from tests.classroom.sandboxes import (
    PATIENCE,
    comes_true,
    descendants,
    need_sandbox,
    nobody_is_left,
    run_inside,
)
from tests.paths import ROOT

AS_ROOT = os.geteuid() == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    need_sandbox()
    return tmp_path


# What is there


def test_only_the_system_python_and_the_players_folder_are_there(folder: Path) -> None:
    (folder / "beside.txt").write_text("hello")
    seen, status, _ = run_inside("tell([os.listdir('/'), os.listdir('/player')])", folder)
    assert status == 0
    home = Path(sys.base_prefix).parts[1]
    known = {"usr", "lib", "lib64", "lib32", "bin", "sbin", "etc", "proc", "dev", "tmp", "player"}
    assert set(seen[0]) <= known | {home}
    assert sorted(seen[1]) == ["beside.txt", "program.py"]


def test_none_of_the_users_files_are_there(folder: Path) -> None:
    places = ["/etc/shadow", "/etc/passwd", "/etc/hosts", "/var", "/run", "/sys", "/boot", "/srv"]
    places += [str(Path.home() / ".bashrc"), str(ROOT / "README.md"), str(folder)]
    seen, _, _ = run_inside(f"tell([os.path.exists(path) for path in {places!r}])", folder)
    assert seen == [False] * len(places)


def test_nothing_is_inherited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of the grader")
    code = """
        inherited = {name: os.readlink(f"/proc/self/fd/{name}").partition(":")[0]
                     for name in os.listdir("/proc/self/fd") if name != "3"}
        of_first = open("/proc/1/environ", "rb").read() if os.access("/proc/1/environ", 4) else b""
        tell([inherited, dict(os.environ), of_first.decode()])
    """
    with open(folder / "open.txt", "w") as file:
        os.set_inheritable(file.fileno(), True)
        seen, _, _ = run_inside(code, folder)
    assert seen[0] == {"0": "pipe", "1": "pipe", "2": "pipe"}
    known = {"PATH": "/usr/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "PWD": "/tmp"}
    assert seen[1].items() <= known.items()
    assert seen[2] == ""


def test_there_is_no_other_process(folder: Path) -> None:
    seen, _, _ = run_inside(
        "tell([sorted(int(name) for name in os.listdir('/proc') if name.isdigit()), os.getpid()])",
        folder,
    )
    assert seen == [[1, 2], 2]


def test_the_player_is_nobody_and_cannot_become_somebody(folder: Path) -> None:
    code = """
        def refused(what):
            try: what()
            except OSError as error: return error.strerror
            return "done"
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        tell([os.getuid(), int(status["CapEff"], 16), int(status["NoNewPrivs"]),
              refused(lambda: os.setuid(0)), refused(lambda: os.setgroups([0])),
              refused(lambda: os.chroot("/tmp")),
              refused(lambda: os.kill(1, 9)) in ("done", "Operation not permitted")])
    """
    seen, _, _ = run_inside(code, folder)
    user = seen[0]
    assert FIRST_USER <= user < FIRST_USER + USERS if AS_ROOT else user == int(sandbox.NOBODY)
    refused = "Operation not permitted"
    assert seen[1:3] == [0, 1]
    assert seen[3] in (refused, "Invalid argument")
    assert seen[4:] == [refused, refused, True]


def test_two_sandboxes_have_two_users(folder: Path) -> None:
    if not AS_ROOT:
        pytest.skip("in a namespace of its own everyone is the same nobody")
    users = {run_inside("tell(os.getuid())", folder)[0] for _ in range(3)}
    assert len(users) == 3


def test_what_is_shown_is_where_it_is_outside_and_what_is_hidden_is_empty(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also under /tmp, where the sandbox has a folder of its own."""
    shown = tmp_path_factory.mktemp("shown")
    shown.chmod(0o755)
    (shown / "library.txt").write_text("to read")
    (shown / "answers").mkdir()
    (shown / "answers" / "right.txt").write_text("not to read")
    code = f"""
        folder = {str(shown)!r}
        try: open(folder + "/new.txt", "w"); written = True
        except OSError: written = False
        try: open(folder + "/answers/new.txt", "w"); written = True
        except OSError: pass
        tell([open(folder + "/library.txt").read(), os.listdir(folder + "/answers"), written])
    """
    seen, _, _ = run_inside(code, folder, shown=(shown,), hidden=(shown / "answers",))
    assert seen == ["to read", [], False]


# What it allows


def test_nothing_can_be_written_but_a_little_in_tmp_and_for_locks(folder: Path) -> None:
    code = """
        def writes(folder):
            try: open(folder + "/new.txt", "w").write("x")
            except OSError: return False
            return True
        folders = "/ /usr /etc /dev /proc /proc/sys /player".split()
        tell([writes("/tmp"), writes("/dev/shm"), [name for name in folders if writes(name)]])
    """
    assert run_inside(code, folder)[0] == [True, True, []]
    assert sorted(path.name for path in folder.iterdir()) == ["program.py"]


def test_tmp_and_each_file_in_it_are_limited(folder: Path) -> None:
    code = """
        import signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        def fill(path):
            size = 0
            try:
                with open(path, "wb", buffering=0) as file:
                    while size < 99 << 20: size += file.write(bytes(1 << 20))
            except OSError as error: return size >> 20
            return size >> 20
        tell([fill("/tmp/one"), fill("/tmp/two"), fill("/tmp/three"), fill("/dev/shm/four")])
    """
    limits = ResourceLimits(file_size=4, scratch=6)
    assert run_inside(code, folder, limits=limits)[0] == [4, 2, 0, 1]


def test_memory_is_limited(folder: Path) -> None:
    code = """
        try: len(bytearray(600 << 20)); tell("had it")
        except MemoryError: tell("no memory")
    """
    assert run_inside(code, folder, limits=ResourceLimits(memory=512))[0] == "no memory"
    assert run_inside(code, folder)[0] == "had it"


def test_memory_that_no_limit_counts_is_refused(folder: Path) -> None:
    code = """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        def asks(call):
            ctypes.set_errno(0)
            return call() >= 0 or ctypes.get_errno()
        tell([asks(lambda: libc.memfd_create(b"x", 0)), asks(lambda: libc.shmget(0, 999, 0o1600)),
              asks(lambda: libc.msgget(0, 0o1600)), asks(lambda: libc.semget(0, 1, 0o1600))])
    """
    assert run_inside(code, folder)[0] == [1, 1, 1, 1]


def test_processes_and_threads_are_limited_together(folder: Path) -> None:
    code = """
        import threading, time
        started = 1
        try:
            while started < 99:
                if started % 2: threading.Thread(target=time.sleep, args=[5], daemon=True).start()
                elif not os.fork():
                    time.sleep(5)
                    os._exit(0)
                started += 1
        except (OSError, RuntimeError): pass
        tell(started)
        os._exit(0)
    """
    before = descendants()
    most = run_inside(code, folder, limits=ResourceLimits(processes=7))[0]
    assert 5 <= most <= 7, "bubblewrap may count as one"
    assert nobody_is_left(before)


def test_open_files_are_limited(folder: Path) -> None:
    code = """
        files = []
        try:
            while len(files) < 999: files.append(open("/dev/null"))
        except OSError as error: tell([error.strerror, len(files)])
    """
    told, count = run_inside(code, folder, limits=ResourceLimits(open_files=40))[0]
    assert told == "Too many open files"
    assert count < 40


def test_who_computes_for_ever_is_ended(folder: Path) -> None:
    _, status, _ = run_inside("while True: pass", folder, limits=ResourceLimits(cpu_seconds=1))
    assert status == 128 + 9 or status == 128 + 24, "killed, or told that the time is over"


def test_ordinary_programs_run(folder: Path) -> None:
    code = """
        import subprocess, socket, threading, tempfile, multiprocessing
        here, there = socket.socketpair()
        here.send(b"through a pair of sockets")
        thread = threading.Thread(target=lambda: None); thread.start(); thread.join()
        with tempfile.TemporaryFile() as file: file.write(b"x")
        tell([subprocess.run(["echo", "run"], capture_output=True, text=True).stdout,
              os.system("true"), there.recv(99).decode()])
    """
    told, status, complaints = run_inside(code, folder)
    assert (told, status) == (["run\n", 0, "through a pair of sockets"], 0), complaints


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("TCP", "socket.create_connection(('192.0.2.1', 80), 1)"),
        ("UDP", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))"),
        ("the machine itself", "socket.create_connection(('127.0.0.1', 22), 1)"),
        ("names", "socket.getaddrinfo('localhost.example', 80)"),
        ("a server of its own", "socket.create_server(('127.0.0.1', 0))"),
        ("the kernel's sockets", "socket.socket(16, socket.SOCK_RAW)"),
        (
            "a socket in a file",
            "socket.socket(socket.AF_UNIX).connect('/run/dbus/system_bus_socket')",
        ),
    ],
)
def test_there_is_no_network(what: str, code: str, folder: Path) -> None:
    wrapped = f"import socket\ntry: {code}\nexcept OSError as error: tell(type(error).__name__)"
    assert run_inside(wrapped, folder)[0], what


def test_a_listener_outside_is_not_reached(folder: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        server.settimeout(0.2)
        run_inside(f"import socket\nsocket.create_connection({address!r}, 1)", folder)
        with pytest.raises(TimeoutError):
            server.accept()


def test_the_kernels_corners_are_out_of_reach(folder: Path) -> None:
    code = """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        def asks(call, *arguments):
            ctypes.set_errno(0)
            return call(*arguments) >= 0 or ctypes.get_errno()
        tell([asks(libc.ptrace, 16, 1, 0, 0), asks(libc.mount, b"none", b"/tmp", b"tmpfs", 0, 0),
              asks(libc.unshare, 0x10000000), asks(libc.setns, 0, 0), asks(libc.syscall, 321, 0)])
    """
    told = run_inside(code, folder)[0]
    assert told[:4] == [1, 1, 1, 1]


# How it is told what became of it


def test_a_program_that_started_has_begun_and_one_that_could_not_be_has_not(folder: Path) -> None:
    def begun(command: list[str], inside: SandboxFiles) -> tuple[int | None, bool]:
        with contextlib.closing(start_sandboxed(command, inside)) as process:
            status = process.wait(PATIENCE)
            return status, process.has_started()

    folder.chmod(0o755)
    assert begun([python(), "-c", "raise SystemExit(7)"], SandboxFiles(folder)) == (7, True)
    assert begun([python(), "-c", "import os; os.kill(os.getpid(), 9)"], SandboxFiles(folder)) == (
        137,
        True,
    )
    status, has_started = begun([python(), "-c", "pass"], SandboxFiles(folder / "nowhere"))
    assert status != 0
    assert not has_started


def test_when_the_grader_is_killed_so_is_the_sandbox(folder: Path) -> None:
    code = f"""
        from pathlib import Path
        import time
        from plyground.classroom.sandbox import SandboxFiles, start_sandboxed, python
        command = [python(), "-c", "import time; print(1, flush=True); time.sleep(1000)"]
        process = start_sandboxed(command, SandboxFiles(Path({str(folder)!r})))
        process.ask(b"", time.perf_counter() + {PATIENCE})
        print(process.first_process, flush=True)
        time.sleep(1000)
    """
    folder.chmod(0o755)
    grader = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    assert grader.stdout
    first = int(grader.stdout.readline())
    assert Path(f"/proc/{first}").exists()
    grader.kill()
    grader.wait()
    grader.stdout.close()
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{first}").exists():
        assert time.monotonic() < until
        time.sleep(0.02)


HOARDERS = {
    "its processes hold more than 256 MiB of memory": """
        for _ in range(6):
            if not os.fork():
                taken = bytearray(b"x") * (100 << 20)
                time.sleep(1000)
        time.sleep(1000)
    """,
    "it has made more than 500 files": """
        for number in range(120_000): os.close(os.open(f"/tmp/{number}", os.O_CREAT))
        time.sleep(1000)
    """,
}


@pytest.mark.parametrize("told", HOARDERS)
def test_who_takes_too_much_is_ended_though_nobody_asks_it_for_anything(
    told: str, folder: Path
) -> None:
    folder.chmod(0o755)
    answering = "import os, time\nprint(1, flush=True)\n"
    (folder / "program.py").write_text(answering + textwrap.dedent(HOARDERS[told]))
    command = [python(), "-I", "-B", f"{PLAYER_FOLDER}/program.py"]
    before = descendants()
    limits = ResourceLimits(memory=256, files=500)
    with contextlib.closing(start_sandboxed(command, SandboxFiles(folder), limits)) as process:
        assert process.ask(b"", time.perf_counter() + PATIENCE) == b"1"
        assert comes_true(lambda: process.status is not None)
        assert process.exceeded == told
    assert nobody_is_left(before)


BUSY = """
    import os, sys, time
    def compute(seconds):
        while time.process_time() < seconds: pass
    if sys.stdin.readline() == "\\n":
        print("ready", flush=True)
        sys.stdin.readline()
    for _ in range(3):
        if not os.fork():
            compute(0.5); os._exit(0)
    compute(0.5)
    print("done", flush=True)
    time.sleep(1000)
"""


def test_who_computes_too_much_before_it_is_ready_is_ended_and_afterwards_not(folder: Path) -> None:
    folder.chmod(0o755)
    (folder / "program.py").write_text(textwrap.dedent(BUSY))
    command, limits = (
        [python(), "-I", f"{PLAYER_FOLDER}/program.py"],
        ResourceLimits(loading_cpu_seconds=1.0),
    )
    with contextlib.closing(start_sandboxed(command, SandboxFiles(folder), limits)) as process:
        with contextlib.suppress(ProcessClosed):
            process.ask(b"compute", time.perf_counter() + PATIENCE)
        assert comes_true(lambda: process.status is not None)
        assert process.exceeded == "it computed for more than 1 s before it was ready"
    with contextlib.closing(start_sandboxed(command, SandboxFiles(folder), limits)) as process:
        assert process.ask(b"", time.perf_counter() + PATIENCE) == b"ready"
        assert process.ask(b"compute", time.perf_counter() + PATIENCE) == b"done"
        assert comes_true(lambda: process.usage().computed > 1.9)
        process.check()
        assert process.exceeded == ""


def test_nobody_watches_a_sandbox_that_is_closed_or_has_ended(folder: Path) -> None:
    def watchdogs() -> int:
        return sum(thread.name == "sandbox watchdog" for thread in threading.enumerate())

    with contextlib.closing(
        start_sandboxed([python(), "-c", "input()"], SandboxFiles(folder))
    ) as process:
        assert watchdogs() == 1
    assert watchdogs() == 0
    with contextlib.closing(
        start_sandboxed([python(), "-c", "pass"], SandboxFiles(folder))
    ) as process:
        assert comes_true(lambda: watchdogs() == 0)
        process.check()
        assert process.exceeded == ""


def test_what_others_take_is_not_held_against_a_sandbox_that_has_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number may be another process's by then."""
    with contextlib.closing(
        start_sandboxed([python(), "-c", "pass"], SandboxFiles(folder))
    ) as process:
        assert comes_true(process.has_ended)
        monkeypatch.setattr(process, "usage", lambda: Usage(memory=1 << 40))
        process.check()
        assert process.exceeded == ""


def test_files_outside_of_a_sandbox_are_not_counted_while_it_is_built(tmp_path: Path) -> None:
    need_sandbox()
    limits = ResourceLimits(files=3)
    for _ in range(5):
        with contextlib.closing(
            start_sandboxed([python(), "-c", "input(); print(1)"], SandboxFiles(tmp_path), limits)
        ) as process:
            for _ in range(40):
                process.check()
            assert process.exceeded == ""
            assert process.ask(b"", time.perf_counter() + PATIENCE) == b"1"


# Time


def test_time_of_a_whole_family_is_counted_of_the_ended_ones_too() -> None:
    code = """
        import os, time
        def compute(seconds):
            while time.process_time() < seconds: pass
        if not os.fork():
            compute(0.3); os._exit(0)
        os.wait()
        if not os.fork():
            compute(0.3); print("done", flush=True); time.sleep(1000)
        time.sleep(1000)
    """
    family = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, process_group=0
    )
    try:
        assert family.stdout
        family.stdout.readline()
        assert Usage.read(family.pid).computed >= 0.58
        assert Usage.read(family.pid).memory > 1 << 20
    finally:
        os.killpg(family.pid, 9)
        family.wait()
        assert family.stdout
        family.stdout.close()
    assert (Usage.read(family.pid).computed, Usage.read(family.pid).memory) == (0.0, 0)
