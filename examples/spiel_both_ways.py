"""plyground and OpenSpiel, both ways. Needs the extra: `pip install 'plyground[spiel]'`.

1. A game in a file of ours becomes a game of OpenSpiel's, and one of its algorithms solves it.
2. What a learner sees of a position: the observation tensor.
3. One of OpenSpiel's bots plays our game against our search.
4. A game of OpenSpiel's is searched by our alpha-beta.
"""

from __future__ import annotations

from pathlib import Path

import pyspiel
from open_spiel.python.algorithms import minimax

from plyground import Limits, find_game
from plyground.arena.referee import play_game
from plyground.players.search_player import SearchPlayer
from plyground.search.searcher import Algorithm, make_searcher
from plyground.search.textbook import alpha_beta
from plyground.spiel import register
from plyground.spiel.bots import make_spiel_player

NIM = Path(__file__).parent / "nim.py"


def main() -> None:
    register(NIM)
    spiel_nim = pyspiel.load_game("plyground_nim")
    state = spiel_nim.new_initial_state()
    while len(state.legal_actions()) > 6:  # first shorten the game
        state.apply_action(state.legal_actions()[-1])
    value, action = minimax.alpha_beta_search(spiel_nim, state=state)
    print(f"{state}: OpenSpiel's alpha-beta says {value:+.0f}, by {state.action_to_string(action)}")

    breakthrough = pyspiel.load_game("plyground_breakthrough(rows=4,columns=4)")
    print("A learner sees", breakthrough.observation_tensor_shape(), "numbers of breakthrough")

    game = find_game("tictactoe")
    bot = make_spiel_player(game, "mcts", {"simulations": "50"}, seed=1)
    ours = SearchPlayer(
        make_searcher(Algorithm.MONTE_CARLO, game), Limits(nodes=5000), seed=1, name="ours"
    )
    outcome = play_game(game.start(), [ours, bot]).outcome
    print(f"{ours.name} against {bot.name}: {outcome.score}, {outcome.reason}")

    hexagons = find_game("spiel:hex(board_size=3)").start()
    print("Hex 3x3, by our alpha-beta:", alpha_beta(hexagons).value_text)


if __name__ == "__main__":
    main()
