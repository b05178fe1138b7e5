"""The cache of compiled code on disk: a folder for each version of each game and of each kernel.

A folder is named by a digest of everything that went into its code, so no stale code can be found.
Each file has a checksum. A lock file beside the versions of a game keeps two processes from
compiling the same code. All lies in the user's cache folder (`~/.cache/plyground` on Linux), or
where PLYGROUND_CACHE says.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from plyground.core.file_lock import lock, try_lock
from plyground.core.files import write_atomically
from plyground.search.binding.sources import DIGEST_LENGTH

KEPT_DIGESTS = 3
"""How many compiled versions of one game or kernel stay on disk: going back to the last edit stays
quick."""

KERNEL = "kernel_"
"""How the names of the folders begin that hold what all games share."""
ALL_KERNELS = "kernels-"
"""The same in caches of earlier versions, which had one folder for all of it."""

STEM_LENGTH = 40
"""How much of a game's name its folder shows; names of folders may not be long."""
SOURCE_HASH_LENGTH = 8
CHECKSUM_LENGTH = hashlib.sha256().digest_size


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


def is_cache_kept() -> bool:
    """Whether compiled code is there for the next process."""
    try:
        return cache_root() == wanted_cache_root()
    except (OSError, RuntimeError):
        return False


def cached_folders(root: Path) -> list[Path]:
    """The folders of compiled games and kernels, without anything else that lies in the cache
    folder."""
    found = root.glob(f"*-{'[0-9a-f]' * DIGEST_LENGTH}")
    return [folder for folder in found if folder.is_dir() and _lock_file(folder).exists()]


def count_games(folders: Iterable[Path]) -> int:
    """How many of these folders are those of games."""
    return sum(not folder.name.startswith((KERNEL, ALL_KERNELS)) for folder in folders)


def folder_name(game_name: str, source: bytes, digest: str) -> str:
    """The name of a game's folder: its versions differ only in the digest, after the last dash."""
    stem = re.sub(r"[^\w.]", "_", game_name)[:STEM_LENGTH]
    return f"{stem}-{hashlib.sha256(source).hexdigest()[:SOURCE_HASH_LENGTH]}-{digest}"


def folder_path(name: str) -> Path:
    """Where a folder of the cache is, or will be."""
    return cache_root() / name


def read_code(folder: Path, name: str) -> bytes | None:
    """Compiled code from the cache; None if there is none or it is damaged. Needs no lock."""
    try:
        data = (folder / name).read_bytes()
    except OSError:
        return None
    code = data[CHECKSUM_LENGTH:]
    return code if hashlib.sha256(code).digest() == data[:CHECKSUM_LENGTH] else None


def write_code(folder: Path, name: str, code: bytes) -> None:
    """Keep compiled code with its checksum: a damaged file would crash the process that runs it, or
    compute wrong values. So there is no need to sync it, which takes longer than all else here.
    Raises FileError."""
    write_atomically(folder / name, hashlib.sha256(code).digest() + code, synced=False)


@contextlib.contextmanager
def locked_folder(name: str) -> Iterator[Path]:
    """The folder of one compiled game or kernel. All its versions are locked while inside.
    Raises OSError."""
    folder = folder_path(name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(_lock_file(folder), "a") as lock_file:
        lock(lock_file)
        folder.mkdir(exist_ok=True)
        yield folder
        with contextlib.suppress(OSError):
            _remove_old_versions(folder)


def remove_cached(folder: Path) -> bool:
    """Remove the folder of a compiled game or kernel, unless a process has locked it or it is no
    such. The lock file stays: another process may be waiting for it."""
    try:
        with open(_lock_file(folder), "r+") as lock_file:
            if not try_lock(lock_file):
                return False
            shutil.rmtree(folder)
    except OSError:
        return False
    return True


def _lock_file(folder: Path) -> Path:
    """The lock file of all versions of a game."""
    return folder.with_name(f"{_game_of(folder)}.lock")


def _game_of(folder: Path) -> str:
    """What the folders of all versions of a game have in common."""
    return folder.name.rpartition("-")[0]


def _remove_old_versions(folder: Path) -> None:
    """Remove the oldest compiled versions of the same game, which is locked."""
    folder.touch()
    versions = [
        other
        for other in cached_folders(folder.parent)
        if other != folder and _game_of(other) == _game_of(folder)
    ]
    for old in sorted(versions, key=_age)[KEPT_DIGESTS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


def _age(folder: Path) -> float:
    try:
        return -folder.stat().st_mtime
    except OSError:
        return 0.0
