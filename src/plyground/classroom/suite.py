"""A suite: the tasks that players are graded on. A folder with a manifest, `suite.json`.

    {"format": "plyground-suite-1", "game": "derby", "title": "Twenty-five days at sea",
     "seconds": 0.075, "overruns": 1,
     "levels": [{"name": "E/D", "points": 10}, {"name": "C", "points": 15}],
     "tasks": [{"name": "day-01", "task": "win", "file": "day-01.json", "side": 0,
                "opponent": {"kind": "perfect"}},
               {"name": "gate", "task": "best", "position": "...", "best": ["block"]}]}

A task is worth a point. `win`: play the side against the opponent from the position, and win.
`best`: name a move of the list. A position is a text, a file of the suite's folder, or, with
neither, the game's start; `options` go with each of them. `docs/suites.md` describes it all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.errors import (
    FileError,
    FormatError,
    IllegalMove,
    PlygroundError,
    UnknownGame,
)
from plyground.core.game import Game, Option, Position
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game

if TYPE_CHECKING:
    from plyground.classroom.manifest import Manifest, TaskEntry

FORMAT = "plyground-suite-1"
MANIFEST = "suite.json"
BUILT_IN = Path(__file__).parent / "suites"
MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Opponent:
    """The player of the other side, and its limits."""

    kind: str
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    seed: int | None = None
    features: str | None = None

    @property
    def text(self) -> str:
        limits = ", ".join(
            f"{name} {value}"
            for name, value in vars(self).items()
            if name not in ("kind", "seed") and value is not None
        )
        return f"{self.kind} ({limits})" if limits else self.kind


@dataclass(frozen=True)
class Task:
    """A task, worth one point."""

    name: str
    kind: str
    start: Position = field(repr=False)
    options: Mapping[str, Option] = field(default_factory=dict)
    side: int = 0
    opponent: Opponent = Opponent("perfect")
    best: tuple[str, ...] = ()
    proof: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the forge has proven and measured."""


@dataclass(frozen=True)
class Level:
    """A grade, and the points that reach it."""

    name: str
    points: int


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    game: Game = field(repr=False)
    seconds: float | None
    overruns: int
    levels: tuple[Level, ...]
    tasks: tuple[Task, ...] = field(repr=False)
    folder: Path = field(repr=False)
    engine: bool = True
    """Whether players may ask plyground's own searches and solvers."""
    grace: float = 0.0
    """Seconds after `seconds` in which an answer is not late yet."""
    end_when_decided: bool = False
    """Whether a game ends as soon as its result is certain."""

    def level(self, points: int) -> str | None:
        """The highest level that so many points reach."""
        reached = [level for level in self.levels if points >= level.points]
        return max(reached, key=lambda level: level.points).name if reached else None


def built_in_suites() -> list[str]:
    """The games that have a suite of their own."""
    return sorted(path.parent.name for path in BUILT_IN.glob(f"*/{MANIFEST}"))


def find_suite(game: Game, folder: Path | None = None) -> Suite:
    """The suite in a folder, or the one that is built in for a game."""
    if folder is None:
        folder = BUILT_IN / game.name
        if not (folder / MANIFEST).is_file():
            names = ", ".join(built_in_suites())
            raise PlygroundError(
                f"there is no built-in suite for {game.name}, only for {names};"
                " give the folder of one with --suite"
            )
    suite = load_suite(folder)
    if suite.game is not game and not _same_file(suite.game, game):
        asked = [game.rules.path if game.is_file else game.name for game in (suite.game, game)]
        raise FormatError(f"this suite is for {asked[0]}, not for {asked[1]}").within(
            str(folder / MANIFEST)
        )
    return suite


def _same_file(one: Game, other: Game) -> bool:
    """Whether two users' games are the same file."""
    if not (one.is_file and other.is_file):
        return False
    try:
        return os.path.samefile(one.rules.path, other.rules.path)
    except OSError:
        return False


def load_suite(folder: Path) -> Suite:
    """Read a suite from its folder, or from its manifest. Errors name the file and the place."""
    from plyground.classroom.manifest import Manifest
    from plyground.core.validation import parse_json, read_document

    if folder.name == MANIFEST and folder.is_file():
        folder = folder.parent
    path = folder / MANIFEST
    try:
        manifest = read_document(Manifest, parse_json(_read_text(path)), "the manifest")
        return _make_suite(folder, manifest)
    except FormatError as error:
        raise error if error.source else error.within(str(path)) from None


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FormatError(f"more than {MOST_BYTES} bytes", source=str(path))
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", source=str(path)) from None


def _make_suite(folder: Path, manifest: Manifest) -> Suite:
    game = _find_game(folder, manifest.game)
    title = folder.name if manifest.title is None else manifest.title
    tasks = []
    for number, entry in enumerate(manifest.tasks, 1):
        try:
            tasks.append(_make_task(folder, game, title, entry))
        except (FormatError, IllegalMove) as error:
            raise FormatError(f"task {number}: {error}") from None
    return Suite(
        name=folder.name,
        title=title,
        game=game,
        seconds=manifest.seconds,
        overruns=manifest.overruns or 1,
        levels=tuple(Level(level.name, level.points) for level in manifest.levels),
        tasks=tuple(tasks),
        folder=folder,
        engine=manifest.engine,
        grace=manifest.grace or 0.0,
        end_when_decided=manifest.end_when_decided,
    )


def _find_game(folder: Path, name: str) -> Game:
    """A game by its name, or the one in a file, whose path begins at the suite's folder."""
    try:
        return find_game(str((folder / name).resolve()) if name.endswith(".py") else name)
    except UnknownGame as error:
        raise FormatError(str(error)) from None


def _make_task(folder: Path, game: Game, title: str, entry: TaskEntry) -> Task:
    text = entry.position if entry.file is None else _task_file(folder, entry.file)
    start = game.start(entry.options) if text is None else game.position(text, entry.options)
    if start.is_over:
        raise FormatError(f"the game is over already: {start.outcome.reason}")
    best = tuple(map(str, entry.best))
    if entry.task == "best":
        best = tuple(start.move_text(start.parse_move(move)) for move in best)
    try:
        # Finding this out during a game would be a judge error, which counts as solved.
        GameRecord.begin(start, options=entry.options, event=f"{title}: {entry.name}")
    except FormatError as error:
        raise FormatError(f"no game of it can be recorded: {error}") from None
    return Task(
        name=entry.name,
        kind=entry.task,
        start=start,
        options=entry.options,
        side=start.turn if entry.task == "best" else entry.side or 0,
        opponent=Opponent(**vars(entry.opponent)),
        best=best,
        proof=entry.proof,
    )


def _task_file(folder: Path, name: str) -> str:
    """The text of a file in the suite's own folder, and in no other."""
    path = folder / name
    if Path(name).name != name or name == ".." or path.is_symlink():
        raise FormatError(f"{name!r} is not the name of a file in the suite's folder")
    return _read_text(path)
