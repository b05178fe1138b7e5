"""The compiler's complaints are told in the words of the user's file, with the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.core.errors import GameFileError
from plyground.core.registry import find_game
from plyground.search.perft import perft

GAME = '''"""Take 1 to 3 stones; who takes the last one wins."""

import json
from typing import NamedTuple

ENDS = [0]
NAMES = {0: True}


class State(NamedTuple):
    stones: int
    turn: int


class Pile:
    def __init__(self, stones):
        self.stones = stones


def start(board):
    return State(20, 0)


def moves(board, state, out):
    for taken in range(min(3, state.stones)):
        out[taken] = taken + 1
    return min(3, state.stones)


def play(board, state, move):
    return State(state.stones - move, 1 - state.turn)


def over(board, state):
    return state.stones == 0


def utility(board, state):
    return 1 if state.turn == 1 else -1


def written(number):
    return json.dumps(number)
'''


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        (
            "    return state.stones == 0",
            "    global SEEN\n    SEEN = 1\n    return state.stones == 0",
            (
                "36: over() cannot be compiled: Use of unsupported opcode (STORE_GLOBAL) found;"
                " rules cannot change a global: what changes is part of the State"
            ),
        ),
        (
            "return State(state.stones - move, 1 - state.turn)",
            "return state._replace(stones=state.stones - move, turn=1 - state.turn)",
            (
                "31: play() cannot be compiled: Unknown attribute '_replace' of type"
                " State(int x 2); write the whole state: State(...)"
            ),
        ),
        (
            "return state.stones == 0",
            "return state.stones in ENDS",
            "35: over() cannot be compiled: The use of a reflected list",
        ),
        (
            "return state.stones == 0",
            "return state.stones in ENDS",
            "; a constant list must be a tuple",
        ),
        (
            "return state.stones == 0",
            "return state.stones in NAMES",
            "35: over() cannot be compiled: Untyped global name 'NAMES'",
        ),
        (
            "return state.stones == 0",
            "return state.stones in NAMES",
            "; a constant table must be a tuple or a NumPy array",
        ),
        (
            "return state.stones == 0",
            "return Pile(state.stones).stones == 0",
            "; rules use numbers, tuples and functions, no classes but State and Board",
        ),
        (
            "return state.stones == 0",
            "return any(state.stones == end for end in (0,))",
            (
                "35: over() cannot be compiled: The use of yield in a closure is unsupported;"
                " write the generator out as a loop"
            ),
        ),
        (
            "return state.stones == 0",
            "return written(state.stones) == '0'",
            (
                "43: over() cannot be compiled: Unknown attribute 'dumps' of type module json;"
                " rules can use the module math, and parts of NumPy"
            ),
        ),
        (
            "return State(state.stones - move, 1 - state.turn)",
            "return state.stones - move, 1 - state.turn",
            "30: play() returns UniTuple(int x 2), but must return State(int x 2)",
        ),
    ],
)
def test_a_complaint_names_the_rule_the_line_and_the_remedy(
    tmp_path: Path, right: str, wrong: str, complaint: str
) -> None:
    assert right in GAME
    path = tmp_path / "stones.py"
    path.write_text(GAME.replace(right, wrong))
    with pytest.raises(GameFileError) as raised:
        perft(find_game(str(path)).start(), 3)
    message = str(raised.value)
    assert message.startswith(f"{path}:")
    assert complaint in message
    assert "\n" not in message


def test_the_game_without_a_mistake_compiles(tmp_path: Path) -> None:
    path = tmp_path / "stones.py"
    path.write_text(GAME)
    assert perft(find_game(str(path)).start(), 3) == 27
