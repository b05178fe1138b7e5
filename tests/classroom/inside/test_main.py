"""Whatever a student's code does, one thing comes of a message: an answer, an end, or silence."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.interfaces import INSIDE, find_interface
from plyground.core.registry import find_game
from tests.classroom.student_processes import STUDENTS, StudentProcess, play_game

GAME = find_game("tictactoe")
BREAKTHROUGH = find_game("breakthrough")
AGENT = find_interface(BREAKTHROUGH, "class Agent: pass")
START = BREAKTHROUGH.start()
BEGIN = AGENT.begin(START, 0, 1.0)
TURN = AGENT.turn(START, 1.0)
MOVE = {"type": "move", "move": [[1, 0], [2, 0]], "depth": None}
READY = {"type": "ready"}


def agent(folder: Path, *, top: str = "", made: str = "pass", move: str = "") -> Path:
    """A file with an agent that does something when it is imported, made, or asked to move."""
    file = folder / "player.py"
    text = "import os, sys, threading\nfrom time import sleep\n" + textwrap.dedent(top) + "\n"
    text += "class Agent:\n    def __init__(self, color, opponentColor, time=None):\n"
    text += textwrap.indent(textwrap.dedent(made), " " * 8) + "\n"
    text += "    def move(self, board):\n" + textwrap.indent(textwrap.dedent(move), " " * 8)
    text += "\n        return (1, 0), (2, 0)\n"
    file.write_text(text)
    return file


UNDISTURBED = {
    "prints": "print('{\"type\": \"move\"}'); sys.stdout.flush(); sys.stderr.write('hm')",
    "writes to descriptor 1": 'os.write(1, b\'{"type": "move", "move": 1}\\n\')',
    "writes to the first streams": "sys.__stdout__.write('x\\n'); sys.__stdout__.flush()",
    "starts a program that prints": "os.system('echo {}')",
    "starts a program that reads": "import subprocess; subprocess.run(['cat'], check=True)",
    "closes the standard streams": "sys.stdin.close(); sys.stdout.close(); sys.stderr.close()",
    "closes descriptors 0 to 2": "os.closerange(0, 3)",
    "replaces the standard streams": "sys.stdout = sys.stderr = sys.stdin = None",
    "reads to the end of standard input": "assert sys.stdin.read() == '' == input.__doc__[:0]",
    "forks, and the child ends": "os.fork() or os._exit(3)",
    "forks, and the child leaves": "os.fork() or sys.exit(3)",
    "forks, and the child raises": "if not os.fork(): raise ValueError('in the child')",
    "forks, and both answer": "os.fork()",
    "forks, and the child lives on": "os.fork() or sleep(1)",
    "has a thread that never ends": "threading.Thread(target=sleep, args=[1000]).start()",
    "has a thread that raises": "threading.Thread(target=lambda: 1 / 0).start()",
    "changes the folder": "os.chdir('/')",
    "takes part in garbage collection": "import gc; gc.disable(); gc.freeze()",
    "asks for its name": "assert __name__ == 'player' and sys.argv == [__file__]",
}


@pytest.mark.parametrize("when", ["top", "made", "move"])
@pytest.mark.parametrize("what", UNDISTURBED)
def test_the_game_goes_on_for_a_player_that(what: str, when: str, tmp_path: Path) -> None:
    code: dict[str, Any] = {when: UNDISTURBED[what]}
    with StudentProcess("breakthrough", agent(tmp_path, **code)) as student:
        assert student.ask(BEGIN) == READY, student.errors()
        for _ in range(3):
            assert student.ask(TURN) == MOVE, student.errors()
        student.tell({"type": "over"})
        assert student.status() == 0
        assert not_a_word_more(student)


def not_a_word_more(student: StudentProcess) -> bool:
    """The pipe ends with the process, and nothing is left in it."""
    assert student.process.stdout
    readable, _, _ = select.select([student.process.stdout], [], [], 10)
    return bool(readable) and student.rest() == b""


ENDED = {
    "raises": ("raise ValueError('no idea')", "ValueError: no idea"),
    "leaves": ("sys.exit()", "the player ended its process before the game was over"),
    "leaves with a status": ("sys.exit(0)", "SystemExit: 0"),
    "leaves with a text": ("sys.exit('good bye')", "SystemExit: good bye"),
    "interrupts itself": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "reads a line that is not there": ("input()", "EOFError"),
    "divides by zero": ("1 / 0", "ZeroDivisionError"),
    "recurses for ever": ("def f(): f()\nf()", "RecursionError"),
    "imports what is not there": ("import no_such_module", "No module named 'no_such_module'"),
    "closes all descriptors": ("os.closerange(3, 256)", "closed the pipes to the referee"),
    "opens files in place of the pipes": (
        "os.closerange(3, 256); files = [os.open('/dev/zero', 2) for _ in range(9)]",
        "closed the pipes to the referee",
    ),
    "raises what cannot be shown": (
        "class Odd(Exception):\n    def __str__(self): raise Odd()\nraise Odd()",
        "Odd",
    ),
}


@pytest.mark.parametrize("when", ["top", "made", "move"])
@pytest.mark.parametrize("what", ENDED)
def test_the_process_ends_with_status_1_for_a_player_that(
    what: str, when: str, tmp_path: Path
) -> None:
    doing, complaint = ENDED[what]
    code: dict[str, Any] = {when: doing}
    with StudentProcess("breakthrough", agent(tmp_path, **code)) as student:
        answer = student.ask(BEGIN)
        if when == "move":
            assert answer == READY, student.errors()
            answer = student.ask(TURN)
        assert answer is None
        assert student.status() == 1
        assert complaint in student.errors()


def test_a_process_that_ends_itself_says_nothing(tmp_path: Path) -> None:
    with StudentProcess(
        "breakthrough", agent(tmp_path, move="print('almost'); os._exit(0)")
    ) as student:
        assert student.ask(BEGIN) == READY
        assert student.ask(TURN) is None
        assert student.status() == 0


def test_who_never_answers_is_silent(tmp_path: Path) -> None:
    with StudentProcess("breakthrough", agent(tmp_path, move="while True: pass")) as student:
        assert student.ask(BEGIN) == READY
        student.tell(TURN)
        assert student.process.stdout
        readable, _, _ = select.select([student.process.stdout], [], [], 0.2)
        assert readable == []
        assert student.process.poll() is None


def test_a_traceback_shows_the_students_lines_and_none_of_ours(tmp_path: Path) -> None:
    with StudentProcess(
        "breakthrough", agent(tmp_path, move="print('thinking')\nraise ValueError(7)")
    ) as student:
        student.ask(BEGIN)
        assert student.ask(TURN) is None
        student.status()
        told = student.errors().splitlines()
    assert told[:2] == ["thinking", "Traceback (most recent call last):"]
    assert told[-1] == "ValueError: 7"
    assert sum("player.py" in line for line in told) == 1
    assert not any(str(INSIDE) in line for line in told)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (b"def f(:\n", "SyntaxError"),
        (b"x = '\xff'\n", "SyntaxError"),
        (b"x = 1\0\n", "null bytes"),
        (b"# -*- coding: nonsense -*-\n", "SyntaxError"),
        (b"", "player.py: there is no class Agent"),
        (b"Agent = 3\n", "player.py: there is no class Agent"),
        (b"class Agent: pass\n", "TypeError"),
    ],
)
def test_a_file_that_cannot_be_used_ends_the_process(
    source: bytes, complaint: str, tmp_path: Path
) -> None:
    file = tmp_path / "player.py"
    file.write_bytes(source)
    with StudentProcess("breakthrough", file) as student:
        assert student.ask(BEGIN) is None
        assert student.status() == 1
        assert complaint in student.errors()


def test_a_file_in_another_encoding_is_read_as_it_says(tmp_path: Path) -> None:
    file = agent(tmp_path)
    source = "# -*- coding: latin-1 -*-\nassert len('Bj\xf6rn') == 5\n" + file.read_text()
    file.write_bytes(source.encode("latin-1"))
    with StudentProcess("breakthrough", file) as student:
        assert student.ask(BEGIN) == READY


def test_a_file_that_is_not_there_ends_the_process(tmp_path: Path) -> None:
    with StudentProcess("breakthrough", tmp_path / "player.py") as student:
        assert student.ask(BEGIN) is None
        assert student.status() == 1
        assert "FileNotFoundError" in student.errors()


LOOP = """
from fishing_game_core.player_utils import PlayerController
class PlayerControllerMinimax(PlayerController):
    def player_loop(self):
        {body}
"""
DERBY = find_game("derby")
CONTROLLER = find_interface(DERBY, "class PlayerControllerMinimax: pass")


def controller(folder: Path, body: str) -> Path:
    file = folder / "player.py"
    file.write_text(LOOP.format(body=textwrap.indent(textwrap.dedent(body), " " * 8).strip()))
    return file


def test_a_player_that_catches_everything_still_ends_with_the_game(tmp_path: Path) -> None:
    file = controller(
        tmp_path,
        """
        while True:
            try:
                self.receiver()
                self.sender({"action": "stay", "search_time": None})
            except:
                pass
        """,
    )
    start = DERBY.start()
    with StudentProcess("derby", file) as student:
        assert student.ask(CONTROLLER.begin(start, 0, 1.0)) == READY
        answer = student.ask(CONTROLLER.turn(start, 1.0))
        assert answer == {"type": "move", "move": "stay", "depth": None}
        student.tell({"type": "over"})
        assert student.status() == 0


def test_a_loop_that_ends_too_early_ends_the_process(tmp_path: Path) -> None:
    start = DERBY.start()
    with StudentProcess(
        "derby", controller(tmp_path, "self.receiver(); self.receiver()")
    ) as student:
        assert student.ask(CONTROLLER.begin(start, 0, 1.0)) == READY
        assert student.ask(CONTROLLER.turn(start, 1.0)) is None
        assert student.status() == 1
        assert "player.py: the player stopped before the game was over" in student.errors()


def test_a_second_answer_in_one_turn_ends_the_process(tmp_path: Path) -> None:
    start = DERBY.start()
    body = "self.receiver(); self.receiver()\nwhile True: self.sender({'action': 'up'})"
    with StudentProcess("derby", controller(tmp_path, body)) as student:
        student.ask(CONTROLLER.begin(start, 0, 1.0))
        answer = student.ask(CONTROLLER.turn(start, 1.0))
        assert answer == {"type": "move", "move": "up", "depth": None}
        assert student.hear() is None
        assert "sender() was called twice in one turn" in student.failure
        assert student.status() == 1
        assert "sender() was called twice in one turn" in student.errors()


def test_when_the_referee_is_gone_the_process_ends(tmp_path: Path) -> None:
    with StudentProcess("breakthrough", agent(tmp_path)) as student:
        assert student.ask(BEGIN) == READY
        assert student.process.stdin
        student.process.stdin.close()
        assert student.status() == 0


@pytest.mark.parametrize(
    "answer",
    [
        *("None", "7", "'a2a3'", "((1, 0), (2, 0), (3, 0))", "((1, 0), (2, 0.5))", "object()"),
        *("(('1', '0'), ('2', '0'))", "((True, 0), (2, 0))", "((1, 0), (10 ** 5000, 0))"),
        *("'x' * 10 ** 7", '\'\\n{"type": "move"}\\n\'', "((1,), (2,))", "[[1, 0], 5]"),
    ],
)
def test_an_answer_that_is_no_move_is_told_in_a_short_line(answer: str, tmp_path: Path) -> None:
    with StudentProcess("breakthrough", agent(tmp_path, move=f"return {answer}")) as student:
        student.ask(BEGIN)
        told = student.ask(TURN)
        assert told is not None, student.errors()
        assert (told["type"], told["move"]) == ("move", None)
        assert 0 < len(told["said"]) <= 80
        assert student.ask(TURN) == told or "object" in answer


def test_the_folder_works_wherever_it_is_mounted_and_cannot_be_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    shutil.copytree(INSIDE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    with StudentProcess(
        "derby", STUDENTS / "derby_new_template.py", main=folder / "main.py"
    ) as student:
        start = DERBY.start()
        assert student.ask(CONTROLLER.begin(start, 0, 1.0)) is not None
        assert student.ask(CONTROLLER.turn(start, 1.0)) is not None
    assert list(folder.rglob("__pycache__")) == []


def test_a_start_imports_little() -> None:
    """What a start takes is what it imports; a class of students is thousands of starts."""
    assert modules_after("import runner, derby, breakthrough") <= modules_after("import json") | {
        *("runner", "channel", "collector", "derby", "breakthrough", "fishing_game_core"),
        *("__future__", "gc", "select"),
    }


def modules_after(statement: str) -> set[str]:
    """The modules, without those in packages, that a Python has loaded after a statement."""
    code = f"import sys; sys.path.insert(0, sys.argv[1]); {statement}; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-I", "-B", "-c", code, str(INSIDE)],
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.split(".")[0] for name in ran.stdout.split()}


def test_whole_games_are_played_by_players_that_print_all_the_time(tmp_path: Path) -> None:
    move = """
    print(board, file=sys.stderr); print("x" * 10000)
    from_cells, to_cells = board.getPiecesPossibleLocations("W")
    return from_cells[-1], to_cells[-1][-1]
    """
    assert play_game(agent(tmp_path, move=move), AGENT, START).is_over


def test_a_player_that_replaces_json_still_gets_its_messages(tmp_path: Path) -> None:
    top = """
        import json
        json.loads = json.dumps = json.JSONDecoder.decode = json.JSONEncoder.encode = None
    """
    with StudentProcess("breakthrough", agent(tmp_path, top=top)) as student:
        assert student.ask(BEGIN) == READY, student.errors()
        assert student.ask(TURN) == MOVE, student.errors()


def test_descriptors_of_the_referee_are_not_inherited(tmp_path: Path) -> None:
    move = "sys.stdout.flush(); os.system('ls -l /proc/self/fd >&2')"
    with StudentProcess("breakthrough", agent(tmp_path, move=move)) as student:
        student.ask(BEGIN)
        assert student.ask(TURN) == MOVE
        listed = student.errors()
    assert student.process.stdin is not None
    assert "pipe:" not in listed
    assert os.path.basename(os.devnull) in listed
