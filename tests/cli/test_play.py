"""`plyground play`: the conversation, its commands, and the record that misses no move."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyground.cli.terminal_game import COMMANDS
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from tests.cli.runner import plyground, refusal
from tests.paths import EXAMPLES

MINIMAX = ["play", "tictactoe", "--algorithm", "minimax", "--depth", "2"]
"""An opponent that answers at once and always the same."""


def said(*arguments: str | Path, typed: str) -> list[str]:
    """The lines of a conversation that are not the board."""
    ran = plyground(*arguments, typed=typed)
    assert ran.status == 0, ran
    assert ran.errors == ""
    boards = (" 3  ", " 2  ", " 1  ", "    a b c")
    return [line for line in ran.output.splitlines() if line and not line[2:].startswith(boards)]


def test_a_move_is_answered_with_what_the_search_thinks_of_it() -> None:
    lines = said(*MINIMAX, typed="b2\n")
    assert lines[:2] == ["Tic-tac-toe: X is you, O is minimax; depth 2 a move.", "X> b2"]
    assert lines[2].startswith("O plays a1 (X +5; depth 2, ")
    assert lines[3:] == ["the game is not finished; goodbye"]


def test_the_board_is_shown_after_every_move() -> None:
    output = plyground(*MINIMAX, typed="b2\n").output
    assert output.count("    a b c\n") == 3
    assert "   3  . . .\n   2  . x .\n   1  o . .\n" in output


def test_the_result_is_told_with_the_reason() -> None:
    lines = said("play", "tictactoe", "--side", "both", typed="a1\na2\nb1\nb2\nc1\n")
    assert lines[-1] == "1-0  X wins: X has three in a line"


def test_a_draw_is_told() -> None:
    moves = "a1 b2 c1 b1 b3 a2 c2 c3 a3".split()
    lines = said("play", "tictactoe", "--side", "both", typed="\n".join(moves))
    assert lines[-1] == "1/2-1/2  a draw: the grid is full"


def test_a_wrong_move_says_why_and_the_game_goes_on() -> None:
    lines = said("play", "tictactoe", "--side", "both", typed="b2\nb2\nxyz\n\na1\n")
    assert lines[2] == "O> b2"
    assert lines[3].startswith("'b2' is not a legal move here; legal are a1, b1, c1")
    assert lines[5].startswith("'xyz' is not a legal move here")
    assert lines[6:8] == ["O>", "O> a1"]


def test_the_other_side_can_be_played() -> None:
    lines = said(*MINIMAX, "--side", "second", typed="a1\n")
    assert lines[0] == "Tic-tac-toe: X is minimax, O is you; depth 2 a move."
    assert lines[1].startswith("X plays b2 (")
    assert lines[2] == "O> a1"


def test_the_search_plays_against_itself_to_the_end() -> None:
    lines = said(*MINIMAX, "--side", "none", typed="")
    assert lines[1].startswith("X plays ")
    assert lines[2].startswith("O plays ")
    assert lines[-1].startswith(("1-0", "0-1", "1/2-1/2"))


def test_the_rules_can_be_read_while_playing() -> None:
    output = plyground(*MINIMAX, typed="rules\n").output
    assert f"X> rules\n{find_game('tictactoe').rules_text}\n" in output


def test_a_file_without_rules_in_words_says_so(tmp_path: Path) -> None:
    silent = tmp_path / "silent.py"
    nim = (EXAMPLES / "nim.py").read_text(encoding="utf-8")
    silent.write_text(nim.partition("\n")[2], encoding="utf-8")
    ran = plyground("play", silent, "--side", "both", typed="rules\n")
    assert "First> rules\nthe game's file does not tell its rules\n" in ran.output


def test_random_moves_follow_the_seed() -> None:
    arguments = ["play", "tictactoe", "--side", "none", "--algorithm", "random", "--seed"]
    games = [said(*arguments, str(seed), typed="") for seed in (1, 1, 2)]
    assert games[0] == games[1]
    assert games[0] != games[2]
    assert games[0][1].startswith("X plays ")


# Commands


def test_undo_goes_back_to_ones_own_last_turn() -> None:
    output = plyground(*MINIMAX, typed="b2\nundo\n").output
    last_board = output.rpartition("   3")[2]
    assert last_board.startswith("  . . .\n   2  . . .\n   1  . . .\n")


def test_undo_takes_back_one_move_when_one_plays_both_sides() -> None:
    output = plyground("play", "tictactoe", "--side", "both", typed="b2\na1\nundo\n").output
    assert output.rpartition("   3")[2].startswith("  . . .\n   2  . x .\n   1  . . .\n")


def test_undo_at_the_start_says_so() -> None:
    assert "there is nothing to take back" in said(*MINIMAX, typed="undo\n")
    lines = said(*MINIMAX, "--side", "second", typed="undo\n")
    assert "there is nothing to take back" in lines


def test_a_hint_is_a_legal_move_with_its_reasons() -> None:
    lines = said(
        "play", "tictactoe", "--depth", "9", "--position", "xx1/oo1/3 x", typed="hint\nc3\n"
    )
    assert lines[2].startswith("perhaps c3 (X wins in 1 ply; depth 1, ")
    assert lines[-1] == "1-0  X wins: X has three in a line"


def test_a_hint_comes_from_the_engine_whoever_plays() -> None:
    lines = said(
        *["play", "tictactoe", "--algorithm", "random", "--seed", "1"],
        *["--position", "xx1/oo1/3 x"],
        typed="hint\n",
    )
    assert lines[2].startswith("perhaps c3 (X wins in 1 ply")


def test_the_legal_moves_are_listed() -> None:
    assert "9 moves: a1 b1 c1 a2 b2 c2 a3 b3 c3" in said(*MINIMAX, typed="moves\n")


def test_the_board_is_shown_again() -> None:
    assert plyground(*MINIMAX, typed="board\n").output.count("    a b c\n") == 2


def test_help_explains_every_command() -> None:
    lines = said(*MINIMAX, typed="HELP\n")
    for command, meaning in COMMANDS.items():
        assert f"  {command:8}{meaning}" in lines


def test_resigning_loses() -> None:
    assert said(*MINIMAX, typed="resign\n")[-1] == "0-1  O wins: X resigned"


def test_quitting_leaves_the_game_open() -> None:
    assert said(*MINIMAX, typed="quit\nb2\n")[1:] == [
        "X> quit",
        "the game is not finished; goodbye",
    ]


def test_a_command_with_something_after_it_is_not_guessed_at() -> None:
    lines = said(*MINIMAX, typed="undo 2\n")
    assert "undo stands alone: undo, not undo 2" in lines


# Records


def test_the_record_has_every_move_after_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    plyground(*MINIMAX, "--record", path, typed="b2\n")
    record = GameRecord.load(path)
    assert [ply.move for ply in record.plies] == ["b2", "a1"]
    assert record.players == ("you", "minimax")
    assert record.clock == "depth 2 a move"
    assert record.outcome is None
    assert (record.plies[1].evaluation, record.plies[1].depth) == (5, 2)
    assert [file.name for file in tmp_path.iterdir()] == ["game.record"]


def test_the_record_knows_who_resigned_and_what_was_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    plyground(*MINIMAX, "--record", path, typed="b2\nundo\na1\nresign\n")
    record = GameRecord.load(path)
    assert record.plies[0].move == "a1"
    assert record.outcome is not None
    assert record.outcome.reason == "X resigned"


def test_a_record_of_ones_own_game_keeps_its_options(tmp_path: Path) -> None:
    path = tmp_path / "kalah.record"
    options = ["-o", "seeds=3", "--algorithm", "random", "--seed", "1", "--side", "none"]
    plyground("play", EXAMPLES / "kalah.py", *options, "--record", path)
    assert plyground("show", path, "--game", EXAMPLES / "kalah.py").status == 0


def test_no_file_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("precious")
    message = f"{path} exists already; choose another name for the record"
    assert refusal_after_greeting(*MINIMAX, "--record", path) == message
    lines = said(*MINIMAX, typed=f"save {path}\nsave\nb2\n")
    assert message in lines
    assert "save where? Say: save FILE" in lines
    assert path.read_text() == "precious"


def refusal_after_greeting(*arguments: str | Path) -> str:
    ran = plyground(*arguments)
    assert ran.status == 2
    return ran.errors.removeprefix("plyground: ").strip()


def test_a_game_is_saved_on_request_and_again(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    lines = said(*MINIMAX, typed=f"b2\nsave {path}\nresign\n")
    assert f"saved as {path}" in lines
    assert len(GameRecord.load(path).plies) == 2
    said(*MINIMAX, typed=f"save {path}2\nb2\nsave {path}2\n")
    assert len(GameRecord.load(f"{path}2").plies) == 2


def test_a_record_that_cannot_be_written_is_told_before_the_game(tmp_path: Path) -> None:
    message = refusal_after_greeting(*MINIMAX, "--record", tmp_path / "no folder" / "game")
    assert "No such file or directory" in message


def test_limits_of_the_opponent_are_checked() -> None:
    assert refusal("play", "tictactoe", "--algorithm", "random", "--depth", "3") == (
        "depth means nothing to random; it takes none of its kind"
    )


# A real terminal


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_game_in_a_real_terminal() -> None:
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "plyground", *MINIMAX],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        close_fds=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(theirs)
    shown = _read_until(ours, "X> ")
    os.write(ours, b"b2\n")
    shown = _read_until(ours, "X> ")
    assert "a1" in shown
    # Python misses a signal that comes just before it waits for a key, so ask more than once.
    while program.poll() is None:
        program.send_signal(signal.SIGINT)
        shown += _read_until(ours, None, seconds=0.2)
    os.close(ours)
    assert program.returncode == 130
    assert "Traceback" not in shown


def _read_until(terminal: int, prompt: str | None, seconds: float = 120) -> str:
    """What appears on the terminal up to the prompt, until the time is up or the program gone."""
    shown, deadline = "", time.monotonic() + seconds
    while (prompt is None or not shown.endswith(prompt)) and time.monotonic() < deadline:
        if select.select([terminal], [], [], seconds)[0]:
            try:
                shown += os.read(terminal, 4096).decode()
            except OSError:  # nobody is there any more
                break
    return shown
