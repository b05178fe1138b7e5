"""The imports of the package, read from its sources: module by module, and part by part.

Every import counts, at the top of a module, under `if TYPE_CHECKING` or inside a function, because
each of them is a dependency for the reader. Nothing is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.paths import ROOT

SOURCE = ROOT / "src"
PACKAGE = SOURCE / "plyground"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAY_IMPORT = {
    "core": (),
    "executor": ("core",),
    "games": ("core",),
    "search": ("core", "executor"),
    "protocol": ("core", "search"),
    "players": ("core", "protocol", "search"),
    "spiel": ("core", "players"),
    "arena": ("core", "executor", "players", "search"),
    "learning": ("arena", "core", "executor", "players", "search"),
    "classroom": ("arena", "core", "executor", "games", "players", "search"),
    "lab": ("core", "executor", "games", "search"),
    "web": ("arena", "core", "executor", "players", "search"),
    "cli": (
        *("arena", "classroom", "core", "executor", "lab", "learning", "players", "protocol"),
        *("search", "web"),
    ),
    "notebook": ("core", "search"),
    "__init__": ("core", "search"),
    "__main__": ("cli",),
}
"""The one-way rule: what each part of the package may import besides itself. Games and searches
never import each other; a game is found through the registry. Two parts know games by name: the
lab, which repeats experiments about them, and the classroom, which makes scenarios of them."""

STANDALONE = (
    PACKAGE / "classroom" / "inside",
    PACKAGE / "classroom" / "inside" / "breakthrough_course",
)
"""Folders whose modules run beside students' files, without the package. Each is on the path
there, so that its modules import each other by their bare names."""

Graph = Mapping[str, frozenset[str]]
"""For every node, the nodes that it imports."""


def short(path: Path) -> str:
    """A file of the repository as messages show it."""
    return path.relative_to(ROOT).as_posix()


def part_of(module: Path) -> str:
    """The folder of the package that a module is in; its own name if it is in none."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imported_names(module: Path) -> tuple[str, ...]:
    """The full name of everything that a module imports: `package.module.name`."""
    return tuple(_imports(module))


def _imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{short(module)}:{node.lineno}: write the import in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def file_of(name: str, root: Path) -> Path | None:
    """The file below `root` that an imported name leads to: a module, or the one that holds it."""
    parts = name.split(".")
    for place in (root.joinpath(*parts), root.joinpath(*parts[:-1])):
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                return file
    return None


def imported_files(module: Path, source: Path = SOURCE) -> set[Path]:
    """The files of the package that a module imports; packages above them do not count."""
    roots = [source, *(folder for folder in STANDALONE if module.is_relative_to(STANDALONE[0]))]
    found = (file_of(name, root) for name in imported_names(module) for root in roots)
    return {file for file in found if file is not None and file != module}


def module_graph(modules: Iterable[Path] = MODULES, source: Path = SOURCE) -> Graph:
    """What each module imports, as paths below the folder of the sources."""
    return {
        module.relative_to(source).as_posix(): frozenset(
            file.relative_to(source).as_posix() for file in imported_files(module, source)
        )
        for module in modules
    }


def part_graph() -> Graph:
    """What each part of the package imports from the other parts."""
    graph: dict[str, set[str]] = {part_of(module): set() for module in MODULES}
    for module in MODULES:
        graph[part_of(module)].update(part_of(file) for file in imported_files(module))
    return {part: frozenset(others - {part}) for part, others in graph.items()}


def sibling_cycles(graph: Graph) -> dict[str, list[str]]:
    """Cycles between the folders and modules of one folder, with the imports that close each.

    A key names the members: `plyground/core: game.py, position.py`. Where modules import each
    other in a cycle, some folder above them has such a cycle too, so that none is missed.
    """
    levels: dict[str, dict[str, set[str]]] = {}
    for module, others in graph.items():
        for other in others:
            folder, here, there = where_they_part(module, other)
            level = levels.setdefault(folder, {})
            level.setdefault(here, set()).add(there)
            level.setdefault(there, set())
    return {
        f"{folder}: {', '.join(cycle)}": imports_between(graph, folder, cycle)
        for folder, level in sorted(levels.items())
        for cycle in cycles({node: frozenset(others) for node, others in level.items()})
    }


def where_they_part(module: str, other: str) -> tuple[str, str, str]:
    """The folder that holds both, and what each of them is in there: a folder or a module."""
    one, two = module.split("/"), other.split("/")
    common = next(at for at in range(len(one)) if one[at] != two[at])
    return "/".join(one[:common]), one[common], two[common]


def imports_between(graph: Graph, folder: str, members: Iterable[str]) -> list[str]:
    """The imports from one of some members of a folder to another, as `module -> module`."""
    found = []
    for module, others in graph.items():
        for other in sorted(others):
            place, here, there = where_they_part(module, other)
            if place == folder and {here, there} <= set(members):
                found.append(f"{module} -> {other}")
    return found


def cycles(graph: Graph) -> list[list[str]]:
    """Each set of nodes that import each other in a cycle, sorted."""
    reach = {node: reachable(graph, node) for node in graph}
    found = {frozenset(other for other in reach[node] if node in reach[other]) for node in graph}
    return sorted(sorted(cycle) for cycle in found if cycle)


def reachable(graph: Graph, start: str) -> set[str]:
    """Every node that `start` leads to in one step or more."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = graph[waiting.pop()] - seen
        seen |= fresh
        waiting.extend(fresh)
    return seen
