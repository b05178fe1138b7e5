"""The results of an experiment as rows of plain data, for tables, CSV and JSON alike."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from plyground.lab.ablation import Ablation, Reached
from plyground.lab.presets import AGREEMENT, Preset
from plyground.lab.pruning import Pruning, Sample
from plyground.lab.statistics import summarize

Row = dict[str, Any]

FIGURES = 3
"""Digits after the point of a mean and of its error."""


def pruning_rows(
    experiment: Pruning, samples: Iterable[Sample], preset: Preset | None = None
) -> list[Row]:
    """A row for each depth and algorithm of which there is at least one sample."""
    found: dict[tuple[int, str], list[Sample]] = {}
    for sample in samples:
        found.setdefault((sample.depth, sample.algorithm), []).append(sample)
    return [
        _pruning_row(depth, algorithm, found[depth, algorithm], preset)
        for depth in experiment.depths
        for algorithm in experiment.algorithms
        if (depth, algorithm) in found
    ]


def _pruning_row(depth: int, algorithm: str, samples: list[Sample], preset: Preset | None) -> Row:
    states = summarize([sample.states for sample in samples])
    row: Row = {
        "depth": depth,
        "algorithm": algorithm,
        "runs": states.count,
        "states": _rounded(states.mean),
        "error": _rounded(states.error),
        "searches": _rounded(summarize([sample.plies for sample in samples]).mean),
        "given_up": sum(not sample.finished for sample in samples),
    }
    if preset is not None:
        off = preset.distance(algorithm, depth, states)
        row["published"] = preset.published_mean(algorithm, depth)
        row["distance"] = None if off is None or math.isinf(off) else round(off, 2)
        row["agrees"] = None if off is None else abs(off) <= AGREEMENT
    return row


def pruning_document(
    experiment: Pruning, rows: Sequence[Row], preset: Preset | None, *, complete: bool
) -> Row:
    """All there is to know of the experiment, for JSON."""
    return {
        "experiment": "pruning",
        "preset": None if preset is None else preset.name,
        "game": experiment.position.game.name,
        "position": experiment.position.text,
        "what": "games" if experiment.games else "searches",
        "runs": experiment.runs,
        "shuffle": experiment.shuffle,
        "valuation": experiment.valuation,
        "window": None if experiment.window is None else list(experiment.window),
        "cut": experiment.cut,
        "longest": experiment.longest,
        "seed": experiment.seed,
        "complete": complete,
        "rows": list(rows),
    }


def ablation_rows(experiment: Ablation, reached: Iterable[Reached]) -> list[Row]:
    """A row for each step and time of which at least one position was searched."""
    found: dict[tuple[str, float], list[Reached]] = {}
    for one in reached:
        found.setdefault((one.step, one.seconds), []).append(one)
    return [
        _ablation_row(step, seconds, found[step, seconds])
        for step in experiment.steps
        for seconds in experiment.times
        if (step, seconds) in found
    ]


def _ablation_row(step: str, seconds: float, reached: list[Reached]) -> Row:
    depth = summarize([one.depth for one in reached])
    return {
        "search": step,
        "seconds": seconds,
        "positions": depth.count,
        "depth": _rounded(depth.mean),
        "error": _rounded(depth.error),
        "nodes": _rounded(summarize([one.nodes for one in reached]).mean),
        "solved": sum(one.proven for one in reached),
    }


def ablation_document(experiment: Ablation, rows: Sequence[Row], *, complete: bool) -> Row:
    return {
        "experiment": "depth",
        "game": experiment.positions[0].game.name,
        "positions": [position.text for position in experiment.positions],
        "times": list(experiment.times),
        "memory": experiment.memory,
        "complete": complete,
        "rows": list(rows),
    }


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as comma-separated values under a line of names; what is not known is left empty."""
    file = io.StringIO()
    if rows:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return file.getvalue()


def _rounded(value: float | None) -> float | None:
    """Whole numbers stay whole."""
    if value is None:
        return None
    rounded = round(value, FIGURES)
    return int(rounded) if rounded == int(rounded) else rounded
