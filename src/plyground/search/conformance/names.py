"""Checks of what people read: texts of moves and positions, pictures, endings."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from plyground.core.contract import Function
from plyground.core.errors import PlygroundError
from plyground.core.game import Game, Position, same_board
from plyground.search.conformance.check import (
    Check,
    CheckFailure,
    GameSample,
    failed,
    place_of,
    shown,
)

MOST_POSITIONS = 200
"""Texts and pictures are slow compared with the rules, and fail in the same way everywhere."""


def _some(sample: GameSample) -> list[Position]:
    """Positions from the whole sample, with the start and some ends."""
    stride = -(-len(sample.positions) // MOST_POSITIONS)
    return [
        *sample.positions[::stride],
        *(game.last for game in sample.finished[: MOST_POSITIONS // 10]),
    ]


def _writer(sample: GameSample, name: str) -> Function:
    """The game's own function, or its default."""
    default: Any = getattr(Game if name == "position" else Position, name, None)
    found: Function = getattr(sample.game.module, name, getattr(default, "func", default))
    return found


def move_texts_return(sample: GameSample) -> str:
    writer = _writer(sample, "move_text")
    count = 0
    for position in _some(sample):
        texts: dict[str, int] = {}
        for move in position.legal_moves:
            text = position.move_text(move)
            if not text.strip() or not text.isprintable():
                raise failed(writer, f"writes {text!r}, which cannot be typed", position)
            if texts.setdefault(text, move) != move:
                raise failed(
                    writer, f"writes {text!r} for moves {texts[text]} and {move}", position
                )
            _read_back(sample, position, move, text)
            count += 1
    return f"{count} moves written and read back"


def _read_back(sample: GameSample, position: Position, move: int, text: str) -> None:
    reader = _writer(sample, "parse_move")
    try:
        read = position.parse_move(text)
    except PlygroundError as error:
        raise failed(reader, f"does not read {text!r}, move {move}: {error}", position) from None
    if read != move:
        raise failed(reader, f"reads {text!r} as move {read}, not {move}", position)


def position_texts_return(sample: GameSample) -> str:
    game = sample.game
    reader = _writer(sample, "parse_position" if _parses(sample) else "position")
    options = None if _parses(sample) else sample.options
    if not _parses(sample) and hasattr(game.module, "position_text"):
        raise failed(game.module.position_text, "has no parse_position() to read it back")
    for position in (found := _some(sample)):
        text = position.text
        try:
            read = game.position(text, options)
        except PlygroundError as error:
            raise failed(reader, f"does not read {shown(position)!r}: {error}") from None
        if read.state != position.state:
            problem = f"reads {shown(position)!r} as another state: {_difference(position, read)}"
            raise failed(reader, problem)
        if not same_board(read.board, position.board):
            raise failed(reader, f"reads {shown(position)!r} with another board")
        if read.text != text:
            raise CheckFailure(
                f"{place_of(reader)}: {shown(position)!r} is written differently again"
            )
    return f"{len(found)} positions written and read back"


def _parses(sample: GameSample) -> bool:
    return hasattr(sample.game.module, "parse_position")


def _difference(position: Position, read: Position) -> str:
    pairs = zip(position.game.rules.state_fields, position.state, read.state, strict=True)
    return ", ".join(
        f"{field.name} is {after!r}, was {before!r}"
        for field, before, after in pairs
        if before != after
    )


def pictures_are_sound(sample: GameSample) -> str:
    found = _some(sample)
    for position in found:
        if not position.picture.strip():
            raise failed(_writer(sample, "picture"), "draws nothing", position)
        writer = _writer(sample, "svg")
        try:
            root = ElementTree.fromstring(position.svg())
        except ElementTree.ParseError as error:
            raise failed(writer, f"is not well-formed XML: {error}", position) from None
        if root.tag.rpartition("}")[2] != "svg":
            raise failed(writer, f"draws <{root.tag}>, not <svg>", position)
        _check_touches(sample, position)
    return f"{len(found)} pictures and SVG drawings"


def _check_touches(sample: GameSample, position: Position) -> None:
    """Touched cells are in the picture, a key plays one move, and the idle move is legal."""
    keys: dict[str, str] = {}
    for move in position.legal_moves:
        text = position.move_text(move)
        for cell in position.touches(move):
            if cell not in position.cells:
                problem = f"names {cell!r} for {text}, which is no data-cell of the picture"
                raise failed(_writer(sample, "touches"), problem, position)
        key = position.move_key(move)
        if key and keys.setdefault(key, text) != text:
            problem = f"answers {key!r} for both {keys[key]} and {text}"
            raise failed(_writer(sample, "move_key"), problem, position)
    if sample.game.is_live and not position.is_over:
        _ = position.idle  # raises if it is wrong


def endings_have_reasons(sample: GameSample) -> str:
    reasons = set()
    for game in sample.finished:
        reason = game.last.outcome.reason
        if not reason.strip():
            raise failed(_writer(sample, "ending"), "says nothing", game.last)
        reasons.add(reason)
    return "; ".join(sorted(reasons)[:4]) + ("; ..." if len(reasons) > 4 else "")


CHECKS: dict[str, Check] = {
    "move text": move_texts_return,
    "position text": position_texts_return,
    "pictures": pictures_are_sound,
    "endings": endings_have_reasons,
}
