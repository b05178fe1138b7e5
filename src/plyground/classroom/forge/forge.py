"""A forge: draws tasks at random, keeps those of a level, writes them, and proves them again."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from plyground.classroom.forge.difficulty import LEVELS, Difficulty, DifficultyLevel, PlainSearch
from plyground.classroom.suite import FORMAT, MANIFEST, Task
from plyground.core.errors import FileError, PlygroundError
from plyground.core.files import write_atomically
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.executor.ordered import in_order
from plyground.executor.task import Executor, TaskFunction, Work

GRADES = (("E/D", 0.4), ("C", 0.6), ("B/A", 0.8))
"""The levels of a course, as parts of all points: 10, 15 and 20 of 25. They are in the order of
LEVELS, the bands of difficulty."""
FEWEST = 5
"""The least number of tasks of a suite with levels: the points of fewer do not tell them apart."""


@dataclass(frozen=True)
class Forged:
    """A new task, with its measurements."""

    start: Position
    seed: int
    level: DifficultyLevel
    difficulty: Difficulty
    manifest_entries: Mapping[str, Any] = field(default_factory=dict)
    """Further entries of the task in a manifest."""

    def proof(self) -> dict[str, object]:
        return {"seed": self.seed, "level": self.level.name, **vars(self.difficulty)}


class Forge(ABC):
    """Draws tasks for one game from a seed; the same seed gives the same tasks."""

    kind: str
    """Of the tasks: `win` or `best`."""
    noun: str
    """What a task is called; the tasks of a suite are numbered with it."""
    title: str
    """The plural, for the title of a suite."""
    seconds: float
    """For a move of the player."""
    overruns = 1
    """How many late moves in a row lose a game."""
    end_when_decided = False
    """Whether a game ends as soon as its result is certain."""
    ending = ""
    """Of the files that positions are written to; without one they stand in the manifest."""

    def __init__(self, name: str) -> None:
        self.game = find_game(name)
        self.plain_search = PlainSearch(name)

    def tasks(
        self,
        level: DifficultyLevel,
        seed: int,
        tried: Callable[[], None],
        executor: Executor | None = None,
    ) -> Generator[Forged, None, None]:
        """Tasks of a level, without end; `tried` is called after each position that was drawn.
        They are the same with every executor; without one they are made by this forge."""
        chance = random.Random(f"{level.name} {seed}")
        numbers = (chance.randrange(1 << 31) for _ in count())
        results: Generator[Forged | None, None, None]
        if executor is None:
            results = (self.attempt(number, level) for number in numbers)
        else:
            results = in_order(executor, Work(set_up_attempts, (type(self), level)), numbers)
        with closing(results):
            for kept in results:
                tried()
                if kept is not None:
                    yield kept

    def attempt(self, seed: int, level: DifficultyLevel) -> Forged | None:
        """The task that a random position makes, if it belongs to a level."""
        start = self.draw(seed)
        return None if start is None else self.measure(start, seed, level)

    @abstractmethod
    def draw(self, seed: int) -> Position | None:
        """A random position; None if the draw failed."""

    @abstractmethod
    def measure(self, start: Position, seed: int, level: DifficultyLevel) -> Forged | None:
        """The task that a position makes, if it belongs to a level."""

    @abstractmethod
    def prove(self, task: Task) -> Difficulty:
        """Solve a task again, check the solution, and measure the task again. Raises PlygroundError
        if the task names other best play."""

    def check(self, task: Task) -> None:
        """Prove a task again, and compare with its stored proof, if there is one. Raises
        PlygroundError where they differ."""
        if task.kind != self.kind:
            raise PlygroundError(
                f"{task.name}: of {self.game.name}, the forge proves tasks of the kind {self.kind},"
                f" not {task.kind}"
            )
        for name, found in vars(self.prove(task)).items():
            kept = task.proof.get(name)
            if task.proof and kept != found:
                raise PlygroundError(f"{task.name}: {name} is {found}, the suite says {kept}")

    def wrong(self, tasks: Sequence[Task], executor: Executor | None = None) -> Iterator[str]:
        """For each task that is checked, what is wrong with it; empty if nothing is."""
        if executor is None:
            return (self.complaint(task) for task in tasks)
        return in_order(executor, Work(set_up_checks, type(self)), tasks)

    def complaint(self, task: Task) -> str:
        """What is wrong with a task; empty if nothing is."""
        try:
            self.check(task)
        except PlygroundError as error:
            return str(error)
        return ""

    def write_suite(self, folder: Path, title: str, tasks: Sequence[Forged]) -> None:
        """Write a new folder for `plyground grade --suite`: the manifest and, where positions are
        long, a file for each task. Raises FileError, also if the folder exists."""
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            raise FileError(f"{folder} exists already; choose another folder") from None
        except OSError as error:
            raise FileError(f"{folder}: {error.strerror}") from None
        manifest = {
            "format": FORMAT,
            "game": self.game.name,
            "title": title,
            "seconds": self.seconds,
            "overruns": self.overruns,
            "end_when_decided": self.end_when_decided,
            "levels": suite_levels(tasks),
            "tasks": [self._entry(folder, number, task) for number, task in enumerate(tasks, 1)],
        }
        write_atomically(folder / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())

    def _entry(self, folder: Path, number: int, task: Forged) -> dict[str, Any]:
        name = f"{self.noun}-{number:02}"
        place = {"position": task.start.text}
        if self.ending:
            place = {"file": f"{name}{self.ending}"}
            write_atomically(folder / place["file"], f"{task.start.text}\n".encode())
        return {
            "name": name,
            "task": self.kind,
            **place,
            **task.manifest_entries,
            "proof": task.proof(),
        }


def set_up_attempts(settings: tuple[Callable[[], Forge], DifficultyLevel]) -> TaskFunction:
    """The function of a worker that tries to make a task."""
    make, level = settings
    forge = make()
    return lambda seed, _: forge.attempt(seed, level)


def set_up_checks(make: Callable[[], Forge]) -> TaskFunction:
    """The function of a worker that checks a task."""
    forge = make()
    return lambda task, _: forge.complaint(task)


def suite_levels(tasks: Sequence[Forged]) -> list[dict[str, str | int]]:
    """The levels that a suite can give, with their points. Each asks for its part of all points,
    and for at least one task that is as hard as the level: easy tasks alone earn no higher one."""
    found: list[dict[str, str | int]] = []
    for (name, part), level in zip(GRADES, LEVELS.values(), strict=True):
        easier = sum(task.level.least < level.least for task in tasks)
        if easier < len(tasks) and len(tasks) >= FEWEST:
            found.append({"name": name, "points": max(round(part * len(tasks)), easier + 1)})
    return found
