"""Python's garbage collector and the clock: it runs between moves, and gains no thinking time."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from plyground.arena.referee import overrun
from plyground.classroom.student_process import start_player
from plyground.classroom.submission import Submission
from plyground.core.registry import find_game
from plyground.players.player import Choice, Clock
from plyground.players.program import AFTERWARDS, COLLECTION_SHARE, Program
from plyground.players.usage import Usage
from tests.players import line_programs

GAME = find_game("breakthrough")
START = GAME.start()
TREE = """
import gc, time

class Node:
    alive = 0
    def __init__(self, parent=None):
        Node.alive += 1
        self.parent, self.children = parent, []
        if parent is not None:
            parent.children.append(self)

class Counted(Node):
    def __del__(self):
        Node.alive -= 1

collections = []
gc.callbacks.append(lambda phase, info: collections.append(phase))

class Agent:
    def __init__(self, color, opponent, seconds=None):
        {made}

    def move(self, board):
        print("alive", Node.alive, "collections", len(collections), flush=True)
        collections.clear()
        {move}
        return (1, 0), (2, 0)
"""
GROW = """
root = Node()
for _ in range(60_000):
    Node(root)
"""


def agent(made: str = "pass", move: str = GROW) -> str:
    def indented(code: str) -> str:
        return textwrap.indent(textwrap.dedent(code).strip(), " " * 8).lstrip()

    return TREE.format(made=indented(made), move=indented(move))


@contextmanager
def player(source: str) -> Iterator[Program]:
    submission = Submission("ann", {"agent.py": source.encode()})
    path, interface = submission.player(GAME)
    made = start_player(submission, path, interface, trusted=True)
    try:
        made.begin(START, 0, Clock(30.0))
        yield made
    finally:
        made.close()


def moves(source: str, count: int = 6) -> tuple[list[Choice], list[dict[str, int]]]:
    """A player's answers, and what it printed before each of them."""
    with player(source) as made:
        choices = [made.choose(START, Clock(30.0)) for _ in range(count)]
        lines = [line.split() for line in made.stderr.splitlines() if "alive" in line]
    return choices, [dict(zip(line[::2], map(int, line[1::2]), strict=True)) for line in lines]


def test_nothing_is_collected_while_a_player_thinks() -> None:
    _, told = moves(agent())
    assert [line["collections"] for line in told] == [0] * 6


def test_what_a_player_leaves_behind_is_collected_between_its_moves() -> None:
    grow = GROW.replace("Node(", "Counted(")
    _, told = moves(agent(move=grow), 8)
    assert max(line["alive"] for line in told) <= 3 * 60_001
    assert told[-1]["collections"] == 0


@pytest.mark.parametrize("setting", ["gc.enable()", "gc.set_threshold(700, 10, 10)"])
def test_a_collector_that_the_player_sets_is_its_own(setting: str) -> None:
    choices, told = moves(agent(setting))
    assert told[-1]["collections"] > 0
    assert choices[-1].collector > 0
    assert "were Python's garbage collector" in str(overrun("ann", choices[-1], Clock(0.001)))


def test_a_collector_that_the_player_turns_off_stays_off() -> None:
    choices, told = moves(agent("gc.disable()", GROW + "assert not gc.isenabled()\n"))
    assert [line["collections"] for line in told] == [0] * 6
    assert choices[-1].collector == 0.0


def test_between_its_moves_a_player_s_own_call_waits_for_the_referee_s_time() -> None:
    """In Breakthrough a player runs in its turn only, but for a thread or a timer of its own."""
    made = "import threading; self.timer = None"
    move = """
        if self.timer is not None:
            self.timer.join()
            assert self.found == 0, self.found
        def collect():
            self.found = gc.collect()
        root = Node()
        Node(root)
        del root
        self.timer = __import__("threading").Timer(0.3, collect)
        self.timer.start()
    """
    with player(agent(made, move)) as ann:
        ann.choose(START, Clock(30.0))
        time.sleep(0.6)
        ann.choose(START, Clock(30.0))


def test_while_it_thinks_a_player_may_collect_itself() -> None:
    choices, told = moves(
        agent(move="root = Node(); Node(root); del root; assert gc.collect() > 0")
    )
    assert told[-1]["collections"] > 0
    assert choices[-1].collector > 0


def test_nobody_thinks_in_the_time_that_is_given_for_collecting() -> None:
    """A destructor that calculates is the player's own time, whenever it runs."""
    move = """
        class Thinker:
            def __del__(self):
                until = time.process_time() + 0.4
                while time.process_time() < until:
                    pass
        thinker = Thinker()
        thinker.itself = thinker
        root = Node()
        for _ in range(60_000):
            Node(root)
    """
    choices, _ = moves(agent(move=move), 5)
    quick, _ = moves(agent(), 5)
    charged = sum(choice.charged_seconds for choice in choices)
    assert charged - sum(choice.charged_seconds for choice in quick) > 0.3


@pytest.mark.parametrize("claimed", [0, 10**7])
def test_what_a_collection_is_said_to_take_is_accepted_up_to_a_part_of_the_moves(
    claimed: int,
) -> None:
    code = f"""
        say(type='move', move='a1', garbage=1)
        input(); say(type='collected', microseconds={claimed})
        input(); say(type='move', move='a1')
    """
    computed = [Usage(seconds) for seconds in (100.0, 100.0, 105.0, 105.0)]
    made = line_programs.begun(code, computed, seconds=0.1)
    made.choose(line_programs.START, Clock(1.0))
    choice = made.choose(line_programs.START, Clock(1.0))
    made.close()
    accepted = COLLECTION_SHARE * (1.0 + 0.1) if claimed else 0.0
    assert choice.computed == pytest.approx(5.0 - AFTERWARDS - accepted)
