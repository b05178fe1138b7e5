"""The documentation under /help: the Markdown pages of `docs/`, rendered when they are asked for.

A wheel has the pages beside the modules, a checkout in its own folder. As with static files, a
requested name is looked up in a list and never becomes part of a path.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, Response

from plyground.web.routes.pages import FOLDER as STATIC

if TYPE_CHECKING:
    from markdown_it.token import Token

PACKAGE = Path(__file__).parents[2]
PLACES = (PACKAGE / "documentation", PACKAGE.parents[1] / "docs")
"""Of an installed package, and of a checkout."""
FIRST = "README"
PICTURES = {".svg": "image/svg+xml", ".png": "image/png"}

router = APIRouter(tags=["Pages"], default_response_class=HTMLResponse)


class RenderedPage(NamedTuple):
    """A page of the documentation."""

    title: str
    html: str


@router.get("/help", summary="The documentation: its first page")
async def first_page() -> Response:
    return answer(FIRST)


@router.get("/help/{name}", summary="A page of the documentation")
async def page(name: str) -> Response:
    return answer(name)


@router.get("/help/{folder}/{name}", summary="A page of a game, or a picture")
async def page_of_folder(folder: str, name: str) -> Response:
    return answer(f"{folder}/{name}")


def answer(name: str) -> Response:
    """A page or a picture of the documentation."""
    path = files().get(name)
    if path is None:
        raise HTTPException(404, "there is no such page")
    if path.suffix in PICTURES:
        return Response(path.read_bytes(), media_type=PICTURES[path.suffix])
    found = render(name, path.read_text(encoding="utf-8"))
    frame = (STATIC / "help" / "help.html").read_text(encoding="utf-8")
    return HTMLResponse(
        frame.replace("{title}", escape(found.title)).replace("{content}", found.html)
    )


@cache
def files() -> dict[str, Path]:
    """Every page by its name ("board", "games/slant"), and every picture ("pictures/slant.svg")."""
    folder = next((place for place in PLACES if place.is_dir()), None)
    if folder is None:
        return {}
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.suffix == ".md":
            found[name.with_suffix("").as_posix()] = path
        elif path.suffix in PICTURES:
            found[name.as_posix()] = path
    return found


def render(name: str, text: str) -> RenderedPage:
    """A page as HTML that a strict content security policy accepts: no style, no script."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    title, seen = name, dict[str, int]()
    for number, token in enumerate(tokens):
        token.attrs.pop("style", None)  # the alignment of a column
        if token.type == "heading_open":
            heading = tokens[number + 1].content
            token.attrs["id"] = _anchor(heading, seen)
            if token.tag == "h1":
                title = heading.replace("`", "")
        if token.type == "th_open" and not tokens[number + 1].content:
            token.tag = tokens[number + 2].tag = "td"  # a screen reader would read an empty heading
        if token.children:
            token.children = _with_links(token.children, PurePosixPath(name).parent)
    return RenderedPage(title, markdown.renderer.render(tokens, markdown.options, {}))


def _with_links(tokens: Sequence[Token], folder: PurePosixPath) -> list[Token]:
    """The same, with links and pictures under /help. What is not there, such as a source file of
    the repository, keeps its text and loses its link."""
    kept: list[Token] = []
    open_links: list[bool] = []
    for token in tokens:
        if token.type == "image":
            token.attrs["src"] = f"/help/{_resolved(folder, str(token.attrs['src']))}"
        if token.type == "link_open":
            target = _target(folder, str(token.attrs["href"]))
            open_links.append(target is not None)
            token.attrs["href"] = target or ""
        if token.type not in ("link_open", "link_close") or open_links[-1]:
            kept.append(token)
        if token.type == "link_close":
            open_links.pop()
    return kept


def _target(folder: PurePosixPath, link: str) -> str | None:
    """Where a link leads under /help; None if that is nowhere."""
    if link.startswith("https:"):
        return link
    path, _, anchor = link.partition("#")
    if not path:
        return link
    name = _resolved(folder, path).removesuffix(".md")
    if name not in files():
        return None
    return f"/help/{name}" + (f"#{anchor}" if anchor else "")


def _resolved(folder: PurePosixPath, path: str) -> str:
    parts: list[str] = []
    for part in (folder / path).parts:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _anchor(heading: str, seen: dict[str, int]) -> str:
    """The id of a heading, as GitHub makes it."""
    anchor = re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-")
    seen[anchor] = seen.get(anchor, -1) + 1
    return f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor
