"""`plyground match`: games between two players, and what they say about them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from plyground.arena.summary import EventSummary
from plyground.cli.arena_options import EventOptions, contestants, with_event_options
from plyground.cli.arena_output import match_json, match_rows, score_text
from plyground.cli.arguments import GameArgument
from plyground.cli.output import print_json, print_rows

EXAMPLES = (
    "plyground match tictactoe perfect random --games 20",
    "plyground match breakthrough engine:nodes=300 monte-carlo:nodes=300 --games 4 -o rows=5",
    "plyground match connectfour engine:time=0.01 alpha-beta:depth=2 --games 2 --balanced",
    "plyground match derby engine greedy --openings generator --time 0.005 --games 2 --workers 1",
    "plyground match my_game.py engine:depth=4 random --games 10 --record games.jsonl",
)

PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", help="Such as engine:time=0.1, random or player.py; see docs/arena.md."
    ),
]


@with_event_options
def match(
    name: GameArgument,
    player: PlayerArgument,
    opponent: PlayerArgument,
    games: Annotated[
        int, typer.Option(metavar="N", help="So many games, in pairs with sides swapped.")
    ] = 100,
    *,
    event: EventOptions,
) -> None:
    """Let two players play a match.

    Games are played in pairs: two from the same opening, with sides swapped. The error of the Elo
    difference is measured between pairs. Every game is kept as soon as it is over, and the same
    command after Ctrl-C, a crash or a power cut plays what is left. A player that makes an illegal
    move, crashes, keeps silent or is late loses the game, and is started anew.
    """
    plan = event.plan("match", name, contestants([player, opponent]), ((0, 1),), games)
    summary, failures = event.play(
        plan, partial(EventSummary, plan.notations), lambda summary, _: score_text(summary)
    )
    if event.as_json:
        print_json(match_json(plan, summary, failures))
    else:
        print_rows(match_rows(plan, summary, failures))
