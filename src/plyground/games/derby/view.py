"""Fishing Derby as a picture: sky, sea, boats and their lines, fish, and crabs that keep score.

Nothing is shown by colour alone: boats carry the letters G and R and differ in shape, every fish
bears its score, penalty fish are jellyfish and prizes are fish, larger ones worth more.

The cells that can be touched are those where something is, and those that the mover can reach: to
go from one to the next is to look round the sea.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plyground.core.svg import document, element, label, target, themed, thing
from plyground.games.derby.rules import NONE, SIZE, SURFACE, Board, State, score_of
from plyground.games.derby.scenario import cell_name

ColumnRow = tuple[int, int]
"""Column and row."""

CELL = 32
WIDTH = SIZE * CELL
SKY = 104
SEA = SIZE * CELL
FLOOR = 64
HEIGHT = SKY + SEA + FLOOR

INK = "#1d2b36"
PAPER = "#fffdf6"
GREEN, RED = "#2e8b57", "#c8443a"
PLAYER_COLOURS = (GREEN, RED)
PLAYER_NAMES = ("Green", "Red")
PRIZES = ("#f6d365", "#fbb653", "#f99a5b", "#f48fb1", "#ce93d8", "#90caf9", "#80cbc4", "#aed581")
"""By score, again from the start after the last: so that neighbours differ."""
JELLY = "#e3d7f4"
JELLY_LINE = "#5b3f8c"
HULL = 6
"""The middle of a boat's hull is so much above the water."""
NEAR = 2 * CELL
"""Nothing moves farther in a ply, but what leaves the sea on one side appears on the other."""


def draw(
    board: Board,
    state: State,
    places: Mapping[int, ColumnRow],
    targets: Sequence[ColumnRow],
    clock: str,
    title: str,
    caption: str,
) -> str:
    """The picture; `targets` are the cells that the mover can reach."""
    hooks = ((state.green_x, state.green_y), (state.red_x, state.red_y))
    held = (state.green_fish, state.red_fish)
    parts = [
        backdrop(),
        sun_clock(board, state, clock),
        *cells(board, hooks, places, targets),
        lines_and_hooks(hooks, held),
    ]
    crowds: dict[ColumnRow, int] = {}
    for fish, (x, y) in sorted(places.items()):
        above = crowds.get((x, y), 0)
        crowds[x, y] = above + 1
        # Several in one cell are drawn a little apart, the lowest-numbered in its place.
        across, down = middle(x, y)
        parts.append(swimmer(board, fish, across + 7 * above, down + 9 * above, fish in held))
    for player, (x, _) in enumerate(hooks):
        parts.append(boat(player, x))
    parts += [crab(0, state.green_points), crab(1, state.red_points)]
    parts.append(label(WIDTH / 2, HEIGHT - 16, caption, font_size=16, fill=INK, **themed("ink")))
    return document(WIDTH, HEIGHT, "".join(parts), title)


def cells(
    board: Board,
    hooks: Sequence[ColumnRow],
    places: Mapping[int, ColumnRow],
    targets: Sequence[ColumnRow],
) -> list[str]:
    contents: dict[ColumnRow, list[str]] = {place: [] for place in targets}
    for name, place in zip(PLAYER_NAMES, hooks, strict=True):
        contents.setdefault(place, []).append(f"{name}'s hook")
    for fish, place in sorted(places.items()):
        contents.setdefault(place, []).append(f"fish worth {score_of(board, fish)}")
    return [
        element(
            "rect",
            x=x * CELL,
            y=SKY + (SURFACE - y) * CELL,
            width=CELL,
            height=CELL,
            fill="none",
            **target(
                cell_name(x, y), f"column {x} row {y}, {', '.join(contents[x, y]) or 'open water'}"
            ),
        )
        for x, y in sorted(contents, key=lambda place: (-place[1], place[0]))
    ]


def middle(x: int, y: int) -> tuple[float, float]:
    return (x + 0.5) * CELL, SKY + (SURFACE - y + 0.5) * CELL


# The scenery


def backdrop() -> str:
    shades = "".join(
        element("stop", offset=offset, stop_color=colour, **themed(role))
        for offset, colour, role in (
            ("0", "#9bd7ea", "surface"),
            ("0.5", "#5aaed0", "water"),
            ("1", "#2f7fae", "deep"),
        )
    )
    water = element("rect", y=SKY - 8, width=WIDTH, height=SEA + 8)
    gradient = element("clipPath", water, id="derby-water") + element(
        "linearGradient", shades, id="derby-sea", x1=0, y1=0, x2=0, y2=1
    )
    grid = "".join(
        element("path", d=f"M{n * CELL} {SKY}V{SKY + SEA}M0 {SKY + n * CELL}H{WIDTH}")
        for n in range(1, SIZE)
    )
    waves = "q8 -7 16 0t16 0" * SIZE
    sand = f"M0 {SKY + SEA - 6}q80 -10 160 0t160 0t160 0t160 0V{HEIGHT}H0z"
    return (
        element("defs", gradient + element("clipPath", water, id="derby-water"))
        + element("rect", width=WIDTH, height=HEIGHT, rx=10, fill="#e8f5fb", **themed("sky"))
        + cloud(90, 34)
        + cloud(430, 24)
        + element("rect", y=SKY, width=WIDTH, height=SEA, fill="url(#derby-sea)")
        + element("g", grid, stroke="#ffffff", stroke_opacity=0.16, fill="none")
        + element(
            "path", d=f"M0 {SKY}{waves}", fill="none", stroke="#ffffff", stroke_width=3, opacity=0.8
        )
        + element("path", d=sand, fill="#efdcae", **themed("sand"))
        + weed(70)
        + weed(388)
        + weed(566)
    )


def cloud(x: float, y: float) -> str:
    puffs = ((0, 6, 13), (16, 0, 17), (34, 5, 14))
    return element(
        "g",
        "".join(element("circle", cx=x + dx, cy=y + dy, r=r) for dx, dy, r in puffs),
        fill="#ffffff",
        **themed("cloud"),
    )


def weed(x: float) -> str:
    y = SKY + SEA - 2
    blades = f"M{x} {y}q-9 -14 0 -26t-2 -24M{x + 10} {y}q9 -12 0 -22t3 -18"
    return element(
        "path",
        d=blades,
        fill="none",
        stroke="#2f8f6b",
        stroke_width=5,
        stroke_linecap="round",
        opacity=0.75,
    )


def sun_clock(board: Board, state: State, clock: str) -> str:
    """The sun crosses the sky in a day; beside it the time, and below it the ply."""
    passed = min(state.ply, board.plies) / board.plies
    x = 30 + passed * (WIDTH - 60)
    track = element(
        "path",
        d=f"M30 10H{WIDTH - 30}",
        stroke="#7d97a5",
        stroke_width=2,
        stroke_dasharray="1 7",
        stroke_linecap="round",
    )
    disc = element("circle", r=8, fill="#ffcf4a", stroke="#b98300", stroke_width=1.5)
    sun = thing("sun", x, 10, disc)
    text = f"{clock}, ply {state.ply} of {board.plies}"
    return (
        track
        + sun
        + label(WIDTH / 2, 32, text, font_size=15, fill=INK, font_weight=600, **themed("ink"))
    )


def crab(player: int, points: int) -> str:
    """A crab on the sea floor that holds up what a player has landed."""
    x = 84 if player == 0 else WIDTH - 84
    y = SKY + SEA + 22
    colour = PLAYER_COLOURS[player]
    limbs = "".join(
        f"M{x + side * 22} {y + 2 + 5 * leg}q{side * 9} -3 {side * 14} 6"
        for side in (-1, 1)
        for leg in range(3)
    )
    claws = "".join(
        element("path", d=f"M{x + side * 24} {y - 6}q{side * 12} -2 {side * 12} -14")
        + element("circle", cx=x + side * 37, cy=y - 22, r=5, fill=colour, stroke_width=1.5)
        for side in (-1, 1)
    )
    eyes = "".join(
        element("circle", cx=x + side * 9, cy=y - 18, r=4.5, fill=PAPER, stroke_width=1.5)
        + element("circle", cx=x + side * 9, cy=y - 18, r=1.8, fill=INK, stroke="none")
        for side in (-1, 1)
    )
    body = element("ellipse", cx=x, cy=y, rx=28, ry=16, fill=colour, stroke=INK, stroke_width=1.5)
    name = PLAYER_NAMES[player]
    return (
        element("path", d=limbs, fill="none", stroke=INK, stroke_width=2.5, stroke_linecap="round")
        + element("g", claws + eyes, fill="none", stroke=INK, stroke_width=3)
        + body
        + label(x, y + 1, str(points), font_size=18, font_weight=700, fill=PAPER)
        + label(x, y + 27, name, font_size=13, fill=INK, **themed("ink"))
    )


# Boats, lines and hooks


def boat(player: int, x: int) -> str:
    """Green's is a sailing boat, red's a steamer; each shows its letter."""
    colour = PLAYER_COLOURS[player]
    if player == 0:
        above = element("path", d="M0-14v-42", stroke=INK, stroke_width=3) + element(
            "path", d="M3-56l22 36h-22zM-3-50l-14 30h14z", fill=PAPER
        )
    else:
        above = (
            element("rect", x=-15, y=-30, width=30, height=16, fill=PAPER)
            + element("rect", x=-7, y=-50, width=14, height=20, fill=colour)
            + element("circle", cx=6, cy=-58, r=5, fill="#ffffff")
            + element("circle", cx=15, cy=-64, r=4, fill="#ffffff")
        )
    vessel = element(
        "g",
        above + element("path", d="M-26-14h52l-9 17h-34z", fill=colour),
        stroke=INK,
        stroke_width=1.5,
        stroke_linejoin="round",
    )
    letter = label(0, -6, "GR"[player], font_size=13, font_weight=700, fill=PAPER)
    # Placed by its hull, above the water: what is in the sea are hooks and fish.
    drawing = element("g", vessel + letter, transform=f"translate(0 {HULL})")
    return thing(f"boat{player}", (x + 0.5) * CELL, SKY - HULL, drawing, data_reach=NEAR)


def lines_and_hooks(hooks: Sequence[ColumnRow], held: Sequence[int]) -> str:
    """All lines are as long as the sea is deep, and hidden above it: so they run out and in."""
    drawings = ""
    for player, (place, fish) in enumerate(zip(hooks, held, strict=True)):
        drawing = element("path", d=f"M0 {-SEA}V-9", stroke=INK, stroke_width=1.5)
        if fish == NONE:
            bend = "M0-9v12a6.5 6.5 0 1 1 -12 -3l-1 5m1 -5l5 2"
            drawing += element(
                "path", d=bend, fill="none", stroke=INK, stroke_width=2.5, stroke_linecap="round"
            )
        drawings += thing(f"hook{player}", *middle(*place), drawing, data_reach=NEAR)
    return element("g", drawings, clip_path="url(#derby-water)")


# Fish


def swimmer(board: Board, fish: int, x: float, y: float, held: bool) -> str:
    score = score_of(board, fish)
    drawing = prize(score) if score > 0 else jellyfish()
    if held:  # hanging from its line
        drawing = element("circle", cy=-12, r=3.5, fill=INK) + drawing
    size = 13 if abs(score) < 10 else 12
    drawing += label(
        1 if score > 0 else 0, 0, str(score), font_size=size, font_weight=700, fill=INK
    )
    return thing(f"fish{fish}", x, y, drawing, data_reach=NEAR)


def prize(score: int) -> str:
    """A fish that looks to the left; the more it is worth, the longer and higher."""
    long, high = 12 + score * 0.35, 7.5 + score * 0.3
    eye = 2 - long
    tail = f"M{long - 5:g} 0l9 -7v14z"
    fin = f"M-3 {1 - high:g}q5 -7 10 0z"
    shape = {"fill": PRIZES[score % len(PRIZES)], "stroke": INK, "stroke_width": 1.3}
    return (
        element("path", d=tail + fin, stroke_linejoin="round", **shape)
        + element("ellipse", cx=-2, rx=long, ry=high, **shape)
        + element("circle", cx=eye, cy=-0.3 * high, r=3, fill=PAPER, stroke=INK)
        + element("circle", cx=eye - 0.8, cy=-0.3 * high, r=1.4, fill=INK)
    )


def jellyfish() -> str:
    """A bell with tentacles, outlined in violet: a penalty fish."""
    hem = "q-3.2 4 -6.5 0" * 4
    bell = f"M-13 6a13 15 0 0 1 26 0{hem}z"
    tentacles = "".join(f"M{x:g} 8q-3 4 0 7t0 5" for x in (-8, -2.5, 3, 8.5))
    return element(
        "path",
        d=tentacles,
        fill="none",
        stroke=JELLY_LINE,
        stroke_width=1.8,
        stroke_linecap="round",
    ) + element("path", d=bell, fill=JELLY, stroke=JELLY_LINE, stroke_width=1.8)
