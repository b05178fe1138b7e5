"""How a sandbox for the tests is got: never where there is one, never with a question."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.browser import chromium
from tests.classroom import bubblewrap


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine without bubblewrap: the commands that were run on it."""
    ran: list[str] = []
    programs = {"apt-get"}

    def succeeds(command: Sequence[str], *, quiet: bool = True) -> bool:
        ran.append(" ".join(command))
        programs.update(word for word in command if word == "bubblewrap")
        return True

    def why() -> str | None:
        return None if {"bwrap", "bubblewrap"} & programs else "bwrap is not installed"

    monkeypatch.setattr("shutil.which", lambda name: name if name in programs else None)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(chromium, "succeeds", succeeds)
    monkeypatch.setattr(bubblewrap, "cannot_be_built", why)
    return ran


def test_it_is_installed_where_packages_can_be(installed: list[str]) -> None:
    assert bubblewrap.main() == 0
    apt = "env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=600"
    assert installed == [f"{apt} update", f"{apt} install --no-install-recommends bubblewrap"]


def test_it_is_not_installed_where_it_is(
    installed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr(bubblewrap, "cannot_be_built", lambda: None)
    assert bubblewrap.main() == 0
    assert installed == []


def test_where_it_cannot_be_had_that_is_said(
    installed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert bubblewrap.main() == 1
    assert installed == []
    told = "The tests in a sandbox will be skipped: bwrap is not installed.\n"
    assert capsys.readouterr().err == told
