"""The names of the models: one meaning each, the same in Python and in the pages' types."""

from __future__ import annotations

import ast
import re

import pytest

from plyground.web.routes.pages import FOLDER
from tests.import_graph import MODULES, PACKAGE

PROTOCOL = PACKAGE / "web" / "protocol"
SUFFIX = "Model"
OF_THE_BROWSER = {"Event"}
TYPES_ONLY = {"RepliesByRequest", "TreeSettings"}
"""Types of the pages that are no messages."""


def classes(*, in_protocol: bool) -> set[str]:
    return {
        node.name
        for module in MODULES
        if module.is_relative_to(PROTOCOL) == in_protocol
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }


@pytest.mark.parametrize("name", sorted(classes(in_protocol=True) - {"InterfaceModel"}))
def test_a_model_has_the_suffix_if_its_name_is_taken_and_only_then(name: str) -> None:
    taken = classes(in_protocol=False) | OF_THE_BROWSER
    assert name not in taken
    assert not name.endswith(SUFFIX) or name.removesuffix(SUFFIX) in taken


def test_the_pages_call_a_message_what_the_server_calls_it() -> None:
    types = (FOLDER / "shared" / "protocol.d.ts").read_text(encoding="utf-8")
    known = {name.removesuffix(SUFFIX) for name in classes(in_protocol=True)}
    named = re.findall(r"^export interface (\w+)", types, re.MULTILINE)
    found = {name.removesuffix(SUFFIX) for name in named}
    assert found - TYPES_ONLY <= known
