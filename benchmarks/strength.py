"""What evaluations, nets and threads are worth at equal time, in pairs of games.

PLYGROUND_STRENGTH names the parts to run, with commas: material, nets, threads, fairy. More threads
in every game, and with a learned evaluation, are the part all-threads, which runs only by name.

Fairy-Stockfish plays too if FAIRY_STOCKFISH names its program. The file `variants.ini` of its
sources must be beside it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.contest import in_turns, material_breakthrough
from benchmarks.matches import QUICK_SECONDS, match_row, play_match
from benchmarks.report import Row, rate_text, ratio_row
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.learning.shipped import NETS, ShippedNet
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits

PAIRS = 100
MATERIAL_SECONDS = 0.05
SECONDS = 0.1
"""For a move."""
OPENING_PLIES = 4
"""So many moves are drawn at random, the same for both games of a pair."""
WANTED_SHARE = 0.9
"""Against material alone."""
WANTED_ELO = {(): 200.0, ("rows=8", "columns=8"): 150.0}
"""Of a net of Breakthrough, by the options of its board."""
OTHER_ELO = 80.0
THREADS_ELO = 40.0
FAIRY_ELO = 35.0
"""Six points of eleven: won clearly."""
WANTED_SPEED = 0.9
SPEED_NODES = 2_000_000
SPEED_ROUNDS = 5
LARGE = {"rows": "8", "columns": "8"}


PARTS = "material,nets,threads,fairy"
THREADS_CASES = (
    ("breakthrough", LARGE, "learned"),
    ("breakthrough", {}, "own"),
    *((name, {}, "own") for name in ("connectfour", "derby", "slant", "blocker")),
)
"""Game, options and evaluation of the part all-threads."""


def run(quick: bool) -> Iterator[Row]:
    pairs, seconds = (1, QUICK_SECONDS) if quick else (PAIRS, SECONDS)
    parts = os.environ.get("PLYGROUND_STRENGTH", PARTS).split(",")
    if "material" in parts:
        yield material_row(pairs, judged=not quick)
    for net in NETS if "nets" in parts else ():
        yield net_row(net, pairs, seconds, judged=not quick)
        yield speed_row(net, 2000 if quick else SPEED_NODES, judged=not quick)
    if "threads" in parts:
        yield threads_row("breakthrough", LARGE, "own", pairs, seconds, judged=not quick)
    for case in THREADS_CASES if "all-threads" in parts else ():
        yield threads_row(*case, pairs, seconds, judged=False)
    program = os.environ.get("FAIRY_STOCKFISH")
    if program and "fairy" in parts and not quick:
        for options in ({}, LARGE):
            yield fairy_stockfish_row(Path(program), options, pairs, seconds)


def net_row(net: ShippedNet, pairs: int, seconds: float, *, judged: bool) -> Row:
    """A net that comes with plyground against the game's own evaluation."""
    found = play_match(
        find_game(net.game),
        "engine:evaluation=learned",
        "engine:evaluation=own",
        pairs=pairs,
        seconds=seconds,
        options=net.board_options,
    )
    wanted = WANTED_ELO[net.options] if net.game == "breakthrough" else OTHER_ELO
    return match_row(
        f"{net.title}, {games_text(pairs, seconds)}",
        found,
        "learned",
        "the game's own evaluation",
        wanted=wanted,
        judged=judged,
    )


def speed_row(net: ShippedNet, nodes: int, *, judged: bool) -> Row:
    """Nodes a second in the same positions, in turns."""
    game = find_game(net.game)
    positions = [opening(game, seed, net.board_options) for seed in range(4)]

    def speed(evaluation: str) -> float:
        engine = Engine(game, evaluation=evaluation)
        results = [engine.search(position, Limits(nodes=nodes)) for position in positions]
        return sum(one.nodes for one in results) / sum(one.seconds for one in results)

    rounds = 1 if not judged else SPEED_ROUNDS
    learned, own = in_turns(rounds, [lambda: speed("learned"), lambda: speed("own")])
    return ratio_row(
        f"{net.title}, speed",
        ours=rate_text(max(learned)),
        other=rate_text(max(own)),
        ratio=max(learned) / max(own),
        target=WANTED_SPEED,
        judged=judged,
    )


def threads_row(
    game: str,
    options: Mapping[str, str],
    evaluation: str,
    pairs: int,
    seconds: float,
    *,
    judged: bool,
) -> Row:
    found = play_match(
        find_game(game),
        f"engine:threads=2,evaluation={evaluation}",
        f"engine:threads=1,evaluation={evaluation}",
        pairs=pairs,
        seconds=seconds,
        options=options,
        cores_each=2,
    )
    size = " 8x8" if options else ""
    return match_row(
        f"{game}{size}, {evaluation} evaluation, {games_text(pairs, seconds)}",
        found,
        "two threads",
        "one thread",
        wanted=THREADS_ELO,
        judged=judged,
    )


def fairy_stockfish_row(
    program: Path, options: Mapping[str, str], pairs: int, seconds: float
) -> Row:
    """One thread, its hand-written evaluation."""
    variants = program.with_name("variants.ini")
    found = play_match(
        find_game("breakthrough"),
        "engine:evaluation=learned",
        f"uci:{program}?VariantPath={variants}&Use NNUE=false&Threads=1",
        pairs=pairs,
        seconds=seconds,
        options=options,
    )
    size = "8x8" if options else "6x6"
    return match_row(
        f"breakthrough {size}, {games_text(pairs, seconds)}",
        found,
        "learned",
        "Fairy-Stockfish",
        wanted=FAIRY_ELO,
        judged=True,
    )


def games_text(pairs: int, seconds: float) -> str:
    return f"{2 * pairs} games of {1000 * seconds:g} ms a move"


# Breakthrough's own evaluation against material alone


def material_row(pairs: int, *, judged: bool) -> Row:
    games = find_game("breakthrough"), material_breakthrough()
    players = [Player(game) for game in games]
    won = sum(
        wins_as(side, players, opening(games[0], seed)) for seed in range(pairs) for side in (0, 1)
    )
    share = won / (2 * pairs)
    return Row(
        f"breakthrough, {games_text(pairs, MATERIAL_SECONDS)}",
        f"{won} won with the evaluation",
        f"{2 * pairs - won} won with material alone",
        f"{share:.1%}",
        f"{WANTED_SHARE:.0%}",
        share >= WANTED_SHARE if judged else None,
        {"won": won, "games": 2 * pairs},
    )


class Player:
    """The engine with one of the evaluations."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._engine = Engine(game)

    def forget(self) -> None:
        self._engine.clear()

    def choose(self, position: Position) -> int:
        same = Position(self._game, position.board, position.state)
        return self._engine.search(same, Limits(seconds=MATERIAL_SECONDS)).move


def opening(game: Game, seed: int, options: Mapping[str, str] | None = None) -> Position:
    draw = random.Random(seed)
    position = game.start(options)
    for _ in range(OPENING_PLIES):
        position = position.play(draw.choice(position.legal_moves))
    return position


def wins_as(side: int, players: list[Player], position: Position) -> bool:
    """Whether the first of the players wins from here with this side."""
    for player in players:
        player.forget()
    while not position.is_over:
        position = position.play(players[position.turn ^ side].choose(position))
    return (position.utility > 0) == (side == 0)
