"""A player for any game: choose(position, clock) returns a move, and may play either side.

It already plays: alpha-beta, one ply deeper each time, until half of the time is gone. What makes
it better is yours to find.

A position has `legal_moves` (numbers), `after(move)` (the position that a move leads to), `turn` (0
or 1), `is_over`, `utility` (how it ended, for player 0) and `evaluation` (the game's own estimate,
for player 0). `print(position.picture)` shows it.
"""

import time

WIN = 10**9


class TimeIsUp(Exception):
    """The search was cut short: what it has not finished counts for nothing."""


def choose(position, clock):
    """The best move, and how deep we looked. `clock.seconds` is how long this move may take."""
    deadline = time.monotonic() + min(clock.seconds, 2.0) / 2
    best, reached = position.legal_moves[0], 0
    sign = 1 if position.turn == 0 else -1
    try:
        for depth in range(1, 100):
            # What was best before is looked at first: then more of the others can be cut off.
            moves = sorted(position.legal_moves, key=lambda move: move != best)
            alpha = -2 * WIN
            for move in moves:
                value = sign * value_of(
                    position.after(move),
                    depth - 1,
                    *((alpha, 2 * WIN) if sign > 0 else (-2 * WIN, -alpha)),
                    deadline,
                )
                if value > alpha:
                    alpha, candidate = value, move
            best, reached = candidate, depth
    except TimeIsUp:
        pass
    return best, reached


def value_of(position, depth, alpha, beta, deadline):
    """The value of a position for player 0, exact if it lies between alpha and beta."""
    if time.monotonic() > deadline:
        raise TimeIsUp
    if position.is_over:
        # The sooner, the better: `depth` is what is left.
        return position.utility * (WIN // 1000 + depth)
    if depth == 0:
        return position.evaluation
    best = -2 * WIN if position.turn == 0 else 2 * WIN
    for _, child in position.children():
        value = value_of(child, depth - 1, alpha, beta, deadline)
        if position.turn == 0:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best
