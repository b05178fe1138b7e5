#!/usr/bin/env python3
"""A player for Fishing Derby. You are green (player 0), the one who wants much.

It already plays: alpha-beta, one ply deeper each time, until the time is nearly up. What makes it
better is yours to find: a heuristic that sees further, better moves first, a table of positions.
"""

import time

from fishing_game_core.game_tree import Node
from fishing_game_core.player_utils import PlayerController
from fishing_game_core.shared import ACTION_TO_STR

TIME = 0.050
"""Seconds for a move. 0.075 are allowed; what is left is for what a busy machine takes."""

INFINITY = float("inf")


class TimeIsUp(Exception):
    """The search was cut short: what it has not finished counts for nothing."""


class PlayerControllerHuman(PlayerController):
    def player_loop(self):
        while True:
            msg = self.receiver()
            if msg["game_over"]:
                return


class PlayerControllerMinimax(PlayerController):
    def player_loop(self):
        # The first message has the types and scores of all fish: there is time to prepare here.
        self.receiver()
        while True:
            msg = self.receiver()
            node = Node(message=msg, player=0)
            best_move, depth = self.search_best_next_move(initial_tree_node=node)
            self.sender({"action": best_move, "search_time": None, "depth": depth})

    def search_best_next_move(self, initial_tree_node):
        """The best action, one of "stay", "up", "down", "left", "right", and how deep we looked."""
        self.deadline = time.monotonic() + TIME
        children = initial_tree_node.compute_and_get_children()
        best, reached = children[-1], 0
        try:
            for depth in range(1, len(initial_tree_node.observations) + 1):
                # What was best before is looked at first: then more of the others can be cut off.
                order = sorted(children, key=lambda child: child is not best)
                alpha = -INFINITY
                for child in order:
                    value = self.alpha_beta(child, depth - 1, alpha, INFINITY)
                    if value > alpha:
                        alpha, candidate = value, child
                best, reached = candidate, depth
                if len(children) == 1:
                    break  # there is nothing to choose
        except TimeIsUp:
            pass
        return ACTION_TO_STR[best.move], reached

    def alpha_beta(self, node, depth, alpha, beta):
        """The value of a node for green, exact if it lies between alpha and beta."""
        if time.monotonic() > self.deadline:
            raise TimeIsUp
        children = node.compute_and_get_children() if depth > 0 else []
        if not children:
            return self.heuristic(node.state)
        if node.state.get_player() == 0:
            value = -INFINITY
            for child in children:
                value = max(value, self.alpha_beta(child, depth - 1, alpha, beta))
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        else:
            value = INFINITY
            for child in children:
                value = min(value, self.alpha_beta(child, depth - 1, alpha, beta))
                beta = min(beta, value)
                if alpha >= beta:
                    break
        return value

    def heuristic(self, state):
        """Green's points minus red's, and what each of them has on the rod or near the hook."""
        green, red = state.get_player_scores()
        return green - red + prospects(state, 0) - prospects(state, 1)


def prospects(state, player):
    """A fish on the rod counts more the higher it is, and else the best one to go for."""
    scores = state.get_fish_scores()
    hook = state.get_hook_positions()[player]
    caught = state.get_caught()
    if caught[player] is not None:
        return scores[caught[player]] * (0.8 + 0.01 * hook[1])
    return max(
        (
            0.7 * scores[fish] * 0.95 ** distance(hook, place)
            for fish, place in state.get_fish_positions().items()
            if scores[fish] > 0 and fish not in caught
        ),
        default=0,
    )


def distance(hook, fish):
    """Steps from a hook to a fish, the shorter way round the world."""
    across = abs(hook[0] - fish[0])
    return min(across, 20 - across) + abs(hook[1] - fish[1])
