"""A game of a user that hangs, exits or is edited affects its own sessions only."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from plyground.core.errors import PlygroundError
from plyground.web.catalogue import Catalogue
from plyground.web.user_games import game_process
from tests.paths import EXAMPLES
from tests.web.fake_pool import Site, open_site

NIM = (EXAMPLES / "nim.py").read_text(encoding="utf-8")
SVG = (
    "\n\ndef svg(board, state):\n    {}\n    return '<svg xmlns=\"http://www.w3.org/2000/svg\"/>'\n"
)
AFTER_A1 = "while state.heaps[0] == 2: {}"
"""Does something once the first heap has lost one."""
EXITS = {
    "import sys; sys.exit(3)": "svg() raised SystemExit: 3",
    "import os; os._exit(3)": "svg() ended the process that it runs in (status 3)",
}


@pytest.fixture
def write_game(tmp_path: Path) -> Callable[[str], str]:
    def write(source: str) -> str:
        path = tmp_path / "mine.py"
        path.write_text(source, encoding="utf-8")
        return str(path)

    return write


def looping(function: str) -> str:
    """The game, with a function that never returns once the first heap has lost one."""
    if function == "svg":
        return NIM + SVG.format(AFTER_A1.format("pass"))
    return NIM.replace("    heap, taken =", "    while move == 1: pass\n    heap, taken =")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for a game longer than any test."""
    monkeypatch.setattr(game_process, "ANSWER_SECONDS", 1e6)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_process, "ANSWER_SECONDS", 1.0)


def play_other_games(site: Site) -> None:
    """Sessions, positions and lists answer, also those of the same file."""
    for game, moves in (("tictactoe", ["b2", "a1"]), ("mine", ["b1", "c1"])):
        with site.page(site.create(game)) as page:
            for move in moves:
                page.play(move)
    assert site.ask("/api/positions", {"game": "mine"}).status == 200
    assert {card["name"] for card in site.ask("/api/games").document} >= {"mine", "tictactoe"}
    assert site.ask("/api/tables").status == 200


@pytest.mark.parametrize("function", ["svg", "play"])
def test_while_a_game_hangs_all_other_sessions_answer_and_the_server_ends(
    tmp_path: Path, write_game: Callable[[str], str], patient: None, function: str
) -> None:
    with open_site(tmp_path, (write_game(looping(function)),)) as site, ExitStack() as stack:
        for _ in range(3):
            page = stack.enter_context(site.page(site.create("mine")))
            page.send("play", node=0, move="a1")
        play_other_games(site)
        # Leaving the block ends the server, and fails if it does not end.


@pytest.mark.parametrize("function", ["svg", "play"])
def test_a_function_that_does_not_end_is_told_and_the_game_goes_on(
    tmp_path: Path, write_game: Callable[[str], str], impatient: None, function: str
) -> None:
    file = write_game(looping(function))
    with open_site(tmp_path, (file,)) as site, site.page(site.create("mine")) as page:
        said = page.refusal("play", node=0, move="a1")
        assert said == f"{file}: {function}() did not end in 1 seconds; does it loop?"
        if function == "svg":
            page.send("takeback")
            page.until(lambda page: page.table["version"] > 2)
        page.play("b1")
        assert page.moves == ["b1"]


@pytest.mark.parametrize("exits", EXITS)
def test_a_game_that_ends_its_process_is_told_and_the_game_goes_on(
    tmp_path: Path, write_game: Callable[[str], str], exits: str
) -> None:
    file = write_game(NIM + SVG.format(AFTER_A1.format(exits)))
    with open_site(tmp_path, (file,)) as site, site.page(site.create("mine")) as page:
        assert page.refusal("play", node=0, move="a1") == f"{file}: {EXITS[exits]}"
        page.send("takeback")
        page.until(lambda page: page.table["version"] > 2)
        page.play("b1")
        play_other_games(site)


def test_the_code_of_a_file_runs_in_another_process(
    tmp_path: Path, write_game: Callable[[str], str]
) -> None:
    told = (
        "import os\n\nTITLE = str(os.getpid())\n\n\ndef picture(board, state):\n    return TITLE\n"
    )
    with open_site(tmp_path, (write_game(f"{NIM}\n\n{told}"),)) as site:
        (card,) = (card for card in site.ask("/api/games").document if card["name"] == "mine")
        view = site.ask("/api/positions", {"game": "mine"}).document
        for number in (card["title"], view["picture"]):
            assert number.isdecimal()
            assert int(number) != os.getpid()


def test_a_game_of_a_file_is_played_to_its_end_saved_and_opened_again(
    tmp_path: Path, write_game: Callable[[str], str]
) -> None:
    file = write_game(NIM)
    with open_site(tmp_path, (file,)) as site:
        name = site.create("mine")
        with site.page(name) as page:
            for move in ("a3", "b5", "c7"):
                table = page.play(move)
            assert table["result"]["reason"] == "First wins"
            assert page.refusal("play", node=3, move="a1") == "the game is over: First wins"
        record = site.ask(f"/api/tables/{name}/record").body.decode()
        assert f"game: {file}" in record
        again = site.ask("/api/open", {"name": "my.record", "text": record}).document["id"]
        assert site.ask(f"/api/tables/{name}/replay").status == 200
    with open_site(tmp_path, (file,)) as site:
        for part in ("nodes", "main", "result", "view"):
            assert site.table(name)[part] == table[part]
        for part in ("main", "result"):
            assert site.table(again)[part] == table[part]


# Edited files


@pytest.fixture
def mine(tmp_path: Path, write_game: Callable[[str], str]) -> Iterator[Site]:
    with open_site(tmp_path, (write_game(NIM),)) as site:
        yield site


def test_a_new_game_has_the_rules_of_the_edited_file_and_the_page_of_the_old_one_says_so(
    mine: Site, write_game: Callable[[str], str]
) -> None:
    with mine.page(mine.create("mine")) as old:
        old.play("c7")
        assert old.notices == []
        write_game(NIM.replace("(3, 5, 7)", "(3, 5, 9)"))
        old.play("a1")
        old.until(lambda page: bool(page.notices))
        assert old.notices == [
            "the file mine.py has changed; this game keeps its rules, a new game has the new ones"
        ]
        old.play("a1")
        with mine.page(mine.create("mine")) as new:
            new.play("c9")
            assert new.notices == []
        assert len(old.notices) == 1


def test_an_edited_game_is_not_played_by_the_computer(
    mine: Site, write_game: Callable[[str], str]
) -> None:
    players = [{"kind": "human"}, {"kind": "engine", "depth": 1}]
    with mine.page(mine.create("mine", players=players)) as page:
        write_game(NIM.replace("(3, 5, 7)", "(3, 5, 9)"))
        page.play("c7")
        page.until(lambda page: bool(page.table["paused"]))
        assert page.errors[-1]["message"] == (
            "the file mine.py has changed: start a new game to play against it; the game is paused"
        )


def test_a_file_that_was_broken_is_listed_as_it_was_and_a_new_game_is_told_why(
    mine: Site, write_game: Callable[[str], str]
) -> None:
    with mine.page(mine.create("mine")) as page:
        file = write_game("def start(:\n")
        assert "mine" in [card["name"] for card in mine.ask("/api/games").document]
        for _ in range(2):
            said = mine.refusal(422, "/api/tables", {"game": "mine"})
            assert said.startswith(f"{file}:1: syntax error:")
        page.play("b1")
        write_game(NIM)
        assert mine.create("mine")


def test_a_file_that_cannot_be_loaded_ends_the_start(
    tmp_path: Path, write_game: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_process, "START_SECONDS", 2.0)
    for source, problem in (
        ("import sys; sys.exit(1)", "the file raised SystemExit: 1"),
        ("import os; os._exit(1)", r"the file ended the process that it runs in \(status 1\)"),
        ("while True: pass", "the file did not end in 2 seconds"),
        ("1 // 0", "ZeroDivisionError"),
    ):
        with pytest.raises(PlygroundError, match=problem):
            Catalogue([write_game(source)])
