"""Names and numbers of the game. A pair is (to the right, up)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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

MOVES_TO_OBS = {move: code for code, move in OBS_TO_MOVES.items()}

TYPE_TO_SCORE = dict(enumerate([*range(1, 7), -7, *range(7, 12), *range(-1, -7, -1)]))
"""The score of each type of fish."""


class SettingLoader:
    """What has settings: an object with an attribute for each of them, None until it is loaded."""

    settings: Any = None

    def __init__(self) -> None:
        self.settings = None

    def load_settings(self, settings: Any) -> None:
        """Called by the game before the player's loop."""
        self.settings = settings
