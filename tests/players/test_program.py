"""A program's clock: a busy machine is excused, a program that is busy itself is not."""

from __future__ import annotations

import sys
import time

import pytest

from plyground.core.outcome import Ending
from plyground.players import program
from plyground.players.line_process import LONGEST_LINE, LineProcess, NoLine
from plyground.players.player import Clock, Fault
from plyground.players.program import NotStarted, Program
from plyground.players.usage import Usage
from tests.players.line_programs import NOTHING, START, Echo, begun


def test_waiting_for_a_core_is_not_charged() -> None:
    waited = Usage({(1, 1): 0.05}, 0.0, 0.0)
    player = begun("time.sleep(0.1); say(type='move', move='a1')", [NOTHING, waited])
    choice = player.choose(START, Clock(30.0))
    player.close()
    assert choice.move == "a1"
    assert choice.waited == 0.05
    assert choice.charged_seconds == choice.seconds - 0.05


def test_a_program_that_does_not_answer_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "LEAST_PATIENCE", 0.2)
    player = begun("time.sleep(1000)")
    with pytest.raises(Fault, match="did not answer when it was asked to move") as silence:
        player.choose(START, Clock(0.001))
    player.close()
    assert silence.value.ending is Ending.SILENT


def test_the_time_that_a_program_waits_for_a_core_does_not_make_it_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(program, "LEAST_PATIENCE", 0.2)
    waited = Usage({(1, 1): 1000.0}, 0.0, 0.0)
    code = "time.sleep(0.8); say(type='move', move='a1')"
    player = begun(code, [NOTHING, *[waited] * 1000])
    assert player.choose(START, Clock(0.001)).move == "a1"
    player.close()
    monkeypatch.setattr(program, "LONGEST_WAIT", 0.3)
    player = begun("time.sleep(1000)", [NOTHING, *[waited] * 1000])
    with pytest.raises(Fault, match="did not answer when it was asked to move"):
        player.choose(START, Clock(0.001))
    player.close()


def test_what_helpers_compute_is_charged() -> None:
    busy = Usage({}, 0.0, computed=1000.0)
    player = begun("say(type='move', move='a1')", [NOTHING, busy])
    choice = player.choose(START, Clock(1.0))
    player.close()
    assert choice.charged_seconds == 1000.0


def test_what_is_computed_while_others_think_counts_for_the_next_move() -> None:
    computed = [Usage({}, 0.0, seconds) for seconds in (100.0, 101.0, 105.0, 106.0)]
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
