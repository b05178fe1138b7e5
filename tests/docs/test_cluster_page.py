"""The page `docs/cluster.md`: its commands do as shown, on a small cluster of this machine."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator

import pytest

from plyground.search.solving.proof_number.job_level import JOB_NODES
from tests.cli.runner import plyground
from tests.docs.sessions import blocks, check_output, sessions
from tests.executor.small_cluster import small_cluster
from tests.paths import DOCS

PAGE = (DOCS / "cluster.md").read_text(encoding="utf-8")
SHOWN_ADDRESS = "tcp://node1:8786"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with small_cluster() as started:
        yield started


@pytest.mark.parametrize("session", sessions(PAGE), ids=lambda session: session.splitlines()[0])
def test_a_command_of_the_page_prints_what_is_shown(session: str, address: str) -> None:
    command = session.partition("\n")[0].removeprefix("$ plyground ")
    ran = plyground(*shlex.split(command.replace(SHOWN_ADDRESS, address)))
    assert ran.status == 0, ran
    check_output(session, ran.errors + ran.output)


def test_the_commands_of_dask_have_these_options() -> None:
    pytest.importorskip("distributed")
    commands = [line for block in blocks(PAGE, "sh") for line in block.splitlines()]
    of_dask = [shlex.split(line) for line in commands if line.startswith("dask ")]
    assert {words[1] for words in of_dask} == {"scheduler", "worker"}
    for words in of_dask:
        module = f"distributed.cli.dask_{words[1]}"
        ran = subprocess.run(
            [sys.executable, "-m", module, "--help"], capture_output=True, text=True, check=True
        )
        for option in (word for word in words if word.startswith("--")):
            assert option in ran.stdout


def test_programs_on_the_page_are_python() -> None:
    programs = blocks(PAGE, "python")
    assert len(programs) == 2
    for program in programs:
        compile(program, "the page", "exec")


def test_the_size_of_a_job_is_that_of_the_page() -> None:
    assert JOB_NODES == 1_000_000
    assert "a search of a million positions" in re.sub(r"\s+", " ", PAGE)
