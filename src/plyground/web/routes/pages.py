"""The HTML pages, and the scripts, styles and icons that they load.

A requested name is looked up in the list of the package's static files. It never becomes part of a
path, so no name leads out of the folder.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache, lru_cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

FOLDER = Path(__file__).parents[1] / "static"
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

router = APIRouter(tags=["Pages"], default_response_class=HTMLResponse)


@cache
def static_files() -> dict[str, Path]:
    """Every file that is served, by its folder and its name: "board/board.js"."""
    return {
        f"{folder.name}/{file.name}": Path(file)
        for folder in os.scandir(FOLDER)
        if folder.is_dir(follow_symlinks=False)
        for file in os.scandir(folder)
        if file.is_file(follow_symlinks=False) and Path(file).suffix in MEDIA_TYPES
    }


def static_file(name: str, request: Request) -> Response:
    """A static file; only its ETag (304) if the browser has this version already."""
    path = static_files().get(name)
    if path is None:
        raise HTTPException(404, "there is no such file")
    status = path.stat()
    content, tag = _read(path, status.st_mtime_ns, status.st_size)
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"etag": tag})
    return Response(content, headers={"etag": tag, "content-type": MEDIA_TYPES[path.suffix]})


@lru_cache(maxsize=256)
def _read(path: Path, changed: int, size: int) -> tuple[bytes, str]:
    """A file's content and its ETag, read once as long as the file does not change."""
    content = path.read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


@router.get("/", summary="Home: every game, and those that were played")
async def home(request: Request) -> Response:
    return static_file("home/home.html", request)


@router.get("/play/{table}", summary="A game that is being played")
async def play(table: str, request: Request) -> Response:
    return static_file("play/play.html", request)


@router.get("/analyse/{table}", summary="A game that is being studied")
async def analyse(table: str, request: Request) -> Response:
    return static_file("analyse/analyse.html", request)


@router.get("/tree/{table}", summary="The search of a position, step by step")
async def tree(table: str, request: Request) -> Response:
    return static_file("tree/tree.html", request)


@router.get("/replay/{table}", summary="A game played again")
async def replay(table: str, request: Request) -> Response:
    return static_file("replay/replay.html", request)


@router.get("/interface", summary="This document, for people")
async def api_reference(request: Request) -> Response:
    return static_file("api-reference/api-reference.html", request)


@router.get("/favicon.ico", summary="The icon of the app", response_class=Response)
async def icon(request: Request) -> Response:
    return static_file("shared/icon.svg", request)


@router.get("/static/{folder}/{name}", summary="A file that pages load", response_class=Response)
async def static(folder: str, name: str, request: Request) -> Response:
    return static_file(f"{folder}/{name}", request)
