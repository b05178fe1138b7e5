# No player for people, no shebang, everything in functions; tells how deep it looked.
import time

from fishing_game_core.game_tree import Node
from fishing_game_core.player_utils import PlayerController
from fishing_game_core.shared import ACTION_TO_STR

NAME = "Åsa's fisher \u2605"


class TimeIsUp(Exception):
    pass


def score(state):
    green, red = state.get_player_scores()
    scores = state.get_fish_scores()
    green_fish, red_fish = state.get_caught()
    if green_fish is not None:
        green += scores[green_fish]
    if red_fish is not None:
        red += scores[red_fish]
    return green - red


def alphabeta(node, depth, alpha, beta, deadline):
    if time.time() > deadline:
        raise TimeIsUp
    children = node.compute_and_get_children()
    if depth == 0 or not children:
        return score(node.state)
    if node.player == 0:
        v = float("-inf")
        for child in sorted(children, key=lambda c: score(c.state), reverse=True):
            v = max(v, alphabeta(child, depth - 1, alpha, beta, deadline))
            alpha = max(alpha, v)
            if beta <= alpha:
                break
    else:
        v = float("inf")
        for child in sorted(children, key=lambda c: score(c.state)):
            v = min(v, alphabeta(child, depth - 1, alpha, beta, deadline))
            beta = min(beta, v)
            if beta <= alpha:
                break
    return v


class PlayerControllerMinimax(PlayerController):
    def player_loop(self):
        self.receiver()
        while True:
            node = Node(message=self.receiver(), player=0)
            action, depth = self.search(node)
            self.sender({"action": action, "search_time": None, "depth": depth})

    def search(self, node):
        deadline = time.time() + 0.02
        best, reached = node.compute_and_get_children()[0].move, 0
        try:
            for depth in range(1, 6):
                values = {
                    child.move: alphabeta(child, depth - 1, float("-inf"), float("inf"), deadline)
                    for child in node.children
                }
                best, reached = max(values, key=values.get), depth
        except TimeIsUp:
            pass
        return ACTION_TO_STR[best], reached
