"""A game as one HTML file that needs no server, no network and nothing but a browser.

All pictures are in it. From one move to the next most of a picture stays the same, so pictures are
cut into their elements, and each element is kept once. Script and style are within the file and
named by their hashes in its own Content-Security-Policy, which allows nothing else: whatever a name
or a comment contains, it is only shown.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from plyground.search.result import value_text
from plyground.web.sessions.session import Table
from plyground.web.sessions.variations import Node
from plyground.web.sessions.view import picture_of, touches_of

FOLDER = Path(__file__).parents[1] / "export"
BETWEEN_ELEMENTS = re.compile(r"(?<=>)(?=<)")
PLACE = re.compile(r"\{\{(\w+)\}\}")


def replay_page(table: Table) -> str:
    """The whole file: the game's main line."""
    line = [table.tree.nodes[step] for step in table.tree.main]
    script, style = _part("replay.js"), _part("replay.css")
    result = table.result
    ended = "not finished" if result is None else f"{result.score}, {result.reason}"
    headers = table.headers
    players = ", ".join(
        f"{side}: {name}" for side, name in zip(table.game.players, table.names, strict=True)
    )
    about = " · ".join(text for text in (headers.event, headers.date, ended) if text)
    content = {
        "policy": _policy(script, style),
        "title": escape(f"{table.game.title}: {table.names[0]} and {table.names[1]}"),
        "game": escape(table.game.title),
        "players": escape(players),
        "about": escape(about),
        "plies": str(len(line) - 1),
        "moves": "\n".join(_row(table, line, ply) for ply in range(len(line))),
        "data": _embedded(_data(table, line, ended)),
        "script": script,
        "style": style,
    }
    return PLACE.sub(lambda place: content[place[1]], _part("replay.html"))


@cache
def _part(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)};"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _embedded(data: dict[str, Any]) -> str:
    """JSON that cannot end the script element that it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _data(table: Table, line: list[Node], ended: str) -> dict[str, Any]:
    pieces: dict[str, int] = {}
    frames = [
        [pieces.setdefault(piece, len(pieces)) for piece in BETWEEN_ELEMENTS.split(picture)]
        for picture in (picture_of(node.position) for node in line)
    ]
    words = [_words(table, line, ply) for ply in range(len(line))]
    words[-1] += f" {ended[:1].upper()}{ended[1:]}."
    return {
        "pieces": list(pieces),
        "frames": frames,
        "words": words,
        "touches": [_touches(line, ply) for ply in range(len(line))],
        "comments": [node.comment for node in line],
    }


def _touches(line: list[Node], ply: int) -> list[str]:
    """The cells of the move that led to a position."""
    move = line[ply].move
    return [] if move is None else touches_of(line[ply - 1].position, move)


def _words(table: Table, line: list[Node], ply: int) -> str:
    """A move as it is said."""
    if ply == 0:
        return "The start."
    player = table.game.players[line[ply - 1].position.turn]
    notes = _notes(line, ply)
    return f"Move {ply}: {player} {line[ply].move}{', ' if notes else ''}{', '.join(notes)}."


def _notes(line: list[Node], ply: int) -> list[str]:
    """What is known of a move: the value, the depth and the time."""
    node = line[ply]
    notes = []
    if node.value is not None:
        notes.append(value_text(line[ply - 1].position, node.value))
    if node.depth is not None:
        notes.append(f"depth {node.depth}")
    if node.seconds is not None:
        notes.append(f"{node.seconds:g} s")
    return notes


def _row(table: Table, line: list[Node], ply: int) -> str:
    if ply == 0:
        return '<li><button type="button">Start</button></li>'
    player = table.game.players[line[ply - 1].position.turn]
    notes = ", ".join([player, *_notes(line, ply), *(["comment"] if line[ply].comment else [])])
    return (
        f'<li><button type="button">{ply}. {escape(line[ply].move or "")}'
        f" <small>{escape(notes)}</small></button></li>"
    )
