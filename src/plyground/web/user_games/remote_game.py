"""A user's game as the server sees it: every question about it is asked in another process.

`RemoteGame` and `RemotePosition` stand for a `Game` and a `Position`, so that sessions, records and
pages treat all games alike.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from inspect import Parameter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

from plyground.core.contract import Rules
from plyground.core.game import Game, Options, Position
from plyground.core.outcome import Ending, Outcome
from plyground.web.user_games.game_process import GameProcesses


class RemoteGame(Game):
    """One version of a user's game. It keeps its rules when its file is edited."""

    def __init__(self, path: Path, source: bytes) -> None:
        self.source = source
        self.processes = GameProcesses(path, source)
        weakref.finalize(self, self.processes.close)
        about = self.processes.describe()
        self.name = path.stem
        self.title, self.summary = about["title"], about["summary"]
        self.players = about["players"][0], about["players"][1]
        self.colours = about["colours"][0], about["colours"][1]
        self.rules_text, self.option_texts = about["rules"], about["option_texts"]
        self.choices = {name: tuple(words) for name, words in about["choices"].items()}
        self.variant, self.made_by = "", None
        self.module = ModuleType(path.stem)
        for function in about["functions"]:
            setattr(self.module, function, None)
        self.options = _parameters(about["options"])
        self.position_options = _parameters(about["position_options"])
        known = {"path": str(path), "point": about["point"], "repeats": False}
        defaults = frozenset(about["defaults"])
        self.rules = cast(Rules, SimpleNamespace(name=path.stem, defaults=defaults, **known))

    def start(self, options: Options | None = None) -> Position:
        found = self.processes.ask("start", None, dict(options or {}))
        return RemotePosition(self, found["position"])

    def position(self, text: str, options: Options | None = None) -> Position:
        found = self.processes.ask("position", None, text, dict(options or {}))
        return RemotePosition(self, found["position"])

    @property
    def is_edited(self) -> bool:
        """Whether the file has changed since this version of it was read."""
        try:
            return Path(self.rules.path).read_bytes() != self.source
        except OSError:
            return False


def _parameters(defaults: dict[str, Any]) -> dict[str, Parameter]:
    kind = Parameter.POSITIONAL_OR_KEYWORD
    return {name: Parameter(name, kind, default=value) for name, value in defaults.items()}


def _asked(name: str, read: Callable[[Any], Any]) -> Any:
    """An attribute of a position that is asked for once. Not a `cached_property`: in Python 3.11
    that has one lock for all positions, and one of them that hangs would stop the others."""

    def attribute(position: RemotePosition) -> Any:
        if name not in position.known:
            position.known[name] = read(position.ask(name))
        return position.known[name]

    return property(attribute)


def _outcome(value: dict[str, Any]) -> Outcome:
    return Outcome(**{**value, "ending": Ending(value["ending"])})


class RemotePosition(Position):
    """A position of a user's game. Its state is what the game's process wrote, and reads again."""

    def __init__(self, game: RemoteGame, written: str) -> None:
        super().__init__(game, None, written)
        self.known: dict[str, Any] = {}
        """What has been asked for."""
        self._processes = game.processes

    def ask(self, name: str, *arguments: Any) -> Any:
        return self._processes.ask(name, self.state, *arguments)["value"]

    is_over = _asked("is_over", bool)
    turn = _asked("turn", int)
    legal_moves = _asked("legal_moves", tuple)
    utility = _asked("utility", int)
    evaluation = _asked("evaluation", int)
    score = _asked("score", int)
    outcome = _asked("outcome", _outcome)
    text = _asked("text", str)
    picture = _asked("picture", str)
    idle = _asked("idle", int)
    drawing = _asked("svg", str)

    def svg(self) -> str:
        return str(self.drawing)

    def after(self, move: int) -> Position:
        game = cast(RemoteGame, self.game)
        return RemotePosition(game, self._processes.ask("after", self.state, move)["position"])

    def move_text(self, move: int) -> str:
        return str(self.ask("move_text", move))

    def parse_move(self, text: str) -> int:
        return int(self.ask("parse_move", text))

    def touches(self, move: int) -> tuple[str, ...]:
        return tuple(self.ask("touches", move))

    def move_key(self, move: int) -> str:
        return str(self.ask("move_key", move))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RemotePosition):
            return NotImplemented
        return self.game is other.game and bool(self.ask("equals", other.state))

    def __hash__(self) -> int:
        return hash(self.game.name)
