"""The terminal's side of a game: reading lines, and a sign of life while a search thinks."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from plyground.cli.interrupt import interruptible
from plyground.core.position import Position
from plyground.search.result import Limits, SearchResult

if TYPE_CHECKING:
    from rich.console import Console

    from plyground.cli.session import Read, Think
    from plyground.players.thinkers import Thinker


def line_reader(screen: Console) -> Read:
    """Lines that are typed, or read from a file; those are shown as if they had been typed."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  gives the arrow keys their meaning
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        screen.print(f"{prompt}{line}".rstrip(), soft_wrap=True)
        return line

    return read


def thinking(thinker: Thinker, limits: Limits, screen: Console) -> Think:
    """A search that shows on a terminal how far it has come, and that Ctrl-C ends."""

    def think(position: Position) -> SearchResult:
        player = position.game.players[position.turn]
        if not screen.is_terminal:
            return interruptible(lambda: thinker.search(position, limits, None), thinker.stop)
        with screen.status(f"{player} is thinking", spinner="dots") as status:

            def tell(result: SearchResult) -> None:
                move = position.move_text(result.move)
                status.update(f"{player} is thinking: {move}, depth {result.depth}")

            return interruptible(lambda: thinker.search(position, limits, tell), thinker.stop)

    return think
