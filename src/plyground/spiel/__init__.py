"""OpenSpiel: our games for its algorithms, its games and bots for ours.

Needs the extra `spiel`: `pip install 'plyground[spiel]'`.
"""

from __future__ import annotations

from plyground.spiel.registration import register

__all__ = ["register"]
