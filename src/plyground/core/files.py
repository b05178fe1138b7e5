"""Writing files: as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from uuid import uuid4

from plyground.core.errors import FileError


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file, or create it. Whatever goes wrong, an older file stays as it was.

    The data goes to a temporary file in the same folder, which is synced and then renamed. A link
    is followed, and an existing file keeps its permissions. Raises FileError.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".plyground-{uuid4().hex}.part")
    try:
        with temporary.open("xb") as file:
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                if target.exists():
                    shutil.copymode(target, temporary)
                os.replace(temporary, target)
            except BaseException:
                temporary.unlink()
                raise
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}") from None
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name survive a power failure, where the system can sync a folder."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
