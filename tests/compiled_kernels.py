"""Caches of compiled code in which only the kernels are there.

Kernels are the same for all games and take most of the compiler's time. A test that has to see a
game being compiled in a cache of its own need not compile them once more.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from plyground.search.binding.code_cache import KERNEL, wanted_cache_root
from plyground.search.binding.sources import DIGEST_LENGTH, kernel_digest

CACHE = wanted_cache_root()
"""The cache of this machine. Tests may have another one for a while."""


def copy_kernels(cache: Path) -> None:
    """Copy the kernels that this machine has compiled so far to another cache; at least that of the
    engine, which takes longest and which later tests need too."""
    folders = f"{KERNEL}*-{kernel_digest()[:DIGEST_LENGTH]}"
    if not any(CACHE.glob(f"{folders}/plyground.search.engine.*.bc")):
        subprocess.run(
            [sys.executable, "-m", "plyground", "prepare", "tictactoe", "--for", "play"],
            env={**os.environ, "PLYGROUND_CACHE": str(CACHE)},
            capture_output=True,
            check=True,
        )
    for path in CACHE.glob(f"{folders}/*.bc"):
        folder = cache / path.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder)
