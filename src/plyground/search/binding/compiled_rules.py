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
"""Of the array that holds the key, how many words the identity has, and the identity."""


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
    board, state = bound.pack(position)
    words = np.zeros(IDENTITY_WORDS, np.uint64)
    bound.run(call_rules, board, state, facts, out, noise, words)
    count = int(facts[COUNT])
    return RuleResults(
        over=bool(facts[OVER]),
        utility=int(facts[UTILITY]),
        turn=int(facts[TURN]),
        evaluate=int(facts[EVALUATION]),
        moves=tuple(int(move) for move in out[:count]),
        noisy=tuple(int(noisiness) for noisiness in noise[:count]),
        key=int(words[0]),
        score=int(facts[SCORE]),
        bounds=(int(facts[LEAST]), int(facts[MOST])),
        identity=tuple(int(word) for word in words[2 : 2 + int(words[1])]),
        settled=int(facts[SETTLED]),
    )


def state_after(bound: Bound, position: Position, move: int) -> Any:
    """The state after a move, by the compiled rules."""
    child = bound.pack_state(position.state)
    bound.run(write_successor, *bound.pack(position), move, child)
    return bound.unpack_state(child)


# Kernels


def call_rules(board: Any, state: Any, facts: Any, out: Any, noise: Any, words: Any) -> None:
    if dispatch.over(board, state):
        facts[OVER] = 1
        facts[UTILITY] = dispatch.utility(board, state)
    else:
        facts[TURN] = dispatch.turn(board, state)
        facts[EVALUATION] = dispatch.evaluate(board, state)
        count = dispatch.moves(board, state, out)
        for index in range(count):
            noise[index] = dispatch.noisy(board, state, out[index])
        facts[COUNT] = count
    facts[SCORE] = dispatch.score(board, state)
    facts[LEAST], facts[MOST] = dispatch.bounds(board, state)
    facts[SETTLED] = dispatch.settled(board, state)
    identity = dispatch.identity(board, state)
    words[0] = dispatch.key(board, state)
    words[1] = len(identity)
    for index in range(min(len(identity), len(words) - 2)):
        words[index + 2] = identity[index]


def write_successor(board: Any, state: Any, move: Any, child: Any) -> None:
    dispatch.copy_state(dispatch.play(board, state, move), child)
