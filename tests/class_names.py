"""The names of the classes of the package, and of its types: where each is defined."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path


def definitions(modules: Iterable[Path]) -> dict[str, list[Path]]:
    """The modules that define each name. One with an underscore before it counts as the same: to a
    reader it is."""
    found: dict[str, list[Path]] = {}
    for module in modules:
        for name in class_names(module.read_text(encoding="utf-8")):
            found.setdefault(name.removeprefix("_"), []).append(module)
    return found


def class_names(source: str) -> Iterator[str]:
    """Of classes and of other types that are defined at the top of a module: aliases, type
    variables. Names of types have capital and small letters, those of constants no small ones."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            yield from (name for name in names if is_type_name(name))


def is_type_name(name: str) -> bool:
    return name.lstrip("_")[:1].isupper() and not name.isupper()
