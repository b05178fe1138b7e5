"""The forge: new tasks for students, proven by the exact solver and measured."""

from __future__ import annotations

from collections.abc import Callable

from plyground.classroom.forge.derby import DerbyForge
from plyground.classroom.forge.forge import Forge
from plyground.classroom.forge.positions import BlockerForge, SlantForge
from plyground.core.errors import PlygroundError

FORGES: dict[str, Callable[[], Forge]] = {
    "blocker": BlockerForge,
    "derby": DerbyForge,
    "slant": SlantForge,
}


def make_forge(name: str) -> Forge:
    if name not in FORGES:
        raise PlygroundError(f"the forge makes tasks for {', '.join(FORGES)}, not for {name}")
    return FORGES[name]()
