"""The documentation site: built without a warning, and it works from its folder."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

import plyground
from tests.paths import ROOT

CONFIGURATION = ROOT / "docs-site"
LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*?\s(?:src|href)=\"([^\"]*)\"")
LINKED = re.compile(r"<a\b[^>]*?\shref=\"([^\"]*)\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it. Every warning is an error, dead links among them."""
    for needed in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(needed)
    place = tmp_path_factory.mktemp("site")
    options = ["-q", "-W", "--keep-going", "-c", str(CONFIGURATION), "-d", str(place / "doctrees")]
    ran = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(ROOT), str(place / "site")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return place / "site"


def pages(site: Path) -> Iterator[tuple[Path, str]]:
    for page in sorted(site.rglob("*.html")):
        if "_static" not in page.parts:
            yield page, read(page)


@cache
def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_every_page_of_the_documentation_is_in_the_site(site: Path) -> None:
    for source in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        assert (site / source.relative_to(ROOT).with_suffix(".html")).is_file()


def test_every_link_of_the_site_leads_to_a_file_and_an_anchor(site: Path) -> None:
    dead = []
    for page, text in pages(site):
        for link in map(unescape, LINKED.findall(text)):
            target, _, anchor = link.partition("#")
            if target.startswith(("https:", "mailto:")):
                continue
            found = (page.parent / unquote(target)).resolve() if target else page
            if not found.is_file() or (anchor and f'id="{anchor}"' not in read(found)):
                dead.append(f"{page.relative_to(site)}: {link}")
    assert dead == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page, text in pages(site):
        for link in map(unescape, LOADED.findall(text)):
            target = link.partition("?")[0].partition("#")[0]
            inside = not target or target.startswith("data:")
            assert inside or (page.parent / unquote(target)).is_file(), link
    for style in site.rglob("*.css"):
        assert not re.search(r"@import|url\(['\"]?(?:https?:)?//", read(style)), style.name


def test_the_words_of_every_page_can_be_searched_for_without_a_server(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    for word in ("quiescenc", "bubblewrap", "docs/games/slant", "docs-site/reference"):
        assert word in index


def test_the_reference_describes_every_name_that_the_package_exports() -> None:
    listed = re.findall(
        r"^\.\. auto\w+:: (\S+)$",
        (CONFIGURATION / "reference.rst").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    exported = {f"plyground.{name}" for name in plyground.__all__ if name != "__version__"}
    assert exported <= set(listed)
    assert len(listed) == len(set(listed))


def test_the_reference_has_the_docstrings(site: Path) -> None:
    text = read(site / "docs-site" / "reference.html")
    assert 'id="plyground.Position.legal_moves"' in text
    assert "The legal moves in the order of the rules; none once the game is over." in text
    for name in plyground.__all__:
        assert name == "__version__" or f'id="plyground.{name}"' in text, name
