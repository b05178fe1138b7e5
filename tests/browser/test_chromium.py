"""Installation of a browser: not where there is one, and never with a question."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.browser import chromium
from tests.paths import ROOT


class Machine:
    """A double of the machine: what is installed, which commands succeed, which were run."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.programs: set[str] = set()
        self.failing: set[str] = set()
        self.ran: list[str] = []
        self.release = folder / "os-release"
        self.release.write_text("ID=debian\n")
        patch.setattr(chromium, "RELEASE", self.release)
        patch.setattr("shutil.which", self.which)
        patch.setattr(chromium, "succeeds", self.succeeds)
        self._patch = patch
        self.be(0)

    def be(self, user: int) -> None:
        self._patch.setattr("os.geteuid", lambda: user)

    def which(self, name: str) -> str | None:
        return name if name in self.programs else None

    def succeeds(self, command: Sequence[str], *, quiet: bool = True) -> bool:
        words = " ".join(command)
        if "--version" not in words:
            self.ran.append(words.replace(sys.executable, "python"))
        if any(failing in words for failing in self.failing):
            return False
        if "install --no-install-recommends" in words:
            self.programs.add(command[-1])
        return True


APT = "env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=600"
PACKAGE = [f"{APT} update", f"{APT} install --no-install-recommends chromium-headless-shell"]
FULL = [f"{APT} update", f"{APT} install --no-install-recommends chromium"]
DOWNLOAD = ["python -m playwright install chromium"]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(monkeypatch, tmp_path)


def test_nothing_is_installed_where_a_chromium_is_on_the_path(machine: Machine) -> None:
    machine.programs = {"apt-get", "google-chrome"}
    assert chromium.main() == 0
    assert machine.ran == []


def test_debians_chromium_is_installed_as_root(machine: Machine) -> None:
    machine.programs = {"apt-get"}
    assert chromium.main() == 0
    assert machine.ran == PACKAGE


def test_debians_chromium_is_installed_with_sudo_that_asks_no_password(machine: Machine) -> None:
    machine.be(1000)
    machine.programs = {"apt-get", "sudo"}
    assert chromium.main() == 0
    assert machine.ran == ["sudo -n true", *(f"sudo -n {command}" for command in PACKAGE)]


def test_where_sudo_asks_for_a_password_chromium_is_downloaded(machine: Machine) -> None:
    machine.be(1000)
    machine.programs = {"apt-get", "sudo"}
    machine.failing = {"sudo"}
    assert chromium.main() == 0
    assert machine.ran == ["sudo -n true", *DOWNLOAD]


def test_a_program_of_that_name_that_does_not_start_is_no_chromium(machine: Machine) -> None:
    machine.programs = {"chromium-browser"}
    machine.failing = {"--version"}
    assert chromium.main() == 0
    assert machine.ran == DOWNLOAD


def test_on_another_system_chromium_is_downloaded(machine: Machine) -> None:
    machine.programs = {"apt-get"}
    machine.release.write_text("ID=ubuntu\nID_LIKE=debian\n")
    assert chromium.main() == 0
    assert machine.ran == DOWNLOAD
    machine.release.unlink()
    assert not chromium.can_install_packages()


def test_if_the_package_cannot_be_installed_chromium_is_downloaded(machine: Machine) -> None:
    machine.programs = {"apt-get"}
    machine.failing = {"update"}
    assert chromium.main() == 0
    assert machine.ran == [PACKAGE[0], FULL[0], *DOWNLOAD]


def test_where_there_is_no_headless_chromium_the_full_one_is_installed(machine: Machine) -> None:
    machine.programs = {"apt-get"}
    machine.failing = {"recommends chromium-headless-shell"}
    assert chromium.main() == 0
    assert machine.ran == [*PACKAGE, *FULL]


def test_if_nothing_works_a_message_is_printed(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.failing = {"playwright"}
    assert chromium.main() == 1
    assert "the tests in a browser will be skipped" in capsys.readouterr().err


def test_a_command_that_is_not_there_does_not_succeed() -> None:
    assert not chromium.succeeds(["a-command-that-nobody-has"])
    assert chromium.succeeds(["true"], quiet=False)


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("true", "1 error")])
def test_without_a_chromium_tests_in_a_browser_are_skipped_but_fail_where_all_must_run(
    tmp_path: Path, ci: str, outcome: str
) -> None:
    nowhere = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "CI": ci}
    test = "tests/browser/test_home.py::test_every_game_has_a_card"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-rs", "-p", "no:cacheprovider", test],
        cwd=ROOT,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome in ran.stdout, ran.stdout + ran.stderr
    assert "there is no chromium here: install one" in ran.stdout
