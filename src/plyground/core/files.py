"""Writing files as a whole or not at all, and reading files that others may have placed."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import time
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from plyground.core.errors import FileError

NO_LINK_AND_NO_WAIT = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags for opening a file. Windows has neither of them, and no named pipes among its files."""

SPECIAL = "it is a device or a pipe, and no file"


def check_can_be_written(path: Path) -> None:
    """Raise FileError for a file that `write_atomically` could not write, before the work for it
    is done."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileError(f"cannot write {path}: there is no such folder")
    if target.is_dir():
        raise FileError(f"cannot write {path}: it is a folder")
    if _is_special(path):
        raise FileError(f"cannot write {path}: {SPECIAL}")
    if not os.access(target.parent, os.W_OK):
        raise FileError(f"cannot write {path}: its folder does not let this user write")


def _is_special(path: Path) -> bool:
    """Whether there is something that is neither a file nor a folder. To replace it would remove a
    device for all programs, and nobody at the other end of a pipe would get anything."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def write_atomically(path: Path, data: bytes, *, synced: bool = True) -> None:
    """Replace a file, or create it. Whatever goes wrong, an older file stays as it was.

    The data goes to a temporary file in the same folder, which is synced and then renamed. A link
    is followed, and an existing file keeps its permissions. Without `synced`, a power failure may
    leave a damaged file. Raises FileError.
    """
    if _is_special(path):
        raise FileError(f"{path}: cannot write: {SPECIAL}")
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".plyground-{uuid4().hex}.part")
    try:
        try:
            with temporary.open("xb") as file:
                file.write(data)
                file.flush()
                if synced:
                    os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, temporary)
            _replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}") from None
    if synced:
        _sync_folder(target.parent)


if sys.platform == "win32":
    RETRIES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
    """Seconds. A file cannot be replaced while a program reads it, which it soon has done."""

    def _replace(temporary: Path, target: Path) -> None:
        for pause in RETRIES:
            with contextlib.suppress(PermissionError):
                os.replace(temporary, target)
                return
            time.sleep(pause)
        os.replace(temporary, target)

else:
    _replace = os.replace


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power failure, where the system can sync a folder."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read_regular_file(path: Path, most: int) -> bytes:
    """At most so many bytes of a file. Whatever is no regular file, a pipe for example, is refused
    with OSError; so are symbolic links where the system can tell. The file is checked after it was
    opened, so that it cannot be replaced in between."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | NO_LINK_AND_NO_WAIT)

    with open(path, "rb", opener=opener) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file")
        return file.read(most)


def allocate(file: BinaryIO, size: int) -> None:
    """Give an empty file this size, all 0. Linux reserves the place on the disk, so that a full one
    is noticed now."""
    if sys.platform == "linux":
        os.posix_fallocate(file.fileno(), 0, size)
    else:
        file.truncate(size)
