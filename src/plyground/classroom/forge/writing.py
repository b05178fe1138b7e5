"""Writing what was forged: a folder that `plyground grade --suite` takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyground.classroom.forge.derby import Day
from plyground.classroom.suite import FORMAT, MANIFEST
from plyground.core.errors import FileError

SECONDS = 0.075
"""What a decision may take in the course that the game comes from."""
GRADES = (("E/D", 0.4), ("C", 0.6), ("B/A", 0.8))
"""The course's levels, as parts of all points: 10, 15 and 20 of 25."""


def write_suite(folder: Path, title: str, days: Sequence[Day]) -> None:
    """A folder with a file a day and the manifest. It must not be there yet."""
    try:
        folder.mkdir(parents=True)
        tasks = [_write_day(folder, number, day) for number, day in enumerate(days, 1)]
        manifest = {
            "format": FORMAT,
            "game": "derby",
            "title": title,
            "seconds": SECONDS,
            "overruns": 1,
            "levels": [{"name": name, "points": round(part * len(days))} for name, part in GRADES],
            "tasks": tasks,
        }
        text = json.dumps(manifest, indent=1) + "\n"
        (folder / MANIFEST).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise FileError(f"{folder} exists already; choose another folder") from None
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from None


def _write_day(folder: Path, number: int, day: Day) -> dict[str, Any]:
    name = f"day-{number:02}"
    (folder / f"{name}.json").write_text(day.start.text + "\n", encoding="utf-8")
    return {
        "name": name,
        "task": "win",
        "file": f"{name}.json",
        "side": 0,
        "opponent": {"kind": "perfect"},
        "proof": day.proof(),
    }
