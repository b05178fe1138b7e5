"""The notation of players: one short text, the same in commands, in the browser and in files.

    engine:time=0.1,threads=2          a search, with options between commas
    player.py                          a student's file, in the sandbox
    ugi:COMMAND?Hash=16&Threads=2      a program that speaks UGI (or uci:), with its own options
    spiel:mcts?simulations=1000        a bot of OpenSpiel

`time`, `depth` and `nodes` limit a move; a player that has none of them plays by the clock of the
game. `name` is what tables call the player.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cached_property

from plyground.core.errors import PlygroundError
from plyground.search.searcher import LIMITS, OPTIONS, Algorithm

GREEDY, FILE = "greedy", "file"
PROGRAMS = {"ugi": "COMMAND", "uci": "COMMAND", "spiel": "BOT"}
"""Kinds of players that are told what to run, and how their notation calls it."""
COMMANDS = ("ugi", "uci")
"""Those that run any program."""
KINDS = (*(algorithm.value for algorithm in Algorithm), GREEDY, FILE, *PROGRAMS)
EXAMPLES = (
    "engine, engine:time=0.1,threads=2,memory=64, engine:depth=6,features=exact,"
    " engine:evaluation=learned, monte-carlo:nodes=20000, alpha-beta:depth=4, minimax:depth=3,"
    " random, greedy, perfect,"
    " player.py, ugi:COMMAND, uci:COMMAND?variant=breakthrough6, spiel:mcts?simulations=1000"
)
LONGEST_TEXT = 1000
LIMIT_NAMES = {"time": "seconds", "depth": "depth", "nodes": "nodes"}
"""The limits of a move in the notation, and in `Limits`."""
TIMED = {Algorithm.ENGINE, Algorithm.ALPHA_BETA, Algorithm.MONTE_CARLO, FILE, *COMMANDS}
"""Kinds that can play by a clock."""
INTEGERS = {"depth", "nodes", "threads", "memory"}


class PlayerError(PlygroundError):
    """A text that names no player, or one that cannot play."""


@dataclass(frozen=True)
class PlayerSpec:
    """A player as its notation describes it. `read_player` makes one, checked."""

    kind: str
    target: str = ""
    """The command, file or bot of a player that has one."""
    options: tuple[tuple[str, str], ...] = ()
    """In the order of the text."""

    @cached_property
    def text(self) -> str:
        """The notation; `read_player` reads it back."""
        if self.kind == FILE:
            return self.target + _joined("?", "&", self.options)
        if self.kind in PROGRAMS:
            return f"{self.kind}:{self.target}{_joined('?', '&', self.options)}"
        return self.kind + _joined(":", ",", self.options)

    @property
    def name(self) -> str:
        """What tables call the player: its `name`, or its notation."""
        return self.option("name") or self.text

    @property
    def seconds(self) -> float | None:
        """The limit of a move that the player brings with it."""
        text = self.option("time")
        return None if text is None else float(text)

    @property
    def has_limits(self) -> bool:
        return any(self.option(name) is not None for name in LIMIT_NAMES)

    @property
    def plays_by_clock(self) -> bool:
        """Whether the clock of the game limits its moves."""
        return self.kind in TIMED and not self.has_limits

    @property
    def threads(self) -> int:
        """The cores that it keeps busy."""
        given = (int(value) for name, value in self.options if _means_threads(self.kind, name))
        return max(given, default=1)

    def option(self, name: str) -> str | None:
        return dict(self.options).get(name)

    @property
    def net(self) -> str | None:
        """The file with the net of an engine that is told to use one."""
        evaluation = self.option("evaluation") if self.kind == Algorithm.ENGINE else None
        return evaluation if evaluation is not None and evaluation.endswith(".npz") else None

    @property
    def own_options(self) -> dict[str, str]:
        """What is left to the program or bot: neither limits of a move nor the name."""
        return {
            name: value
            for name, value in self.options
            if name not in LIMIT_NAMES and name != "name"
        }


def _means_threads(kind: str, name: str) -> bool:
    """Programs are asked for options without regard to case, and most call this one Threads."""
    return (name.lower() if kind in PROGRAMS else name) == "threads"


def _joined(first: str, between: str, options: tuple[tuple[str, str], ...]) -> str:
    return first + between.join(f"{name}={value}" for name, value in options) if options else ""


def read_player(text: str) -> PlayerSpec:
    """The player that a text describes. Raises PlayerError with what would be right."""
    text = text.strip()
    if len(text) > LONGEST_TEXT or not text.isprintable():
        raise PlayerError(f"a player is one short line of text, such as {EXAMPLES}")
    kind, colon, rest = text.partition(":")
    if kind in PROGRAMS:
        target, _, options = rest.partition("?")
        if not target.strip():
            what = PROGRAMS[kind]
            raise PlayerError(f"player {text!r} names no {what.lower()}: {kind}:{what}")
        spec = PlayerSpec(kind, target.strip(), _read_options(text, options, "&"))
        _check_limits(text, spec)
        return spec
    path, _, options = text.partition("?")
    if path.endswith(".py"):
        spec = PlayerSpec(FILE, path, _read_options(text, options, "&"))
        unknown = spec.own_options
        if unknown:
            raise PlayerError(f"player {text!r}: a file takes time and name, not {min(unknown)!r}")
        for name in ("depth", "nodes"):
            if spec.option(name) is not None:
                raise PlayerError(f"player {text!r}: a file takes time and name, not {name!r}")
        _check_limits(text, spec)
        return spec
    if kind not in KINDS or kind == FILE:
        close = difflib.get_close_matches(kind, [one for one in KINDS if one != FILE], n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"players: {EXAMPLES}"
        raise PlayerError(f"there is no player {text!r}; {hint}")
    spec = PlayerSpec(kind, "", _read_options(text, rest, ","))
    if colon and not rest.strip():
        raise PlayerError(f"player {text!r}: after the colon come options, such as time=0.1")
    _check_search(text, spec)
    return spec


def _read_options(text: str, given: str, between: str) -> tuple[tuple[str, str], ...]:
    options: dict[str, str] = {}
    for part in given.split(between) if given.strip() else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise PlayerError(f"player {text!r}: {part!r} is no option; write NAME=VALUE")
        if name in options:
            raise PlayerError(f"player {text!r}: {name} is given twice")
        options[name] = value
    return tuple(options.items())


def _check_search(text: str, spec: PlayerSpec) -> None:
    """Refuse options that a search does not take."""
    taken = {"name"}
    if spec.kind != GREEDY:
        algorithm = Algorithm(spec.kind)
        limits = {name for name, own in LIMIT_NAMES.items() if own in LIMITS[algorithm]}
        taken |= limits | (OPTIONS[algorithm] - {"seed", "lines", "optimal"})
    for name, _ in spec.options:
        if name not in taken:
            known = ", ".join(sorted(taken))
            raise PlayerError(
                f"player {text!r}: {spec.kind} has no option {name!r}; it has {known}"
            )
    _check_limits(text, spec)
    if "features" in taken and spec.option("features") is not None:
        from plyground.search.features import read_features

        read_features(features_of(spec) or "")
    evaluation = spec.option("evaluation")
    if evaluation is not None:
        from plyground.search.net.evaluation import check_evaluation

        check_evaluation(evaluation)


def _check_limits(text: str, spec: PlayerSpec) -> None:
    for name, value in spec.options:
        counts = name in INTEGERS or _means_threads(spec.kind, name)
        if counts and not (value.isascii() and value.isdecimal() and int(value) > 0):
            raise PlayerError(f"player {text!r}: {name} is a whole number above 0, not {value!r}")
        if name == "time":
            try:
                right = 0 < float(value) < 1e6
            except ValueError:
                right = False
            if not right:
                raise PlayerError(
                    f"player {text!r}: time is in seconds, such as 0.1, not {value!r}"
                )


def features_of(spec: PlayerSpec) -> str | None:
    """The engine's features: between + in the notation, where a comma ends an option."""
    given = spec.option("features")
    return None if given is None else given.replace("+", ",")
