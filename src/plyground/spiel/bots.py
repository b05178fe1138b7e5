"""OpenSpiel's bots as players, of our games and of OpenSpiel's.

A bot is made anew for every game, with the same seed: what it plays does not depend on the games
before. Bots answer when they are done; the time limit of a move is for the referee.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plyground.core.errors import FormatError
from plyground.core.game import Game, Position
from plyground.players.entrants import Entrant, EntrantContext, FreshEntrant
from plyground.players.notation import PlayerSpec
from plyground.players.player import Choice, Clock, Player
from plyground.spiel.imported_game import SpielPosition
from plyground.spiel.library import load_pyspiel

BotStep = Callable[[Any], int]
"""From a state of OpenSpiel's to an action."""
MakeBotStep = Callable[[Any, int, Mapping[str, Any], int], BotStep]
"""From a game of OpenSpiel's, a side, the options and a seed to a bot's step."""

LARGEST = 10**9
"""Of any number that is an option; OpenSpiel keeps them in 32 bits."""


@dataclass(frozen=True)
class BotOption:
    """An option of a bot: its default, whose type it has, and what it means."""

    default: int | float | bool | str
    meaning: str


@dataclass(frozen=True)
class Bot:
    make: MakeBotStep
    options: Mapping[str, BotOption]


def make_spiel_player(
    game: Game, bot_name: str, options: Mapping[str, str], seed: int | None = None
) -> SpielPlayer:
    """A bot as a player of a game. Unknown bots and options are refused with what there is."""
    if bot_name not in BOTS:
        raise FormatError(f"OpenSpiel has no bot {bot_name!r} for every game; {_known()}")
    bot = BOTS[bot_name]
    unknown = options.keys() - bot.options.keys()
    if unknown:
        names = ", ".join(bot.options) or "none"
        raise FormatError(f"spiel:{bot_name} has no option {min(unknown)!r}; its options: {names}")
    values = {
        name: _read_option(name, options[name], option.default)
        if name in options
        else option.default
        for name, option in bot.options.items()
    }
    load_pyspiel()  # if it is missing, that is said before the first game
    given = ",".join(f"{name}={options[name]}" for name in bot.options if name in options)
    name = f"spiel:{bot_name}" + (f"?{given}" if given else "")
    return SpielPlayer(name, lambda spiel, side: bot.make(spiel, side, values, _seed(seed)))


def _known() -> str:
    return f"there are {', '.join(BOTS)}"


def _seed(seed: int | None) -> int:
    return random.randrange(LARGEST) if seed is None else seed % LARGEST


def _read_option(name: str, text: str, default: Any) -> Any:
    wanted = f"a whole number from 1 to {LARGEST}"
    try:
        if isinstance(default, bool):
            wanted = "yes or no"
            return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
        if isinstance(default, str):
            wanted = "numbers of moves between colons, such as 4:0:2"
            return ":".join(str(int(number)) for number in text.split(":"))
        if isinstance(default, float):
            wanted = f"a number above 0, up to {LARGEST}"
        number = type(default)(text)
        if not 0 < number <= LARGEST:
            raise ValueError
    except (KeyError, ValueError):
        raise FormatError(f"option {name} must be {wanted}, not {text!r}") from None
    return number


class SpielPlayer:
    """Plays what a bot chooses."""

    def __init__(self, name: str, make: Callable[[Any, int], BotStep]) -> None:
        self.name = name
        self._make = make
        self._game: Any = None
        self._step: BotStep | None = None

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._game = _spiel_game(position)
        self._step = self._make(self._game, side)

    def choose(self, position: Position, clock: Clock) -> Choice:
        assert self._step is not None, "begin() comes first"
        started = time.perf_counter()
        move = self._step(self._state(position))
        return Choice(position.move_text(move), time.perf_counter() - started)

    def _state(self, position: Position) -> Any:
        if isinstance(position, SpielPosition):
            return position.spiel_state
        from plyground.spiel.exported_game import ExportedState

        return ExportedState(self._game, position)

    def close(self) -> None:
        self._game = self._step = None


def _spiel_game(position: Position) -> Any:
    if isinstance(position, SpielPosition):
        return position.board.loaded
    from plyground.spiel.exported_game import ExportedGame

    return ExportedGame(position.game, {}, start=position)


# The bots


def _mcts(game: Any, side: int, options: Mapping[str, Any], seed: int) -> BotStep:
    pyspiel = load_pyspiel()
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(options["rollouts"], seed),
        options["uct_c"],
        options["simulations"],
        options["memory"],
        options["solve"],
        seed,
        False,
    )
    # `bot.step` does the same without the interpreter's lock, which crashes in a game that is
    # written in Python, as ours are there (OpenSpiel 2.0).
    return lambda state: int(bot.mcts_search(state).best_child().action)


def _uniform_random(game: Any, side: int, options: Mapping[str, Any], seed: int) -> BotStep:
    return _stepping(load_pyspiel().make_uniform_random_bot(side, seed))


def _fixed_action_preference(
    game: Any, side: int, options: Mapping[str, Any], seed: int
) -> BotStep:
    wanted = [int(action) for action in options["actions"].split(":") if action]
    # It fails where none of its actions is legal: all others follow.
    every = dict.fromkeys([*wanted, *range(game.num_distinct_actions())])
    given = {"actions": ":".join(map(str, every))}
    return _stepping(load_pyspiel().load_bot("fixed_action_preference", game, side, given))


def _stepping(bot: Any) -> BotStep:
    return lambda state: int(bot.step(state))


BOTS = {
    "mcts": Bot(
        _mcts,
        {
            "simulations": BotOption(1000, "for each move"),
            "uct_c": BotOption(2.0, "the weight of exploration"),
            "rollouts": BotOption(1, "random games at each leaf"),
            "solve": BotOption(True, "whether proven results are backed up"),
            "memory": BotOption(1000, "MiB for the tree"),
        },
    ),
    "uniform_random": Bot(_uniform_random, {}),
    "fixed_action_preference": Bot(
        _fixed_action_preference,
        {"actions": BotOption("", "numbers of moves, the most wanted first, between colons")},
    ),
}
"""The bots that can play any game."""


def make_entrant(game: Game, spec: PlayerSpec, context: EntrantContext) -> Entrant:
    """A bot as an entrant of a match. Raises FormatError before the first game."""
    make_spiel_player(game, spec.target, spec.own_options)

    def start(seed: int) -> Player:
        player = make_spiel_player(game, spec.target, spec.own_options, seed)
        player.name = spec.name
        return player

    return FreshEntrant(start)
