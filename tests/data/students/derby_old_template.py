#!/usr/bin/env python3
# As files looked when the course still had models: a depth-limited minimax, and a table by hand.
import time
from math import inf

from fishing_game_core.game_tree import Node, State
from fishing_game_core.player_utils import PlayerController
from fishing_game_core.shared import ACTION_TO_STR, OBS_TO_MOVES, TYPE_TO_SCORE


class PlayerControllerHuman(PlayerController):
    def player_loop(self):
        while True:
            msg = self.receiver()
            if msg["game_over"]:
                return


class Model:
    def __init__(self, initial_data):
        self.fish = {}
        for name, data in initial_data.items():
            if name == "game_over":
                continue
            self.fish[int(name[4:])] = data['score']
            assert TYPE_TO_SCORE[data['type']] == data['score']
        print("model of", len(self.fish), "fish")


class PlayerControllerMinimax(PlayerController):

    def __init__(self):
        super(PlayerControllerMinimax, self).__init__()
        self.seen = {}

    def player_loop(self):
        # Generate game tree object
        first_msg = self.receiver()
        # Initialize your minimax model
        model = self.initialize_model(initial_data=first_msg)

        while True:
            msg = self.receiver()

            # Create the root node of the game tree
            node = Node(message=msg, player=0)

            # Possible next moves: "stay", "left", "right", "up", "down"
            best_move, s_time = self.search_best_next_move(
                model=model, initial_tree_node=node)

            # Execute next action
            self.sender({"action": best_move, "search_time": s_time})

    def initialize_model(self, initial_data):
        return Model(initial_data)

    def search_best_next_move(self, model, initial_tree_node):
        start = time.time()
        self.seen = {}
        best, best_value = 0, -inf
        for child in initial_tree_node.compute_and_get_children():
            value = self.minimax(child, 2, model)
            print("move", child.move, "value", value, child.state)
            if value > best_value:
                best, best_value = child.move, value
        return ACTION_TO_STR[best], time.time() - start

    def key(self, node):
        state = node.state
        positions = sorted(state.get_fish_positions().items())
        return str((positions, state.get_hook_positions(), state.player, state.get_caught(),
                    state.get_player_scores(), node.depth))

    def minimax(self, node, depth, model):
        key = self.key(node)
        if key in self.seen:
            return self.seen[key]
        children = node.compute_and_get_children()
        if depth == 0 or len(children) == 0:
            return self.heuristic(node.state, model)
        values = [self.minimax(child, depth - 1, model) for child in children]
        value = max(values) if node.state.get_player() == 0 else min(values)
        self.seen[key] = value
        return value

    def heuristic(self, state: State, model):
        score = state.player_scores[0] - state.player_scores[1]
        for player, sign in ((0, 1), (1, -1)):
            caught = state.player_caught[player]
            if caught != -1:
                score += sign * 0.9 * model.fish[caught]
        x, y = state.hook_positions[0]
        for number in state.fish_positions:
            fx, fy = state.fish_positions[number]
            dx = min(abs(fx - x), 20 - abs(fx - x))
            score += state.fish_scores[number] / (10.0 + 10 * (dx + abs(fy - y)))
        return score
