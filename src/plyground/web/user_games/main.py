"""The process that runs the code of a user's game, started by `game_process.py`.

Each message is one JSON document, and each is answered:

    in   {"path": PATH, "source": TEXT}                        first: the game's file
         {"ask": NAME, "of": POSITION, "arguments": [...]}     an attribute or method of `Position`,
                                                               or of `Game` without a position
    out  {"game": {...}}           what `RemoteGame` needs to know
         {"value": ...}            the answer
         {"position": POSITION}    the same, if the answer is a position
         {"error": [CLASS, TEXT]}  a PlygroundError, by the name of its class

A position is pickled; the server never reads it. The main thread only reads, so that the process
ends with the server, whatever its game does.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import queue
import signal
import threading
from functools import lru_cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from plyground.core.errors import PlygroundError
from plyground.core.game import Game, Position
from plyground.core.outcome import Outcome
from plyground.core.registry import load_game_file

STDOUT, STDERR = 1, 2

KEPT_POSITIONS = 64
"""Positions that are kept with what they have computed: a page asks for many parts of one."""


class GameHost:
    """Answers the questions about one game."""

    def __init__(self, path: str, source: bytes) -> None:
        self.game = load_game_file(Path(path), source)
        self._position = lru_cache(KEPT_POSITIONS)(self._decode)

    def description(self) -> dict[str, Any]:
        game = self.game
        return {
            "title": game.title,
            "summary": game.summary,
            "players": game.players,
            "colours": game.colours,
            "rules": game.rules_text,
            "option_texts": game.option_texts,
            "choices": game.choices,
            "options": _defaults(game, "options"),
            "position_options": _defaults(game, "position_options"),
            "functions": [name for name in ("idle", "parse_position") if game.own(name)],
            "defaults": sorted(game.rules.defaults),
            "point": game.rules.point,
        }

    def answer(self, ask: str, of: str | None, arguments: list[Any]) -> dict[str, Any]:
        subject: Game | Position = self.game if of is None else self._position(of)
        if ask == "equals":
            return {"value": subject == self._position(arguments[0])}
        found = getattr(subject, ask)
        value = found(*arguments) if callable(found) else found
        if isinstance(value, Position):
            pickled = pickle.dumps((value.board, value.state))
            return {"position": base64.b64encode(pickled).decode()}
        if isinstance(value, Outcome):
            value = {**vars(value), "ending": value.ending.value}
        return {"value": value}

    def _decode(self, position: str) -> Position:
        board, state = pickle.loads(base64.b64decode(position))
        return Position(self.game, self.game.freeze_board(board), state)


def _defaults(game: Game, kind: str) -> dict[str, Any]:
    return {name: parameter.default for name, parameter in getattr(game, kind).items()}


def _reply(host: list[GameHost], message: dict[str, Any]) -> str:
    """The answer to a message. `host` is empty until the game is loaded."""
    try:
        if not host:
            host.append(GameHost(message["path"], message["source"].encode("latin-1")))
            return json.dumps({"game": host[0].description()})
        return json.dumps(host[0].answer(**message))
    except PlygroundError as error:
        return json.dumps({"error": [type(error).__name__, str(error)]})
    except BaseException as error:  # also SystemExit: a game may do anything
        return json.dumps({"error": ["", f"{type(error).__name__}: {error}"]})


def serve_game(connection: Connection) -> None:
    """Answer until the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    os.dup2(STDERR, STDOUT)  # what a game prints is no output of the server
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def serve() -> None:
        host: list[GameHost] = []
        while True:
            connection.send_bytes(_reply(host, json.loads(messages.get())).encode())

    threading.Thread(target=serve, daemon=True).start()
    while True:
        try:
            messages.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)
