"""Golden playthroughs: one game of each kind, played at random, written down in full.

Any change of the rules, the notation, the keys or the evaluation shows in them as a difference that
a person can read. `python -m tests.games.golden` (or `make golden`) writes them anew, and with them
the pictures of the pages in docs/games and the plot in docs/suites.md; look at the difference
before committing it.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from plyground.core.game import Game, Position
from plyground.core.registry import find_game, game_names
from tests.classroom import derby_levels
from tests.docs import learning_picture
from tests.paths import ROOT

GOLDEN = ROOT / "tests" / "data" / "golden"
PAGES = ROOT / "docs" / "games"
SEED = 2024
IMAGE = re.compile(r"!\[(?P<position>.+?)\]\((?P<file>\.\./pictures/[^)]+\.svg)\)")
"""A picture in a page. What it is called is the position that it shows."""


def playthrough(game: Game) -> str:
    """The positions of one game, each with all that the rules and the notation say about it."""
    chance = random.Random(SEED)
    position, ply = game.start(), 0
    parts = [f"# {game.title}, played at random; written by python -m tests.games.golden"]
    while not position.is_over:
        move = chance.choice(position.legal_moves)
        parts += [describe(position, ply), f"played     {position.move_text(move)}"]
        position, ply = position.after(move), ply + 1
    outcome = position.outcome
    ended = f"outcome    {outcome.score} utility {outcome.utility}: {outcome.reason}"
    return "\n".join([*parts, describe(position, ply), ended]) + "\n"


def describe(position: Position, ply: int) -> str:
    lines = [
        "",
        f"ply        {ply}",
        f"position   {position.text}",
        *(f"           {line}".rstrip() for line in position.picture.splitlines()),
        f"key        {position.key:016x}",
    ]
    if not position.is_over:
        legal = position.legal_moves
        noisy = [position.move_text(move) for move in legal if position.is_noisy(move)]
        lines += [
            f"evaluation {position.evaluation}",
            f"turn       {position.turn}",
            f"moves      {' '.join(map(position.move_text, legal))}",
            f"noisy      {' '.join(noisy) or '-'}",
        ]
    return "\n".join(lines)


def golden_file(name: str) -> Path:
    return GOLDEN / f"{name}.txt"


def page_file(name: str) -> Path:
    return PAGES / f"{name}.md"


def pictures(name: str) -> dict[Path, str]:
    """The pictures of a game's page: for each file the SVG that belongs into it."""
    game, page = find_game(name), page_file(name)
    return {
        (PAGES / found["file"]).resolve(): game.position(found["position"]).svg() + "\n"
        for found in IMAGE.finditer(page.read_text(encoding="utf-8"))
    }


def write_all() -> None:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name in game_names():
        golden_file(name).write_text(playthrough(find_game(name)), encoding="utf-8")
        if page_file(name).exists():
            for file, svg in pictures(name).items():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(svg, encoding="utf-8")
    derby_levels.write()
    learning_picture.write()


if __name__ == "__main__":
    write_all()
