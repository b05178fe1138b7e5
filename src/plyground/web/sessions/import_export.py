"""Import of records and positions as sessions, and export of sessions as records.

A record has the main line and what is known about its moves; variations are not exported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath

from plyground.core.errors import FormatError, PlygroundError
from plyground.core.game import Game, Option
from plyground.core.records.record import GameRecord, Ply
from plyground.core.records.text_format import SIGNATURE
from plyground.search.searcher import Algorithm, limits_for, limits_text
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import PlayerSpecModel
from plyground.web.sessions.session import GameSession, RecordHeaders, SessionSetup
from plyground.web.sessions.variation_tree import MAX_NODES, ROOT

COMMENT_TAG = "comment"
"""The tag of a record that holds the comment on the start position."""
MAX_SHOWN_NAME = 80


class AmbiguousFile(PlygroundError):
    """A position that more than one game can read."""

    def __init__(self, name: str, games: list[str]) -> None:
        self.games = games
        super().__init__(f"{name} can be a position of {' or '.join(games)}: choose one")


# Import


def import_session(
    session_id: str, catalogue: Catalogue, name: str, text: str, game: str | None = None
) -> GameSession:
    """A session of two humans from the text of a file. `name` is used in messages only.

    A record is recognized by its first line. Any other text is a position of `game`, or of the only
    game that can read it. Every move of a record is checked.
    """
    name = _shown(name)
    if name.lower().endswith(".py"):
        raise FormatError(
            f"{name} is a program, and no page can make plyground run one; to play it, start"
            f" plyground serve {name}"
        )
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise FormatError(f"{name} is empty")
    with _errors_name(name):
        record = _record_in(text)
    if record is None:
        reader = _reader(catalogue, text, name) if game is None else catalogue.find(game)
        with _errors_name(name):
            return GameSession(session_id, SessionSetup(reader, text=reader.position(text).text))
    played = _game_of(catalogue, record, name, game)
    with _errors_name(name):
        start = record.positions(played)[0]
    needs_options = not hasattr(played.module, "parse_position")
    options: dict[str, Option] = dict(record.options) if needs_options else {}
    session = GameSession(session_id, SessionSetup(played, options, start.text))
    _add_record(session, record)
    return session


@contextmanager
def _errors_name(name: str) -> Iterator[None]:
    try:
        yield
    except FormatError as error:
        raise error.within(name) from None


def _shown(name: str) -> str:
    """The last part of a path of any system, with printable characters only."""
    last = PurePosixPath(PureWindowsPath(name).name).name or "this file"
    printable = "".join(mark if mark.isprintable() else "?" for mark in last)
    return printable if len(printable) <= MAX_SHOWN_NAME else f"{printable[:MAX_SHOWN_NAME]}..."


def _record_in(text: str) -> GameRecord | None:
    """The one record in a text of either format; None if it has neither format."""
    if text.startswith(SIGNATURE):
        return GameRecord.from_text(text)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not _is_json_record(lines[0][1]):
        return None
    if len(lines) > 1:
        raise FormatError(f"there are {len(lines)} games in it; open a file with one")
    return GameRecord.from_json(lines[0][1], lines[0][0])


def _is_json_record(line: str) -> bool:
    """Whether a line is JSON with a format. Positions of some games are JSON without one."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "format" in document


def _game_of(catalogue: Catalogue, record: GameRecord, name: str, game: str | None) -> Game:
    is_file = record.game.endswith(".py")
    played = _shown(record.game).removesuffix(".py") if is_file else record.game
    if played not in catalogue.names:
        raise FormatError(
            f"{name} is a record of {_shown(record.game)}, a game of somebody's own; to open it,"
            f" start plyground serve {_shown(record.game)}"
            if is_file
            else f"{name} is a record of {_shown(record.game)}, and there is no such game here"
        )
    if game is not None and game != played:
        raise FormatError(f"{name} is a record of {played}, not of {_shown(game)}")
    return catalogue.find(played)


def _reader(catalogue: Catalogue, text: str, name: str) -> Game:
    """The game that can read a text. If none can, the game that the file's name contains: its error
    says what is wrong."""
    readers, named = [], []
    for game in (catalogue.find(listed) for listed in catalogue.names):
        if game.name in name.lower():
            named.append(game)
        try:
            game.position(text)
        except PlygroundError:
            continue
        readers.append(game)
    if len(readers) > 1:
        raise AmbiguousFile(name, [reader.name for reader in readers])
    if not readers and len(named) != 1:
        raise FormatError(
            f"{name} is neither a record ('{SIGNATURE} 1' is its first line) nor a position of any"
            " game here"
        )
    return (readers or named)[0]


def _add_record(session: GameSession, record: GameRecord) -> None:
    """Add the moves, headers and outcome of a record to a new session."""
    if len(record.plies) >= MAX_NODES:
        raise FormatError(f"{len(record.plies)} moves: a game holds at most {MAX_NODES - 1}")
    tree = session.tree
    for ply in record.plies:
        node = tree.nodes[tree.child(tree.head, ply.move)]
        node.seconds, node.value, node.depth = ply.seconds, ply.evaluation, ply.depth
        node.comment = ply.comment
        tree.extend(node.id)
    tags = dict(record.tags)
    tree.nodes[ROOT].comment = tags.pop(COMMENT_TAG, "")
    session.headers = RecordHeaders(
        names=record.players,
        date=record.date,
        event=record.event,
        clock=record.clock,
        tags=tuple(tags.items()),
    )
    if not session.position.is_over:
        session.ended = record.outcome


# Export


def export_record(session: GameSession) -> GameRecord:
    """The main line of a session as a record."""
    headers, root = session.headers, session.tree.nodes[ROOT]
    record = GameRecord.begin(
        root.position,
        options=session.setup.options,
        players=session.names,
        date=headers.date,
        event=headers.event,
        clock=_time_control(session),
    )
    line = (session.tree.nodes[step] for step in session.tree.main[1:])
    plies = tuple(
        Ply(node.move or "", node.seconds, node.value, node.depth, node.comment) for node in line
    )
    tags = headers.tags + (((COMMENT_TAG, root.comment),) if root.comment else ())
    return replace(record, plies=plies, outcome=session.result, tags=tags)


def _time_control(session: GameSession) -> str:
    """The time control in words: the clock, or the limits of the searches."""
    if session.clock is not None:
        return session.clock.words
    if session.headers.clock:
        return session.headers.clock
    limits = [_limits_words(player) for player in session.players if player.kind != "human"]
    return ", ".join(dict.fromkeys(text for text in limits if text))


def _limits_words(player: PlayerSpecModel) -> str:
    if player.kind in ("perfect", "random"):
        return ""
    limits = limits_for(
        Algorithm(player.kind), depth=player.depth, nodes=player.nodes, seconds=player.seconds
    )
    return f"{player.kind} {limits_text(limits)}"
