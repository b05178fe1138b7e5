"""Sessions to test with."""

from __future__ import annotations

import json
from typing import Any

from plyground.core.registry import find_game
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import ClockSpec, LiveSpec, PlayerSpecModel, Table
from plyground.web.sessions.session import HUMAN, GameSession, SessionSetup
from plyground.web.sessions.storage import read_document, restore_session, write_document
from plyground.web.sessions.view import session_message

ENGINE = PlayerSpecModel(kind="engine", seconds=0.1)
CATALOGUE = Catalogue()
NAME = "abcdefghij01"


def new_session(
    game: str = "tictactoe",
    *,
    players: tuple[PlayerSpecModel, PlayerSpecModel] = (HUMAN, HUMAN),
    clock: ClockSpec | None = None,
    live: LiveSpec | None = None,
    moves: tuple[str, ...] = (),
) -> GameSession:
    """A session that is watched since time 0."""
    setup = SessionSetup(find_game(game), {}, None, players, clock, live)
    session = GameSession(NAME, setup, moves)
    session.watch(0.0)
    return session


def play(session: GameSession, *moves: str, now: float = 0.0) -> None:
    for move in moves:
        session.play(session.tree.head, move, now)


def interface_view(session: GameSession, now: float = 0.0) -> dict[str, Any]:
    """The session as pages receive it, validated."""
    message = session_message(session, now)
    Table.model_validate_json(json.dumps(message))
    return message


def reloaded(session: GameSession, now: float = 0.0) -> GameSession:
    """The session after saving and loading."""
    document = write_document(session, now, "2025-11-15T18:30:00+00:00")
    return restore_session(read_document(document), CATALOGUE)
