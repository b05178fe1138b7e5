"""The referee and its players: every way a game can end, told apart, and no process left behind."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plyground.arena import referee
from plyground.arena.referee import UNTIMED, Terms, TimedMove, play_game
from plyground.core.game import Position
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.players import program
from plyground.players.line_process import KEPT_OF_STDERR, LineProcess
from plyground.players.player import Choice, Clock, Fault, Player
from plyground.players.program import Program
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import FunctionPlayer, greedy_player, random_player
from plyground.search.result import Limits
from plyground.search.searcher import UNLIMITED, Algorithm, make_searcher

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
    with closing(player):
        played = play_game(
            tictactoe.start(), [player, random_player(5)], terms or Terms(seconds=5.0, overruns=1)
        )
    assert STARTED[-1].status is not None, "the process is still there"
    return played.outcome.ending, played.outcome.winner, played.outcome.reason


# Players of the house


def test_a_game_of_the_house_is_finished_and_recorded(tmp_path: Path) -> None:
    engine = SearchPlayer(
        make_searcher(Algorithm.ENGINE, tictactoe), Limits(depth=9), name="engine"
    )
    played = play_game(tictactoe.start(), [engine, engine])
    assert played.outcome.ending is Ending.FINISHED
    assert played.outcome.winner is None
    assert len(played.moves) == 9
    assert all(move.choice.depth for move in played.moves)
    path = tmp_path / "game.record"
    played.record.save(path)
    assert GameRecord.load(path).outcome == played.outcome


def test_perfect_play_never_loses_against_random_play() -> None:
    perfect = SearchPlayer(make_searcher(Algorithm.PERFECT, tictactoe), UNLIMITED, name="perfect")
    for seed in range(6):
        players: list[Player] = [perfect, random_player(seed)]
        assert play_game(tictactoe.start(), players).outcome.winner in (0, None)
        players.reverse()
        assert play_game(tictactoe.start(), players).outcome.winner in (1, None)


def test_a_greedy_player_takes_a_win_in_one() -> None:
    position = tictactoe.start()
    for move in ("a1", "a3", "b1", "b3"):
        position = position.play(move)
    assert greedy_player().choose(position, Clock()).move == "c1"
    position = position.play("a2")
    assert greedy_player().choose(position, Clock()).move == "c3"


def test_an_illegal_move_loses() -> None:
    wrong = FunctionPlayer("ann", lambda position: "z9")
    outcome = play_game(tictactoe.start(), [wrong, random_player(1)]).outcome
    assert (outcome.ending, outcome.winner) == (Ending.ILLEGAL, 1)
    assert outcome.reason.startswith("ann: 'z9' is not a legal move here; legal are ")


# Programs


def test_a_program_plays_a_whole_game() -> None:
    with closing(program_that()) as first, closing(program_that()) as second:
        played = play_game(tictactoe.start(), [first, second], Terms(seconds=5.0, overruns=1))
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
    with closing(player):
        played = play_game(tictactoe.start(), [player, random_player(3)], Terms(seconds=5.0))
    heard = [ply.move for ply in played.record.plies[::2]]
    legal = [tictactoe.start().move_text(move) for move in tictactoe.start().legal_moves]
    assert heard[0] == legal[1]  # the first answer is the first that came
    assert len(set(heard)) == len(heard)


# The end


def test_a_game_ends_when_its_result_is_foreseen() -> None:
    certain = Outcome(1, -1, Ending.DECIDED, "o wins, whatever x does")
    asked: list[tuple[str, int]] = []

    def foresee(position: Position, moves: Sequence[TimedMove]) -> Outcome | None:
        asked.append((position.text, len(moves)))
        return certain if len(moves) == 3 else None

    players = [random_player(1), random_player(2)]
    played = play_game(tictactoe.start(), players, Terms(), foresee=foresee)
    assert played.outcome == played.record.outcome == certain
    assert len(played.record.plies) == 3
    positions = played.record.positions()[1:]
    assert asked == [(position.text, moves) for moves, position in enumerate(positions, 1)]
    assert GameRecord.from_text(played.record.text).outcome == certain


# The clock


class Slow:
    """A player whose answers take so much CPU time, on a machine that is very busy."""

    name = "the slow one"

    def __init__(self, *times: float) -> None:
        self._times = list(times)

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        pass

    def choose(self, position: Position, clock: Clock) -> Choice:
        computed = self._times.pop(0) if self._times else 0.01
        move = position.move_text(position.legal_moves[0])
        return Choice(move, seconds=3600.0, computed=computed)

    def close(self) -> None:
        pass


def test_a_single_overrun_ends_a_judged_game() -> None:
    slow = Slow(0.05, 0.089)
    played = play_game(tictactoe.start(), [slow, random_player(2)], Terms(seconds=0.075))
    assert (played.outcome.ending, played.outcome.winner) == (Ending.OVERRUN, 1)
    assert played.outcome.reason == "the slow one took 89 ms for a move of 75 ms"
    assert played.slowest(0) == pytest.approx(0.089)
    assert len(played.record.plies) == 2, "the late move was not played"


def test_overruns_count_only_in_a_row() -> None:
    late, good = 0.2, 0.01
    terms = Terms(seconds=0.075, overruns=3)
    seeds = [seed for seed in range(9) if _lasts(seed)]
    slow = Slow(late, late, good, late, late)
    played = play_game(tictactoe.start(), [slow, random_player(seeds[0])], terms)
    assert played.outcome.ending is Ending.FINISHED
    charged = [move.choice.charged_seconds for move in played.moves if move.side == 0]
    assert charged == [late, late, good, late, late]
    slow = Slow(late, late, late)
    played = play_game(tictactoe.start(), [slow, random_player(seeds[0])], terms)
    assert played.outcome.ending is Ending.OVERRUN
    assert len(played.record.plies) == 4


def _lasts(seed: int) -> bool:
    """Whether a game of first moves against this random player goes on for all nine plies."""
    played = play_game(tictactoe.start(), [Slow(), random_player(seed)])
    return len(played.moves) == 9


def test_where_cpu_time_is_not_known_the_time_on_the_wall_counts() -> None:
    assert Clock(0.075).is_late(Choice("a1", 0.08))
    assert not Clock(0.075).is_late(Choice("a1", 0.08, computed=0.07))
    assert not Clock(0.075, grace=0.01).is_late(Choice("a1", 0.08))


def test_late_moves_must_be_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "OVERDRAWN", 2)
    late, good = 0.2, 0.01
    seed = next(seed for seed in range(9) if _lasts(seed))
    players: list[Player] = [Slow(late, good, late), random_player(seed)]
    played = play_game(tictactoe.start(), players, Terms(seconds=0.075, overruns=3))
    assert played.outcome.ending is Ending.OVERRUN
    assert played.outcome.reason == (
        "the slow one took 410 ms for 3 moves of 75 ms: late moves must be made up for"
    )


def test_a_side_that_is_not_timed_is_never_late() -> None:
    slow = Slow(9.0)
    terms = Terms(seconds=0.075), UNTIMED
    played = play_game(tictactoe.start(), [random_player(2), slow], terms)
    assert played.outcome.ending is Ending.FINISHED


def test_a_clock_for_the_whole_game_runs_out() -> None:
    terms = Terms(bank=1.0)
    slow = Slow(0.4, 0.4, 0.4)
    seed = next(seed for seed in range(9) if _lasts(seed))
    played = play_game(tictactoe.start(), [slow, random_player(seed)], (terms, UNTIMED))
    assert (played.outcome.ending, played.outcome.winner) == (Ending.TIME, 1)
    assert played.outcome.reason == "the slow one ran out of time: 1.2 s for 3 moves"
    assert played.record.clock == "1 s + 0 s / -"
    slow = Slow(0.4, 0.4, 0.4, 0.4, 0.4)
    earning = Terms(bank=1.0, increment=0.3)
    played = play_game(tictactoe.start(), [slow, random_player(seed)], (earning, UNTIMED))
    assert played.outcome.ending is Ending.FINISHED


def test_a_player_is_told_what_is_left_to_both_sides() -> None:
    clocks: list[Clock] = []

    class Listening(Slow):
        def choose(self, position: Position, clock: Clock) -> Choice:
            clocks.append(clock)
            return super().choose(position, clock)

    players: list[Player] = [Listening(0.25), Slow(0.5, 0.5)]
    terms = Terms(bank=2.0, increment=0.1), Terms(bank=9.0, grace=0.5)
    play_game(tictactoe.start(), players, terms)
    assert clocks[0] == Clock(remaining=(2.0, 9.0), increment=0.1, side=0)
    assert clocks[1].remaining is not None
    assert list(clocks[1].remaining) == pytest.approx([1.85, 8.5])
