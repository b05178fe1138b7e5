"""The pipes to a process, read by the thread that asks or by threads of their own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from plyground.players.line_process import (
    LONGEST_LINE,
    LineProcess,
    LineTooLong,
    NoLine,
    ProcessClosed,
)
from plyground.players.pipes import Pipes, ThreadedPipes, open_pipes

Start = Callable[[str], LineProcess]


@pytest.fixture(params=[open_pipes, ThreadedPipes], ids=["the system's", "with threads"])
def start(request: pytest.FixtureRequest) -> Start:
    """Starts a Python program, with each kind of pipes."""
    pipes: Callable[[subprocess.Popen[bytes]], Pipes] = request.param

    def started(code: str) -> LineProcess:
        command = [sys.executable, "-I", "-c", f"import os, sys, time\n{code}"]
        return LineProcess(command, environment={}, pipes=pipes)

    return started


def soon() -> float:
    return time.perf_counter() + 60


def test_lines_are_answered_in_turn(start: Start) -> None:
    process = start("for line in sys.stdin: print(line.strip().upper(), flush=True)")
    assert process.ask(b"first", soon()) == b"FIRST"
    assert process.ask(b"second", soon()) == b"SECOND"
    process.close()


def test_a_line_without_an_answer_is_sent_at_once(start: Start) -> None:
    process = start("print(input() + input(), flush=True); time.sleep(1000)")
    process.send(b"a")
    process.send(b"b")
    assert process.read_line(soon()) == b"ab"
    process.close()


def test_a_question_longer_than_a_pipe_is_sent_while_the_answer_is_waited_for(
    start: Start,
) -> None:
    process = start("time.sleep(0.3); print(len(input()), flush=True); time.sleep(1000)")
    with pytest.raises(NoLine):
        process.ask(b"y" * 300_000, time.perf_counter() + 0.05)
    assert process.read_line(soon()) == b"300000"
    process.close()


def test_a_process_that_reads_nothing_keeps_nobody_waiting(start: Start) -> None:
    process = start("time.sleep(1000)")
    with pytest.raises(NoLine):
        process.ask(b"y" * 3_000_000, time.perf_counter() + 0.05)
    process.send(b"more")
    assert process.wait(0.05) is None
    process.close()


def test_the_end_of_a_process_is_noticed_after_its_last_line(start: Start) -> None:
    process = start("print('last', flush=True); print('why', file=sys.stderr); sys.exit(3)")
    assert process.read_line(soon()) == b"last"
    for _ in range(2):
        with pytest.raises(ProcessClosed):
            process.read_line(soon())
    assert process.wait(60) == 3
    assert process.stderr.split() == ["why"]
    process.close()


def test_a_question_to_a_process_that_has_closed_its_input_fails(start: Start) -> None:
    process = start("os.close(0); print('closed', flush=True); time.sleep(1000)")
    assert process.read_line(soon()) == b"closed"
    with pytest.raises(ProcessClosed):
        process.ask(b"question", soon())
    process.close()


def test_a_line_without_end_is_refused_and_takes_no_memory(start: Start) -> None:
    process = start("while True: os.write(1, b'x' * 65536)")
    with pytest.raises(LineTooLong):
        process.read_line(soon())
    assert process.wait(0.1) is None
    assert len(process.received) <= 2 * LONGEST_LINE
    process.close()


def test_what_is_written_before_a_question_is_no_answer(start: Start) -> None:
    process = start("print('early', flush=True); input(); print('right', flush=True); input()")
    process.wait(0.5)
    assert process.received == b"early\n"
    assert process.ask(b"question", soon()) == b"right"
    process.close()


def test_much_on_standard_error_does_not_stop_a_process(start: Start) -> None:
    process = start("sys.stderr.write('e' * 1_000_000); print('done', flush=True); input()")
    assert process.read_line(soon()) == b"done"
    process.wait(0.2)
    assert "bytes left out" in process.stderr
    process.close()
