"""What students hand in: read as if it were hostile, and no submission is lost."""

from __future__ import annotations

import io
import os
import random
import stat
import struct
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.classroom import submission
from plyground.classroom.interfaces import NoInterface
from plyground.classroom.submission import Submission, find_submissions, read_submission
from plyground.core.errors import FileError
from plyground.core.registry import find_game

DERBY = find_game("derby")
PLAYER = b"class PlayerControllerMinimax:\n    pass\n"


def zipped(place: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return place


# BestMoveDifficulty them


def test_a_file_a_folder_and_a_zip_are_a_submission_each(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_bytes(PLAYER)
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "player.py").write_bytes(PLAYER)
    (tmp_path / "bob" / "tables").mkdir()
    (tmp_path / "bob" / "tables" / "values.bin").write_bytes(b"\0\1")
    zipped(tmp_path / "cyd.zip", ("player.py", PLAYER))
    (tmp_path / "notes.txt").write_text("the teacher's own")
    (tmp_path / ".hidden.py").write_bytes(PLAYER)
    found = find_submissions(tmp_path)
    assert [one.name for one in found] == ["ann", "bob", "cyd"]
    assert [sorted(one.files) for one in found] == [
        ["ann.py"],
        ["player.py", "tables/values.bin"],
        ["player.py"],
    ]
    assert not any(one.problem for one in found)


def test_one_file_and_a_folder_with_a_player_are_one_submission(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_bytes(PLAYER)
    (tmp_path / "second.py").write_bytes(b"")
    assert [one.name for one in find_submissions(tmp_path / "player.py")] == ["player"]
    together = find_submissions(tmp_path)
    assert [sorted(one.files) for one in together] == [["player.py", "second.py"]]
    (tmp_path / "link.py").symlink_to("player.py")
    assert [one.problem for one in find_submissions(tmp_path / "link.py")] == [""]


def test_no_two_are_called_the_same(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_bytes(PLAYER)
    zipped(tmp_path / "ann.zip", ("player.py", PLAYER))
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann.py.py").write_bytes(PLAYER)
    names = [one.name for one in find_submissions(tmp_path)]
    assert sorted(names) == ["ann", "ann.py", "ann.py.py", "ann.zip"]


def test_names_are_such_that_they_can_be_shown_and_written(tmp_path: Path) -> None:
    odd = [b"new\nline.py", b"esc\x1b[31m.py", b"byte\xff.py", b"byte\xfe.py", b" .py"]
    for name in odd:
        (tmp_path / os.fsdecode(name)).write_bytes(PLAYER)
    names = [one.name for one in find_submissions(tmp_path)]
    assert len(set(names)) == len(odd)
    assert all(name.isprintable() and name.encode() for name in names)


def test_who_hands_in_something_renames_nobody_else(tmp_path: Path) -> None:
    """Results are kept under the name: a renamed student would be graded anew."""
    for name in ("ann.py", "bob.py", "cyd.py"):
        (tmp_path / name).write_bytes(PLAYER)
    zipped(tmp_path / "bob.zip", ("player.py", PLAYER))
    names = [one.name for one in find_submissions(tmp_path)]
    assert names == ["ann", "bob.py", "bob.zip", "cyd"]


def test_names_that_look_the_same_are_numbered_and_take_nobodys(tmp_path: Path) -> None:
    for name in (b"ann.py", b"byte\xfe.py", b"byte\xff.py", b"byte?.py (2).py"):
        (tmp_path / os.fsdecode(name)).write_bytes(PLAYER)
    names = [one.name for one in find_submissions(tmp_path)]
    assert sorted(names) == ["ann", "byte?.py", "byte?.py (2)", "byte?.py (3)"]


def test_a_name_leads_to_no_other_folder(tmp_path: Path) -> None:
    for name in (" ..py", " ...py", "...py"):
        (tmp_path / name).write_bytes(PLAYER)
    (tmp_path / " ..").mkdir()
    names = [one.name for one in find_submissions(tmp_path)]
    assert len(set(names)) == 4
    assert all(name.strip(". ") for name in names)


def test_a_class_is_not_taken_for_one_because_of_how_a_student_called_a_file(
    tmp_path: Path,
) -> None:
    for name in ("alice.py", "bob.py", "player.py"):
        (tmp_path / name).write_bytes(PLAYER)
    with pytest.raises(FileError) as refusal:
        find_submissions(tmp_path)
    assert str(refusal.value) == (
        f"{tmp_path}: player.py, alice.py and bob.py define PlayerControllerMinimax, so this may "
        "be one student or a class; put each student's files into a folder or a zip of their own, "
        "name the one file to grade, or say --one"
    )
    (tmp_path / "player.py").write_bytes(b"def choose(position, clock): pass")
    with pytest.raises(FileError, match=r"alice\.py and bob\.py define PlayerController"):
        find_submissions(tmp_path)
    for number in range(200):
        (tmp_path / f"{number}.py").write_bytes(PLAYER)
    with pytest.raises(FileError, match=r"0\.py, 1\.py, 10\.py and others define Player"):
        find_submissions(tmp_path)


@pytest.mark.parametrize("first", submission.FIRST_NAMES)
def test_a_zip_or_folder_beside_a_player_may_be_another_students(
    first: str, tmp_path: Path
) -> None:
    (tmp_path / first).write_bytes(PLAYER)
    place = zipped(tmp_path / "bob\x9b.zip", ("bob/agent.py", PLAYER))
    with pytest.raises(FileError, match=rf"{first} and bob\?\.zip define PlayerController"):
        find_submissions(tmp_path)
    place.unlink()
    (tmp_path / "cyd").mkdir()
    (tmp_path / "cyd" / "mine.py").write_bytes(PLAYER)
    with pytest.raises(FileError, match=rf"{first} and cyd define PlayerController"):
        find_submissions(tmp_path)


def test_a_player_with_its_helpers_is_one_submission(tmp_path: Path) -> None:
    """Be they called as players are in another game, or imported by the player."""
    files = {
        "player.py": PLAYER,
        "agent.py": PLAYER,
        "main.py": b"from player import PlayerControllerMinimax",
        "measure.py": b"from player import PlayerControllerMinimax",
        "helper.py": b"class Agent: pass",
        "lib/search.py": b"def choose(position, clock): pass",
        "README": b"",
        "weights.bin": b"\0",
    }
    (tmp_path / "lib").mkdir()
    for path, content in files.items():
        (tmp_path / path).write_bytes(content)
    assert [one.files for one in find_submissions(tmp_path)] == [files]


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file or folder"):
        find_submissions(tmp_path / "nowhere")
    with pytest.raises(FileError, match=r"there is no \.py file, folder or zip in it"):
        find_submissions(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError, match="Too many levels of symbolic links"):
        find_submissions(tmp_path / "loop")


def test_other_archives_are_refused_by_name_and_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_bytes(PLAYER)
    (tmp_path / "bob.RAR").write_bytes(b"Rar!")
    problems = {one.name: one.problem for one in find_submissions(tmp_path)}
    assert problems == {"ann": "", "bob": "bob.RAR is neither a .py file nor a folder nor a zip"}


def test_what_is_not_known_is_refused_by_name_and_not_passed_over(tmp_path: Path) -> None:
    unknown = ["ann.py.txt", "bob.docx", "cyd", "dan.pyc", "eve.py~"]
    of_the_teacher = ["grades.csv", "page.html", "notes.txt", "README.md", "results.jsonl"]
    for name in (*unknown, *of_the_teacher, ".DS_Store", "._fay.py", "Thumbs.db", "gus.py"):
        (tmp_path / name).write_bytes(PLAYER)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__MACOSX").mkdir()
    problems = {one.name: one.problem for one in find_submissions(tmp_path)}
    assert problems == {
        "gus": "",
        **{name: f"{name} is neither a .py file nor a folder nor a zip" for name in unknown},
    }


@pytest.mark.parametrize(
    "name",
    [b"..py", b".py", b"ANN.PY", b"a" * 240 + b".py", b"byte\xff.py", b"new\nline.py"],
    ids=range(6),
)
def test_a_student_cannot_help_what_a_platform_called_the_file(name: bytes, tmp_path: Path) -> None:
    place = tmp_path / os.fsdecode(name)
    place.write_bytes(PLAYER)
    (found,) = find_submissions(tmp_path)
    assert found.files == {"player.py": PLAYER}
    assert read_submission(place) == found
    assert found.name.isprintable()
    assert found.name.strip(".")


# Links, devices, pipes


def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_bytes(b"of another student")
    folder = tmp_path / "class"
    (folder / "dan").mkdir(parents=True)
    (folder / "dan" / "player.py").symlink_to(secret)
    os.mkfifo(folder / "dan" / "fifo.py")
    (folder / "dan" / "rest.py").write_bytes(PLAYER)
    (folder / "eve.py").symlink_to(secret)
    (folder / "fay").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(folder / "gus.py")
    found = {one.name: one for one in find_submissions(folder)}
    assert list(found["dan"].files) == ["rest.py"]
    assert (
        found["eve"].problem == found["fay"].problem == "it is a link, and links are not followed"
    )
    assert found["gus"].problem == "it cannot be read: Not a regular file"


@pytest.mark.parametrize("name", ["C:/evil.py", "a:b.py", "what?.py", "folder./player.py"])
def test_a_name_that_windows_does_not_take_is_refused_there(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "ann.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr(name, PLAYER)
        archive.writestr("player.py", PLAYER)
    assert set(read_submission(place).files) == {name, "player.py"}
    monkeypatch.setattr(sys, "platform", "win32")
    assert read_submission(place).problem == f"{name!r} is no name for a file"


def test_a_folder_that_may_not_be_read_is_a_problem_and_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ann").mkdir()

    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    assert read_submission(tmp_path / "ann").problem == "it cannot be read: Permission denied"


# Too much


def test_too_many_files_too_many_bytes_and_too_deep_folders_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "MOST_FILES", 3)
    monkeypatch.setattr(submission, "MOST_BYTES", 1 << 20)
    many, large, deep = tmp_path / "many", tmp_path / "large", tmp_path / "deep"
    for folder in (many, large, deep.joinpath(*"abcdefghij")):
        folder.mkdir(parents=True)
    for number in range(4):
        (many / f"{number}.py").write_bytes(b"")
    with open(large / "player.py", "wb") as file:
        file.truncate(1 << 40)  # a hole: nobody has so much
    assert read_submission(many).problem == "it has more than 3 files"
    assert read_submission(large).problem == "it is larger than 1 MiB"
    assert read_submission(deep).problem == "its folders lie more than 8 deep"


def test_a_player_too_long_to_be_parsed_is_told_so() -> None:
    long = Submission("long", {"player.py": PLAYER + b"x = 1\n" * 100_000})
    with pytest.raises(NoInterface, match=r"player\.py is longer than 512 KiB"):
        long.player(DERBY)


def test_zip_bombs_are_put_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "MOST_BYTES", 1 << 20)
    bomb = zipped(tmp_path / "bomb.zip", ("player.py", bytes(64 << 20)))
    assert bomb.stat().st_size < 1 << 20
    assert read_submission(bomb).problem == "it is larger than 1 MiB"
    parts = zipped(tmp_path / "parts.zip", *((f"{n}.py", bytes(1 << 19)) for n in range(9)))
    assert read_submission(parts).problem == "it is larger than 1 MiB"
    crowd = zipped(tmp_path / "crowd.zip", *((f"{n}.py", b"") for n in range(300)))
    assert read_submission(crowd).problem == "it has more than 200 files"
    hidden = zipped(tmp_path / "hidden.zip", *((f".git/{n}", b"") for n in range(2500)))
    assert read_submission(hidden).problem == "it has more than 200 files"
    heavy = tmp_path / "heavy.zip"
    heavy.write_bytes(bytes(2 << 20))
    assert read_submission(heavy).problem == "it is larger than 1 MiB"


def test_a_zip_that_lies_about_its_sizes_is_put_down(tmp_path: Path) -> None:
    place = zipped(tmp_path / "liar.zip", ("player.py", bytes(1 << 20)))
    packed = place.read_bytes().replace(struct.pack("<I", 1 << 20), struct.pack("<I", 100))
    place.write_bytes(packed)
    found = read_submission(place)
    assert found.problem.startswith("it is no zip that can be read")


# Zips


@pytest.mark.parametrize(
    "name", ["../player.py", "a/../../player.py", "/etc/player.py", "..\\player.py", "a/..", "//x"]
)
def test_a_path_that_leads_out_of_a_zip_is_refused(name: str, tmp_path: Path) -> None:
    place = zipped(tmp_path / "escape.zip", ("player.py", PLAYER), (name, PLAYER))
    assert "leads out of the zip" in read_submission(place).problem


def test_a_link_or_pipe_in_a_zip_is_refused(tmp_path: Path) -> None:
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR):
        entry = zipfile.ZipInfo("player.py")
        entry.create_system = 3
        entry.external_attr = (kind | 0o777) << 16
        place = zipped(tmp_path / "link.zip", (entry, b"/etc/shadow"))
        assert read_submission(place).problem == "'player.py' is no regular file"


def test_unusual_packing_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "odd.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("player.py", PLAYER)
    assert read_submission(tmp_path / "odd.zip").problem == (
        "'player.py' is packed in an unusual way"
    )


def test_a_folder_around_everything_and_the_litter_of_systems_are_left_out(tmp_path: Path) -> None:
    place = zipped(
        tmp_path / "mac.zip",
        ("hand-in/player.py", PLAYER),
        ("hand-in/.DS_Store", b"x"),
        ("hand-in/__pycache__/player.pyc", b"x"),
        ("hand-in/lib/more.py", b""),
    )
    assert sorted(read_submission(place).files) == ["lib/more.py", "player.py"]
    place = zipped(tmp_path / "windows.zip", ("hand-in\\player.py", PLAYER))
    assert list(read_submission(place).files) == ["player.py"]


def test_files_that_could_not_be_written_down_are_refused(tmp_path: Path) -> None:
    """Else the grader would fail at it, and its own faults cost no point."""
    both = zipped(tmp_path / "both.zip", ("lib", b"a file"), ("lib/player.py", PLAYER))
    assert read_submission(both).problem == (
        "'lib/player.py' lies in a file, as if that were a folder"
    )
    long = zipped(tmp_path / "long.zip", ("ä" * 150 + ".py", PLAYER))
    assert "is no name for a file" in read_submission(long).problem
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / os.fsdecode(b"byte\xff.py")).write_bytes(PLAYER)
    assert "is no name for a file" in read_submission(folder).problem


def test_an_encrypted_zip_is_a_problem(tmp_path: Path) -> None:
    place = zipped(tmp_path / "secret.zip", ("player.py", PLAYER))
    packed = bytearray(place.read_bytes())
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        packed[packed.index(mark) + at] |= 1
    place.write_bytes(packed)
    assert "encrypted" in read_submission(place).problem


def test_an_entry_without_a_name_is_left_out(tmp_path: Path) -> None:
    place = zipped(tmp_path / "empty.zip", ("player.py", PLAYER), ("gone", b""))
    place.write_bytes(place.read_bytes().replace(b"gone", b"\0one"))  # a zero ends a name
    with zipfile.ZipFile(place) as archive:
        assert archive.namelist() == ["player.py", ""]
    found = read_submission(place)
    assert (found.files, found.problem) == ({"player.py": PLAYER}, "")


@pytest.mark.parametrize("failure", [IndexError("x"), MemoryError(), RecursionError(), KeyError(1)])
def test_nothing_that_happens_while_reading_ends_a_class(
    failure: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zipped(tmp_path / "ann.zip", ("player.py", PLAYER))
    (tmp_path / "bob.py").write_bytes(PLAYER)

    def fail(archive: zipfile.ZipFile) -> None:
        raise failure

    monkeypatch.setattr(zipfile.ZipFile, "infolist", fail)
    problems = {one.name: one.problem for one in find_submissions(tmp_path)}
    assert problems["bob"] == ""
    assert problems["ann"].startswith("it ")


@given(st.binary(max_size=300))
def test_any_bytes_are_a_submission_or_a_problem(content: bytes) -> None:
    assert_reads(content)


def test_a_damaged_zip_is_a_problem_and_no_more() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("hand-in/player.py", PLAYER * 20)
        archive.writestr("hand-in/lib/ä.py", PLAYER)
    whole = file.getvalue()
    chance = random.Random(5)
    for _ in range(600):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        assert_reads(bytes(damaged[: chance.choice([len(damaged), chance.randrange(1, 400)])]))


def assert_reads(content: bytes) -> None:
    """Whatever is in it, it is files that can be written down, or else a problem."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "x.zip")
        place.write_bytes(content)
        found = read_submission(place)
        assert bool(found.files) <= (found.problem == "")
        assert found.problem.isprintable()
        assert found.digest
        target = Path(folder, "target")
        target.mkdir()
        found.unpack(target)
        assert sum(path.is_file() for path in target.rglob("*")) == len(found.files)
        assert sorted(os.listdir(folder)) == ["target", "x.zip"]


# Playing them


def test_the_player_is_looked_for_near_the_top_and_by_its_usual_name() -> None:
    files = {"lib/player.py": PLAYER, "zebra.py": PLAYER, "agent.py": b"", "helper.py": b"x = 1"}
    assert Submission("ann", files).player(DERBY)[0] == "zebra.py"
    assert Submission("ann", {**files, "player.py": PLAYER}).player(DERBY)[0] == "player.py"


def test_what_a_submission_lacks_is_said_of_its_likeliest_file() -> None:
    files = {"helper.py": b"", "player.py": b"class Player: pass"}
    with pytest.raises(NoInterface, match=r"player\.py defines neither PlayerControllerMinimax"):
        Submission("ann", files).player(DERBY)
    with pytest.raises(NoInterface, match=r"there is no \.py file in it"):
        Submission("ann", {"notes.txt": b""}).player(DERBY)
    with pytest.raises(NoInterface, match="it is a link"):
        Submission("ann", {}, "it is a link, and links are not followed").player(DERBY)


@pytest.mark.parametrize("mark", ["\x9b31m", "\x1b[31m", "\u202e", "\u2066", "\u2028"])
def test_what_is_said_of_a_file_can_be_shown_whatever_the_file_is_called(
    mark: str, tmp_path: Path
) -> None:
    """A terminal obeys some marks, and others turn a sentence around."""
    path = f"{mark}a.py"
    for content in (b"", b"\n" * (600 << 10)):
        place = zipped(tmp_path / "odd.zip", (path, content))
        with pytest.raises(NoInterface) as lacks:
            read_submission(place).player(DERBY)
        assert str(lacks.value).isprintable()
        assert "a.py" in str(lacks.value)


def test_the_digest_tells_contents_and_paths_apart() -> None:
    different = [
        Submission("a", {"player.py": b"x"}),
        Submission("a", {"player.py": b"y"}),
        Submission("a", {"agent.py": b"x"}),
        Submission("a", {"a": b"", "b": b""}),
        Submission("a", {"a": b"b"}),
        Submission("a", {}, "a problem"),
        Submission("a", {}),
    ]
    assert len({one.digest for one in different}) == len(different)
    assert Submission("b", {"player.py": b"x"}).digest == different[0].digest


def test_files_are_unpacked_readable_and_nothing_else(tmp_path: Path) -> None:
    files = {"player.py": PLAYER, "a/b/c.bin": zlib.compress(PLAYER)}
    previous = os.umask(0o077)
    try:
        Submission("ann", files).unpack(tmp_path)
    finally:
        os.umask(previous)
    for path, content in files.items():
        assert (tmp_path / path).read_bytes() == content
        assert stat.S_IMODE((tmp_path / path).stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o755
