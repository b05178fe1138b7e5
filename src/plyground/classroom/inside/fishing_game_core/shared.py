"""Names and numbers of the game. A pair is (to the right, up)."""

ACTION_TO_STR = {0: "stay", 1: "up", 2: "down", 3: "left", 4: "right"}
ACT_TO_MOVES = {0: (0, 0), 1: (0, 1), 2: (0, -1), 3: (-1, 0), 4: (1, 0)}

OBS_TO_MOVES = {
    0: (0, 1),
    1: (0, -1),
    2: (-1, 0),
    3: (1, 0),
    4: (-1, 1),
    5: (1, 1),
    6: (-1, -1),
    7: (1, -1),
    8: (0, 0),
}
"""What the movement codes of the fish mean."""

TYPE_TO_SCORE = dict(enumerate([*range(1, 7), -7, *range(7, 12), *range(-1, -7, -1)]))
"""The score of each type of fish."""
