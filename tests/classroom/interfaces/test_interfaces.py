"""The referee's side: which interface a file is for, what is asked, what an answer means."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom import interfaces
from plyground.classroom.interfaces import INSIDE, NoInterface, find_interface, interfaces_of
from plyground.classroom.interfaces.base import InvalidAnswer
from plyground.classroom.interfaces.breakthrough import BreakthroughInterface
from plyground.classroom.interfaces.derby import DerbyInterface, WrongSide
from plyground.classroom.interfaces.plain import PlainInterface
from plyground.classroom.interfaces.source import top_level_names
from plyground.core.errors import IllegalMove
from plyground.core.outcome import Ending
from plyground.core.registry import find_game, game_names
from plyground.players.player import Fault
from tests.classroom.student_processes import STUDENTS, play_game
from tests.paths import DOCS
from tests.random_play import random_game

PAGE = DOCS / "classroom-interfaces.md"
EXAMPLES = dict(re.findall(r"```python (\w+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))
DERBY, BREAKTHROUGH, TICTACTOE = map(find_game, ("derby", "breakthrough", "tictactoe"))
CONTROLLER = "class PlayerControllerMinimax: pass\n"
AGENT = "class Agent: pass\n"
CHOOSE = "def choose(position, clock): pass\n"


# Which interface


def kind_of(game: Any, source: str) -> str:
    return find_interface(game, source).kind


def test_a_file_is_taken_for_what_it_defines() -> None:
    assert kind_of(DERBY, CONTROLLER) == "derby"
    assert kind_of(BREAKTHROUGH, AGENT) == "breakthrough"
    for game in (DERBY, BREAKTHROUGH, TICTACTOE):
        assert kind_of(game, CHOOSE) == "plain"
    assert kind_of(DERBY, CHOOSE + CONTROLLER) == "derby"
    assert kind_of(BREAKTHROUGH, CONTROLLER + AGENT) == "breakthrough"


@pytest.mark.parametrize("file", sorted(STUDENTS.glob("*.py")), ids=lambda file: file.stem)
def test_a_file_in_the_style_of_courses_is_recognised(file: Path) -> None:
    kind = file.stem.partition("_")[0]
    game = DERBY if kind == "derby" else BREAKTHROUGH
    assert kind_of(game, file.read_text("utf-8")) == kind


@pytest.mark.parametrize(
    "source",
    [
        "from mine import choose",
        "from mine import best_move as choose",
        "choose = lambda position, clock: 0",
        "choose: object = print",
        "first, choose = 1, 2",
        "if True:\n    def choose(p, c): pass",
        "try:\n    import numpy\nexcept ImportError:\n    def choose(p, c): pass",
        "async def choose(p, c): pass",
        "def choose(position, clock):\n    return (",
        "x = '\\d'\ndef choose(position, clock): pass",
    ],
)
def test_a_name_may_be_given_its_meaning_in_any_way(source: str) -> None:
    assert kind_of(TICTACTOE, source) == "plain"


@pytest.mark.parametrize(
    "source",
    [
        *("", "# def choose", "def f():\n    def choose(p, c): pass", "class A:\n    choose = 1"),
        *("print(choose)", "text = '''\n''' 'def choose'", "(" * 100_000, "x = 1\0"),
    ],
    ids=range(8),
)
def test_a_name_that_is_only_mentioned_does_not_count(source: str) -> None:
    assert "choose" not in top_level_names(source)


def test_a_file_is_read_and_never_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    source = f"open({str(trace)!r}, 'w')\nraise SystemExit\n{CHOOSE}"
    assert kind_of(TICTACTOE, source) == "plain"
    assert not trace.exists()


def test_broken_syntax_is_judged_by_the_names_in_the_text() -> None:
    assert top_level_names("class Agent(:\n    def move(self): pass\ndef f(:") == {"Agent", "f"}


def test_what_a_file_lacks_is_told() -> None:
    with pytest.raises(NoInterface) as lacks:
        find_interface(DERBY, "x = 1")
    assert str(lacks.value) == (
        "player.py defines neither PlayerControllerMinimax nor choose(position, clock)"
    )
    with pytest.raises(NoInterface) as lacks:
        find_interface(BREAKTHROUGH, CONTROLLER, name="anna.py")
    assert str(lacks.value) == "anna.py defines neither a class Agent nor choose(position, clock)"
    with pytest.raises(NoInterface) as lacks:
        find_interface(TICTACTOE, AGENT)
    assert str(lacks.value) == "player.py defines no choose(position, clock)"
    with pytest.raises(NoInterface) as lacks:
        find_interface(DERBY, "class playerControllerMiniMax: pass")
    assert str(lacks.value).endswith("(names are spelt exactly so: PlayerControllerMinimax)")


def test_every_game_has_an_interface() -> None:
    for name in game_names():
        assert interfaces_of(find_game(name))[-1].kind == "plain"


# What is asked


@pytest.mark.parametrize("name", game_names())
def test_messages_are_json_and_short(name: str) -> None:
    game = find_game(name)
    for interface in interfaces_of(game):
        for position in random_game(game, 1)[:-1]:
            for message in (interface.begin(position, 0, None), interface.turn(position, 0.1)):
                line = json.dumps(message)
                assert json.loads(line) == json.loads(json.dumps(json.loads(line)))
                assert line.isascii()
                assert message["type"] in ("begin", "turn")


@pytest.mark.parametrize("name", game_names())
def test_nobody_knows_the_position_before_the_clock_runs(name: str) -> None:
    """The first message is not on the clock. Two boards of a game get the same one."""
    interface = PlainInterface()
    first, *_, last = random_game(find_game(name), 1)
    told = [json.dumps(interface.begin(position, 0, 0.1)) for position in (first, last)]
    assert told[0] == told[1]
    assert interface.turn(last, 0.1)["start"] == last.text


def test_the_codes_of_a_day_come_with_the_first_turn_and_not_before() -> None:
    start = DERBY.start({"board": "crowd"})
    interface = DerbyInterface()
    begin = json.dumps(interface.begin(start, 0, 0.075))
    assert len(begin) < 600, "no codes are known while the file is loaded"
    assert "codes" not in begin
    first = interface.turn(start, 0.075)
    assert {len(codes) for codes in first["codes"].values()} == {900}
    later = start.play("stay").play("stay")
    assert len(json.dumps(interface.turn(later, 0.075))) < 500


def test_where_red_moves_first_the_codes_come_all_the_same() -> None:
    start = DERBY.start({"board": "cove"}).play("stay")
    interface = DerbyInterface()
    interface.begin(start, 0, 0.075)
    assert {
        len(codes) for codes in interface.turn(start.play("stay"), 0.075)["codes"].values()
    } == {28}


def test_a_course_s_controller_plays_green_only() -> None:
    with pytest.raises(WrongSide) as wrong:
        DerbyInterface().begin(DERBY.start(), 1, 0.075)
    assert str(wrong.value) == (
        "PlayerControllerMinimax plays green; only choose(position, clock) can play red as well"
    )


# What an answer means


def answer(move: Any, **more: Any) -> dict[str, Any]:
    return {"type": "move", "move": move, "depth": None, **more}


def test_an_action_is_read_as_the_rules_take_it() -> None:
    interface, start = DerbyInterface(), DERBY.start({"board": "cove"})
    assert interface.read(answer("left"), start) == "left"
    assert interface.read(answer("up"), start) == "stay"  # the hook is at the surface
    text = json.loads(start.text)
    text["state"] = {
        "ply": 2,
        "hooks": [[4, 10], [13, 18]],
        "held": [0, None],
        "landed": [],
        "points": [0, 0],
    }
    holding = DERBY.position(json.dumps(text))
    for action in ("stay", "up", "down", "left", "right"):
        assert interface.read(answer(action), holding) == "up"


def test_cells_are_read_as_a_move() -> None:
    interface, start = BreakthroughInterface(), BREAKTHROUGH.start()
    assert start.play(interface.read(answer([[1, 0], [2, 1]]), start))
    assert interface.read(answer([[0, 0], [5, 5]]), start) == "a1f6"
    with pytest.raises(IllegalMove):
        start.play("a1f6")


def test_a_number_or_a_text_is_read_as_a_move() -> None:
    interface, start = PlainInterface(), TICTACTOE.start()
    assert interface.read(answer(start.legal_moves[3]), start) == "a2"
    assert interface.read(answer("b2"), start) == "b2"
    with pytest.raises(Fault, match="move number 99 is not legal here") as fault:
        interface.read(answer(99), start)
    assert fault.value.ending is Ending.ILLEGAL


GARBAGE: list[Any] = [None, True, 1.5, [], {}, "", "north", [[1, 2]], [[1, 2], 3], ["a2", "a3"]]
GARBAGE += [[[1, 2], [3, 4], [5, 6]], [[1, 2], [3, "4"]], [[1, 2], [2, True]], "x" * 5000]
GARBAGE += [[[1, 2], [2, 99]], [[-1, 0], [0, 0]], [[10**30, 0], [0, 0]], "a\ud800"]


@pytest.mark.parametrize("move", GARBAGE, ids=lambda move: repr(move)[:30])
def test_an_answer_that_is_no_move_is_garbage(move: Any) -> None:
    for interface in (DerbyInterface(), BreakthroughInterface(), PlainInterface()):
        position = find_game(interface.game or "tictactoe").start()
        if interface.kind == "plain" and move == "north":
            continue  # a text that names no move is an illegal move, not garbage
        with pytest.raises(InvalidAnswer) as garbage:
            interface.read(answer(move), position)
        assert garbage.value.ending is Ending.GARBAGE
        assert str(garbage.value).startswith("the player answered ")
        assert len(str(garbage.value)) < 200
        assert str(garbage.value).isprintable()


def test_garbage_is_told_in_the_players_own_words() -> None:
    said = answer(None, said="<object \x1b[31m at 0x7f>")
    with pytest.raises(InvalidAnswer) as garbage:
        DerbyInterface().read(said, DERBY.start())
    assert str(garbage.value) == (
        "the player answered <object ?[31m at 0x7f>; "
        "an action is one of the words stay, up, down, left, right"
    )


@pytest.mark.parametrize("line", [{}, {"type": "ready"}, {"type": ["move"], "move": "up"}])
def test_an_answer_of_another_type_is_garbage(line: dict[str, Any]) -> None:
    for interface in (DerbyInterface(), BreakthroughInterface(), PlainInterface()):
        with pytest.raises(InvalidAnswer, match="something else than a move"):
            interface.read(line, find_game(interface.game or "tictactoe").start())


def test_what_runs_beside_students_files_can_be_compiled_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "inside"
    shutil.copytree(INSIDE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(interfaces, "INSIDE", folder)
    interfaces.keep_compiled()
    interfaces.keep_compiled()
    kept = {path.name.partition(".")[0] for path in folder.rglob("*.pyc")}
    assert {"runner", "channel", "derby", "breakthrough", "plain", "game_tree"} <= kept


# The page that explains it all


def test_the_page_has_an_example_of_each_interface() -> None:
    assert list(EXAMPLES) == ["derby", "breakthrough", "plain"]


@pytest.mark.parametrize("kind", ["derby", "breakthrough", "plain"])
def test_an_example_of_the_page_plays_whole_games(kind: str, tmp_path: Path) -> None:
    game = TICTACTOE if kind == "plain" else find_game(kind)
    file = tmp_path / "player.py"
    file.write_text(EXAMPLES[kind], encoding="utf-8")
    interface = find_interface(game, EXAMPLES[kind])
    assert interface.kind == kind
    start = game.start({"board": "aquarium"} if kind == "derby" else None)
    ends = [play_game(file, interface, start, seed=seed) for seed in range(3)]
    assert sum(end.utility > 0 for end in ends) >= 2
