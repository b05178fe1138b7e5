"""How processes are started that run modules of this package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def module_command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module; it does not search the current folder for modules."""
    return [sys.executable, "-P", "-m", module, *arguments]


def child_environment() -> dict[str, str]:
    """This process's environment, in which a process finds this very package."""
    here = str(PACKAGE.parent)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*paths, here])}
