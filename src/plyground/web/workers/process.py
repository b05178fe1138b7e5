"""The server's end of one worker: starts the process, passes messages, notices its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[2]

LONGEST_LINE = 64 << 20
"""Bytes of a message; the largest are trees, of a megabyte or two."""
LARGE_LINE = 64 << 10
"""A longer one is read in another thread, so that nobody else waits meanwhile."""

Message = dict[str, Any]


class Link:
    """One worker process. `heard` gets every message, `ended` is called once, with its status."""

    def __init__(
        self, heard: Callable[[Link, Message], None], ended: Callable[[Link, int], None]
    ) -> None:
        self._heard = heard
        self._ended = ended
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # what lies in the current folder is no part of the program
            "-m",
            "plyground.web.workers.main",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            env=_environment(),
            process_group=0,  # Ctrl-C is for the server, which ends its workers itself
        )
        self._listening = asyncio.create_task(self._listen(self._process))

    def send(self, message: Message) -> None:
        """Pass a message on; one to a worker that has just died is lost with it."""
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                # Not by the process object: that would ask for the status, which is then lost.
                os.kill(self._process.pid, signal.SIGKILL)

    async def close(self) -> None:
        """End the process, and wait until it is gone."""
        self.kill()
        if self._listening is not None:
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                if len(line) > LARGE_LINE:
                    message = await asyncio.to_thread(json.loads, line)
                else:
                    message = json.loads(line)
                self._heard(self, message)
        except (ValueError, OSError):  # no JSON, or a line without end: nothing it says is sure
            pass
        finally:
            self.kill()
            self._ended(self, await process.wait())


def _environment() -> dict[str, str]:
    """Ours, and this very package can be found, however we came by it."""
    here = str(PACKAGE.parent)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*paths, here])}
