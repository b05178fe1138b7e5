"""The logs of programs that play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plyground.core.errors import FileError
from plyground.players.program_log import OLD, ProgramLog

LINE = re.compile(r"\d\d:\d\d:\d\d\.\d{3} ([=><!]) (.*)")


def lines(path: Path) -> list[tuple[str, ...]]:
    """The signs and texts of the lines; each has a time."""
    found = [LINE.fullmatch(line) for line in path.read_text().splitlines()]
    assert all(found)
    return [line.groups() for line in found if line is not None]


def test_lines_of_standard_error_are_put_together_from_pieces(tmp_path: Path) -> None:
    log = ProgramLog(tmp_path, "program")
    for piece in (b"fir", b"st\r\nsecond\nth", b"ird", b""):
        log.write_errors(piece)
    log.write_errors(b"x" * 70_000)
    log.close()
    (*short, long) = lines(log.path)
    assert short == [("!", "first"), ("!", "second"), ("!", "third")]
    assert long == ("!", "x" * 70_000)


def test_a_log_goes_on_after_it_was_closed(tmp_path: Path) -> None:
    log = ProgramLog(tmp_path, "program")
    log.write(">", "go")
    log.close()
    log.write("<", "bestmove a1")
    log.close()
    assert lines(log.path) == [(">", "go"), ("<", "bestmove a1")]


def test_a_log_keeps_what_came_last_and_not_too_much(tmp_path: Path) -> None:
    log = ProgramLog(tmp_path, "program", largest=1000)
    for number in range(500):
        log.write("<", f"line {number}")
    log.close()
    older = log.path.with_name(log.path.name + OLD)
    assert sorted(tmp_path.iterdir()) == [log.path, older]
    assert all(path.stat().st_size <= 1000 for path in tmp_path.iterdir())
    kept = [text for _, text in (*lines(older), *lines(log.path))]
    assert kept == [f"line {number}" for number in range(500 - len(kept), 500)]
    assert len(kept) > 40


def test_no_two_players_have_the_same_log(tmp_path: Path) -> None:
    names = ("ugi:./a b", "ugi:./a_b", "../../outside", "", "x" * 500)
    logs = [ProgramLog(tmp_path, name) for name in names]
    assert len({log.path for log in logs}) == len(names)
    assert all(log.path.parent == tmp_path for log in logs)
    assert logs[0].path.name.startswith("ugi_._a_b-")


def test_a_folder_without_room_for_a_log_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot write .*: No such file or directory"):
        ProgramLog(tmp_path / "no", "program")
