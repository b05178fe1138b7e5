"""What every test of players needs."""

from __future__ import annotations

import pytest

from plyground.players import move_timer


@pytest.fixture(autouse=True)
def nothing_is_stolen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host of a virtual machine may take a core away during any test, and a move that ends
    just after its limit is not late then. What stolen time changes is tested with ticks that the
    test sets itself (`test_move_timer.py`)."""
    monkeypatch.setattr(move_timer, "stolen_ticks", dict)
