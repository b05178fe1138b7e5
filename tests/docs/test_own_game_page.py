"""The page `docs/own-game.md` is true: its code is a game, and its messages are the real ones."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from plyground.cli.main import run
from plyground.core.errors import PlygroundError
from plyground.core.registry import find_game
from plyground.search.conformance import CheckStatus, check_game
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits
from tests.paths import DOCS

PAGE = (DOCS / "own-game.md").read_text()
SOURCE = "\n\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))


@pytest.fixture
def domineering(tmp_path: Path) -> Path:
    path = tmp_path / "domineering.py"
    path.write_text(SOURCE)
    return path


def test_the_code_of_the_page_is_a_game_that_keeps_the_contract(domineering: Path) -> None:
    findings = list(check_game(find_game(str(domineering))))
    assert [finding for finding in findings if finding.status is not CheckStatus.PASSED] == []


def test_the_game_of_the_page_has_the_known_winners(domineering: Path) -> None:
    """The first player wins on squares of 2, 3 and 4 cells a side, the second on 5."""
    game = find_game(str(domineering))
    engine = Engine(game, memory=4)
    for side, winner in ((2, "Upright"), (3, "Upright"), (4, "Upright"), (5, "Flat")):
        result = engine.search(game.start({"rows": side, "columns": side}), Limits(depth=40))
        assert result.proven
        assert result.value_text.startswith(f"{winner} wins in ")


def test_the_drawing_of_the_page_can_be_played_on(domineering: Path) -> None:
    position = find_game(str(domineering)).start({"rows": 2, "columns": 3})
    assert position.cells == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert [position.touches(move) for move in position.legal_moves] == [("a1",), ("b1",), ("c1",)]
    assert position.play("b1").svg().count("data-kind=") == 2


def test_the_session_of_the_page_goes_as_shown(
    domineering: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(domineering.parent)
    session = "".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, "own-game.md", None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_commands_of_the_page_work(
    domineering: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(domineering.parent)
    commands = [line.split()[2:] for line in PAGE.splitlines() if line.startswith("$ plyground ")]
    assert [command[0] for command in commands] == [
        *("new", "play", "check"),
        *("check", "play", "search", "perft"),
    ]
    for command in commands:
        if command[0] != "play":  # it would wait for a person
            assert run(command) == 0
            assert capsys.readouterr().out


MISTAKES = [
    ("def utility(", "def utilty(", "the game lacks utility()"),
    (
        "def play(board: Board, state: State, move: int)",
        "def play(state: State, move: int)",
        "play() must take 3 arguments: play(board, state, move)",
    ),
    (
        "    taken: Bits\n",
        "    taken: list[int]\n",
        "State.taken must be int, bool, Bits or a fixed tuple of them such as tuple[int, int]",
    ),
    (
        "    turn: int\n",
        "    player: int\n",
        "whose turn is it? Give State a field 'turn' or write turn(board, state)",
    ),
    (
        "MAX_MOVES = 56",
        "MAX_MOVES = 10",
        "if a position can have more than 10 moves, set MAX_MOVES",
    ),
    (
        "return places(board, state, state.turn) == 0",
        "return state.taken == board.cells",
        "moves() lists no move, but over() says that the game goes on",
    ),
    (
        "return State(state.taken |",
        "State(state.taken |",
        "play() must return a State, not None",
    ),
    (
        "return 10 * (popcount",
        "return (10 - 20 * state.turn) * (popcount",
        "it must always be the first player's, not that of the player to move",
    ),
    (
        "return -1 if state.turn == 0 else 1",
        "return 1 if state.turn == 0 else -1",
        "contradict each other near the end of the game",
    ),
    (
        "found = drop_lowest(found)",
        "found &= found - 1",
        "compiled, a Bits word combined with a plain number is no longer a word",
    ),
    (
        "    other_half = move +",
        '    steps = {"up": 1}\n    steps["side"] = "two"\n    other_half = move +',
        "play() cannot be compiled",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "message"), MISTAKES)
def test_a_mistake_gets_the_message_that_the_page_shows(
    domineering: Path, right: str, wrong: str, message: str
) -> None:
    assert right in SOURCE
    assert f"`{message}`" in " ".join(PAGE.split())
    domineering.write_text(SOURCE.replace(right, wrong))
    problems = problems_of(domineering)
    assert any(message in problem for problem in problems), problems
    assert all(str(domineering) in problem for problem in problems), problems


def problems_of(path: Path) -> list[str]:
    """What `check` says against a game."""
    try:
        findings = list(check_game(find_game(str(path))))
    except PlygroundError as error:
        return [str(error)]
    return [finding.message for finding in findings if finding.status is CheckStatus.FAILED]
