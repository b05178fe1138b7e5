"""Whatever a student's process answers is a move or a fault of its own, never one of the judge's:
those cost no point, and could be had on purpose."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.classroom.interfaces import StudentInterface, interfaces_of
from plyground.core.errors import IllegalMove
from plyground.core.game import Position
from plyground.core.registry import find_game, game_names
from plyground.players.line_process import LONGEST_LINE, LineProcess
from plyground.players.player import Clock, Fault
from plyground.players.program import Program
from plyground.players.usage import Usage

PLAYERS = [
    (find_game(name).start(), interface)
    for name in game_names()
    for interface in interfaces_of(find_game(name))
]
NUMBERS = st.integers() | st.floats() | st.sampled_from([0, 1, -1, 63, 1 << 31, 10**30])
TEXTS = st.text(max_size=12) | st.sampled_from(
    ["up", "stay", "a1", "a2a3", "\ud800", "\0", "1" * 99]
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ANSWERS = st.fixed_dictionaries(
    {"type": st.sampled_from(["move", "ready", "over", None, 7]), "move": VALUES},
    optional={"said": VALUES, "depth": VALUES},
)


@contextlib.contextmanager
def only_faults() -> Iterator[None]:
    """Nothing but a student's fault may come of what is done inside, and it can be shown."""
    try:
        yield
    except (Fault, IllegalMove) as fault:
        told = str(fault)
        assert told.isprintable(), told
        assert len(told) < 2000
        told.encode()


@pytest.mark.parametrize(
    ("position", "interface"), PLAYERS, ids=lambda one: getattr(one, "kind", "at")
)
@given(answer=ANSWERS)
def test_any_answer_is_a_move_or_a_fault(
    position: Position, interface: StudentInterface, answer: Any
) -> None:
    with only_faults():
        position.parse_move(interface.read(answer, position))


LINES = (
    st.binary(max_size=60)
    | VALUES.map(lambda value: json.dumps(value).encode())
    | st.sampled_from(
        [
            b"",
            b"{",
            b"NaN",
            b"[" * LONGEST_LINE,
            b'{"type":' * 5000,
            b"9" * LONGEST_LINE,
            b'{"type": "move", "move": ' + b"9" * 6000 + b"}",
            b'{"type": "move", "move": 1e999, "depth": -Infinity}',
            b'\xef\xbb\xbf{"type": "move"}',
            b'{"type": "move", "type": "move"}',
            '{"type": "move", "move": "up"}'.encode("utf-16"),
        ]
    )
)


class Answering:
    """Stands in for a process that says it is ready, and answers the next question with a line."""

    def __init__(self, line: bytes) -> None:
        self._answers = [b'{"type": "ready"}', line]

    def ask(self, question: bytes, until: float) -> bytes:
        return self._answers.pop(0)

    def send(self, line: bytes) -> None:
        """It may collect its garbage now."""

    def usage(self) -> Usage:
        return Usage()


@given(line=LINES)
def test_any_line_is_an_answer_or_a_fault(line: bytes) -> None:
    position, interface = PLAYERS[0]
    player = Program(lambda: cast(LineProcess, Answering(line)), interface, name="ann")
    player.begin(position, 0, Clock())
    with only_faults():
        position.parse_move(player.choose(position, Clock()).move)
