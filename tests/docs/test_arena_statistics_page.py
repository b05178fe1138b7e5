"""The page `docs/arena-statistics.md`: its examples and the numbers in its text are right."""

from __future__ import annotations

import doctest
import random
import re

from plyground.arena.statistics import NORMALIZED_ELO, PairCounts, estimate
from tests.paths import DOCS

FILE = DOCS / "arena-statistics.md"
PAGE = " ".join(FILE.read_text(encoding="utf-8").split())


def test_the_examples_are_right() -> None:
    failed, tried = doctest.testfile(
        str(FILE), module_relative=False, optionflags=doctest.REPORT_NDIFF
    )
    assert tried > 20
    assert failed == 0


def test_the_factor_of_normalized_elo_is_that_of_the_page() -> None:
    assert f"times {NORMALIZED_ELO:.1f}." in PAGE


def test_pairs_save_as_many_games_as_the_page_says() -> None:
    errors = re.search(r"To get from (\d+) to (\d+) without pairs", PAGE)
    assert errors is not None
    assert (int(errors[1]) / int(errors[2])) ** 2 > 2


def test_looking_often_is_as_wrong_as_the_page_says() -> None:
    """The interval of 95 % excludes equality when the likelihood of superiority is extreme."""
    matches, once, often = 200, 0, 0
    for seed in range(matches):
        chance = random.Random(seed)
        pairs, looks = PairCounts(), []
        for _ in range(20):
            pairs += PairCounts.of(chance.choices((0, 1, 2), (1, 2, 1), k=10))
            looks.append(not 0.025 < estimate(pairs).superiority < 0.975)
        once += looks[-1]
        often += any(looks)
    assert "in about 5 of 100 matches, as it should" in PAGE
    assert "at some time, in about 25 of 100" in PAGE
    assert 0.02 < once / matches < 0.08
    assert 0.2 < often / matches < 0.3
