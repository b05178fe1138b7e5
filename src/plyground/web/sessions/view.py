"""A session as the documented interface describes it: `Table` of `protocol/models.py`."""

from __future__ import annotations

from typing import Any

from plyground.search.result import value_text
from plyground.web.descriptions import game_card, position_view, result_model
from plyground.web.sessions.session import GameSession, LiveState
from plyground.web.sessions.variation_tree import VariationNode


def session_message(
    session: GameSession, now: float, progress: dict[str, Any] | None = None
) -> dict[str, Any]:
    """All of a session. `progress` is the last report of the search for a move."""
    result, live = session.result, session.live
    thinking = session.searching_player if live is None else None
    if thinking is None:
        progress = None
    return {
        "type": "table",
        "id": session.id,
        "version": session.version,
        "game": game_card(session.game).model_dump(mode="json"),
        "options": dict(session.setup.options),
        "start": session.tree.nodes[0].position.text,
        "nodes": [_node(session, node) for node in session.tree.nodes.values()],
        "main": list(session.tree.main),
        "head": session.tree.head,
        "current": session.current,
        "view": _view(session),
        "players": [
            player.model_dump(mode="json", exclude_none=True) for player in session.players
        ],
        "names": list(session.names),
        "clock": _clock(session, now, progress),
        "thinking": thinking,
        "paused": session.paused,
        "result": None if result is None else result_model(result).model_dump(mode="json"),
        "live": None if live is None else _live(live),
        "progress": None if progress is None else _thought(progress),
    }


def progress_message(session: GameSession, now: float, progress: dict[str, Any]) -> dict[str, Any]:
    """The parts of a session that change while a search for a move runs."""
    return {
        "type": "progress",
        "version": session.version,
        "progress": _thought(progress),
        "clock": _clock(session, now, progress),
    }


def _thought(progress: dict[str, Any]) -> dict[str, Any]:
    return {name: progress.get(name) for name in ("depth", "nodes", "value_text", "evaluation")}


def _clock(
    session: GameSession, now: float, progress: dict[str, Any] | None
) -> dict[str, Any] | None:
    clock = session.clock
    if clock is None:
        return None
    searched = 0.0 if progress is None else progress["seconds"]
    runs = session.is_watched and not session.paused
    return {
        "seconds": clock.seconds,
        "increment": clock.increment,
        "left": [round(left, 3) for left in session.time_left(now, searched)],
        "running": session.player_to_move if runs else None,
    }


def _live(live: LiveState) -> dict[str, Any]:
    return {
        "seconds": live.seconds,
        "running": live.running,
        "preparing": live.running and not live.prepared,
    }


def _node(session: GameSession, node: VariationNode) -> dict[str, Any]:
    value = None
    if node.value is not None and node.parent is not None:
        value = value_text(session.tree.nodes[node.parent].position, node.value)
    return {
        "id": node.id,
        "parent": node.parent,
        "move": node.move,
        "turn": 1 if not node.position.is_over and node.position.turn == 1 else 0,
        "seconds": node.seconds,
        "value": node.value,
        "value_text": value,
        "depth": node.depth,
        "evaluation": node.evaluation,
        "comment": node.comment,
    }


def _view(session: GameSession) -> dict[str, Any]:
    """The current node's position as people see it."""
    node = session.tree.node(session.current)
    before = None if node.parent is None else session.tree.nodes[node.parent].position
    return position_view(node.position, before, node.move).model_dump(mode="json")
