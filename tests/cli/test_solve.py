"""`plyground solve`, and `plyground play --perfect`: exact answers at the command line."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plyground.cli import interrupt, solve
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.solving import methods
from plyground.search.solving.methods import SolvingMethod, make_solver, method_for
from plyground.search.solving.solution import Solver
from plyground.search.textbook.algorithms import minimax
from tests.cli.runner import matches, plyground, refusal
from tests.paths import EXAMPLES


def test_the_official_board_of_blocker_is_won_by_blocking_alone() -> None:
    ran = plyground("solve", "blocker", "--quiet")
    assert ran.status == 0
    assert ran.errors == ""
    assert ran.output.startswith("value      A wins in 11 plies\noptimal    block\n")
    assert "method     alpha-beta to depth 11\n" in ran.output


@pytest.mark.parametrize(
    ("game", "method"),
    [
        ("slant", SolvingMethod.ALPHA_BETA),
        ("derby", SolvingMethod.ALPHA_BETA),
        ("tictactoe", SolvingMethod.ALPHA_BETA),
        ("breakthrough", SolvingMethod.PROOF_NUMBER),
        ("blocker", SolvingMethod.NEAR_WINS_FIRST),
        (str(EXAMPLES / "kalah.py"), SolvingMethod.ALPHA_BETA),
    ],
)
def test_the_method_suits_the_game(game: str, method: SolvingMethod) -> None:
    assert method_for(find_game(game)) is method


def test_json_tells_all_that_is_known() -> None:
    document = plyground("solve", "slant", "1*1/*2*/**1", "--json", "--verify", "--quiet").document
    assert document["game"] == "slant"
    assert document["method"] == "alpha-beta to the end"
    assert (document["value"], document["plies"]) == (0, None)
    assert set(document["optimal"]) == {
        move for move, worth in document["moves"].items() if worth["value"] == 0
    }
    assert len(document["moves"]) == 4
    assert document["nodes"] > 0
    assert document["verified"] > 0
    assert document["seconds"] >= 0


def test_every_move_is_listed_with_its_worth_the_best_first() -> None:
    output = plyground("solve", "tictactoe", "--moves", "b2 b1", "--quiet").output
    lines = output.partition("worth\n")[2].splitlines()[1:]
    assert len(lines) == 7
    assert "X wins in 5 plies" in lines[0]
    assert matches("value      X wins in 5 plies\noptimal    ...", output)


def test_only_the_value_leaves_the_moves_alone() -> None:
    arguments = ["solve", "tictactoe", "--value-only", "--quiet"]
    output = plyground(*arguments).output
    assert output.startswith("value      a draw\nline ")
    assert "worth" not in output
    assert plyground(*arguments, "--json").document["moves"] == {}


def test_what_is_verified_is_counted() -> None:
    board = ["--option", "rows=5", "--option", "columns=3"]
    ran = plyground("solve", "breakthrough", *board, "--verify", "--value-only", "--quiet")
    assert matches(
        "value      Black wins within ... plies\n...\n"
        "verified   ... positions agree with their children",
        ran.output,
    ), ran.output


@pytest.mark.parametrize("method", ["alpha-beta", "retrograde"])
def test_another_method_gives_the_same_answer(method: str) -> None:
    ran = plyground("solve", "blocker", "--method", method, "--quiet", "--json").document
    assert (ran["value"], ran["plies"], ran["optimal"]) == (1, 11, ["block"])


def test_the_methods_agree_on_a_game_of_wins() -> None:
    game = find_game("breakthrough")
    for seed in range(6):
        position = game.start({"rows": 4, "columns": 2})
        for step in range(seed):
            position = position.after(position.legal_moves[step % len(position.legal_moves)])
            if position.is_over:
                break
        if position.is_over:
            continue
        worths = {
            make_solver(game, method, memory=16).solve(position, every_move=False).worth.utility
            for method in (
                SolvingMethod.ALPHA_BETA,
                SolvingMethod.PROOF_NUMBER,
                SolvingMethod.RETROGRADE,
            )
        }
        expected = minimax(position).value
        assert worths == {1 if expected > 0 else -1}


# Perfect play


def test_perfect_play_never_loses_what_is_drawn() -> None:
    ran = plyground("play", "tictactoe", "--side", "none", "--perfect")
    assert ran.output.startswith("Tic-tac-toe: X is perfect, O is perfect; perfect play.")
    assert ran.output.rstrip().endswith("a draw: the grid is full")


def test_perfect_play_wins_the_official_board() -> None:
    ran = plyground("play", "blocker", "--side", "none", "--perfect")
    assert ran.output.rstrip().splitlines()[-1].startswith("1-0  A wins")
    assert ran.output.count(" plays ") == 11


def test_a_time_means_nothing_to_perfect_play() -> None:
    message = refusal("play", "tictactoe", "--perfect", "--time", "1")
    assert "time means nothing to perfect" in message


# Not decided


def test_what_is_proven_when_the_time_is_up_is_told() -> None:
    ran = plyground("solve", "connectfour", "--time", "0.1", "--quiet")
    assert (ran.status, ran.errors) == (1, "")
    assert matches(
        "value      not decided in the time given\n"
        "proven     ...\n"
        "moves      0 of 7 decided in the time given\n"
        "method     alpha-beta to the end\n"
        "positions  ... positions looked at\n"
        "time       ...",
        ran.output,
    ), ran.output


def test_bounds_in_a_game_of_points_are_told_for_every_move() -> None:
    board = ["--option", "rows=6", "--option", "columns=6", "--option", "board=random"]
    ran = plyground("solve", "slant", *board, "--time", "0.2", "--quiet")
    assert ran.status == 1
    assert matches(
        "value not decided in the time given\n"
        "proven Second +... at most, First +... at most\n"
        "moves 0 of 36 decided in the time given\n...\n\n"
        "move proven\n...\na6 Second +... at most, First +... at most\n...",
        ran.output,
    ), ran.output


def test_moves_of_which_nothing_is_known_are_not_listed() -> None:
    board = ["--option", "rows=8", "--option", "columns=8"]
    ran = plyground("solve", "breakthrough", *board, "--time", "0.1", "--quiet")
    assert ran.status == 1
    assert "proven     nothing is proven yet\nmoves      0 of 22 decided" in ran.output
    assert ran.output.splitlines()[-1].startswith("time ")


def test_a_value_that_is_decided_is_told_though_some_moves_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solvers: list[Solver] = []

    def kept(*arguments: Any, **options: Any) -> Solver:
        solvers.append(make_solver(*arguments, **options))
        return solvers[-1]

    def stopping(position: Position) -> Any:
        """When the moves are looked at one by one, the value is decided already."""
        for solver in solvers:
            solver.stop()
        return children(position)

    children = Position.children
    monkeypatch.setattr(methods, "make_solver", kept)
    monkeypatch.setattr(Position, "children", stopping)
    arguments = ["solve", "tictactoe", "--moves", "b2 b1", "--quiet"]
    ran = plyground(*arguments)
    assert ran.status == 1
    assert matches("value X wins in 5 plies\nmoves ... of 7 decided ...", ran.output), ran.output
    document = plyground(*arguments, "--json").document
    assert document["solved"] is False
    assert (document["value"], document["low"], document["high"]) == (1, 1, 1)
    assert (document["plies"], document["plies_exact"]) == (5, True)


def test_json_tells_bounds_as_numbers() -> None:
    arguments = ["solve", "slant", "--option", "board=random", "--option", "rows=6"]
    arguments += ["--option", "columns=6", "--time", "0.2", "--quiet", "--json"]
    ran = plyground(*arguments)
    assert ran.status == 1
    document = ran.document
    assert document["solved"] is False
    assert document["value"] is None
    assert document["low"] < document["high"]
    assert document["low_plies"] is document["high_plies"] is None
    assert len(document["moves"]) == 36
    for bounds in document["moves"].values():
        assert bounds["value"] is None
        assert bounds["low"] < bounds["high"] <= document["high"]
    assert document["nodes"] > 0
    assert document["seconds"] > 0
    assert plyground(*arguments, "--value-only").document["moves"] == {}


def test_json_tells_the_plies_in_which_nobody_wins() -> None:
    document = plyground("solve", "connectfour", "--time", "0.3", "--quiet", "--json").document
    assert (document["low"], document["high"]) == (-1, 1)
    assert document["low_plies"] >= 1
    assert document["high_plies"] >= 1


def test_json_says_that_a_solved_position_is() -> None:
    document = plyground("solve", "tictactoe", "--time", "60", "--quiet", "--json").document
    assert (document["solved"], document["value"]) == (True, 0)


def test_with_a_checkpoint_the_same_command_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "small.solve"
    arguments = ["solve", "slant", "--option", "board=full", "--value-only", "--quiet"]
    arguments += ["--checkpoint", str(file), "--memory", "64"]
    ran, seconds = plyground(*arguments, "--time", "0.01"), 0.01
    assert f"kept       {file}: the same command goes on from there" in ran.output
    while ran.status == 1:
        seconds *= 1.5  # however busy the machine is
        ran = plyground(*arguments, "--time", str(seconds))
    assert ran.output.startswith("value      a draw\n")


def test_after_an_interrupt_what_is_proven_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(threading.Event):
        """Ctrl-C comes while it is waited for, at a moment when a solve may not even have begun."""

        interrupted = False

        def wait(self, timeout: float | None = None) -> bool:
            is_set = super().wait(timeout)
            if not is_set and not self.interrupted:
                self.interrupted = True
                raise KeyboardInterrupt
            return is_set

    replaced = SimpleNamespace(Thread=threading.Thread, Event=Interrupted)
    monkeypatch.setattr(interrupt, "threading", replaced)
    monkeypatch.setattr(solve, "PATIENCE", 600.0)
    ran = plyground("solve", "connectfour", "--quiet")
    assert ran.status == 130
    assert ran.output.startswith("value      not decided before it was interrupted\nproven ")


WORK = """
    import threading, time
    from plyground.cli.interrupt import interruptible

    stopped = threading.Event()

    def work():
        print("begun", flush=True)
        stopped.wait()
        time.sleep(0.1)
        return "what is known"

    print(interruptible(work, stopped.set, patience={patience}))
"""


@pytest.mark.parametrize(("patience", "status"), [(600.0, 0), (0.0, -signal.SIGINT)])
def test_interrupted_work_is_waited_for_only_with_patience(patience: float, status: int) -> None:
    source = textwrap.dedent(WORK).format(patience=patience)
    command = [sys.executable, "-c", source]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "begun\n"
        program.send_signal(signal.SIGINT)
        output, _ = program.communicate(timeout=60)
    assert program.returncode == status
    assert output == ("what is known\n" if patience else "")


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_time_that_makes_no_sense_is_refused(seconds: str) -> None:
    message = refusal("solve", "tictactoe", "--time", seconds)
    assert message == (
        f"{float(seconds)} seconds: a time is above 0 and at most 1000000000 seconds"
    )


def test_a_time_that_is_no_number_is_refused() -> None:
    assert "invalid value for '--time'" in refusal("solve", "tictactoe", "--time", "soon")


# What cannot be done


def test_a_finished_game_is_refused() -> None:
    moves = ["--moves", "a1 a2 b1 b2 c1"]
    assert refusal("solve", "tictactoe", *moves).startswith("the game is over (X has three in a")


def test_a_method_that_does_not_fit_is_refused() -> None:
    message = refusal("solve", "tictactoe", "--method", "proof-number", "--quiet")
    assert message == "proof-number search asks who wins: tictactoe can end otherwise, or never"


def test_a_graph_that_does_not_fit_says_how_far_it_came() -> None:
    message = refusal("solve", "connectfour", "--method", "retrograde", "--memory", "1", "--quiet")
    assert "states" in message


def test_absurd_settings_are_refused() -> None:
    assert "--memory" in refusal("solve", "tictactoe", "--memory", "0")
    assert "--threads" in refusal("solve", "tictactoe", "--threads", "0")
    assert "MiB" in refusal("solve", "tictactoe", "--memory", "999999999", "--quiet")


def test_a_file_that_is_no_checkpoint_is_refused_and_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear reader,\n")
    message = refusal("solve", "tictactoe", "--checkpoint", letter, "--quiet")
    assert "is not a checkpoint" in message
    assert letter.read_text() == "Dear reader,\n"


def test_a_checkpoint_is_taken_up_again(tmp_path: Path) -> None:
    file = tmp_path / "small.solve"
    arguments = f"solve tictactoe --checkpoint {file} --json --quiet --memory 4".split()
    first, again = (plyground(*arguments).document for _ in range(2))
    assert again["value"] == first["value"] == 0
    assert again["nodes"] < first["nodes"]


# Many workers


def test_many_workers_prove_who_wins() -> None:
    words = ("solve", "breakthrough", "--option", "rows=4", "--option", "columns=4", "--quiet")
    alone = plyground(*words, "--value-only", "--json").document
    together = plyground(*words, "--workers", "2", "--json").document
    assert together["method"] == "job-level proof-number search"
    assert together["value"] == alone["value"]
    assert together["line"]
    shown = plyground(*words, "--workers", "1").output
    assert shown.splitlines()[0].startswith("value      ")
    assert "method     job-level proof-number search\n" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--verify", "--verify needs one process: leave out --workers and --cluster"),
        (
            "--method alpha-beta",
            "--method alpha-beta works in one process: leave out --workers and --cluster",
        ),
    ],
)
def test_what_many_workers_cannot_do_is_told(words: str, said: str) -> None:
    assert refusal("solve", "breakthrough", "--workers", "2", *words.split()) == said


def test_many_workers_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "small.jobs"
    words = ("solve", "breakthrough", "--option", "rows=5", "--option", "columns=4", "--quiet")
    command = (*words, "--workers", "2", "--checkpoint", file)
    begun = plyground(*command, "--time", "0.01")
    if begun.status == 1:  # else two workers were as quick as that
        assert f"kept       {file}: the same command goes on from there" in begun.output
    finished = plyground(*command, "--json").document
    assert finished["solved"]
    again = plyground(*command, "--json").document
    for name in ("value", "line", "nodes"):
        assert again[name] == finished[name]
    said = refusal(*words, "--value-only", "--checkpoint", file)
    assert said == f"{file} is not a checkpoint; it was left as it is"


def test_many_workers_ask_who_wins() -> None:
    said = refusal("solve", "tictactoe", "--workers", "2")
    assert said.startswith("job-level proof-number search asks who wins: tictactoe can end other")
