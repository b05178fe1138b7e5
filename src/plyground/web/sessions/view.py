"""A session as the interface describes it: `Table` and `TableCard` of `protocol/models.py`."""

from __future__ import annotations

from typing import Any

from plyground.core.position import Position
from plyground.search.result import value_text
from plyground.web.protocol.descriptions import game_card, result_of, view
from plyground.web.sessions.session import Table
from plyground.web.sessions.variations import Node


def table_message(
    table: Table,
    shown: dict[str, Any],
    now: float,
    *,
    thinking: int | None = None,
    progress: dict[str, Any] | None = None,
    worked: float = 0.0,
) -> dict[str, Any]:
    """All of a table; `shown` is the view of its current node.

    `thinking` tells for whom a search thinks, `worked` how many seconds it has by now.
    """
    result, live = table.result, table.live
    return {
        "type": "table",
        "id": table.id,
        "version": table.version,
        "game": game_card(table.game).model_dump(mode="json"),
        "options": dict(table.setup.options),
        "start": table.tree.nodes[0].position.text,
        "nodes": [_node(table, node) for node in table.tree.nodes.values()],
        "main": list(table.tree.main),
        "head": table.tree.head,
        "current": table.current,
        "view": shown,
        "players": [player.model_dump(mode="json", exclude_none=True) for player in table.players],
        "names": list(table.names),
        "clock": _clock(table, now, worked),
        "thinking": thinking,
        "paused": table.paused,
        "result": None if result is None else result_of(result).model_dump(mode="json"),
        "live": None if live is None else {"seconds": live.seconds, "running": live.running},
        "progress": progress,
    }


def _node(table: Table, node: Node) -> dict[str, Any]:
    value = None
    if node.value is not None and node.parent is not None:
        value = value_text(table.tree.nodes[node.parent].position, node.value)
    return {
        "id": node.id,
        "parent": node.parent,
        "move": node.move,
        "turn": 1 if not node.position.is_over and node.position.turn == 1 else 0,
        "seconds": node.seconds,
        "value": node.value,
        "value_text": value,
        "depth": node.depth,
        "comment": node.comment,
    }


def _clock(table: Table, now: float, worked: float) -> dict[str, Any] | None:
    clock = table.clock
    if clock is None:
        return None
    runs = table.awake and not table.paused
    return {
        "seconds": clock.seconds,
        "increment": clock.increment,
        "left": [round(left, 3) for left in table.time_left(now, worked)],
        "running": table.mover if runs else None,
    }


def node_view(table: Table, node: int) -> dict[str, Any]:
    """A session as the interface describes it: `Table` and `TableCard` of `protocol/models.py`."""
    found = table.tree.node(node)
    if found.parent is None or found.move is None:
        return view(_fresh(found.position)).model_dump(mode="json")
    before = _fresh(table.tree.nodes[found.parent].position)
    return view(_fresh(found.position), before, before.parse_move(found.move)).model_dump(
        mode="json"
    )


def picture_of(position: Position) -> str:
    """A session as the interface describes it: `Table` and `TableCard` of `protocol/models.py`."""
    return _fresh(position).svg()


def touches_of(position: Position, move: str) -> list[str]:
    """A session as the interface describes it: `Table` and `TableCard` of `protocol/models.py`."""
    fresh = _fresh(position)
    return list(fresh.touches(fresh.parse_move(move)))


def _fresh(position: Position) -> Position:
    return Position(position.game, position.board, position.state, position.past)


def table_card(table: Table, changed: str) -> dict[str, Any]:
    """A session as the interface describes it: `Table` and `TableCard` of `protocol/models.py`."""
    result = table.result
    return {
        "id": table.id,
        "game": table.game.name,
        "title": table.game.title,
        "players": list(table.names),
        "plies": len(table.tree.main) - 1,
        "result": None if result is None else result_of(result).model_dump(mode="json"),
        "changed": changed,
    }
