"""The rules as kernels call them: `rules.play(board, state, move)` for any game.

Each name below is a call of a symbol that every game defines (`search/binding/exports.py`). Which
game's is decided when a kernel is linked. An error in a rule passes through the kernel to its
caller. What the names stand for is in `search/binding/rule_calls.py`.
"""

from __future__ import annotations

from typing import Any

from plyground.search.binding.native import Deferred


def _named(name: str) -> Any:
    def make() -> Any:
        from plyground.search.binding.rule_calls import instruction_of

        return instruction_of(name)

    return Deferred(make, globals())


moves = _named("moves")
play = _named("play")
over = _named("over")
utility = _named("utility")
turn = _named("turn")
evaluate = _named("evaluate")
noisy = _named("noisy")
key = _named("key")
score = _named("score")
bounds = _named("bounds")
settled = _named("settled")
identity = _named("identity")
"""The words by which the solvers know a position."""
flatten = _named("flatten")
"""Writes every number of a state into an array of words."""
rebuild = _named("rebuild")
"""The state that `flatten` wrote."""
copy_state = _named("copy_state")
"""Copies a state to where another one lies."""
copied = _named("copied")
"""A copy of a state."""
advance = _named("advance")
"""Plays a move in a state itself: nothing is left of the state before. In a loop it is faster than
`play`: the state has one place, and stays in registers."""

has_noisy = _named("has_noisy")
has_settled = _named("has_settled")
has_score = _named("has_score")
has_bounds = _named("has_bounds")
repeats = _named("repeats")
point = _named("point")
max_moves = _named("max_moves")
