"""A sandbox to test: `python -m tests.classroom.bubblewrap` (part of `make test`) gets bubblewrap
where it is missing and packages can be installed here."""

from __future__ import annotations

import shutil
import sys

from plyground.classroom.sandbox import cannot_be_built
from tests.browser import chromium


def main() -> int:
    """Get it if there is none. Status 1: there is no sandbox, and why has been said."""
    if shutil.which("bwrap") is None and chromium.may_install_packages():
        chromium.install_package("bubblewrap", "the tests in a sandbox")
    why = cannot_be_built()
    if why is None:
        return 0
    print(f"The tests in a sandbox will be skipped: {why}.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
