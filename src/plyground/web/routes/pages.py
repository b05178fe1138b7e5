"""The HTML pages, and the scripts, styles and icons that they load."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
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
    found = {}
    for name, path in paths.items():
        if path.suffix in MEDIA_TYPES:
            content = path.read_bytes()
            etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
            found[name] = StaticFile(content, MEDIA_TYPES[path.suffix], etag)
    return found


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
async def table_page(table: str, request: Request) -> Response:
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
