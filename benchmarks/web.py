"""The board in a browser: how soon it shows a move and a line, how it bears a hundred clients."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.report import Row, UnavailableError, ratio_row, seconds_text
from benchmarks.web_load import SECONDS_PER_MOVE, Crowd, Growth, Tally, visit
from plyground.core.registry import game_names
from tests.browser.server import Server

CROWD = Crowd(players=30, watchers=30, analysts=20, deaf=20)
WARM_UP, SECONDS = 30.0, 60.0
SMALL_CROWD = Crowd(players=3, watchers=3, analysts=2, deaf=2)
SMALL_GAMES = ("breakthrough", "tictactoe")
"""A quick run does not wait until every game is compiled."""

HOME_ALLOWED = 1.0
CLICK_ALLOWED = 0.05
LINE_ALLOWED = 0.15
GROWTH_ALLOWED = 100_000_000


def run(quick: bool) -> list[Row]:
    if not Path("/proc/self/smaps_rollup").exists():
        raise UnavailableError("the memory of processes cannot be read here: there is no /proc")
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        return [*page_rows(server, judged=not quick), *crowd_rows(server, judged=not quick)]


def page_rows(server: Server, *, judged: bool) -> list[Row]:
    """What a person waits for, in a real browser, one page open."""
    try:
        from benchmarks.web_pages import browse
        from tests.browser.chromium import NoChromium
    except ImportError:
        raise UnavailableError("Playwright is not installed: make bench") from None
    rounds, warm_up = (25, 3) if judged else (1, 1)
    try:
        waited = browse(server, rounds, warm_up)
    except NoChromium as reason:
        raise UnavailableError(str(reason)) from None
    return [
        wait_row("home page until it can be used", waited.home, HOME_ALLOWED, judged=judged),
        wait_row("click until the moved piece shows", waited.click, CLICK_ALLOWED, judged=judged),
        wait_row("new position until its first line", waited.line, LINE_ALLOWED, judged=judged),
    ]


def crowd_rows(server: Server, *, judged: bool) -> list[Row]:
    """What many clients see of a server that they share, and what they cost it."""
    crowd = CROWD if judged else SMALL_CROWD
    games = game_names() if judged else SMALL_GAMES
    warm_up, seconds = (WARM_UP, SECONDS) if judged else (0.5, 0.5)
    tally, growth = asyncio.run(visit(server, crowd, games, warm_up, seconds))
    who = f"{crowd.size} clients, {crowd.deaf} of which never read"
    return [
        error_row(f"{who}, for {seconds:g} s", tally),
        late_row(tally, judged=judged),
        growth_row(growth, judged=judged),
    ]


def wait_row(what: str, waited: Sequence[float], allowed: float, *, judged: bool) -> Row:
    return ratio_row(
        f"{what} (median of {len(waited)})",
        ours=f"{seconds_text(median(waited))}, at most {seconds_text(max(waited))}",
        other=f"allowed: {seconds_text(allowed)}",
        ratio=allowed / median(waited),
        target=1.0,
        judged=judged,
        numbers={"seconds": median(waited), "max": max(waited), "allowed_seconds": allowed},
    )


def error_row(what: str, tally: Tally) -> Row:
    """Errors have no excuse, in a small run neither."""
    problems = len(tally.errors)
    done = f"{len(tally.seconds)} engine moves, {tally.lines} reports of lines"
    first = f": {tally.errors[0]}" if tally.errors else ""
    return Row(
        what, done, "", f"{problems} errors{first}", "0 errors", not problems, {"errors": problems}
    )


def late_row(tally: Tally, *, judged: bool) -> Row:
    taken = tally.seconds or [0.0]
    late = sum(seconds > SECONDS_PER_MOVE for seconds in taken)
    return Row(
        f"{len(tally.seconds)} engine moves of theirs",
        f"median {seconds_text(median(taken))}, at most {seconds_text(max(taken))}",
        f"allowed: {seconds_text(SECONDS_PER_MOVE)}",
        f"{late} late",
        "0 late",
        late == 0 and bool(tally.seconds) if judged else None,
        {"late": late, "max": max(taken), "moves": len(tally.seconds)},
    )


def growth_row(growth: Growth, *, judged: bool) -> Row:
    grown = growth.after - growth.before
    return Row(
        "memory of server and workers, after warming up",
        f"{growth.before / 1e6:.0f} MB, then {growth.after / 1e6:.0f} MB",
        f"allowed: +{GROWTH_ALLOWED / 1e6:.0f} MB",
        f"{grown / 1e6:+.0f} MB",
        f"< +{GROWTH_ALLOWED / 1e6:.0f} MB",
        grown < GROWTH_ALLOWED if judged else None,
        {"grown_bytes": grown, "before_bytes": growth.before},
    )
