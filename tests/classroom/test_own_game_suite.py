"""A suite for a game of one's own: where its file may be, and that players find it in a sandbox."""

from __future__ import annotations

import json
import os
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.class_run import Plan, run_class
from plyground.classroom.grading import Grader
from plyground.classroom.interfaces import find_interface
from plyground.classroom.journal import Journal, suite_digest
from plyground.classroom.student_process import GameNotLoaded
from plyground.classroom.submission import Submission
from plyground.classroom.suite import find_suite, load_suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import GameFileError, PlygroundError
from plyground.core.game_files import MOST_FILES, game_files
from plyground.core.registry import find_game
from tests.classroom.sandboxes import need_sandbox
from tests.classroom.small_suite import manifest
from tests.cli.runner import plyground, refusal
from tests.paths import EXAMPLES

NIM = (EXAMPLES / "nim.py").read_text()
PLAYER = b"""
def choose(position, clock):
    assert position.game.name == "my_game", position.game
    return position.legal_moves[0]
"""


def write_game(folder: Path, *, text: str = NIM, name: str = "my_game.py") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def write_own_suite(folder: Path, game: str, **changes: Any) -> Path:
    """Find a first move: whatever the player finds first is best."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [
        {"name": "first", "task": "best", "best": ["a1"]},
        {"name": "game", "task": "win", "opponent": {"kind": "random", "seed": 1}},
    ]
    document = manifest(game=game, tasks=tasks, seconds=5.0, **changes)
    (folder / "suite.json").write_text(json.dumps(document))
    return folder


def grade_first(suite_folder: Path, player: bytes = PLAYER) -> TaskResult:
    """What a player in the sandbox gets for the first task."""
    suite = load_suite(suite_folder)
    return Grader(suite).grade(Submission("ann", {"player.py": player}), suite.tasks[0])


# In the sandbox


@pytest.fixture(params=["/tmp", "/var/tmp"])
def place(request: pytest.FixtureRequest) -> Iterator[Path]:
    """Somewhere in /tmp, of which a sandbox has its own, and elsewhere. For its owner alone."""
    need_sandbox()
    if not os.access(request.param, os.W_OK):
        pytest.skip(f"{request.param} cannot be written")
    with tempfile.TemporaryDirectory(dir=request.param) as folder:
        yield Path(folder)


def test_a_player_in_the_sandbox_finds_a_game_of_ones_own(place: Path) -> None:
    game = write_game(place / "games")
    game.chmod(0o600)
    suite = load_suite(write_own_suite(place / "suite", str(game)))
    grader = Grader(suite)
    results = [grader.grade(Submission("ann", {"player.py": PLAYER}), task) for task in suite.tasks]
    assert (results[0].verdict, results[0].reason) == (Verdict.ACCEPTED, "a1"), results[0]
    assert results[1].verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER), results[1]
    assert results[1].moves > 1


def test_a_game_finds_the_modules_beside_it_and_a_player_nothing_else(place: Path) -> None:
    text = f"import sizes, shapes.square\nfrom deep import wide\n{NIM}"
    folder = place / "games"
    write_game(folder, text=text.replace("(3, 5, 7)", "(sizes.FIRST, 5, 7)"))
    write_game(folder, text="from further import FIRST", name="sizes.py")
    write_game(folder, text="FIRST = 3", name="further.py")
    write_game(folder / "shapes", text="", name="__init__.py")
    write_game(
        folder / "shapes", text="from . import round\nfrom .round import x", name="square.py"
    )
    write_game(folder / "shapes", text="x = 1", name="round.py")
    write_game(folder / "deep", text="", name="wide.py")  # a folder that only holds modules
    write_game(folder, text="SECRET = 1", name="answers.py")
    write_game(folder / "shapes", text="SECRET = 1", name="answers.py")
    write_own_suite(folder, "my_game.py")
    curious = f"""
import os
def choose(position, clock):
    seen = [os.path.join(place, name) for place, _, names in os.walk({str(folder)!r})
            for name in names]
    found = sorted(os.path.relpath(path, {str(folder)!r}) for path in seen)
    right = ["deep/wide.py", "further.py", "my_game.py", "shapes/__init__.py", "shapes/round.py",
             "shapes/square.py", "sizes.py"]
    assert found == right, found
    for path in seen:
        try: open(path, "a")
        except OSError: continue
        raise AssertionError(path)
    return "a1"
"""
    result = grade_first(folder, curious.encode())
    assert result.verdict is Verdict.ACCEPTED, result


def test_a_game_that_cannot_be_loaded_in_the_sandbox_is_no_fault_of_a_player(place: Path) -> None:
    """It reads a file beside it, of which nobody can know."""
    text = f"from pathlib import Path\nPath(__file__).with_name('sizes.txt').read_text()\n{NIM}"
    game = write_game(place / "games", text=text)
    (place / "games" / "sizes.txt").write_text("3 5 7")
    folder = write_own_suite(place / "suite", str(game))
    told = (
        f"{game}: this game cannot be loaded in the sandbox, where it finds the modules beside it"
        f" that it imports, but no other file: plyground.core.errors.GameFileError: {game}:2:"
        f" FileNotFoundError: [Errno 2] No such file or directory: '{game.parent}/sizes.txt'"
    )
    suite = load_suite(folder)
    journal = Journal(place / "results.jsonl", suite)
    with pytest.raises(GameNotLoaded) as refused:
        run_class(Plan(suite, [Submission("ann", {"player.py": PLAYER})]), journal, print)
    journal.close()
    assert str(refused.value) == told
    (place / "player.py").write_bytes(PLAYER)
    words = ("grade", game, place / "player.py", "--suite", folder, "--out", place / "out")
    assert refusal(*words) == told
    trusted = plyground(*words, "--trust")
    assert trusted.status == 0
    assert "first  AC" in trusted.output


def test_a_player_cannot_pretend_that_the_game_was_not_loaded(place: Path) -> None:
    folder = write_own_suite(write_game(place).parent, "my_game.py")
    pretends = b"""
import os
os.write(2, b"plyground.core.errors.GameFileError: my_game.py: FileNotFoundError")
os._exit(1)
def choose(position, clock): pass
"""
    assert grade_first(folder, pretends).verdict is Verdict.RUNTIME_ERROR


# Which file it is


def test_the_path_of_a_game_begins_at_the_folder_of_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(str(write_game(tmp_path)))
    monkeypatch.chdir(write_game(tmp_path / "elsewhere", text="not a game at all").parent)
    for name in ("../my_game.py", str(tmp_path / "my_game.py"), "./../suite/../my_game.py"):
        suite = load_suite(write_own_suite(tmp_path / "suite", name))
        assert suite.game is game
        monkeypatch.chdir(tmp_path)
        assert load_suite(Path("suite")).game is game
    write_own_suite(tmp_path / "suite", "my_game.py")
    with pytest.raises(
        PlygroundError, match=r"suite/suite\.json: cannot read .*/suite/my_game\.py"
    ):
        load_suite(tmp_path / "suite")


def test_the_same_file_by_another_path_is_the_same_game(tmp_path: Path) -> None:
    write_game(tmp_path)
    folder = write_own_suite(tmp_path / "suite", "../my_game.py")
    (tmp_path / "link.py").symlink_to(tmp_path / "my_game.py")
    (tmp_path / "other_folder").symlink_to(tmp_path, target_is_directory=True)
    for path in ("my_game.py", "suite/../my_game.py", "link.py", "other_folder/my_game.py"):
        suite = find_suite(find_game(str(tmp_path / path)), folder)
        assert suite.game.rules.path == str(tmp_path / "my_game.py")


def test_another_file_of_the_same_name_is_another_game(tmp_path: Path) -> None:
    mine, other = write_game(tmp_path / "a"), write_game(tmp_path / "b")
    folder = write_own_suite(tmp_path / "suite", "../a/my_game.py")
    with pytest.raises(PlygroundError) as refused:
        find_suite(find_game(str(other)), folder)
    assert (
        str(refused.value) == f"{folder / 'suite.json'}: this suite is for {mine}, not for {other}"
    )
    with pytest.raises(PlygroundError, match=rf"this suite is for {mine}, not for derby"):
        find_suite(find_game("derby"), folder)


def test_a_suite_for_ones_own_game_is_graded_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_game(tmp_path)
    write_own_suite(tmp_path / "suite", "../my_game.py")
    (tmp_path / "player.py").write_bytes(PLAYER)
    monkeypatch.chdir(tmp_path)
    ran = plyground("grade", "my_game.py", "player.py", "--suite", "suite", "--trust", "--json")
    assert ran.document[0]["results"][0]["verdict"] == "AC", ran
    monkeypatch.chdir(tmp_path / "suite")
    words = ("grade", "../my_game.py", "../player.py", "--suite", ".", "--trust", "--json")
    assert plyground(*words).document[0]["results"][0]["verdict"] == "AC"


def test_a_game_that_is_called_as_one_of_plygrounds_is_played_through_positions(
    tmp_path: Path,
) -> None:
    game = find_game(str(write_game(tmp_path, name="derby.py")))
    source = "class PlayerControllerMinimax: pass\ndef choose(position, clock): pass\n"
    assert find_interface(game, source).kind == "plain"
    assert find_interface(find_game("derby"), source).kind == "derby"


# Its files


def test_a_change_of_any_file_of_a_game_is_another_suite(tmp_path: Path) -> None:
    digests = set()
    for number, (first, second) in enumerate([("1", "1"), ("1", "2"), ("2", "1")]):
        folder = tmp_path / str(number)
        write_game(folder, text=f"import sizes\n{NIM}\nUNUSED = {first}\n")
        write_game(folder, text=f"FIRST = {second}\n", name="sizes.py")
        digests.add(suite_digest(load_suite(write_own_suite(folder, "my_game.py"))))
    assert len(digests) == 3


def test_a_game_of_plyground_has_no_files_to_show() -> None:
    assert game_files(find_game("derby")) == {}


def test_odd_imports_lead_nowhere(tmp_path: Path) -> None:
    odd = """
        try: from .... import far
        except ImportError: pass
        try: from .beside import near
        except ImportError: pass
        import json, plyground.core
    """
    text = textwrap.dedent(odd) + NIM
    write_game(tmp_path, text="(", name="broken.py")
    game = find_game(
        str(write_game(tmp_path, text=f"try: import broken\nexcept SyntaxError: pass{text}"))
    )
    assert sorted(path.name for path in game_files(game)) == ["broken.py", "my_game.py"]


def test_a_game_of_too_many_files_is_refused(tmp_path: Path) -> None:
    for number in range(MOST_FILES):
        write_game(tmp_path, text="", name=f"part_{number}.py")
    names = ", ".join(f"part_{number}" for number in range(MOST_FILES))
    game = find_game(str(write_game(tmp_path, text=f"import {names}\n{NIM}")))
    with pytest.raises(GameFileError, match="it imports more than 100 files or 16 MiB beside it"):
        game_files(game)
