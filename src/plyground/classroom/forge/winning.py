"""Games to win, measured: the plain search plays them whole against perfect play, at all depths."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.classroom.forge.difficulty import DEEPEST, Pick, Yardstick, depth_text
from plyground.classroom.opponents import Perfect
from plyground.core.position import Position
from plyground.players.player import Clock
from plyground.players.simple import greedy_move

SHALLOWEST = 2
"""A player that answers its opponent's move at least."""


@dataclass(frozen=True)
class Winning:
    """What was measured of a game that the first player wins."""

    value: int
    """The margin of perfect play."""
    depth: int | None
    """The depth from which on the plain search wins, at this one and all others that were measured;
    None if it does not even win at the last."""
    lucky: int
    """How many lower depths it wins at all the same: 0 where depth alone decides."""
    winning_moves: int
    """How many first moves keep the win."""
    legal_moves: int
    greedy: int
    """The margin of a player who looks one move ahead, with the game's own evaluation."""

    greedy_is_enough = False
    """That player's evaluation is more than a student can write: it says nothing of a level."""

    def as_json(self) -> dict[str, int | None]:
        return dict(vars(self))

    def shown(self) -> dict[str, str]:
        return {
            "margin": f"{self.value:+d}",
            "depth": depth_text(self.depth),
            "winning moves": f"{self.winning_moves} of {self.legal_moves}",
            "greedy": f"{self.greedy:+d}",
        }


def measure_win(
    start: Position, perfect: Perfect, yardstick: Yardstick, deepest: int = DEEPEST
) -> Winning | None:
    """How hard it is to win from here as the first player; None if perfect play does not win.
    Depths from SHALLOWEST to `deepest` are measured."""
    solution = perfect.solver.solve(start)
    if solution.worth.utility <= 0:
        return None
    depths = range(SHALLOWEST, deepest + 1)
    won = {depth for depth in depths if margin(start, yardstick.at_depth(depth), perfect) > 0}
    last_lost = max((depth for depth in depths if depth not in won), default=SHALLOWEST - 1)
    return Winning(
        value=solution.worth.utility,
        depth=last_lost + 1 if last_lost < deepest else None,
        lucky=sum(depth < last_lost for depth in won),
        winning_moves=sum(worth.utility > 0 for worth in solution.moves.values()),
        legal_moves=len(start.legal_moves),
        greedy=margin(start, greedy_move, perfect),
    )


def margin(start: Position, pick: Pick, perfect: Perfect) -> int:
    """What the first player ends with against perfect play."""
    position = start
    perfect.begin(start, 1, Clock())
    while not position.is_over:
        if position.turn == 0:
            position = position.after(pick(position))
        else:
            position = position.play(perfect.choose(position, Clock()).move)
    return position.utility
