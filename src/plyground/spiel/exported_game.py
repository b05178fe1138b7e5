"""A plyground game as a Python game of OpenSpiel: `ExportedGame` and `ExportedState`.

The states of OpenSpiel change with every move, positions never do: a state holds the position that
it has reached. The rules run uncompiled.

Two bounds that OpenSpiel wants come from the game's own `move_limit` and `longest_game`
(`core/game.py`). Where a game does not know how long it can be (Blocker can repeat positions for
ever), it has the parameter `max_game_length`, and is a draw after so many moves.

The utility of a game of points is the margin, if the rules tell its `bounds`. Without them it is 1
for a win, 0 for a draw and -1 for a loss, as in a game of wins: OpenSpiel's searches weigh
utilities by the largest that is possible, and with a bound far beyond all results they would not
see them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from plyground.core.errors import GameFileError
from plyground.core.game import Game, Option, Position
from plyground.core.values import sign
from plyground.spiel.observation import Part, tensor_parts, write_tensor

MAX_GAME_LENGTH = "max_game_length"
"""The parameter of games that do not know how long they can be."""
DEFAULT_LENGTH = 1000
PREFIX = "plyground_"
"""The name of a game in OpenSpiel begins with it."""


def game_type(game: Game) -> Any:
    """What OpenSpiel wants to know about a game before it is loaded."""
    parameters: dict[str, Option] = {
        name: parameter.default for name, parameter in game.options.items()
    }
    if game.own("longest_game") is None:
        if MAX_GAME_LENGTH in parameters:
            raise GameFileError(
                game.rules.path,
                None,
                f"the option {MAX_GAME_LENGTH} has a meaning of its own in OpenSpiel:"
                " give it another name, or write longest_game(board)",
            )
        parameters[MAX_GAME_LENGTH] = DEFAULT_LENGTH
    types = pyspiel.GameType
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.DETERMINISTIC,
        information=types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class ExportedGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no annotations
    """A game with its board. It starts from the board's own start, or from a given position."""

    def __init__(
        self, game: Game, parameters: Mapping[str, Option], start: Position | None = None
    ) -> None:
        options = {name: value for name, value in parameters.items() if name in game.options}
        self.start = game.start(options) if start is None else start
        board = self.start.board
        self.counts_points = game.rules.point > 0 and "bounds" not in game.rules.defaults
        longest = game.longest_game(board)
        if longest is None:
            longest = int(parameters.get(MAX_GAME_LENGTH, DEFAULT_LENGTH))
        # A position that was made by hand may be farther from the end than the start is.
        self.longest = longest if start is None else max(longest, DEFAULT_LENGTH)
        self.move_limit = game.move_limit(board)
        most = self._largest_utility()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.move_limit,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(game_type(game), info, dict(parameters))

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the game's name and parameters: register the game before reading it."""
        return pyspiel.load_game, (str(self),)

    def _largest_utility(self) -> float:
        if not self.counts_points:
            return 1.0
        rules = self.start.game.rules
        low, high = self.start.game.call(rules.bounds, self.start.board, self.start.state)
        return float(max(1, abs(int(low)), abs(int(high))))

    def new_initial_state(self) -> ExportedState:
        return ExportedState(self, self.start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PositionObserver(tensor_parts(self.start.game.rules), params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class HeldPosition:
    """The position of a state. OpenSpiel copies and pickles the attributes of a state: a copy
    shares the position, which never changes, and a pickle holds the numbers of its state alone."""

    __slots__ = ("fields", "position")

    def __init__(self, fields: tuple[Any, ...], position: Position | None = None) -> None:
        self.fields = fields
        self.position = position
        """None after a pickle was read, until it is asked for."""

    def __deepcopy__(self, memo: dict[int, Any]) -> HeldPosition:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return HeldPosition, (self.fields,)


class ExportedState(pyspiel.State):  # type: ignore[misc]
    """A game under way."""

    def __init__(self, game: ExportedGame, position: Position) -> None:
        super().__init__(game)
        self.held = HeldPosition(tuple(position.state), position)
        self.longest = game.longest

    @property
    def position(self) -> Position:
        held = self.held
        if held.position is None:
            start = self.get_game().start
            state = start.game.rules.state_class(*held.fields)
            held.position = Position(start.game, start.board, state)
        return held.position

    # The functions that OpenSpiel calls, under its names

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.turn

    def is_terminal(self) -> bool:
        return self.position.is_over or self.move_number() >= self.longest

    def _legal_actions(self, player: int) -> list[int]:
        moves = sorted(self.position.legal_moves)
        limit = self.get_game().move_limit
        if moves[-1] >= limit:
            game = self.position.game
            raise game.wrong_result(
                game.rules.moves, f"moves below move_limit(), {limit}", moves[-1]
            )
        return moves

    def _apply_action(self, action: int) -> None:
        position = self.position.after(int(action))
        self.held = HeldPosition(tuple(position.state), position)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.move_text(int(action))

    def returns(self) -> list[float]:
        position = self.position
        if not position.is_over:
            return [0.0, 0.0]
        utility = position.utility
        if not self.get_game().counts_points:
            utility = sign(utility)
        return [float(utility), float(-utility)]

    def __str__(self) -> str:
        return self.position.picture


class PositionObserver:
    """Writes the tensor of `observation.py`, and the position's text."""

    def __init__(self, parts: tuple[Part, ...], params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations: {params}")
        self.tensor = np.zeros(sum(part.size for part in parts), np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for part in parts:
            self.dict[part.name] = self.tensor[at : at + part.size].reshape(part.shape)
            at += part.size

    def set_from(self, state: ExportedState, player: int) -> None:
        write_tensor(state.position, self.dict)

    def string_from(self, state: ExportedState, player: int) -> str:
        return state.position.text
