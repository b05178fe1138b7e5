"""The parts of the engine that can be switched on and off, each by itself."""

from __future__ import annotations

from enum import IntFlag

from plyground.core.errors import LimitError


class Features(IntFlag):
    """What the compiled alpha-beta search does beyond the bare algorithm."""

    NONE = 0
    TABLE = 1
    """Remember positions: their values cut searches short, their best moves are tried first."""
    KILLERS = 2
    """Try quiet moves early that refuted a sister position."""
    HISTORY = 4
    """Try moves early that have refuted much elsewhere."""
    NOISY_FIRST = 8
    """Try captures and the like before quiet moves."""
    SCOUT = 16
    """Principal variation search: later moves must first beat a null window."""
    ASPIRATION = 32
    """Start each iteration with a narrow window around the last value."""
    QUIESCENCE = 64
    """At the horizon, look on until no noisy move is left to try."""
    REDUCTIONS = 128
    """Search late quiet moves less deeply at first."""
    PRUNING = 256
    """Near the horizon, do not search late quiet moves at all."""
    REPETITION = 512
    """Count a line that comes back to an earlier position as a draw, in games where it can."""
    SETTLED = 1024
    """Take a win that the rules know to be certain for what it is, and look no further."""
    FUTILITY = 2048
    """Near the horizon, do not search a position whose evaluation is far too good already."""

    EXACT = TABLE | KILLERS | HISTORY | NOISY_FIRST | SCOUT | ASPIRATION
    """Everything that leaves the value of a fixed-depth search what minimax says it is."""
    PLAY = EXACT | QUIESCENCE | REDUCTIONS | PRUNING | REPETITION | SETTLED | FUTILITY
    """Everything: the strongest play."""


def read_features(text: str) -> Features:
    """Features by their names as people write them: `exact`, or `table,noisy-first`."""
    found = Features.NONE
    for name in text.split(","):
        try:
            found |= Features[name.strip().upper().replace("-", "_")]
        except KeyError:
            known = ", ".join(known.lower().replace("_", "-") for known in Features.__members__)
            raise LimitError(f"the engine has no feature {name.strip()!r:.60}; {known}") from None
    return found
