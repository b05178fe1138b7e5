"""A program's clock: CPU time counts, of all its processes and whenever they compute."""

from __future__ import annotations

import sys
import time

import pytest

from plyground.players import program
from plyground.players.line_process import LONGEST_LINE, LineProcess, NoLine
from plyground.players.player import Clock
from plyground.players.program import NotStarted, Program
from plyground.players.usage import Usage
from tests.players.line_programs import START, Echo, begun


def test_only_cpu_time_is_charged() -> None:
    usages = [Usage(0.005), Usage(0.025)]
    player = begun("time.sleep(0.1); say(type='move', move='a1')", usages)
    choice = player.choose(START, Clock(30.0))
    player.close()
    assert choice.move == "a1"
    assert choice.seconds >= 0.1
    assert choice.charged_seconds == pytest.approx(0.02)


def test_where_the_system_does_not_tell_cpu_time_the_wall_clock_counts() -> None:
    player = begun("time.sleep(0.1); say(type='move', move='a1')")
    choice = player.choose(START, Clock(30.0))
    player.close()
    assert choice.charged_seconds == choice.seconds >= 0.1


def test_what_is_computed_while_others_think_counts_for_the_next_move() -> None:
    computed = [Usage(seconds) for seconds in (100.0, 101.0, 105.0, 106.0)]
    code = "say(type='move', move='a1'); input(); say(type='move', move='a1')"
    player = begun(code, computed)
    player.choose(START, Clock(1.0))
    choice = player.choose(START, Clock(1.0))
    player.close()
    assert choice.computed == pytest.approx(1.0 + 4.0 - program.AFTERWARDS)


class NeverBegun(LineProcess):
    def has_started(self) -> bool:
        return False


def test_what_could_not_be_started_has_committed_no_fault() -> None:
    command = [sys.executable, "-I", "-c", "import sys; sys.exit('no room')"]
    player = Program(lambda: NeverBegun(command, environment={}), Echo(), name="ann")
    with pytest.raises(NotStarted, match=r"^ann could not be started: no room$"):
        player.begin(START, 0, Clock(0.1))
    player.close()


def test_what_is_written_after_the_game_takes_no_memory() -> None:
    code = "while True: os.write(1, b'x' * 65536)"
    process = LineProcess([sys.executable, "-I", "-c", f"import os\n{code}"], environment={})
    process.wait(0.3)
    assert len(process.received) <= 2 * LONGEST_LINE
    process.close()


def test_a_question_is_sent_on_while_the_answer_is_waited_for() -> None:
    """It is longer than a pipe, and the program begins to read late."""
    code = "import time; time.sleep(0.3); print(len(input()), flush=True); time.sleep(1000)"
    process = LineProcess([sys.executable, "-I", "-c", code], environment={})
    with pytest.raises(NoLine):
        process.ask(b"y" * 300_000, time.perf_counter() + 0.05)
    assert process.read_line(time.perf_counter() + 60) == b"300000"
    process.close()
