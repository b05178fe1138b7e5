"""The engine behind a pipe: every command, answered in this process."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from plyground.core.errors import GameFileError
from plyground.core.game import Game, Options
from plyground.core.registry import find_game
from plyground.protocol import server
from plyground.protocol.server import EngineServer
from plyground.search.searcher import RandomSearcher

PATIENCE = 120.0
"""Seconds. Nothing here takes long, but the machine may be busy."""


class Client:
    """Talks with a server that runs in a thread."""

    def __init__(self, game: Game, options: Options | None = None) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        made = EngineServer(game, options, write=self._answers.put)
        self._thread = threading.Thread(target=made.serve, args=[self._typed()], daemon=True)
        self._thread.start()

    def _typed(self) -> Iterator[str]:
        while (line := self._lines.get()) is not None:
            yield f"{line}\n"

    def send(self, *lines: str) -> None:
        for line in lines:
            self._lines.put(line)

    def next(self) -> str:
        return self._answers.get(timeout=PATIENCE)

    def until(self, start: str) -> list[str]:
        """The next lines, up to the first that starts so."""
        lines = [self.next()]
        while not lines[-1].startswith(start):
            lines.append(self.next())
        return lines

    def ask(self, *lines: str) -> str:
        self.send(*lines)
        return self.next()

    def close(self) -> list[str]:
        """End the input: the lines that had not been read."""
        self._lines.put(None)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        rest = []
        while not self._answers.empty():
            rest.append(self._answers.get())
        return rest


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client(find_game("tictactoe"))
    yield client
    client.close()


@pytest.fixture
def breakthrough() -> Iterator[Client]:
    client = Client(find_game("breakthrough"))
    yield client
    client.close()


def test_it_introduces_itself_and_declares_its_options(client: Client) -> None:
    client.send("ugi")
    lines = client.until("ugiok")
    assert lines[0].startswith("id name plyground ")
    assert lines[0].endswith(" Tic-tac-toe")
    assert lines[1].startswith("id author ")
    names = [line.partition(" name ")[2].partition(" type ")[0] for line in lines[2:-1]]
    assert names == ["Hash", "Threads", "Features", "Evaluation", "Move Overhead"]
    assert lines[-1] == "ugiok"
    assert client.ask("isready") == "readyok"


def test_it_is_ready_once_positions_can_be_read(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game may import much for its first position, and `go` may follow that at once."""
    order: list[str] = []
    monkeypatch.setattr(Game, "preload", lambda game: order.append(game.name))
    for _ in range(2):
        assert client.ask("isready") == "readyok"
        assert order == ["tictactoe"], "the first time only: it may be asked before every move"


def test_queries(client: Client) -> None:
    assert client.ask("query p1turn") == "response true"
    assert client.ask("query result") == "response none"
    assert client.ask("position startpos moves a1", "query p1turn") == "response false"
    assert client.ask("query gameover") == "response false"
    over = {
        "a1 a2 b1 b2 c1": "p1win",
        "a1 a2 b1 b2 c3 c2": "p2win",
        "b2 a1 c1 a3 a2 c2 b1 b3 c3": "draw",
    }
    for moves, result in over.items():
        client.send(f"position startpos moves {moves}")
        assert client.ask("query gameover") == "response true"
        assert client.ask("query result") == f"response {result}"


def test_a_position_with_or_without_an_escape_and_with_moves(client: Client) -> None:
    for fen in ("xo1/1x1/2o x", "xo1/1x1/2o%20x"):
        client.send(f"position fen {fen}", "go depth 9")
        assert client.until("bestmove")[-1] == "bestmove a1"
        client.send(f"position fen {fen} moves a1 c3", "go depth 9")
        assert client.until("bestmove")[-1] == "bestmove a2"


def test_a_search_reports_every_depth_from_the_view_of_the_side_to_move(client: Client) -> None:
    client.send("position fen xo1/1x1/2o%20x", "go depth 9")
    *infos, best = client.until("bestmove")
    words = infos[-1].split()
    assert words[:5] == ["info", "depth", "2", "seldepth", "3"]
    assert words[5:8] == ["score", "mate", "2"]
    assert [words[place] for place in (8, 10, 12, 14)] == ["nodes", "nps", "time", "pv"]
    assert all(word.isdigit() for word in (words[9], words[11], words[13]))
    assert words[15:] == ["a1", "c3", "a2"]
    assert best == "bestmove a1"
    client.send("position fen xo1/1x1/2o%20x moves a1", "go depth 9")
    assert "score mate -1" in client.until("bestmove")[-2]


def test_a_limit_of_nodes_and_a_game_without_a_move(client: Client) -> None:
    client.send("go nodes 100")
    assert client.until("bestmove")[-1] != "bestmove 0000"
    client.send("position startpos moves a1 a2 b1 b2 c1", "go depth 3")
    lines = client.until("bestmove")
    assert lines == [
        "info string the game is over (X has three in a line): there is no move",
        "bestmove 0000",
    ]


def test_commands_are_read_while_it_searches_and_stop_stops(breakthrough: Client) -> None:
    breakthrough.send("go infinite")
    assert breakthrough.next().startswith("info depth 1 ")
    breakthrough.send("isready")
    breakthrough.until("readyok")
    for refused in ("go depth 1", "position startpos", "setoption name Hash value 1", "ugi"):
        breakthrough.send(refused)
        answer = breakthrough.until("info string")[-1]
        assert answer.endswith(" is refused while a search runs: stop it first")
    breakthrough.send("stop")
    breakthrough.until("bestmove")
    assert breakthrough.ask("query p1turn") == "response true"


def test_an_infinite_search_that_has_proven_its_result_waits_for_stop(client: Client) -> None:
    client.send("position fen xo1/1x1/2o%20x", "go infinite")
    while "score mate" not in client.next():
        pass
    assert client.ask("query p1turn") == "response true"
    client.send("stop")
    assert client.next() == "bestmove a1"
    client.send("go")
    client.until("info depth 2")
    assert client.ask("stop") == "bestmove a1"


@pytest.mark.parametrize(
    "go", ["go p1time 300 p2time 1", "go movetime 20", "go p1time 50 p1inc 100 movestogo 3"]
)
def test_limits_of_time_end_a_search(breakthrough: Client, go: str) -> None:
    breakthrough.send(go)
    assert breakthrough.until("bestmove")[-1].startswith("bestmove ")


def test_the_clock_is_that_of_the_side_to_move(breakthrough: Client) -> None:
    """The other side's would last for hours."""
    breakthrough.send("position startpos moves a2a3", "go p1time 90000000 p2time 200")
    breakthrough.until("bestmove")


def test_options_change_the_search(client: Client) -> None:
    client.send(
        "setoption name hash value 1",
        "setoption name Threads value 2",
        "setoption name Features value exact",
        "setoption name Move Overhead value 0",
        "isready",
    )
    assert client.next() == "readyok"
    client.send("position fen x2/3/3%20o", "go depth 3")
    exact = client.until("bestmove")
    client.send("setoption name Features value play", "setoption name Threads value 1")
    client.send("uginewgame", "position fen x2/3/3%20o", "go depth 3")
    assert client.until("bestmove")[-2] != exact[-2]


def test_an_evaluation_can_be_chosen(breakthrough: Client) -> None:
    scores = {}
    for evaluation in ("own", "none", "learned", "automatic"):
        breakthrough.send(f"setoption name Evaluation value {evaluation}", "isready")
        breakthrough.send("position startpos moves c2c3 a5a4 c3c4", "go depth 1")
        [line] = [line for line in breakthrough.until("bestmove") if " score " in line]
        scores[evaluation] = line.split(" score ")[1].split(" nodes ")[0]
    assert scores["automatic"] == scores["learned"]  # there is a net for this board
    assert scores["none"] == "cp 0"
    assert len(set(scores.values())) == 3


def test_a_net_that_does_not_exist_is_told_in_a_line(client: Client) -> None:
    client.send("setoption name Evaluation value learned", "go depth 2")
    lines = client.until("bestmove")
    assert lines[0].startswith("info string no evaluation of tictactoe was learned")


def test_a_new_game_remembers_nothing(breakthrough: Client) -> None:
    searched = []
    for _ in range(2):
        breakthrough.send("uginewgame", "isready", "position startpos", "go depth 6")
        nodes = [line.split()[9] for line in breakthrough.until("bestmove") if "nodes" in line]
        searched.append(nodes)
    assert searched[0] == searched[1]


def test_the_end_of_the_input_stops_a_search() -> None:
    client = Client(find_game("breakthrough"))
    client.send("go infinite")
    assert client.next().startswith("info depth 1 ")
    assert client.close()[-1].startswith("bestmove ")


def test_quit_ends_it(client: Client) -> None:
    client.send("", "quit", "isready")
    assert client.close() == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("xyzzy now", "there is no command 'xyzzy'; commands: ugi, uci, isready,"),
        ("position", "a position is: position startpos, or: position fen POSITION;"),
        ("position fen", "a position is: position startpos, or:"),
        ("position startpos a1", "a position is: position startpos, or:"),
        ("position fen moves moves a1", "a position is its rows from the top and whose"),
        ("position fen %ZZ", "'%ZZ': % stands before two hexadecimal digits"),
        ("position startpos moves a1 a1", "move 2: 'a1' is not a legal move here; legal are"),
        ("position fen xxx/oo1/3%20o moves a1", "move 1: the game is over (X has three in a"),
        ("query", "a query is one of: p1turn, gameover, result"),
        ("query p2turn", "a query is one of: p1turn, gameover, result"),
        ("go depth", "go depth: a whole number comes next, not ''"),
        ("go nodes many", "go nodes: a whole number comes next, not 'many'"),
        ("go depth 0", "depth 0: a depth is a whole number from 1 to 100000"),
        ("go movetime 0", "movetime is a number of milliseconds above 0"),
        ("setoption Hash 3", "an option is set by: setoption name NAME value VALUE"),
        ("setoption name Hash value 0", "option Hash must be a whole number from 1 to"),
        ("setoption name Hash", "option Hash must be a whole number from 1 to"),
        ("setoption name Skill value 3", "there is no option 'Skill'; options: Hash, Threads,"),
        ("setoption name Features value magic", "the engine has no feature 'magic'; none,"),
        ("setoption name Evaluation value best", "evaluation 'best': it is own, none, learned or"),
        ("setoption name Evaluation value none.npz", "none.npz: "),
        ("setoption name UCI_Variant value cfour", "there is no option 'UCI_Variant';"),
        ("uci", "UCI is for breakthrough and connectfour, not for tictactoe: use UGI"),
    ],
)
def test_what_makes_no_sense_is_answered_in_a_line_and_changes_nothing(
    client: Client, line: str, answer: str
) -> None:
    assert client.ask("position startpos moves b2", line).startswith(f"info string {answer}")
    assert client.ask("query p1turn") == "response false"


def test_words_that_go_does_not_know_are_named_and_ignored(client: Client) -> None:
    assert (
        client.ask("go ponder depth 1 searchmoves a1")
        == "info string go does not know, and ignores: ponder searchmoves a1"
    )
    client.until("bestmove")


class FailingSearcher(RandomSearcher):
    """Its game's own code has failed."""

    def search(self, *arguments: Any, **settings: Any) -> Any:
        raise GameFileError("game.py", 7, "play() raised\nZeroDivisionError")


def test_a_search_that_fails_does_not_end_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "make_searcher", lambda *settings: FailingSearcher())
    client = Client(find_game("tictactoe"))
    client.send("go depth 3")
    assert client.until("bestmove") == [
        "info string game.py:7: play() raised ZeroDivisionError",
        "bestmove 0000",
    ]
    assert client.ask("isready") == "readyok"
    client.close()


# UCI


def test_uci_speaks_as_fairy_stockfish(breakthrough: Client) -> None:
    breakthrough.send("uci")
    lines = breakthrough.until("uciok")
    assert lines[-2] == (
        "option name UCI_Variant type combo default breakthrough6 var breakthrough5"
        " var breakthrough6 var breakthrough7 var breakthrough"
    )
    fen = "pppppp/1ppppp/p5/1P4/P1PPPP/PPPPPP w - - 0 1"
    breakthrough.send("ucinewgame", f"position fen {fen} moves b3a4", "go depth 2")
    assert breakthrough.until("bestmove")[-1] == "bestmove b5a4"
    breakthrough.send("setoption name UCI_Variant value breakthrough")
    breakthrough.send("position startpos moves h2h3", "go wtime 1000 btime 1000 winc 1 binc 1")
    assert breakthrough.until("bestmove")[-1][10] in "67"
    assert breakthrough.ask("position fen 5/5/5/5/P4 w").startswith("info string breakthrough has")
    breakthrough.send("ugi")
    assert not any("UCI" in line for line in breakthrough.until("ugiok"))
    assert breakthrough.ask("position startpos moves h2h3").startswith("info string move 1: 'h2h3'")


def test_the_variant_is_that_of_the_board() -> None:
    client = Client(find_game("connectfour"))
    client.send("uci")
    assert client.until("uciok")[-2].endswith("type combo default cfour var cfour")
    client.send("position startpos moves P@d1 P@d2", "go depth 1")
    assert client.until("bestmove")[-1].startswith("bestmove P@")
    client.close()
    client = Client(find_game("breakthrough"), {"rows": 5, "columns": 4})
    assert client.ask("uci").startswith("info string UCI has no variant for this board")
    client.close()
