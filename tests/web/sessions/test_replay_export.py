"""The replay as one HTML file: what is in it, what is not, and that a browser plays it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from plyground.core.registry import find_game, game_names
from plyground.search.random_games import random_game
from plyground.web.protocol.models import ClockSpec
from plyground.web.sessions.replay_export import replay_page
from plyground.web.sessions.session import HUMAN, ChosenMove, GameSession, RecordHeaders
from tests.web.session_builders import ENGINE, new_session, play

WON = ("a1", "b1", "a2", "b2", "a3")
NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)> {{data}} \u2028 &amp;"


class Content(HTMLParser):
    """The parts of a page that matter here."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: dict[str, list[str]] = {}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        self._inside = tag
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside][-1] += data

    def attribute(self, tag: str, name: str) -> list[str]:
        return [found[name] or "" for kind, found in self.tags if kind == tag and name in found]


def random_session(game: str, plies: int = 1000) -> GameSession:
    played = random_game(find_game(game).start(), 3, plies)
    texts = [
        position.move_text(move)
        for position, move in zip(played.positions, played.moves, strict=False)
    ]
    return new_session(game, moves=tuple(texts))


def data_of(page: str) -> Any:
    return json.loads(Content(page).texts["script"][0])


# The file


@pytest.mark.parametrize("game", game_names())
def test_every_picture_of_every_game_is_in_the_file_as_it_was(game: str) -> None:
    session = random_session(game)
    data = data_of(replay_page(session))
    pictures = ["".join(data["pieces"][piece] for piece in frame) for frame in data["frames"]]
    nodes = [session.tree.nodes[step] for step in session.tree.main]
    assert pictures == [node.position.svg() for node in nodes]


def test_what_stays_the_same_from_move_to_move_is_kept_once() -> None:
    session = random_session("derby")
    page = replay_page(session)
    pictures = sum(len(node.position.svg()) for node in session.tree.nodes.values())
    assert len(page) < pictures / 2


def test_the_moves_are_in_the_page_with_what_is_known_of_them() -> None:
    session = new_session(players=(HUMAN, ENGINE), clock=ClockSpec(seconds=60))
    play(session, "b2", now=2.5)
    session.play_search_move(session.tree.head, ChosenMove("a1", 0.25, 12, 4), 3.0)
    session.comment(session.tree.head, "a corner", 3.0)
    page = replay_page(session)
    assert "2. a1 <small>O, X +12, depth 4, 0.25 s, comment</small>" in page
    data = data_of(page)
    assert data["words"] == [
        "The start.",
        "Move 1: X b2, 2.5 s.",
        "Move 2: O a1, X +12, depth 4, 0.25 s. Not finished.",
    ]
    assert data["comments"] == ["", "", "a corner"]
    assert data["touches"] == [[], ["b2"], ["a1"]]


def test_variations_are_not_exported() -> None:
    session = new_session(moves=("b2",))
    session.try_move(0, "c3", 0.0)
    assert len(data_of(replay_page(session))["frames"]) == 2


def test_names_and_comments_are_shown_and_never_run() -> None:
    session = new_session(moves=WON)
    session.headers = RecordHeaders(names=(NASTY, "Bob"), event=NASTY, date="2025-11-15")
    session.comment(0, NASTY, 0.0)
    page = replay_page(session)
    content = Content(page)
    assert len(content.texts["script"]) == 2
    assert not [tag for tag, _ in content.tags if tag in ("img", "iframe", "link", "object")]
    assert NASTY in "".join(content.texts["title"])
    assert data_of(page)["comments"][0] == NASTY


def test_the_policy_allows_the_files_own_script_and_style_and_nothing_else() -> None:
    page = replay_page(new_session(moves=WON))
    content = Content(page)
    script = content.texts["script"][1]
    style = content.texts["style"][0]

    def hashed(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    policy = content.attribute("meta", "content")[0]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashed(script)}';"
        f" style-src 'sha256-{hashed(style)}'; base-uri 'none'; form-action 'none'"
    )
    assert not content.attribute("script", "src")
    assert not [name for _, found in content.tags for name in found if name.startswith("on")]
    assert not content.attribute("div", "style")
    addresses = set(re.findall(r"https?://[^\s\"'<>\\]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    from tests.browser.chromium import NoChromium, launch

    with sync_api.sync_playwright() as playwright:
        try:
            found = launch(playwright)
        except NoChromium as error:
            pytest.skip(str(error))
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a page from a file; afterwards its console must be silent and nothing was fetched."""
    troubles: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("requestfailed", lambda request: troubles.append(request.url))
    page.on("dialog", lambda dialog: troubles.append(dialog.message))

    def open_file(text: str) -> Any:
        file = tmp_path / "replay.html"
        file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri())
        return page

    yield open_file
    page.close()
    assert not troubles


def shown(page: Any) -> str:
    return str(page.locator("#status").inner_text())


def test_buttons_slider_and_list_lead_through_the_game(opened: Any) -> None:
    page = opened(replay_page(new_session(moves=WON)))
    assert shown(page) == "The start."
    page.get_by_role("button", name="Next").click()
    assert shown(page) == "Move 1: X a1."
    page.get_by_role("button", name="Last").click()
    assert shown(page) == "Move 5: X a3. 1-0, X has three in a line."
    assert page.get_by_role("button", name="Next").is_disabled()
    assert page.locator("#board .last").count() == 1
    page.get_by_role("button", name="Previous").click()
    page.get_by_role("slider", name="Move").fill("2")
    assert shown(page) == "Move 2: O b1."
    page.get_by_role("button", name="3. a2").click()
    assert page.locator("[aria-current=step]").inner_text().startswith("3. a2")
    page.get_by_role("button", name="First").click()
    assert shown(page) == "The start."


def test_keys_lead_through_the_game(opened: Any) -> None:
    page = opened(replay_page(new_session(moves=WON)))
    for key, said in (
        ("ArrowRight", "Move 1: X a1."),
        ("ArrowRight", "Move 2: O b1."),
        ("ArrowLeft", "Move 1: X a1."),
        ("End", "Move 5: X a3. 1-0, X has three in a line."),
        ("Home", "The start."),
    ):
        page.keyboard.press(key)
        assert shown(page) == said


def test_the_replay_runs_by_itself_and_stops_at_the_end(opened: Any) -> None:
    page = opened(replay_page(new_session(moves=WON)))
    page.get_by_label("Speed").select_option("0.2")
    page.locator("h1").click()
    page.keyboard.press("Space")
    page.get_by_text("Move 5: X a3. 1-0").wait_for()
    assert page.get_by_role("button", name="Play", exact=True).is_visible()


def test_the_theme_can_be_chosen(opened: Any) -> None:
    page = opened(replay_page(new_session(moves=WON)))

    def background() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    def board() -> str:
        cell = "document.querySelector('#board [class^=theme]')"
        return str(page.evaluate(f"getComputedStyle({cell}).fill"))

    page.emulate_media(color_scheme="light")
    light = background(), board()
    page.emulate_media(color_scheme="dark")
    assert background() != light[0]
    assert board() != light[1]
    page.get_by_role("button", name="Theme: system").click()
    assert (background(), board()) == light


@pytest.mark.parametrize("game", game_names())
def test_the_rules_are_in_the_file(opened: Any, game: str) -> None:
    page = opened(replay_page(random_session(game, 2)))
    rules = page.get_by_role("dialog")
    assert rules.is_hidden()
    page.get_by_role("button", name="Rules").click()
    first_words = " ".join(find_game(game).rules_text.split()[:4])
    assert rules.get_by_text(re.sub("[`*]|^- ", "", first_words)).is_visible()
    page.keyboard.press("ArrowRight")  # not of the game, while the rules are read
    rules.get_by_role("button", name="Close").click()
    assert rules.is_hidden()
    assert shown(page) == "The start."


def test_rules_are_shown_and_never_run(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session(moves=WON)
    monkeypatch.setattr(session.game, "rules_text", f"{NASTY}\n\n![picture](https://x.org/y.png)")
    page = opened(replay_page(session))
    page.get_by_role("button", name="Rules").click()
    assert page.get_by_role("dialog").get_by_text("<script>alert(1)</script>").is_visible()
    assert page.locator("img").count() == 0


def test_names_and_comments_are_shown_as_they_are(opened: Any) -> None:
    session = new_session(moves=WON)
    session.headers = RecordHeaders(names=(NASTY, "Bob"), event=NASTY)
    session.comment(0, NASTY, 0.0)
    page = opened(replay_page(session))
    assert page.locator("#comment").text_content() == NASTY
    assert NASTY in page.locator("header").text_content()


@pytest.mark.parametrize("game", game_names())
def test_a_browser_shows_the_board_of_every_game(opened: Any, game: str) -> None:
    page = opened(replay_page(random_session(game, 6)))
    page.keyboard.press("End")
    box = page.locator("#board svg").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) > 100


def test_a_game_without_a_move_is_just_shown(opened: Any) -> None:
    page = opened(replay_page(new_session()))
    assert shown(page) == "The start. Not finished."
    assert page.get_by_role("button", name="Play", exact=True).is_disabled()


def test_the_page_is_accessible_and_fits_a_phone(opened: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    session = new_session(moves=WON)
    session.comment(0, "the start", 0.0)
    page = opened(replay_page(session))
    page.set_viewport_size({"width": 360, "height": 640})
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        result = axe.Axe().run(page)
        assert result.violations_count == 0, result.generate_report()
    page.get_by_role("button", name="Rules").click()
    result = axe.Axe().run(page)
    assert result.violations_count == 0, result.generate_report()
