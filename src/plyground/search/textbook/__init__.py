"""Adversarial search as the books have it: uncompiled, over positions, meant to be read.

The algorithms are in `algorithms.py`, the tree that they walk in `game_tree.py`, heuristics for any
game in `heuristics.py`, and what a search reports of its steps in `trace.py`.
"""

from plyground.search.textbook.algorithms import (
    Answer,
    alpha_beta,
    alpha_beta_search,
    iterative_deepening,
    minimax,
)

__all__ = [
    "Answer",
    "alpha_beta",
    "alpha_beta_search",
    "iterative_deepening",
    "minimax",
]
