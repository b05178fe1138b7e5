"""The rules of the house, as far as a program can see them (CONTRIBUTING.md has them all)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

SOURCE = ROOT / "src"
MODULES = sorted(SOURCE.rglob("*.py"))

MAY_IMPORT = {
    "core": (),
    "games": ("core",),
    "search": ("core",),
    "players": ("core", "search"),
    "arena": ("core", "players", "search"),
    "classroom": ("arena", "core", "games", "players", "search"),
    "lab": ("core", "games", "search"),
    "web": ("core", "players", "search"),
    "cli": ("arena", "classroom", "core", "lab", "players", "search", "web"),
    "__init__": ("core", "search"),
    "__main__": ("cli",),
}
"""One way through the house: what each part of the package may import besides itself. Games and
searches never import each other, and a game is found through the registry; only the lab may know
one by name, where it repeats an experiment about it."""

SLOW = ("numba", "llvmlite", "numpy")
"""They take longer to import than everything else together: only `search` needs them at once."""

IN_CLASS = {"inside", "starters"}
"""What runs beside students' files, without the package, and what they begin with."""

LONGEST_FILE = 500
WRITTEN_BY_PEOPLE = sorted(
    path
    for pattern in (
        "*.md",
        "Makefile",
        "pyproject.toml",
        ".ci/*",
        *(
            f"{folder}/**/*.{ending}"
            for folder in ("src", "tests", "benchmarks", "examples", "docs")
            for ending in ("py", "md", "c", "txt")
        ),
    )
    for path in ROOT.glob(pattern)
)

FORBIDDEN = {
    "a path of somebody's machine": r"(?<![\w.])/(?:home|root|Users)/",
    "a note to do something later": r"\b(?:TO[D]O|FIX[M]E)\b",
    "an unfinished merge": r"^(?:<{7} |>{7} )",
    "a tab or a space at the end of a line": r"[ \t]$",
}


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def part_of(module: Path) -> str:
    """The folder of the package that a module is in; its own name if it is in none."""
    place = module.relative_to(SOURCE / "plyground")
    return place.parts[0].removesuffix(".py")


def imported(module: Path) -> Iterator[str]:
    """The names of all modules that a module imports, at its top or anywhere inside."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{short(module)}:{node.lineno}: write the import in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_point_one_way() -> None:
    for module in MODULES:
        own = part_of(module)
        assert own in MAY_IMPORT, f"{own} is new: give it a place in MAY_IMPORT"
        names = {name for name in imported(module) if name.split(".")[0] == "plyground"}
        parts = {name.partition(".")[2].partition(".")[0] for name in names} - {"__version__"}
        assert parts <= {own, *MAY_IMPORT[own]}, f"{short(module)}: {sorted(names)}"


def test_one_game_does_not_import_another() -> None:
    for module in (SOURCE / "plyground" / "games").glob("*/*.py"):
        for name in imported(module):
            if name.startswith("plyground.games."):
                where = SOURCE / Path(*name.split(".")[:3])
                assert where == module.parent or not where.is_dir(), f"{short(module)}: {name}"


def test_only_searches_load_the_compiler() -> None:
    """So that help, a list of games or a wrong option is answered at once."""
    names = [
        ".".join(module.relative_to(SOURCE).with_suffix("").parts)
        for module in MODULES
        if part_of(module) not in ("search", "__main__") and not IN_CLASS & set(module.parts)
    ]
    assert "plyground.cli.main" in names
    imports = "\n".join(f"import {name.removesuffix('.__init__')}" for name in names)
    code = f"import sys\n{imports}\nprint(*sorted(sys.modules.keys() & {set(SLOW)!r}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


def test_a_module_says_what_it_is_for() -> None:
    for module in MODULES:
        tree = ast.parse(module.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree) or not tree.body, short(module)


def test_a_file_is_one_idea_and_short() -> None:
    for module in MODULES:
        lines = len(module.read_text(encoding="utf-8").splitlines())
        assert lines <= LONGEST_FILE, short(module)


def test_no_file_is_a_bag_of_odds_and_ends() -> None:
    assert not {"utils", "helpers", "common", "misc"} & {module.stem for module in MODULES}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_nothing_in_the_repository_holds(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what], re.MULTILINE)
    found = [
        f"{short(path)}: {hit[0]!r}"
        for path in WRITTEN_BY_PEOPLE
        for hit in pattern.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
