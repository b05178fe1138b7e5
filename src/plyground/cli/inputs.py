"""Reads the arguments of verbs: positions as texts or files, options of a game, moves."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import BinaryIO

from plyground.core.errors import FormatError, GameOver, IllegalMove
from plyground.core.game import Game, Position
from plyground.core.registry import find_game

MAX_TEXT_BYTES = 1 << 20
"""No position comes near a megabyte: a longer file is the wrong file."""

FILE_NAME = re.compile(r"\S*\.[A-Za-z]\w*")
"""What looks like the name of a file; no game writes its positions like that."""


def read_position(
    game: str, position: str | None, options: Sequence[str] | None, moves: str = ""
) -> Position:
    """The position that the arguments of a verb describe, after the moves given with it."""
    found = _given_position(find_game(game), position, read_options(options))
    for number, move in enumerate(_move_texts(found, moves), 1):
        try:
            found = found.play(move)
        except (IllegalMove, GameOver) as error:
            raise type(error)(f"move {number} of --moves: {error}") from None
    return found


def _move_texts(position: Position, moves: str) -> list[str]:
    """The moves of a line. Between commas a move's text may hold spaces; between spaces, commas."""
    with_commas = any("," in position.move_text(move) for move in position.legal_moves)
    return moves.split(",") if "," in moves and not with_commas else moves.split()


def _given_position(game: Game, given: str | None, options: dict[str, str]) -> Position:
    if given is None:
        return game.start(options)
    source = "standard input" if given == "-" else given if file_exists(given) else None
    text = given if source is None else read_text(given)
    try:
        return game.position(text, options)
    except FormatError as error:
        if source is not None:
            raise error.within(source) from None
        if FILE_NAME.fullmatch(given):
            raise FormatError(
                f"there is no file {given!r}, and as a position: {error.problem}"
            ) from None
        raise


def read_options(options: Sequence[str] | None) -> dict[str, str]:
    """Options of a game, given as name=value."""
    found: dict[str, str] = {}
    for option in options or ():
        name, equals, value = option.partition("=")
        if not (name.strip() and equals):
            raise FormatError(f"option {option!r}: an option is NAME=VALUE, such as rows=8")
        if name.strip() in found:
            raise FormatError(f"option {name.strip()!r} is given twice")
        found[name.strip()] = value.strip()
    return found


def file_exists(path: str) -> bool:
    """Whether there is a file of this name. A position's text may be no possible name."""
    try:
        return os.path.exists(path)
    except ValueError:
        return False


def read_text(path: str) -> str:
    """The text of a file, or of standard input for "-"."""
    if path == "-":
        return _decode(sys.stdin.buffer, "standard input")
    try:
        with open(path, "rb") as file:
            return _decode(file, path)
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror}") from None


def _decode(file: BinaryIO, source: str) -> str:
    data = file.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise FormatError(f"{source} is too long: a position has less than a megabyte of text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FormatError("this is not text in UTF-8", source=source, line=line) from None
