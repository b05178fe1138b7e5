"""Parts of charts: round numbers on an axis, and texts that are text alone."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from plyground.core.chart import bar, chart, shortened, text, ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0, 4, 5, [0, 1, 2, 3, 4]),
        (0, 7, 5, [0, 2, 4, 6]),
        (-130.5, 260.2, 8, [-100, -50, 0, 50, 100, 150, 200, 250]),
        (995, 1003.5, 3, [995, 1000]),
        (0.2, 0.7, 5, []),
        (7, 7, 5, [7]),
    ],
)
def test_ticks_are_round_numbers_within_the_range(
    low: float, high: float, most: int, expected: list[int]
) -> None:
    assert list(ticks(low, high, most=most)) == expected


def test_words_in_a_chart_are_text_alone() -> None:
    hostile = '</title><script x="1">&'
    drawn = bar(1, 2, 3, 4, hostile) + text(0, 0, hostile, "end", "faint")
    picture = ElementTree.fromstring(chart(10, 20, hostile, drawn))
    assert [one.text for one in picture.iter("title")] == [hostile, hostile]
    assert picture.findtext("text") == hostile
    assert picture.get("viewBox") == "0 0 10 20"


def test_long_words_are_shortened() -> None:
    assert shortened("abcde", 5) == "abcde"
    assert shortened("abcdef", 5) == "abcd…"
