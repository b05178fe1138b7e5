"""Files are written as a whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from plyground.core.errors import FileError
from plyground.core.files import check_can_be_written, read_regular_file, write_atomically
from tests.full_disk import files_of_at_most


def test_a_file_is_created_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data in (b"first", b"", b"second"):
        write_atomically(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    usual, new, old = (tmp_path / name for name in ("usual", "new", "old"))
    usual.touch()
    old.touch(mode=0o600)
    for path in (new, old):
        write_atomically(path, b"data")
    assert os.stat(new).st_mode == os.stat(usual).st_mode
    assert stat.S_IMODE(os.stat(old).st_mode) == 0o600


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_atomically(tmp_path / "link", b"data")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"data"


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    with files_of_at_most(1000), pytest.raises(FileError) as refused:
        write_atomically(path, bytes(2000))
    assert str(refused.value) == f"{path}: cannot write: File too large"
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_or_in_the_way_is_named(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "file"
    with pytest.raises(FileError) as refused:
        write_atomically(path, b"data")
    assert str(refused.value) == f"{path}: cannot write: No such file or directory"
    with pytest.raises(FileError, match="cannot write: Is a directory"):
        write_atomically(tmp_path, b"data")
    assert list(tmp_path.iterdir()) == []
    assert list(tmp_path.parent.glob(".plyground-*")) == []


def test_a_pipe_or_a_device_is_not_replaced(tmp_path: Path) -> None:
    """A privileged user could replace the null device, for all programs of the machine."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(FileError) as refused:
            check_can_be_written(path)
        assert str(refused.value) == f"cannot write {path}: it is a device or a pipe, and no file"
        with pytest.raises(FileError) as refused:
            write_atomically(path, b"data")
        assert str(refused.value) == f"{path}: cannot write: it is a device or a pipe, and no file"
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == [link, pipe]


def test_so_much_of_a_file_is_read_as_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"line\r\n\x1a rest")
    assert read_regular_file(path, 100) == b"line\r\n\x1a rest"
    assert read_regular_file(path, 3) == b"lin"


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"data")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", ".", "absent"):
        with pytest.raises(OSError):  # noqa: PT011  in the words of the system
            read_regular_file(tmp_path / name, 100)


@pytest.mark.parametrize("synced", [True, False])
def test_a_file_that_can_be_made_again_is_not_synced(
    tmp_path: Path, synced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(os, "fsync", calls.append)
    write_atomically(tmp_path / "file", b"data", synced=synced)
    assert (tmp_path / "file").read_bytes() == b"data"
    assert bool(calls) == synced
