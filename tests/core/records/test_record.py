"""The record of a game: made move by move, played through, checked."""

from __future__ import annotations

import doctest
import pickle
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise
from pathlib import Path

import pytest

from plyground.core.errors import FormatError, GameOver, IllegalMove, UnknownGame
from plyground.core.game import Game
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.record import GameRecord, Ply
from plyground.core.registry import find_game, game_names
from tests.paths import DOCS
from tests.random_play import random_game
from tests.sample_games import figure_tree, random_tree

TICTACTOE = find_game("tictactoe")
BREAKTHROUGH = find_game("breakthrough")
WON = ["a1", "b1", "a2", "b2", "a3"]
"""X has the left column."""


def won_game() -> GameRecord:
    return GameRecord.from_moves(TICTACTOE.start(), WON)


# Making a record


def test_a_record_begins_with_a_position_and_no_move() -> None:
    record = GameRecord.begin(
        TICTACTOE.start(), players=("Ada", "Bob"), date="2025-11-15", event="club", clock="5 min"
    )
    assert record.game == "tictactoe"
    assert record.start == TICTACTOE.start().text
    assert (record.players, record.date) == (("Ada", "Bob"), "2025-11-15")
    assert (record.event, record.clock) == ("club", "5 min")
    assert record.plies == ()
    assert record.outcome is None
    assert record.last_position() == TICTACTOE.start()


def test_players_without_names_are_called_as_the_game_calls_them() -> None:
    assert GameRecord.begin(TICTACTOE.start()).players == ("X", "O")


def test_appending_notes_the_move_as_people_write_it() -> None:
    record = GameRecord.begin(TICTACTOE.start())
    move = TICTACTOE.start().parse_move("b2")
    for given in (move, "b2", " B2 "):
        longer = record.append(given, seconds=0.5, evaluation=-7, depth=4, comment="centre")
        assert longer.plies == (Ply("b2", 0.5, -7, 4, "centre"),)
    assert record.plies == (), "a record never changes"


def test_the_last_move_of_a_game_brings_the_outcome() -> None:
    record = won_game()
    assert record.outcome == record.last_position().outcome
    assert record.outcome is not None
    assert record.outcome.winner == 0
    assert [ply.move for ply in record.plies] == WON


def test_an_illegal_move_cannot_be_appended() -> None:
    record = GameRecord.from_moves(TICTACTOE.start(), ["b2"])
    with pytest.raises(IllegalMove, match="'b2' is not a legal move here"):
        record.append("b2")
    with pytest.raises(IllegalMove, match="move number 99 is not legal"):
        record.append(99)


def test_nothing_can_be_appended_to_a_finished_game() -> None:
    with pytest.raises(GameOver, match=r"the game is over \(.*\): no move can be played"):
        won_game().append("c3")


def test_moves_can_be_taken_back() -> None:
    record = won_game()
    for count in range(len(WON) + 1):
        earlier = record.undo(count)
        assert earlier == GameRecord.from_moves(TICTACTOE.start(), WON[: len(WON) - count]) or (
            count == 0 and earlier == replace(record, outcome=None)
        )
        assert earlier.outcome is None
        assert earlier.last_position() == record.positions()[len(WON) - count]
    assert record.undo().append("a3") == record


@pytest.mark.parametrize("count", [-1, 6])
def test_no_more_moves_can_be_taken_back_than_were_played(count: int) -> None:
    with pytest.raises(IllegalMove, match=f"{count} moves cannot be taken back: 5 have been"):
        won_game().undo(count)


def test_a_player_may_resign() -> None:
    record = GameRecord.from_moves(TICTACTOE.start(), WON[:3])
    resigned = record.ended(Outcome.resignation(1, "Bob"))
    assert resigned.outcome == Outcome(0, 1, Ending.RESIGNED, "Bob resigned")
    assert len(resigned.positions()) == 4
    with pytest.raises(GameOver, match=r"over already \(Bob resigned\)"):
        resigned.ended(Outcome.resignation(0, "Ada"))
    with pytest.raises(GameOver, match="Bob resigned"):
        resigned.append("c3")
    assert resigned.undo(0) == record


def test_a_game_can_end_by_the_clock() -> None:
    record = GameRecord.begin(find_game("tictactoe").start())
    late = record.ended(Outcome.out_of_time(0, "X"))
    assert late.outcome == Outcome(1, -1, Ending.TIME, "X ran out of time")
    assert GameRecord.from_text(late.text) == GameRecord.from_json(late.json) == late


def test_a_record_can_begin_where_the_game_is_over() -> None:
    record = GameRecord.begin(won_game().last_position())
    assert record.outcome is not None
    assert len(record.positions()) == 1


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        won_game().event = "another"  # type: ignore[misc]


def test_a_record_survives_pickling() -> None:
    record = won_game()
    assert pickle.loads(pickle.dumps(record)) == record


# Boards with options


def test_a_board_that_the_text_tells_needs_no_options() -> None:
    start = BREAKTHROUGH.start({"rows": 5, "columns": 4})
    record = GameRecord.begin(start)
    assert record.options == ()
    assert replace(record).positions() == (start,)


def test_options_are_kept_as_text() -> None:
    options = {"rows": 5, "columns": 4}
    record = GameRecord.begin(BREAKTHROUGH.start(options), options=options)
    assert record.options == (("rows", "5"), ("columns", "4"))
    assert len(replace(record).positions()) == 1


def test_a_board_that_the_text_does_not_tell_needs_its_options() -> None:
    game = Game(random_tree, "random_tree")
    options = {"seed": 3, "length": 7}
    start = game.start(options)
    record = GameRecord.from_moves(start, start.legal_moves[:1], options=options)
    fresh = replace(record)
    assert fresh.positions(game)[-1].board == start.board
    with pytest.raises(FormatError, match="give the options it was made with"):
        GameRecord.begin(start)


# Playing it through


@pytest.mark.parametrize("name", game_names())
def test_a_record_plays_through_every_game(name: str) -> None:
    for seed in range(5):
        positions = random_game(find_game(name), seed)
        record = GameRecord.begin(positions[0])
        for before, after in pairwise(positions):
            moves = [move for move, child in before.children() if child == after]
            record = record.append(moves[0])
        assert replace(record).positions() == tuple(positions)
        assert record.outcome == positions[-1].outcome


def test_an_illegal_move_is_found_and_named() -> None:
    record = won_game()
    broken = replace(record, plies=(*record.plies[:3], Ply("a1"), record.plies[4]))
    with pytest.raises(FormatError, match=r"^move 4: 'a1' is not a legal move here; legal are"):
        broken.positions()
    elsewhere = replace(broken, plies=(Ply("z9", line=12),), source="game.txt")
    with pytest.raises(FormatError, match=r"^game\.txt, line 12: move 1: 'z9' is not") as caught:
        elsewhere.positions()
    assert caught.value.line == 12


def test_a_move_after_the_end_is_found() -> None:
    record = won_game()
    with pytest.raises(FormatError, match=r"move 6: the game is over \(.*\): no move can be"):
        replace(record, plies=(*record.plies, Ply("c3"))).positions()


def test_a_start_that_is_no_position_is_found() -> None:
    record = replace(won_game(), start="nonsense", line=4)
    with pytest.raises(FormatError, match=r"^line 4: the start position: "):
        record.positions()


def test_a_result_that_the_moves_do_not_bear_out_is_found() -> None:
    record = won_game()
    draw = Outcome(None, 0, Ending.FINISHED, "a draw")
    with pytest.raises(
        FormatError, match="is given as 1/2-1/2 with utility 0, but the moves lead to 1-0"
    ):
        replace(record, outcome=draw).positions()
    with pytest.raises(FormatError, match="finished, but after the last move it goes on"):
        replace(record, plies=record.plies[:4]).positions()
    with pytest.raises(FormatError, match="finished, but after the last move it goes on"):
        replace(record, plies=()).positions()


def test_a_record_without_a_result_may_end_anywhere() -> None:
    assert len(replace(won_game(), outcome=None).positions()) == 6


def test_a_record_of_an_unknown_game_says_so() -> None:
    with pytest.raises(UnknownGame, match="there is no game 'chess'"):
        replace(won_game(), game="chess").positions()


# Games of one's own


def test_a_record_never_runs_a_program_by_itself(tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    record = GameRecord(str(trap), "x=0", plies=(Ply("1"),))
    with pytest.raises(FormatError, match=r"trap.py, a program: it is run only if it is given"):
        record.positions()
    with pytest.raises(FormatError, match="a program"):
        record.append("1")
    assert not (tmp_path / "sprung").exists()


def test_a_record_of_ones_own_game_plays_through_with_the_game() -> None:
    game = find_game(figure_tree.__file__ or "")
    record = GameRecord.from_moves(game.start(), ["a2", "c3"])
    assert record.game == figure_tree.__file__
    assert record.undo().append("c1").outcome is not None, "while it is made, the game is known"
    fresh = replace(record)
    assert fresh.positions(game)[-1].utility == 6
    assert fresh.undo().last_position().text == record.positions()[1].text


def test_a_record_is_not_played_with_another_game() -> None:
    with pytest.raises(FormatError, match="this record is of tictactoe, not of breakthrough"):
        won_game().positions(BREAKTHROUGH)


# What a record may hold


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": ""}, "'game' must not be empty"),
        ({"start": " \n"}, "'start' must not be empty"),
        ({"game": 3}, "'game' must be a text"),
        ({"event": "x" * 10_001}, "'event' has 10001 characters: at most 10000 are possible"),
        ({"players": ("\ud800", "")}, "'first' holds half a character"),
        ({"players": ("", None)}, "'second' must be a text"),
        ({"date": "yesterday"}, "the date 'yesterday' is not written like 2025-11-15"),
        ({"options": (("no name", "1"),)}, "'no name' cannot be the name of an option"),
        ({"options": (("rows", 1),)}, "option rows must be a text"),
        ({"options": (("a", "1"), ("a", "2"))}, "the same name is given twice"),
        ({"tags": (("a", "1"), ("a", "2"))}, "the same name is given twice"),
        ({"tags": (("two words", ""),)}, "'two words' cannot be the name of a header"),
        ({"tags": (("Start", ""),)}, "the header 'Start' has a meaning of its own"),
        ({"tags": (("a", 1),)}, "'a' must be a text"),
        ({"plies": (Ply("1"),) * 100_001}, "100001 moves: a record holds at most 100000"),
        ({"outcome": Outcome(2, 1, Ending.FINISHED, "")}, "a winner is 0, 1 or null"),
        ({"outcome": Outcome(0, 1 << 70, Ending.FINISHED, "")}, "a utility is a whole number"),
        ({"outcome": Outcome(0, 1, Ending.FINISHED, "\udfff")}, "reason of the result holds half"),
    ],
)
def test_what_no_file_could_hold_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        replace(won_game(), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"move": " "}, "a move has a text"),
        ({"move": "m" * 1001}, "the move has 1001 characters"),
        ({"comment": 5}, "the comment must be a text"),
        ({"seconds": -0.1}, "a time is a number of seconds from 0 to 1000000000"),
        ({"seconds": float("nan")}, "a time is"),
        ({"seconds": 1e10}, "a time is"),
        ({"seconds": True}, "a time is"),
        ({"seconds": "1"}, "a time is"),
        ({"evaluation": 1 << 40}, "an evaluation is a whole number from -1000000001 to 1000000001"),
        ({"evaluation": 0.5}, "an evaluation is"),
        ({"evaluation": False}, "an evaluation is"),
        ({"depth": -1}, "a depth is a whole number from 0 to 100000"),
    ],
)
def test_what_cannot_be_noted_of_a_move_is_refused(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        Ply(**{"move": "a1", **changes})  # type: ignore[arg-type]


def test_the_page_about_records_is_true() -> None:
    page = DOCS / "records.md"
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried > 10
    assert failed == 0
