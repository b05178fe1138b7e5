"""The limit for the memory of a search: no more than the machine has.

A system that grants memory it does not have kills the program later, and slows everything else
before that. So a mistyped number is refused at once.
"""

from __future__ import annotations

import sys

from plyground.core.errors import LimitError

MEBIBYTE = 1 << 20
UNKNOWN = 1 << 20
"""The limit in MiB where the system does not say what it has."""


if sys.platform == "win32":
    import ctypes

    def machine_memory() -> int:
        """The memory of this machine, in MiB."""
        kibibytes = ctypes.c_ulonglong()
        known = ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kibibytes))
        return kibibytes.value >> 10 if known else UNKNOWN

else:
    import os

    def machine_memory() -> int:
        """The memory of this machine, in MiB."""
        try:
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // MEBIBYTE
        except (OSError, ValueError):
            return UNKNOWN


def check_memory(memory: int, user: str) -> None:
    """Raise LimitError for an amount of memory, in MiB, that makes no sense on this machine."""
    most = machine_memory()
    if not 1 <= memory <= most:
        raise LimitError(f"{memory} MiB: {user} takes from 1 to {most} MiB on this machine")
