"""Checks whether a game keeps the contract, with a sample of random games.

The uncompiled rules are checked first, and the compiled rules only where those are sound: compiled
code does not notice an index out of bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.contract import COMPILED
from plyground.core.errors import PlygroundError
from plyground.core.game import Game, Options
from plyground.search.conformance import compiled, names, rules
from plyground.search.conformance.check import (
    Check,
    CheckFailure,
    CheckResult,
    CheckStatus,
    GameSample,
    take_sample,
)
from plyground.search.random_games import LONGEST_GAME

__all__ = ["CheckResult", "CheckStatus", "check_game"]

GAMES = 60
"""Random games in the sample: enough to check the sign of the evaluation."""


def check_game(
    game: Game,
    options: Options | None = None,
    *,
    games: int = GAMES,
    seed: int = 0,
    longest: int = LONGEST_GAME,
) -> Iterator[CheckResult]:
    """Check a game against the contract. Results come in a fixed order, each when it is there.

    A broken contract is a result, never an exception.
    """
    game.require_compilable()
    yield CheckResult("contract", CheckStatus.PASSED, _describe(game))
    try:
        sample = take_sample(game, options or {}, games, seed, longest)
    except PlygroundError as error:
        yield CheckResult("random games", CheckStatus.FAILED, str(error))
        return
    sound = True
    for name, check in {**rules.CHECKS, **names.CHECKS, **compiled.CHECKS}.items():
        if name in compiled.CHECKS and not sound:
            yield CheckResult(name, CheckStatus.WARNING, "not tested: fix what failed above first")
            continue
        for finding in _run(name, check, sample):
            sound = sound and (finding.passed or name in names.CHECKS)
            yield finding


def _run(name: str, check: Check, sample: GameSample) -> Iterator[CheckResult]:
    try:
        yield CheckResult(name, CheckStatus.PASSED, check(sample))
    except CheckFailure as problem:
        for message in problem.messages:
            yield CheckResult(name, problem.status, message)
    except PlygroundError as error:
        yield CheckResult(name, CheckStatus.FAILED, str(error))


def _describe(game: Game) -> str:
    own = [name for name in COMPILED if name not in game.rules.defaults]
    fields = ", ".join(field.name for field in game.rules.state_fields)
    defaults = ", ".join(sorted(game.rules.defaults))
    return f"State({fields}); own {', '.join(own)}" + (f"; default {defaults}" if defaults else "")
