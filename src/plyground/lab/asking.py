"""A valuation that is not zero-sum: what a state is worth depends on who asks.

In the measurements of 2023 (`lab/presets.py`) an agent of Blocker that asks for the value of a
state in which neither agent can move is told that it has won. Each agent then believes in a game of
its own. So that is how it is written here: two games that are Blocker in all but the value of that
state, one as the first player sees it while it searches, one as the second does. Within each of
them what one side wins the other loses, and any search will do. The rules themselves stay as they
are, and so does the end of the games that are played.
"""

from __future__ import annotations

from functools import cache

from plyground.core.errors import LimitError
from plyground.core.game import Game
from plyground.games.blocker.rules import Board, State, utility


def neither_can_move(board: Board, state: State) -> bool:
    return state.a_can == 0 and state.b_can == 0


def utility_if_first_asks(board: Board, state: State) -> int:
    return 1 if neither_can_move(board, state) else utility(board, state)


def utility_if_second_asks(board: Board, state: State) -> int:
    return -1 if neither_can_move(board, state) else utility(board, state)


def games_by_asker(game: Game) -> tuple[Game, Game]:
    """The game as the first and as the second player values it."""
    if game.rules.utility is not utility:
        raise LimitError(f"valuation asking is for blocker alone: {game.name} has no such states")
    return _variant(game, 0), _variant(game, 1)


@cache
def _variant(game: Game, asker: int) -> Game:
    asked = (utility_if_first_asks, utility_if_second_asks)[asker]
    return game.replace(name=f"{game.name} as {game.players[asker]} values it", utility=asked)
