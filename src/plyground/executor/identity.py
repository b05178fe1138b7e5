"""What must be the same on all machines of a cluster."""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from pathlib import Path

DIGEST_LENGTH = 12

Identity = dict[str, str]
"""By name, what two machines compare."""


@cache
def identity() -> Identity:
    """The versions of plyground, of its sources and of Python, in this process."""
    return {
        # The package itself imports searches, which import this package: no import may go back.
        "plyground": str(sys.modules["plyground"].__version__),
        "its sources": _digest_of_sources(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
    }


def _digest_of_sources() -> str:
    package = Path(__file__).parent.parent
    whole = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        whole.update(repr((name, path.read_bytes().replace(b"\r\n", b"\n"))).encode())
    return whole.hexdigest()[:DIGEST_LENGTH]


def difference(ours: Identity, theirs: Identity) -> str | None:
    """In words, the first thing that differs; None if nothing does."""
    for name, value in ours.items():
        if theirs.get(name) != value:
            return f"{name} is {theirs.get(name, 'not known')} there, and {value} here"
    return None
