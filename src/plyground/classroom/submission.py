"""A student's submission: a file, a folder or a zip, which may be hostile.

Nothing of it is run or imported here. Only regular files are read, not links or devices, in bounded
number and size. They are copied to a new folder before they are run.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import stat
import struct
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import get_args

from plyground.classroom.interfaces import NoInterface, StudentInterface, find_interface
from plyground.classroom.interfaces.source import defined_names
from plyground.core.errors import FileError, PlygroundError
from plyground.core.files import read_regular_file
from plyground.core.game import Game, Options
from plyground.core.printable import printable

MOST_FILES = 200
MOST_BYTES = 16 << 20
DEEPEST = 8
LONGEST_NAME = 200
"""Bytes in the name of a file or folder: fewer than any system allows."""
LONGEST_SOURCE = 512 << 10
"""Bytes of a player's file: parsing takes a thousand times as much memory, or more."""
OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".ipynb")
"""Submitted by mistake. They are graded without points, so that no student is missing."""
BY_PRODUCTS = (".csv", ".json", ".jsonl", ".html", ".md", ".txt", ".log", ".ini", ".db")
"""A teacher's own files. With .py in its name such a file may be a student's."""
LITTER = ("__pycache__", "__macosx")
FIRST_NAMES = ("player.py", "agent.py", "main.py")
"""Files that are searched first for a player."""


class NotReadable(PlygroundError):
    """A submission cannot be read. The message says why."""


@dataclass(frozen=True)
class Submission:
    """The files of a student, by their relative paths."""

    name: str
    files: dict[str, bytes] = field(repr=False)
    problem: str = ""
    """Why it could not be read. Then there are no files."""

    @property
    def digest(self) -> str:
        """A digest of the files, to recognise what has been graded already."""
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
                too_long = f"{_shown_name(path)} is longer than {LONGEST_SOURCE >> 10} KiB"
                first = first or NoInterface(too_long)
                continue
            text = self.files[path].decode("utf-8", errors="replace")
            try:
                return path, find_interface(game, text, name=_shown_name(path), options=options)
            except NoInterface as error:
                first = first or error
        assert first is not None
        raise first

    def unpack(self, folder: Path) -> None:
        """Write the files to a folder, readable for every user."""
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


def find_submissions(path: Path, *, one: bool = False) -> list[Submission]:
    """One submission for a file, a zip or a folder with a player in it; otherwise one for each
    entry of the folder. An entry that cannot be read is a submission with a problem, so that no
    student is missing. With `one`, a folder is a single student's, whatever is in it."""
    try:
        path = Path(os.path.realpath(path, strict=True))
        if one or path.is_file():
            return [read_submission(path)]
        entries = sorted(path.iterdir())
    except FileNotFoundError:
        raise FileError(f"{path}: no such file or folder") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    found = [entry for entry in entries if _is_handed_in(entry)]
    if not found:
        raise FileError(f"{path}: there is no .py file, folder or zip in it")
    if any(entry.name in FIRST_NAMES and os.path.isfile(entry) for entry in found):
        _refuse_a_class(path, found)
        return [read_submission(path)]
    return [read_submission(entry, name) for entry, name in zip(found, _names(found), strict=True)]


def _is_handed_in(entry: Path) -> bool:
    """Whether an entry may be a student's: neither hidden nor a known other kind of file."""
    name = entry.name.lower()
    if name in LITTER or (name.startswith(".") and name.lstrip(".") not in ("py", "zip")):
        return False
    return os.path.isdir(entry) or ".py" in name or _ending(entry) not in BY_PRODUCTS


def _ending(path: Path) -> str:
    """As `suffix`, in lower case; of a name like `.py`, the whole name."""
    _, dot, ending = path.name.lower().rpartition(".")
    return dot + ending if dot else ""


def _refuse_a_class(folder: Path, entries: list[Path]) -> None:
    """Refuse a folder with a player in it where two entries define the same player: they may be
    several students' files, of which only one would be graded."""
    definers: dict[str, list[str]] = {}
    for entry in entries:
        for player in _players_of(entry):
            definers.setdefault(player, []).append(entry.name)
    for player, names in sorted(definers.items()):
        others = [name for name in names if name not in FIRST_NAMES]
        if len(names) > 1 and others:
            names.sort(key=lambda name: name not in FIRST_NAMES)  # the unexpected one first
            shown = [_shown_name(name) for name in names[:3]] + ["others"] * (len(names) > 3)
            raise FileError(
                f"{folder}: {', '.join(shown[:-1])} and {shown[-1]} define {player}, so this may "
                "be one student or a class; put each student's files into a folder or a zip of "
                "their own, name the one file to grade, or say --one"
            )


def _players_of(entry: Path) -> set[str]:
    """The names of players of any game that the files of an entry define."""
    known = {kind.needs for kind in get_args(StudentInterface)}
    return {
        name
        for path, content in read_submission(entry).files.items()
        if path.endswith(".py")
        for name in known & defined_names(content.decode("utf-8", errors="replace"))
    }


def _names(entries: list[Path]) -> list[str]:
    """A different name for each submission. It depends only on entries that would have the same
    name, because a submission with a new name is graded again."""
    whole = [_shown_name(entry.name) for entry in entries]
    names = [_short_name(entry) for entry in entries]
    clash = True
    while clash:
        times = Counter(names)
        better = [
            long if times[name] > 1 else name for name, long in zip(names, whole, strict=True)
        ]
        names, clash = better, names != better
    taken = set(names)
    for at, name in enumerate(names):
        if name in names[:at]:  # even the printable full names are the same
            numbered = (f"{name} ({number})" for number in itertools.count(2))
            names[at] = next(new for new in numbered if new not in taken)
            taken.add(names[at])
    return names


def _short_name(entry: Path) -> str:
    """Without the ending of a source file or an archive."""
    known = _ending(entry) in (".py", ".zip", *OTHER_ARCHIVES) and not os.path.isdir(entry)
    stem = entry.stem if known else entry.name
    return _shown_name(stem if stem.strip(". ") else entry.name)


def _shown_name(text: str) -> str:
    """A name, or a message with names, fit to be shown; never empty or only dots."""
    shown = printable(text).strip()
    return shown if shown.strip(".") else "?"


def read_submission(path: Path, name: str | None = None) -> Submission:
    """Read one submission. An error is its problem, and does not end the run."""
    name = _short_name(path) if name is None else name
    try:
        files = dict(_read(path))
        _check_paths(files)
        return Submission(name, files)
    except NotReadable as error:
        return Submission(name, {}, _shown_name(str(error)))
    except OSError as error:
        return Submission(name, {}, f"it cannot be read: {error.strerror or 'it is damaged'}")
    except Exception as error:
        return Submission(name, {}, f"it cannot be read: {type(error).__name__}")


def _can_be_written(name: str) -> bool:
    if sys.platform == "win32" and (set(name) & set('<>:"|?*') or name.endswith((".", " "))):
        return False  # a colon could even lead to another disk
    try:
        return len(name.encode()) <= LONGEST_NAME and all(mark >= " " for mark in name)
    except UnicodeEncodeError:
        return False


def _check_paths(files: dict[str, bytes]) -> None:
    """Refuse names that cannot be written again, which would look like a judge error."""
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
    elif _ending(path) == ".zip":
        yield from _bounded(_zip(path))
    elif _ending(path) == ".py":
        yield from _bounded(iter([(_name_to_run(path.name), _content(path))]))
    else:
        raise NotReadable(f"{path.name} is neither a .py file nor a folder nor a zip")


def _name_to_run(name: str) -> str:
    """The name for a single file: its own, unless that cannot be a module's."""
    usual = name.endswith(".py") and not name.startswith(".") and _can_be_written(name)
    return name if usual else FIRST_NAMES[0]


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
    return read_regular_file(path, MOST_BYTES + 1)


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
                if entry.filename and not entry.is_dir()  # is_dir fails without a name
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
    NotImplementedError,  # it is packed in a way that Python cannot read
    RuntimeError,  # it is encrypted
    ValueError,  # names in no known encoding, places outside of the file
    OverflowError,
)
"""The errors that reading a damaged zip can raise; only the first is documented."""


def _refuse_odd(entry: zipfile.ZipInfo) -> None:
    """Refuse all but regular files in the usual compressions: others may need much memory."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise NotReadable(f"{entry.filename[:60]!r} is no regular file")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NotReadable(f"{entry.filename[:60]!r} is packed in an unusual way")


def _common_folder(names: list[str]) -> str:
    """The one folder that contains everything in a zip, if there is one."""
    tops = {name.partition("/")[0] for name in names if "/" in name}
    alone = len(tops) == 1 and all("/" in name for name in names)
    return f"{tops.pop()}/" if alone else ""


def _safe_path(name: str) -> str | None:
    """A path that stays inside; None for hidden files and caches."""
    path = PurePosixPath(name)
    parts = path.parts
    if path.is_absolute() or ".." in parts or "\0" in name or not parts:
        raise NotReadable(f"{name[:60]!r} leads out of the zip")
    if any(part.startswith(".") or part in ("__pycache__", "__MACOSX") for part in parts):
        return None
    if len(parts) > DEEPEST:
        raise NotReadable(f"its folders lie more than {DEEPEST} deep")
    return path.as_posix()
