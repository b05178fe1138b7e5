"""What a person waits for in a browser, measured inside the page: from an input to the picture."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import launch
from tests.browser.server import Server

GAME = "breakthrough"
HUMANS = [{"kind": "human"}, {"kind": "human"}]
PLIES = 6
"""Moves of a game: none is over so soon, and an analysis always has something to say."""
PAUSE = 300
"""Milliseconds between two moves: a person waits for the end of the last movement."""

PAINTED = """
const painted = (then) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => then(performance.now());
  channel.port2.postMessage(null);
});
const when = (found, then) => {
  const look = () => {
    if (found()) {
      observer.disconnect();
      painted(then);
    }
  };
  const observer = new MutationObserver(look);
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, everything);
  look();
};
const label = (name) =>
  document.querySelector(`[role=gridcell][data-cell=${name}]`).getAttribute('aria-label');
"""
"""When something is found in the page: the time of the frame that shows it."""

HOME_SHOWN = f"""() => new Promise((resolve) => {{ {PAINTED}
  when(() => document.querySelector('#games button') !== null
    && document.querySelector('#games[aria-busy]') === null, resolve);
}})"""

AFTER_PRESS = f"""([from, page]) => {{ {PAINTED}
  const lines = () => document.querySelector('[aria-label="Best lines"]');
  let isOld = false;
  const found = {{
    play: () => !label(from).includes('pawn'),
    analyse: () => {{
      isOld ||= lines().classList.contains('stale');
      return isOld && !lines().classList.contains('stale') && lines().children.length > 0;
    }},
  }}[page];
  window.measured = new Promise((resolve, reject) => {{
    setTimeout(() => reject(new Error('nothing was shown in a minute')), 60000);
    addEventListener('pointerdown', (event) => {{
      when(found, (shown) => resolve(shown - event.timeStamp));
    }}, {{ capture: true, once: true }});
  }});
}}"""
"""From the press that completes a move: until its pawn has left (play), or until the lines of the
position before have been replaced (analyse). The answer is in `measured`."""


@dataclass
class Waited:
    """Seconds, one number for each time it was tried."""

    home: list[float] = field(default_factory=list)
    click: list[float] = field(default_factory=list)
    line: list[float] = field(default_factory=list)


def browse(server: Server, rounds: int, warm_up: int) -> Waited:
    """Use the pages of a server as a person would, so many times each; moves that warm up do not
    count."""
    waited = Waited()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for number in range(rounds + 1):
            seconds = open_home(browser, server)
            if number > 0:
                waited.home.append(seconds)
        page = enter(browser, server)
        waited.click = move_by_clicks(page, server, "play", rounds, warm_up)
        waited.line = move_by_clicks(page, server, "analyse", rounds, warm_up)
        browser.close()
    return waited


def enter(browser: Browser, server: Server) -> Page:
    page = browser.new_page()
    page.goto(server.login_url)
    return page


def open_home(browser: Browser, server: Server) -> float:
    """A browser that has nothing of the page yet: seconds until the games can be chosen."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.login_url, wait_until="commit")
    milliseconds = float(page.evaluate(HOME_SHOWN))
    context.close()
    return milliseconds / 1000


def move_by_clicks(
    page: Page, server: Server, where: str, rounds: int, warm_up: int
) -> list[float]:
    """Move pawns on a page by two clicks each: seconds from the second one to what it brings."""
    chance = random.Random(rounds)
    waited: list[float] = []
    while len(waited) < warm_up + rounds:
        table = server.ask("/api/tables", {"game": GAME, "players": HUMANS})["id"]
        page.goto(f"{server.address}/{where}/{table}")
        if where == "analyse":
            page.get_by_role("list", name="Best lines").get_by_role("button").first.wait_for()
        for _ in range(min(PLIES, warm_up + rounds - len(waited))):
            moves = server.ask(f"/api/tables/{table}")["view"]["moves"]
            waited.append(move(page, where, chance.choice(moves)["touches"]))
    return waited[warm_up:]


def move(page: Page, where: str, touches: list[str]) -> float:
    start, end = (page.locator(f"[role=gridcell][data-cell={name}]") for name in touches)
    start.click()
    page.evaluate(AFTER_PRESS, [touches[0], where])
    end.click()
    milliseconds = float(page.evaluate("window.measured"))
    page.wait_for_timeout(PAUSE)
    return milliseconds / 1000
