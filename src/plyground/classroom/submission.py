"""What a student hands in: a file, a folder or a zip, read as if it were hostile.

Nothing of it is run or imported here. Only regular files are read, through no link and no device,
in bounded number and size; they are copied into a folder of their own before anyone runs them.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from plyground.classroom.interfaces import NoInterface, StudentInterface, find_interface
from plyground.core.errors import FileError, PlygroundError
from plyground.core.game import Game, Options

MOST_FILES = 200
MOST_BYTES = 16 << 20
DEEPEST = 8
LONGEST_NAME = 200
"""Bytes in the name of a file or folder: less than any system allows."""
LONGEST_SOURCE = 512 << 10
"""Bytes of a player's file: to parse it takes a thousand times as much memory, if not more."""
OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".ipynb")
"""What is handed in by mistake. It is named and refused, so that nobody gets lost."""
FIRST_NAMES = ("player.py", "agent.py", "main.py")
"""Where a player is looked for first, when there are several files."""


class NotReadable(PlygroundError):
    """What was handed in cannot be read at all; the sentence says why."""


@dataclass(frozen=True)
class Submission:
    """The files that a student handed in, by their paths inside of it."""

    name: str
    files: dict[str, bytes] = field(repr=False)
    problem: str = ""
    """Why it could not be read; then there are no files."""

    @property
    def digest(self) -> str:
        """The same for the same files: to know what has been graded already."""
        whole = hashlib.sha256()
        for path, content in sorted(self.files.items()):
            whole.update(f"{path}\0{len(content)}\0".encode() + content)
        whole.update(self.problem.encode())
        return whole.hexdigest()[:16]

    def player(self, game: Game, options: Options | None = None) -> tuple[str, StudentInterface]:
        """The file that plays, and the interface it is written for. Raises NoInterface."""
        if self.problem:
            raise NoInterface(self.problem)
        sources = [path for path in self.files if path.endswith(".py")]
        if not sources:
            raise NoInterface("there is no .py file in it")
        sources.sort(key=_preference)
        first: NoInterface | None = None
        for path in sources:
            if len(self.files[path]) > LONGEST_SOURCE:
                first = first or NoInterface(f"{path} is longer than {LONGEST_SOURCE >> 10} KiB")
                continue
            text = self.files[path].decode("utf-8", errors="replace")
            try:
                return path, find_interface(game, text, name=path, options=options)
            except NoInterface as error:
                first = first or error
        assert first is not None
        raise first

    def unpack(self, folder: Path) -> None:
        """Write the files where a sandbox can show them, readable for whoever runs them."""
        folder.chmod(0o755)
        for path, content in self.files.items():
            place = folder / path
            for parent in reversed(place.relative_to(folder).parents):
                made = folder / parent
                made.mkdir(exist_ok=True)
                made.chmod(0o755)
            place.write_bytes(content)
            place.chmod(0o644)


def _preference(path: str) -> tuple[int, int, str]:
    name = PurePosixPath(path).name
    rank = FIRST_NAMES.index(name) if name in FIRST_NAMES else len(FIRST_NAMES)
    return path.count("/"), rank, path


# Finding


def find_submissions(path: Path) -> list[Submission]:
    """One submission for a file, a zip or a folder with a player in it; else one an entry of the
    folder. What cannot be read is a submission with a problem, so that nobody gets lost."""
    try:
        path = Path(
            os.path.realpath(path, strict=True)
        )  # whoever names a link means what it leads to
        if path.is_file() or any((path / name).is_file() for name in FIRST_NAMES):
            return [read_submission(path)]
        entries = sorted(path.iterdir())
    except FileNotFoundError:
        raise FileError(f"{path}: no such file or folder") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    found = [entry for entry in entries if not entry.name.startswith(".") and _is_handed_in(entry)]
    if not found:
        raise FileError(f"{path}: there is no .py file, folder or zip in it")
    return [read_submission(entry, name) for entry, name in zip(found, _names(found), strict=True)]


def _is_handed_in(entry: Path) -> bool:
    return entry.is_dir() or entry.suffix.lower() in (".py", ".zip", *OTHER_ARCHIVES)


def _names(entries: list[Path]) -> list[str]:
    """What the submissions are called: no two the same, so that all are graded."""
    short = [_printable(entry.name if entry.is_dir() else entry.stem) for entry in entries]
    if len(set(short)) == len(short):
        return short
    whole = [_printable(entry.name) for entry in entries]
    return [
        name if whole.count(name) == 1 else f"{name} ({number})"
        for number, name in enumerate(whole, 1)
    ]


def _printable(text: str) -> str:
    """A text that can be shown and written anywhere, with a mark for what cannot."""
    shown = "".join(mark if mark.isprintable() else "?" for mark in text)
    return shown.strip() or "?"


def read_submission(path: Path, name: str | None = None) -> Submission:
    name = _names([path])[0] if name is None else name
    try:
        files = dict(_read(path))
        _check_paths(files)
        return Submission(name, files)
    except NotReadable as error:
        return Submission(name, {}, _printable(str(error)))
    except OSError as error:
        return Submission(name, {}, f"it cannot be read: {error.strerror or 'it is damaged'}")


def _can_be_written(name: str) -> bool:
    try:
        return len(name.encode()) <= LONGEST_NAME and all(mark >= " " for mark in name)
    except UnicodeEncodeError:
        return False


def _check_paths(files: dict[str, bytes]) -> None:
    """Refuse what could not be written down again: that must not look like a fault of ours."""
    for path in files:
        parts = PurePosixPath(path).parts
        if not all(map(_can_be_written, parts)):
            raise NotReadable(f"{path[:60]!r} is no name for a file")
        if any(parent.as_posix() in files for parent in PurePosixPath(path).parents):
            raise NotReadable(f"{path[:60]!r} lies in a file, as if that were a folder")


def _read(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_symlink():
        raise NotReadable("it is a link, and links are not followed")
    if path.is_dir():
        yield from _bounded(_folder(path, path))
    elif path.suffix.lower() == ".zip":
        yield from _bounded(_zip(path))
    elif path.suffix.lower() in OTHER_ARCHIVES:
        raise NotReadable(f"{path.name} is neither a .py file nor a folder nor a zip")
    else:
        yield from _bounded(iter([(path.name, _content(path))]))


def _bounded(files: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    count, size = 0, 0
    for path, content in files:
        count, size = count + 1, size + len(content)
        if count > MOST_FILES:
            raise NotReadable(f"it has more than {MOST_FILES} files")
        if size > MOST_BYTES:
            raise NotReadable(f"it is larger than {MOST_BYTES >> 20} MiB")
        yield path, content


def _folder(root: Path, folder: Path, depth: int = 0) -> Iterator[tuple[str, bytes]]:
    if depth > DEEPEST:
        raise NotReadable(f"its folders lie more than {DEEPEST} deep")
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _folder(root, Path(entry.path), depth + 1)
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path).relative_to(root).as_posix(), _content(Path(entry.path))


def _content(path: Path) -> bytes:
    """The bytes of a regular file, and of nothing that has taken its place meanwhile."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotReadable(f"{path.name} is no regular file")
        return file.read(MOST_BYTES + 1)


def _zip(path: Path) -> Iterator[tuple[str, bytes]]:
    whole = _content(path)
    if len(whole) > MOST_BYTES:
        raise NotReadable(f"it is larger than {MOST_BYTES >> 20} MiB")
    try:
        with zipfile.ZipFile(io.BytesIO(whole)) as archive:
            entries = archive.infolist()
            if len(entries) > 10 * MOST_FILES:
                raise NotReadable(f"it has more than {MOST_FILES} files")
            files = {
                # Some programs write paths as Windows does.
                entry.filename.replace("\\", "/"): entry
                for entry in entries
                if not entry.is_dir()
            }
            top = _common_folder(list(files))
            for name, entry in files.items():
                inner = _safe_path(name.removeprefix(top))
                if inner is not None:
                    _refuse_odd(entry)
                    with archive.open(entry) as file:
                        yield inner, file.read(MOST_BYTES + 1)
    except DAMAGE as error:
        raise NotReadable(f"it is no zip that can be read: {error}") from None


DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,  # it is encrypted
    ValueError,  # names in no known encoding, places outside of the file
    OverflowError,
)
"""What reading a zip can end with; the documentation names the first."""


def _refuse_odd(entry: zipfile.ZipInfo) -> None:
    """Files alone, packed in the usual ways: others need memory that nobody has promised."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise NotReadable(f"{entry.filename[:60]!r} is no regular file")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NotReadable(f"{entry.filename[:60]!r} is packed in an unusual way")


def _common_folder(names: list[str]) -> str:
    """The one folder that everything in a zip lies in, if there is one."""
    tops = {name.partition("/")[0] for name in names if "/" in name}
    alone = len(tops) == 1 and all("/" in name for name in names)
    return f"{tops.pop()}/" if alone else ""


def _safe_path(name: str) -> str | None:
    """A path that stays inside; None for files that no player needs."""
    path = PurePosixPath(name)
    parts = path.parts
    if path.is_absolute() or ".." in parts or "\0" in name or not parts:
        raise NotReadable(f"{name[:60]!r} leads out of the zip")
    if any(part.startswith(".") or part in ("__pycache__", "__MACOSX") for part in parts):
        return None
    if len(parts) > DEEPEST:
        raise NotReadable(f"its folders lie more than {DEEPEST} deep")
    return path.as_posix()
