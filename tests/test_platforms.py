"""Windows and macOS: the verbs run where what other systems lack is missing, and no file has a name
that another system refuses. `make types` checks the types for each system."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import connect

from tests.classroom.small_class import CLASS, class_suite
from tests.cli.runner import COMPILING
from tests.paths import ROOT
from tests.simulated_windows import MISSING_MODULES, PACKAGE, write_executable


@dataclass(frozen=True)
class Windows:
    """A folder to work in, and a Python in which plyground sees Windows."""

    python: Path
    folder: Path
    cache: Path
    """Of compiled code, other than that of this machine: the clock is another one."""

    def start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        folders = {
            "PLYGROUND_CACHE": str(self.cache),
            "PLYGROUND_HOME": str(self.folder / "home"),
        }
        return subprocess.Popen(
            [self.python, *map(str, arguments)],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "COLUMNS": "100", **folders},
        )

    def plyground(self, *arguments: str | Path, typed: str = "", status: int = 0) -> str:
        """What a command line prints: its answer, or the line that refuses it."""
        program = self.start("-m", "plyground", *arguments)
        output, errors = (text.decode() for text in program.communicate(typed.encode()))
        assert program.returncode == status, output + errors
        return COMPILING.sub("", errors) if status == 2 else output


@pytest.fixture(scope="module")
def windows(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Windows:
    """Its cache stays for the next run of the tests, as that of this machine does."""
    folder = tmp_path_factory.mktemp("windows")
    cache = pytestconfig.cache
    compiled = folder / "cache" if cache is None else cache.mkdir("compiled-on-windows")
    return Windows(write_executable(folder), folder, compiled)


# The simulation

REFUSED = [
    *(f"import {name}" for name in sorted(MISSING_MODULES)),
    "from os import fork",
    "import os; os.sysconf('SC_PAGE_SIZE')",
    "import signal; signal.SIGKILL",
    "import time; time.clock_gettime(1)",
    "import mmap; mmap.mmap(-1, 4096, flags=2)",
    "import select, os; select.select([os.pipe()[0]], [], [], 0)",
    "import ctypes; ctypes.CDLL(None)",
    "open('/proc/loadavg')",
    "from pathlib import Path; Path('/proc/loadavg').read_text()",
    "import os; file = open('file', 'w'); os.unlink('file')",
    "import os; file = open('file', 'w'); os.replace('file', 'other')",
]
ACCEPTED = "import msvcrt, os, sys; assert sys.platform == 'win32'; os.getpid(), os.environ"
TRY_ALL = """
for statement in {statements!r}:
    try:
        exec(statement, dict(__file__={file!r}))
        print(statement)
    except (ImportError, AttributeError, OSError, TypeError):
        pass
"""


def test_modules_of_plyground_find_nothing_that_windows_lacks(windows: Windows) -> None:
    file = str(Path(PACKAGE) / "module.py")
    code = TRY_ALL.format(statements=[*REFUSED, ACCEPTED], file=file)
    output, errors = windows.start("-c", code).communicate()
    assert output.decode().splitlines() == [ACCEPTED], errors


def test_other_modules_find_the_real_system(windows: Windows) -> None:
    output, errors = windows.start("-c", "import os, sys; print(sys.platform)").communicate()
    assert output == b"linux\n", errors


# The verbs

READ_CLOCKS = """
from numba import njit
from plyground.search.binding.native import resolve
from plyground.search.system_clock import now, read_clock

resolve(globals())

@njit
def read():
    return now()

read()
before, between, after = read_clock(), read(), read_clock()
print("the same" if before - 100 <= between <= after else (before, between, after))
"""


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ("games", "name           title .*\n─+\nblocker "),
        ("show tictactoe --moves b2", r"(?s). o? ?x? ?.*O"),
        ("perft tictactoe --depth 4", r"3,024"),
        ("check tictactoe", r"ok      compiled"),
        ("search tictactoe --time 5 --threads 2 --quiet", r"value  a draw"),
        ("search tictactoe -a monte-carlo --time 0.2 --quiet", r"move   \w\d"),
        ("solve tictactoe --checkpoint solver.bin --memory 4 --quiet", r"value      a draw"),
        (
            "lab pruning tictactoe --depths 3 --algorithms minimax,alpha-beta --csv rows.csv",
            r"depth  minimax",
        ),
    ],
)
def test_a_verb_runs(windows: Windows, arguments: str, answer: str) -> None:
    assert re.search(answer, windows.plyground(*arguments.split()))


def test_kernels_and_python_read_the_same_clock(windows: Windows) -> None:
    output, errors = windows.start("-c", READ_CLOCKS).communicate()
    assert output == b"the same\n", errors


def test_a_kernel_that_reads_the_clock_is_kept_on_disk(windows: Windows, tmp_path: Path) -> None:
    """It is compiled in a cache of its own, which has only the other kernels."""
    kernel = "plyground.search.montecarlo.*"
    shutil.copytree(windows.cache, tmp_path / "cache", ignore=shutil.ignore_patterns(kernel))
    own = replace(windows, cache=tmp_path / "cache")
    command = ("-m", "plyground", *"search tictactoe -a monte-carlo --time 0.2 --quiet".split())
    for _ in range(2):
        _, errors = own.start(*command).communicate()
    assert errors == b""
    assert list(own.cache.rglob(kernel))


def test_a_solve_goes_on_from_its_checkpoint(windows: Windows) -> None:
    for _ in range(2):
        command = "solve tictactoe --checkpoint again.bin --memory 4 --quiet"
        assert "value      a draw" in windows.plyground(*command.split())
    assert (windows.folder / "again.bin").read_bytes().startswith(b"plyground solver")


def test_a_game_is_played_and_recorded(windows: Windows) -> None:
    command = "play tictactoe --depth 2 --record game.record"
    output = windows.plyground(*command.split(), typed="b2\r\nundo\r\nb2\r\nresign\r\n")
    assert "0-1  O wins" in output
    assert b"\r" not in (windows.folder / "game.record").read_bytes()
    assert "0-1" in windows.plyground("show", "game.record")


def test_players_are_graded_only_if_they_are_trusted(windows: Windows) -> None:
    folder = windows.folder / "class"
    suite = windows.folder / "suite"
    folder.mkdir()
    suite.mkdir()
    class_suite(suite)
    for one in CLASS:
        (folder / f"{one.name}.py").write_bytes(one.files["player.py"])
    command = ("grade", "breakthrough", "class", "--suite", "suite", "--workers", "2")
    assert windows.plyground(*command, status=2) == (
        "plyground: a sandbox needs Linux, and this is Windows;"
        " for a file of your own at home there is --trust\n"
    )
    for _ in range(2):  # the second run finds all results in the journal
        rows = windows.plyground(*command, "--trust").splitlines()
        assert ["ann", "2", "of", "3"] in [row.split()[:4] for row in rows]
        assert ["cyd", "0", "of", "3"] in [row.split()[:4] for row in rows]


def test_a_new_player_is_graded(windows: Windows) -> None:
    windows.plyground("init", "breakthrough", "new.py")
    assert b"\r" not in (windows.folder / "new.py").read_bytes()
    suite = windows.folder / "best"
    suite.mkdir()
    class_suite(suite, seconds=1.5)  # the new player uses most of it
    command = ("grade", "breakthrough", "new.py", "--suite", "best", "--trust")
    output = windows.plyground(*command)
    assert "RTE" not in output
    assert re.search(r"\n[123] of 3 points", output)


def test_a_program_behind_a_pipe_plays_a_match(windows: Windows) -> None:
    program = f"ugi:{windows.python} -m plyground engine tictactoe?depth=9&name=piped"
    command = ("match", "tictactoe", "random", program, "--games", "2", "--workers", "1")
    rows = windows.plyground(*command, "--quiet").splitlines()
    assert ["ended", "finished", "2"] in [row.split() for row in rows]


def test_the_board_is_served_and_its_workers_search(windows: Windows) -> None:
    program = windows.start("-m", "plyground", "serve", "--no-prepare", "--no-open", "--port", "0")
    assert program.stdout is not None
    try:
        line = program.stdout.readline().decode()
        found = re.search(r"(http://[\d.:]+)/\?token=([\w-]+)", line)
        assert found is not None, line
        origin, token = found.groups()
        headers = {"Authorization": f"Bearer {token}"}
        with urlopen(Request(f"{origin}/api/games", headers=headers), timeout=60) as answer:
            assert "tictactoe" in [game["name"] for game in json.load(answer)]
        with connect(
            f"{origin.replace('http', 'ws')}/api/think",
            origin=origin,  # type: ignore[arg-type]
            additional_headers=headers,
            proxy=None,
        ) as think:
            place = {"game": "tictactoe"}
            think.send(json.dumps({"type": "search", "id": 1, "place": place, "depth": 9}))
            while (message := json.loads(think.recv()))["type"] in ("progress", "notice"):
                pass
        assert message["type"] == "done", message
        program.send_signal(signal.SIGINT)
        assert program.communicate() == (b"goodbye\n", b"")
    finally:
        program.kill()
        program.wait()


def test_the_doctor_misses_nothing_but_the_sandbox(windows: Windows) -> None:
    lines = windows.plyground("doctor").splitlines()
    assert {line.split()[0] for line in lines[:7]} == {"ok"}
    assert lines[7].split()[:2] == ["missing", "sandbox"]
    assert lines[8].strip() == "a sandbox needs Linux, and this is Windows"


# Names of files


def repository_files() -> list[str]:
    """The paths of all files that a checkout has."""
    ran = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if ran.returncode == 0:
        return [path for path in ran.stdout.decode().split("\0") if path]
    return [path.relative_to(ROOT).as_posix() for path in ROOT.glob("[a-z]*/**/*")]


RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
LONGEST_PATH = 150
"""Characters. Windows takes 260, with the folder of the checkout."""


def test_every_name_in_the_repository_is_one_on_windows() -> None:
    files = repository_files()
    assert len(files) > 100
    for path in files:
        for part in PurePosixPath(path).parts:
            assert not set(part) & set('<>:"\\|?*'), path
            assert not RESERVED.fullmatch(part), path
            assert not part.endswith((".", " ")), path
        assert len(path) <= LONGEST_PATH, path


def test_no_two_names_differ_only_in_case() -> None:
    paths = [PurePosixPath(path) for path in repository_files()]
    names = {str(name) for path in paths for name in (path, *path.parents)}
    assert len({name.casefold() for name in names}) == len(names)
