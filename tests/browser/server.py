"""A `plyground serve` process with a data folder of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from tests.paths import ROOT

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\?token=\S+")
TIMEOUT = 60.0
"""Seconds until a server that does not answer fails the test."""


class Server:
    """A server process. It can be stopped and started again at the same address."""

    def __init__(
        self,
        home: Path,
        games: Sequence[str | Path] = (),
        options: Sequence[str] = ("--no-prepare",),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._environment = environment or {}
        self.home = home
        self.options = tuple(options)
        self.port = free_port()
        self.games = tuple(map(str, games))
        self.token = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._log = home / "server.log"

    @property
    def address(self) -> str:
        """Its origin, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def login_url(self) -> str:
        """The address that it prints, with the token, which a browser keeps."""
        return f"{self.address}/?token={self.token}"

    @property
    def process_id(self) -> int:
        assert self._process is not None, "the server is not running"
        return self._process.pid

    @property
    def store(self) -> Path:
        """The file of the page Arena."""
        return self.home / "arena.db"

    @property
    def nets(self) -> Path:
        """The folder of learned evaluations, for a server that is told so."""
        return self.home / "nets"

    @property
    def log(self) -> str:
        """Everything that it has printed."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.home.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "plyground", "serve", *self.games, *self.options]
        command += ["--store", str(self.store)]
        path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, "--no-open", "--port", str(self.port)],
                cwd=ROOT,
                env={
                    **os.environ,
                    "PLYGROUND_HOME": str(self.home),
                    "PYTHONPATH": path,
                    **self._environment,
                },
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + TIMEOUT
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the server does not answer; it printed:\n{self.log}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Interrupt it, as Ctrl-C does; kill it if it does not end."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None

    def kill(self) -> None:
        """Kill it without warning, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _answers(self) -> bool:
        found = ADDRESS.search(self.log)
        if found is None:
            return False
        self.token = parse_qs(urlsplit(found[0]).query)["token"][0]
        try:
            self.ask("/api/games")
        except URLError:
            return False
        return True

    def ask(self, path: str, body: object = None) -> Any:
        """GET, or POST with a body; returns the JSON of the response."""
        return json.loads(self.ask_text(path, body))

    def ask_text(self, path: str, body: object = None) -> str:
        """The same for a response that is text."""
        request = Request(
            self.address + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
                "Origin": self.address,
            },
        )
        with urlopen(request, timeout=TIMEOUT) as response:
            return str(response.read().decode())


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
