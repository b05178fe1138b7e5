"""Files of records: one game as text, or any number as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from plyground.core.errors import FileError, FormatError
from plyground.core.files import write_atomically
from plyground.core.records.data import RecordData
from plyground.core.records.json_format import read_json, write_json
from plyground.core.records.text_format import SIGNATURE, read_text, write_text

MAX_BYTES = 1 << 24
"""Of one record. A file of JSON Lines may hold any number of them."""


def write_file(path: Path, games: Iterable[RecordData]) -> None:
    """Write records: as JSON Lines if the name ends in .jsonl, otherwise one, as text."""
    if path.suffix == ".jsonl":
        parts = [_encode(write_json(game) + "\n", path) for game in games]
    else:
        parts = [_encode(write_text(game), path) for game in games]
        if len(parts) != 1:
            problem = f"{len(parts)} games: a text holds one, a file named .jsonl any number"
            raise FormatError(problem, source=str(path))
    write_atomically(path, b"".join(parts))


def _encode(part: str, path: Path) -> bytes:
    data = part.encode()
    if len(data) > MAX_BYTES:
        problem = f"a record of {len(data)} bytes could not be read again: at most {MAX_BYTES}"
        raise FormatError(problem, source=str(path))
    return data


def read_file(path: str | Path) -> Iterator[RecordData]:
    """The records of a file of either format, one after another; an error names file and line."""
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


def _read_whole(data: bytes, source: str) -> RecordData:
    if len(data) > MAX_BYTES:
        raise FormatError(f"a record has at most {MAX_BYTES} bytes", source=source)
    try:
        record = read_text(_decode(data, 1))
    except FormatError as error:
        raise error.within(source) from None
    return replace(record, source=source)


def _read_lines(lines: Iterator[bytes], source: str) -> Iterator[RecordData]:
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
        yield replace(record, source=source)


def _decode(data: bytes, first_line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise FormatError(f"not UTF-8 text: byte {data[error.start]:#04x}", line=line) from None
