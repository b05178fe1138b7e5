"""How much memory a search may be given: no more than the machine has.

A system that promises memory it does not have ends a program in the middle of its work, and slows
everything else before that. So a slip of the keyboard is refused at once.
"""

from __future__ import annotations

import os

from plyground.core.errors import LimitError

MEBIBYTE = 1 << 20
UNKNOWN = 1 << 20
"""The most that can be asked for, in MiB, where the system does not tell what it has."""


def machine_memory() -> int:
    """The memory of this machine, in MiB."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEBIBYTE
    except (AttributeError, OSError, ValueError):
        return UNKNOWN


def check_memory(memory: int, user: str) -> None:
    """Refuse an amount of memory, in MiB, that makes no sense on this machine."""
    most = machine_memory()
    if not 1 <= memory <= most:
        raise LimitError(f"{memory} MiB: {user} takes from 1 to {most} MiB on this machine")
