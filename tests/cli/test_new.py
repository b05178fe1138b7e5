"""`plyground new`: the game that it writes plays and keeps the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.core.registry import find_game
from plyground.search.conformance import CheckStatus, check_game
from tests.cli.runner import plyground, refusal


@pytest.fixture
def game_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ran = plyground("new", "my_game.py")
    assert (ran.status, ran.errors) == (0, "")
    assert ran.output.startswith("wrote my_game.py: a game that already plays;")
    return tmp_path / "my_game.py"


def test_what_is_written_keeps_the_contract(game_file: Path) -> None:
    findings = list(check_game(find_game(str(game_file))))
    assert [found for found in findings if found.status is not CheckStatus.PASSED] == []
    assert findings[-1].name == "compiled"


@pytest.mark.usefixtures("game_file")
def test_what_is_written_can_be_played_to_its_end() -> None:
    ran = plyground("play", "my_game.py", "--side", "both", typed="3\n1\n3\n1\n3\n1\n3\n")
    assert "Ann> 3\n\n  o o o o o o o o o o o o (12)\n" in ran.output
    assert ran.output.endswith("1-0  Ann wins: Ann took the last stone\n")


@pytest.mark.usefixtures("game_file")
def test_the_engine_plays_it_perfectly() -> None:
    ran = plyground("search", "my_game.py", "--depth", "20", "--quiet", "--json").document
    assert (ran["move"], ran["value_text"]) == ("3", "Ann wins in 7 plies")
    assert (
        plyground(
            "search", "my_game.py", "-o", "stones=16", "--depth", "20", "--quiet", "--json"
        ).document["value_text"]
        == "Bob wins in 8 plies"
    )


def test_its_comments_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "hexes.py"
    assert plyground("new", file).status == 0
    text = file.read_text(encoding="utf-8")
    assert "plyground check hexes.py" in text
    assert "my_game.py" not in text


def test_no_file_is_written_over(game_file: Path) -> None:
    game_file.write_text("precious")
    assert refusal("new", game_file) == (
        f"{game_file} is there already, and is left as it is; give another name"
    )
    assert game_file.read_text() == "precious"


def test_a_game_is_a_python_file(tmp_path: Path) -> None:
    path = tmp_path / "my_game.txt"
    assert refusal("new", path) == f"{path}: a game is a Python file, so its name ends in .py"
    path = tmp_path / "nowhere" / "my_game.py"
    assert refusal("new", path) == f"{path}: cannot write: No such file or directory"
