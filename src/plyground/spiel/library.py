"""Loads OpenSpiel when it is first used, and says how to install it where it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plyground.core.errors import PlygroundError


class NoOpenSpiel(PlygroundError):
    """OpenSpiel is not installed."""


def load_pyspiel() -> Any:
    """The module `pyspiel`."""
    try:
        return import_module("pyspiel")
    except ImportError as error:
        raise NoOpenSpiel(
            f"OpenSpiel is not installed ({error}): pip install 'plyground[spiel]'"
        ) from None
