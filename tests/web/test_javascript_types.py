"""The types of the pages' JavaScript (static/shared/protocol.d.ts) agree with the server's models.

The OpenAPI document is written as TypeScript; then deno checks that everything the server sends
has the type that the pages expect, and everything the pages may send is what the server reads.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from plyground.web.app import create_app
from plyground.web.routes.pages import FOLDER

Schema = dict[str, Any]

PROTOCOL = FOLDER / "shared" / "protocol.d.ts"
SOCKETS = {
    "/api/tables/{name}/socket": ("SessionRequest", "SessionReply"),
    "/api/think": ("AnalysisRequest", "AnalysisReply"),
    "/api/arena/socket": ("ArenaRequest", "ArenaReply"),
}
RESPONSES = {
    "/api/games": ("get", "GameCard[]"),
    "/api/tables": ("get", "TableCard[]"),
    "/api/positions": ("post", "View"),
    "/api/evaluations": ("post", "Evaluations"),
    "/api/arena/check": ("post", "CheckedEvent"),
    "/api/arena/events/{event}/games": ("get", "GamesPage"),
}
BODIES = {
    "/api/positions": "Place",
    "/api/evaluations": "Place",
    "/api/tables": "NewTable",
    "/api/arena/check": "NewEvent",
    "/api/arena/events": "NewEvent",
}


def typescript(schema: Schema) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return type_name(str(schema["$ref"]).rsplit("/", 1)[1])
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(typescript(choice) for choice in choices)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    match schema.get("type"):
        case "object" if "properties" in schema:
            return object_type(schema)
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"Record<string, {typescript(schema['additionalProperties'])}>"
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(typescript(item) for item in schema['prefixItems'])}]"
        case "array" if schema.get("items"):
            return f"({typescript(schema['items'])})[]"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as name:
            return str(name)
    return "any"


def type_name(model: str) -> str:
    return f"Server_{model.replace('-', '_')}"


def object_type(schema: Schema) -> str:
    fields = []
    for name, inner in schema["properties"].items():
        is_always_there = name in schema.get("required", []) or "const" in inner
        fields.append(f"{name}{'' if is_always_there else '?'}: {typescript(inner)}")
    return f"{{ {'; '.join(fields)} }}"


def json_type(content: Schema) -> str:
    return typescript(content["content"]["application/json"]["schema"])


def program(document: Schema) -> str:
    """TypeScript that has an error wherever the types of the pages and of the server differ."""
    lines = [f"import type * as pages from {json.dumps(PROTOCOL.as_uri())};"]
    for name, schema in document["components"]["schemas"].items():
        lines.append(f"type {type_name(name)} = {typescript(schema)};")
    pairs: list[tuple[str, str]] = []  # a type, and one that it must be assignable to
    for path, (method, expected) in RESPONSES.items():
        response = document["paths"][path][method]["responses"]["200"]
        pairs.append((json_type(response), f"pages.{expected}"))
    for path, body in BODIES.items():
        request = document["paths"][path]["post"]["requestBody"]
        pairs.append((f"pages.{body}", json_type(request)))
    for path, (request, reply) in SOCKETS.items():
        socket = document["x-websockets"][path]
        pairs.append((typescript(socket["sends"]), f"pages.{reply}"))
        pairs.append((f"pages.{request}", typescript(socket["receives"])))
    for number, (source, target) in enumerate(pairs):
        lines.append(f"export const check{number} = (given: {source}): {target} => given;")
    return "\n".join(lines)


def check(source: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "check.ts"
    file.write_text(source, encoding="utf-8")
    deno = shutil.which("deno", path=sysconfig.get_path("scripts"))
    assert deno is not None, "deno is not installed: run make test"
    command = [deno, "check", "--quiet", "--no-config", str(file)]
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=environment
    )


@pytest.fixture
def document(tmp_path: Path) -> Schema:
    return create_app(home=tmp_path / "home").openapi()


def test_the_pages_expect_what_the_server_sends_and_send_what_it_reads(
    document: Schema, tmp_path: Path
) -> None:
    checked = check(program(document), tmp_path)
    assert checked.returncode == 0, checked.stderr


def test_a_field_that_the_server_does_not_send_is_found(document: Schema, tmp_path: Path) -> None:
    (table,) = (
        schema
        for schema in document["components"]["schemas"].values()
        if schema.get("properties", {}).get("type", {}).get("const") == "table"
    )
    del table["properties"]["thinking"]
    checked = check(program(document), tmp_path)
    assert checked.returncode == 1
    assert "'thinking' is missing" in checked.stderr
