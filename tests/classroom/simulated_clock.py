"""Reference players of Fishing Derby on a simulated clock: the same moves on every machine.

Such a player looks at the clock until its time is up. Here that clock does not run by itself: it
advances by a fixed time for each node that the player makes, and by a little for each fish in it.
So a player reaches the same depth however slow or busy the machine is, and `speed` says on what
machine it would: 2 is one on which every node takes half the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from plyground.arena.referee import play_game
from plyground.classroom.grading import foresee
from plyground.classroom.interfaces.derby import DerbyInterface
from plyground.classroom.opponents import Perfect
from plyground.classroom.suite import Task
from plyground.core.game import Position
from plyground.players.player import Choice, Clock
from tests.classroom.derby_messages import messages_of
from tests.classroom.student_processes import STUDENTS, inside


@dataclass(frozen=True)
class NodeCost:
    """The CPU time that a player needs for a node: making, evaluating and ordering it."""

    node: float
    """Seconds for a node without fish."""
    fish: float
    """Seconds more for each fish in it."""


COSTS = {"iterative": NodeCost(6.0e-6, 1.76e-6), "table": NodeCost(6.2e-6, 1.07e-6)}
"""Of the reference players that have a clock, at speed 1. Fitted by `benchmarks/derby_levels.py` on
a machine with AMD EPYC processors and CPython 3.11; the CPU time of a move differs from that by
about 4 % from position to position."""


def reference_source(name: str) -> str:
    """The file of a reference player, as a student would hand it in."""
    return (STUDENTS / f"derby_reference_{name}.py").read_text(encoding="utf-8")


@contextmanager
def collector_paused() -> Iterator[None]:
    """Python's garbage collector waits while a player thinks, as in a student's process. Then it
    frees the search tree: the young objects, and not all of this process."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect(0)


class AnsweredError(Exception):
    """Ends the loop of a controller that has answered."""


class OneMove:
    """Stands for a controller's two pipes: the messages of one move, and the answer to it."""

    def __init__(self, messages: list[dict[Any, Any]]) -> None:
        self.messages = messages
        self.answer: dict[str, Any] = {}

    def poll(self, timeout: float | None) -> bool:
        return True

    def recv(self) -> dict[Any, Any]:
        if not self.messages:
            raise AnsweredError
        return self.messages.pop(0)

    def send(self, answer: dict[str, Any]) -> None:
        self.answer = answer


class ReferencePlayer:
    """A reference player in this process."""

    def __init__(self, name: str, **replaced: Any) -> None:
        """`replaced` are names of its file that mean something else here."""
        self.name = name
        names: dict[str, Any] = {}
        inside("fishing_game_core")  # which the file imports
        exec(reference_source(name), names)
        assert replaced.keys() <= names.keys()
        names |= replaced
        self._controller = names["PlayerControllerMinimax"]()

    def answer(self, messages: list[dict[Any, Any]]) -> dict[str, Any]:
        """What it sends when it has received the first message and that of a turn."""
        pipe = OneMove(messages)
        self._controller.set_receive_send_pipes(pipe, pipe)
        with suppress(AnsweredError):
            self._controller.player_loop()
        return pipe.answer

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """Each move is asked for as if it were the first."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        with collector_paused():
            answer = self.answer(messages_of(position, position))
        move = DerbyInterface().read({"type": "move", "move": answer["action"]}, position)
        return Choice(move, 0.0, depth=answer["depth"])

    def close(self) -> None:
        """There is nothing to close."""


class SimulatedClock:
    """Stands for the module `time` in a player's file, and for its class of nodes, which advances
    the clock."""

    def __init__(self, cost: NodeCost, speed: float) -> None:
        self.readings = self.nodes = self.fish = 0
        """How often the clock was read, and how many nodes were made, with how many fish in all."""
        self._cost = cost
        self._speed = speed

        class CountedNode(inside("fishing_game_core.game_tree").Node):  # type: ignore[misc]
            def add_child(self, state: Any, *others: Any) -> Any:
                clock.nodes += 1
                clock.fish += len(state.fish_positions)
                return super().add_child(state, *others)

        clock, self.node_class = self, CountedNode

    def time(self) -> float:
        self.readings += 1
        return (self._cost.node * self.nodes + self._cost.fish * self.fish) / self._speed

    perf_counter = time


def simulated_player(name: str, clock: SimulatedClock) -> ReferencePlayer:
    return ReferencePlayer(name, time=clock, Node=clock.node_class)


def is_won(day: Task, player: ReferencePlayer, red: Perfect) -> bool:
    played = play_game(day.start, [player, red], foresee=partial(foresee, day, red))
    return played.outcome.winner == 0


def won_days(name: str, speed: float, days: Iterable[Task], red: Perfect) -> set[str]:
    """The names of the days that a reference player wins at a speed."""
    cost = COSTS[name]
    return {
        day.name
        for day in days
        if is_won(day, simulated_player(name, SimulatedClock(cost, speed)), red)
    }
