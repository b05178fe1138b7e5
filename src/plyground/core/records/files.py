"""Files of records. A file is replaced as a whole or not at all, so that nothing is ever lost."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from uuid import uuid4

from plyground.core.errors import FileError, FormatError
from plyground.core.records.json_format import read_json, write_json
from plyground.core.records.record import GameRecord
from plyground.core.records.text_format import SIGNATURE, read_text, write_text

MAX_BYTES = 1 << 24
"""Of one record. A file of JSON Lines may hold any number of them."""


def save_games(path: str | Path, games: Iterable[GameRecord]) -> None:
    """Write records to a file: as JSON Lines if its name ends in .jsonl, otherwise one, as text.

    The file appears under its name only when all of it is written. Whatever goes wrong before, an
    older file of that name is still there as it was.
    """
    target = Path(os.path.realpath(path))  # through a link, not in its place
    if target.suffix == ".jsonl":
        parts = (write_json(game) + "\n" for game in games)
    else:
        one = list(games)
        if len(one) != 1:
            problem = f"{len(one)} games: a text holds one, a file named .jsonl any number"
            raise FormatError(problem, source=str(path))
        parts = (write_text(game) for game in one)
    try:
        _replace(target, (_encode(part, str(path)) for part in parts))
    except OSError as error:
        raise FileError(f"{path}: cannot write: {error.strerror}") from None


def _replace(target: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside the target, and put it in the target's place when it is complete."""
    temporary = target.with_name(f".plyground-{uuid4().hex}.part")
    with temporary.open("xb") as file:
        try:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink()
            raise


def _encode(part: str, source: str) -> bytes:
    data = part.encode()
    if len(data) > MAX_BYTES:
        problem = f"a record of {len(data)} bytes could not be read again: at most {MAX_BYTES}"
        raise FormatError(problem, source=source)
    return data


def load_games(path: str | Path) -> list[GameRecord]:
    """Every record in a file of either format; an error names the file and the line."""
    return list(read_games(path))


def read_games(path: str | Path) -> Iterator[GameRecord]:
    """The records of a file, one after another: a file of any length fits."""
    source = str(path)
    try:
        with Path(path).open("rb") as file:
            beginning = file.read(len(SIGNATURE) + 3).removeprefix(b"\xef\xbb\xbf")
            file.seek(0)
            if beginning.startswith(SIGNATURE.encode()):
                yield _read_whole(file.read(MAX_BYTES + 1), source)
            elif beginning.lstrip()[:1] == b"{" or (not beginning and source.endswith(".jsonl")):
                yield from _read_lines(iter(lambda: file.readline(MAX_BYTES + 1), b""), source)
            else:
                raise FormatError(
                    f"neither a record ('{SIGNATURE} 1' is its first line) nor JSON Lines",
                    source=source,
                    line=1,
                )
    except OSError as error:
        raise FileError(f"{path}: cannot read: {error.strerror}") from None


def _read_whole(data: bytes, source: str) -> GameRecord:
    if len(data) > MAX_BYTES:
        raise FormatError(f"a record has at most {MAX_BYTES} bytes", source=source)
    try:
        record = read_text(_decode(data, 1))
    except FormatError as error:
        raise error.within(source) from None
    return _from(source, record)


def _read_lines(lines: Iterator[bytes], source: str) -> Iterator[GameRecord]:
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_BYTES:
            problem = f"a record has at most {MAX_BYTES} bytes"
            raise FormatError(problem, source=source, line=number)
        if not line.strip():
            continue
        try:
            record = read_json(_decode(line, number).removeprefix("\ufeff"), number)
        except FormatError as error:
            raise error.within(source) from None
        yield _from(source, record)


def _decode(data: bytes, first_line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise FormatError(f"not UTF-8 text: byte {data[error.start]:#04x}", line=line) from None


def _from(source: str, record: GameRecord) -> GameRecord:
    object.__setattr__(record, "source", source)
    return record
