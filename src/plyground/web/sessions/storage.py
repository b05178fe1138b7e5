"""The folder of saved tables. What is wrong with one file is said, and harms no other."""

from __future__ import annotations

import logging
import os
import re
import stat
from pathlib import Path
from uuid import uuid4

from plyground.core.errors import FileError, FormatError, PlygroundError
from plyground.web.protocol.models import TableCard
from plyground.web.sessions.document import SavedTable, parse_document

MAX_BYTES = 1 << 24
FILE_NAME = re.compile(r"([a-z0-9]{12})\.json")
LISTED = 50

log = logging.getLogger("plyground.web")


class NoTable(PlygroundError):
    """There is no table of that name, or no longer."""


class TableFiles:
    """Reads and writes tables by their ids. Everything here waits for the disk: of use in threads.

    An id is looked at before it becomes the name of a file, so none leads out of the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cards: dict[str, tuple[tuple[int, int], TableCard | None]] = {}
        """What was last found in each file, by when it was changed and how long it was."""

    def write(self, name: str, text: str) -> None:
        """Replace the file of a table as a whole, or not at all."""
        target = self._path(name)
        data = text.encode()
        if len(data) > MAX_BYTES:
            raise FileError(f"the game takes {len(data)} bytes; at most {MAX_BYTES} can be kept")
        temporary = target.with_name(f".{name}-{uuid4().hex}.part")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with temporary.open("xb") as file:
                try:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                    os.replace(temporary, target)
                except BaseException:
                    temporary.unlink(missing_ok=True)
                    raise
        except OSError as error:
            raise FileError(f"{target}: cannot write: {error.strerror}") from None

    def read(self, name: str) -> SavedTable:
        path = self._path(name)
        try:
            saved = parse_document(_read_regular(path))
        except FileNotFoundError:
            raise NoTable(f"there is no game {name}, or no longer") from None
        except OSError as error:
            raise FileError(f"{path}: cannot read: {error.strerror}") from None
        except FormatError as error:
            raise error.within(str(path)) from None
        if saved.id != name:
            raise FormatError(f"it is the game {saved.id}, under another name", source=str(path))
        return saved

    def delete(self, name: str) -> None:
        self._cards.pop(name, None)
        try:
            self._path(name).unlink()
        except FileNotFoundError:
            raise NoTable(f"there is no game {name}, or no longer") from None
        except OSError as error:
            raise FileError(f"{self._path(name)}: cannot delete: {error.strerror}") from None

    def recent(self) -> list[TableCard]:
        """The latest tables, newest first. A file that cannot be read is skipped, and said."""
        found: list[tuple[int, str, tuple[int, int]]] = []
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    match = FILE_NAME.fullmatch(entry.name)
                    if match is not None and entry.is_file(follow_symlinks=False):
                        state = entry.stat(follow_symlinks=False)
                        seen = (state.st_mtime_ns, state.st_size)
                        found.append((state.st_mtime_ns, match[1], seen))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(f"{self.folder}: cannot read: {error.strerror}") from None
        found.sort(reverse=True)
        cards: list[TableCard] = []
        for _, name, seen in found:
            card = self._card(name, seen)
            if card is not None:
                cards.append(card)
            if len(cards) == LISTED:
                break
        return cards

    def _card(self, name: str, seen: tuple[int, int]) -> TableCard | None:
        known = self._cards.get(name)
        if known is not None and known[0] == seen:
            return known[1]
        card = None
        try:
            saved = self.read(name)
            card = TableCard(
                id=saved.id,
                game=saved.game,
                title=saved.card.title,
                players=list(saved.card.players),
                plies=saved.card.plies,
                result=saved.card.result,
                changed=saved.changed,
            )
        except NoTable:
            return None
        except PlygroundError as error:
            log.warning("skipped: %s", error)
        self._cards[name] = seen, card
        return card

    def _path(self, name: str) -> Path:
        if not FILE_NAME.fullmatch(f"{name}.json"):
            raise NoTable(f"there is no game {name[:40]!r}: a game has 12 letters and digits")
        return self.folder / f"{name}.json"


def _read_regular(path: Path) -> bytes:
    """The bytes of an ordinary file: not of a pipe, which has no end, nor of a link to anywhere."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FormatError("not an ordinary file")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise FormatError(f"longer than {MAX_BYTES} bytes")
    return data
