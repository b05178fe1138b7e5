"""The pages and the files they load, out of one flat folder.

A name is looked up in the list of the folder's files; it never becomes part of a path, so that no
name leads out of it.
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
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


def static_file(name: str, request: Request) -> Response:
    """A file of the folder; nothing but its tag if the browser has it already."""
    files = {file.name: file for file in os.scandir(FOLDER)}
    ending = Path(name).suffix
    if name not in files or ending not in MEDIA_TYPES:
        raise HTTPException(404, "there is no such file")
    about = files[name].stat()
    content, tag = _read(files[name].path, about.st_mtime_ns, about.st_size)
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"etag": tag})
    return Response(content, headers={"etag": tag, "content-type": MEDIA_TYPES[ending]})


@lru_cache(maxsize=256)
def _read(path: str, changed: int, size: int) -> tuple[bytes, str]:
    """A file and its tag, read once as long as it does not change."""
    content = Path(path).read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


@router.get("/", summary="Home: every game, and those that were played")
async def home(request: Request) -> Response:
    return static_file("home.html", request)


@router.get("/play/{table}", summary="A game that is being played")
async def play(table: str, request: Request) -> Response:
    return static_file("play.html", request)


@router.get("/analyse/{table}", summary="A game that is being studied")
async def analyse(table: str, request: Request) -> Response:
    return static_file("analyse.html", request)


@router.get("/tree/{table}", summary="The search of a position, step by step")
async def tree(table: str, request: Request) -> Response:
    return static_file("tree.html", request)


@router.get("/replay/{table}", summary="A game played again")
async def replay(table: str, request: Request) -> Response:
    return static_file("replay.html", request)


@router.get("/interface", summary="This document, for people")
async def interface(request: Request) -> Response:
    return static_file("interface.html", request)


@router.get("/favicon.ico", summary="The sign of the app", response_class=Response)
async def sign(request: Request) -> Response:
    return static_file("icon.svg", request)


@router.get("/static/{name}", summary="A file that pages load", response_class=Response)
async def static(name: str, request: Request) -> Response:
    return static_file(name, request)
