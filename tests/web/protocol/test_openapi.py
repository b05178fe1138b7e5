"""The OpenAPI document, and the page of the documentation."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest
from pydantic import TypeAdapter

import plyground.web
from plyground.web import access
from plyground.web.app import create_app
from plyground.web.protocol.arena import ARENA_REQUEST, ArenaReply
from plyground.web.protocol.messages import (
    ANALYSIS_REQUEST,
    SESSION_REQUEST,
    AnalysisReply,
    SessionReply,
)
from tests.cli.runner import matches
from tests.paths import ROOT
from tests.web.running_server import Running, running

PAGE = (ROOT / "docs" / "web-interface.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("home")) as server:
        yield server


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    app = create_app(home=tmp_path_factory.mktemp("home"))
    return app.openapi()


def test_the_document_is_served_as_it_is_made(web: Running, document: dict[str, Any]) -> None:
    served = web.ask("/api/openapi.json").document
    assert served == document


def routes() -> Iterator[Any]:
    """Every route of every part of the app."""
    for module in pkgutil.walk_packages(plyground.web.__path__, "plyground.web."):
        router = getattr(importlib.import_module(module.name), "router", None)
        yield from [] if router is None else router.routes


def test_the_document_describes_every_route(document: dict[str, Any]) -> None:
    described = {
        (path, method.upper()) for path, methods in document["paths"].items() for method in methods
    }
    assert described == {
        (route.path, method) for route in routes() for method in getattr(route, "methods", ())
    }
    assert set(document["x-websockets"]) == {
        route.path for route in routes() if not hasattr(route, "methods")
    }


def test_every_route_has_a_summary_and_tells_its_errors(document: dict[str, Any]) -> None:
    names = []
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert "4XX" in operation["responses"]
            names.append(operation["operationId"])
    assert len(set(names)) == len(names)
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_every_reference_of_the_document_leads_somewhere(document: dict[str, Any]) -> None:
    references = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)))
    schemas = document["components"]["schemas"]
    assert references
    for reference in references:
        assert reference.removeprefix("#/components/schemas/") in schemas


def test_schemas_have_the_documented_names(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    documented = {"Table", "Node", "Clock", "Live", "Problem", "Line", "Cut", "Tree", "Stopped"}
    assert documented <= set(schemas)
    for name, schema in schemas.items():
        assert schema["title"] == name
        assert not name.endswith("Model")


@pytest.mark.parametrize(
    ("path", "way", "adapter"),
    [
        ("/api/tables/{name}/socket", "receives", SESSION_REQUEST),
        ("/api/tables/{name}/socket", "sends", TypeAdapter(SessionReply)),
        ("/api/think", "receives", ANALYSIS_REQUEST),
        ("/api/think", "sends", TypeAdapter(AnalysisReply)),
        ("/api/arena/socket", "receives", ARENA_REQUEST),
        ("/api/arena/socket", "sends", TypeAdapter(ArenaReply)),
    ],
)
def test_the_messages_of_a_socket_are_those_of_its_models(
    document: dict[str, Any], path: str, way: str, adapter: TypeAdapter[Any]
) -> None:
    described = document["x-websockets"][path][way]
    mode = "validation" if way == "receives" else "serialization"
    template = "#/components/schemas/{model}"
    made = adapter.json_schema(
        mode=mode,  # type: ignore[arg-type]
        ref_template=template,
    )
    definitions = made.pop("$defs")
    assert described == made
    for name, schema in definitions.items():
        assert document["components"]["schemas"][name] == schema


ASKED: list[dict[str, Any]] = [
    {"type": "search", "lines": 2, "depth": 3},
    {"type": "solve"},
    {"type": "review", "seconds": 0.01},
    {"type": "tree", "depth": 2},
    {"type": "search", "algorithm": "minimax"},
]


def test_replies_of_sockets_fit_their_models(web: Running) -> None:
    """Every field that is sent is described, and every message fits its description."""
    thought: TypeAdapter[Any] = TypeAdapter(AnalysisReply)
    shown: TypeAdapter[Any] = TypeAdapter(SessionReply)
    place = {"game": "tictactoe", "moves": ["b2", "b1"]}
    kinds = set()
    with web.connect("/api/think") as line:
        for number, asked in enumerate(ASKED):
            line.send(json.dumps({"id": number, "place": place, **asked}))
            last = ""
            while last not in ("done", "solved", "tree", "error"):
                message = json.loads(line.recv(timeout=120))
                last = message["type"]
                kinds.add(last)
                assert_described(thought.validate_python(message).model_dump(mode="json"), message)
    assert {"done", "solved", "reviewed", "tree", "error"} <= kinds
    table = web.ask("/api/tables", {"game": "tictactoe", "moves": ["b2"]}).document["id"]
    with web.connect(f"/api/tables/{table}/socket") as line:
        message = json.loads(line.recv(timeout=60))
        assert_described(shown.validate_python(message).model_dump(mode="json"), message)


def assert_described(model: Any, message: Any) -> None:
    """Nothing is in the message that the model does not know."""
    if isinstance(message, dict):
        assert message.keys() <= model.keys()
        for name, value in message.items():
            assert_described(model[name], value)
    elif isinstance(message, list):
        for inner, value in zip(model, message, strict=True):
            assert_described(inner, value)


# The page of the documentation


def test_the_programs_of_the_page_do_as_shown(web: Running) -> None:
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)
    assert len(blocks) >= 7
    names: dict[str, Any] = {}
    for program, expected in blocks:
        program = program.replace("http://127.0.0.1:8631", web.server.origin)
        program = program.replace("what the address says after token=", web.server.token)
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(program, "docs/web-interface.md", "exec"), names)
        assert matches(expected, output.getvalue()), output.getvalue()


def test_the_page_tells_the_limits_as_they_are() -> None:
    words = " ".join(PAGE.split())
    for number in (
        f"at most {access.MAX_BODY} bytes",
        f"{access.HTTP_RATE:.0f} requests a second ({access.HTTP_BURST:.0f} at once",
        f"{access.SOCKET_RATE:.0f} messages a second ({access.SOCKET_BURST:.0f} at once)",
        f"{access.MAX_REFUSED} more of them",
        f"at most {access.MAX_SOCKETS} WebSockets",
    ):
        assert number in words, number
