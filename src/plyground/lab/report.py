"""The results of an experiment as rows of plain data, for tables, CSV and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from plyground.lab.ablation import Ablation, DepthReached
from plyground.lab.presets import AGREEMENT, Preset
from plyground.lab.pruning import Pruning, PruningRun

Row = dict[str, Any]

FIGURES = 3
"""Digits after the point of a mean and of its error."""


@dataclass(frozen=True)
class Summary:
    count: int
    mean: float
    deviation: float | None
    """The standard deviation of one measurement; unknown if there is only one."""

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        return None if self.deviation is None else self.deviation / math.sqrt(self.count)


def summarize(values: Sequence[float]) -> Summary:
    """The mean and standard deviation of at least one measurement."""
    deviation = stdev(values) if len(values) > 1 else None
    return Summary(len(values), fmean(values), deviation)


def distance(measured: Summary, published: float, published_count: int) -> float | None:
    """How far a published mean lies from the measured one, in standard errors of their difference.

    Published means come without a deviation, so it is taken to be the measured one. If the
    measurements do not vary, any difference is infinite.
    """
    if measured.deviation is None:
        return None
    error = measured.deviation * math.sqrt(1 / measured.count + 1 / published_count)
    if error == 0:
        return 0.0 if measured.mean == published else math.inf
    return (published - measured.mean) / error


def pruning_rows(
    experiment: Pruning, runs: Iterable[PruningRun], preset: Preset | None = None
) -> list[Row]:
    """A row for each depth and algorithm of which there is a run."""
    found: dict[tuple[int, str], list[PruningRun]] = {}
    for run in runs:
        found.setdefault((run.depth, run.algorithm), []).append(run)
    return [
        _pruning_row(depth, algorithm, found[depth, algorithm], preset)
        for depth in experiment.depths
        for algorithm in experiment.algorithms
        if (depth, algorithm) in found
    ]


def _pruning_row(depth: int, algorithm: str, runs: list[PruningRun], preset: Preset | None) -> Row:
    states = summarize([run.states for run in runs])
    row: Row = {
        "depth": depth,
        "algorithm": algorithm,
        "runs": states.count,
        "states": _rounded(states.mean),
        "error": _rounded(states.error),
        "searches": _rounded(summarize([run.plies for run in runs]).mean),
        "given_up": sum(not run.finished for run in runs),
    }
    if preset is not None:
        published = preset.published_mean(algorithm, depth)
        off = None if published is None else distance(states, published, preset.published_runs)
        row["published"] = published
        row["distance"] = None if off is None or math.isinf(off) else round(off, 2)
        row["agrees"] = None if off is None else abs(off) <= AGREEMENT
    return row


def pruning_document(
    experiment: Pruning, rows: Sequence[Row], preset: Preset | None, *, complete: bool
) -> Row:
    """The experiment and its results, for JSON."""
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


def ablation_rows(experiment: Ablation, reached: Iterable[DepthReached]) -> list[Row]:
    """A row for each step and time of which at least one position was searched."""
    found: dict[tuple[str, float], list[DepthReached]] = {}
    for one in reached:
        found.setdefault((one.step, one.seconds), []).append(one)
    return [
        _ablation_row(step, seconds, found[step, seconds])
        for step in experiment.steps
        for seconds in experiment.times
        if (step, seconds) in found
    ]


def _ablation_row(step: str, seconds: float, reached: list[DepthReached]) -> Row:
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


def _rounded(value: float | None) -> float | None:
    """Whole numbers stay whole."""
    if value is None:
        return None
    rounded = round(value, FIGURES)
    return int(rounded) if rounded == int(rounded) else rounded
