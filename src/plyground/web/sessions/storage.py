"""Storage of sessions: one JSON document per session in a folder.

A file may be damaged or manipulated. Reading validates the document (pydantic) and plays every move
through the rules. A bad file is reported and affects no other file.
"""

from __future__ import annotations

import logging
import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, ValidationError, model_validator

from plyground.core.errors import FileError, FormatError, PlygroundError, UnknownGame
from plyground.core.files import read_regular_file, write_atomically
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.checks import MAX_UTILITY
from plyground.core.validation import problem_in
from plyground.core.values import INFINITY, LONGEST
from plyground.web.catalogue import Catalogue
from plyground.web.descriptions import result_model
from plyground.web.levels import player_name
from plyground.web.protocol.models import (
    MAX_SECONDS,
    ClockSpec,
    EvaluationWord,
    LiveSpec,
    MoveText,
    NodeId,
    OptionValues,
    PlayerSpecModel,
    PositionText,
    Received,
    ResultModel,
    SessionId,
    ShortName,
    Side,
    TableCard,
    Text,
)
from plyground.web.sessions.session import GameSession, RecordHeaders, SessionSetup
from plyground.web.sessions.variation_tree import MAX_NODES, ROOT

MAX_BYTES = 1 << 24
FILE_NAME = re.compile(r"([a-z0-9]{12})\.json")
MAX_LISTED = 50

ClockTime = Annotated[float, Field(ge=0, le=1e9)]

log = logging.getLogger("plyground.web")


class NoSession(PlygroundError):
    """No session has this id, or no longer."""


# The document


class SavedNode(Received):
    id: NodeId
    parent: NodeId | None = None
    move: MoveText | None = None
    seconds: ClockTime | None = None
    value: Annotated[StrictInt, Field(ge=-INFINITY, le=INFINITY)] | None = None
    depth: Annotated[StrictInt, Field(ge=0, le=LONGEST)] | None = None
    evaluation: EvaluationWord | None = None
    comment: Text = ""


class SavedOutcome(Received):
    winner: Side | None
    utility: Annotated[StrictInt, Field(ge=-MAX_UTILITY, le=MAX_UTILITY)]
    ending: Ending
    reason: Text


class SavedCard(Received):
    """The summary for lists, so that listing does not play the game through."""

    title: Text
    players: tuple[Text, Text]
    plies: Annotated[StrictInt, Field(ge=0, le=MAX_NODES)]
    winner: Side | None = None
    score: Literal["1-0", "0-1", "1/2-1/2"] | None = None
    reason: Text = ""
    ending: Ending = Ending.FINISHED


class SavedSession(Received):
    format: Literal["plyground table"] = "plyground table"
    format_version: Literal[1] = 1
    id: SessionId
    version: Annotated[StrictInt, Field(ge=1, lt=1 << 53)]
    game: ShortName
    file: Text | None = None
    """The path of a user's own game. It is shown to people, and never opened."""
    options: OptionValues = Field(default_factory=dict)
    text: PositionText | None = None
    players: tuple[PlayerSpecModel, PlayerSpecModel]
    clock: ClockSpec | None = None
    left: tuple[ClockTime, ClockTime] | None = None
    spent: Annotated[float, Field(ge=0, le=MAX_SECONDS)] = 0.0
    live: LiveSpec | None = None
    paused: StrictBool = False
    nodes: list[SavedNode] = Field(min_length=1, max_length=MAX_NODES)
    next_id: NodeId
    main: list[NodeId] = Field(min_length=1, max_length=MAX_NODES)
    current: NodeId
    ended: SavedOutcome | None = None
    headers: RecordHeaders = Field(default_factory=RecordHeaders)
    card: SavedCard
    changed: Annotated[str, Field(max_length=40)]

    @model_validator(mode="after")
    def check_order(self) -> SavedSession:
        if self.nodes[0].id != ROOT:
            raise ValueError("the first position must be number 0, the start")
        for before, node in pairwise(self.nodes):
            if node.id <= before.id or node.parent is None or node.move is None:
                raise ValueError(f"position {node.id} is out of order, or no move leads to it")
        if self.main[0] != ROOT:
            raise ValueError("the game must begin with position 0, the start")
        return self


def write_document(session: GameSession, now: float, changed: str) -> bytes:
    """The session as the content of a file. `changed` is the time of day in ISO 8601."""
    setup, game, result = session.setup, session.game, session.result
    saved = SavedSession(
        id=session.id,
        version=session.version,
        game=game.name,
        file=game.rules.path if game.is_file else None,
        options=dict(setup.options),
        text=setup.text,
        players=session.players,
        clock=setup.clock,
        left=None if session.clock is None else (session.clock.left[0], session.clock.left[1]),
        spent=min(session.stopwatch.read(now), MAX_SECONDS),
        live=None if session.live is None else LiveSpec(seconds=session.live.seconds),
        paused=session.paused,
        nodes=[
            SavedNode.model_validate(node, from_attributes=True)
            for node in session.tree.nodes.values()
        ],
        next_id=session.tree.next_id,
        main=session.tree.main,
        current=session.current,
        ended=None if session.ended is None else SavedOutcome(**vars(session.ended)),
        headers=session.headers,
        card=SavedCard(
            title=game.title,
            players=_listed_names(session),
            plies=len(session.tree.main) - 1,
            **({} if result is None else dict(result_model(result))),
        ),
        changed=changed,
    )
    return saved.model_dump_json(exclude_none=True).encode()


def _listed_names(session: GameSession) -> tuple[str, str]:
    """The players as a person chose them, by their levels: records name their kinds."""
    first, second = (
        given or player_name(player)
        for given, player in zip(session.headers.names, session.players, strict=True)
    )
    return first, second


def read_document(text: str | bytes) -> SavedSession:
    """The validated document; its moves are not checked yet."""
    try:
        return SavedSession.model_validate_json(text)
    except ValidationError as error:
        raise FormatError(problem_in(error.errors(include_url=False))) from None


def restore_session(saved: SavedSession, catalogue: Catalogue) -> GameSession:
    """The session of a document. Every move is checked by the rules of the game."""
    try:
        game = catalogue.find(saved.game)
    except UnknownGame:
        raise UnknownGame(_game_missing(saved)) from None
    setup = SessionSetup(
        game, dict(saved.options), saved.text, saved.players, saved.clock, saved.live
    )
    session = GameSession(saved.id, setup)
    _restore_tree(session, saved)
    session.version = saved.version
    session.paused = saved.paused
    session.headers = saved.headers
    session.stopwatch.spent = saved.spent
    if session.clock is not None and saved.left is not None:
        session.clock.left = list(saved.left)
    if saved.ended is not None and not session.position.is_over:
        session.ended = Outcome(**dict(saved.ended))
    return session


def _restore_tree(session: GameSession, saved: SavedSession) -> None:
    tree = session.tree
    for node in saved.nodes:
        if node.parent is not None and node.move is not None:
            tree.next_id = node.id
            try:
                added = tree.child(node.parent, node.move)
            except PlygroundError as error:
                raise FormatError(f"position {node.id}: {error}") from None
            if added != node.id:
                raise FormatError(f"position {node.id} is the same as position {added}")
        restored = tree.nodes[node.id]
        restored.seconds, restored.value, restored.depth = node.seconds, node.value, node.depth
        restored.evaluation, restored.comment = node.evaluation, node.comment
    for step in saved.main[1:]:
        tree.extend(step)
    tree.next_id = max(tree.next_id, saved.next_id)
    session.current = tree.node(saved.current).id


def _game_missing(saved: SavedSession) -> str:
    if saved.file is None:
        return f"this is a game of {saved.game}, and there is no such game here"
    return (
        f"this is a game of {saved.game}, which is played by the file {saved.file}; to see it,"
        f" start: plyground serve {saved.file}"
    )


# The folder


class SessionStorage:
    """Reads and writes the documents of sessions by id. All methods block: call them in threads.

    Ids are checked before they become file names, so no id leads out of the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cards: dict[str, tuple[tuple[int, int], TableCard | None]] = {}
        """The last card of each file, with the file's time and size when it was read."""

    def write(self, name: str, document: bytes) -> None:
        """Replace the file of a session as a whole, or not at all."""
        path = self._path(name)
        if len(document) > MAX_BYTES:
            raise FileError(
                f"the game takes {len(document)} bytes; at most {MAX_BYTES} can be kept"
            )
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{path}: cannot write: {error.strerror}") from None
        write_atomically(path, document)

    def read(self, name: str) -> SavedSession:
        path = self._path(name)
        try:
            saved = read_document(_read_bytes(path))
        except FileNotFoundError:
            raise NoSession(f"there is no game {name}, or no longer") from None
        except OSError as error:
            raise FileError(f"{path}: cannot read: {error.strerror}") from None
        except FormatError as error:
            raise error.within(str(path)) from None
        if saved.id != name:
            raise FormatError(f"it is the game {saved.id}, under another name", source=str(path))
        return saved

    def delete(self, name: str) -> None:
        self._cards.pop(name, None)
        try:
            self._path(name).unlink()
        except FileNotFoundError:
            raise NoSession(f"there is no game {name}, or no longer") from None
        except OSError as error:
            raise FileError(f"{self._path(name)}: cannot delete: {error.strerror}") from None

    def recent(self) -> list[TableCard]:
        """The latest sessions, newest first. An unreadable file is skipped and logged."""
        found: list[tuple[int, int, str]] = []
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    match = FILE_NAME.fullmatch(entry.name)
                    if match is not None and entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        found.append((status.st_mtime_ns, status.st_size, match[1]))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(f"{self.folder}: cannot read: {error.strerror}") from None
        cards: list[TableCard] = []
        for changed, size, name in sorted(found, reverse=True):
            card = self._card(name, (changed, size))
            if card is not None:
                cards.append(card)
            if len(cards) == MAX_LISTED:
                break
        return cards

    def _card(self, name: str, status: tuple[int, int]) -> TableCard | None:
        known = self._cards.get(name)
        if known is not None and known[0] == status:
            return known[1]
        card = None
        try:
            card = _card_of(self.read(name))
        except NoSession:
            return None
        except PlygroundError as error:
            log.warning("skipped: %s", error)
        self._cards[name] = status, card
        return card

    def _path(self, name: str) -> Path:
        if not FILE_NAME.fullmatch(f"{name}.json"):
            raise NoSession(f"there is no game {name[:40]!r}: a game has 12 letters and digits")
        return self.folder / f"{name}.json"


def _card_of(saved: SavedSession) -> TableCard:
    card = saved.card
    return TableCard(
        id=saved.id,
        game=saved.game,
        title=card.title,
        players=list(card.players),
        plies=card.plies,
        result=None if card.score is None else ResultModel(**card.model_dump()),
        changed=saved.changed,
    )


def _read_bytes(path: Path) -> bytes:
    data = read_regular_file(path, MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise FormatError(f"longer than {MAX_BYTES} bytes")
    return data
