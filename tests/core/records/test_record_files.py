"""Files of records: replaced whole or not at all, and refused by name and line."""

from __future__ import annotations

import os
import random
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plyground.core.errors import FileError, FormatError
from plyground.core.records.record import (
    MAX_BYTES,
    GameRecord,
    Ply,
    load_games,
    read_games,
    save_games,
)
from plyground.core.registry import find_game
from tests.core.records.test_record_formats import EXAMPLE


@pytest.mark.parametrize("name", ["game.txt", "game.jsonl", "game", "spiel ü.record"])
def test_a_record_is_saved_and_loaded(name: str, tmp_path: Path) -> None:
    record = GameRecord.from_text(EXAMPLE)
    record.save(tmp_path / name)
    loaded = GameRecord.load(str(tmp_path / name))
    assert loaded == record
    assert loaded.source == str(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name], "nothing else is left behind"
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert text == (record.json + "\n" if name.endswith(".jsonl") else record.text)


def test_the_format_is_told_by_the_content_not_by_the_name(tmp_path: Path) -> None:
    record = GameRecord.from_text(EXAMPLE)
    (tmp_path / "a.jsonl").write_text(record.text)
    (tmp_path / "b.txt").write_text(record.json)
    (tmp_path / "c.txt").write_text("\ufeff" + record.text, encoding="utf-8")
    (tmp_path / "d.txt").write_text("\ufeff" + record.json, encoding="utf-8")
    for path in tmp_path.iterdir():
        assert load_games(path) == [record]


def test_a_file_of_json_lines_holds_many_games(tmp_path: Path) -> None:
    start = find_game("tictactoe").start()
    games = [GameRecord.from_moves(start, [move]) for move in start.legal_moves]
    path = tmp_path / "games.jsonl"
    save_games(path, games)
    assert load_games(path) == games
    assert [record.line for record in read_games(path)] == list(range(1, 10))
    with pytest.raises(FormatError, match=r"games\.jsonl: there are 9 games in it, not one"):
        GameRecord.load(path)
    save_games(path, [])
    assert load_games(path) == []


def test_an_illegal_move_in_a_file_is_named_with_file_and_line(tmp_path: Path) -> None:
    good = GameRecord.from_text(EXAMPLE)
    bad = replace(good, plies=(Ply("a1"), Ply("a1")), outcome=None)
    path = tmp_path / "games.jsonl"
    save_games(path, [good, bad])
    _, record = load_games(path)
    with pytest.raises(FormatError, match=r"games\.jsonl, line 2: move 2: 'a1' is not a legal"):
        record.positions()


def test_a_text_holds_one_game(tmp_path: Path) -> None:
    record = GameRecord.from_text(EXAMPLE)
    for games in ([], [record, record]):
        with pytest.raises(FormatError, match=f"{len(games)} games: a text holds one, a file"):
            save_games(tmp_path / "games.txt", games)
    assert list(tmp_path.iterdir()) == []


def test_what_goes_wrong_while_saving_leaves_the_old_file(tmp_path: Path) -> None:
    record = GameRecord.from_text(EXAMPLE)
    path = tmp_path / "games.jsonl"
    save_games(path, [record])

    def breaking() -> Iterator[GameRecord]:
        yield replace(record, event="new")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_games(path, breaking())
    huge = replace(record, plies=(Ply("x", comment="y" * 10_000),) * 1700)
    with pytest.raises(FormatError, match=r"games\.jsonl: a record of 17\d+ bytes could not be"):
        save_games(path, [replace(record, event="new"), huge])
    assert load_games(path) == [record]
    assert [found.name for found in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_saved_file_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    record = GameRecord.from_text(EXAMPLE)
    path, link = tmp_path / "game.txt", tmp_path / "link.txt"
    record.save(path)
    path.chmod(0o640)
    link.symlink_to(path)
    replace(record, event="new").save(link)
    assert link.is_symlink()
    assert GameRecord.load(path).event == "new"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    record = GameRecord.from_text(EXAMPLE)
    with pytest.raises(FileError, match=r"absent\.txt: cannot read: No such file or directory"):
        GameRecord.load(tmp_path / "absent.txt")
    with pytest.raises(FileError, match="cannot read: Is a directory"):
        GameRecord.load(tmp_path)
    with pytest.raises(FileError, match=r"absent/game\.txt: cannot write: No such file or dir"):
        record.save(tmp_path / "absent" / "game.txt")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match="cannot write: Is a directory"):
        record.save(tmp_path / "folder")
    assert [found.name for found in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: neither a record"),
        (b"\xff\xfe", "line 1: neither a record"),
        (b"hello", "line 1: neither a record .'plyground record 1' is its first line. nor JSON"),
        (EXAMPLE.replace("Bob", "B\0b").encode(), "line 5: the control character"),
        (EXAMPLE.encode().replace(b"Bob", b"B\xffb"), "line 5: not UTF-8 text: byte 0xff"),
        (b'{"a": 1}\n', "line 1: a record: 'a' is unknown"),
        (b"{}\n\xc3\n", "line 1: format: is missing"),
        (b'{"\xc3', "line 1: not UTF-8 text: byte 0xc3"),
        (EXAMPLE.encode() + b"\n" * MAX_BYTES, "a record has at most 16777216 bytes"),
        (b"{" + b" " * MAX_BYTES, "line 1: a record has at most 16777216 bytes"),
    ],
)
def test_damage_to_a_file_is_named_with_the_file(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=rf"game\.txt(, |: ){message}"):
        GameRecord.load(path)
    assert path.read_bytes() == data


# Noise


@pytest.mark.parametrize("beginning", [b"", b"plyground record 1\n", b"{", b'{"format": "'])
def test_ten_megabytes_of_noise_are_refused(beginning: bytes, tmp_path: Path) -> None:
    path = tmp_path / "noise"
    path.write_bytes(beginning + random.Random(1).randbytes(10_000_000))
    with pytest.raises(FormatError, match=r"noise, line [12]: "):
        load_games(path)
