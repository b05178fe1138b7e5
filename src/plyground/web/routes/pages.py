"""The HTML pages, and the scripts, styles and icons that they load."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request
from fastapi import Path as PathParameter
from fastapi.responses import HTMLResponse, Response

from plyground.core.svg import BOARD_COLOURS

FOLDER = Path(__file__).parents[1] / "static"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""The kinds of files that are served. A machine's own list of types may be wrong."""
PAGE_SCRIPT = re.compile(r'( *)<script type="module" src="/static/([^"]+)"></script>\n')
IMPORT = re.compile(r'^(?:import |\} from )[^"]*"(\.[^"]+)";', re.M)

router = APIRouter(tags=["Pages"], default_response_class=HTMLResponse)


@dataclass(frozen=True)
class StaticFile:
    content: bytes
    kind: str
    etag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Every file that is served, by folder and name. They are kept in memory: a page loads dozens,
    and the home page can be used a fifth sooner than if each is read from the disk."""
    paths = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.glob("*/*")}
    paths[f"shared/{BOARD_COLOURS.name}"] = BOARD_COLOURS  # for other pages than ours, too
    texts = {
        name: path.read_text(encoding="utf-8")
        for name, path in paths.items()
        if path.suffix in MEDIA_TYPES
    }
    found = {}
    for name, text in texts.items():
        suffix = posixpath.splitext(name)[1]
        content = (with_preloads(text, texts) if suffix == ".html" else text).encode()
        etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        found[name] = StaticFile(content, MEDIA_TYPES[suffix], etag)
    return found


def with_preloads(page: str, texts: Mapping[str, str]) -> str:
    """The page, naming every script that its own script imports, and those that these import. The
    browser requests all of them at once, instead of one level of imports after the other: measured,
    the home page can be used a twentieth sooner."""

    def links(tag: re.Match[str]) -> str:
        scripts = [tag[2]]
        for script in scripts:
            for path in IMPORT.findall(texts[script]):
                imported = posixpath.normpath(posixpath.join(posixpath.dirname(script), path))
                if imported not in scripts:
                    scripts.append(imported)
        preloads = (f'<link rel="modulepreload" href="/static/{name}">\n' for name in scripts[1:])
        return tag[0] + "".join(tag[1] + preload for preload in preloads)

    return PAGE_SCRIPT.sub(links, page)


async def static_file(folder: str, name: str, request: Request) -> Response:
    """A static file; only its ETag (304) if the browser has this version already."""
    file = static_files().get(f"{folder}/{name}")
    if file is None:
        raise HTTPException(404)
    headers = {"etag": file.etag, "content-type": file.kind}
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(file.content, headers=headers)


@router.get("/", summary="Home: every game, and those that were played")
async def home(request: Request) -> Response:
    return await static_file("home", "home.html", request)


@router.get("/play/{table}", name="play", summary="A game that is being played")
@router.get("/analyse/{table}", name="analyse", summary="A game that is being studied")
@router.get("/tree/{table}", name="tree", summary="The search of a position, step by step")
@router.get("/replay/{table}", name="replay", summary="A game played again")
async def session_page(
    session: Annotated[str, PathParameter(alias="table")], request: Request
) -> Response:
    page = request.scope["path"].split("/")[1]
    return await static_file(page, f"{page}.html", request)


@router.get("/arena", summary="Matches, tournaments and tests, set up and watched")
async def arena(request: Request) -> Response:
    return await static_file("arena", "arena.html", request)


@router.get("/interface", summary="This document, for people")
async def api_reference(request: Request) -> Response:
    return await static_file("api-reference", "api-reference.html", request)


@router.get("/favicon.ico", summary="The icon of the app", response_class=Response)
async def icon(request: Request) -> Response:
    return await static_file("shared", "icon.svg", request)


@router.get("/static/{folder}/{name}", summary="A file that pages load", response_class=Response)
async def static(folder: str, name: str, request: Request) -> Response:
    return await static_file(folder, name, request)
