"""What a check of the contract gets and returns: a sample of random games, and a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from numbers import Integral
from typing import Any

from plyground.core.contract import Function, line_of
from plyground.core.errors import PlygroundError
from plyground.core.game import Game, Options, Position
from plyground.search.random_games import LONGEST_GAME, RandomGame, random_game

MAX_POSITIONS = 1500
"""How many different positions of the sample are checked."""


class CheckStatus(Enum):
    PASSED = "ok"
    WARNING = "warning"
    FAILED = "FAILED"


@dataclass(frozen=True)
class CheckResult:
    """The result of a check: its name, its status, and what was seen."""

    name: str
    status: CheckStatus
    message: str

    @property
    def passed(self) -> bool:
        return self.status is not CheckStatus.FAILED


class CheckFailure(Exception):
    """Raised by a check that fails or warns, with a message for each place at fault."""

    def __init__(self, *messages: str, status: CheckStatus = CheckStatus.FAILED) -> None:
        super().__init__(*messages)
        self.messages = messages
        self.status = status


@dataclass(frozen=True)
class GameSample:
    """Random games, and different positions from them."""

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


Check = Callable[[GameSample], str]
"""Returns what was seen, or raises CheckFailure."""


def take_sample(
    game: Game, options: Options, games: int, seed: int, longest: int = LONGEST_GAME
) -> GameSample:
    """Play the random games. Raises the errors of the rules."""
    start = game.start(options)
    played: list[RandomGame] = []
    while len(played) < games:
        played.append(random_game(start, seed + len(played), longest))
        # Games that hardly ever end would cost minutes: a few of them are enough.
        if sum(not random.is_finished for random in played) > games // 10:
            break
    # By their text, because a faulty state may not be hashable.
    met = {repr(found.state): found for random in played for found in random.positions}
    stride = -(-len(met) // MAX_POSITIONS)
    return GameSample(game, options, tuple(played), tuple(met.values())[::stride])


def call_rule(position: Position, name: str, *arguments: Any) -> Any:
    """Call one rule, uncompiled. An exception in it names the game's file and line."""
    game = position.game
    return game.call(game.rules.function(name), position.board, position.state, *arguments)


def whole_number(position: Position, name: str) -> int:
    """The answer of a rule that must be a whole number."""
    answer = call_rule(position, name)
    if not isinstance(answer, Integral):
        function = position.game.rules.function(name)
        raise failed(function, f"is {answer!r}, not a whole number", position)
    return int(answer)


def rule_answers(position: Position) -> dict[str, Any]:
    """What every rule answers in a position, uncompiled and asked anew."""
    names = ("over", "key", "identity", "score", "bounds", "settled")
    answers: dict[str, Any] = {name: call_rule(position, name) for name in names}
    if answers["over"]:
        return {**answers, "utility": call_rule(position, "utility")}
    moves = position.game.rules.legal_moves(position.board, position.state)
    return {
        **answers,
        "turn": call_rule(position, "turn"),
        "evaluate": call_rule(position, "evaluate"),
        "moves": moves,
        "noisy": tuple(call_rule(position, "noisy", move) for move in moves),
        "play": tuple(call_rule(position, "play", move) for move in moves),
    }


def place_of(function: Function) -> str:
    """The file and line of a function."""
    code = getattr(function, "__code__", None)
    return function.__name__ if code is None else f"{code.co_filename}:{line_of(function)}"


def failed(function: Function, problem: str, position: Position | None = None) -> CheckFailure:
    """A function that breaks the contract, with the position that shows it."""
    seen = "" if position is None else f" (position: {shown(position)})"
    return CheckFailure(f"{place_of(function)}: {function.__name__}() {problem}{seen}")


def warned(function: Function, problem: str) -> CheckFailure:
    """A warning: perhaps intended, but it looks like a mistake."""
    return CheckFailure(f"{place_of(function)}: {problem}", status=CheckStatus.WARNING)


def shown(position: Position) -> str:
    """A position in a message; if its text fails, the state."""
    try:
        text = position.text
    except PlygroundError:
        text = repr(tuple(position.state))
    return " | ".join(line.strip() for line in text.splitlines() if line.strip())
