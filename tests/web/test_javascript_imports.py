"""Imports of the pages' scripts point one way: pages use parts of pages, all use shared/."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from plyground.web.routes.pages import FOLDER, static_files

IMPORT = re.compile(r'^(?:import |\} from )[^"]*"(\.[^"]+)";', re.M)
SCRIPTS = sorted(FOLDER.rglob("*.js"))
PAGES = sorted(FOLDER.rglob("*.html"))


def imports(script: Path) -> list[Path]:
    """The scripts that a script imports."""
    names = IMPORT.findall(script.read_text(encoding="utf-8"))
    return [(script.parent / name).resolve() for name in names]


def layer(folder: Path) -> int:
    """0: shared by all, 1: a part of pages, 2: a page, which has the HTML of its name."""
    if folder.name == "shared":
        return 0
    return 2 if (folder / f"{folder.name}.html").exists() else 1


def test_a_script_imports_from_its_own_folder_or_from_a_lower_layer() -> None:
    wrong = [
        f"{script.relative_to(FOLDER)} imports {imported.relative_to(FOLDER)}"
        for script in SCRIPTS
        for imported in imports(script)
        if imported.parent != script.parent and layer(imported.parent) >= layer(script.parent)
    ]
    assert wrong == []


def test_scripts_do_not_import_each_other_in_a_circle() -> None:
    graph = {script: imports(script) for script in SCRIPTS}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError
    assert len(order) == len(SCRIPTS) > 50


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_preloads_all_scripts_that_it_imports_and_no_others(page: Path) -> None:
    name = page.relative_to(FOLDER).as_posix()
    preloads = re.findall(
        r'<link rel="modulepreload" href="/static/([^"]+)">', static_files()[name].content.decode()
    )
    needed, unread = set[Path](), [page.with_suffix(".js")]
    while unread:
        for script in imports(unread.pop()):
            if script not in needed:
                needed.add(script)
                unread.append(script)
    assert len(preloads) == len(set(preloads))
    assert {FOLDER / preload for preload in preloads} == needed
    assert needed, "a page has the script of its name, which imports others"
