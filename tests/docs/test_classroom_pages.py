"""The pages about the classroom and its suites: their commands print what is shown."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from plyground.classroom.manifest import OPPONENTS
from plyground.classroom.suite import built_in_suites, find_suite
from plyground.classroom.verdict import Verdict
from plyground.core.registry import find_game
from plyground.players.program import LEAST_PATIENCE, PATIENCE
from plyground.search.searcher import LIMITS, OPTIONS, Algorithm
from tests.cli.runner import plyground
from tests.docs.sessions import check_output
from tests.paths import DOCS

CLASSROOM = (DOCS / "classroom.md").read_text(encoding="utf-8")
SUITES = (DOCS / "suites.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(console|json)(?: (\S+))?\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [CLASSROOM, SUITES], ids=["classroom", "suites"])
def test_a_page_goes_as_shown_from_top_to_bottom(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, name, text in BLOCK.findall(page):
        if kind == "json":
            Path(name).parent.mkdir()
            Path(name).write_text(text)
        else:
            run_all(text)


def run_all(block: str) -> None:
    for session in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)[1:]:
        command, _, shown = session.partition("\n")
        ran = plyground(*shlex.split(command.removeprefix("$ plyground ")))
        assert ran.status == 0, ran
        if shown:
            check_output(session, ran.errors + ran.output)


def test_the_page_lists_the_built_in_suites() -> None:
    rows = re.findall(r"^\| `(\w+)`, \*(.+)\* \| .+ \| ([\d.]+) \|$", SUITES, re.MULTILINE)
    assert sorted(name for name, _, _ in rows) == built_in_suites()
    for name, title, seconds in rows:
        suite = find_suite(find_game(name))
        assert (suite.title, suite.seconds) == (title, float(seconds))
        parts = [level.points / len(suite.tasks) for level in suite.levels]
        assert parts == [0.4, 0.6, 0.8]


def test_the_page_tells_every_opponent_and_its_limits() -> None:
    table = SUITES.partition("| opponent | limits |")[2].partition("\n\n")[0]
    shown = dict(re.findall(r"^\| `([\w-]+)` \| (.*?) ?\| ", table, re.MULTILINE))
    assert list(shown) == list(OPPONENTS)
    for name, limits in shown.items():
        known = set(re.findall(r"`(\w+)`", limits))
        if name in ("perfect", "greedy"):
            assert known == set()
        else:
            algorithm = Algorithm(name)
            assert known == LIMITS[algorithm] | OPTIONS[algorithm] & {"seed", "features"}, name


def test_the_page_tells_every_field_of_a_manifest() -> None:
    fields = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]*)\|", SUITES, re.MULTILINE))))
    manifest = json.loads(BLOCK.findall(SUITES)[0][2])
    assert set(manifest) | {"overruns"} <= fields
    assert {field for task in manifest["tasks"] for field in task} <= fields


def test_the_page_explains_every_verdict_and_the_limit_on_the_wall_clock() -> None:
    for verdict in Verdict:
        assert f"`{verdict.value}` " in CLASSROOM
    assert (PATIENCE, LEAST_PATIENCE) == (10, 2.0)
    assert "ten times its limit, and two seconds at least" in " ".join(CLASSROOM.split())
