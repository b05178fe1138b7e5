"""`plyground check`, `bench` and `doctor`: the verbs for those who build."""

from __future__ import annotations

import sqlite3
import tomllib
from pathlib import Path

import pytest

from plyground.classroom import sandbox
from plyground.cli import doctor
from plyground.cli.bench import bench_positions
from plyground.cli.doctor import Diagnosis
from plyground.core.registry import find_game, game_names
from plyground.search.binding import code_cache
from tests.cli.runner import plyground, process
from tests.cli.test_errors import game_file
from tests.paths import DATA, ROOT, SAMPLE_GAMES


def test_check_says_of_every_promise_that_it_is_kept() -> None:
    ran = plyground("check", "tictactoe")
    assert ran.status == 0
    lines = ran.output.splitlines()
    assert all(line.startswith("ok      ") for line in lines)
    assert lines[0].split()[:2] == ["ok", "contract"]
    assert lines[-1].split()[:2] == ["ok", "compiled"]


def test_check_tells_what_is_broken_in_one_line_and_ends_with_status_1(tmp_path: Path) -> None:
    path = game_file(tmp_path, "return 4", "return 5")
    ran = plyground("check", path)
    assert ran.status == 1
    broken = [line for line in ran.output.splitlines() if line.startswith("FAILED")]
    message = "moves() counts 5 moves but wrote None (position: first=0 second=0 left=12 turn=0)"
    assert broken == [f"FAILED  moves         {path}:17: {message}"]
    assert ran.errors == ""


def test_check_as_json(tmp_path: Path) -> None:
    document = plyground("check", game_file(tmp_path, "return 4", "return 0"), "--json")
    assert document.status == 1
    assert not document.document["passed"]
    assert document.document["findings"][-1]["verdict"] == "FAILED"


def test_a_warning_is_no_failure() -> None:
    ran = plyground("check", SAMPLE_GAMES / "endless.py")
    assert ran.status == 0
    assert "warning games end" in ran.output


# Bench


def test_the_signature_is_one_number_and_always_the_same() -> None:
    first, second = (plyground("bench", "--signature", "--depth", "4") for _ in range(2))
    assert first.status == 0
    assert first.output == second.output
    assert int(first.output) > 0


def test_the_signature_is_the_one_on_record() -> None:
    """A change of the search that is meant states its signature, here and in its commit message:
    `plyground bench --signature > tests/data/signature.txt`."""
    recorded = DATA / "signature.txt"
    assert plyground("bench", "--signature").output == recorded.read_text()


def test_the_table_has_every_game_and_the_signature() -> None:
    ran = plyground("bench", "--depth", "4")
    rows = ran.output.splitlines()
    assert [row.split()[0] for row in rows[2:-1]] == game_names()
    assert (
        rows[-1] == f"signature {plyground('bench', '--signature', '--depth', '4').output}".strip()
    )


def test_bench_as_json_adds_up() -> None:
    document = plyground("bench", "--depth", "4", "--json").document
    assert document["signature"] == sum(game["nodes"] for game in document["games"].values())
    assert list(document["games"]) == game_names()


@pytest.mark.parametrize("name", game_names())
def test_bench_positions_are_open_and_different(name: str) -> None:
    positions = list(bench_positions(find_game(name)))
    assert len({position.text for position in positions}) == len(positions) == 5
    assert not any(position.is_over for position in positions)
    assert [position.text for position in bench_positions(find_game(name))] == [
        position.text for position in positions
    ]


# Doctor


def test_the_doctor_finds_this_machine_healthy() -> None:
    ran = plyground("doctor")
    assert ran.status == 0
    lines = ran.output.splitlines()
    assert [line.split()[:2] for line in lines[:7]] == [
        ["ok", name]
        for name in ("python", "packages", "sqlite", "cores", "cache", "compiler", "clock")
    ]
    assert lines[7].split()[:2] in (["ok", "sandbox"], ["missing", "sandbox"])


def test_the_doctor_as_json() -> None:
    document = plyground("doctor", "--json").document
    assert document["healthy"]
    assert document["findings"][0]["name"] == "python"


def test_a_file_that_another_program_removes_does_not_make_the_cache_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a link to nothing here: it has a name, and nothing behind it."""
    (tmp_path / "kept.o").write_bytes(bytes(2_000_000))
    (tmp_path / "removed.o").symlink_to(tmp_path / "nowhere")
    monkeypatch.setattr(code_cache, "cached_folders", lambda root: [tmp_path, tmp_path / "gone"])
    diagnosis = doctor.check_cache()
    assert diagnosis.healthy
    assert diagnosis.detail.endswith("2 compiled games, 2.0 MB")


def test_what_is_broken_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_moon() -> Diagnosis:
        return Diagnosis("moon", False, "it is not there", "wait for the night")

    def check_stars() -> Diagnosis:
        raise OSError("clouds")

    monkeypatch.setattr(doctor, "CHECKS", (check_moon, check_stars))
    ran = plyground("doctor")
    assert ran.status == 1
    assert ran.output == (
        "BROKEN  moon      it is not there\n"
        "                  wait for the night\n"
        "BROKEN  stars     OSError: clouds\n"
        "                  install plyground anew\n"
    )


def test_a_sqlite_that_is_too_old_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.7.17")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 7, 17))
    monkeypatch.setattr(doctor, "CHECKS", (doctor.check_sqlite,))
    ran = plyground("doctor")
    assert ran.status == 1
    assert "SQLite 3.24 or later, and this Python has 3.7.17" in ran.output


def test_a_missing_sandbox_is_told_but_is_no_sickness(monkeypatch: pytest.MonkeyPatch) -> None:
    why = "bwrap is not installed: on Debian, apt-get install bubblewrap"
    monkeypatch.setattr(sandbox, "cannot_be_built", lambda: why)
    monkeypatch.setattr(doctor, "CHECKS", (doctor.check_sandbox,))
    ran = plyground("doctor")
    assert ran.status == 0
    assert ran.output == (
        "missing sandbox   others' players cannot be graded here, only your own with --trust\n"
        f"                  {why}\n"
    )
    document = plyground("doctor", "--json").document
    assert document["healthy"]
    assert not document["findings"][0]["healthy"]


def test_an_old_python_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.version_info", (3, 9, 1))
    assert doctor.check_python().remedy == "plyground needs Python 3.11 or later"


def test_a_python_that_numba_does_not_support_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.check_python().healthy
    monkeypatch.setattr("sys.version_info", (3, 99, 0))
    told = "Numba does not support this Python: use an older one, or a newer Numba"
    assert doctor.check_python().remedy == told


def test_an_old_numba_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "OLDEST_NUMBA", (999, 0))
    found = doctor.check_packages()
    assert not found.healthy
    assert found.detail.startswith("numba ")
    assert " is too old, numpy " in found.detail


def test_the_doctor_wants_the_numba_that_the_package_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"numba>={'.'.join(map(str, doctor.OLDEST_NUMBA))}" in project["dependencies"]


def test_a_missing_package_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("numpy", "no_such_package"))
    found = doctor.check_packages()
    assert not found.healthy
    assert found.remedy == "pip install --upgrade numpy no_such_package"


def test_a_cache_elsewhere_than_wanted_is_broken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(code_cache, "wanted_cache_root", lambda: tmp_path / "wanted")
    found = doctor.check_cache()
    assert not found.healthy
    assert "PLYGROUND_CACHE" in found.remedy


def test_a_compiler_that_says_something_else_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    from plyground.search.binding import compiled_rules

    answer = compiled_rules.RuleResults(False, 0, 0, 0, (), (), 0, 0, (0, 0), (), 0)
    monkeypatch.setattr(compiled_rules, "rule_results", lambda *_: answer)
    assert doctor.check_compiler().remedy == "plyground doctor --clear-cache"


def test_a_coarse_clock_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    from plyground.search import system_clock

    ticks = iter(range(0, 10**12, 10**7))
    monkeypatch.setattr(system_clock, "read_clock", lambda: next(ticks))
    assert doctor.check_clock().remedy == "time limits are kept no better than this"


def test_clearing_the_cache_removes_what_is_ours_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "lock").write_text("precious")
    (tmp_path / "photos-0123456789abcdef").mkdir()
    (tmp_path / "game-0123456789abcdef").mkdir()
    (tmp_path / "game.lock").touch()
    program = process("doctor", "--clear-cache", environment={"PLYGROUND_CACHE": str(tmp_path)})
    output, errors = program.communicate()
    assert program.returncode == 0, output + errors
    assert f"removed 1 compiled games from {tmp_path}\n" in errors
    assert not (tmp_path / "game-0123456789abcdef").exists()
    assert (tmp_path / "photos" / "lock").read_text() == "precious"
    assert (tmp_path / "photos-0123456789abcdef").exists()


def test_a_cache_that_cannot_be_written_is_found(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    program = process("doctor", environment={"PLYGROUND_CACHE": str(blocked / "cache")})
    output, _ = program.communicate()
    assert program.returncode == 1
    assert "BROKEN  cache" in output
