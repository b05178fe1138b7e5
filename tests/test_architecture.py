"""The rules of the code that a program can check (CONTRIBUTING.md has them all)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.class_names import class_names, definitions
from tests.conftest import SLOWEST_FIRST
from tests.import_graph import (
    MAY_IMPORT,
    MODULES,
    PACKAGE,
    SOURCE,
    STANDALONE,
    imported_names,
    module_graph,
    part_of,
    short,
    sibling_cycles,
)
from tests.paths import ROOT
from tests.private_names import private_names

SLOW = ("numba", "llvmlite", "numpy")
"""They take longer to import than everything else together: only `search` and `learning`
need them at once."""

BESIDE_STUDENTS = (STANDALONE[0], PACKAGE / "classroom" / "starters")
"""Programs that run without the package: they are read from disk, never imported."""

WITH_OPENSPIEL = PACKAGE / "spiel" / "exported_game.py"
"""Subclasses of OpenSpiel's own classes: imported by functions that have made sure it is there."""

WRITTEN_BY_PEOPLE = sorted(
    path
    for pattern in (
        "*.md",
        "Makefile",
        "pyproject.toml",
        ".ci/*",
        *(
            f"{folder}/**/*.{ending}"
            for folder in ("src", "tests", "benchmarks", "examples", "docs", "docs-site")
            for ending in ("py", "md", "rst", "c", "txt")
        ),
    )
    for path in ROOT.glob(pattern)
)

TESTS = sorted(
    path for path in (ROOT / "tests").rglob("*.py") if ROOT / "tests" / "data" not in path.parents
)

REACHING_IN = {
    ("tests/search/engine/test_engine_clock.py", "_count"): (
        "of Python's own `_thread`: an engine's threads are not known to `threading`"
    ),
    ("tests/simulated_windows.py", "_obj"): (
        "of ctypes' `byref`: a function of Windows is replaced by one that writes to its argument"
    ),
    ("tests/test_architecture.py", "_run"): "in the samples of the test below",
}
"""The private names that tests may use, each with its reason."""

SAME_NAME = {
    "Board": "of every game (`core/contract.py`), and of the one that `plyground new` writes",
    "Message": "between the server and a process that searches, defined on either side of the pipe",
    "State": "as Board",
    "Task": "of a suite, and of an executor, whose tasks need another word",
}
"""The names of classes that are defined more than once, each with its reason."""

FORBIDDEN = {
    "a path of one machine": r"(?<![\w.])/(?:home|root|Users)/",
    "a note to do something later": r"\b(?:TO[D]O|FIX[M]E)\b",
    "an unfinished merge": r"^(?:<{7} |>{7} )",
    "a tab or a space at the end of a line": r"[ \t]$",
}


# Imports


def test_imports_point_one_way() -> None:
    for module in MODULES:
        own = part_of(module)
        assert own in MAY_IMPORT, f"{own} is new: give it a place in MAY_IMPORT"
        names = {name for name in imported_names(module) if name.split(".")[0] == "plyground"}
        parts = {name.partition(".")[2].partition(".")[0] for name in names} - {"__version__"}
        assert parts <= {own, *MAY_IMPORT[own]}, f"{short(module)}: {sorted(names)}"


def test_no_modules_import_each_other_in_a_cycle() -> None:
    """Neither modules of one folder nor the folders in it; an import for types only counts too."""
    found = sibling_cycles(module_graph())
    assert not found, "\n".join(f"{at}\n  " + "\n  ".join(found[at]) for at in found)


TYPES_ONLY = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import {}\n"
INSIDE_A_FUNCTION = "def late():\n    from {} import name\n"


@pytest.mark.parametrize("second", ["import {}\n", TYPES_ONLY, INSIDE_A_FUNCTION])
def test_a_cycle_is_found_wherever_its_imports_stand(tmp_path: Path, second: str) -> None:
    modules = package_of(
        tmp_path,
        {
            "box/lid.py": "from box import hinge\n",
            "box/hinge.py": second.format("box.lid"),
            "box/key.py": "import box.lid\nimport os\n",
        },
    )
    assert sibling_cycles(module_graph(modules, tmp_path)) == {
        "box: hinge.py, lid.py": ["box/hinge.py -> box/lid.py", "box/lid.py -> box/hinge.py"]
    }


def test_folders_that_import_each_other_are_a_cycle_even_if_no_modules_are(tmp_path: Path) -> None:
    modules = package_of(
        tmp_path,
        {
            "box/left/first.py": "import box.right.first\n",
            "box/left/second.py": "",
            "box/right/first.py": "from box.left.second import name\n",
        },
    )
    assert sibling_cycles(module_graph(modules, tmp_path)) == {
        "box: left, right": [
            "box/left/first.py -> box/right/first.py",
            "box/right/first.py -> box/left/second.py",
        ]
    }


def package_of(folder: Path, files: dict[str, str]) -> list[Path]:
    """Write a package: its modules, by their paths."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return sorted(folder.rglob("*.py"))


def test_one_game_does_not_import_another() -> None:
    for module in (PACKAGE / "games").glob("*/*.py"):
        for name in imported_names(module):
            if name.startswith("plyground.games."):
                where = SOURCE / Path(*name.split(".")[:3])
                assert where == module.parent or not where.is_dir(), f"{short(module)}: {name}"


def test_only_searches_and_learning_load_the_compiler() -> None:
    """So that help, a list of games or a wrong option is answered at once."""
    names = [
        ".".join(module.relative_to(SOURCE).with_suffix("").parts)
        for module in MODULES
        if part_of(module) not in ("search", "learning", "__main__")
        and not any(module.is_relative_to(folder) for folder in BESIDE_STUDENTS)
        and module != WITH_OPENSPIEL
    ]
    assert "plyground.cli.main" in names
    imports = "\n".join(f"import {name.removesuffix('.__init__')}" for name in names)
    code = f"import sys\n{imports}\nprint(*sorted(sys.modules.keys() & {set(SLOW)!r}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []


# Names


def test_no_two_classes_have_the_same_name() -> None:
    """A name has one meaning. Programs beside students' files are not ours to name."""
    ours = [
        module
        for module in MODULES
        if not any(module.is_relative_to(folder) for folder in BESIDE_STUDENTS)
    ]
    found = {name: files for name, files in definitions(ours).items() if len(files) > 1}
    told = {name: [short(file) for file in files] for name, files in found.items()}
    assert found.keys() == SAME_NAME.keys(), told


def test_classes_and_other_types_are_found_by_their_names() -> None:
    source = (
        "class Tree: pass\nWords = list[int]\nValue: TypeAlias = int\nLIMIT = 3\nnames = []\n"
        "T = TypeVar('T')\nclass _Node:\n    class Inner: pass\n"
    )
    assert list(class_names(source)) == ["Tree", "Words", "Value", "_Node"]


# Files


def test_a_module_says_what_it_is_for() -> None:
    for module in MODULES:
        tree = ast.parse(module.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree) or not tree.body, short(module)


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


# Tests


def test_tests_ask_for_behaviour_and_read_nothing_private() -> None:
    found = {
        (short(path), name): line
        for path in TESTS
        for line, name in private_names(path.read_text(encoding="utf-8"))
    }
    assert found.keys() == REACHING_IN.keys(), found


def test_the_modules_that_run_first_exist() -> None:
    assert all((ROOT / name).is_file() for name in SLOWEST_FIRST)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("engine._table.clear()", [(1, "_table")]),
        ("x = 1\nmonkeypatch.setattr(engine, '_table', None)", [(2, "_table")]),
        ("monkeypatch.setattr('plyground.cli.serve._run', None)", [(1, "_run")]),
        ("from plyground.cli.serve import _run", [(1, "_run")]),
        ("CODE = 'from plyground.cli.serve import _run'", [(1, "_run")]),
        ("code = f'from plyground.cli.serve import _run; _run({port})'", [(1, "_run")]),
        ("class Fake(Engine):\n    def clear(self):\n        self._table = 0", []),
        ("class Fake(Engine):\n    def clear(self):\n        del self._table", [(3, "_table")]),
        ("position.state._replace(turn=1).__class__", []),
    ],
)
def test_private_names_are_found_however_they_are_reached(
    source: str, found: list[tuple[int, str]]
) -> None:
    assert list(private_names(source)) == found
