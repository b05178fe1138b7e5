"""`plyground engine`: the engine as a program behind a pipe, for other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from plyground.cli.arguments import BoardOptions, GameArgument
from plyground.cli.inputs import read_options
from plyground.cli.interrupt import interruptible
from plyground.cli.output import announce_compilation

EXAMPLES = (
    "plyground engine breakthrough",
    "plyground engine breakthrough -o rows=8 -o columns=8",
    "plyground engine my_game.py",
)

LONGEST_LINE = 1 << 20
"""Bytes. The moves of a long game are far fewer."""


def engine(name: GameArgument, option: BoardOptions = None) -> None:
    """Let other programs use the engine, by UGI or UCI.

    Reads commands from standard input and answers on standard output until quit or the end of the
    input. Every game is played by UGI; Breakthrough (5x5 to 8x8) and Connect Four (7x6) also by
    UCI, as Fairy-Stockfish writes them.
    """
    from plyground.core.registry import find_game
    from plyground.protocol.server import EngineServer

    server = EngineServer(
        find_game(name), read_options(option), write=_write, announce=announce_compilation
    )
    interruptible(lambda: server.serve(_lines()))


def _write(line: str) -> None:
    print(line, flush=True)


def _lines() -> Iterator[str]:
    """The lines of standard input. A longer one than any command counts as several."""
    read = sys.stdin.buffer.readline
    while line := read(LONGEST_LINE):
        yield line.decode(errors="replace")
