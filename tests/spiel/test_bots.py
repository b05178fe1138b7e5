"""OpenSpiel's bots as players: of our games and of OpenSpiel's, the same game for the same seed."""

from __future__ import annotations

from typing import Any

import pytest

from plyground.arena.referee import PlayedGame, play_game
from plyground.core.errors import FormatError
from plyground.core.game import Game
from plyground.core.registry import find_game
from plyground.players.player import Clock, Player
from plyground.players.simple import random_player
from plyground.spiel.bots import BOTS, make_spiel_player
from tests.paths import EXAMPLES

pyspiel: Any = pytest.importorskip("pyspiel")

NIM = str(EXAMPLES / "nim.py")


def match(game: Game, first: Player, second: Player) -> PlayedGame:
    played = play_game(game.start(), [first, second])
    assert played.outcome.ending.value == "finished"
    return played


@pytest.mark.parametrize("name", ["tictactoe", "blocker", NIM, "spiel:tic_tac_toe"])
@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_plays_every_game(name: str, bot: str) -> None:
    game = find_game(name)
    options = {"simulations": "5"} if bot == "mcts" else {}
    match(game, make_spiel_player(game, bot, options, 1), random_player(1))


@pytest.mark.parametrize("name", ["tictactoe", "spiel:tic_tac_toe"])
@pytest.mark.parametrize("bot", ["mcts", "uniform_random"])
def test_a_seed_gives_the_same_game_whatever_was_played_before(name: str, bot: str) -> None:
    game = find_game(name)
    options = {"simulations": "20"} if bot == "mcts" else {}
    players = [make_spiel_player(game, bot, options, seed) for seed in (1, 2)]
    games = [[ply.move for ply in match(game, *players).record.plies] for _ in range(2)]
    assert games[0] == games[1]
    others = [make_spiel_player(game, bot, options, seed) for seed in (3, 4)]
    assert [ply.move for ply in match(game, *others).record.plies] != games[0]


def test_mcts_finds_the_winning_move() -> None:
    for name, text, wins in (
        ("tictactoe", "3/oo1/xx1 x", "c1"),
        ("connectfour", "7/7/7/7/yyy4/rrr4 r", "d"),
    ):
        game = find_game(name)
        position = game.position(text)
        player = make_spiel_player(game, "mcts", {"simulations": "300"}, 1)
        player.begin(position, 0, Clock())
        assert player.choose(position, Clock()).move == wins
        player.close()


def test_a_preference_is_kept() -> None:
    game = find_game("tictactoe")
    player = make_spiel_player(game, "fixed_action_preference", {"actions": "4:0"}, 1)
    player.begin(game.start(), 0, Clock())
    position = game.start()
    assert player.choose(position, Clock()).move == "b2"
    position = position.play("b2").play("c1")
    assert player.choose(position, Clock()).move == "a1"


def test_a_board_that_no_option_makes_is_played_on() -> None:
    game = find_game("blocker")
    position = game.position("A.*.B A 0-0")
    player = make_spiel_player(game, "mcts", {"simulations": "10"}, 1)
    played = play_game(position, [player, random_player(2)])
    assert played.outcome.ending.value == "finished"


def test_the_name_tells_the_options() -> None:
    game = find_game("tictactoe")
    assert make_spiel_player(game, "mcts", {}, 1).name == "spiel:mcts"
    options = {"uct_c": "1.4", "simulations": "9"}
    assert make_spiel_player(game, "mcts", options, 1).name == "spiel:mcts?simulations=9,uct_c=1.4"


@pytest.mark.parametrize(
    ("bot", "options", "message"),
    [
        (
            "alphazero",
            {},
            "OpenSpiel has no bot 'alphazero' for every game; there are mcts, uniform_random, fix",
        ),
        (
            "mcts",
            {"sims": "3"},
            "spiel:mcts has no option 'sims'; its options: simulations, uct_c, rollouts, solve, me",
        ),
        ("uniform_random", {"seed": "3"}, "spiel:uniform_random has no option 'seed'.*: none"),
        ("mcts", {"simulations": "0"}, "option simulations must be a whole number from 1 to 1000"),
        ("mcts", {"simulations": "x"}, "option simulations must be a whole number .*, not 'x'"),
        ("mcts", {"uct_c": "nan"}, "option uct_c must be a number above 0, up to .*, not 'nan'"),
        ("mcts", {"solve": "perhaps"}, "option solve must be yes or no, not 'perhaps'"),
        (
            "fixed_action_preference",
            {"actions": "a1"},
            "option actions must be numbers of moves between colons, such as 4:0:2, not 'a1'",
        ),
    ],
)
def test_what_there_is_not_is_told(bot: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        make_spiel_player(find_game("tictactoe"), bot, options, 1)
