"""Alpha-beta, one ply deeper each time until 55 ms are over, the best children first."""

import time

from fishing_game_core.game_tree import Node
from fishing_game_core.player_utils import PlayerController
from fishing_game_core.shared import ACTION_TO_STR

TIME_LIMIT = 0.055


class Timeout(Exception):
    pass


class PlayerControllerHuman(PlayerController):
    def player_loop(self):
        while True:
            msg = self.receiver()
            if msg["game_over"]:
                return


class PlayerControllerMinimax(PlayerController):
    def __init__(self):
        super(PlayerControllerMinimax, self).__init__()

    def player_loop(self):
        first_msg = self.receiver()

        while True:
            msg = self.receiver()
            self.start = time.time()
            node = Node(message=msg, player=0)
            best_move = self.search_best_next_move(initial_tree_node=node)
            self.sender({"action": best_move, "search_time": None, "depth": self.reached})

    def search_best_next_move(self, initial_tree_node):
        best_move, self.reached = 0, 0
        depth = 1
        try:
            while depth <= min(20, len(initial_tree_node.observations)):
                best_move = self.search_root(initial_tree_node, depth)
                self.reached = depth
                depth += 1
        except Timeout:
            pass
        return ACTION_TO_STR[best_move]

    def search_root(self, node, depth):
        alpha, best = float("-inf"), None
        for child in self.ordered(node):
            value = self.alpha_beta(child, depth - 1, alpha, float("inf"))
            if best is None or value > alpha:
                alpha, best = value, child
        best.value = float("inf")  # first in the next iteration
        return best.move

    def ordered(self, node):
        """The children, those first that were best when they were looked at last."""
        children = node.compute_and_get_children()
        for child in children:
            if not hasattr(child, "value"):
                child.value = self.heuristic(child.state)
        return sorted(children, key=lambda child: child.value, reverse=node.state.player == 0)

    def alpha_beta(self, node, depth, alpha, beta):
        if time.time() - self.start > TIME_LIMIT:
            raise Timeout
        if depth == 0 or len(node.observations) == node.depth:
            node.value = self.heuristic(node.state)
            return node.value
        if node.state.get_player() == 0:
            value = float("-inf")
            for child in self.ordered(node):
                value = max(value, self.alpha_beta(child, depth - 1, alpha, beta))
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        else:
            value = float("inf")
            for child in self.ordered(node):
                value = min(value, self.alpha_beta(child, depth - 1, alpha, beta))
                beta = min(beta, value)
                if alpha >= beta:
                    break
        node.value = value
        return value

    def heuristic(self, state):
        """Points, what is on the rods, and the fish that are worth going for by their distance."""
        green, red = state.get_player_scores()
        return green - red + self.prospects(state, 0) - self.prospects(state, 1)

    def prospects(self, state, player):
        scores = state.get_fish_scores()
        caught = state.get_caught()
        x, y = state.get_hook_positions()[player]
        if caught[player] is not None:
            return scores[caught[player]] * (0.8 + 0.01 * y)
        best = 0
        for fish, (fish_x, fish_y) in state.get_fish_positions().items():
            if fish not in caught:
                across = abs(fish_x - x)
                distance = min(across, 20 - across) + abs(fish_y - y)
                best = max(best, 0.7 * scores[fish] * 0.95**distance)
        return best
