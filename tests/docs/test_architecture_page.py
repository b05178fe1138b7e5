"""The page `docs/architecture.md`: what it names exists, and its picture shows today's imports."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.docs import package_picture
from tests.import_graph import MAY_IMPORT, PACKAGE, part_graph
from tests.paths import DOCS, ROOT

PAGE = (DOCS / "architecture.md").read_text(encoding="utf-8")
CODE = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
STATIC = PACKAGE / "web" / "static"
ROOTS = (ROOT, PACKAGE, STATIC)
"""Where a path on the page may begin."""
EXAMPLES = {"NAME": "breakthrough", "VERB": "search"}
"""What stands for a placeholder in a path."""
CLICK = "A click in the browser"
WALKS = (CLICK, "`plyground search`", "A graded move")
MOST_STATIONS = 20
"""Files that pass the move on; each asks others, which answer."""
ONE_OF_A_KIND = ("games", "classroom/inside", "classroom/suites")
"""Folders whose own folders are all of one kind, and not named one by one."""

PATH = re.compile(r"[\w.-]+/[\w./-]*|[\w-]+\.(?:py|js|md|jsonl?|txt|svg|css|html|toml)")
MODULE = re.compile(r"(?:plyground|tests|benchmarks)(?:\.\w+)+")
CLASS = re.compile(r"(?P<owner>[A-Z][a-z]+\w*)(?:\.(?P<member>\w+))?(?:\(\))?")
FUNCTION = re.compile(r"(?P<function>[a-z_]\w*)\(\)")


def chapter(title: str) -> str:
    assert f"\n## {title}\n" in PAGE, f"the page has no chapter {title!r}"
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def stations(title: str) -> list[str]:
    """The numbered steps of a walk."""
    return re.findall(r"^\d+\. (.+(?:\n {3,}.+)*)", chapter(title), re.MULTILINE)


def code_files(text: str) -> list[str]:
    """The files of Python and JavaScript that a text names."""
    codes = re.findall(r"`([^`\n]+)`", text)
    return [code for code in codes if PATH.fullmatch(code) and code.endswith((".py", ".js"))]


def path_exists(path: str) -> bool:
    for placeholder, example in EXAMPLES.items():
        path = path.replace(placeholder, example)
    return any((root / path).exists() for root in ROOTS)


@cache
def definitions() -> dict[str, set[str]]:
    """The classes of the sources with their members, and under "" all functions."""
    found: dict[str, set[str]] = {"": set()}
    for folder in ("src", "tests", "benchmarks"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found.setdefault(node.name, set()).update(members(node))
                elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    found[""].add(node.name)
    for file in STATIC.rglob("*.js"):
        text = file.read_text(encoding="utf-8")
        found[""].update(re.findall(r"\bfunction\*? (\w+)\(", text))
        for name in re.findall(r"\bclass (\w+)", text):
            found.setdefault(name, set()).update(re.findall(r"^  (?:async )?(\w+)\(", text, re.M))
    return found


def members(node: ast.ClassDef) -> set[str]:
    """The methods and fields of a class."""
    found = set()
    for child in node.body:
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(child.name)
        elif isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
            found.add(child.target.id)
        elif isinstance(child, ast.Assign):
            found.update(target.id for target in child.targets if isinstance(target, ast.Name))
    return found


def exists(code: str) -> bool:
    """Whether a name in backticks exists; what looks like no name of the code passes."""
    if PATH.fullmatch(code):
        return path_exists(code)
    if MODULE.fullmatch(code):
        place = code.replace(".", "/")
        return any(
            (folder / f"{place}{ending}").exists()
            for folder in (ROOT, ROOT / "src")
            for ending in (".py", "/__init__.py")
        )
    if named := FUNCTION.fullmatch(code):
        return named["function"] in definitions()[""]
    if named := CLASS.fullmatch(code):
        known = definitions().get(named["owner"])
        return known is not None and (named["member"] is None or named["member"] in known)
    return True


def test_every_file_and_name_on_the_page_exists() -> None:
    missing = [code for code in CODE if not exists(code)]
    assert not missing, f"docs/architecture.md names what does not exist: {', '.join(missing)}"


@pytest.mark.parametrize(
    ("code", "there"),
    [
        ("src/plyground/core/", True),
        ("core/registry.py", True),
        ("games/NAME/rules.py", True),
        ("core/nothing.py", False),
        ("nothing.md", False),
        ("plyground.core.registry", True),
        ("plyground.core.nothing", False),
        ("Engine", True),
        ("Engine.search", True),
        ("Engine.nothing", False),
        ("Nothing", False),
        ("find_game()", True),
        ("no_such_function()", False),
        ("make test", True),
    ],
)
def test_a_name_is_looked_up_in_the_sources(code: str, there: bool) -> None:
    assert exists(code) == there


def test_every_folder_is_on_the_page() -> None:
    files = (path for path in PACKAGE.rglob("*") if path.is_file())
    folders = {path.parent for path in files if path.parent.name != "__pycache__"} - {PACKAGE}
    for kind in ONE_OF_A_KIND:
        folders -= set((PACKAGE / kind).iterdir())
    names = {f"{folder.relative_to(PACKAGE).as_posix()}/" for folder in folders}
    packages = chapter("The packages")
    missing = sorted(name for name in names if f"`{name}`" not in packages)
    assert not missing, f"the chapter of the packages lacks {', '.join(missing)}"


@pytest.mark.parametrize("title", WALKS)
def test_every_step_of_a_walk_names_its_files(title: str) -> None:
    steps = stations(title)
    assert len(steps) > 3
    assert all(code_files(step) for step in steps)


def test_the_walk_of_the_click_has_a_file_of_its_own_for_each_station() -> None:
    steps = stations(CLICK)
    passing = [code_files(step)[0] for step in steps]
    assert len(set(passing)) == len(passing) <= MOST_STATIONS
    files = set(code_files(chapter(CLICK)))
    said = " ".join(chapter(CLICK).split())
    assert f"These are {len(steps)} stations, and {len(files)} files in all." in said


def test_the_page_says_where_a_new_thing_of_each_kind_goes() -> None:
    kinds = re.findall(r"^\| (?:a|an) ([\w ]+) \|", chapter("Where new code goes"), re.MULTILINE)
    wanted = "game, search feature, solver, verb, page, route, job, suite interface, test"
    assert set(wanted.split(", ")) <= set(kinds)


def test_the_glossary_is_in_order() -> None:
    terms = re.findall(r"^- \*\*(.+?)\*\*", chapter("Glossary"), re.MULTILINE)
    assert len(terms) > 10
    assert terms == sorted(terms, key=str.lower)


# The picture


def test_the_picture_shows_the_imports_of_today() -> None:
    assert f"(pictures/{package_picture.FILE.name})" in PAGE
    drawn = package_picture.FILE.read_text(encoding="utf-8")
    assert drawn == package_picture.picture(), "`make golden` draws the picture anew"


def test_the_packages_are_drawn_above_what_they_import() -> None:
    for name, others in package_picture.packages().items():
        for other in others:
            assert package_picture.PLACES[name].row < package_picture.PLACES[other].row


def test_no_straight_arrow_runs_through_a_box() -> None:
    places = package_picture.PLACES
    for name, place in places.items():
        for other in package_picture.direct_imports(name):
            start, end = package_picture.ends(place, places[other])
            crossed = [
                box
                for box, at in places.items()
                if place.row < at.row < places[other].row and at.left < start == end < at.right
            ]
            assert not crossed, f"the arrow from {name} to {other} runs through {crossed}"


def test_the_rule_allows_no_package_that_does_not_exist() -> None:
    assert set(MAY_IMPORT) == set(part_graph())
