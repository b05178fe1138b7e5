"""What conformance rests on: a sample of random games, and findings about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from plyground.core.contract import Function, line_of
from plyground.core.errors import PlygroundError
from plyground.core.game import Game, Options
from plyground.core.position import Position
from plyground.search.random_games import LONGEST_GAME, RandomGame, random_game

MAX_POSITIONS = 1500
"""How many different positions of the sample are looked at closely."""


class Verdict(Enum):
    """What became of a promise."""

    KEPT = "ok"
    DOUBTFUL = "warning"
    BROKEN = "FAILED"


@dataclass(frozen=True)
class Finding:
    """One promise of the contract: whether it is kept, and what was seen."""

    name: str
    verdict: Verdict
    message: str

    @property
    def passed(self) -> bool:
        return self.verdict is not Verdict.BROKEN


class Problem(Exception):
    """A promise that is not kept, met in the middle of a check; one message for each place."""

    def __init__(self, *messages: str, verdict: Verdict = Verdict.BROKEN) -> None:
        super().__init__(*messages)
        self.messages = messages
        self.verdict = verdict


@dataclass(frozen=True)
class Sample:
    """What is tested: random games, and different positions met in them."""

    game: Game
    options: Options
    games: tuple[RandomGame, ...]
    positions: tuple[Position, ...]

    @property
    def open_positions(self) -> list[Position]:
        return [position for position in self.positions if not position.is_over]

    @property
    def finished(self) -> list[RandomGame]:
        return [game for game in self.games if game.is_finished]


Check = Callable[[Sample], str]
"""Returns what was seen, or raises a Problem."""


def take_sample(
    game: Game, options: Options, games: int, seed: int, longest: int = LONGEST_GAME
) -> Sample:
    """Play the random games. An error of the rules on the way is the caller's to report."""
    start = game.start(options)
    played: list[RandomGame] = []
    while len(played) < games:
        played.append(random_game(start, seed + len(played), longest))
        # Games that hardly ever end must not cost minutes: a few of them say it all.
        if sum(not random.is_finished for random in played) > games // 10:
            break
    # By their text, because a state may turn out to hold what cannot be hashed.
    met = {repr(found.state): found for random in played for found in random.positions}
    stride = -(-len(met) // MAX_POSITIONS)
    return Sample(game, options, tuple(played), tuple(met.values())[::stride])


def ask(position: Position, name: str, *arguments: Any) -> Any:
    """One rule's bare answer, uncompiled; an exception in it is said of the game's own file."""
    game = position.game
    return game.call(game.rules.function(name), position.board, position.state, *arguments)


def place_of(function: Function) -> str:
    """The file and line of a function, for messages that say where."""
    code = getattr(function, "__code__", None)
    return function.__name__ if code is None else f"{code.co_filename}:{line_of(function)}"


def broken(function: Function, problem: str, position: Position | None = None) -> Problem:
    """A broken promise of one function, with the position that shows it."""
    seen = "" if position is None else f" (position: {shown(position)})"
    return Problem(f"{place_of(function)}: {function.__name__}() {problem}{seen}")


def doubtful(function: Function, problem: str) -> Problem:
    """What may be meant, but looks like a slip."""
    return Problem(f"{place_of(function)}: {problem}", verdict=Verdict.DOUBTFUL)


def shown(position: Position) -> str:
    """A position in a message; where its own text fails, the bare state."""
    try:
        text = position.text
    except PlygroundError:
        text = repr(tuple(position.state))
    return " | ".join(line.strip() for line in text.splitlines() if line.strip())
