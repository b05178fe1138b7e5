"""The referee and its players: every way a game can end, told apart, and no process left behind."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from plyground.arena import match
from plyground.arena.match import Terms, play_match
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.players import program
from plyground.players.line_process import KEPT_OF_STDERR, LineProcess
from plyground.players.player import Choice, Clock, Fault, Player
from plyground.players.program import Program
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import greedy_player, human_player, random_player
from plyground.search.result import Limits
from plyground.search.searcher import Algorithm

tictactoe = find_game("tictactoe")


class Naming:
    """An interface for the programs below: the legal moves go out, one of them comes back."""

    kind = "naming"

    def begin(self, position: Position, side: int, seconds: float | None) -> dict[str, Any]:
        return {"type": "begin", "side": side, "seconds": seconds}

    def turn(self, position: Position, seconds: float | None) -> dict[str, Any]:
        names = [position.move_text(move) for move in position.legal_moves]
        return {"type": "turn", "moves": names, "seconds": seconds}

    def read(self, answer: dict[str, Any], position: Position) -> str:
        if not isinstance(answer.get("move"), str):
            raise Fault(Ending.GARBAGE, "the answer has no move")
        return str(answer["move"])


HONEST = """
    import json, os, sys, time
    answered = 0
    def say(**answer):
        sys.stdout.write(json.dumps(answer) + "\\n")
        sys.stdout.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "over":
            break
        if asked["type"] == "begin":
            say(type="ready")
            continue
        answered += 1
        {before}
        say(type="move", move=asked["moves"][0], depth=3)
"""


STARTED: list[LineProcess] = []


def program_that(
    does: str = "pass", *, text: str | None = None, start_seconds: float = 60.0
) -> Program:
    """A program that plays the first legal move, and before that does something else."""
    code = textwrap.dedent(HONEST if text is None else text).replace("{before}", does)

    def start() -> LineProcess:
        STARTED.append(LineProcess([sys.executable, "-I", "-c", code], environment={}))
        return STARTED[-1]

    return Program(start, Naming(), name="the program", start_seconds=start_seconds)


def outcome_of(player: Program, terms: Terms | None = None) -> tuple[Ending, int | None, str]:
    played = play_match(
        tictactoe.start(), [player, random_player(5)], terms or Terms(seconds=5.0, overruns=1)
    )
    assert STARTED[-1].status is not None, "the process is still there"
    return played.outcome.ending, played.outcome.winner, played.outcome.reason


# Players of the house


def test_a_game_of_the_house_is_finished_and_recorded(tmp_path: Path) -> None:
    engine = SearchPlayer(tictactoe, limits=Limits(depth=9))
    played = play_match(tictactoe.start(), [engine, engine], Terms())
    assert played.outcome.ending is Ending.FINISHED
    assert played.outcome.winner is None
    assert len(played.moves) == 9
    assert all(move.choice.depth for move in played.moves)
    path = tmp_path / "game.record"
    played.record.save(path)
    assert GameRecord.load(path).outcome == played.outcome


def test_perfect_play_never_loses_against_random_play() -> None:
    perfect = SearchPlayer(tictactoe, Algorithm.PERFECT)
    for seed in range(6):
        players: list[Player] = [perfect, random_player(seed)]
        assert play_match(tictactoe.start(), players, Terms()).outcome.winner in (0, None)
        players.reverse()
        assert play_match(tictactoe.start(), players, Terms()).outcome.winner in (1, None)


def test_a_greedy_player_takes_a_win_in_one() -> None:
    position = tictactoe.start()
    for move in ("a1", "a3", "b1", "b3"):
        position = position.play(move)
    assert greedy_player().choose(position, Clock()).move == "c1"
    position = position.play("a2")
    assert greedy_player().choose(position, Clock()).move == "c3"


def test_a_person_is_asked_and_may_be_wrong() -> None:
    person = human_player(lambda position: "z9")
    outcome = play_match(tictactoe.start(), [person, random_player(1)], Terms()).outcome
    assert (outcome.ending, outcome.winner) == (Ending.ILLEGAL, 1)
    assert outcome.reason.startswith("you: 'z9' is not a legal move here; legal are ")


# Programs


def test_a_program_plays_a_whole_game() -> None:
    played = play_match(
        tictactoe.start(), [program_that(), program_that()], Terms(seconds=5.0, overruns=1)
    )
    assert played.outcome.ending is Ending.FINISHED
    assert played.depths(0) == [3] * len(played.depths(0)) != []


@pytest.mark.parametrize(
    ("does", "ending", "reason"),
    [
        ("raise ValueError", Ending.CRASHED, "ended before the game was over, with status 1"),
        ("sys.exit(0)", Ending.CRASHED, "ended before the game was over, with status 0"),
        ("os.kill(os.getpid(), 9)", Ending.CRASHED, "was ended by signal 9"),
        ("os.close(1); time.sleep(9)", Ending.CRASHED, "closed its pipe"),
        ("say(type='move', move='z9')", Ending.ILLEGAL, "'z9' is not a legal move here"),
        ("say(type='move', move=7)", Ending.GARBAGE, "the answer has no move"),
        ("print('Traceback')", Ending.GARBAGE, "answered with b'Traceback': no JSON object"),
        ("print('[' * 60000)", Ending.GARBAGE, "no JSON object"),
        ("print('x' * 10**7, end='')", Ending.GARBAGE, "more than any answer needs"),
        ("print('\\xff')", Ending.GARBAGE, "no JSON object"),
    ],
)
def test_what_goes_wrong_in_a_program_has_an_ending_of_its_own(
    does: str, ending: Ending, reason: str
) -> None:
    found = outcome_of(program_that(f"if answered == 2: {does}"))
    assert found[:2] == (ending, 1)
    assert reason in found[2]


def test_a_program_that_says_nothing_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "LEAST_PATIENCE", 0.3)
    found = outcome_of(program_that("time.sleep(60)"), Terms(seconds=0.02))
    assert found == (Ending.SILENT, 1, "the program did not answer when it was asked to move")
    found = outcome_of(program_that(text="import time; time.sleep(600)", start_seconds=0.3))
    assert found == (Ending.SILENT, 1, "the program did not answer when it was asked to get ready")


def test_a_program_that_cannot_be_loaded_crashes_with_its_error() -> None:
    player = program_that(text="import there_is_no_such_module")
    found = outcome_of(player)
    assert found[:2] == (Ending.CRASHED, 1)
    assert "No module named 'there_is_no_such_module'" in player.stderr


def test_a_first_answer_that_is_not_ready_is_garbage() -> None:
    found = outcome_of(program_that(text="input(); print('{}')"))
    assert found == (Ending.GARBAGE, 1, "the program did not say that it is ready")


def test_of_a_long_standard_error_the_beginning_and_the_end_are_kept() -> None:
    player = program_that(
        "if answered == 1: sys.stderr.write('first ' + 'x' * 10**7 + ' last'); sys.stderr.flush()"
    )
    assert outcome_of(player)[0] is Ending.FINISHED
    assert player.stderr.startswith("first x")
    assert player.stderr.endswith("x last")
    assert "bytes left out" in player.stderr
    assert len(player.stderr) < 3 * KEPT_OF_STDERR


def test_an_answer_before_the_question_is_thrown_away() -> None:
    """Else a program could think on its opponent's time, or answer two questions ahead."""
    player = program_that(
        "if answered == 1: say(type='move', move=asked['moves'][1]); time.sleep(.1)"
    )
    heard: list[str] = []
    play_match(
        tictactoe.start(),
        [player, random_player(3)],
        Terms(seconds=5.0),
        on_move=lambda _, move: heard.append(move.choice.move) if move.side == 0 else None,
    )
    legal = [tictactoe.start().move_text(move) for move in tictactoe.start().legal_moves]
    assert heard[0] == legal[1]  # the first answer is the first that came
    assert len(set(heard)) == len(heard)


# The clock


class Slow:
    """A player whose answers take as long as they say."""

    name = "the slow one"

    def __init__(self, *times: tuple[float, float]) -> None:
        self._times = list(times)
        self.asked = 0

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        pass

    def choose(self, position: Position, clock: Clock) -> Choice:
        self.asked += 1
        seconds, waited = self._times.pop(0) if self._times else (0.01, 0.0)
        return Choice(position.move_text(position.legal_moves[0]), seconds, waited=waited)

    def close(self) -> None:
        pass


def test_a_single_overrun_ends_a_judged_game() -> None:
    slow = Slow((0.05, 0.0), (0.09, 0.001))
    played = play_match(tictactoe.start(), [slow, random_player(2)], Terms(seconds=0.075))
    assert (played.outcome.ending, played.outcome.winner) == (Ending.OVERRUN, 1)
    assert played.outcome.reason == "the slow one took 89 ms for a move of 75 ms"
    assert played.slowest(0) == pytest.approx(0.089)
    assert len(played.record.plies) == 2, "the late move was not played"


def test_overruns_count_only_in_a_row() -> None:
    late, good = (0.2, 0.0), (0.01, 0.0)
    terms = Terms(seconds=0.075, overruns=3)
    seeds = [seed for seed in range(9) if _lasts(seed)]
    slow = Slow(late, late, good, late, late)
    played = play_match(tictactoe.start(), [slow, random_player(seeds[0])], terms)
    assert played.outcome.ending is Ending.FINISHED
    lateness = "".join("x" if move.late else "." for move in played.moves if move.side == 0)
    assert lateness == "xx.xx"
    slow = Slow(late, late, late)
    played = play_match(tictactoe.start(), [slow, random_player(seeds[0])], terms)
    assert played.outcome.ending is Ending.OVERRUN
    assert len(played.record.plies) == 4


def _lasts(seed: int) -> bool:
    """Whether a game of first moves against this random player goes on for all nine plies."""
    played = play_match(tictactoe.start(), [Slow(), random_player(seed)], Terms())
    return len(played.moves) == 9


def test_a_move_late_only_by_waiting_for_a_core_is_asked_again_and_then_taken() -> None:
    slow = Slow((0.2, 0.15), (0.2, 0.19))
    played = play_match(tictactoe.start(), [slow, random_player(2)], Terms(seconds=0.075))
    assert played.outcome.ending is Ending.FINISHED
    assert (played.moves[0].again, played.moves[0].late) == (2, False)
    busy = Slow(*[(0.2, 0.19)] * (match.ASKED_AGAIN + 1))
    played = play_match(tictactoe.start(), [busy, random_player(2)], Terms(seconds=0.075))
    assert played.outcome.ending is Ending.FINISHED
    assert played.moves[0].again == match.ASKED_AGAIN


def test_a_move_in_time_is_asked_again_where_the_player_hardly_came_to_think() -> None:
    slow = Slow((0.07, 0.02), (0.07, 0.01))
    played = play_match(tictactoe.start(), [slow, random_player(2)], Terms(seconds=0.075))
    assert (played.moves[0].again, played.moves[0].choice.waited) == (1, 0.01)


def test_nobody_gets_more_than_twice_the_time_by_being_asked_again() -> None:
    """A player can make the machine busy, too."""
    busy = Slow(*[(0.08, 0.03)] * 4)
    played = play_match(tictactoe.start(), [busy, random_player(2)], Terms(seconds=0.075))
    assert played.moves[0].again == 1
    own = sum((0.08 - 0.03) for _ in range(1 + played.moves[0].again))
    assert own < 2 * 0.075


def test_late_moves_must_be_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "OVERDRAWN", 2)
    late, good = (0.2, 0.0), (0.01, 0.0)
    seed = next(seed for seed in range(9) if _lasts(seed))
    players: list[Player] = [Slow(late, good, late), random_player(seed)]
    played = play_match(tictactoe.start(), players, Terms(seconds=0.075, overruns=3))
    assert played.outcome.ending is Ending.OVERRUN
    assert played.outcome.reason == (
        "the slow one took 410 ms for 3 moves of 75 ms: late moves must be made up for"
    )


def test_a_side_that_is_not_timed_is_never_late() -> None:
    slow = Slow((9.0, 0.0))
    terms = Terms(seconds=0.075, timed=frozenset({0}))
    played = play_match(tictactoe.start(), [random_player(2), slow], terms)
    assert played.outcome.ending is Ending.FINISHED
