"""The benchmarks run, so that they never rot. Nothing here asserts a time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES, main
from benchmarks.c_program import agreement, compile_program, run_program
from benchmarks.clock import TimedMove, busy_processes, describe
from benchmarks.contest import FOLDER, Timed, in_turns, material_breakthrough, search_elsewhere
from benchmarks.report import Row, UnavailableError, ratio_row
from benchmarks.slower import compare_timed
from plyground.search.textbook.algorithms import alpha_beta


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs_small_and_judges_no_time(name: str) -> None:
    module = import_module(f"benchmarks.{name}")
    try:
        rows = list(module.run(quick=True))
    except UnavailableError as reason:
        pytest.skip(str(reason))
    assert rows
    for row in rows:
        assert row.met is not False, row


def test_every_module_that_runs_is_listed() -> None:
    modules = [path.stem for path in FOLDER.glob("*.py")]
    runnable = {name for name in modules if "def run(quick" in (FOLDER / f"{name}.py").read_text()}
    assert runnable == set(NAMES)


# The command


ROWS = [
    Row("walking", "1 s", "2 s", "2x", ">= 1x", True, {"ratio": 2.0}),
    Row("running", "2 s", "1 s", "0.5x", ">= 1x", False, {"ratio": 0.5}),
]


def stand_in(monkeypatch: pytest.MonkeyPatch, rows: list[Row]) -> None:
    """Let the benchmark `clock` answer these rows at once."""
    monkeypatch.setattr("benchmarks.clock.run", lambda _quick: rows)


def test_rows_measured_before_an_error_are_shown_and_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def run(_quick: bool) -> Iterator[Row]:
        yield ROWS[0]
        raise ZeroDivisionError

    monkeypatch.setattr("benchmarks.clock.run", run)
    with pytest.raises(ZeroDivisionError):
        main(["clock", "--json", str(tmp_path / "figures.json")])
    assert "walking" in capsys.readouterr().out
    document = json.loads((tmp_path / "figures.json").read_text())
    assert [row["what"] for row in document["benchmarks"]["clock"]] == ["walking"]


def test_the_table_shows_every_row_and_a_missed_target_gives_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, ROWS)
    assert main(["clock"]) == 1
    output = capsys.readouterr().out
    assert "cores:" in output
    assert "walking" in output
    assert "NO" in output
    assert "1 target missed" in output


def test_when_every_target_is_met_the_status_is_0(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, ROWS[:1])
    assert main(["clock"]) == 0


def test_the_figures_can_be_written_as_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in(monkeypatch, ROWS)
    main(["clock", "--json", str(tmp_path / "figures.json")])
    document = json.loads((tmp_path / "figures.json").read_text())
    assert document["machine"]["cores"] >= 1
    assert [row["numbers"]["ratio"] for row in document["benchmarks"]["clock"]] == [2.0, 0.5]
    assert document["skipped"] == {}


def test_without_a_c_compiler_the_c_program_is_skipped_aloud(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["c_program", "--quick"]) == 0
    assert "c_program: SKIPPED: there is no C compiler here" in capsys.readouterr().out


def test_a_compiler_that_fails_is_a_reason_to_skip(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CC", "false")
    with pytest.raises(UnavailableError, match=r"false cannot compile breakthrough\.c"):
        compile_program(tmp_path)


def test_a_benchmark_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["tea"])
    assert stopped.value.code == 2
    assert "there is no benchmark 'tea'" in capsys.readouterr().err


# Comparing


def test_contestants_take_turns_and_a_used_up_budget_ends_the_rounds() -> None:
    order: list[str] = []
    contestants = [lambda: order.append("ours"), lambda: order.append("theirs")]
    in_turns(2, contestants)
    assert order == ["ours", "theirs"] * 2
    assert in_turns(5, contestants, budget=-1.0) == [[None], [None]]


def test_a_stopped_contestant_gives_a_lower_bound_and_says_so() -> None:
    row = compare_timed(
        "search", Timed(0, 1.0), Timed(0, 300.0, finished=False), 1.0, 100.0, judged=True
    )
    assert (row.figure, row.other, row.met) == ("> 300x", "300 s, unfinished", True)


def test_searches_that_disagree_are_never_compared() -> None:
    row = compare_timed("search", Timed(100, 1.0), Timed(0, 300.0), 1.0, 100.0, judged=True)
    assert (row.figure, row.met) == ("values differ", False)


def test_values_that_differ_at_a_depth_are_named() -> None:
    row = agreement({1: 0, 2: 100}, {1: 0, 2: 0, 3: 0})
    assert (row.figure, row.met) == ("differ at depth 2, 3", False)


def test_a_ratio_that_is_not_judged_has_no_target() -> None:
    row = ratio_row("x", ours="", other="", ratio=0.5, target=1.0, judged=False)
    assert (row.target, row.met) == ("-", None)


def test_one_late_move_misses_the_target() -> None:
    row = describe("alone", [TimedMove(0.07)] * 9 + [TimedMove(0.076)], judged=True)
    assert (row.figure, row.met) == ("1 late", False)
    assert "stolen" not in row.ours


def test_a_late_move_counts_but_what_was_stolen_is_told() -> None:
    moves = [TimedMove(0.07), TimedMove(0.07, 0.2), TimedMove(0.076), TimedMove(0.09, 0.1)]
    row = describe("alone", moves, judged=True)
    assert (row.figure, row.met) == ("2 late", False)
    assert row.ours.endswith("; 0.3 s stolen from this machine, in 1 of the late moves")


def test_busy_processes_end_with_their_block() -> None:
    with busy_processes(1) as processes:
        assert processes[0].is_alive()
    assert not processes[0].is_alive()


def test_a_contestant_in_another_process_is_stopped_when_patience_ends() -> None:
    pytest.importorskip("easyAI")
    answer = search_elsewhere("easy_ai", 20, patience=0.2)
    assert not answer.finished


# The yardstick


def test_the_c_program_has_the_values_of_the_textbook(tmp_path: Path) -> None:
    try:
        program = compile_program(tmp_path)
    except UnavailableError as reason:
        pytest.skip(str(reason))
    game = material_breakthrough()
    for seed in range(12):
        chance = random.Random(seed)
        position = game.start()
        for _ in range(10 + seed):
            if not position.is_over:
                position = position.after(chance.choice(position.legal_moves))
        if position.is_over:
            continue
        white, black, turn = position.state
        values = run_program(program, 3, [f"{white:x}", f"{black:x}", str(turn)]).values
        assert values == {depth: alpha_beta(position, depth).value for depth in (1, 2, 3)}
