"""Folders of the repository that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
DATA = ROOT / "tests" / "data"
SAMPLE_GAMES = ROOT / "tests" / "sample_games"
