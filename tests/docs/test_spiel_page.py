"""The page `docs/spiel.md`: its commands and its Python sessions do as shown."""

from __future__ import annotations

import doctest
import re
import shlex

import pytest

from plyground.spiel.bots import BOTS
from tests.cli.runner import plyground
from tests.docs.sessions import blocks, check_output, sessions
from tests.paths import DOCS

pytest.importorskip("pyspiel")

PAGE = (DOCS / "spiel.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("session", sessions(PAGE), ids=lambda session: session.splitlines()[0])
def test_a_command_of_the_page_prints_what_is_shown(session: str) -> None:
    command, _, shown = session.partition("\n")
    ran = plyground(*shlex.split(command.removeprefix("$ plyground ")))
    assert ran.status == (2 if shown.startswith("plyground: ") else 0), ran
    if shown:
        check_output(session, ran.errors + ran.output)


def test_the_python_of_the_page_answers_as_shown() -> None:
    source = "\n".join(blocks(PAGE, "pycon"))
    test = doctest.DocTestParser().get_doctest(source, {}, "spiel.md", None, 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_the_page_names_every_bot_and_option() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    for name, bot in BOTS.items():
        for option in bot.options:
            assert f"`{option}=" in rows[name]
