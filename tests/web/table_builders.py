"""Tables to test with."""

from __future__ import annotations

import json
from typing import Any

from plyground.core.registry import find_game
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import ClockSpec, LiveSpec, PlayerSpec
from plyground.web.protocol.models import Table as TableModel
from plyground.web.sessions.document import parse_document, restore, write_document
from plyground.web.sessions.session import Table
from plyground.web.sessions.setup import HUMAN, Setup
from plyground.web.sessions.view import node_view, table_message

ENGINE = PlayerSpec(kind="engine", seconds=0.1)
CATALOGUE = Catalogue()
NAME = "abcdefghij01"


def new_table(
    game: str = "tictactoe",
    *,
    players: tuple[PlayerSpec, PlayerSpec] = (HUMAN, HUMAN),
    clock: ClockSpec | None = None,
    live: LiveSpec | None = None,
    moves: tuple[str, ...] = (),
) -> Table:
    """A table that somebody looks at since time 0."""
    table = Table(NAME, Setup(find_game(game), {}, None, players, clock, live), moves)
    table.wake(0.0)
    return table


def play(table: Table, *moves: str, now: float = 0.0) -> None:
    for move in moves:
        table.play(table.tree.head, move, now)


def told(table: Table, now: float = 0.0) -> dict[str, Any]:
    message = table_message(table, node_view(table, table.current), now)
    TableModel.model_validate_json(json.dumps(message))
    return message


def reloaded(table: Table, now: float = 0.0) -> Table:
    text = write_document(table, now, "2025-11-15T18:30:00+00:00")
    return restore(parse_document(text), CATALOGUE)
