"""Compiles kernels in the background, while the first command on a machine compiles its own.

All games share the kernels, so this happens once. A core is free for it: what is compiled in the
foreground keeps one busy, and the process that compiles rules ends early. It lets other programs go
first, except on Windows. It may outlive the command by a few seconds, and is left alone then: the
next command is likely to need what it compiles.
"""

from __future__ import annotations

import contextlib
import subprocess
from functools import cache

from plyground.core.child_process import child_environment, module_command
from plyground.core.processes import NEW_GROUP


@cache
def start() -> None:
    """Start it unless all is compiled, or could not be kept, or there is only one core."""
    from plyground.search.binding.code_cache import cache_root, is_cache_kept
    from plyground.search.binding.compiler_process import SWITCH, may_start
    from plyground.search.preparation import are_kernels_prepared

    if not may_start() or not is_cache_kept() or are_kernels_prepared():
        return
    folder = str(cache_root().absolute())
    with contextlib.suppress(OSError):
        subprocess.Popen(
            module_command("plyground", "prepare", "--kernels", "--low-priority"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**child_environment(), SWITCH: "1", "PLYGROUND_CACHE": folder},
            cwd=folder,  # it must not keep the current folder in use
            start_new_session=True,  # Ctrl-C is for the command
            creationflags=NEW_GROUP,
        )
