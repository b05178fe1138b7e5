"""Is the evaluation the first player's? A slip of sign loses every game and breaks nothing else."""

from __future__ import annotations

from numbers import Integral
from statistics import mean, variance

from plyground.core.values import DECIDED
from plyground.search.conformance.evidence import Sample, ask, broken

LAST_POSITIONS = 8
"""How many positions before the end of a game tell of its outcome."""
ENOUGH_GAMES = 8
"""Games won by each side before their evaluations are compared."""
CLEARLY = 5.0
"""Standard errors between two means that chance does not explain: an honest but useless evaluation
(a hash of the state) would be blamed about once in a million samples."""


def evaluation_is_the_first_players(sample: Sample) -> str:
    """Evaluations shortly before the end must not favour the loser, whoever is to move.

    The test is made for each mover apart: an evaluation for the side to move is right for one of
    them and wrong for the other. Only what is clearly reversed is called broken.
    """
    rules = sample.game.rules
    if "evaluate" in rules.defaults:
        return "no evaluate(): every open position counts as equal"
    values = [0]
    for position in sample.open_positions:
        value = ask(position, "evaluate")
        if not isinstance(value, Integral):
            raise broken(rules.evaluate, f"is {value!r}, not a whole number", position)
        if abs(int(value)) >= DECIDED:
            raise broken(rules.evaluate, f"is {value}, but {DECIDED} and more is a won game")
        values.append(int(value))
    for mover, name in enumerate(sample.game.players):
        won, lost = evaluations_by_outcome(sample, mover)
        if min(len(won), len(lost)) >= ENOUGH_GAMES and clearly_below(won, lost):
            raise broken(
                rules.evaluate,
                f"favours the loser where {name} is to move: on average {mean(won):.0f} before"
                f" {sample.game.players[0]} wins, {mean(lost):.0f} before"
                f" {sample.game.players[1]} wins; it must be the first player's, whoever moves",
            )
    return f"from {min(values)} to {max(values)}, never clearly against who goes on to win"


def evaluations_by_outcome(sample: Sample, mover: int) -> tuple[list[float], list[float]]:
    """A mean for each game that the first player won, and for each that was lost.

    One number a game, because the positions of one game are not independent of each other.
    """
    won: list[float] = []
    lost: list[float] = []
    for game in sample.finished:
        seen = [
            position.evaluation
            for position in game.positions[-1 - LAST_POSITIONS : -1]
            if position.turn == mover
        ]
        if seen and game.last.utility:
            (won if game.last.utility > 0 else lost).append(mean(seen))
    return won, lost


def clearly_below(won: list[float], lost: list[float]) -> bool:
    """Whether the mean of the won games is below that of the lost ones beyond all chance."""
    error = (variance(won) / len(won) + variance(lost) / len(lost)) ** 0.5
    return bool(mean(lost) - mean(won) > CLEARLY * error)
