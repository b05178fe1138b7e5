"""Another program plays with our engine: it starts `plyground engine` and talks UGI to it.

Nothing of plyground is imported, so that a program in any language can do the same.

python examples/drive_engine.py
"""

from __future__ import annotations

import subprocess
import sys

GAME = "connectfour"
COMMAND = [sys.executable, "-m", "plyground", "engine", GAME]


class UgiProgram:
    """A program that speaks UGI: every question is a line, and so is every answer."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask("ugi", "ugiok")
        self.ask("isready", "readyok")  # it may compile the game first

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)

    def ask(self, line: str, answer: str) -> str:
        """Send a line, and wait for the answer that begins with this word; its other words."""
        self.send(line)
        assert self._process.stdout is not None
        for said in self._process.stdout:
            first, _, rest = said.strip().partition(" ")
            if first == answer:
                return rest
        raise RuntimeError(f"the engine has ended instead of answering {line!r}")

    def quit(self) -> None:
        self.send("quit")
        self._process.wait()


def main() -> None:
    engine = UgiProgram(COMMAND)
    engine.send("uginewgame")
    moves: list[str] = []
    while True:  # it plays both sides
        engine.send(" ".join(["position startpos moves", *moves]) if moves else "position startpos")
        if engine.ask("query gameover", "response") == "true":
            break
        moves.append(engine.ask("go nodes 500", "bestmove"))
    print(f"{len(moves)} moves: {' '.join(moves)}")
    print("result:", engine.ask("query result", "response"))
    engine.quit()


if __name__ == "__main__":
    main()
