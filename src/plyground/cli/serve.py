"""`plyground serve`: the board in the browser."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = (
    "plyground serve",
    "plyground serve my_game.py",
    "plyground serve --port 8080 --no-open",
    "plyground serve --store results/arena.db --allow-engines",
)


def serve(
    games: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[GAME.py]...",
            help="Files with games of your own, to appear beside the others.",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=65535, help="Listen here; default: a port that is free."
        ),
    ] = None,
    no_prepare: Annotated[
        bool,
        typer.Option(
            "--no-prepare", help="Compile a game when it is first needed, and not in advance."
        ),
    ] = False,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address and open no browser.")
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The file of games that the page Arena shows (arena.db)."
        ),
    ] = None,
    allow_engines: Annotated[
        bool,
        typer.Option(
            "--allow-engines",
            help="Let the page Arena start programs as players (ugi: and uci:), any that it names.",
        ),
    ] = False,
) -> None:
    """Play and analyse in the browser.

    The address that is printed works on this machine only, and holds a secret token. Games are
    kept in your folder for data (on Linux ~/.local/share/plyground), or in $PLYGROUND_HOME. Ctrl-C
    ends it.
    """
    try:
        opens = not no_open and can_open_browser()
        _run(
            [str(game) for game in games or ()],
            port,
            opens,
            prepares=not no_prepare,
            store=store,
            engines=allow_engines,
        )
    except KeyboardInterrupt:
        print("goodbye")


def _run(
    games: list[str],
    port: int | None,
    opens: bool,
    *,
    prepares: bool,
    store: Path | None,
    engines: bool,
) -> None:
    from plyground.arena.store import DEFAULT_PATH
    from plyground.web.server import WebServer, home_folder, listen

    def started() -> None:
        print(f"plyground is at {server.address} (Ctrl-C ends it)", flush=True)
        if opens:
            threading.Thread(target=open_browser, args=[server.address], daemon=True).start()

    server = WebServer(
        listen(port),
        home=home_folder(),
        games=games,
        compiles_ahead=prepares,
        store=store or DEFAULT_PATH,
        engines=engines,
        started=started,
    )
    server.run()


def can_open_browser() -> bool:
    """Whether a window can be opened. A browser in this terminal would hide the output."""
    graphical = sys.platform in ("darwin", "win32")
    return graphical or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def open_browser(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
