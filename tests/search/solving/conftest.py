"""Fixtures of the solver tests."""

from __future__ import annotations

import pytest

from plyground.search.solving import kernel_solver
from plyground.search.solving.retrograde import analysis


@pytest.fixture
def many_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retrograde analyses propagate often, and report every step."""
    monkeypatch.setattr(analysis, "FIRST_TRIAL", 4)
    monkeypatch.setattr(analysis, "TRIALS", 2)
    monkeypatch.setattr(analysis, "SLICE", 500)
    monkeypatch.setattr(kernel_solver, "REPORT_SECONDS", -1)
