"""Breakthrough's evaluation against plain material, at equal time, in pairs of games."""

from __future__ import annotations

import random

from benchmarks.contest import material_breakthrough
from benchmarks.report import Row
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits

PAIRS = 100
SECONDS_PER_MOVE = 0.05
OPENING_PLIES = 4
"""So many moves are drawn at random, the same for both games of a pair."""
WANTED = 0.9


def run(quick: bool) -> list[Row]:
    pairs = 1 if quick else PAIRS
    games = find_game("breakthrough"), material_breakthrough()
    players = [Player(game) for game in games]
    won = sum(
        wins_as(side, players, opening(games[0], seed)) for seed in range(pairs) for side in (0, 1)
    )
    share = won / (2 * pairs)
    return [
        Row(
            f"6x6, {2 * pairs} games in pairs, {SECONDS_PER_MOVE * 1000:.0f} ms a move",
            f"{won} won with the evaluation",
            f"{2 * pairs - won} won with material alone",
            f"{share:.1%}",
            f"{WANTED:.0%}",
            None if quick else share >= WANTED,
            {"won": won, "games": 2 * pairs},
        )
    ]


class Player:
    """The engine with one of the evaluations."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._engine = Engine(game)

    def forget(self) -> None:
        self._engine.clear()

    def choose(self, position: Position) -> int:
        same = Position(self._game, position.board, position.state)
        return self._engine.search(same, Limits(seconds=SECONDS_PER_MOVE)).move


def opening(game: Game, seed: int) -> Position:
    draw = random.Random(seed)
    position = game.start()
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
