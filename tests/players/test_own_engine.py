"""Our own engine behind a real pipe as a player, in every game: both sides of the protocols."""

from __future__ import annotations

import sys

import pytest

from plyground.arena.referee import play_game
from plyground.core.errors import FormatError
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.core.registry import find_game, game_names
from plyground.players.engine_program import EngineProgram
from plyground.players.player import Clock
from plyground.players.simple import random_player
from plyground.search.result import Limits
from tests.paths import EXAMPLES

GAMES = [*game_names(), str(EXAMPLES / "dots.py")]
PATIENCE = 300.0
"""Seconds. A busy machine may have to compile the game first."""


def own_engine(name: str, protocol: str = "ugi", limits: Limits | None = None) -> EngineProgram:
    return EngineProgram(
        [sys.executable, "-m", "plyground", "engine", name],
        protocol,
        {"hash": "1"},
        name="ours",
        limits=limits,
        start_seconds=PATIENCE,
        ready_seconds=PATIENCE,
        stop_seconds=PATIENCE,
    )


def play_both_sides(program: EngineProgram, start: Position) -> None:
    """Two games of one process: from the start, and as the other side from a later position."""
    try:
        for side, opening in enumerate((start, later(start))):
            opponent = random_player(side)
            played = play_game(opening, (program, opponent) if side == 0 else (opponent, program))
            assert played.outcome.ending is Ending.FINISHED, played.outcome
            assert played.depths(side)
        assert "Traceback" not in program.stderr
    finally:
        program.close()


def later(start: Position) -> Position:
    position = start.play(start.legal_moves[-1])
    return position.play(position.legal_moves[0])


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_by_ugi(name: str) -> None:
    play_both_sides(own_engine(name, limits=Limits(depth=1)), find_game(name).start())


@pytest.mark.parametrize("name", ["breakthrough", "connectfour"])
def test_some_games_are_played_by_uci(name: str) -> None:
    """On the larger board of breakthrough, which the program is told by its variant."""
    options = {"rows": 8, "columns": 8} if name == "breakthrough" else {}
    play_both_sides(own_engine(name, "uci", Limits(nodes=50)), find_game(name).start(options))


def test_a_variant_that_a_program_lacks_is_refused_with_those_that_it_has() -> None:
    program = own_engine("breakthrough", "uci")
    with pytest.raises(FormatError, match=r"^ours: option UCI_Variant must be one of breakthrough"):
        program.begin(find_game("connectfour").start(), 0, Clock())
    program.close()
