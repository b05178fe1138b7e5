"""A program's clock: patience with a busy machine, none with a program that is busy itself."""

from __future__ import annotations

import sys
import textwrap
import time
from typing import Any

import pytest

from plyground.core.outcome import Ending
from plyground.core.position import Position
from plyground.core.registry import find_game
from plyground.players import program
from plyground.players.line_process import LONGEST_LINE, Channel, Silence
from plyground.players.player import Clock, Fault
from plyground.players.program import NotStarted, Program
from plyground.players.usage import Usage

START = find_game("tictactoe").start()


class Echo:
    """An interface whose answers are moves already."""

    kind = "echo"

    def begin(self, position: Position, side: int, seconds: float | None) -> dict[str, Any]:
        return {"type": "begin"}

    def turn(self, position: Position, seconds: float | None) -> dict[str, Any]:
        return {"type": "turn", "filling": "x" * 200_000}

    def read(self, answer: dict[str, Any], position: Position) -> str:
        return str(answer["move"])


class BusyMachine(Channel):
    """A process that answers late, and of whose time the system tells what a test wants."""

    waits, computes = 0.0, 0.0
    """For each second that passes."""

    def usage(self) -> Usage:
        now = time.perf_counter()
        return Usage({(1, 1): self.waits * now}, 0.0, self.computes * now)


def asked(channel: type[Channel], code: str, *, one_core: bool = False) -> Program:
    text = "import json, os, sys, time\ndef say(**answer): print(json.dumps(answer), flush=True)\n"
    text += "input(); say(type='ready'); input()\n" + textwrap.dedent(code)
    command = [sys.executable, "-I", "-c", text]
    made = Program(lambda: channel(command, environment={}), Echo(), name="ann", one_core=one_core)
    made.begin(START, 0, Clock(0.1))
    return made


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "LEAST_PATIENCE", 0.2)
    monkeypatch.setattr(program, "PATIENCE", 2)


@pytest.mark.usefixtures("impatient")
def test_a_program_that_had_to_wait_for_a_core_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(BusyMachine, "waits", 0.9)
    player = asked(BusyMachine, "time.sleep(0.8); say(type='move', move='a1')")
    choice = player.choose(START, Clock(0.1))
    player.close()
    assert choice.move == "a1"
    assert choice.seconds > 0.8
    assert choice.waited == pytest.approx(0.9 * choice.seconds, rel=0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("waits", "computes"), [(0.0, 0.0), (0.9, 1.0), (0.9, 5.0)])
def test_one_that_sleeps_or_keeps_the_cores_busy_itself_is_not(
    waits: float, computes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BusyMachine, "waits", waits)
    monkeypatch.setattr(BusyMachine, "computes", computes)
    player = asked(BusyMachine, "time.sleep(1000)")
    with pytest.raises(Fault, match="did not answer when it was asked to move") as silence:
        player.choose(START, Clock(0.1))
    player.close()
    assert silence.value.ending is Ending.SILENT


@pytest.mark.usefixtures("impatient")
def test_nobody_is_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BusyMachine, "waits", 1.0)
    monkeypatch.setattr(program, "LONGEST_WAIT", 0.3)
    player = asked(BusyMachine, "time.sleep(1000)")
    with pytest.raises(Fault):
        player.choose(START, Clock(0.1))
    player.close()


@pytest.mark.parametrize("one_core", [True, False])
def test_what_helpers_compute_counts_where_one_core_is_allowed(
    one_core: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BusyMachine, "computes", 3.0)
    code = "time.sleep(0.1); say(type='move', move='a1')"
    player = asked(BusyMachine, code, one_core=one_core)
    choice = player.choose(START, Clock(1.0))
    player.close()
    charged = (3 if one_core else 1) * choice.seconds
    assert choice.own_seconds == pytest.approx(charged, rel=0.1)


def test_what_is_computed_while_others_think_counts_for_the_next_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(BusyMachine, "computes", 1.0)
    code = "say(type='move', move='a1'); input(); say(type='move', move='a1')"
    player = asked(BusyMachine, code, one_core=True)
    player.choose(START, Clock(1.0))
    time.sleep(0.3)
    choice = player.choose(START, Clock(1.0))
    player.close()
    assert choice.own_seconds == pytest.approx(choice.seconds + 0.3 - program.AFTERWARDS, abs=0.1)


class NeverBegun(Channel):
    def has_begun(self) -> bool:
        return False


def test_what_could_not_be_started_has_committed_no_fault() -> None:
    command = [sys.executable, "-I", "-c", "import sys; sys.exit('no room')"]
    player = Program(lambda: NeverBegun(command, environment={}), Echo(), name="ann")
    with pytest.raises(NotStarted, match=r"^ann could not be started: no room$"):
        player.begin(START, 0, Clock(0.1))
    player.close()


def test_what_is_written_after_the_game_takes_no_memory() -> None:
    code = "while True: os.write(1, b'x' * 65536)"
    channel = Channel([sys.executable, "-I", "-c", f"import os\n{code}"], environment={})
    channel.wait(0.3)
    assert len(channel._received) <= 2 * LONGEST_LINE
    channel.close()


def test_a_question_is_sent_on_while_the_answer_is_waited_for() -> None:
    """It is longer than a pipe, and the program begins to read late."""
    code = "import time; time.sleep(0.3); print(len(input()), flush=True); time.sleep(1000)"
    channel = Channel([sys.executable, "-I", "-c", code], environment={})
    with pytest.raises(Silence):
        channel.ask(b"y" * 300_000, time.perf_counter() + 0.05)
    assert channel.listen(time.perf_counter() + 60) == b"300000"
    channel.close()
