"""The documentation under /help: every page, and links that lead somewhere."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from plyground.web.routes import documentation
from plyground.web.routes.documentation import files, render
from tests.paths import DOCS
from tests.web.fake_pool import Site

PAGES = sorted(name for name, path in files().items() if path.suffix == ".md")


def test_every_page_and_picture_of_the_documentation_is_there() -> None:
    stored = {path.relative_to(DOCS) for path in DOCS.rglob("*") if path.suffix != ".md"}
    pictures = {path.as_posix() for path in stored if (DOCS / path).is_file()}
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    assert files().keys() == pages | pictures


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_with_links_that_lead_somewhere(site: Site, name: str) -> None:
    answer = site.ask(f"/help/{name}")
    assert answer.status == 200
    page = answer.body.decode()
    assert "<h1 id=" in page
    for link in map(unescape, re.findall(r'(?:href|src)="([^"]*)"', page)):
        target, _, anchor = link.partition("#")
        if target.startswith(("/static/", "https:")) or link == "/help":
            continue
        found = target.removeprefix("/help/") if target else name
        assert found in files(), link
        if anchor:
            other = render(found, files()[found].read_text(encoding="utf-8")).html
            assert f'id="{anchor}"' in other, link


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_neither_style_nor_script_of_its_own(name: str) -> None:
    page = render(name, files()[name].read_text(encoding="utf-8")).html
    assert not re.search(r"<script|<style|<[^>]* style=|<[^>]* on\w+=", page)


def test_help_is_the_first_page_of_the_documentation(site: Site) -> None:
    page = site.ask("/help").body.decode()
    assert "<title>Documentation · plyground</title>" in page
    assert '<a href="/help/board">The board in the browser</a>' in page
    assert '<a href="/help/games/slant">Slant</a>' in page


def test_pictures_are_served(site: Site) -> None:
    assert '<img src="/help/pictures/slant.svg"' in site.ask("/help/games/slant").body.decode()
    answer = site.ask("/help/pictures/slant.svg")
    assert answer.status == 200
    assert answer.body == (DOCS / "pictures" / "slant.svg").read_bytes()


@pytest.mark.parametrize("name", ["nothing", "../README", "board.md", "pictures", "games/../board"])
def test_what_is_no_page_is_not_found(site: Site, name: str) -> None:
    assert site.ask(f"/help/{name}").status == 404


def test_without_any_pages_help_says_so(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(documentation, "PLACES", (tmp_path / "nowhere",))
    files.cache_clear()
    answer = site.ask("/help")
    files.cache_clear()
    assert (answer.status, answer.message) == (404, "there is no such page")


# Rendering


def test_headings_have_the_anchors_that_github_gives_them() -> None:
    page = render("x", "# A `plyground` page\n\n## Twice\n\n## Twice\n\n## What? And: why!\n")
    assert page.title == "A plyground page"
    assert re.findall(r'id="([^"]*)"', page.html) == [
        "a-plyground-page",
        "twice",
        "twice-1",
        "what-and-why",
    ]


def test_a_link_to_what_is_not_documentation_keeps_its_text() -> None:
    page = render("games/slant", "[code](../../src/x.py), [board](../board.md#play), [up](#slant)")
    assert page.html == (
        '<p>code, <a href="/help/board#play">board</a>, <a href="#slant">up</a></p>\n'
    )


def test_html_in_a_page_is_shown_as_text() -> None:
    assert "&lt;b&gt;" in render("x", "<b>bold</b>").html


def test_a_column_without_a_heading_has_no_empty_one() -> None:
    page = render("x", "| a | |\n|---|---|\n| 1 | 2 |\n")
    assert "<th>a</th>\n<td></td>" in page.html


def test_the_alignment_of_a_column_needs_no_style() -> None:
    page = render("x", "| a | b |\n|---|--:|\n| 1 | 2 |\n")
    assert "<td>2</td>" in page.html
