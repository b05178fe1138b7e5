"""What a handful of measurements is worth: their mean, and how far off it may be by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Summary:
    """Measurements in three numbers."""

    count: int
    mean: float
    deviation: float | None
    """The standard deviation of one measurement; unknown if there is only one."""

    @property
    def error(self) -> float | None:
        """The standard error of the mean: two means a good deal further apart than their errors
        differ by more than luck."""
        return None if self.deviation is None else self.deviation / math.sqrt(self.count)


def summarize(values: Sequence[float]) -> Summary:
    """The summary of at least one measurement."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return Summary(len(values), mean, None)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return Summary(len(values), mean, math.sqrt(squares / (len(values) - 1)))


def distance(measured: Summary, published: float, published_count: int) -> float | None:
    """How far a published mean lies from ours, in standard errors of their difference.

    Whoever published a mean of so many measurements without its error had the same luck to expect
    as we: the deviation is taken from ours. Where ours do not vary, any difference is too large.
    """
    if measured.deviation is None:
        return None
    error = measured.deviation * math.sqrt(1 / measured.count + 1 / published_count)
    if error == 0:
        return 0.0 if measured.mean == published else math.inf
    return (published - measured.mean) / error
