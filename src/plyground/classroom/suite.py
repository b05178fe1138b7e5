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

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyground.core.errors import (
    FileError,
    FormatError,
    IllegalMove,
    LimitError,
    PlygroundError,
    UnknownGame,
)
from plyground.core.game import Game, Option
from plyground.core.position import Position
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.search.features import read_features

FORMAT = "plyground-suite-1"
MANIFEST = "suite.json"
BUILT_IN = Path(__file__).parent / "suites"
MOST_BYTES = 1 << 20
MOST_TASKS = 1000
MOST_GRACE = 60.0
"""Seconds."""
OPPONENTS: dict[str, frozenset[str]] = {
    "perfect": frozenset(),
    "engine": frozenset({"depth", "nodes", "seconds", "seed", "features"}),
    "alpha-beta": frozenset({"depth", "nodes", "seconds"}),
    "minimax": frozenset({"depth", "nodes"}),
    "monte-carlo": frozenset({"nodes", "seconds", "seed"}),
    "greedy": frozenset(),
    "random": frozenset({"seed"}),
}
"""Who can play the other side, and what each of them can be told."""
KINDS = ("win", "best")


@dataclass(frozen=True)
class Opponent:
    """Who plays the other side, and how long or deep it thinks."""

    kind: str
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    seed: int | None = None
    features: str | None = None

    @property
    def text(self) -> str:
        told = ", ".join(
            f"{name} {value}"
            for name, value in vars(self).items()
            if name not in ("kind", "seed") and value is not None
        )
        return f"{self.kind} ({told})" if told else self.kind


@dataclass(frozen=True)
class Task:
    """One thing to do, worth a point."""

    name: str
    kind: str
    start: Position = field(repr=False)
    options: Mapping[str, Option] = field(default_factory=dict)
    side: int = 0
    opponent: Opponent = Opponent("perfect")
    best: tuple[str, ...] = ()
    proof: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the forge has proven and measured, to be checked again."""


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
    """Seconds by which an answer may exceed the time that the player is told."""

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
    """Whether two games of users' own are the same, though they were found by different paths."""
    if not (one.is_file and other.is_file):
        return False
    try:
        return os.path.samefile(one.rules.path, other.rules.path)
    except OSError:
        return False


def load_suite(folder: Path) -> Suite:
    """Read a suite; whatever is wrong with it is said with its place. Whoever names the manifest
    means the folder that it is in."""
    if folder.name == MANIFEST and folder.is_file():
        folder = folder.parent
    path = folder / MANIFEST
    try:
        return _Reader(folder).suite(_read_json(path))
    except FormatError as error:
        raise error if error.source else error.within(str(path)) from None


def _read_json(path: Path) -> Any:
    text = _read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", line=error.lineno) from None
    except (ValueError, RecursionError):
        raise FormatError("not JSON that anyone would write") from None


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FormatError(f"more than {MOST_BYTES} bytes", source=str(path))
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FormatError("not UTF-8", source=str(path)) from None


class _Reader:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def suite(self, document: Any) -> Suite:
        fields = _object(document, "the manifest")
        if fields.get("format") != FORMAT:
            raise FormatError(f'a manifest begins with "format": "{FORMAT}"')
        known = "format game title seconds grace overruns engine levels tasks"
        _known(fields, "the manifest", known.split())
        engine = fields.get("engine", True)
        if not isinstance(engine, bool):
            raise FormatError("the manifest: engine must be true or false")
        game = self.game(_text(fields, "game", "the manifest"))
        tasks = _list(fields, "tasks", "the manifest")
        if not 1 <= len(tasks) <= MOST_TASKS:
            raise FormatError(f"{len(tasks)} tasks: a suite has from 1 to {MOST_TASKS}")
        title = _text(fields, "title", "the manifest") if "title" in fields else self.folder.name
        read = tuple(self.task(game, task, number) for number, task in enumerate(tasks, 1))
        for number, task in enumerate(read, 1):
            _check_record(title, task, f"task {number}")
        names = [task.name for task in read]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise FormatError(f"two tasks are called {twice!r}")
        return Suite(
            name=self.folder.name,
            title=title,
            game=game,
            seconds=_number(fields, "seconds", "the manifest", 0.001, 3600.0),
            overruns=_whole_number(fields, "overruns", "the manifest", 1, 1000) or 1,
            levels=tuple(_level(level) for level in _list(fields, "levels", "the manifest")),
            tasks=read,
            folder=self.folder,
            engine=engine,
            grace=_number(fields, "grace", "the manifest", 0.0, MOST_GRACE) or 0.0,
        )

    def game(self, name: str) -> Game:
        """A game by its name, or the one in a file, whose path begins at the suite's folder."""
        try:
            is_path = name.endswith(".py")
            return find_game(str((self.folder / name).resolve()) if is_path else name)
        except UnknownGame as error:
            raise FormatError(str(error)) from None

    def task(self, game: Game, document: Any, number: int) -> Task:
        where = f"task {number}"
        fields = _object(document, where)
        names = "name task file position options side opponent best proof"
        _known(fields, where, names.split())
        kind = _text(fields, "task", where)
        if kind not in KINDS:
            raise FormatError(f"{where}: a task is {' or '.join(KINDS)}, not {kind!r}")
        options = _object(fields.get("options", {}), f"{where}, options")
        start = self.position(game, fields, options, where)
        if start.is_over:
            raise FormatError(f"{where}: the game is over already: {start.outcome.reason}")
        best = tuple(str(move) for move in _list(fields, "best", where))
        if kind == "best":
            if not best:
                raise FormatError(f'{where}: list the moves that earn the point as "best"')
            best = tuple(_move(start, move, where) for move in best)
        side = _whole_number(fields, "side", where, 0, 1) or 0
        return Task(
            name=_name(fields, where),
            kind=kind,
            start=start,
            options=options,
            side=start.turn if kind == "best" else side,
            opponent=_opponent(fields.get("opponent", {"kind": "perfect"}), where),
            best=best,
            proof=_object(fields.get("proof", {}), f"{where}, proof"),
        )

    def position(
        self, game: Game, fields: Mapping[str, Any], options: dict[str, Any], where: str
    ) -> Position:
        if "file" in fields and "position" in fields:
            raise FormatError(f"{where}: give a file or a position, not both")
        text = None
        if "file" in fields:
            text = self.text_of(_text(fields, "file", where), where)
        elif "position" in fields:
            text = _text(fields, "position", where)
        try:
            return game.start(options) if text is None else game.position(text, options)
        except FormatError as error:
            raise FormatError(f"{where}: {error}") from None

    def text_of(self, name: str, where: str) -> str:
        """A file of the suite's own folder, and of no other."""
        path = self.folder / name
        if Path(name).name != name or name == ".." or path.is_symlink():
            raise FormatError(f"{where}: {name!r} is not the name of a file in the suite's folder")
        return _read_text(path)


def _check_record(title: str, task: Task, where: str) -> None:
    """Refuse a task of which no game could be recorded. A grader that finds that out when a game is
    played takes it for a fault of its own, and those cost nobody a point."""
    try:
        GameRecord.begin(task.start, options=task.options, event=f"{title}: {task.name}")
    except FormatError as error:
        raise FormatError(f"{where}: no game of it can be recorded: {error}") from None


def _move(position: Position, text: str, where: str) -> str:
    """A move as the game itself writes it."""
    try:
        return position.move_text(position.parse_move(text))
    except IllegalMove as error:
        raise FormatError(f"{where}: {error}") from None


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{where}: an object belongs here, not {value!r:.60}")
    return value


def _known(fields: Mapping[str, Any], where: str, names: list[str]) -> None:
    for name in fields:
        if name not in names:
            raise FormatError(f"{where}: {name!r:.60} is unknown; known are {', '.join(names)}")


def _text(fields: Mapping[str, Any], name: str, where: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise FormatError(f"{where}: {name} must be a text")
    return value


def _name(fields: Mapping[str, Any], where: str) -> str:
    """Tasks give names to files, so theirs are plain words."""
    name = _text(fields, "name", where)
    if len(name) > 60 or not all(mark.isalnum() or mark in "-_" for mark in name):
        raise FormatError(f"{where}: the name {name!r:.80} must be of letters, digits, - and _")
    return name


def _list(fields: Mapping[str, Any], name: str, where: str) -> list[Any]:
    value = fields.get(name, [])
    if not isinstance(value, list):
        raise FormatError(f"{where}: {name} must be a list")
    return value


def _number(
    fields: Mapping[str, Any], name: str, where: str, least: float, most: float
) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:
        raise FormatError(f"{where}: {name} must be a number from {least} to {most}")
    return float(value)


def _whole_number(
    fields: Mapping[str, Any], name: str, where: str, least: int, most: int
) -> int | None:
    value = _number(fields, name, where, least, most)
    if value is not None and value != int(value):
        raise FormatError(f"{where}: {name} must be a whole number")
    return None if value is None else int(value)


def _level(document: Any) -> Level:
    fields = _object(document, "a level")
    _known(fields, "a level", ["name", "points"])
    name = _text(fields, "name", "a level")
    points = _whole_number(fields, "points", "a level", 0, MOST_TASKS)
    if points is None:
        raise FormatError(f"a level: points must be a number from 0 to {MOST_TASKS}")
    return Level(name, points)


def _opponent(document: Any, where: str) -> Opponent:
    where = f"{where}, opponent"
    fields = _object(document, where)
    _known(fields, where, ["kind", "depth", "nodes", "seconds", "seed", "features"])
    kind = _text(fields, "kind", where)
    if kind not in OPPONENTS:
        raise FormatError(f"{where}: kind must be one of {', '.join(OPPONENTS)}, not {kind!r:.60}")
    for name in fields:
        if name != "kind" and name not in OPPONENTS[kind]:
            takes = ", ".join(sorted(OPPONENTS[kind])) or "nothing else"
            raise FormatError(f"{where}: {name} means nothing to {kind}; it takes {takes}")
    features = _text(fields, "features", where) if "features" in fields else None
    if features is not None:
        try:
            read_features(features)
        except LimitError as error:
            raise FormatError(f"{where}: {error}") from None
    return Opponent(
        kind,
        _whole_number(fields, "depth", where, 1, 250),
        _whole_number(fields, "nodes", where, 1, 10**12),
        _number(fields, "seconds", where, 0.001, 3600.0),
        _whole_number(fields, "seed", where, 0, 2**53),
        features,
    )
