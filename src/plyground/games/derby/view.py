"""Fishing Derby as a picture: sky, sea, boats and their lines, fish, and crabs that keep score.

Nothing is told by colour alone: boats carry the letters G and R and differ in shape, every fish
bears its score, penalty fish are jellyfish and prizes are fish, larger ones worth more.
"""

from __future__ import annotations

from plyground.core.svg import document, element, label
from plyground.games.derby.rules import NONE, SIZE, SURFACE, Board, State, score_of

CELL = 32
WIDTH = SIZE * CELL
SKY = 104
SEA = SIZE * CELL
FLOOR = 64
HEIGHT = SKY + SEA + FLOOR
WATERLINE = SKY

INK = "#1d2b36"
PAPER = "#fffdf6"
GREEN, RED = "#2e8b57", "#c8443a"
PLAYER_COLOURS = (GREEN, RED)
PRIZES = ("#f6d365", "#fbb653", "#f99a5b", "#f48fb1", "#ce93d8", "#90caf9", "#80cbc4", "#aed581")
"""By score, again from the start after the last: so that neighbours differ."""
JELLY = "#e3d7f4"
JELLY_LINE = "#5b3f8c"


def draw(
    board: Board, state: State, places: dict[int, tuple[int, int]], clock: str, title: str
) -> str:
    parts = [backdrop(), sun_clock(board, state, clock)]
    hooks = ((state.green_x, state.green_y), (state.red_x, state.red_y))
    held = (state.green_fish, state.red_fish)
    for player, (x, y) in enumerate(hooks):
        parts.append(line_and_hook(x, y, held[player] != NONE))
    crowds: dict[tuple[int, int], int] = {}
    for fish, (x, y) in sorted(places.items()):
        above = crowds.get((x, y), 0)
        crowds[x, y] = above + 1
        # Several in one cell are drawn a little apart, the lowest-numbered in its place.
        across, down = middle(x, y)
        parts.append(swimmer(board, fish, across + 7 * above, down + 9 * above, fish in held))
    for player, (x, _) in enumerate(hooks):
        parts.append(boat(player, x))
    parts += [crab(0, state.green_points), crab(1, state.red_points)]
    parts.append(label(WIDTH / 2, HEIGHT - 16, title, font_size=16, fill=INK))
    return document(WIDTH, HEIGHT, "".join(parts), title)


def middle(x: int, y: int) -> tuple[float, float]:
    return (x + 0.5) * CELL, SKY + (SURFACE - y + 0.5) * CELL


# The scenery


def backdrop() -> str:
    shades = "".join(
        element("stop", offset=offset, stop_color=colour)
        for offset, colour in (("0", "#9bd7ea"), ("0.5", "#5aaed0"), ("1", "#2f7fae"))
    )
    gradient = element("linearGradient", shades, id="derby-sea", x1=0, y1=0, x2=0, y2=1)
    grid = "".join(
        element("path", d=f"M{n * CELL} {SKY}V{SKY + SEA}M0 {SKY + n * CELL}H{WIDTH}")
        for n in range(1, SIZE)
    )
    waves = "q8 -7 16 0t16 0" * SIZE
    sand = f"M0 {SKY + SEA - 6}q80 -10 160 0t160 0t160 0t160 0V{HEIGHT}H0z"
    return (
        element("defs", gradient)
        + element("rect", width=WIDTH, height=HEIGHT, rx=10, fill="#e8f5fb")
        + cloud(90, 34)
        + cloud(430, 24)
        + element("rect", y=SKY, width=WIDTH, height=SEA, fill="url(#derby-sea)")
        + element("g", grid, stroke="#ffffff", stroke_opacity=0.16, fill="none")
        + element(
            "path", d=f"M0 {SKY}{waves}", fill="none", stroke="#ffffff", stroke_width=3, opacity=0.8
        )
        + element("path", d=sand, fill="#efdcae")
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
    sun = element("circle", cx=x, cy=10, r=8, fill="#ffcf4a", stroke="#b98300", stroke_width=1.5)
    text = f"{clock}, ply {state.ply} of {board.plies}"
    return track + sun + label(WIDTH / 2, 32, text, font_size=15, fill=INK, font_weight=600)


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
    name = ("Green", "Red")[player]
    return (
        element("path", d=limbs, fill="none", stroke=INK, stroke_width=2.5, stroke_linecap="round")
        + element("g", claws + eyes, fill="none", stroke=INK, stroke_width=3)
        + body
        + label(x, y + 1, str(points), font_size=18, font_weight=700, fill=PAPER)
        + label(x, y + 27, name, font_size=13, fill=INK)
    )


# Boats, lines and hooks


def boat(player: int, x: int) -> str:
    """Green's is a sailing boat, red's a steamer; each shows its letter."""
    across = (x + 0.5) * CELL
    colour = PLAYER_COLOURS[player]
    hull = f"M{across - 26:g} {SKY - 14}h52l-9 17h-34z"
    if player == 0:
        above = element(
            "path", d=f"M{across:g} {SKY - 14}v-42", stroke=INK, stroke_width=3
        ) + element(
            "path",
            d=f"M{across + 3:g} {SKY - 56}l22 36h-22zM{across - 3:g} {SKY - 50}l-14 30h14z",
            fill=PAPER,
        )
    else:
        above = element("rect", x=across - 15, y=SKY - 30, width=30, height=16, fill=PAPER) + (
            element("rect", x=across - 7, y=SKY - 50, width=14, height=20, fill=colour)
            + element("circle", cx=across + 6, cy=SKY - 58, r=5, fill="#ffffff")
            + element("circle", cx=across + 15, cy=SKY - 64, r=4, fill="#ffffff")
        )
    return element(
        "g",
        above + element("path", d=hull, fill=colour),
        stroke=INK,
        stroke_width=1.5,
        stroke_linejoin="round",
    ) + label(across, SKY - 6, "GR"[player], font_size=13, font_weight=700, fill=PAPER)


def line_and_hook(x: int, y: int, holds: bool) -> str:
    across, down = middle(x, y)
    end = down - 9
    line = element("path", d=f"M{across:g} {SKY - 8}V{end:g}", stroke=INK, stroke_width=1.5)
    if holds:
        return line
    bend = f"M{across:g} {end:g}v12a6.5 6.5 0 1 1 -12 -3l-1 5m1 -5l5 2"
    return line + element(
        "path", d=bend, fill="none", stroke=INK, stroke_width=2.5, stroke_linecap="round"
    )


# Fish


def swimmer(board: Board, fish: int, x: float, y: float, held: bool) -> str:
    score = score_of(board, fish)
    drawing = prize(x, y, score) if score > 0 else jellyfish(x, y)
    if held:  # hanging from its line
        drawing = element("circle", cx=x, cy=y - 12, r=3.5, fill=INK) + drawing
    size = 13 if abs(score) < 10 else 12
    return drawing + label(
        x + (1 if score > 0 else 0), y, str(score), font_size=size, font_weight=700, fill=INK
    )


def prize(x: float, y: float, score: int) -> str:
    """A fish that looks to the left; the more it is worth, the longer and higher."""
    long, high = 12 + score * 0.35, 7.5 + score * 0.3
    eye = x + 2 - long
    tail = f"M{x + long - 5:g} {y:g}l9 -7v14z"
    fin = f"M{x - 3:g} {y - high + 1:g}q5 -7 10 0z"
    shape = {"fill": PRIZES[score % len(PRIZES)], "stroke": INK, "stroke_width": 1.3}
    return (
        element("path", d=tail + fin, stroke_linejoin="round", **shape)
        + element("ellipse", cx=x - 2, cy=y, rx=long, ry=high, **shape)
        + element("circle", cx=eye, cy=y - 0.3 * high, r=3, fill=PAPER, stroke=INK)
        + element("circle", cx=eye - 0.8, cy=y - 0.3 * high, r=1.4, fill=INK)
    )


def jellyfish(x: float, y: float) -> str:
    """A bell with tentacles, outlined in violet: nobody wants it."""
    hem = "q-3.2 4 -6.5 0" * 4
    bell = f"M{x - 13:g} {y + 6:g}a13 15 0 0 1 26 0{hem}z"
    tentacles = "".join(f"M{x + dx:g} {y + 8:g}q-3 4 0 7t0 5" for dx in (-8, -2.5, 3, 8.5))
    return element(
        "path",
        d=tentacles,
        fill="none",
        stroke=JELLY_LINE,
        stroke_width=1.8,
        stroke_linecap="round",
    ) + element("path", d=bell, fill=JELLY, stroke=JELLY_LINE, stroke_width=1.8)
