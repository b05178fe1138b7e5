"""Events that a page sets up: checked as the command line does it, and turned into its commands.

A page must not be able to run any program on this machine. It names games of the catalogue only, a
player's file runs in the sandbox, and commands (`ugi:`, `uci:`) are refused unless the server was
started with --allow-engines. The same goes for an event of the store that a page goes on with: its
command was written by another program, so each of its words is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plyground.arena.conditions import (
    DEFAULT_SECONDS,
    Adjudication,
    Conditions,
    Contestant,
    TimeControl,
    contestant,
)
from plyground.arena.event import EventPlan, gauntlet, round_robin
from plyground.arena.openings import Openings
from plyground.arena.sprt import Sprt
from plyground.core.errors import PlygroundError
from plyground.core.game import Game
from plyground.players.notation import PlayerSpec, read_player
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.arena import FieldProblem, NewEvent, TestSpec

COMMANDS = ("ugi", "uci")
"""Kinds of players that run any program."""
NO_COMMANDS = (
    "programs are not started from a page, since a page could then start any; allow it with"
    " plyground serve --allow-engines"
)
VERBS = ("match", "tournament", "sprt")
VALUED = frozenset(
    "--games --time -t --clock --margin --openings --plies --seed --proven --agreed --longest"
    " --workers --option -o --elo0 --elo1 --alpha --beta --model --most --anchor"
    " --anchor-rating".split()
)
"""Options with a value that an event may be gone on with."""
FLAGS = frozenset({"--balanced", "--gauntlet"})
DROPPED = frozenset({"--quiet", "-q", "--json", "--live", "--no-live"})
"""Options of the terminal."""


class EventProblem(PlygroundError):
    """An event that cannot be started from a page."""


@dataclass(frozen=True)
class EventRules:
    """What pages of this server may start."""

    catalogue: Catalogue
    store: Path
    engines: bool = False
    """Whether players may be commands."""

    def player(self, text: str) -> PlayerSpec:
        """The player of a notation, if a page may start it."""
        spec = read_player(text)
        if spec.kind in COMMANDS and not self.engines:
            raise EventProblem(f"player {text.strip()!r}: {NO_COMMANDS}")
        return spec


# New events


def problems(new: NewEvent, rules: EventRules) -> list[FieldProblem]:
    """What is wrong with an event, field by field."""
    found: list[FieldProblem] = []

    @contextmanager
    def field(name: str) -> Iterator[None]:
        try:
            yield
        except PlygroundError as error:
            found.append(FieldProblem(field=name, message=str(error)))

    game: Game | None = None
    options = tuple(option_texts(new).items())
    with field("game"):
        game = rules.catalogue.find(new.game)
    contestants: list[Contestant] = []
    for number, text in enumerate(new.players):
        with field(f"players.{number}"):
            contestants.append(contestant(rules.player(text)))
    clock = TimeControl()
    with field("time"):
        clock = time_control(new)
    with field("test"):
        if new.kind == "sprt":
            test = new.test or TestSpec()
            Sprt(test.elo0, test.elo1, test.alpha, test.beta, test.model)
    with field("players"):
        if new.kind != "tournament" and len(new.players) != 2:
            raise EventProblem(f"a {new.kind} has two players, not {len(new.players)}")
    if game is None:
        return found
    with field("options"):
        game.start(dict(options))
        with field("openings"):
            openings = openings_of(new, options)
            openings.check(game)
            adjudication = Adjudication(new.proven, new.agreed, new.longest)
            conditions = Conditions(game, options, openings, clock, adjudication, new.seed)
            if len(contestants) == len(new.players):
                with field("players"):
                    pairings = gauntlet if new.gauntlet else round_robin
                    EventPlan(
                        new.kind,
                        conditions,
                        tuple(contestants),
                        pairings(len(contestants)),
                        (new.games + 1) // 2,
                    )
    return found


def openings_of(new: NewEvent, options: tuple[tuple[str, str], ...]) -> Openings:
    """The openings, for a check. Not balanced ones: a search would have to be compiled first."""
    plies = new.plies if new.openings == "random" else 0
    return Openings(new.openings, plies, seed=new.seed, options=options)


def time_control(new: NewEvent) -> TimeControl:
    if new.clock is not None:
        return TimeControl(None, new.clock.seconds, new.clock.increment)
    return TimeControl(DEFAULT_SECONDS if new.seconds is None else new.seconds)


def option_texts(new: NewEvent) -> dict[str, str]:
    """Options of the board as a command line has them."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value).strip()
        for name, value in (new.options or {}).items()
    }


def command_of(new: NewEvent, rules: EventRules) -> list[str]:
    """The arguments of `plyground` that start an event, without the store."""
    words: list[str] = [new.kind]
    for name, value in option_texts(new).items():
        words += ["--option", f"{name}={value}"]
    words += ["--most" if new.kind == "sprt" else "--games", str(new.games)]
    if new.clock is not None:
        words += ["--clock", f"{new.clock.seconds:g}+{new.clock.increment:g}"]
    elif new.seconds is not None:
        words += ["--time", f"{new.seconds:g}"]
    if new.openings != "random":
        words += ["--openings", new.openings]
    elif new.plies != 4:
        words += ["--plies", str(new.plies)]
    if new.balanced and new.openings == "random":
        words.append("--balanced")
    if new.kind == "tournament" and new.gauntlet:
        words.append("--gauntlet")
    for name in ("seed", "proven", "agreed", "longest"):
        if value := getattr(new, name):
            words += [f"--{name}", str(value)]
    if new.kind == "sprt" and new.test is not None:
        for name, value in new.test:
            words += [f"--{name}", value if isinstance(value, str) else f"{value:g}"]
    # After --, nothing is taken for an option.
    return [*words, "--", rules.catalogue.source(new.game), *(one.strip() for one in new.players)]


# Events of the store


def resumed_command(command: Sequence[str], folder: Path, rules: EventRules) -> list[str]:
    """The arguments that go on with an event of the store, without the store. `folder` is where
    its command was run. Raises EventProblem if the command does what a page may not do."""
    if not command or command[0] not in VERBS:
        raise EventProblem("the store does not tell the command that played this event")
    kept, positional = _checked_words(command[1:])
    if len(positional) < 3:
        raise EventProblem("the command of this event names no game and two players")
    game, *players = positional
    for text in players:
        rules.player(text)
    return [command[0], *kept, "--", _known_source(game, folder, rules.catalogue), *players]


def _known_source(game: str, folder: Path, catalogue: Catalogue) -> str:
    """A built-in game, or the path of a file that this server was started with."""
    for source in map(catalogue.source, catalogue.names):
        if game == source or (source.endswith(".py") and _is_same(folder / game, Path(source))):
            return source
    hint = f"start it with plyground serve {game}" if game.endswith(".py") else "use a terminal"
    raise EventProblem(f"this server does not know the game {game}; {hint}")


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _checked_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options that are kept, and the other arguments."""
    kept: list[str] = []
    positional: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            positional += left
            break
        if not word.startswith("-") or word == "-":
            positional.append(word)
            continue
        name, equals, value = word.partition("=")
        if not word.startswith("--") and len(name) > 2:  # -t0.1
            name, equals, value = word[:2], "=", word[2:]
        if name in DROPPED:
            continue
        if name in FLAGS and not equals:
            kept.append(name)
        elif name in VALUED or name == "--store":
            value = value if equals else left.pop(0) if left else ""
            kept += [] if name == "--store" else [name, value]
        else:
            raise EventProblem(
                f"this event was started with {name}, which no page may do; go on with it in a"
                " terminal"
            )
    return kept, positional
