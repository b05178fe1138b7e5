"""Does a game keep the contract? One finding for each promise, kept or broken.

The evidence is a sample of random games. The uncompiled rules are tested first, and the compiled
ones run only where those are sound: compiled code does not notice an index out of bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.contract import COMPILED
from plyground.core.errors import PlygroundError
from plyground.core.game import Game, Options
from plyground.search.conformance import compiled, names, rules
from plyground.search.conformance.evidence import (
    Check,
    Finding,
    Problem,
    Sample,
    Verdict,
    take_sample,
)
from plyground.search.random_games import LONGEST_GAME

__all__ = ["Finding", "Verdict", "check_game"]

GAMES = 60
"""Random games in the sample: enough for the evaluation's sign, quick enough to wait for."""


def check_game(
    game: Game,
    options: Options | None = None,
    *,
    games: int = GAMES,
    seed: int = 0,
    longest: int = LONGEST_GAME,
) -> Iterator[Finding]:
    """Test a game against the contract: findings in a fixed order, each yielded when it is made.

    A broken promise is a finding, never an exception.
    """
    yield Finding("contract", Verdict.KEPT, _describe(game))
    try:
        sample = take_sample(game, options or {}, games, seed, longest)
    except PlygroundError as error:
        yield Finding("random games", Verdict.BROKEN, str(error))
        return
    sound = True
    for name, check in rules.CHECKS.items():
        for finding in _run(name, check, sample):
            sound = sound and finding.passed
            yield finding
    for name, check in names.CHECKS.items():
        yield from _run(name, check, sample)
    for name, check in compiled.CHECKS.items():
        if not sound:
            yield Finding(name, Verdict.DOUBTFUL, "not tested: mend what failed above first")
            continue
        for finding in _run(name, check, sample):
            sound = sound and finding.passed
            yield finding


def _run(name: str, check: Check, sample: Sample) -> Iterator[Finding]:
    try:
        yield Finding(name, Verdict.KEPT, check(sample))
    except Problem as problem:
        for message in problem.messages:
            yield Finding(name, problem.verdict, message)
    except PlygroundError as error:
        yield Finding(name, Verdict.BROKEN, str(error))


def _describe(game: Game) -> str:
    own = [name for name in COMPILED if name not in game.rules.defaults]
    fields = ", ".join(field.name for field in game.rules.state_fields)
    defaults = ", ".join(sorted(game.rules.defaults))
    return f"State({fields}); own {', '.join(own)}" + (f"; default {defaults}" if defaults else "")
