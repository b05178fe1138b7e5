"""Rules compiled in two processes: the same code as in one, whatever happens to the other."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
import pytest

from plyground.core.errors import GameFileError
from plyground.core.game import Game
from plyground.core.registry import find_game
from plyground.search.binding import code_cache, compiler_process, exports
from plyground.search.binding import compile as binding
from plyground.search.binding.bound_rules import BoundRules
from plyground.search.binding.compile import bind
from plyground.search.binding.compiled_rules import rule_results
from plyground.search.binding.compiler_main import receive
from plyground.search.binding.compiler_process import SharedCompiler, source_of
from plyground.search.binding.exports import export
from plyground.search.binding.sources import digest_of
from plyground.search.perft import perft
from tests.compiled_kernels import copy_kernels
from tests.paths import EXAMPLES

TALKATIVE = """
import sys

print("a game that prints while it is loaded")
print("and complains", file=sys.stderr)
read = sys.stdin.read()
"""

FOREVER = 60.0
"""Seconds. What takes longer does not happen."""


@pytest.fixture(autouse=True)
def always_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A second process for the smallest game on the smallest machine, and an empty cache."""
    monkeypatch.setenv("PLYGROUND_COMPILERS", "2")
    monkeypatch.setattr(compiler_process, "usable_cores", lambda: 2)
    monkeypatch.setattr(compiler_process, "LEAST_BYTES", 0)
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(binding, "bound_by_digest", {})
    code_cache.cache_root.cache_clear()
    yield
    code_cache.cache_root.cache_clear()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The second processes that a test has started."""
    processes = []
    original = subprocess.Popen

    def noted(*arguments: Any, **options: Any) -> Any:
        process = original(*arguments, **options)
        processes.append(process)
        return process

    monkeypatch.setattr(subprocess, "Popen", noted)
    return processes


def unexpected(part: str) -> bytes:
    raise AssertionError(f"{part} is not to be compiled here")


def compiler_of(game: Game, compile_here: Callable[[str], bytes] = unexpected) -> SharedCompiler:
    compiler = SharedCompiler(game, digest_of(game.rules), compile_here)
    compiler.start(game.board(), ["moves"])
    return compiler


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + FOREVER
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def written(folder: Path, added: str = "", removed: str = "\0") -> Path:
    source = (EXAMPLES / "nim.py").read_text(encoding="utf-8")
    path = folder / "nim.py"
    path.write_text(source.replace(removed, "") + added, encoding="utf-8")
    return path


# Where it works


@pytest.mark.parametrize("name", ["tictactoe", "derby", str(EXAMPLES / "nim.py")])
def test_the_second_process_compiles_the_same_code(
    name: str, started: list[subprocess.Popen[bytes]]
) -> None:
    game = find_game(name)
    with compiler_of(game) as compiler:
        compiler.expect(["turn"])
        wait_until(lambda: "turn" in compiler.done)
        code = compiler.compile(["turn"])["turn"]
    here = export(BoundRules(game, digest_of(game.rules)), "turn", game.board())
    symbol = "plyground_turn"
    functions = [str(llvm.parse_bitcode(each).get_function(symbol)) for each in (code, here)]
    assert functions[0] == functions[1]
    assert [process.poll() is not None for process in started] == [True], "and it is gone"


def test_a_game_compiled_by_two_processes_gives_the_values_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    copy_kernels(tmp_path / "cache")
    elsewhere: list[str] = []

    def last(bound: Any, part: str, board: Any) -> bytes:
        """Leave most of the work to the second process."""
        if not elsewhere:
            wait_until(lambda: compilers[0].done.keys() - {part})
            elsewhere.extend(compilers[0].done)
        return export(bound, part, board)

    compilers: list[SharedCompiler] = []
    enter = SharedCompiler.__enter__

    def noted(compiler: SharedCompiler) -> SharedCompiler:
        compilers.append(compiler)
        return enter(compiler)

    monkeypatch.setattr(exports, "export", last)
    monkeypatch.setattr(SharedCompiler, "__enter__", noted)
    position = find_game("connectfour").start()
    compiled = rule_results(bind(position.game), position)
    assert elsewhere
    assert compiled.moves == tuple(position.legal_moves)
    assert compiled.evaluate == position.evaluation
    assert compiled.key == position.key
    folder = next((tmp_path / "cache").glob("connectfour-*/"))
    assert any(folder.glob(f"{elsewhere[0]}-*.bc")), "its code is kept as well"


def test_a_game_that_reads_and_prints_while_it_is_loaded_disturbs_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    game = find_game(str(written(tmp_path, TALKATIVE)))
    capfd.readouterr()
    with compiler_of(game) as compiler:
        compiler.expect(["over"])
        wait_until(lambda: "over" in compiler.done)
    assert capfd.readouterr() == ("", "")


# Where it does not


def test_it_ends_when_nobody_listens_any_more(started: list[subprocess.Popen[bytes]]) -> None:
    with compiler_of(find_game("tictactoe")) as compiler:
        compiler.expect(["turn"])
        wait_until(lambda: compiler.done)
        process = started[0]
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(FOREVER) == 0


BEGINNING = (
    "import os, sys, time; sys.path[:] = {path!r};"
    "from plyground.search.binding.compiler_main import *;"
    "orders, answers = sys.stdin.buffer, sys.stdout.buffer; receive(orders);"
)


@pytest.mark.parametrize(
    "program",
    [
        "import os; os._exit(1)",
        "no Python",
        "print('what is this?')",
        BEGINNING + "send(answers, b'')",
        BEGINNING + "time.sleep(1000)",
    ],
)
def test_a_process_that_is_never_ready_changes_nothing(
    program: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler_process, "PROGRAM", program)
    with compiler_of(find_game("tictactoe"), str.encode) as compiler:
        compiler.expect(["moves"])
        assert compiler.compile(["moves", "turn"]) == {"moves": b"moves", "turn": b"turn"}
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "end", ["os._exit(1)", "answers.write(b'short'); answers.flush()", "time.sleep(1000)"]
)
def test_a_part_that_does_not_come_back_is_compiled_here(
    end: str, monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    program = BEGINNING + "send(answers, READY); receive(orders);" + end
    monkeypatch.setattr(compiler_process, "PROGRAM", program)
    monkeypatch.setattr(compiler_process, "PATIENCE", 0.1)
    with compiler_of(find_game("tictactoe"), str.encode) as compiler:
        compiler.expect(["moves"])
        wait_until(lambda: compiler.elsewhere or compiler.failed)
        assert compiler.compile(["moves", "turn"]) == {"moves": b"moves", "turn": b"turn"}
    assert started[0].poll() is not None


def test_what_was_expected_and_is_not_needed_is_left_out() -> None:
    with compiler_of(find_game("tictactoe")) as compiler:
        compiler.expect(["no such part"])
        wait_until(lambda: compiler.failed)
        assert compiler.compile([]) == {}


def test_a_file_that_was_edited_is_compiled_as_it_was_loaded(
    tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    game = find_game(str(written(tmp_path)))
    expected = game.start().evaluation
    written(tmp_path, "\n\ndef evaluate(board, state):\n    return 77\n")
    with compiler_of(game, str.encode) as compiler:
        compiler.expect(["evaluate"])
        wait_until(lambda: started[0].poll() is not None)
        assert compiler.compile(["evaluate"]) == {"evaluate": b"evaluate"}
    assert rule_results(bind(game), game.start()).evaluate == expected


def test_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise OSError("too many processes")

    monkeypatch.setattr(subprocess, "Popen", refused)
    with compiler_of(find_game("tictactoe"), str.encode) as compiler:
        assert compiler.compile(["moves"]) == {"moves": b"moves"}


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("usable_cores", lambda: 1),
        ("LEAST_BYTES", 1 << 20),
        ("may_start", lambda: False),
        ("source_of", lambda _: None),
    ],
)
def test_there_is_one_process_where_two_are_not_wanted(
    change: str,
    value: Any,
    monkeypatch: pytest.MonkeyPatch,
    started: list[subprocess.Popen[bytes]],
) -> None:
    monkeypatch.setattr(compiler_process, change, value)
    with compiler_of(find_game("tictactoe")):
        assert not started


def test_the_user_can_switch_it_off(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    monkeypatch.setenv("PLYGROUND_COMPILERS", "1")
    with compiler_of(find_game("tictactoe")):
        assert not started


def test_only_games_that_can_be_found_again_are_loaded_once_more(tmp_path: Path) -> None:
    path = written(tmp_path)
    game = find_game(str(path))
    assert source_of(game) == str(path)
    assert source_of(find_game("derby")) == "derby"
    assert source_of(game.replace(DRAWS=True)) is None
    program = ModuleType("__main__")
    vars(program).update(vars(game.module), __name__="__main__")
    assert source_of(Game(program, "nim")) is None


# Errors in the rules


@pytest.mark.parametrize("rule", ["moves", "evaluate", "utility"])
def test_an_error_in_a_rule_is_reported_as_by_one_process(
    tmp_path: Path, rule: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    parameters = "board, state, out" if rule == "moves" else "board, state"
    wrong = f"\n\ndef {rule}({parameters}):\n    return state.stones_of_nobody\n"
    game = find_game(str(written(tmp_path, wrong)))
    copy_kernels(tmp_path / "cache")
    messages = []
    for compilers in ("1", "2"):
        monkeypatch.setenv("PLYGROUND_COMPILERS", compilers)
        monkeypatch.setattr(binding, "bound_by_digest", {})
        with pytest.raises(GameFileError, match=rf"nim\.py:\d+: {rule}\(\) cannot") as raised:
            rule_results(bind(game), game.start())
        messages.append(str(raised.value))
    assert messages[0] == messages[1]
    assert capfd.readouterr() == ("", "")


def test_an_error_in_a_rule_that_a_kernel_does_not_call_is_no_error(tmp_path: Path) -> None:
    wrong = "\n\ndef evaluate(board, state):\n    return state.stones_of_nobody\n"
    game = find_game(str(written(tmp_path, wrong)))
    assert perft(game.start(), 1) == len(game.start().legal_moves)


@pytest.mark.parametrize("data", [b"", b"short", b"\5\0\0\0\0\0\0\0code", b"what is this?"])
def test_what_is_no_message_is_the_end_of_the_messages(data: bytes) -> None:
    with pytest.raises(EOFError):
        receive(io.BufferedReader(io.BytesIO(data)))  # as a pipe: it would allocate all it is asked
    assert receive(io.BytesIO(b"\4\0\0\0\0\0\0\0code")) == b"code"
