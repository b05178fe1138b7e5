"""`plyground match`, `sprt` and `results`: what they print, write, refuse, and go on with."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from plyground import __version__
from plyground.arena.store import Store
from plyground.core.records.record import load_games
from plyground.executor.local import LocalExecutor
from tests.cli.runner import plyground, process, refusal

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


@pytest.mark.skipif(os.name == "nt", reason="scripts start by their first line")
def test_a_program_that_was_built_anew_plays_anew() -> None:
    program = Path("small")
    engine = (Path(__file__).parents[1] / "players" / "small_engine.py").read_text()
    command = ("match", "tictactoe", "ugi:./small", "random", "--games", "2", "--workers", "1")
    for build, kept in (("1", 2), ("1", 2), ("2", 4)):
        program.write_text(f"#!{sys.executable}\n{engine}\n# build {build}\n")
        program.chmod(0o755)
        assert plyground(*command, "--json").document["games"] == 2
        with Store("arena.db") as store:
            assert len(store.games()) == kept


def test_the_logs_of_programs_are_kept_in_a_folder() -> None:
    program = Path(__file__).parents[1] / "players" / "small_engine.py"
    engine = f"ugi:{sys.executable} {program} 'crashes in a move'?name=small"
    command = ("match", "tictactoe", engine, "random", "--games", "2", "--workers", "1")
    document = plyground(*command, "--log", "logs/new", "--json").document
    assert document["players"][0]["faults"] == {"crashed": 2}
    (log,) = Path("logs/new").iterdir()
    assert log.name.startswith("small-")
    assert log.read_text().count("! assertion failed") == 2
    assert plyground(*command, "--json").document == document, "a log makes no other match"
    players = ("match", "tictactoe", "greedy", "random")
    assert refusal(*players, "--log", "no") == "--log no: no player is a program (ugi: or uci:)"
    assert refusal(*command, "--log", log) == f"--log {log}: File exists"
    assert refusal(*command, "--log", "logs", "--cluster", "tcp://localhost:1") == (
        "--log is for programs on this machine, not with --cluster"
    )
    assert not Path("no").exists()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_programs_are_told_to_quit_after_their_last_game(workers: str) -> None:
    program = Path(__file__).parents[1] / "players" / "small_engine.py"
    engine = f"ugi:{sys.executable} {program} plays?name=small"
    match = ("match", "tictactoe", engine, "random", "--games", "4", "--plies", "0")
    played = plyground(*match, "--workers", workers, "--log", "logs", "--json").document
    assert (played["games"], played["players"][0]["faults"]) == (4, {})
    logs = [path.read_text().splitlines() for path in Path("logs").iterdir()]
    assert logs
    for lines in logs:
        assert [line.split(" ", 1)[1] for line in lines[-2:]] == ["> quit", "= it is ended"]
        assert sum(line.endswith("> quit") for line in lines) == 1


def test_an_engine_with_the_learned_net_plays_with_the_one_that_is_known_by_its_content() -> None:
    learned = "engine:depth=1,evaluation=learned"
    command = ("match", "breakthrough", learned, "engine:depth=1", "--games", "2")
    assert plyground(*command, "--workers", "1", "--json").document["failures"] == []
    (row,) = plyground("results", "arena.db", "--json").document
    digests = {row["player_digest"], row["opponent_digest"]}
    assert f"plyground {__version__}" in digests
    assert len(digests) == 2
    refused = refusal(*command[:3], "random", "-o", "rows=5", "--workers", "1")
    assert "no evaluation of breakthrough was learned for these rules and this board" in refused


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


def test_stores_are_merged_all_or_none() -> None:
    plyground("match", "tictactoe", "greedy", "random", *SMALL)
    assert refusal("results", "all.db", "--merge", "arena.db", "--merge", "no.db") == (
        "no.db: there is no such file of results"
    )
    assert not Path("all.db").exists()


def test_tables_have_the_names_of_players_to_their_ends() -> None:
    players = [f"greedy:name=a-long-name-with-its-number-at-the-end-{end}" for end in (1, 2)]
    plyground("match", "tictactoe", *players, "--games", "2", "--workers", "1")
    head, _, *rows = plyground("results", "arena.db").output.splitlines()
    at = [head.index(title) for title in ("player", "opponent", "games")]
    shown = ["".join(row[one:other].strip() for row in rows) for one, other in pairwise(at)]
    assert shown == players


def test_two_versions_of_a_players_file_are_two_players_in_the_results() -> None:
    command = ("match", "tictactoe", "mine.py", "random", "--games", "2", "--workers", "1")
    for answer in ("position.move_text(position.legal_moves[0])", "'z9'"):
        Path("mine.py").write_text(f"def choose(position, clock):\n    return {answer}\n")
        assert plyground(*command, "--trust").status == 0
    old, new = plyground("results", "arena.db", "--json").document
    assert (old["games"], new["games"]) == (2, 2)
    assert (new["losses"], sum(new["faults"][new["player"]].values())) == (2, 2)
    assert old["player_digest"] != new["player_digest"]
    assert old["opponent"] == new["opponent"] == "random"
    names = {f"mine.py [{one['player_digest'][:8]}]" for one in (old, new)}
    assert {old["player"], new["player"]} == names
    for shown in (plyground("results", "arena.db"), plyground("results", "arena.db", "--games")):
        assert all(name in shown.output for name in names)
    plyground("results", "arena.db", "--export", "games.csv")
    with open("games.csv", encoding="utf-8", newline="") as file:
        digests = {row["first_digest"] for row in csv.DictReader(file)}
    assert digests >= {old["player_digest"], new["player_digest"]}


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
        ("match tictactoe random greedy --store .", "cannot write .: it is a folder"),
        ("match tictactoe random greedy --store no/a.db", "no/a.db: there is no such folder"),
        ("match tictactoe random greedy --games 2 --record a.txt", "ends in .jsonl"),
        ("match chess random greedy", "there is no game 'chess'"),
        ("tournament tictactoe random", "a tournament needs at least two players"),
        ("tournament tictactoe random greedy --anchor me", "it is one of random, greedy"),
        (
            "tournament tictactoe random greedy --anchor-rating nan",
            "--anchor-rating nan: it is from -100000 to 100000",
        ),
        ("tournament tictactoe random greedy --report a.txt", "must end in .csv, .json or .html"),
        (
            "match tictactoe random greedy --record no/games.jsonl",
            "cannot write no/games.jsonl: there is no such folder",
        ),
        (
            "tournament tictactoe random greedy --report no/a.html",
            "cannot write no/a.html: there is no such folder",
        ),
        (
            "results all.db --merge arena.db --export no/games.csv",
            "cannot write no/games.csv: there is no such folder",
        ),
        ("results all.db --merge arena.db --export a.txt", "ends in .csv or .jsonl"),
        ("sprt tictactoe random greedy --elo0 5 --elo1 5", "elo0 must be less than elo1"),
        ("sprt tictactoe random greedy --alpha 0.7", "alpha is the probability of an error"),
        ("results nowhere.db", "nowhere.db: there is no such file of results"),
        ("results nowhere.db --ending often", "no game ends 'often'; endings: finished, decided"),
    ],
)
def test_bad_input_gets_one_line(words: str, message: str) -> None:
    assert message in refusal(*words.split())


def test_a_file_of_openings_without_one_is_named() -> None:
    Path("none.txt").write_text("\n\n")
    message = refusal("match", "tictactoe", "random", "greedy", "--openings", "none.txt")
    assert message == "--openings none.txt: it has no position in it"


def test_a_file_that_could_not_be_written_is_refused_before_a_game_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = ("match", "tictactoe", "random", "greedy", *SMALL, "--record")
    Path("folder.jsonl").mkdir()
    message = refusal(*match, "folder.jsonl")
    assert message == "cannot write folder.jsonl: it is a folder"
    monkeypatch.setattr(os, "access", lambda *_: False)
    message = refusal(*match, "a.jsonl")
    assert message == "cannot write a.jsonl: its folder does not let this user write"
    assert not Path("arena.db").exists()


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many workers each event was given."""
    given: list[int] = []

    class Recorded(LocalExecutor):
        def __init__(self, workers: int, **settings: Any) -> None:
            given.append(workers)
            super().__init__(workers, **settings)

    monkeypatch.setattr("plyground.cli.executors.LocalExecutor", Recorded)
    return given


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux binds to cores")
def test_there_are_as_many_workers_as_cores_that_the_command_may_use(
    workers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {4, 7, 9})
    monkeypatch.setattr("plyground.executor.cores.free_cores", list)
    ran = plyground("match", "tictactoe", "random", "greedy", "--games", "2")
    assert ran.status == 0, ran
    assert workers == [3]


def test_games_with_a_clock_get_no_more_workers_than_there_are_cores(
    workers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.cli.arena_options.usable_cores", lambda: 4)
    match = ("match", "tictactoe", "random", "--games", "2")
    for timed in (("alpha-beta",), ("alpha-beta:time=0.1",), ("ugi:program", "--clock", "1+1")):
        assert refusal(*match, *timed, "--workers", "5") == (
            "--workers 5: games with a clock do not share cores, each worker has a core, and 4 of"
            " them fit on this machine; without --workers it is as many"
        )
    assert "each worker has 2 cores, and 2 of them fit" in refusal(
        *match, "engine:threads=2", "--workers", "3"
    )
    assert not Path("arena.db").exists()
    for untimed in ("greedy", "alpha-beta:depth=1"):
        ran = plyground(*match, untimed, "--workers", "5")
        assert (ran.status, ran.errors) == (0, ""), ran
    assert workers == [5, 5]


def test_a_second_match_with_a_clock_takes_the_cores_that_are_free_or_says_that_it_shares_them(
    workers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.cli.arena_options.usable_cores", lambda: 8)
    monkeypatch.setattr("plyground.cli.arena_options.count_free_cores", lambda: 3)
    match = ("match", "tictactoe", "random", "alpha-beta:time=1", "--games", "2")
    ran = plyground(*match)
    assert (ran.status, ran.errors) == (0, ""), ran
    assert workers == [3]
    ran = plyground(*match, "--workers", "4", "--store", "more.db")
    assert (ran.status, workers) == (0, [3, 4])
    assert ran.errors == (
        "cores for games with a clock: 4, of which 3 are free; where cores are shared, clocks are"
        " less exact\n"
    )


def test_a_player_with_more_threads_than_there_are_cores_is_not_told_of_another_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for counted in ("usable_cores", "count_free_cores"):
        monkeypatch.setattr(f"plyground.cli.arena_options.{counted}", lambda: 2)
    ran = plyground("match", "tictactoe", "random", "engine:threads=3", "--games", "2")
    assert ran.status == 0, ran
    assert "cores for games with a clock: 3, of which 2 are free" in ran.errors
    assert "match beside" not in ran.errors


def wait_for(happened: Callable[[Store], object]) -> None:
    """Until something is in the store that another program writes."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if Path("arena.db").is_file():
            with Store("arena.db") as store:
                if happened(store):
                    return
        time.sleep(0.1)
    raise AssertionError("it has not happened")


def test_one_worker_shows_its_game_and_is_interrupted_in_the_middle_of_a_search() -> None:
    """A search to this depth would take days."""
    command = ("match", "breakthrough", "random", "engine:depth=30", "--games", "2")
    running = process(*command, "--workers", "1")
    try:
        wait_for(lambda store: store.events() and store.under_way(store.events()[0].id))
        time.sleep(1)  # the engine has begun
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    finally:
        running.kill()
    assert running.returncode == 130, errors
    assert "0 games are kept in arena.db; the same command plays the rest" in errors
    with Store("arena.db") as store:
        assert store.events()[0].status == "stopped"


def test_an_interrupted_match_says_what_is_kept_and_goes_on() -> None:
    command = [sys.executable, "-m", "plyground", "match", "tictactoe", "random", "greedy"]
    command += ["--games", "100000", "--workers", "2"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    wait_for(Store.games)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "games are kept in arena.db; the same command plays the rest" in errors
    with Store("arena.db") as store:
        kept = len(store.games())
        assert store.events()[0].status == "stopped"
    assert kept > 0
    said = plyground("match", "tictactoe", "random", "greedy", "--games", "2", "--json")
    assert json.loads(said.output)["games"] == 2
