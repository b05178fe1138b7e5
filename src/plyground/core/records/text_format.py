r"""The record of a game as text for people: one thing on a line.

    plyground record 1
    game: breakthrough
    start: bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w
    first: Ada
    second: engine

    1. c2b3 | time=0.5 eval=+9 depth=3
    2. c5b4 | | a comment

    result: *

`docs/records.md` gives the rules. A text that has several lines is written below its header, each
line after a bar. Where a character would be lost or misread it is written as an escape: \\ for a
backslash, \n for a new line, and \u with four hexadecimal digits for any other.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from plyground.core.errors import FormatError
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.checks import (
    HEADERS,
    MAX_PLIES,
    MAX_POSITION_TEXT,
    OPTION,
    check_header,
    check_length,
    check_option,
    check_outcome,
    check_tag,
    longest_header,
)
from plyground.core.records.data import Ply, RecordData

SIGNATURE = "plyground record"
VERSION = 1
MAX_LINE = 100_000
"""Characters. More than the longest move and its comment need, were all of them escaped."""
MAX_POSITION_LINE = 6 * MAX_POSITION_TEXT + 100
"""Characters of a line with a start position or an option, were all of it escaped."""

SCORES = {"1-0": 0, "0-1": 1, "1/2-1/2": None}
UNFINISHED = "*"

# Writing


def write_text(record: RecordData) -> str:
    """The whole file, its last line ended."""
    headers = [("game", record.game)]
    headers += [(OPTION + name, value) for name, value in record.options]
    headers += [("start", record.start)]
    optional = [("first", record.players[0]), ("second", record.players[1]), ("date", record.date)]
    optional += [("event", record.event), ("clock", record.clock)]
    headers += [(name, value) for name, value in optional if value]
    headers += record.tags
    lines = [f"{SIGNATURE} {VERSION}"]
    for name, value in headers:
        lines += _write_header(name, value)
    lines.append("")
    lines += [_write_ply(number, ply) for number, ply in enumerate(record.plies, 1)]
    if record.plies:
        lines.append("")
    lines.append(_write_result(record.outcome))
    return "\n".join(lines) + "\n"


ESCAPED = re.compile(r"[\\\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""A backslash, and what controls a terminal or ends a line."""


def _write_header(name: str, value: str) -> list[str]:
    if "\n" not in value:
        return [f"{name}: {_escape(value)}".rstrip()]
    lines = (_escape(line, indented=True) for line in value.split("\n"))
    return [f"{name}:", *(f"| {line}".rstrip() for line in lines)]


def _write_ply(number: int, ply: Ply) -> str:
    notes = []
    if ply.seconds is not None:
        notes.append(f"time={abs(ply.seconds)!r}")
    if ply.evaluation is not None:
        notes.append(f"eval={ply.evaluation:+d}")
    if ply.depth is not None:
        notes.append(f"depth={ply.depth}")
    line = f"{number}. " + _escape(ply.move).replace("|", "\\u007c")
    if notes or ply.comment:
        line += " | " + " ".join(notes)
    if ply.comment:
        line = f"{line.rstrip()} | {_escape(ply.comment)}"
    return line


def _write_result(outcome: Outcome | None) -> str:
    if outcome is None:
        return f"result: {UNFINISHED}"
    result = f"result: {outcome.score} utility={outcome.utility} {outcome.ending.value}"
    return f"{result} | {_escape(outcome.reason)}" if outcome.reason else result


def _escape(text: str, *, indented: bool = False) -> str:
    """The text with escapes for everything that a line cannot keep: also for spaces at its end and,
    unless the line keeps its indentation, at its beginning."""
    escaped = ESCAPED.sub(_escaped, text)
    end = len(escaped.rstrip())
    start = 0 if indented else min(end, len(escaped) - len(escaped.lstrip()))
    return _as_numbers(escaped[:start]) + escaped[start:end] + _as_numbers(escaped[end:])


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    if character == "\\":
        return "\\\\"
    return "\\n" if character == "\n" else _as_numbers(character)


def _as_numbers(characters: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in characters)


# Reading

CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
HEADER = re.compile(r"([^\W\d][^\s:]*):(.*)")
PLY = re.compile(r"([0-9]{1,9})\.\s+(.*)")
ESCAPE = re.compile(r"\\(?:\\|n|u[0-9a-fA-F]{4}|.?)")
NOTES = {
    "time": re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?(e[+-]?[0-9]{1,3})?"),
    "eval": re.compile(r"[+-]?[0-9]{1,20}"),
    "depth": re.compile(r"[0-9]{1,20}"),
}
RESULT = re.compile(r"(\S+)\s+utility=([+-]?[0-9]{1,20})\s+(\S+)\s*")


def read_text(text: str) -> RecordData:
    """The record that a text holds; a FormatError names the line that is wrong."""
    reader = _RecordReader()
    lines = text.removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, 1):
        reader.number = number
        try:
            reader.read(line.removesuffix("\r"))
        except FormatError as error:
            raise FormatError(error.problem, line=error.line or number) from None
    return reader.finish()


class _RecordReader:
    """Reads one line after another, and raises FormatError for the line that is wrong."""

    def __init__(self) -> None:
        self.number = 0
        self.headers: dict[str, str] = {}
        self.header_lines: dict[str, int] = {}
        self.block: str | None = None
        """The header whose lines may follow, each after a bar."""
        self.block_lines: list[str] = []
        self.block_length = 0
        self.plies: list[Ply] = []
        self.outcome: Outcome | None = None
        self.ended = False

    def read(self, line: str) -> None:
        if len(line) > MAX_LINE and len(line) > (longest := self.longest_line(line)):
            raise FormatError(f"the line is longer than {longest} characters")
        control = CONTROL.search(line)
        if control is not None:
            raise FormatError(f"the control character {control[0]!r} cannot stand in a record")
        if self.number == 1:
            _read_signature(line)
        elif line.startswith("|"):
            self.read_block_line(line)
        elif line.strip() and not line.startswith("#"):
            self.end_block()
            self.read_entry(line)

    def longest_line(self, line: str) -> int:
        """How many characters a line may have, by how it begins."""
        name = self.block or "" if line.startswith("|") else line[: len(OPTION)]
        is_position = name.startswith(("start", OPTION))
        return MAX_POSITION_LINE if is_position else MAX_LINE

    def read_entry(self, line: str) -> None:
        if self.ended:
            raise FormatError("there is something after the result, which must come last")
        ply, header = PLY.fullmatch(line), HEADER.fullmatch(line)
        if ply is not None:
            self.require_headers()
            self.read_ply(int(ply[1]), ply[2])
        elif header is None:
            raise FormatError(
                "neither a header like 'event: final', nor a move like '1. a2a3', nor the result"
            )
        elif header[1] == "result":
            self.require_headers()
            self.outcome = _read_result(header[2].strip())
            self.ended = True
        elif self.plies:
            raise FormatError(f"the header {header[1]!r} comes after the first move")
        else:
            self.read_header(header[1], header[2].strip())

    def read_header(self, name: str, value: str) -> None:
        if name in self.headers:
            earlier = self.header_lines[name]
            raise FormatError(f"{name!r} is given twice; the first time on line {earlier}")
        self.headers[name] = _unescape(value)
        self.header_lines[name] = self.number
        if value:
            _check(name, self.headers[name])
        else:
            self.block, self.block_lines, self.block_length = name, [], 0

    def read_block_line(self, line: str) -> None:
        if self.block is None:
            raise FormatError("a line after a bar belongs below a header with nothing after it")
        line = _unescape(line[1:].removeprefix(" ").rstrip())
        self.block_lines.append(line)
        self.block_length += len(line) + (len(self.block_lines) > 1)
        check_length(repr(self.block), self.block_length, longest_header(self.block))

    def end_block(self) -> None:
        if self.block is None:
            return
        name, self.block = self.block, None
        self.headers[name] = "\n".join(self.block_lines)
        try:
            _check(name, self.headers[name])
        except FormatError as error:
            raise FormatError(error.problem, line=self.header_lines[name]) from None

    def require_headers(self) -> None:
        for name in ("game", "start"):
            if name not in self.headers:
                raise FormatError(f"the header {name!r} is missing; it must stand above this line")

    def read_ply(self, number: int, text: str) -> None:
        if number != len(self.plies) + 1:
            raise FormatError(f"move {number} where move {len(self.plies) + 1} belongs")
        if number > MAX_PLIES:
            raise FormatError(f"a record holds at most {MAX_PLIES} moves")
        move, notes, comment = [part.strip() for part in [*text.split("|", 2), "", ""][:3]]
        ply = Ply(_unescape(move), comment=_unescape(comment), line=self.number)
        self.plies.append(replace(ply, **_read_notes(notes)))

    def finish(self) -> RecordData:
        self.end_block()
        if not self.ended:
            raise FormatError("the record breaks off: the result is missing", line=self.number)
        headers = self.headers
        return RecordData(
            game=headers["game"],
            start=headers["start"],
            options=tuple(
                (name.removeprefix(OPTION), value)
                for name, value in headers.items()
                if name.startswith(OPTION)
            ),
            players=(headers.get("first", ""), headers.get("second", "")),
            date=headers.get("date", ""),
            event=headers.get("event", ""),
            clock=headers.get("clock", ""),
            plies=tuple(self.plies),
            outcome=self.outcome,
            tags=tuple(
                (name, value)
                for name, value in headers.items()
                if name not in HEADERS and not name.startswith(OPTION)
            ),
            line=self.header_lines["start"],
        )


def _read_signature(line: str) -> None:
    found = re.fullmatch(rf"{SIGNATURE} ([0-9]{{1,9}})\s*", line)
    if found is None:
        raise FormatError(f"not a record: its first line must be '{SIGNATURE} {VERSION}'")
    if int(found[1]) != VERSION:
        raise FormatError(
            f"version {int(found[1])} of the format: this program reads version {VERSION}"
        )


def _check(name: str, value: str) -> None:
    if name.startswith(OPTION):
        check_option(name.removeprefix(OPTION), value)
    elif name in HEADERS:
        check_header(name, value)
    else:
        check_tag(name, value)


def _read_notes(text: str) -> dict[str, Any]:
    """The notes of a move, by the names of the fields of a Ply."""
    found: dict[str, str] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        if name not in NOTES:
            raise FormatError(f"{word[:60]!r}: what is noted of a move is {', '.join(NOTES)}")
        if name in found:
            raise FormatError(f"{name} is noted twice")
        if not NOTES[name].fullmatch(value):
            raise FormatError(f"{word[:60]!r}: a number belongs after {name}=")
        found[name] = value
    return {
        "seconds": float(found["time"]) if "time" in found else None,
        "evaluation": int(found["eval"]) if "eval" in found else None,
        "depth": int(found["depth"]) if "depth" in found else None,
    }


def _read_result(text: str) -> Outcome | None:
    if text == UNFINISHED:
        return None
    result, _, reason = text.partition("|")
    found = RESULT.fullmatch(result)
    if found is None or found[1] not in SCORES:
        raise FormatError(
            f"a result is '{UNFINISHED}' for a game not finished, or like"
            " '1-0 utility=1 finished | why', with 1-0, 0-1 or 1/2-1/2"
        )
    endings = {ending.value: ending for ending in Ending}
    if found[3] not in endings:
        raise FormatError(f"{found[3][:60]!r}: a game ends as one of {', '.join(endings)}")
    outcome = Outcome(SCORES[found[1]], int(found[2]), endings[found[3]], _unescape(reason.strip()))
    check_outcome(outcome)
    return outcome


def _unescape(text: str) -> str:
    return ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(escape: re.Match[str]) -> str:
    written = escape[0]
    if written in ("\\\\", "\\n"):
        return written[1].replace("n", "\n")
    if len(written) == 6:
        return chr(int(written[2:], 16))
    raise FormatError(
        f"{written!r} is no escape: \\\\ is a backslash, \\n a new line, \\u0041 a character"
    )
