"""The OpenAPI document. OpenAPI cannot describe WebSockets: they are in `x-websockets`, and the
models of their messages are among the document's schemas."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from plyground.web.access import MAX_BODY, MAX_SOCKETS, SOCKET_BURST, SOCKET_RATE
from plyground.web.protocol.arena import ARENA_REQUEST, ArenaReply
from plyground.web.protocol.messages import (
    ANALYSIS_REQUEST,
    SESSION_REQUEST,
    AnalysisReply,
    SessionReply,
)

DESCRIPTION = f"""Games, positions, tables and search, for any program on this machine.

Every request needs the token that was printed at the start: as `Authorization: Bearer TOKEN` or as
`?token=TOKEN`. Pages and this document need none. Every method but GET and HEAD, and every
WebSocket, also needs an `Origin` header with this server's own address. A request has at most
{MAX_BODY} bytes. Errors are `{{"message": "..."}}`, one sentence.

The WebSockets are described in `x-websockets`. Both ways, each message is one JSON document
with a `type`. Yours have at most {MAX_BODY} bytes and come at most {SOCKET_RATE:.0f} a second,
{SOCKET_BURST:.0f} at once. A message that is wrong is answered with an error, and the socket stays
open. At most {MAX_SOCKETS} can be open.
"""

SOCKETS = {
    "/api/tables/{name}/socket": {
        "summary": "A table: play at it, try variations, watch it",
        "description": "The whole table is sent on connecting and after every change, `progress`"
        " while a search for a move runs. Any message may carry `ref`, which comes back with an"
        " error.",
        "receives": "table_message",
        "sends": "table_reply",
    },
    "/api/think": {
        "summary": "Search, solve, review and take a search to pieces",
        "description": "Each message has an `id` of your choice, which all its replies repeat. A"
        " new message stops the one of the same type before it; `stop` stops any; closing the"
        " socket stops all.",
        "receives": "think_message",
        "sends": "think_reply",
    },
    "/api/arena/socket": {
        "summary": "The events of the arena, and the results and boards of one of them",
        "description": "The list of events is sent on connecting and after every change. After"
        " `watch`, so are the results of that event and the games that are under way in it.",
        "receives": "arena_message",
        "sends": "arena_reply",
    },
}


def with_sockets(document: dict[str, Any]) -> dict[str, Any]:
    """The document, completed by the WebSockets and the schemas of their messages."""
    session_reply: TypeAdapter[Any] = TypeAdapter(SessionReply)
    analysis_reply: TypeAdapter[Any] = TypeAdapter(AnalysisReply)
    arena_reply: TypeAdapter[Any] = TypeAdapter(ArenaReply)
    references, definitions = TypeAdapter.json_schemas(
        [
            ("table_message", "validation", SESSION_REQUEST),
            ("table_reply", "serialization", session_reply),
            ("think_message", "validation", ANALYSIS_REQUEST),
            ("think_reply", "serialization", analysis_reply),
            ("arena_message", "validation", ARENA_REQUEST),
            ("arena_reply", "serialization", arena_reply),
        ],
        ref_template="#/components/schemas/{model}",
    )
    schemas = {name: schema for (name, _), schema in references.items()}
    described = {
        path: {**about, "receives": schemas[about["receives"]], "sends": schemas[about["sends"]]}
        for path, about in SOCKETS.items()
    }
    # A model may be in both; these definitions also have its defaults.
    components = {**document["components"]["schemas"], **definitions["$defs"]}
    return {**document, "components": {"schemas": components}, "x-websockets": described}
