"""What `match`, `tournament` and `sprt` have in common: options, the plan of an event, its run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

import typer

from plyground.arena.conditions import (
    DEFAULT_SECONDS,
    Adjudication,
    Conditions,
    Contestant,
    TimeControl,
    contestant,
)
from plyground.arena.event import EventPlan, run_event
from plyground.arena.openings import Openings, read_positions
from plyground.arena.pair import FinishedGame
from plyground.arena.store import DEFAULT_PATH, Store
from plyground.cli.executors import make_executor
from plyground.cli.inputs import read_options, read_text
from plyground.cli.output import announce_compilation, progress_bar, say
from plyground.core.errors import FormatError, LimitError
from plyground.core.game import Game
from plyground.core.processes import notice_ends_of_children
from plyground.core.registry import find_game
from plyground.players.notation import read_player
from plyground.search.searcher import Algorithm, make_searcher

DEFAULT_STORE = DEFAULT_PATH

MoveSeconds = Annotated[
    float | None,
    typer.Option(
        "--time",
        "-t",
        metavar="SECONDS",
        help=f"For each move, of players without a limit of their own ({DEFAULT_SECONDS:g}).",
    ),
]
GameClock = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="SECONDS+SECONDS",
        help="Instead of --time: for a whole game, and added by each move, such as 10+0.1.",
    ),
]
Margin = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="An answer that comes so much after time is not late."),
]
OpeningSource = Annotated[
    str,
    typer.Option(
        "--openings",
        metavar="KIND",
        help="random moves, the game's boards, its generator, or a file of positions.",
    ),
]
Plies = Annotated[int, typer.Option("--plies", metavar="N", help="Random moves of an opening.")]
Balanced = Annotated[
    bool, typer.Option("--balanced", help="Of several random openings, take the most even one.")
]
EventSeed = Annotated[
    int, typer.Option("--seed", metavar="N", help="The same seed, the same openings.")
]
Proven = Annotated[
    int,
    typer.Option(
        "--proven",
        metavar="NODES",
        help="End a game whose result a search of so many nodes proves (0: do not).",
    ),
]
Agreed = Annotated[
    int,
    typer.Option(
        "--agreed",
        metavar="MOVES",
        help="End a game that both players have held to be decided for so many moves (0: do not).",
    ),
]
Longest = Annotated[
    int,
    typer.Option("--longest", metavar="MOVES", help="Break a game off as a draw (0: do not)."),
]
StorePath = Annotated[
    Path, typer.Option("--store", metavar="FILE", help="Keep every game in this file.")
]
Trust = Annotated[
    bool, typer.Option("--trust", help="Run a player's file without a sandbox: one of your own.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]
Live = Annotated[
    bool, typer.Option("--live/--no-live", help="Let the page Arena show games under way.")
]


@dataclass(frozen=True)
class EventOptions:
    """The options that the three verbs share."""

    game: str
    options: Sequence[str] | None
    time: float | None
    clock: str | None
    margin: float
    openings: str
    plies: int
    balanced: bool
    seed: int
    proven: int
    agreed: int
    longest: int

    def conditions(self) -> Conditions:
        game = find_game(self.game)
        options = tuple(read_options(self.options).items())
        for name, value in (
            ("proven", self.proven),
            ("agreed", self.agreed),
            ("longest", self.longest),
        ):
            if value < 0:
                raise LimitError(f"--{name} {value}: it is 0 or more")
        return Conditions(
            game=game,
            options=options,
            openings=self._openings(game, options),
            clock=_time_control(self.time, self.clock, self.margin),
            adjudication=Adjudication(self.proven, self.agreed, self.longest),
            seed=self.seed,
        )

    def _openings(self, game: Game, options: tuple[tuple[str, str], ...]) -> Openings:
        common: dict[str, Any] = {"seed": self.seed, "options": options}
        if self.openings == "random":
            return Openings("random", self.plies, self.balanced, **common)
        if self.openings == "boards":
            return Openings("boards", 0, **common)
        if self.openings == "generator":
            return Openings("generator", 0, **common)
        if not os.path.exists(self.openings):
            raise FormatError(
                f"--openings {self.openings}: it is random, boards, generator or a file, and there"
                " is no such file"
            )
        positions = read_positions(game, read_text(self.openings), self.openings)
        return Openings("positions", 0, positions=positions, **common)


def _time_control(seconds: float | None, clock: str | None, margin: float) -> TimeControl:
    if clock is None:
        return TimeControl(DEFAULT_SECONDS if seconds is None else seconds, margin=margin)
    if seconds is not None:
        raise LimitError("--time is for each move and --clock for a whole game: give one of them")
    bank, _, increment = clock.partition("+")
    try:
        return TimeControl(None, float(bank), float(increment or 0), margin)
    except ValueError:
        raise LimitError(f"--clock {clock!r}: it is SECONDS+SECONDS, such as 10+0.1") from None


def contestants(players: Sequence[str]) -> tuple[Contestant, ...]:
    return tuple(contestant(read_player(text)) for text in players)


def command_line() -> tuple[str, ...]:
    """The arguments of this program, for the page Arena to go on with an event."""
    return tuple(sys.argv[1:])


class EventDisplay:
    """A bar, and a line of results, while an event runs."""

    def __init__(self, total: int, done: int, *, quiet: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

        self._progress = progress_bar(
            TextColumn("games"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.description}"),
        )
        self._progress.disable = self._progress.disable or quiet
        self._bar = self._progress.add_task("", total=total, completed=done)
        self.done = done

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def show(self, text: str) -> None:
        """One more game, and what is known now."""
        self.done += 1
        self._progress.update(self._bar, advance=1, description=text)


def prepare(plan: EventPlan) -> None:
    """Compile what the players need before workers start: they would compile it side by side, and
    nobody would see what they are waiting for."""
    conditions = plan.conditions
    kinds = {one.spec.kind for one in plan.contestants}
    compiled = (Algorithm.ENGINE, Algorithm.MONTE_CARLO, Algorithm.PERFECT)
    needed = {algorithm for algorithm in compiled if algorithm.value in kinds}
    if conditions.adjudication.proven or conditions.openings.balanced:
        needed.add(Algorithm.ENGINE)
    for algorithm in sorted(needed):
        make_searcher(algorithm, conditions.game)


def run_with_display(
    plan: EventPlan,
    store: Store,
    *,
    workers: int | None,
    cluster: str | None,
    quiet: bool,
    live: bool,
    text: Callable[[FinishedGame], str],
    is_enough: Callable[[], bool] = lambda: False,
) -> None:
    """Play what is missing of an event, with a bar. `text` is called with each game."""
    notice_ends_of_children()
    if not quiet:
        announce_compilation()
    threads = max(one.spec.threads for one in plan.contestants)
    done = len(plan.games(store))
    if done and not quiet:
        say(f"{done} of {plan.total} games are in {store.path} already")
    if cluster is None:
        prepare(plan)
    cores = max(1, (os.cpu_count() or 1) // threads)
    display = EventDisplay(plan.total, done, quiet=quiet)
    try:
        with (
            make_executor(workers, cluster, default=cores, cores_each=threads) as executor,
            display,
        ):
            run_event(
                plan,
                store,
                executor,
                on_game=lambda game: display.show(text(game)),
                is_enough=is_enough,
                live=live,
            )
    except KeyboardInterrupt:
        say(f"{display.done} games are kept in {store.path}; the same command plays the rest")
        raise
