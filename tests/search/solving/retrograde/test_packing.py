"""Packing states into words."""

from __future__ import annotations

import numpy as np

from plyground.search.solving.retrograde.packing import new_packing, words_of


def test_a_packing_keeps_items_whole_and_uses_as_few_words_as_they_need() -> None:
    masks = np.array([0b1101, 0, (1 << 63) - 1, 1 << 63], np.uint64)
    packing = new_packing(np.array([7, 9, 0, 1 << 63], np.uint64), masks)
    assert words_of(packing) == 2
    assert packing.root.tolist() == [7, 9, 0, 1 << 63]
    assert packing.ones.tolist() == [1, 3, (1 << 63) - 1, 1]
    assert packing.places.reshape(-1, 4).tolist() == [
        [0, 0, 0, 0],
        [0, 2, 0, 1],
        [2, 0, 1, 0],
        [3, 63, 0, 3],
    ]
