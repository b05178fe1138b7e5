"""What the compiled rules of a game return, one position at a time. Conformance compares it.

They are called just as the search kernels call them, so what is compared is what a search sees.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.core.game import Position
from plyground.search.binding import dispatch
from plyground.search.binding.compile import Bound

OVER, UTILITY, TURN, EVALUATION, COUNT, SCORE, LEAST, MOST, SETTLED, FACTS = range(10)


IDENTITY_WORDS = 64
"""The most words of an identity, and one more for how many there are."""


class RuleResults(NamedTuple):
    """What each compiled rule returns in a position; zeros where it has no meaning there."""

    over: bool
    utility: int
    turn: int
    evaluate: int
    moves: tuple[int, ...]
    noisy: tuple[int, ...]
    key: int
    score: int
    bounds: tuple[int, int]
    identity: tuple[int, ...]
    settled: int


def rule_results(bound: Bound, position: Position) -> RuleResults:
    """Call every compiled rule in one position."""
    facts = np.zeros(FACTS, dtype=np.int64)
    out = np.zeros(bound.game.rules.max_moves, dtype=np.int64)
    noise = np.zeros(bound.game.rules.max_moves, dtype=np.int64)
    board, state = bound.pack_board(position.board), bound.pack_state(position.state)
    words = np.zeros(IDENTITY_WORDS, np.uint64)
    key = bound.run(call_rules, board, state, facts, out, noise, words)
    count = int(facts[COUNT])
    return RuleResults(
        over=bool(facts[OVER]),
        utility=int(facts[UTILITY]),
        turn=int(facts[TURN]),
        evaluate=int(facts[EVALUATION]),
        moves=tuple(int(move) for move in out[:count]),
        noisy=tuple(int(noisiness) for noisiness in noise[:count]),
        key=int(key),
        score=int(facts[SCORE]),
        bounds=(int(facts[LEAST]), int(facts[MOST])),
        identity=tuple(int(word) for word in words[1 : 1 + int(words[0])]),
        settled=int(facts[SETTLED]),
    )


def state_after(bound: Bound, position: Position, move: int) -> Any:
    """The state after a move, by the compiled rules."""
    board, state = bound.pack_board(position.board), bound.pack_state(position.state)
    return bound.run(successor, board, state, move)


# Kernels


def call_rules(
    game: Any, board: Any, state: Any, facts: Any, out: Any, noise: Any, words: Any
) -> Any:
    if dispatch.over(game, board, state):
        facts[OVER] = 1
        facts[UTILITY] = dispatch.utility(game, board, state)
    else:
        facts[TURN] = dispatch.turn(game, board, state)
        facts[EVALUATION] = dispatch.evaluate(game, board, state)
        count = dispatch.moves(game, board, state, out)
        for index in range(count):
            noise[index] = dispatch.noisy(game, board, state, out[index])
        facts[COUNT] = count
    facts[SCORE] = dispatch.score(game, board, state)
    facts[LEAST], facts[MOST] = dispatch.bounds(game, board, state)
    facts[SETTLED] = dispatch.settled(game, board, state)
    identity = dispatch.identity(game, board, state)
    words[0] = len(identity)
    for index in range(min(len(identity), len(words) - 1)):
        words[index + 1] = identity[index]
    return dispatch.key(game, board, state)


def successor(game: Any, board: Any, state: Any, move: Any) -> Any:
    return dispatch.play(game, board, state, move)
