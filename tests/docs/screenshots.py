"""The screenshots that the README and the pages of docs show, taken anew.

`python -m tests.docs.screenshots` (or `make pictures`) starts a server and a chromium, opens each
page in a state that shows what it is for, and writes docs/pictures/NAME.png. With names, only
those.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.chromium import NoChromium, launch
from tests.browser.server import Server
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "pictures"
SIZE = {"width": 1200, "height": 800}
COLOURS = 256
"""The pages are flat: so many colours are enough, and the files stay small."""
PATIENCE = 120_000

HUMAN = {"kind": "human"}
GAME = ["c2c3", "d5d4", "c3xd4", "e5xd4", "b2b3", "c5c4", "b3xc4", "d4d3"]


def home(page: Page, server: Server) -> None:
    for game, moves in (("tictactoe", ["b2", "a1", "c3"]), ("breakthrough", GAME)):
        server.ask("/api/tables", {"game": game, "moves": moves})
    page.goto(server.address)
    page.wait_for_load_state("networkidle")


def play(page: Page, server: Server) -> None:
    players = [HUMAN, {"kind": "engine", "seconds": 1}]
    table = {"game": "breakthrough", "moves": GAME, "players": players}
    page.goto(f"{server.address}/play/{server.ask('/api/tables', table)['id']}")
    page.get_by_role("gridcell", name="c4").click()


def analyse(page: Page, server: Server) -> None:
    table = {"game": "breakthrough", "moves": GAME, "players": [HUMAN, HUMAN]}
    page.goto(f"{server.address}/analyse/{server.ask('/api/tables', table)['id']}")
    expect(page.get_by_text(re.compile("Depth 1[2-9]"))).to_be_visible()  # lines worth showing


def tree(page: Page, server: Server) -> None:
    moves = ["b2", "a1", "c1", "a3", "a2"]
    table = {"game": "tictactoe", "moves": moves, "players": [HUMAN, HUMAN]}
    page.goto(f"{server.address}/tree/{server.ask('/api/tables', table)['id']}")
    page.get_by_label("Depth in plies").fill("2")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("depth 2"))).to_be_visible()
    page.get_by_role("button", name="Last step").click()
    page.get_by_role("button", name="Fit").click()


def arena(page: Page, server: Server) -> None:
    players = [
        "engine:nodes=3000,name=strong",
        "engine:nodes=300,name=quick",
        "monte-carlo:nodes=3000,name=casual",
    ]
    event = {"kind": "tournament", "game": "breakthrough", "players": players, "games": 200}
    server.ask("/api/arena/events", event)
    page.goto(f"{server.address}/arena")
    expect(page.get_by_text(re.compile("[3-9][0-9] of 600 games")).first).to_be_visible()


PICTURES = {"home": home, "play": play, "analyse": analyse, "tree": tree, "arena": arena}


def main(names: Sequence[str]) -> int:
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"there is no picture {unknown[0]!r}; there are {', '.join(PICTURES)}")
        return 2
    expect.set_options(timeout=PATIENCE)
    try:
        take(names or list(PICTURES))
    except NoChromium as reason:
        print(reason)
        return 1
    return 0


def take(names: Sequence[str]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name in names:
            page = browser.new_page(
                viewport=SIZE,  # type: ignore[arg-type]
                color_scheme="light",
                reduced_motion="reduce",
            )
            page.set_default_timeout(PATIENCE)
            page.goto(server.login_url)
            PICTURES[name](page, server)
            page.wait_for_timeout(500)
            write(name, page.screenshot())
            page.close()
        browser.close()


def write(name: str, screenshot: bytes) -> None:
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    file = FOLDER / f"{name}.png"
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
