"""The wheel, built and installed elsewhere: it is complete, it is typed, and it works there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from plyground import __version__
from plyground.core.registry import game_names
from tests.compiled_kernels import copy_kernels
from tests.paths import DOCS, ROOT

CLIENT = """
from plyground import Engine, Limits, Position, find_game

position: Position = find_game("tictactoe").start()
text: str = Engine(position.game, memory=1).search(position, Limits(depth=9)).value_text
number: int = position.text
"""
"""A program whose last line has a wrong type, which a type checker finds."""


@dataclass(frozen=True)
class Installed:
    """A wheel, the folder where it is installed, and an empty folder to work in."""

    wheel: Path
    site: Path
    work_folder: Path

    def python(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run Python outside of the checkout, with the installed package first on its path."""
        environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            env={
                **environment,
                "PYTHONPATH": str(self.site),
                "PLYGROUND_CACHE": str(self.work_folder.parent / "cache"),
                "COLUMNS": "100",
            },
            cwd=self.work_folder,
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
    copy, site, work_folder = place / "source", place / "site", place / "work"
    copy.mkdir()
    work_folder.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", copy / "src", ignore=ignored)
    shutil.copytree(ROOT / "docs", copy / "docs")
    build = ("build", "--wheel", "--no-isolation", "--outdir", place, copy)
    run_module(*build)
    (wheel,) = place.glob("*.whl")
    run_module("pip", "install", "--no-deps", "--no-index", "--target", site, wheel)
    copy_kernels(place / "cache")
    for path in (place / "cache").glob("*/plyground.search.perft.*"):
        path.unlink()  # one kernel is compiled by the installed package
    return Installed(wheel, site, work_folder)


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
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*") if path.is_file()}
    documentation = {f"plyground/documentation/{name}" for name in pages}
    assert names == {name for name in sources if "__pycache__" not in name} | documentation
    assert {"plyground/py.typed", "plyground/web/static/home/home.html"} <= names
    assert "plyground/classroom/suites/derby/suite.json" in names


def test_the_wheel_says_what_it_is(installed: Installed) -> None:
    found = metadata(installed)
    assert (found["Name"], found["Version"]) == ("plyground", __version__)
    assert found["License-Expression"] == "MIT"
    assert found["License-File"] == "LICENSE"
    assert found["Requires-Python"] == ">=3.11"
    assert found.get_payload() == (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_wheel_needs_no_test_or_benchmark_to_run(installed: Installed) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = metadata(installed).get_all("Requires-Dist") or []
    always = {name_of(need) for need in needs if "extra ==" not in need}
    assert always == set(map(name_of, project["dependencies"]))
    assert {"numpy", "numba", "typer", "fastapi"} <= always
    assert not always & {name_of(need) for need in project["optional-dependencies"]["test"]}


def name_of(requirement: str) -> str:
    """The package that a requirement such as `numpy>=2.0` asks for."""
    return re.split(r"[^\w-]", requirement, maxsplit=1)[0]


def test_it_is_the_installed_package_that_runs(installed: Installed) -> None:
    ran = installed.python("-c", "import plyground; print(plyground.__file__)")
    assert Path(ran.stdout.strip()).is_relative_to(installed.site)


def test_the_command_is_installed(installed: Installed) -> None:
    ran = installed.python(installed.site / "bin" / "plyground", "--version")
    assert ran.stdout == installed.plyground("--version").stdout == f"plyground {__version__}\n"


def test_the_installed_package_has_its_documentation(installed: Installed) -> None:
    code = "from plyground.web.routes.documentation import files; print(*files().values())"
    found = [Path(name) for name in installed.python("-c", code).stdout.split()]
    assert {path.name for path in DOCS.rglob("*.md")} == {
        path.name for path in found if path.suffix == ".md"
    }
    assert all(path.is_relative_to(installed.site) for path in found)


def test_the_installed_package_lists_its_games(installed: Installed) -> None:
    listed = json.loads(installed.plyground("games", "--json").stdout)
    assert [game["name"] for game in listed] == game_names()


def test_the_installed_package_searches_and_compiles_only_once(installed: Installed) -> None:
    search = ("search", "tictactoe", "--depth", "9", "--features", "exact", "--json", "--quiet")
    first, second = installed.plyground(*search), installed.plyground(*search)
    assert json.loads(first.stdout)["value_text"] == "a draw"
    assert first.stderr == "compiling tictactoe for this machine; later runs start at once\n"
    assert second.stderr == ""


def test_the_installed_package_counts_positions(installed: Installed) -> None:
    ran = installed.plyground("perft", "tictactoe", "--depth", "4", "--json")
    assert json.loads(ran.stdout)["count"] == 9 * 8 * 7 * 6


def test_a_game_of_ones_own_works_with_the_installed_package(installed: Installed) -> None:
    shutil.copy(ROOT / "examples" / "nim.py", installed.work_folder / "my_game.py")
    ran = installed.plyground("perft", "my_game.py", "--depth", "2", "--json")  # soon compiled
    assert json.loads(ran.stdout)["count"] == sum(
        15 - t for n in (3, 5, 7) for t in range(1, n + 1)
    )
    assert "heaps=3,5,7" in installed.plyground("show", "my_game.py").stdout


def test_the_installed_package_is_typed(installed: Installed) -> None:
    (installed.work_folder / "client.py").write_text(CLIENT)
    ran = installed.python("-m", "mypy", "--strict", "--no-incremental", "client.py")
    error, summary = ran.stdout.splitlines()
    assert error.startswith("client.py:6: error: Incompatible types in assignment")
    assert summary == "Found 1 error in 1 file (checked 1 source file)"
