"""A user's game in a pickle for another machine."""

from __future__ import annotations

import pickle
import shutil
import tempfile
from pathlib import Path

import pytest

from plyground.core.errors import FileError
from plyground.core.game import Game
from plyground.core.registry import find_game
from plyground.executor.identity import difference, identity
from plyground.executor.shipping import pickle_for_others
from tests.paths import EXAMPLES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a game of two files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    place = tmp_path / "games"
    place.mkdir()
    nim = (EXAMPLES / "nim.py").read_text()
    (place / "mine.py").write_text(nim + "\nfrom beside import SECRET\n")
    (place / "beside.py").write_text("SECRET = 7\n")
    (place / "unrelated.py").write_text("")
    return place


def test_a_game_travels_with_its_neighbours(folder: Path) -> None:
    game = find_game(str(folder / "mine.py"))
    pickled = pickle_for_others((game, game.start()))
    shutil.rmtree(folder)
    copy, start = pickle.loads(pickled)
    assert copy.name == "mine"
    assert start.game is copy
    assert type(start.state) is copy.rules.state_class, "not that of the first game"
    place = Path(copy.rules.path).parent
    assert sorted(path.name for path in place.glob("*.py")) == ["beside.py", "mine.py"]
    assert pickle.loads(pickled)[0] is copy, "the same files are loaded once"


def test_a_built_in_game_stays_a_name() -> None:
    game = find_game("derby")
    assert len(pickle_for_others(game)) < 100
    assert pickle.loads(pickle_for_others(game)) is game


def test_a_changed_game_takes_its_file_along(folder: Path) -> None:
    game = find_game(str(folder / "mine.py")).replace(name="other", evaluate=zero)
    pickled = pickle_for_others(game)
    shutil.rmtree(folder)
    copy: Game = pickle.loads(pickled)
    assert copy.name == "other"
    assert copy.start().text == game.start().text


def zero(board: object, state: object) -> int:
    return 0


def test_a_folder_that_others_can_write_to_is_not_used(folder: Path) -> None:
    pickled = pickle_for_others(find_game(str(folder / "mine.py")))
    pickle.loads(pickled)
    (place,) = Path(tempfile.gettempdir()).glob("plyground-shipped-*")
    place.chmod(0o777)
    with pytest.raises(FileError, match="others can write to this folder; remove it"):
        pickle.loads(pickled)


def test_what_differs_between_two_machines_is_named() -> None:
    ours = identity()
    assert difference(ours, dict(ours)) is None
    theirs = {**ours, "Python": "2.7"}
    assert difference(ours, theirs) == f"Python is 2.7 there, and {ours['Python']} here"
    assert difference(ours, {}) == f"plyground is not known there, and {ours['plyground']} here"
