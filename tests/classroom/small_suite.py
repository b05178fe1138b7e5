"""A suite of two short days at sea, on which an honest player is never late."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plyground.classroom.suite import Suite, load_suite

SECONDS = 0.5
"""Of a player's own time for a move, where an honest one needs a few milliseconds."""


def day(hook: tuple[int, int], fish: tuple[int, int], *, plies: int = 14) -> dict[str, Any]:
    """Green can land a fish before the day is over, and Red cannot land its own in time."""
    return {
        "custom": True,
        "init_fishes": {
            "0": {"init_pos": list(fish), "score": 5},
            "1": {"init_pos": [14, 12], "score": 3},
        },
        "init_players": {"0": list(hook), "1": [14, 17]},
        "sequence": {"0": [8] * plies, "1": [8] * plies},
        "params": {"n_seq": plies},
    }


DAYS = {"below": day((5, 18), (5, 17)), "aside": day((5, 18), (3, 18))}


def manifest(**changes: Any) -> dict[str, Any]:
    """The suite's document, with some of its entries changed."""
    return {
        "format": "plyground-suite-1",
        "game": "derby",
        "title": "Two short days",
        "seconds": SECONDS,
        "overruns": 1,
        "levels": [{"name": "E", "points": 1}, {"name": "A", "points": 2}],
        "tasks": [
            {"name": name, "task": "win", "file": f"{name}.json", "opponent": {"kind": "perfect"}}
            for name in DAYS
        ],
        **changes,
    }


def write_suite(folder: Path, **changes: Any) -> Path:
    """The suite as a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, scenario in DAYS.items():
        (folder / f"{name}.json").write_text(json.dumps(scenario))
    (folder / "suite.json").write_text(json.dumps(manifest(**changes)))
    return folder


def small_suite(folder: Path, **changes: Any) -> Suite:
    return load_suite(write_suite(folder, **changes))
