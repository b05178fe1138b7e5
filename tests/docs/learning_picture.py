"""The learning curve of docs/learn.md, drawn from the log of the net that comes with plyground.

`python -m tests.docs.learning_picture` (or `make golden`) writes docs/pictures/learning-curve.svg.
"""

from __future__ import annotations

from typing import Any

from plyground.arena.statistics import PairCounts
from plyground.core.page import STYLE as PAGE_STYLE
from plyground.learning.report import CURVE_STYLE, HEIGHT, WIDTH, curve, ratings
from plyground.learning.shipped import ShippedNet
from plyground.search.net.files import read_net
from tests.paths import DOCS

FILE = DOCS / "pictures" / "learning-curve.svg"


def shipped_log() -> dict[str, Any]:
    return read_net(ShippedNet("breakthrough").path).log


def picture(log: dict[str, Any]) -> str:
    pairs = {
        one["number"]: {name: PairCounts(tuple(counts)) for name, counts in one["pairs"].items()}
        for one in log["generations"]
    }
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif"'
        f' width="{WIDTH}" height="{HEIGHT}" '
    )
    ground = (
        f"<style>{PAGE_STYLE}{CURVE_STYLE}</style>"
        '<rect width="100%" height="100%" fill="var(--paper)"/>'
    )
    start, rest = curve(ratings(pairs)).replace("<svg ", head, 1).split(">", 1)
    return f"{start}>{ground}{rest}\n"


def write() -> None:
    FILE.write_text(picture(shipped_log()), encoding="utf-8")


if __name__ == "__main__":
    write()
