"""Programs that speak UGI as players: what they do wrong, and what they are told."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.core.errors import FormatError, PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.core.registry import find_game
from plyground.players.engine_program import EngineProgram, make_entrant, split_command
from plyground.players.entrants import EntrantContext
from plyground.players.notation import read_player
from plyground.players.player import Clock, Fault
from plyground.players.program import NotStarted
from plyground.players.program_log import ProgramLog
from plyground.search.result import Limits
from tests.players import small_engine

START = find_game("tictactoe").start()
COMMAND = [sys.executable, "-I", str(Path(small_engine.__file__))]
LONG = 120.0
"""Seconds that nothing here takes, however busy the machine is."""
SHORT = 0.3
"""Seconds after which a program that will never answer is given up."""


@pytest.fixture
def programs() -> Iterator[list[EngineProgram]]:
    """Programs that are closed after the test."""
    made: list[EngineProgram] = []
    yield made
    for program in made:
        program.close()


def small(
    programs: list[EngineProgram],
    way: str = "plays",
    options: Any = None,
    protocol: str = "ugi",
    **settings: Any,
) -> EngineProgram:
    seconds = {"start_seconds": LONG, "ready_seconds": LONG, "stop_seconds": LONG}
    settings = {"name": "small", **seconds, **settings}
    program = EngineProgram([*COMMAND, way], protocol, options, **settings)
    programs.append(program)
    return program


def first_move(program: EngineProgram, clock: Clock | None = None) -> Any:
    clock = Clock(LONG) if clock is None else clock
    program.begin(START, 0, clock)
    return program.choose(START, clock)


def test_a_program_plays_one_game_after_another(programs: list[EngineProgram]) -> None:
    program = small(programs)
    for _ in range(2):
        assert first_move(program).move == "a1"
        choice = program.choose(START.play("a1").play("b1"), Clock(LONG))
        assert (choice.move, choice.depth, choice.value) == ("c1", 4, 25)
        assert 0 < choice.charged_seconds == choice.seconds < LONG
    program.close()
    program.close()
    assert first_move(program).move == "a1"


def test_the_value_is_the_first_players_whoever_moves(programs: list[EngineProgram]) -> None:
    program = small(programs)
    program.begin(START, 1, Clock(LONG))
    assert program.choose(START.play("a1"), Clock(LONG)).value == -25


FAULTS = [
    ("crashes at the start", {}, Ending.CRASHED),
    ("stalls at the start", {"start_seconds": SHORT}, Ending.SILENT),
    ("says no ugiok", {"start_seconds": SHORT}, Ending.SILENT),
    ("is never ready", {"ready_seconds": SHORT}, Ending.SILENT),
    ("crashes in a move", {}, Ending.CRASHED),
    ("closes its output", {}, Ending.CRASHED),
    ("stalls in a move", {"stop_seconds": SHORT}, Ending.SILENT),
    ("floods", {"stop_seconds": SHORT}, Ending.SILENT),
    ("writes a line without end", {}, Ending.GARBAGE),
    ("moves illegally", {}, Ending.ILLEGAL),
    ("answers without a move", {}, Ending.GARBAGE),
    ("answers with garbage", {}, Ending.ILLEGAL),
    ("answers with nothing", {}, Ending.GARBAGE),
]
SENTENCES = {
    "crashes at the start": "small ended before the game began, with status 1: no licence found",
    "stalls at the start": "small did not answer when it was asked to start",
    "says no ugiok": "small did not answer when it was asked to start",
    "is never ready": "small did not answer when it was asked to get ready",
    "crashes in a move": "small ended in move 1, with status 3: assertion failed",
    "closes its output": "small closed its pipe in move 1",
    "stalls in a move": "small did not answer when it was asked to move",
    "floods": "small did not answer when it was asked to move",
    "writes a line without end": "small wrote a line that does not end",
    "moves illegally": "small: 'd4' is not a legal move here; legal are a1,",
    "answers without a move": "small answered without a move ('0000')",
    "answers with garbage": "small: '%%%': % stands before two hexadecimal digits",
    "answers with nothing": "small answered without a move ('')",
}


@pytest.mark.parametrize(("way", "settings", "ending"), FAULTS, ids=[one[0] for one in FAULTS])
def test_a_program_that_fails_is_ended_with_the_fault_that_it_committed(
    programs: list[EngineProgram], way: str, settings: dict[str, Any], ending: Ending
) -> None:
    program = small(programs, way, **settings)
    clock = Clock(SHORT if "stop_seconds" in settings else LONG)
    for _ in range(2 if way == "moves illegally" else 1):  # it is started anew after a fault
        with pytest.raises(Fault) as fault:
            first_move(program, clock)
        assert fault.value.ending is ending
        assert str(fault.value).startswith(SENTENCES[way])
        program.close()


@pytest.mark.parametrize("way", ["prints garbage before", "speaks in halves of lines"])
def test_odd_output_around_an_answer_does_no_harm(programs: list[EngineProgram], way: str) -> None:
    choice = first_move(small(programs, way))
    assert choice.move == "a1"
    assert (choice.depth, choice.value) == ((7, -12) if way.startswith("speaks") else (4, 25))


def test_at_the_limit_a_program_is_told_to_stop_and_its_move_is_late(
    programs: list[EngineProgram],
) -> None:
    clock = Clock(SHORT)
    choice = first_move(small(programs, "waits for stop"), clock)
    assert choice.move == "a1"
    assert clock.is_late(choice)


@pytest.mark.parametrize("limits", [None, Limits(depth=3), Limits(seconds=0.05)])
def test_without_a_clock_nothing_waits_for_ever(
    programs: list[EngineProgram], limits: Limits | None
) -> None:
    settings: Any = {"stop_seconds": SHORT, "longest_move": SHORT, "limits": limits}
    with pytest.raises(Fault) as fault:
        first_move(small(programs, "stalls in a move", **settings), Clock())
    assert fault.value.ending is Ending.SILENT


def test_the_log_of_a_program_is_kept_and_short(programs: list[EngineProgram]) -> None:
    program = small(programs, "writes to standard error")
    assert first_move(program).move == "a1"
    program.close()
    assert program.stderr.startswith("first")
    assert program.stderr.strip().endswith("last")
    assert "bytes left out" in program.stderr
    assert len(program.stderr) < 50_000


def test_a_log_has_what_was_said_on_both_sides_and_how_it_ended(
    programs: list[EngineProgram], tmp_path: Path
) -> None:
    log = ProgramLog(tmp_path, "small")
    program = small(programs, "crashes in a move", log=log)
    with pytest.raises(Fault):
        first_move(program)
    text = [line.split(" ", 1)[1] for line in log.path.read_text().splitlines()]
    assert text[0].startswith("= starting ")
    assert text.index("> ugi") < text.index("< ugiok") < text.index("> isready")
    assert "> go movetime 120000" in text
    assert "! assertion failed" in text
    assert text[-1] == "= crashed: small ended in move 1, with status 3: assertion failed"


def test_a_log_has_the_line_in_which_a_program_was_ended(
    programs: list[EngineProgram], tmp_path: Path
) -> None:
    log = ProgramLog(tmp_path, "small")
    program = small(programs, "answers without a move", log=log)
    for _ in range(2):
        with pytest.raises(Fault):
            first_move(program)
    text = [line.split(" ", 1)[1] for line in log.path.read_text().splitlines()]
    assert [line for line in text if line.startswith("!")] == ["! where am I?"] * 2


# What a program is told


def told(program: EngineProgram) -> list[str]:
    program.close()
    return program.stderr.splitlines()


@pytest.mark.parametrize(
    ("clock", "limits", "go"),
    [
        (Clock(0.25, grace=60), None, "go movetime 250"),
        (Clock(), None, "go movetime 1000"),
        (Clock(), Limits(depth=4, nodes=70), "go depth 4 nodes 70"),
        (Clock(9.0), Limits(depth=4, seconds=0.5), "go depth 4 movetime 500"),
        (
            Clock(None, 60.0, (8.0, 4.5), 0.1, 1),
            None,
            "go p1time 8000 p2time 4500 p1inc 100 p2inc 100",
        ),
        (
            Clock(None, 60.0, (8.0, float("inf")), 0.0, 0),
            Limits(nodes=9),
            "go p1time 8000 p2time 8000 p1inc 0 p2inc 0 nodes 9",
        ),
        (Clock(None, 60.0, (float("inf"), 8.0), 0.0, 0), None, "go movetime 1000"),
    ],
)
def test_the_limits_of_a_move(
    programs: list[EngineProgram], clock: Clock, limits: Limits | None, go: str
) -> None:
    program = small(programs, "repeats what it was told", limits=limits)
    first_move(program, clock)
    assert told(program)[-1] == go


def test_options_are_set_once_by_their_own_names(programs: list[EngineProgram]) -> None:
    program = small(programs, "repeats what it was told", {"skill level": "7", "book": "a b"})
    for _ in range(2):
        program.begin(START, 0, Clock(LONG))
    assert told(program) == [
        "setoption name Skill Level value 7",
        "setoption name Book value a b",
        "uginewgame",
        "uginewgame",
    ]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"Hash": "1"}, "small: there is no option 'Hash'; options: Book, Skill Level"),
        (
            {"Skill Level": "10"},
            "small: option Skill Level must be a whole number from 0 to 9, not '10'",
        ),
    ],
)
def test_options_that_a_program_does_not_have(
    programs: list[EngineProgram], options: dict[str, str], problem: str
) -> None:
    with pytest.raises(FormatError) as error:
        small(programs, options=options).begin(START, 0, Clock(LONG))
    assert str(error.value) == problem


# Commands


def test_a_command_is_read_as_by_a_shell() -> None:
    assert split_command("'my engine' --hash 3") == ["my engine", "--hash", "3"]
    assert split_command(["my engine", "-x"]) == ["my engine", "-x"]


def test_on_windows_a_backslash_is_part_of_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert split_command(r'"C:\my programs\engine.exe" -x') == [r"C:\my programs\engine.exe", "-x"]


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("", "a program is a command, such as: plyground engine breakthrough"),
        ("'x", 'the command "\'x" cannot be read: No closing quotation'),
    ],
)
def test_a_command_that_is_none(command: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        EngineProgram(command)
    assert str(error.value) == problem


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    path = str(tmp_path / "nothing")
    with pytest.raises(NotStarted) as error:
        EngineProgram([path]).begin(START, 0, Clock())
    assert str(error.value) == f"cannot start {path!r}: No such file or directory"


@pytest.mark.parametrize(
    ("position", "options", "problem"),
    [
        (START, {}, "UCI is for breakthrough and connectfour, not for tictactoe: use UGI"),
        (
            find_game("breakthrough").start(),
            {"variant": "breakthrough"},
            "listener: this board is variant breakthrough6, not 'breakthrough'",
        ),
    ],
)
def test_a_game_that_uci_does_not_have(
    position: Position, options: dict[str, str], problem: str
) -> None:
    with pytest.raises(PlygroundError) as error:
        EngineProgram("listener", "uci", options).begin(position, 0, Clock())
    assert str(error.value) == problem


def test_a_variant_is_set_for_the_board(programs: list[EngineProgram]) -> None:
    program = small(programs, "repeats what it was told", {"variantpath": "x.ini"}, "uci")
    start = find_game("breakthrough").start({"rows": 8, "columns": 8})
    for _ in range(2):
        program.begin(start, 0, Clock(LONG))
    assert told(program) == [
        "setoption name VariantPath value x.ini",
        "setoption name UCI_Variant value breakthrough",
        "ucinewgame",
        "ucinewgame",
    ]


def test_a_variant_that_a_program_lacks_may_be_in_a_file(programs: list[EngineProgram]) -> None:
    with pytest.raises(FormatError) as error:
        small(programs, protocol="uci").begin(find_game("connectfour").start(), 0, Clock())
    assert str(error.value) == (
        "small: option UCI_Variant must be one of chess, breakthrough, not 'cfour';"
        " VariantPath takes a file with more of them"
    )


# In the notation of players


def test_limits_and_options_of_the_notation(programs: list[EngineProgram]) -> None:
    command = shlex.join([*COMMAND, "repeats what it was told"])
    spec = read_player(f"ugi:{command}?nodes=5&depth=3&name=ann&Book=b")
    entrant = make_entrant(START.game, spec, EntrantContext())
    player = entrant.player(0)
    assert isinstance(player, EngineProgram)
    programs.append(player)
    assert player.name == "ann"
    first_move(player, Clock())
    entrant.close()
    lines = player.stderr.splitlines()
    assert lines[0] == "setoption name Book value b"
    assert lines[-1] == "go depth 3 nodes 5"


def test_a_game_without_a_variant_is_refused_before_anything_is_started() -> None:
    with pytest.raises(FormatError, match=r"^UCI is for breakthrough and connectfour"):
        make_entrant(START.game, read_player("uci:nowhere"), EntrantContext())
