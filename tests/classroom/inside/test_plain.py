"""Students' functions `choose(position, clock)`, which play any game."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.classroom.interfaces import find_interface
from plyground.classroom.interfaces.plain import PlainInterface
from plyground.core.game import Options
from plyground.core.registry import find_game, game_names
from tests.classroom.student_processes import STUDENTS, StudentProcess, play_game
from tests.paths import EXAMPLES
from tests.random_play import random_game

TWO_PLIES = STUDENTS / "plain_two_plies.py"
SHORT: dict[str, Options] = {"derby": {"board": "random", "plies": 8}}
"""Options that make a game short."""


def chooser(folder: Path, code: str) -> Path:
    file = folder / "player.py"
    file.write_text(f"import time\ndef choose(position, clock):\n    {code}\n")
    return file


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_played_by_the_same_file(name: str) -> None:
    game = find_game(name)
    options = SHORT.get(name)
    interface = find_interface(game, TWO_PLIES.read_text(), options=options)
    start = game.start(options)
    with StudentProcess("plain", TWO_PLIES) as student:
        assert student.ask(interface.begin(start, 0, 1.0)) == {"type": "ready"}
        position = start
        for _ in range(12):
            answer = student.ask(interface.turn(position, 1.0))
            assert answer is not None, student.errors()
            assert answer["depth"] == 2
            position = position.play(interface.read(answer, position))
            if position.is_over:
                break
        student.tell({"type": "over"})
        assert student.status() == 0


def test_either_side_can_be_played() -> None:
    game = find_game("connectfour")
    for side in (0, 1):
        end = play_game(TWO_PLIES, PlainInterface(), game.start(), side=side, seed=side)
        assert end.outcome.winner == side  # against random moves


@pytest.mark.parametrize("name", game_names())
def test_a_position_arrives_as_it_was_sent(name: str, tmp_path: Path) -> None:
    file = chooser(tmp_path, "return str(position.state)[:150], len(position.past)")
    game, interface = find_game(name), PlainInterface()
    positions = random_game(game, 2, SHORT.get(name))[:-1]
    with StudentProcess("plain", file) as student:
        student.ask(interface.begin(positions[0], 0, 1.0))
        for position in positions:
            answer = student.ask(interface.turn(position, 1.0))
            assert answer is not None, student.errors()
            assert answer["move"] == str(position.state)[:150]
            assert answer["depth"] == len(position.past)


def test_the_board_arrives_as_it_was_made(tmp_path: Path) -> None:
    file = chooser(tmp_path, "return str([part for part in position.board if type(part) is int])")
    for name, options in (("breakthrough", {"rows": 8}), ("connectfour", {"columns": 5})):
        start = find_game(name).start(options)
        interface = PlainInterface(options)
        with StudentProcess("plain", file) as student:
            student.ask(interface.begin(start, 0, 1.0))
            answer = student.ask(interface.turn(start, 1.0))
        assert answer is not None
        assert answer["move"] == str([part for part in start.board if type(part) is int])[:200]


def test_options_go_with_a_position_that_does_not_say_them(tmp_path: Path) -> None:
    game = find_game(str(EXAMPLES / "kalah.py"))
    options = {"seeds": 2}
    interface = find_interface(game, TWO_PLIES.read_text(), options=options)
    end = play_game(TWO_PLIES, interface, game.start(options), seed=4)
    assert end.is_over


def test_a_game_of_ones_own_may_hold_any_letter(tmp_path: Path) -> None:
    rules = (EXAMPLES / "nim.py").read_text()
    folder = tmp_path / "sp\u00e9cial \U0001f41f"
    folder.mkdir()
    (folder / "game.py").write_text(rules)
    game = find_game(str(folder / "game.py"))
    assert play_game(TWO_PLIES, PlainInterface(), game.start()).is_over


@pytest.mark.parametrize("name", game_names())
def test_nothing_is_imported_while_the_clock_runs(name: str, tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text(
        "import sys\n"
        "loaded = set(sys.modules)\n"
        "def choose(position, clock):\n"
        "    return ' '.join(sys.modules.keys() - loaded) or 'nothing'\n"
    )
    start, interface = find_game(name).start(SHORT.get(name)), PlainInterface()
    with StudentProcess("plain", file) as student:
        student.ask(interface.begin(start, 0, 1.0))
        answer = student.ask(interface.turn(start, 1.0))
        assert answer is not None, student.errors()
        assert answer["move"] == "nothing"


def test_the_clock_tells_how_long_a_move_may_take(tmp_path: Path) -> None:
    code = (
        "return repr((clock.seconds, 0 < clock.deadline - time.monotonic() <= clock.seconds,"
        " 0 < clock.left <= clock.seconds, 'Clock' in repr(clock)))"
    )
    start, interface = find_game("tictactoe").start(), PlainInterface()
    with StudentProcess("plain", chooser(tmp_path, code)) as student:
        student.ask(interface.begin(start, 0, 20.0))
        for seconds, told in ((20.0, "20.0"), (7.5, "7.5"), (None, "inf")):
            answer = student.ask(interface.turn(start, seconds))
            assert answer is not None, student.errors()
            assert answer["move"] == f"({told}, True, True, True)"


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("return 4", {"move": 4, "depth": None}),
        ("return 4, 7", {"move": 4, "depth": 7}),
        ("return 'b2'", {"move": "b2", "depth": None}),
        ("return 'b2', 'deep'", {"move": "b2", "depth": None}),
        ("return True", {"move": None, "said": "True", "depth": None}),
        ("pass", {"move": None, "said": "None", "depth": None, "where": "choose, line 3"}),
        ("return 4.0", {"move": None, "said": "4.0", "depth": None}),
        ("return 2 ** 70", {"move": None, "said": str(2**70), "depth": None}),
        ("return [4]", {"move": None, "said": "[4]", "depth": None}),
    ],
)
def test_a_move_is_a_number_or_a_text_and_may_come_with_a_depth(
    code: str, answer: dict[str, object], tmp_path: Path
) -> None:
    start, interface = find_game("tictactoe").start(), PlainInterface()
    with StudentProcess("plain", chooser(tmp_path, code)) as student:
        student.ask(interface.begin(start, 0, 1.0))
        assert student.ask(interface.turn(start, 1.0)) == {"type": "move", **answer}


def test_a_file_without_the_function_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text("choose = 3\n")
    with StudentProcess("plain", file) as student:
        assert student.ask(PlainInterface().begin(find_game("tictactoe").start(), 0, 1.0)) is None
        assert student.status() == 1
        assert student.errors() == "player.py: there is no function choose(position, clock)\n"
