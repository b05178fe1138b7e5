"""The job "evaluations": how the engine can value positions of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.web.workers.job_run import JobRun, Message

if TYPE_CHECKING:
    from plyground.core.game import Game


def evaluations(run: JobRun) -> Message:
    """The fields of `Evaluations`. Whether a net was learned for a board is found by playing on it
    (`search/net/net.py: fingerprint`), so it is a worker that finds out: the game may be a file."""
    from plyground.search.net.evaluation import LEARNED, NONE, OWN, automatic

    position = run.cache.positions(run.job)[-1]
    used = automatic(position.game, position.board)
    choices = [OWN, NONE] if has_own(position.game) else [NONE]
    if used == LEARNED:
        choices.insert(-1, LEARNED)
    return {"choices": choices, "automatic": used if used in choices else NONE}


def has_own(game: Game) -> bool:
    """Whether a game has an evaluation of its own: without `evaluate` it is the same as none."""
    return "evaluate" not in game.rules.defaults
