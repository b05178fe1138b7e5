"""A forge: draws tasks by lot, keeps those that fit a level, and proves them again on request."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plyground.classroom.forge.difficulty import Difficulty, Level, Yardstick
from plyground.classroom.suite import Task
from plyground.core.errors import PlygroundError
from plyground.core.position import Position
from plyground.core.registry import find_game


@dataclass(frozen=True)
class Forged:
    """A task that was kept, with what is known of it."""

    start: Position
    seed: int
    level: Level
    difficulty: Difficulty
    terms: Mapping[str, Any] = field(default_factory=dict)
    """What a manifest says of such a task besides its position."""

    def proof(self) -> dict[str, object]:
        return {"seed": self.seed, "level": self.level.name, **self.difficulty.as_json()}


class Forge(ABC):
    """Draws tasks for one game from a seed; the same seed gives the same tasks."""

    kind: str
    """Of the tasks: `win` or `best`."""
    noun: str
    """What a task is called; the tasks of a suite are numbered with it."""
    title: str
    """What many of them are called."""
    seconds: float
    """For a move of the player."""
    overruns = 1
    """How many late moves in a row lose a game."""
    ending = ""
    """Of the files that positions are written to; without one they stand in the manifest."""

    def __init__(self, name: str) -> None:
        self.game = find_game(name)
        self.yardstick = Yardstick.of(name)

    def tasks(self, level: Level, seed: int, tried: Callable[[], None]) -> Iterator[Forged]:
        """Tasks of a level, one after the other; `tried` is told of each that is looked at."""
        numbers = random.Random(f"{level.name} {seed}")
        while True:
            number = numbers.randrange(1 << 31)
            start = self.draw(number)
            kept = None if start is None else self.measure(start, number, level)
            tried()
            if kept is not None:
                yield kept

    @abstractmethod
    def draw(self, seed: int) -> Position | None:
        """A position by lot; None if nothing came of it."""

    @abstractmethod
    def measure(self, start: Position, seed: int, level: Level) -> Forged | None:
        """The task that a position makes, if it belongs to a level."""

    @abstractmethod
    def prove(self, task: Task) -> Difficulty:
        """Solve a task again, check the solution, and measure the task again. Raises PlygroundError
        if the right play is not what the task says."""

    def check(self, task: Task) -> None:
        """Prove a task again, and compare with what is kept of it. Raises PlygroundError where they
        differ. A task that somebody wrote by hand may keep nothing."""
        if task.kind != self.kind:
            raise PlygroundError(
                f"{task.name}: of {self.game.name}, the forge proves tasks of the kind {self.kind},"
                f" not {task.kind}"
            )
        for name, found in self.prove(task).as_json().items():
            kept = task.proof.get(name)
            if task.proof and kept != found:
                raise PlygroundError(f"{task.name}: {name} is {found}, the suite says {kept}")
