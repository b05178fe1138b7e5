"""Sessions on pages: commands, and below each what it prints.

Three dots stand for output that varies from one run to the next, and for nothing else: times,
dates, and whatever a command measures. Runs of blanks, and of the line under a heading, are as good
as one, since the width of a column may depend on what varies.
"""

from __future__ import annotations

import difflib
import re

NUMBER = r"[\d.,]+(?: [kMG])?"
TIME = rf"(?:{NUMBER} min )?{NUMBER} (?:ms|s)\b"
SPEED = rf"{NUMBER} nodes a second"
DATE = r"\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?"
SECONDS = r"\d+\.\d{4,}"
VARYING = rf"(?:(?:{TIME}|{SPEED}|{DATE}|{SECONDS})[\s,;()]*)+"

MEASURING = ("bench", "doctor", "grade", "lab depth")
"""Verbs whose answers depend on the speed of the machine, as do all commands with `--time`."""


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def sessions(page: str) -> list[str]:
    """Each command of a page, with what is shown below it."""
    return [
        session
        for block in blocks(page, "console")
        for session in re.split(r"^(?=\$ )", block, flags=re.MULTILINE)
        if session.startswith("$ plyground ")
    ]


def check_output(session: str, printed: str) -> None:
    """Fail unless a command printed what its session shows."""
    command, _, shown = session.partition("\n")
    pattern, text = _narrow(shown), _narrow(printed)
    found = re.fullmatch(r"([\s\S]*?)".join(map(re.escape, pattern.split("..."))), text)
    if found is None:
        difference = difflib.unified_diff(
            pattern.splitlines(), text.splitlines(), "the page", "the command", lineterm=""
        )
        raise AssertionError("\n".join([command, *difference]))
    hidden = [text for text in found.groups() if text != "..."]  # dots may be dots of a board
    needless = [text for text in hidden if not varies(command, text)]
    assert not needless, f"{command}\n`...` hides what every run prints: {needless}"


def varies(command: str, hidden: str) -> bool:
    """Whether all of a text that dots stand for may differ from one run to the next."""
    if command.removeprefix("$ plyground ").startswith(MEASURING) or " --time " in command:
        return True
    return re.fullmatch(VARYING, hidden.strip()) is not None


def _narrow(text: str) -> str:
    return re.sub(r"([ ─])\1+", r"\1", text.strip())
