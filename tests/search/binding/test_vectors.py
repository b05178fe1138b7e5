"""Vector instructions find what a loop finds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba import njit

from plyground.search.binding.native import resolve
from plyground.search.binding.vectors import LANES, highest_bound

SIZE = 3 * LANES


@pytest.fixture(autouse=True)
def resolved() -> None:
    resolve(globals())


def found(means: Any, widths: Any, start: Any, count: Any, growth: Any, without: Any) -> Any:
    return highest_bound(means, widths, np.uint64(start), count, growth, np.uint64(without))


def expected(
    means: Any, widths: Any, start: int, count: int, growth: float, without: int
) -> tuple[int, float]:
    best, highest = start, -math.inf
    for index in range(start, start + min(count, LANES)):
        bound = means[index] + widths[index] * growth
        if index != without and bound > highest:
            best, highest = index, bound
    return best, highest


def test_the_highest_bound_is_found_without_the_one_left_out() -> None:
    vectors = njit(found)
    draw = np.random.default_rng(1)
    for _ in range(500):
        means = draw.integers(0, 4, SIZE) / 4.0  # often equal
        widths = draw.integers(1, 3, SIZE) / 2.0
        start, count = int(draw.integers(0, SIZE - LANES)), int(draw.integers(1, SIZE))
        without = start + int(draw.integers(-1, count + 1))
        given = means, widths, start, count, float(draw.random()), max(without, 0)
        assert vectors(*given) == expected(*given)


def test_nothing_is_left_of_one_that_is_left_out() -> None:
    numbers = np.ones(SIZE)
    assert njit(found)(numbers, numbers, 3, 1, 1.0, 3) == (3, -math.inf)
