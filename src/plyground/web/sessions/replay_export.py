"""Export of a game as one HTML file that needs neither server nor network.

Most elements of a picture are the same after a move, so pictures are split into elements and each
element is stored once. The file's Content-Security-Policy allows its own script and style, by their
hashes, and nothing else: names and comments are shown and never run.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from plyground.core.page import policy_hash
from plyground.core.svg import board_style
from plyground.search.result import value_text
from plyground.web.sessions.session import GameSession
from plyground.web.sessions.variation_tree import VariationNode

FOLDER = Path(__file__).parents[1] / "export"
BETWEEN_ELEMENTS = re.compile(r"(?<=>)(?=<)")
PLACE = re.compile(r"\{\{(\w+)\}\}")


def replay_page(session: GameSession) -> str:
    """The file: the main line of a session."""
    line = [session.tree.nodes[step] for step in session.tree.main]
    script, style = _part("replay.js"), _part("replay.css") + board_style()
    result = session.result
    ended = "not finished" if result is None else f"{result.score}, {result.reason}"
    headers = session.headers
    players = ", ".join(
        f"{side}: {name}" for side, name in zip(session.game.players, session.names, strict=True)
    )
    about = " · ".join(text for text in (headers.event, headers.date, ended) if text)
    content = {
        "policy": _policy(script, style),
        "title": escape(f"{session.game.title}: {session.names[0]} and {session.names[1]}"),
        "game": escape(session.game.title),
        "players": escape(players),
        "about": escape(about),
        "plies": str(len(line) - 1),
        "moves": "\n".join(_row(session, line, ply) for ply in range(len(line))),
        "rules": _rules(session.game.rules_text or session.game.summary),
        "data": _embedded(_data(session, line, ended)),
        "script": script,
        "style": style,
    }
    return PLACE.sub(lambda place: content[place[1]], _part("replay.html"))


@cache
def _part(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _rules(text: str) -> str:
    """The rules of a game, which are plain Markdown, as HTML. Links and pictures stay text: the
    file loads nothing."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])
    return str(markdown.render(text))


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {policy_hash(script)}; style-src {policy_hash(style)};"
        " base-uri 'none'; form-action 'none'"
    )


def _embedded(data: dict[str, Any]) -> str:
    """JSON without a character that could end its script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _data(session: GameSession, line: list[VariationNode], ended: str) -> dict[str, Any]:
    pieces: dict[str, int] = {}
    frames = [
        [pieces.setdefault(piece, len(pieces)) for piece in BETWEEN_ELEMENTS.split(picture)]
        for picture in (node.position.svg() for node in line)
    ]
    words = [_announcement(session, line, ply) for ply in range(len(line))]
    words[-1] += f" {ended[:1].upper()}{ended[1:]}."
    return {
        "pieces": list(pieces),
        "frames": frames,
        "words": words,
        "touches": [_touches(line, ply) for ply in range(len(line))],
        "comments": [node.comment for node in line],
    }


def _touches(line: list[VariationNode], ply: int) -> list[str]:
    """The cells of the move that led to a position."""
    before, move = line[ply - 1].position, line[ply].move
    return [] if move is None else list(before.touches(before.parse_move(move)))


def _announcement(session: GameSession, line: list[VariationNode], ply: int) -> str:
    """A move in words, for screen readers."""
    if ply == 0:
        return "The start."
    player = session.game.players[line[ply - 1].position.turn]
    notes = _notes(line, ply)
    return f"Move {ply}: {player} {line[ply].move}{', ' if notes else ''}{', '.join(notes)}."


def _notes(line: list[VariationNode], ply: int) -> list[str]:
    """The value, depth and time of a move, where known."""
    node = line[ply]
    notes = []
    if node.value is not None:
        notes.append(value_text(line[ply - 1].position, node.value))
    if node.depth is not None:
        notes.append(f"depth {node.depth}")
    if node.seconds is not None:
        notes.append(f"{node.seconds:g} s")
    return notes


def _row(session: GameSession, line: list[VariationNode], ply: int) -> str:
    if ply == 0:
        return '<li><button type="button">Start</button></li>'
    player = session.game.players[line[ply - 1].position.turn]
    notes = ", ".join([player, *_notes(line, ply), *(["comment"] if line[ply].comment else [])])
    return (
        f'<li><button type="button">{ply}. {escape(line[ply].move or "")}'
        f" <small>{escape(notes)}</small></button></li>"
    )
