"""Without OpenSpiel one line says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

from plyground.core.errors import PlygroundError
from plyground.spiel import register


def test_without_openspiel_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(PlygroundError, match=r"OpenSpiel is not installed .*'plyground\[spiel\]'"):
        register()


def test_importing_the_package_does_not_import_openspiel() -> None:
    program = "import sys, plyground.spiel; sys.exit('pyspiel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
