"""Rows, documents and CSV of the experiments, and their statistics."""

from __future__ import annotations

import csv
import io
import math

import pytest

from plyground.core.csv_text import csv_text
from plyground.core.registry import find_game
from plyground.lab.ablation import Ablation, DepthReached
from plyground.lab.pruning import Pruning, PruningRun
from plyground.lab.report import (
    Summary,
    ablation_document,
    ablation_rows,
    distance,
    pruning_document,
    pruning_rows,
    summarize,
)

START = find_game("tictactoe").start()


def test_a_summary_has_the_mean_and_its_standard_error() -> None:
    found = summarize([2, 4, 4, 4, 5, 5, 7, 9])
    assert found.mean == 5
    assert found.deviation == pytest.approx(math.sqrt(32 / 7))
    assert found.error == pytest.approx(math.sqrt(32 / 7 / 8))


def test_one_measurement_has_no_error() -> None:
    assert summarize([7]) == Summary(1, 7, None)
    assert summarize([7]).error is None
    assert distance(summarize([7]), 7, 100) is None


def test_a_published_mean_is_as_uncertain_as_ours() -> None:
    measured = Summary(100, 50.0, 10.0)
    assert distance(measured, 50.0, 100) == 0
    assert distance(measured, 50 + math.sqrt(2), 100) == pytest.approx(1)
    assert distance(measured, 50 - math.sqrt(2), 100) == pytest.approx(-1)


def test_what_does_not_vary_must_be_the_same() -> None:
    assert distance(Summary(5, 50.0, 0.0), 50.0, 100) == 0
    assert distance(Summary(5, 50.0, 0.0), 50.1, 100) == math.inf


def test_rows_are_in_order_and_hold_only_what_was_measured() -> None:
    experiment = Pruning(START, (1, 2), ("minimax", "alpha-beta"), games=True)
    runs = [
        PruningRun("alpha-beta", 2, 10, 9, True),
        PruningRun("minimax", 1, 5, 9, True),
        PruningRun("alpha-beta", 2, 12, 1000, False),
    ]
    rows = pruning_rows(experiment, runs)
    assert rows == [
        {
            "depth": 1,
            "algorithm": "minimax",
            "runs": 1,
            "states": 5,
            "error": None,
            "searches": 9,
            "given_up": 0,
        },
        {
            "depth": 2,
            "algorithm": "alpha-beta",
            "runs": 2,
            "states": 11,
            "error": 1,
            "searches": 504.5,
            "given_up": 1,
        },
    ]
    document = pruning_document(experiment, rows, None, complete=False)
    assert (document["complete"], document["what"], document["rows"]) == (False, "games", rows)


def test_unknown_values_are_empty_in_csv() -> None:
    experiment = Ablation((START,), (0.5,))
    rows = ablation_rows(experiment, [DepthReached("+ table", 0, 0.5, 7, 1234, True)])
    (read,) = csv.DictReader(io.StringIO(csv_text(rows)))
    assert read == {
        "search": "+ table",
        "seconds": "0.5",
        "positions": "1",
        "depth": "7",
        "error": "",
        "nodes": "1234",
        "solved": "1",
    }
    assert csv_text([]) == ""
    assert ablation_document(experiment, rows, complete=True)["times"] == [0.5]
