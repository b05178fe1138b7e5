"""Lines that begin with `info`: what a search has found so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.game import Position
from plyground.core.values import LONGEST
from plyground.protocol.notation import Notation
from plyground.protocol.scores import read_score, whole_number, write_score
from plyground.search.result import SearchResult

MILLISECONDS = 1000


@dataclass(frozen=True)
class Info:
    """What is read from such a line; None for what it does not have."""

    depth: int | None = None
    value: int | None = None
    """The first player's."""


def write_info(result: SearchResult, notation: Notation) -> str:
    """A result as a line."""
    words = [
        f"info depth {result.depth} seldepth {result.selective_depth}",
        f"score {write_score(result.position, result.value)}",
        f"nodes {result.nodes} nps {round(result.nodes / max(result.seconds, 1e-6))}",
        f"time {round(result.seconds * MILLISECONDS)} pv",
    ]
    position = result.position
    for move in result.line:
        words.append(notation.write_move(position, move))
        position = position.after(move)
    return " ".join(words)


def read_info(position: Position, words: Sequence[str]) -> Info:
    """What the words of a line say about a position. A line about another move than the best one
    says nothing here."""
    depth = value = None
    for place, word in enumerate(words):
        following = words[place + 1 : place + 3]
        if word == "multipv" and following[:1] != ["1"]:
            return Info()
        if word in ("string", "pv"):
            break
        if word == "depth" and following:
            depth = whole_number(following[0])
        elif word == "score":
            value = read_score(position, following)
    if depth is not None and not 0 <= depth <= LONGEST:
        depth = None
    return Info(depth, value)
