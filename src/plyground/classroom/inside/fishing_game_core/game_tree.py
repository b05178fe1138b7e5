"""Positions of Fishing Derby and the tree of all that can follow, for players who search.

    node = Node(message=msg, player=0)            # the position in a message, green to move
    for child in node.compute_and_get_children():
        child.move, child.state.get_player_scores()

One ply: every free fish swims by its next code, the hook of the player to move goes one step, both
hooks take the fish that they meet, and a fish at the surface is landed.

Three things are different from other versions of this file that are around: each fish follows its
own codes also after another one was landed; a node without fish has no children; and every node
knows its `player`, who is to move there.
"""

from __future__ import annotations

from fishing_game_core.shared import ACT_TO_MOVES, OBS_TO_MOVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Place = tuple[int, int]
    Places = dict[int, Place]

SIZE = 20
SURFACE = SIZE - 1
NO_FISH = -1
UP = 1


class State:
    """One position: whose turn it is, points, rods, hooks and fish.

    `player_caught` holds the number of the fish on each rod, -1 for none. `fish_positions` holds
    the fish that are left, those on rods included; `fish_scores` knows all fish.
    """

    def __init__(self, player: int) -> None:
        self.player = player
        self.player_scores: dict[int, int] = {0: 0, 1: 0}
        self.player_caught: dict[int, int] = {0: NO_FISH, 1: NO_FISH}
        self.hook_positions: Places = {0: (-1, -1), 1: (-1, -1)}
        self.fish_positions: Places = {}
        self.fish_scores: dict[int, int] = {}

    def get_player(self) -> int:
        """0 (green, MAX) or 1 (red, MIN): who is to move."""
        return self.player

    def get_player_scores(self) -> tuple[int, int]:
        return self.player_scores[0], self.player_scores[1]

    def get_caught(self) -> tuple[int | None, int | None]:
        """The fish on green's rod and on red's, None for an empty one."""
        green, red = self.player_caught[0], self.player_caught[1]
        return (None if green == NO_FISH else green), (None if red == NO_FISH else red)

    def get_hook_positions(self) -> Places:
        return self.hook_positions

    def get_fish_positions(self) -> Places:
        return self.fish_positions

    def get_fish_scores(self) -> dict[int, int]:
        return self.fish_scores

    def set_player(self, player: int) -> None:
        self.player = player

    def set_player_scores(self, green: int, red: int) -> None:
        self.player_scores = {0: green, 1: red}

    def set_caught(self, caught: tuple[int | None, int | None]) -> None:
        self.player_caught = {
            player: NO_FISH if fish is None else fish for player, fish in enumerate(caught)
        }

    def set_hook_positions(self, positions: tuple[int, int, int, int]) -> None:
        """(x of green's, y of green's, x of red's, y of red's)"""
        self.hook_positions = {0: (positions[0], positions[1]), 1: (positions[2], positions[3])}

    def set_fish_positions(self, fish: int, position: Place) -> None:
        """Put one fish somewhere."""
        self.fish_positions[fish] = position

    def set_fish_scores(self, scores: dict[int, int]) -> None:
        self.fish_scores = scores

    def remove_fish(self, fish: int) -> None:
        """A fish was landed."""
        del self.fish_positions[fish]

    def __repr__(self) -> str:
        return (
            f"State(player={self.player}, scores={self.get_player_scores()},"
            f" caught={self.get_caught()}, hooks={self.hook_positions}, fish={self.fish_positions})"
        )


def compute_caught_fish(
    state: State, current_fishes_on_rod: tuple[int | None, int | None]
) -> tuple[tuple[int | None, int | None], list[int | None]]:
    """Which fish are on the rods, and which of these are at the surface and so landed.

    A rod that held a fish still does; an empty one takes the fish in its hook's cell, the lowest-
    numbered if there are several.
    """
    on_rods: list[int | None] = []
    landed: list[int | None] = []
    for player, hook in state.hook_positions.items():
        fish = current_fishes_on_rod[player]
        if fish is None:
            met = [number for number, place in state.fish_positions.items() if place == hook]
            fish = min(met, default=None)
        on_rods.append(fish)
        landed.append(fish if hook[1] == SURFACE else None)
    return (on_rods[0], on_rods[1]), landed


class Node:
    """A position in the tree, `depth` plies below the root, reached by the action `move`."""

    def __init__(
        self, root: bool = True, message: dict[str, Any] | None = None, player: int = 0
    ) -> None:
        self.children: list[Node] = []
        self.state = State(player)
        self.player = player
        self.parent: Node | None = None
        self.move: int | None = None
        self.depth = 0
        self.observations: dict[int, list[int]] = {}
        """For every ply from the root on, the codes of all fish that the root has, in order."""
        self.probability = 0.0
        self.fish_order: dict[int, int] | None = None
        """Where in such a list of codes each fish has its own."""
        if root and message is not None:
            self.initialize_root(message)

    def initialize_root(self, message: dict[str, Any]) -> None:
        state = self.state
        hooks, caught, points = (
            message[part] for part in ("hooks_positions", "caught_fish", "player_scores")
        )
        state.set_hook_positions((*hooks[0], *hooks[1]))
        state.set_caught((caught[0], caught[1]))
        state.set_player_scores(points[0], points[1])
        state.set_fish_scores(dict(message["fish_scores"]))
        places = message["fishes_positions"]
        order = sorted(places)
        for fish in order:
            state.set_fish_positions(fish, tuple(places[fish]))
        codes = [message["observations"][fish] for fish in order]
        self.observations = dict(enumerate(map(list, zip(*codes, strict=False))))
        self.fish_order = {fish: index for index, fish in enumerate(order)}

    def add_child(
        self, state: State, move: int, depth: int, observations: dict[int, list[int]]
    ) -> None:
        child = Node(root=False)
        child.state = state
        child.player = state.player
        child.parent = self
        child.move = move
        child.depth = depth
        child.observations = observations
        child.fish_order = self.fish_order
        self.children.append(child)

    def compute_and_get_children(self) -> list[Node]:
        """The positions after each action, in the order 0 to 4: worked out once, then kept.

        Who holds a fish can only go up. Where all fish are landed or the day is over there are
        none. An impossible action is there as well, and does what `stay` does.
        """
        state = self.state
        if self.children or not state.fish_positions or self.depth >= len(self.observations):
            return self.children
        places = self._swum(state, self.observations[self.depth])
        holds = state.player_caught[state.player] != NO_FISH
        for action in (UP,) if holds else range(5):
            after = self._after(state, action, places)
            self.add_child(after, action, self.depth + 1, self.observations)
        return self.children

    def compute_next_state(self, state: State, action: int, observations: list[int]) -> State:
        """The state after an action, where `observations` are the codes of this ply."""
        return self._after(state, action, self._swum(state, observations))

    def _swum(self, state: State, codes: list[int]) -> Places:
        """Where the fish are when the free ones have followed their codes."""
        order = self.fish_order
        if order is None:  # a node that a player has made by hand
            order = {fish: index for index, fish in enumerate(sorted(state.fish_positions))}
        held = state.player_caught.values()
        places = {}
        for fish, (x, y) in state.fish_positions.items():
            code = codes[order[fish]]
            if code == 8 or fish in held:
                places[fish] = x, y
            else:
                right, up = OBS_TO_MOVES[code]
                y += up
                places[fish] = (x + right) % SIZE, 0 if y < 0 else SURFACE if y > SURFACE else y
        return places

    def _after(self, state: State, action: int, places: Places) -> State:
        """The state in which the fish are at their places and the player to move has moved.

        Searches spend nearly all of their time here: what a child does not change, it shares.
        """
        player = state.player
        other = 1 - player
        hooks = state.hook_positions
        hook = self.xy_move(hooks[player], ACT_TO_MOVES[action], hooks[other])
        after = State.__new__(State)  # every attribute follows
        after.player = other
        after.hook_positions = {0: hook, 1: hooks[1]} if player == 0 else {0: hooks[0], 1: hook}
        after.fish_scores = state.fish_scores
        after.fish_positions = places = places.copy()
        after.player_scores = state.player_scores
        after.player_caught = caught = state.player_caught.copy()
        if caught[player] != NO_FISH:
            places[caught[player]] = hook
        if caught[other] == NO_FISH or caught[player] == NO_FISH:
            for rod, end in after.hook_positions.items():
                if caught[rod] == NO_FISH and end in places.values():
                    caught[rod] = min(fish for fish in places if places[fish] == end)
        for rod, end in after.hook_positions.items():
            fish = caught[rod]
            if fish != NO_FISH and end[1] == SURFACE:
                after.player_scores = after.player_scores.copy()
                after.player_scores[rod] += state.fish_scores[fish]
                caught[rod] = NO_FISH
                del places[fish]
        return after

    def xy_move(self, pos: Place, move: Place, adv_pos: Place | None = None) -> Place:
        """Where a step leads: round the world to the sides, never above the surface or below the
        floor, and not into the column of the other boat, if its position is given."""
        x, y = pos
        right, up = move
        to_x = (x + right) % SIZE
        if adv_pos is not None and to_x == adv_pos[0]:
            to_x = x
        y += up
        return to_x, 0 if y < 0 else SURFACE if y > SURFACE else y
