"""Plain minimax of a fixed depth, as students write it first: no pruning, no clock."""

from fishing_game_core.game_tree import Node
from fishing_game_core.player_utils import PlayerController
from fishing_game_core.shared import ACTION_TO_STR

DEPTH = 3


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
            node = Node(message=msg, player=0)
            best_move = self.search_best_next_move(initial_tree_node=node)
            self.sender({"action": best_move, "search_time": None, "depth": DEPTH})

    def search_best_next_move(self, initial_tree_node):
        best_value, best_move = float("-inf"), 0
        for child in initial_tree_node.compute_and_get_children():
            value = self.minimax(child, DEPTH - 1)
            if value > best_value:
                best_value, best_move = value, child.move
        return ACTION_TO_STR[best_move]

    def minimax(self, node, depth):
        children = node.compute_and_get_children() if depth > 0 else []
        if len(children) == 0:
            return self.heuristic(node.state)
        values = [self.minimax(child, depth - 1) for child in children]
        return max(values) if node.state.get_player() == 0 else min(values)

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
