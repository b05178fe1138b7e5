"""Reading a file that was chosen on the home page: a record, or a position of some game."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

from plyground.core.errors import FormatError, PlygroundError
from plyground.core.game import Game
from plyground.core.position import Position
from plyground.core.records.record import GameRecord
from plyground.core.records.text_format import SIGNATURE
from plyground.web.catalogue import Catalogue

LONGEST_NAME = 80


class SeveralGamesRead(PlygroundError):
    """More than one game can read a file: somebody has to say which is meant."""

    def __init__(self, name: str, games: list[str]) -> None:
        self.games = games
        super().__init__(f"{name} can be a position of {' or '.join(games)}: choose one")


@dataclass(frozen=True)
class Opening:
    """What a file holds: a game with its positions, or one position."""

    game: Game
    start: Position
    options: dict[str, str]
    """Those that the start's text does not tell."""
    record: GameRecord | None


def read_opening(catalogue: Catalogue, name: str, text: str, game: str | None = None) -> Opening:
    """What the text of a file is. Its name is used in messages alone; no file is read here.

    A record is known by its first line. Anything else is a position of `game`, or of the one game
    that can read it. Every move of a record is played through, and so checked.
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
    try:
        record = _record_in(text)
    except FormatError as error:
        raise error.within(name) from None
    if record is not None:
        return _open_record(catalogue, record, name, game)
    return _open_position(catalogue, text, name, game)


def _shown(name: str) -> str:
    """The last part of a path of any system, harmless to show."""
    last = PurePosixPath(PureWindowsPath(name).name).name or "this file"
    printable = "".join(mark if mark.isprintable() else "?" for mark in last)
    return printable if len(printable) <= LONGEST_NAME else f"{printable[:LONGEST_NAME]}..."


# Records


def _record_in(text: str) -> GameRecord | None:
    """The one record in a text of either format; None if it looks like neither."""
    if text.startswith(SIGNATURE):
        return GameRecord.from_text(text)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not _is_json_record(lines[0][1]):
        return None
    if len(lines) > 1:
        raise FormatError(f"there are {len(lines)} games in it; open a file with one")
    return GameRecord.from_json(lines[0][1], lines[0][0])


def _is_json_record(line: str) -> bool:
    """Some games write their positions in JSON, too: a record says that it is one."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "format" in document


def _open_record(catalogue: Catalogue, record: GameRecord, name: str, game: str | None) -> Opening:
    own = record.game.endswith(".py")
    called = _shown(record.game).removesuffix(".py") if own else record.game
    if called not in catalogue.names:
        raise FormatError(
            f"{name} is a record of {_shown(record.game)}, a game of somebody's own; to open it,"
            f" start plyground serve {_shown(record.game)}"
            if own
            else f"{name} is a record of {_shown(record.game)}, and there is no such game here"
        )
    if game is not None and game != called:
        raise FormatError(f"{name} is a record of {called}, not of {_shown(game)}")
    found = catalogue.find(called)
    try:
        positions = record.positions(found)
    except FormatError as error:
        raise error.within(name) from None
    needs_options = not hasattr(found.module, "parse_position")
    return Opening(found, positions[0], dict(record.options) if needs_options else {}, record)


# Positions


def _open_position(catalogue: Catalogue, text: str, name: str, game: str | None) -> Opening:
    found = _readers(catalogue, text, name) if game is None else [catalogue.find(game)]
    if len(found) > 1:
        raise SeveralGamesRead(name, [reader.name for reader in found])
    try:
        return Opening(found[0], found[0].position(text), {}, None)
    except FormatError as error:
        raise error.within(name) from None


def _readers(catalogue: Catalogue, text: str, name: str) -> list[Game]:
    """The games that can read a text. If there is none but the file's name speaks of one, that one
    is to say what is wrong."""
    found, meant = [], []
    for game in (catalogue.find(called) for called in catalogue.names):
        if game.name in name.lower():
            meant.append(game)
        try:
            game.position(text)
        except PlygroundError:
            continue
        found.append(game)
    if not found and len(meant) != 1:
        raise FormatError(
            f"{name} is neither a record ('{SIGNATURE} 1' is its first line) nor a position of any"
            " game here"
        )
    return found or meant
