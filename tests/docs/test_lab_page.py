"""The page `docs/lab.md`: its commands print what is shown, and it names every option and step."""

from __future__ import annotations

import re
import shlex
from typing import get_args

import pytest

from plyground.lab.ablation import STEPS
from plyground.lab.presets import PRESETS
from plyground.lab.pruning import ALGORITHMS, CutRule, Shuffle, Valuation
from tests.cli.runner import plyground
from tests.docs.sessions import check_output, sessions
from tests.paths import DOCS

PAGE = (DOCS / "lab.md").read_text(encoding="utf-8")
SESSIONS = sessions(PAGE)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.splitlines()[0])
def test_a_command_of_the_page_prints_what_is_shown(session: str) -> None:
    command, _, shown = session.partition("\n")
    ran = plyground(*shlex.split(command.removeprefix("$ plyground ")))
    assert ran.status == 0, ran
    assert ran.errors == ""
    if shown:
        check_output(session, ran.output)


def test_only_the_looping_players_are_given_up() -> None:
    """The page has three experiments about loops: the players of the first one loop for ever."""
    commands = [text.splitlines()[0] for text in SESSIONS if "board=board1" in text]
    ran = [plyground(*shlex.split(command.removeprefix("$ plyground "))) for command in commands]
    assert ["given up" in one.output for one in ran] == [True, False, False]


def test_the_page_explains_every_choice() -> None:
    explained = re.findall(r"^\|([^|\n]*)\|([^|\n]*)\|", PAGE, re.MULTILINE)
    words = {word for row in explained for word in re.findall(r"`([^`]+)`", " ".join(row))}
    choices = [word for kind in (Shuffle, Valuation, CutRule) for word in get_args(kind)]
    assert {*ALGORITHMS, *choices, "factor"} <= words
    for name in PRESETS:
        assert f"`--preset {name}`" in PAGE
    for step in STEPS:
        assert step in PAGE or step in ("+ repetition", "+ settled")
