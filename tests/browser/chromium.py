"""Finds, installs and launches a chromium.

`python -m tests.browser.chromium` (part of `make test`) installs one where there is none: Debian's
if packages can be installed here, else the one that Playwright downloads.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright

HEADLESS = "chromium-headless-shell"
"""Has no window, which a full chromium draws for nobody: half the time of these tests."""
NAMES = (HEADLESS, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
"""No requests but those of the pages, no graphics card."""
ADVICE = "there is no chromium here: install one, or run `playwright install chromium`"
RELEASE = Path("/etc/os-release")


class NoChromium(Exception):
    """No browser is installed; the message says how to install one."""


def on_path() -> str | None:
    """The chromium installed on this machine, if there is one that starts."""
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and succeeds([path, "--version"]):
            return path
    return None


def launch(playwright: Playwright) -> Browser:
    """Start a headless browser: the machine's own, or Playwright's."""
    try:
        return playwright.chromium.launch(executable_path=on_path(), args=list(FLAGS))
    except Error as error:
        if "Executable doesn't exist" in error.message:
            raise NoChromium(ADVICE) from error
        raise


# Installation


def main() -> int:
    """Install a chromium if there is none. Returns 1 if that failed, after printing why."""
    if on_path() is not None:
        return 0
    if can_install_packages() and on_path_after_installing(HEADLESS, "chromium"):
        return 0
    if succeeds([sys.executable, "-m", "playwright", "install", "chromium"], quiet=False):
        return 0
    print(
        "No chromium could be installed: the tests in a browser will be skipped.", file=sys.stderr
    )
    return 1


def on_path_after_installing(*packages: str) -> bool:
    """Install the first of these packages that there is: older systems lack some."""
    return any(
        install_package(name, "the tests in a browser") and on_path() is not None
        for name in packages
    )


def can_install_packages() -> bool:
    """Whether this is Debian (on its derivatives the package of that name has no browser in it) and
    packages can be installed without a password."""
    return "ID=debian" in read_release().splitlines() and may_install_packages()


def may_install_packages() -> bool:
    """Whether packages can be installed without a password."""
    if shutil.which("apt-get") is None:
        return False
    return os.geteuid() == 0 or (
        shutil.which("sudo") is not None and succeeds(["sudo", "-n", "true"])
    )


def install_package(name: str, purpose: str) -> bool:
    """Install a package of the system without asking. Returns whether it worked."""
    print(f"installing the system's {name}, for {purpose}", file=sys.stderr)
    before = [] if os.geteuid() == 0 else ["sudo", "-n"]
    apt = [*before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y"]
    apt += ["-o", "DPkg::Lock::Timeout=600"]  # another installation may be under way
    update, install = ["update"], ["install", "--no-install-recommends", name]
    return succeeds([*apt, *update], quiet=False) and succeeds([*apt, *install], quiet=False)


def read_release() -> str:
    try:
        return RELEASE.read_text(encoding="utf-8")
    except OSError:
        return ""


def succeeds(command: Sequence[str], *, quiet: bool = True) -> bool:
    """Whether a command exits with status 0. Its output goes to standard error, or nowhere."""
    output = subprocess.DEVNULL if quiet else sys.stderr
    errors = subprocess.DEVNULL if quiet else None
    try:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
    except OSError:
        return False
    return ran.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
