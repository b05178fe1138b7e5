"""The nets that come with plyground: `make nets` learns them anew.

A net replaces the one in the package only if it passes the test of `plyground learn` against the
game's own evaluation and against none. How it was made is in its file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from plyground.core.registry import find_game
from plyground.search.net.evaluation import SHIPPED, net_name
from plyground.search.net.files import read_net, write_net

MINUTES = 10
SEED = 1


@dataclass(frozen=True)
class ShippedNet:
    """A net of the package, by the board for which it is."""

    game: str
    options: tuple[str, ...] = ()

    @property
    def command(self) -> tuple[str, ...]:
        """What has made it, on two cores."""
        options = [word for option in self.options for word in ("--option", option)]
        settings = ("--minutes", str(MINUTES), "--seed", str(SEED))
        return ("plyground", "learn", self.game, *options, *settings)

    @property
    def board_options(self) -> dict[str, str]:
        return dict(option.split("=") for option in self.options)

    @property
    def title(self) -> str:
        return " ".join((self.game, *self.options))

    @property
    def path(self) -> Path:
        game = find_game(self.game)
        return SHIPPED / net_name(game, game.start(self.board_options).board)


NETS = (
    ShippedNet("breakthrough"),
    ShippedNet("breakthrough", ("rows=8", "columns=8")),
    ShippedNet("connectfour"),
)


def make(net: ShippedNet) -> bool:
    """Learn a net; whether it has passed the test and is in the package now."""
    with tempfile.TemporaryDirectory() as folder:
        kept, made = Path(folder) / "kept.npz", Path(folder) / "made.npz"
        if net.path.exists():
            net.path.rename(kept)  # it is no opponent of the new one
        try:
            subprocess.run(
                (sys.executable, "-m", *net.command, "--out", str(made)),
                env={**os.environ, "PLYGROUND_NETS": str(Path(folder) / "nets")},
                check=True,
            )
            learned = read_net(made)
            if not str(learned.log["verdict"]).endswith("; adopted"):
                return False
            write_net(made, replace(learned, log={"command": " ".join(net.command), **learned.log}))
            made.rename(net.path)
            return True
        finally:
            if kept.exists() and not net.path.exists():
                kept.rename(net.path)


if __name__ == "__main__":
    for one in NETS:
        result = "made anew" if make(one) else "not better than what the game has: left as it was"
        print(f"{one.path.name}: {result}", flush=True)
