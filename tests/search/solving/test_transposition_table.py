"""The transposition table of a solver: it grows with all its entries, or stays as it is."""

from __future__ import annotations

import numpy as np
import pytest

from plyground.core.registry import find_game
from plyground.search.binding.compile import bind
from plyground.search.solving import transposition_table
from plyground.search.solving.exhaustive.solver import Exhaustive
from plyground.search.solving.transposition_table import EXTRA_WORDS, TranspositionTable

WIDTH = 2
slant = find_game("slant")


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables start small, and are copied in many steps."""
    monkeypatch.setattr(transposition_table, "FIRST_BYTES", 1 << 14)
    monkeypatch.setattr(transposition_table, "COPIED_WORDS", 1 << 9)


def table_with_entries(count: int) -> TranspositionTable:
    table = TranspositionTable(bind(slant), WIDTH, 64 << 20)
    words = np.random.default_rng(1).integers(1, 1 << 62, (count, WIDTH + EXTRA_WORDS), np.uint64)
    words[:, :WIDTH] ^= words[:, WIDTH : WIDTH + 1]
    table.words[: words.size] = words.ravel()
    return table


def entries(table: TranspositionTable) -> set[tuple[int, ...]]:
    rows = table.words.reshape(-1, WIDTH + EXTRA_WORDS)
    return {tuple(row) for row in rows[rows[:, WIDTH] != 0].tolist()}


def test_a_table_grows_with_all_its_entries() -> None:
    table = table_with_entries(100)
    before, size, enough_for = entries(table), len(table.words), table.enough_for
    assert table.grow(lambda: False) is table.words
    assert len(before) == 100
    assert entries(table) == before
    assert len(table.words) > 3 * size
    assert table.enough_for > 3 * enough_for


def test_a_table_that_is_stopped_while_it_grows_stays_as_it_was() -> None:
    table = table_with_entries(100)
    words, enough_for = table.words, table.enough_for
    stops = iter([False, False, True])
    assert table.grow(lambda: next(stops)) is words
    assert table.words is words
    assert table.enough_for == enough_for


def test_a_solver_finds_the_same_with_a_table_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    start = slant.start({"board": "random", "rows": 3, "columns": 3, "circles": 100})
    grown = Exhaustive(slant, memory=64).solve(start)
    monkeypatch.setattr(transposition_table, "FIRST_BYTES", 64 << 20)
    fixed = Exhaustive(slant, memory=64).solve(start)
    assert (grown.worth, grown.moves) == (fixed.worth, fixed.moves)
    assert grown.nodes > 1 << 9, "more than the first table holds"
