"""Whether a net is adopted: sequential tests at equal time against what there is already.

A net that is better at equal nodes may still be worse at equal time, if it takes longer to compute.
So games are played on a clock, by the arena, and the net is adopted only if every test accepts that
it is better.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from plyground.arena.conditions import Conditions, TimeControl, contestant, with_learned_net
from plyground.arena.event import EventPlan, run_event
from plyground.arena.openings import Openings
from plyground.arena.sprt import Decision, Sprt
from plyground.arena.statistics import Estimate
from plyground.arena.store import Store, StoredGame
from plyground.arena.summary import EventSummary
from plyground.core.game import Game
from plyground.executor.task import Executor
from plyground.players.notation import read_player

TEST = Sprt(0, 40, 0.05, 0.05, "logistic")
"""Is it no better, or by 40 Elo? A net that gains less is not worth a file of its own."""
SECONDS = 0.05
"""For a move."""
MOST_GAMES = 600
"""A test that has not ended by then has not accepted the net."""


@dataclass(frozen=True)
class GateResult:
    """What one test said about a net."""

    opponent: str
    decision: Decision
    estimate: Estimate
    games: int
    seconds: float
    """For a move."""

    @property
    def is_passed(self) -> bool:
        return self.decision is Decision.H1

    @property
    def difference(self) -> str:
        """In Elo, with its error."""
        interval = self.estimate.elo_interval
        return f"{self.estimate.elo:+.0f} [{interval.low:.0f}, {interval.high:.0f}]"

    @property
    def opponent_text(self) -> str:
        return OPPONENTS.get(self.opponent, self.opponent)

    @property
    def text(self) -> str:
        return (
            f"{self.difference} against {self.opponent_text}"
            f" ({self.games} games of {1000 * self.seconds:g} ms a move)"
        )


OPPONENTS = {
    "own": "the game's own evaluation",
    "none": "no evaluation",
    "learned": "the net in use",
}


def measure(
    game: Game,
    options: tuple[tuple[str, str], ...],
    net: Path,
    opponent: str,
    executor: Executor,
    *,
    seed: int,
    on_game: Callable[[str], None] = lambda _: None,
) -> GateResult:
    """Play the engine with this net against the engine with another evaluation."""
    players = [
        contestant(read_player(f"engine:evaluation={evaluation},name={name}"))
        for evaluation, name in ((net, "net"), (opponent, opponent))
    ]
    conditions = Conditions(
        game=game,
        options=options,
        openings=Openings("random", options=options, seed=seed),
        clock=TimeControl(SECONDS),
        seed=seed,
    )
    contestants = tuple(with_learned_net(player, conditions) for player in players)
    plan = EventPlan("sprt", conditions, contestants, ((0, 1),), MOST_GAMES // 2)
    with tempfile.TemporaryDirectory() as folder, closing(Store(Path(folder) / "gate.db")) as store:
        summary = EventSummary([player.spec.text for player in players], TEST)

        def count(played: StoredGame) -> None:
            summary.add(played)
            on_game(f"{summary.games} games")

        run_event(
            plan,
            store,
            executor,
            on_game=count,
            on_failure=summary.leave_out,
            is_enough=lambda: summary.decision is not Decision.CONTINUE,
        )
        return GateResult(opponent, summary.decision, summary.estimate, summary.games, SECONDS)
