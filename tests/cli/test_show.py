"""`plyground games` and `plyground show`: what people and programs are told of games."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyground.core.outcome import Outcome
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game, game_names
from tests.cli.runner import plyground, refusal
from tests.paths import EXAMPLES


def test_games_are_listed_with_their_options() -> None:
    ran = plyground("games")
    assert ran.status == 0
    row = next(line for line in ran.output.splitlines() if line.startswith("breakthrough"))
    assert row.split()[:6] == [
        "breakthrough",
        "Breakthrough",
        "White",
        "and",
        "Black",
        "rows=6",
    ]
    assert all(line == line.rstrip() for line in ran.output.splitlines())


def test_games_as_json_name_every_game() -> None:
    listed = plyground("games", "--json").document
    assert [game["name"] for game in listed] == game_names()
    by_name = {game["name"]: game for game in listed}
    assert by_name["blocker"]["choices"]["stuck"] == ["either", "mover"]
    assert by_name["breakthrough"] == {
        "name": "breakthrough",
        "title": "Breakthrough",
        "players": ["White", "Black"],
        "summary": find_game("breakthrough").summary,
        "options": {"rows": 6, "columns": 6},
        "choices": {},
        "option_texts": find_game("breakthrough").option_texts,
        "rules": find_game("breakthrough").rules_text,
    }


def test_a_game_is_explained_with_its_options_and_its_rules() -> None:
    blocker = find_game("blocker")
    output = plyground("games", "blocker").output
    assert output.startswith("game     Blocker\nplayers  A and B\nsummary  Two agents eat")
    row = next(line for line in output.splitlines() if line.startswith("seed"))
    assert row.split(maxsplit=2) == ["seed", "0", blocker.option_texts["seed"]]
    assert " (either, mover)\n" in output
    assert output.endswith(f"\n\n{blocker.rules_text}\n")
    (alone,) = (game for game in plyground("games", "--json").document if game["name"] == "blocker")
    assert plyground("games", "blocker", "--json").document == alone


def test_a_game_of_ones_own_is_explained_by_its_docstring() -> None:
    output = plyground("games", EXAMPLES / "kalah.py").output
    assert "\nseeds    4\n" in output
    assert "\n* in your store: you move again;\n" in output


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_shown(name: str) -> None:
    position = find_game(name).start()
    ran = plyground("show", name)
    assert ran.status == 0
    assert ran.output.startswith(position.picture)
    assert f"turn        {position.game.players[0]}\n" in ran.output


def test_a_position_is_shown_with_its_moves_and_evaluation() -> None:
    ran = plyground("show", "tictactoe", "xo1/1x1/2o x")
    assert ran.output == (
        " 3  x o .\n"
        " 2  . x .\n"
        " 1  . . o\n"
        "\n"
        "    a b c\n"
        "\n"
        "position    xo1/1x1/2o x\n"
        "turn        X\n"
        "moves       5: a1 b1 a2 c2 c3\n"
        "evaluation  X +1\n"
    )


def test_a_finished_game_is_shown_with_its_result() -> None:
    ran = plyground("show", "tictactoe", "--moves", "a1 a2 b1 b2 c1")
    assert ran.output.endswith("result    1-0, X has three in a line\n")


def test_a_position_as_json() -> None:
    assert plyground("show", "tictactoe", "xo1/1x1/2o x", "--json").document == {
        "game": "tictactoe",
        "position": "xo1/1x1/2o x",
        "over": False,
        "turn": "X",
        "moves": ["a1", "b1", "a2", "c2", "c3"],
        "evaluation": 1,
    }


def test_a_finished_game_as_json() -> None:
    assert plyground("show", "tictactoe", "xxx/oo1/3 o", "--json").document == {
        "game": "tictactoe",
        "position": "xxx/oo1/3 o",
        "over": True,
        "winner": "X",
        "score": "1-0",
        "utility": 1,
        "reason": "X has three in a line",
    }


def test_a_draw_has_no_winner_as_json() -> None:
    document = plyground("show", "tictactoe", "xox/xxo/oxo o", "--json").document
    assert (document["winner"], document["score"]) == (None, "1/2-1/2")


def test_a_position_is_read_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("xo1/1x1/2o x\n", encoding="utf-8-sig")
    expected = plyground("show", "tictactoe", "xo1/1x1/2o x").output
    assert plyground("show", "tictactoe", path).output == expected
    assert plyground("show", "tictactoe", "-", typed="xo1/1x1/2o x\n").output == expected


def test_options_and_moves_lead_to_a_position() -> None:
    ran = plyground(
        "show", "breakthrough", "-o", "rows=5", "-o", "columns=3", "--moves", "a2a3,b4b3"
    )
    assert "position    bbb/b1b/wb1/1ww/www w\n" in ran.output


def test_a_picture_is_written_as_svg(tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    plyground("show", "breakthrough", "--svg", path)
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")
    assert [file.name for file in tmp_path.iterdir()] == ["picture.svg"]


def test_a_game_of_ones_own_needs_no_registration() -> None:
    ran = plyground("show", EXAMPLES / "nim.py", "--moves", "a3 b5")
    assert "position  heaps=0,0,7 turn=0\n" in ran.output
    assert "evaluation" not in ran.output  # the file has none


# Recorded games


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.record"
    begun = GameRecord.begin(
        find_game("tictactoe").start(), players=("Ada", "engine"), date="2025-11-15", clock="1 s"
    )
    begun = begun.append("b2", seconds=2.5, comment="the middle")
    begun = begun.append("a1", seconds=0.25, evaluation=3, depth=7)
    begun.ended(Outcome.resignation(0, "X")).save(path)
    return path


def test_a_record_is_shown_move_by_move(record: Path) -> None:
    assert plyground("show", record).output == (
        "game     tictactoe\n"
        "players  Ada and engine\n"
        "date     2025-11-15\n"
        "clock    1 s\n"
        "result   0-1, X resigned\n"
        "\n"
        "ply   player   move   value   depth     time   comment\n"
        "─────────────────────────────────────────────────────────\n"
        "  1   X        b2                     2.50 s   the middle\n"
        "  2   O        a1      X +3       7   250 ms\n"
        "\n"
        " 3  . . .\n"
        " 2  . x .\n"
        " 1  o . .\n"
        "\n"
        "    a b c\n"
        "\n"
        "position    3/1x1/o2 x\n"
        "turn        X\n"
        "moves       7: b1 c1 a2 c2 a3 b3 c3\n"
        "evaluation  X +1\n"
    )


def test_a_record_is_shown_at_any_ply(record: Path) -> None:
    assert "position    3/1x1/3 o\n" in plyground("show", record, "--ply", "1").output
    assert refusal("show", record, "--ply", "3") == "--ply 3: the game has 2 moves"
    assert refusal("show", record, "--ply", "-1") == "--ply -1: the game has 2 moves"


def test_a_record_as_json(record: Path) -> None:
    document = plyground("show", record, "--ply", "0", "--json").document
    assert [ply["move"] for ply in document["record"]["moves"]] == ["b2", "a1"]
    assert document["shown"]["position"] == "3/3/3 x"


def test_a_record_says_itself_what_else_is_shown(record: Path) -> None:
    assert refusal("show", record, "--moves", "a1") == (
        "--moves goes with a game, which is not what is shown here"
    )


def test_a_record_of_ones_own_game_is_shown_with_its_rules(tmp_path: Path) -> None:
    rules, path = EXAMPLES / "nim.py", tmp_path / "nim.record"
    GameRecord.from_moves(find_game(str(rules)).start(), ["a3", "b5"]).save(path)
    assert "a program: it is run only if it is given" in refusal("show", path)
    ran = plyground("show", path, "--game", rules)
    assert "heaps=0,0,7 turn=0" in ran.output


def test_a_file_that_is_no_record_is_told(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("nothing of the kind\n")
    assert str(path) in refusal("show", path)


def test_a_file_called_like_a_game_does_not_hide_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tictactoe").write_text("no record")
    monkeypatch.chdir(tmp_path)
    assert plyground("show", "tictactoe").status == 0
