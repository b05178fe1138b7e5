"""The wheel, built and installed elsewhere: it is complete, it is typed, and it works there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from plyground import __version__
from plyground.core.registry import game_names
from tests.paths import ROOT

CLIENT = """
from plyground import Engine, Limits, Position, find_game

position: Position = find_game("tictactoe").start()
text: str = Engine(position.game, memory=1).search(position, Limits(depth=9)).value_text
number: int = position.text
"""
"""A program whose last line is wrong, which only someone who knows the types can tell."""


@dataclass(frozen=True)
class Installed:
    """A wheel that lies unpacked in a folder, and an empty folder to work in."""

    wheel: Path
    site: Path
    desk: Path

    def python(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run Python far from the checkout, with the installed package before all others."""
        environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            env={
                **environment,
                "PYTHONPATH": str(self.site),
                "PLYGROUND_CACHE": str(self.desk.parent / "cache"),
                "COLUMNS": "100",
            },
            cwd=self.desk,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def plyground(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        ran = self.python("-m", "plyground", *arguments)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Built from a copy, so that nothing is left in the checkout; nothing is downloaded."""
    place = tmp_path_factory.mktemp("package")
    copy, site, desk = place / "source", place / "site", place / "desk"
    copy.mkdir()
    desk.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", copy / "src", ignore=ignored)
    build = ("build", "--wheel", "--no-isolation", "--outdir", place, copy)
    run_module(*build)
    (wheel,) = place.glob("*.whl")
    run_module("pip", "install", "--no-deps", "--no-index", "--target", site, wheel)
    return Installed(wheel, site, desk)


def run_module(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def metadata(installed: Installed) -> Message:
    name = f"plyground-{__version__}.dist-info/METADATA"
    with zipfile.ZipFile(installed.wheel) as wheel:
        return Parser().parsestr(wheel.read(name).decode())


def test_the_wheel_holds_the_whole_package_and_nothing_else(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = (path for path in (ROOT / "src").rglob("*") if path.is_file())
    sources = {path.relative_to(ROOT / "src").as_posix() for path in files}
    assert names == {name for name in sources if "__pycache__" not in name}
    assert {"plyground/py.typed", "plyground/web/static/home.html"} <= names
    assert "plyground/classroom/suites/derby/suite.json" in names


def test_the_wheel_says_what_it_is(installed: Installed) -> None:
    told = metadata(installed)
    assert (told["Name"], told["Version"]) == ("plyground", __version__)
    assert told["License-Expression"] == "MIT"
    assert told["License-File"] == "LICENSE"
    assert told["Requires-Python"] == ">=3.11"
    assert told.get_payload() == (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_wheel_needs_no_test_or_benchmark_to_run(installed: Installed) -> None:
    needs = metadata(installed).get_all("Requires-Dist") or []
    always = {need.partition(">")[0] for need in needs if "extra ==" not in need}
    web = {"fastapi", "pydantic", "uvicorn", "websockets"}
    assert always == {"numpy", "numba", "typer", "rich", "matplotlib"} | web


def test_it_is_the_installed_package_that_runs(installed: Installed) -> None:
    ran = installed.python("-c", "import plyground; print(plyground.__file__)")
    assert Path(ran.stdout.strip()).is_relative_to(installed.site)


def test_the_command_is_installed(installed: Installed) -> None:
    ran = installed.python(installed.site / "bin" / "plyground", "--version")
    assert ran.stdout == installed.plyground("--version").stdout == f"plyground {__version__}\n"


def test_the_installed_package_lists_its_games(installed: Installed) -> None:
    listed = json.loads(installed.plyground("games", "--json").stdout)
    assert [game["name"] for game in listed] == game_names()


def test_the_installed_package_searches_and_compiles_only_once(installed: Installed) -> None:
    search = ("search", "tictactoe", "--depth", "9", "--features", "exact", "--json", "--quiet")
    first, second = installed.plyground(*search), installed.plyground(*search)
    assert json.loads(first.stdout)["value_text"] == "a draw (proven)"
    assert first.stderr == "compiling tictactoe for this machine; later runs start at once\n"
    assert second.stderr == ""


def test_the_installed_package_counts_positions(installed: Installed) -> None:
    ran = installed.plyground("perft", "tictactoe", "--depth", "4", "--json")
    assert json.loads(ran.stdout)["count"] == 9 * 8 * 7 * 6


def test_a_game_of_ones_own_works_with_the_installed_package(installed: Installed) -> None:
    shutil.copy(ROOT / "examples" / "nim.py", installed.desk / "my_game.py")
    ran = installed.plyground("search", "my_game.py", "--depth", "20", "--json")
    assert json.loads(ran.stdout)["value_text"] == "First wins in 15 plies"
    assert "heaps=3,5,7" in installed.plyground("show", "my_game.py").stdout


def test_the_installed_package_is_typed(installed: Installed) -> None:
    (installed.desk / "client.py").write_text(CLIENT)
    ran = installed.python("-m", "mypy", "--strict", "--no-incremental", "client.py")
    told, summary = ran.stdout.splitlines()
    assert told.startswith("client.py:6: error: Incompatible types in assignment")
    assert summary == "Found 1 error in 1 file (checked 1 source file)"
