"""`plyground match`, `sprt` and `results`: what they print, write, refuse, and go on with."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyground.arena.store import Store
from plyground.core.records.record import load_games
from tests.cli.runner import plyground, refusal

SMALL = ("--games", "4", "--workers", "1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_match_as_json_and_its_records() -> None:
    command = ("match", "tictactoe", "greedy", "random", *SMALL)
    document = plyground(*command, "--json", "--record", "games.jsonl").document
    assert document["games"] == 4
    assert sum(document["pairs"]) == 2
    assert [player["player"] for player in document["players"]] == ["greedy", "random"]
    low, high = document["elo_interval"]
    assert low is None or low <= document["elo"]
    assert high is None or document["elo"] <= high
    records = load_games("games.jsonl")
    assert len(records) == 4
    assert all(record.outcome is not None and record.positions() for record in records)
    again = plyground(*command, "--json").document
    assert again == document, "nothing was played again"


def test_a_match_with_few_openings_says_that_its_games_may_be_copies() -> None:
    command = ("match", "tictactoe", "engine:time=0.001", "greedy", "--plies", "0", *SMALL)
    text = "engine:time=0.001 and greedy may play games again"
    ran = plyground(*command)
    assert (ran.status, text in ran.errors) == (0, True), ran
    assert text not in plyground(*command, "--quiet").errors


def test_a_game_of_ones_own_with_two_workers() -> None:
    Path("nim.py").write_bytes((Path(__file__).parents[2] / "examples" / "nim.py").read_bytes())
    ran = plyground("match", "nim.py", "random", "greedy", "--games", "4", "--workers", "2")
    assert ran.status == 0, ran
    assert "games         4, won" in ran.output
    with Store("arena.db") as store:
        assert {game.game for game in store.games()} == {"nim"}


def test_a_file_plays_without_a_sandbox_if_it_is_trusted() -> None:
    Path("mine.py").write_text(
        "def choose(position, clock):\n    return position.move_text(position.legal_moves[0])\n"
    )
    command = ("match", "tictactoe", "mine.py", "random", "--games", "2", "--workers", "1")
    document = plyground(*command, "--trust", "--json").document
    assert document["endings"] == {"finished": 2}
    Path("mine.py").write_text("def choose(position, clock):\n    return 'z9'\n")
    document = plyground(*command, "--trust", "--json").document
    assert document["games"] == 2, "the games of the file as it was are not its own any more"
    assert document["players"][0]["faults"] == {"illegal": 2}


def test_a_tournament_rates_its_players_and_a_player_more_plays_only_its_own_games() -> None:
    command = ("tournament", "tictactoe", "greedy", "random", "--games", "4", "--workers", "1")
    assert plyground(*command, "--json").document["games"] == 4
    with Store("arena.db") as store:
        before = [game.id for game in store.games()]
    report = ("--report", "a.html", "--report", "a.csv")
    anchor = ("--anchor", "random", "--anchor-rating", "1000")
    ran = plyground(*command, "perfect", *report, *anchor, "--json")
    document = ran.document
    assert document["games"] == 12
    ratings = {row["player"]: row["rating"] for row in document["players"]}
    assert ratings["random"] == 1000 < min(ratings["perfect"], ratings["greedy"])
    assert Path("a.html").read_text().startswith("<!doctype html>")
    assert Path("a.csv").read_text().count("\n") == 4
    with Store("arena.db") as store:
        assert {game.id for game in store.games()} > set(before)
    alone = plyground(*command[:-4], "perfect", "--gauntlet", "--games", "4", "--workers", "1")
    rows = alone.output.splitlines()
    cross = rows[rows.index("") + 3 :]
    met = {row.split()[1]: sum("/4" in cell for cell in row.split()) for row in cross[:3]}
    assert met == {"greedy": 2, "random": 1, "perfect": 1}


def test_a_test_ends_by_itself_and_says_why() -> None:
    command = ("--elo1", "150", "--workers", "1", "--json")
    ran = plyground("sprt", "tictactoe", "perfect", "random", *command)
    assert ran.status == 0
    assert ran.document["decision"] == "H1"
    assert ran.document["why"].startswith("H1 is accepted: the log-likelihood ratio")
    ran = plyground("sprt", "tictactoe", "random", "perfect", *command)
    assert (ran.status, ran.document["decision"]) == (1, "H0")
    assert ran.document["llr"] <= ran.document["bounds"][0]
    ran = plyground("sprt", "tictactoe", "random", "random:name=b", "--most", "4", *command)
    assert (ran.status, ran.document["decision"]) == (1, "continue")


def test_a_test_goes_on_without_pairs_that_fail_and_names_them() -> None:
    """The rules fail in one position, which is the third opening."""
    nim = (Path(__file__).parents[2] / "examples" / "nim.py").read_text()
    line = "    return state.heaps == (0, 0, 0)"
    Path("nim.py").write_text(nim.replace(line, f"    1 // (state.heaps != (2, 0, 2))\n{line}"))
    command = ("sprt", "nim.py", "greedy", "random", "--workers", "1", "--elo0=-800")
    decided = (*command, "--elo1=-400")
    ran = plyground(*decided)
    assert ran.status == 0, ran
    assert "decision      H1 is accepted" in ran.output
    shown = next(line for line in ran.output.splitlines() if line.startswith("not played"))
    assert shown.startswith("not played    2 games: ")
    assert shown.endswith(
        "nim.py:32: over() raised ZeroDivisionError: integer division or modulo by zero (opening 3)"
    )
    document = plyground(*decided, "--json").document
    assert [text[:9] for text in document["failures"]] == ["opening 3"] * 2
    games = document["games"]
    assert sum(document["judged_pairs"]) == games / 2 > 2, "it went on with the fourth opening"
    again = plyground(*decided, "--json").document
    assert again == document, "what is decided stays so, and nothing is tried again"
    more = plyground(*command, "--elo1=-799", "--most", str(games + 2), "--json").document
    assert (more["decision"], more["games"]) == ("continue", games)


def test_results_are_filtered_exported_and_merged() -> None:
    plyground("match", "tictactoe", "greedy", "random", *SMALL)
    plyground("match", "tictactoe", "greedy", "perfect", *SMALL, "--store", "other.db")
    ran = plyground("results", "all.db", "--merge", "arena.db", "--merge", "other.db", "--json")
    assert [row["games"] for row in ran.document] == [4, 4]
    games = plyground("results", "all.db", "--games", "--player", "perfect", "--json").document
    assert {game["first"] for game in games} == {"greedy", "perfect"}
    plyground("results", "all.db", "--export", "games.csv")
    with open("games.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert {row["ending"] for row in rows} == {"finished"}
    plyground("results", "all.db", "--export", "games.jsonl")
    assert len(load_games("games.jsonl")) == 8
    assert plyground("results", "all.db", "--ending", "illegal").output == "no games\n"
    assert "greedy" in plyground("results", "all.db", "--games").output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("match tictactoe random enigne", "there is no player 'enigne'; did you mean 'engine'?"),
        ("match tictactoe random nowhere.py", "nowhere.py: No such file or directory"),
        ("match tictactoe random greedy --games 0", "0 games: a match has from 2 to 2000000"),
        ("match tictactoe random greedy --time 0", "0 seconds: a clock has from 0.001"),
        ("match tictactoe random greedy --clock ten", "it is SECONDS+SECONDS, such as 10+0.1"),
        (
            "match tictactoe random greedy --clock 1+1 --time 1",
            "--time is for each move and --clock for a whole game: give one of them",
        ),
        ("match tictactoe random greedy --margin -1", "increment and margin are from 0"),
        ("match tictactoe random greedy --openings no", "random, boards, generator or a file"),
        ("match tictactoe random greedy --openings boards", "tictactoe has no built-in boards"),
        ("match tictactoe random greedy --plies 999", "an opening has from 0 to 200"),
        ("match tictactoe random greedy --proven -1", "--proven -1: it is 0 or more"),
        ("match tictactoe random greedy --workers 0", "0 workers"),
        ("match tictactoe random greedy --store .", "unable to open database file"),
        ("match tictactoe random greedy --games 2 --record a.txt", "ends in .jsonl"),
        ("match chess random greedy", "there is no game 'chess'"),
        ("tournament tictactoe random", "a tournament needs at least two players"),
        ("tournament tictactoe random greedy --anchor me", "it is one of random, greedy"),
        ("tournament tictactoe random greedy --report a.txt", "must end in .csv, .json or .html"),
        ("sprt tictactoe random greedy --elo0 5 --elo1 5", "elo0 must be less than elo1"),
        ("sprt tictactoe random greedy --alpha 0.7", "alpha is the probability of an error"),
        ("results nowhere.db", "nowhere.db: there is no such file of results"),
        ("results nowhere.db --ending often", "no game ends 'often'; endings: finished, decided"),
    ],
)
def test_bad_input_gets_one_line(words: str, message: str) -> None:
    assert message in refusal(*words.split())


def test_an_interrupted_match_says_what_is_kept_and_goes_on() -> None:
    command = [sys.executable, "-m", "plyground", "match", "tictactoe", "random", "greedy"]
    command += ["--games", "100000", "--workers", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if Path("arena.db").is_file():
            with Store("arena.db") as store:
                if store.games():
                    break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "games are kept in arena.db; the same command plays the rest" in errors
    with Store("arena.db") as store:
        kept = len(store.games())
        assert store.events()[0].status == "stopped"
    assert kept > 0
    said = plyground("match", "tictactoe", "random", "greedy", "--games", "2", "--json")
    assert json.loads(said.output)["games"] == 2
