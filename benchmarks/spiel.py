"""Monte Carlo search beside OpenSpiel's MCTS in C++: speed and strength at equal simulations."""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.contest import in_turns
from benchmarks.report import Row, UnavailableError, ratio_row
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.montecarlo import MonteCarlo
from plyground.search.result import Limits

TARGET = 10.0
ROUNDS = 5
SIMULATIONS = 20_000
"""Of one search, when speed is measured."""
SEARCHES = 10
"""So many, one after the other, are measured at a time. A search of tic-tac-toe takes us less than
2 ms: a single one, with the caches full of the other program's data, would be measured mostly on
how soon they are filled."""
MATCH_SIMULATIONS = 1_000
"""For a move, when strength is measured."""
PAIRS = 50
OPENING_PLIES = 4
"""So many moves are drawn at random, the same for both games of a pair."""
UCT_C = 1.4
"""OpenSpiel's results are from -1 to 1, ours from 0 to 1: this is our weight of 0.7."""
MEMORY = 256
"""MiB for our tree: more than the simulations fill."""

Translate = Callable[[Position, int], str]
"""OpenSpiel's text of one of our moves."""


def tictactoe_text(position: Position, move: int) -> str:
    """Their rows run down from 0."""
    return f"{'xo'[position.turn]}({2 - move // 3},{move % 3})"


def connectfour_text(position: Position, move: int) -> str:
    return f"{'xo'[position.turn]}{move}"


def breakthrough_text(position: Position, move: int) -> str:
    """Their first player comes from the top; a star marks a capture."""
    name = position.move_text(move)
    cells = name.replace("x", "")
    row = {str(number): str(position.board.rows + 1 - number) for number in range(1, 9)}
    return f"{cells[0]}{row[cells[1]]}{cells[2]}{row[cells[3]]}{'*' if 'x' in name else ''}"


@dataclass(frozen=True)
class Pairing:
    """The same game here and there."""

    ours: str
    theirs: str
    text: Translate


PAIRINGS = (
    Pairing("tictactoe", "tic_tac_toe", tictactoe_text),
    Pairing("connectfour", "connect_four", connectfour_text),
    Pairing("breakthrough", "breakthrough(rows=6,columns=6)", breakthrough_text),
)


def run(quick: bool) -> Iterator[Row]:
    if importlib.util.find_spec("pyspiel") is None:
        raise UnavailableError("OpenSpiel is not installed: pip install 'plyground[spiel]'")
    for pairing in PAIRINGS:
        yield speed(pairing, 200 if quick else SIMULATIONS, judged=not quick)
    for pairing in PAIRINGS[1:]:
        pairs, simulations = (1, 20) if quick else (PAIRS, MATCH_SIMULATIONS)
        yield strength(pairing, pairs, simulations)


# Speed


def speed(pairing: Pairing, simulations: int, *, judged: bool) -> Row:
    """Simulations a second of CPU time from the start of the game: both have one thread and search
    with the same seeds, and what else the machine does is not counted."""
    ours, theirs = OurSearch(pairing), TheirSearch(pairing)
    start = find_game(pairing.ours).start()
    ours.choose(start, simulations, seed=0)  # loads what was compiled
    searches = SEARCHES if judged else 1

    def seconds_of(search: OurSearch | TheirSearch) -> float:
        started = time.process_time()
        for seed in range(1, searches + 1):
            search.choose(start, simulations, seed)
        return max(time.process_time() - started, 1e-9)

    rounds = in_turns(
        ROUNDS if judged else 1, [lambda: seconds_of(ours), lambda: seconds_of(theirs)]
    )
    our_rate, their_rate = (searches * simulations / min(found) for found in rounds)
    return ratio_row(
        f"{pairing.ours}: {searches} searches of {simulations:,} simulations",
        ours=f"{our_rate:,.0f} a second",
        other=f"{their_rate:,.0f} a second",
        ratio=our_rate / their_rate,
        target=TARGET,
        judged=judged,
        numbers={"our_rate": our_rate, "their_rate": their_rate},
    )


class OurSearch:
    def __init__(self, pairing: Pairing) -> None:
        self._search = MonteCarlo(find_game(pairing.ours), memory=MEMORY)

    def choose(self, position: Position, simulations: int, seed: int) -> int:
        return self._search.search(position, Limits(nodes=simulations), seed=seed).move


class TheirSearch:
    """`pyspiel.MCTSBot`, with proven results backed up as ours does."""

    def __init__(self, pairing: Pairing) -> None:
        import pyspiel

        self._pyspiel: Any = pyspiel
        self._pairing = pairing
        self._game = pyspiel.load_game(pairing.theirs)

    def choose(self, position: Position, simulations: int, seed: int, moves: Any = ()) -> int:
        """Our number of the move that the bot chooses after these moves from the start."""
        state = self._game.new_initial_state()
        for before, move in moves:
            state.apply_action(state.string_to_action(self._pairing.text(before, move)))
        evaluator = self._pyspiel.RandomRolloutEvaluator(1, seed)
        bot = self._pyspiel.MCTSBot(
            self._game, evaluator, UCT_C, simulations, 4 * MEMORY, True, seed, False
        )
        chosen = state.action_to_string(bot.step(state))
        names = {self._pairing.text(position, move): move for move in position.legal_moves}
        return names[chosen]


# Strength


def strength(pairing: Pairing, pairs: int, simulations: int) -> Row:
    """Games in pairs from the same opening, each side once."""
    ours, theirs = OurSearch(pairing), TheirSearch(pairing)
    results = [
        play(pairing, ours, theirs, simulations, seed, side)
        for seed in range(pairs)
        for side in (0, 1)
    ]
    won, lost = results.count(1), results.count(-1)
    drawn = len(results) - won - lost
    score = (won + drawn / 2) / len(results)
    return Row(
        f"{pairing.ours}: {len(results)} games, {simulations:,} simulations a move",
        f"{won} won, {drawn} drawn",
        f"{lost} won",
        f"{score:.1%}",
        "-",
        None,
        {"won": won, "drawn": drawn, "lost": lost},
    )


def play(
    pairing: Pairing,
    ours: OurSearch,
    theirs: TheirSearch,
    simulations: int,
    seed: int,
    side: int,
) -> int:
    """1, 0 or -1 for our search, which has this side."""
    draw = random.Random(seed)
    position = find_game(pairing.ours).start()
    moves: list[tuple[Position, int]] = []
    while not position.is_over:
        if len(moves) < OPENING_PLIES:
            move = draw.choice(position.legal_moves)
        elif position.turn == side:
            move = ours.choose(position, simulations, seed)
        else:
            move = theirs.choose(position, simulations, seed, moves)
        moves.append((position, move))
        position = position.after(move)
    sign = (position.utility > 0) - (position.utility < 0)
    return sign if side == 0 else -sign
