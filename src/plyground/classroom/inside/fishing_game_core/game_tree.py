"""Positions of Fishing Derby and the tree of all that can follow, for players who search.

    node = Node(message=msg, player=0)            # the position in a message, green to move
    for child in node.compute_and_get_children():
        child.move, child.state.get_player_scores()

One ply: every free fish swims by its next code, the hook of the player to move goes one step, both
hooks take the fish that they meet, and a fish at the surface is landed.

The names, parameters and results are those of the course's own file. Two things are different on
purpose: each fish follows its own codes also after another one was landed (in other versions of
this file it then follows the codes of a neighbour), and every node knows its `player`, who is to
move there.
"""

from __future__ import annotations

from fishing_game_core.shared import ACT_TO_MOVES, OBS_TO_MOVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
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
    the fish that are left, those on rods included; `fish_scores` knows all fish. No two states
    share a dictionary: a player may change one as it likes.
    """

    def __init__(self, number_of_fish: int = 0) -> None:
        """An empty state. How many fish it is for makes no difference."""
        self.player: Any = None
        self.player_scores: dict[int, int] = {}
        self.player_caught: dict[int, int] = {}
        self.hook_positions: Places = {}
        self.fish_positions: Places = {}
        self.fish_scores: dict[int, int] = {}

    def get_player(self) -> int:
        """0 (green, MAX) or 1 (red, MIN): who is to move."""
        player: int = self.player
        return player

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

    def set_player_scores(self, score_p0: int, score_p1: int) -> None:
        self.player_scores = {0: score_p0, 1: score_p1}

    def set_caught(self, caught: Sequence[int | None]) -> None:
        self.player_caught = {
            player: NO_FISH if caught[player] is None else caught[player]  # type: ignore[misc]
            for player in (0, 1)
        }

    def set_hook_positions(self, player_pos: Sequence[int]) -> None:
        """(x of green's, y of green's, x of red's, y of red's)"""
        self.hook_positions = {
            0: (player_pos[0], player_pos[1]),
            1: (player_pos[2], player_pos[3]),
        }

    def set_fish_positions(self, fish_number: int, pos: Place) -> None:
        """Put one fish somewhere."""
        self.fish_positions[fish_number] = pos

    def set_fish_scores(self, fish_scores: dict[int, int]) -> None:
        self.fish_scores = fish_scores.copy()

    def remove_fish(self, fish_number: int) -> None:
        """A fish was landed."""
        del self.fish_positions[fish_number]

    def __repr__(self) -> str:
        return (
            f"State(player={self.player}, scores={self.player_scores},"
            f" caught={self.player_caught}, hooks={self.hook_positions},"
            f" fish={self.fish_positions})"
        )


def compute_caught_fish(
    state: State, current_fishes_on_rod: Sequence[int | None]
) -> tuple[list[int | None], list[int | None]]:
    """Which fish are on the rods below the surface, and which are at the surface and so landed.

    A rod that held a fish still does; an empty one takes the fish in its hook's cell, the lowest-
    numbered if there are several.
    """
    caught: list[int | None] = [None, None]
    landed: list[int | None] = [None, None]
    places = state.fish_positions
    for player, hook in state.hook_positions.items():
        fish = current_fishes_on_rod[player]
        if fish is None:
            fish = min((number for number in places if places[number] == hook), default=None)
        if fish is not None:
            (landed if places[fish][1] >= SURFACE else caught)[player] = fish
    return caught, landed


class Observations(dict):  # type: ignore[type-arg]
    """For every ply from the root on, the codes of all fish that the root has, in order.

    `index_of_fish` says where in such a list each fish has its code: fish that were landed since
    are still in the lists, so that counting the fish that are left would give a neighbour's code.
    It goes with the codes, because players hand them on to nodes that they make themselves.
    """

    index_of_fish: dict[int, int]


class Node:
    """A position in the tree, `depth` plies below the root, reached by the action `move`."""

    depth = 0
    player = 0
    observations: dict[int, list[int]] = {}  # noqa: RUF012  never changed: every node sets its own

    def __init__(
        self, root: bool = True, message: dict[str, Any] | None = None, player: int = 0
    ) -> None:
        self.children: list[Node] = []
        self.state: Any = None
        self.parent: Node | None = None
        self.move: int | None = None
        self.probability = 1.0
        if root:
            if message is None:
                raise TypeError("the root of a tree is made from a message: Node(message=msg)")
            self.initialize_root(message, player)

    def initialize_root(self, curr_state: dict[str, Any], player: int = 0) -> None:
        """Take the position of a message."""
        self.depth = 0
        self.player = player
        codes = curr_state["observations"]
        order = sorted(codes)
        rows = zip(*(codes[fish] for fish in order), strict=False)
        self.observations = observations = Observations(enumerate(map(list, rows)))
        observations.index_of_fish = {fish: index for index, fish in enumerate(order)}
        self.state = state = State(len(order))
        hooks, caught, points = (
            curr_state[part] for part in ("hooks_positions", "caught_fish", "player_scores")
        )
        state.set_player(player)
        state.set_hook_positions((*hooks[0], *hooks[1]))
        state.set_caught((caught[0], caught[1]))
        state.set_player_scores(points[0], points[1])
        state.set_fish_scores(curr_state["fish_scores"])
        for fish, place in curr_state["fishes_positions"].items():
            state.set_fish_positions(fish, place)

    def add_child(
        self,
        state: State,
        move: int,
        depth: int = 0,
        observations: dict[int, list[int]] = {},  # noqa: B006  as players know it; never changed
        probability: float = 1.0,
    ) -> Node:
        """Make a node of the same class for a state, as the last child of this one."""
        child = self.__class__(root=False)
        child.state = state
        child.player = state.player
        child.parent = self
        child.move = move
        child.depth = depth
        child.observations = observations
        child.probability = probability
        self.children.append(child)
        return child

    def compute_and_get_children(self) -> list[Node]:
        """The positions after each action, in the order 0 to 4: worked out once, then kept.

        Who holds a fish can only go up. Where the day is over there are none. An impossible action
        is there as well, and does what `stay` does.
        """
        depth, observations = self.depth, self.observations
        if len(observations) == depth:
            return []
        if self.children:
            return self.children
        state = self.state
        actions = (UP,) if state.player_caught[state.player] != NO_FISH else range(5)
        if type(self).compute_next_state is not Node.compute_next_state:  # a subclass has its own
            for action in actions:
                after = self.compute_next_state(state, action, observations[depth])
                self.add_child(after, action, depth + 1, observations)
            return self.children
        places = self._swum(state, observations[depth])
        for action in actions:
            self.add_child(_after(state, action, places), action, depth + 1, observations)
        return self.children

    def compute_next_state(self, current_state: State, act: int, observations: list[int]) -> State:
        """The state after an action, where `observations` are the codes of this ply."""
        return _after(current_state, act, self._swum(current_state, observations))

    def compute_new_hook_states(
        self, current_hook_states: Places, current_player: int, move: Place
    ) -> list[int]:
        """Where both hooks are when a player has made a step: [x, y, x, y], green's first."""
        other = current_hook_states[1 - current_player]
        moved = self.xy_move(current_hook_states[current_player], move, other)
        return [*moved, *other] if current_player == 0 else [*other, *moved]

    def compute_new_fish_states(
        self,
        new_state: State,
        current_fish_positions: Places,
        observations: list[int],
        current_player: int,
        fishes_on_rod: Sequence[int | None] = (None, None),
    ) -> None:
        """Put the fish of a new state where they are a ply later: those on rods go up with the
        player to move or stay with the other one, all others follow their codes."""
        for fish, place in self._swum_from(
            current_fish_positions, observations, tuple(fishes_on_rod)
        ).items():
            if fishes_on_rod[current_player] == fish:
                place = self.xy_move(place, OBS_TO_MOVES[0])
            new_state.set_fish_positions(fish, place)

    def _swum(self, state: State, codes: list[int]) -> Places:
        caught = state.player_caught
        return self._swum_from(state.fish_positions, codes, (caught[0], caught[1]))

    def _swum_from(self, places: Places, codes: list[int], held: tuple[Any, ...]) -> Places:
        """Where the fish are when the free ones have followed their codes."""
        index_of_fish = getattr(self.observations, "index_of_fish", None)
        if index_of_fish is None:  # the codes are a player's own: as many as there are fish
            index_of_fish = {fish: index for index, fish in enumerate(sorted(places))}
        swum = {}
        for fish, place in places.items():
            code = codes[index_of_fish[fish]]
            if code == 8 or fish in held:
                swum[fish] = place
            else:
                right, up = OBS_TO_MOVES[code]
                y = place[1] + up
                swum[fish] = (
                    (place[0] + right) % SIZE,
                    0 if y < 0 else SURFACE if y > SURFACE else y,
                )
        return swum

    def xy_move(self, pos: Place, move: Place, adv_pos: Place | None = None) -> Place:
        """Where a step leads: round the world to the sides, never above the surface or below the
        floor, and not into the column of the other boat, if its position is given."""
        return _moved(pos, move, adv_pos)


def _moved(pos: Place, move: Place, adv_pos: Place | None = None) -> Place:
    x, y = pos
    to_x = (x + move[0]) % SIZE
    if adv_pos is not None and to_x == adv_pos[0]:
        to_x = x
    y += move[1]
    return to_x, 0 if y < 0 else SURFACE if y > SURFACE else y


def _after(state: State, action: int, places: Places) -> State:
    """The state in which the fish are at their places and the player to move has moved.

    Searches spend nearly all of their time here.
    """
    player = state.player
    other = 1 - player
    hooks = state.hook_positions
    hook = _moved(hooks[player], ACT_TO_MOVES[action], hooks[other])
    after = State.__new__(State)  # every attribute follows
    after.player = other
    after.hook_positions = {0: hook, 1: hooks[1]} if player == 0 else {0: hooks[0], 1: hook}
    after.fish_scores = state.fish_scores.copy()
    after.fish_positions = places = places.copy()
    after.player_scores = state.player_scores.copy()
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
            after.player_scores[rod] += after.fish_scores[fish]
            caught[rod] = NO_FISH
            del places[fish]
    return after
