"""Writing what was forged: a folder that `plyground grade --suite` takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyground.classroom.forge.forge import Forge, Forged
from plyground.classroom.suite import FORMAT, MANIFEST
from plyground.core.errors import FileError

GRADES = (("E/D", 0.4), ("C", 0.6), ("B/A", 0.8))
"""The levels of a course, as parts of all points: 10, 15 and 20 of 25."""


def write_suite(folder: Path, title: str, forge: Forge, tasks: Sequence[Forged]) -> None:
    """A folder with the manifest, and a file a task if positions are long. It must not be there
    yet."""
    try:
        folder.mkdir(parents=True)
        manifest = {
            "format": FORMAT,
            "game": forge.game.name,
            "title": title,
            "seconds": forge.seconds,
            "overruns": forge.overruns,
            "levels": [{"name": name, "points": round(part * len(tasks))} for name, part in GRADES],
            "tasks": [_write(folder, number, forge, task) for number, task in enumerate(tasks, 1)],
        }
        text = json.dumps(manifest, indent=1) + "\n"
        (folder / MANIFEST).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise FileError(f"{folder} exists already; choose another folder") from None
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror}") from None


def _write(folder: Path, number: int, forge: Forge, task: Forged) -> dict[str, Any]:
    name = f"{forge.noun}-{number:02}"
    if forge.ending:
        (folder / f"{name}{forge.ending}").write_text(task.start.text + "\n", encoding="utf-8")
        place = {"file": f"{name}{forge.ending}"}
    else:
        place = {"position": task.start.text}
    return {"name": name, "task": forge.kind, **place, **task.terms, "proof": task.proof()}
