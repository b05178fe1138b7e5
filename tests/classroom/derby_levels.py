"""The plot of docs/suites.md: how many of the built-in days a search of each depth wins.

It is drawn from the proofs in the suite, which `plyground forge derby --verify` measures again;
`make golden` writes it.
"""

from __future__ import annotations

from plyground.classroom.suite import Suite, find_suite
from plyground.core.registry import find_game
from tests.paths import DOCS

FILE = DOCS / "pictures" / "derby-levels.svg"
DEPTHS = range(2, 13)
LEFT, TOP, ACROSS, UP = 46, 16, 40, 10
"""Pixels: the margins, and what a ply and a point take."""


def points_by_depth(suite: Suite) -> dict[int, int]:
    """The points of the plain search at each depth."""
    needed = [task.proof["depth"] for task in suite.tasks]
    return {depth: sum(n is not None and n <= depth for n in needed) for depth in DEPTHS}


def plot(suite: Suite) -> str:
    points, most = points_by_depth(suite), len(suite.tasks)
    width, height = LEFT + ACROSS * (len(DEPTHS) - 1) + 30, TOP + UP * most + 46
    bottom = TOP + UP * most

    def at(depth: int, count: int) -> tuple[int, int]:
        return LEFT + ACROSS * (depth - DEPTHS[0]), bottom - UP * count

    right = at(DEPTHS[-1], 0)[0]
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#333"/>',
    ]
    for level in suite.levels:
        y = at(DEPTHS[0], level.points)[1]
        parts += [
            f'<path d="M{LEFT} {y}H{right}" stroke="#999" stroke-dasharray="4 4"/>',
            f'<text x="{right - 2}" y="{y - 4}" text-anchor="end" fill="#555">{level.name}</text>',
        ]
    for count in range(0, most + 1, 5):
        y = at(DEPTHS[0], count)[1] + 4
        parts.append(f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">{count}</text>')
    for depth in DEPTHS:
        x = at(depth, 0)[0]
        parts.append(f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{depth}</text>')
    line = " ".join(f"{x},{y}" for x, y in (at(*point) for point in points.items()))
    parts.append(f'<polyline points="{line}" fill="none" stroke="#1f4e9c" stroke-width="2"/>')
    for depth, count in points.items():
        x, y = at(depth, count)
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#1f4e9c"/>')
    middle = (LEFT + right) // 2
    turned = f"translate(14 {(TOP + bottom) // 2}) rotate(-90)"
    parts += [
        f'<text x="{middle}" y="{bottom + 38}" text-anchor="middle">plies searched</text>',
        f'<text transform="{turned}" text-anchor="middle">points</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def write() -> None:
    FILE.write_text(plot(find_suite(find_game("derby"))), encoding="utf-8")


if __name__ == "__main__":
    write()
