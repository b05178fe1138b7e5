"""The cache of compiled code on disk: a folder for each version of each game.

A folder is named by a digest of everything that went into its code, so no stale code can be found.
A lock on the folder keeps two processes from writing it at once. The folders live in
`~/.cache/plyground`, or where PLYGROUND_CACHE says.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from plyground.search.binding.sources import DIGEST_LENGTH

KEPT_DIGESTS = 3
"""How many compiled versions of one game stay on disk: going back to the last edit stays quick."""

STEM_LENGTH = 40
"""How much of a game's name its folder shows; names of folders may not be long."""
SOURCE_HASH_LENGTH = 8


def wanted_cache_root() -> Path:
    """The folder that should hold all compiled code."""
    given = os.environ.get("PLYGROUND_CACHE")
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    root = user_cache_path("plyground", appauthor=False)
    if root.parts[0] == "~":
        raise RuntimeError("the home folder is not known")
    return root


@cache
def cache_root() -> Path:
    """The folder that holds all compiled code; a temporary one where none can be written."""
    try:
        root = wanted_cache_root()
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home folder
        root = Path(tempfile.mkdtemp(prefix="plyground-"))
        atexit.register(shutil.rmtree, root, ignore_errors=True)
        print(
            f"plyground: the cache folder cannot be written ({error}); compiled code is lost"
            " after this run. Set PLYGROUND_CACHE to a folder of yours.",
            file=sys.stderr,
        )
    return root


def cached_games(root: Path) -> list[Path]:
    """The folders of compiled games, without anything else that lies in the cache folder."""
    return [lock.parent for lock in root.glob(f"*-{'[0-9a-f]' * DIGEST_LENGTH}/lock")]


def folder_name(game_name: str, source: bytes, digest: str) -> str:
    """The name of a game's folder: its versions differ only in the digest, after the last dash."""
    stem = re.sub(r"[^\w.]", "_", game_name)[:STEM_LENGTH]
    return f"{stem}-{hashlib.sha256(source).hexdigest()[:SOURCE_HASH_LENGTH]}-{digest}"


@contextlib.contextmanager
def locked_folder(name: str) -> Iterator[Path]:
    """The folder of one compiled game, locked while inside."""
    folder = cache_root() / name
    with contextlib.ExitStack() as held:
        while not _lock(folder, held):
            pass
        yield folder
        with contextlib.suppress(OSError):
            _remove_old_versions(folder)


def empty_folder(folder: Path) -> None:
    """Remove all that a locked folder holds but its lock."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != "lock":
            path.unlink(missing_ok=True)


def remove_cached(folder: Path) -> bool:
    """Remove the folder of a compiled game, unless a process has locked it or it is no such."""
    try:
        with open(folder / "lock", "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            empty_folder(folder)
            # The lock goes last: a process that waits for it sees that it is gone and starts again.
            (folder / "lock").unlink()
            folder.rmdir()
    except OSError:
        return False
    return True


def _lock(folder: Path, held: contextlib.ExitStack) -> bool:
    """Make the folder and wait for its lock; False if it was removed in the meantime."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = held.enter_context(open(folder / "lock", "w"))  # noqa: SIM115  held by the caller
        fcntl.flock(lock, fcntl.LOCK_EX)
        return os.path.samestat(os.fstat(lock.fileno()), os.stat(folder / "lock"))
    except FileNotFoundError:
        return False


def _remove_old_versions(folder: Path) -> None:
    """Remove the oldest compiled versions of the same game."""
    folder.touch()
    game = folder.name.rpartition("-")[0]
    versions = [
        other
        for other in cached_games(folder.parent)
        if other != folder and other.name.rpartition("-")[0] == game
    ]
    for old in sorted(versions, key=_age)[KEPT_DIGESTS - 1 :]:
        remove_cached(old)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except OSError:
        return 0.0
