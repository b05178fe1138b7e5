"""What `match`, `tournament` and `sprt` have in common: options, the plan of an event, its run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from plyground.arena.conditions import (
    DEFAULT_MARGIN,
    DEFAULT_SECONDS,
    Adjudication,
    Conditions,
    Contestant,
    TimeControl,
    contestant,
    with_learned_net,
)
from plyground.arena.event import EventPlan, run_event
from plyground.arena.openings import DEFAULT_PLIES, Openings, read_positions
from plyground.arena.sprt import Decision
from plyground.arena.store import DEFAULT_PATH, Store, StoredFailure, StoredGame
from plyground.arena.summary import EventSummary
from plyground.cli.arena_output import check_records_path, write_records
from plyground.cli.arguments import AsJson, BoardOptions, Cluster, Workers
from plyground.cli.executors import make_executor
from plyground.cli.inputs import read_options, read_text
from plyground.cli.output import announce_compilation, progress_bar, say
from plyground.core.errors import FileError, FormatError, LimitError, PlygroundError
from plyground.core.game import Game
from plyground.core.processes import notice_ends_of_children
from plyground.core.registry import find_game
from plyground.executor.cores import count_free_cores, usable_cores
from plyground.players.notation import COMMANDS, read_player
from plyground.search.searcher import Algorithm, make_searcher

if TYPE_CHECKING:
    from rich.progress import Progress

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
RecordPath = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the records of all games to a .jsonl file."),
]
LogFolder = Annotated[
    Path | None,
    typer.Option(
        "--log",
        metavar="FOLDER",
        help="Write what programs (ugi:, uci:) say and are told to files there.",
    ),
]
Trust = Annotated[
    bool, typer.Option("--trust", help="Run a player's file without a sandbox: one of your own.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]
LiveOption = Annotated[
    bool, typer.Option("--live/--no-live", help="Let the page Arena show games under way.")
]


@dataclass(frozen=True)
class EventOptions:
    """The options that the three verbs share."""

    options: BoardOptions = None
    time: MoveSeconds = None
    clock: GameClock = None
    margin: Margin = DEFAULT_MARGIN
    openings: OpeningSource = "random"
    plies: Plies = DEFAULT_PLIES
    balanced: Balanced = False
    seed: EventSeed = 0
    proven: Proven = 0
    agreed: Agreed = 0
    longest: Longest = 0
    store_path: StorePath = DEFAULT_PATH
    record: RecordPath = None
    log: LogFolder = None
    workers: Workers = None
    cluster: Cluster = None
    trust: Trust = False
    live: LiveOption = True
    quiet: Quiet = False
    as_json: AsJson = False

    def plan(
        self,
        kind: str,
        game: str,
        players: Sequence[Contestant],
        pairings: tuple[tuple[int, int], ...],
        games: int,
        settings: dict[str, Any] | None = None,
    ) -> EventPlan:
        """`games` is how many each pairing plays; they are played in pairs."""
        conditions = self._conditions(find_game(game))
        log = self._log_folder(players)
        return EventPlan(
            kind,
            conditions,
            tuple(replace(with_learned_net(one, conditions), log=log) for one in players),
            pairings,
            (games + 1) // 2,
            trusted=self.trust,
            command=tuple(sys.argv[1:]),
            settings=settings or {},
        )

    def _log_folder(self, players: Sequence[Contestant]) -> Path | None:
        """The folder of `--log`, which is made if it is not there."""
        if self.log is None:
            return None
        if self.cluster is not None:
            raise PlygroundError("--log is for programs on this machine, not with --cluster")
        if not any(one.spec.kind in COMMANDS for one in players):
            raise PlygroundError(f"--log {self.log}: no player is a program (ugi: or uci:)")
        try:
            self.log.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"--log {self.log}: {error.strerror}") from None
        return self.log.resolve()

    def _conditions(self, game: Game) -> Conditions:
        options = tuple(read_options(self.options).items())
        for name in ("proven", "agreed", "longest"):
            if getattr(self, name) < 0:
                raise LimitError(f"--{name} {getattr(self, name)}: it is 0 or more")
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
        if not positions:
            raise FormatError(f"--openings {self.openings}: it has no position in it")
        return Openings("positions", 0, positions=positions, **common)

    def play(
        self,
        plan: EventPlan,
        new_summary: Callable[[], EventSummary],
        text: Callable[[EventSummary, StoredGame], str],
    ) -> tuple[EventSummary, list[StoredFailure]]:
        """Play what is missing of an event, and write the records of all its games if asked for.

        Returns all games, counted in the order of their openings, and those that were not played.
        While the event runs, `text` says what is known after each game.
        """
        cores_each = max(one.spec.threads for one in plan.contestants)
        workers = 1 if self.cluster is not None else self._count_workers(plan, cores_each)
        with closing(Store(self.store_path)) as store:
            self._run(plan, store, new_summary, text, workers, cores_each)
            games = plan.games(store)
            if self.record is not None:
                write_records(self.record, games, store)
                say(f"written: {self.record}")
            summary, failures = _known(plan, store, new_summary)
            return summary, failures

    def _count_workers(self, plan: EventPlan, cores_each: int) -> int:
        """How many pairs are played at a time on this machine. Raises LimitError if games with a
        clock would share cores with each other."""
        fit = max(1, usable_cores() // cores_each)
        if not any(plan.conditions.clock.limits(one.spec) for one in plan.contestants):
            return fit if self.workers is None else self.workers
        if self.workers is not None and self.workers > fit:
            each = "a core" if cores_each == 1 else f"{cores_each} cores"
            raise LimitError(
                f"--workers {self.workers}: games with a clock do not share cores, each worker has"
                f" {each}, and {fit} of them fit on this machine; without --workers it is as many"
            )
        free = count_free_cores()
        workers = self.workers
        if workers is None:
            workers = max(1, min(fit, free // cores_each))
        needed = workers * cores_each
        if needed > free and not self.quiet:
            say(
                f"cores for games with a clock: {needed}, of which {free} are free; where cores"
                " are shared, clocks are less exact"
            )
        return workers

    def _run(
        self,
        plan: EventPlan,
        store: Store,
        new_summary: Callable[[], EventSummary],
        text: Callable[[EventSummary, StoredGame], str],
        workers: int,
        cores_each: int,
    ) -> None:
        quiet = self.quiet or self.as_json
        notice_ends_of_children()
        if not quiet:
            announce_compilation()
        if plan.warning is not None and not quiet:
            say(plan.warning)
        # A test that is decided without the pairs that failed stays so. If it is not, they are
        # tried again, and it waits for them.
        is_decided = _known(plan, store, new_summary)[0].decision is not Decision.CONTINUE
        summary, games = new_summary(), plan.games(store)
        summary.add_all(games)
        if summary.games and not quiet:
            say(f"{summary.games} of {plan.total} games are in {store.path} already")
        if self.cluster is None:
            compile_searches(plan)
        bar = games_bar()
        bar.disable = bar.disable or quiet
        task = bar.add_task("", total=plan.total, completed=summary.games)

        def on_game(game: StoredGame) -> None:
            summary.add(game)
            bar.update(task, advance=1, description=text(summary, game))

        try:
            with (
                # Not in this process: a search cannot be interrupted there, and boards stand still.
                make_executor(
                    self.workers,
                    self.cluster,
                    default=workers,
                    cores_each=cores_each,
                    serial=False,
                ) as executor,
                bar,
            ):
                run_event(
                    plan,
                    store,
                    executor,
                    on_game=on_game,
                    on_failure=summary.leave_out,
                    is_enough=lambda: is_decided or summary.decision is not Decision.CONTINUE,
                    live=self.live,
                    counted=games,
                )
        except KeyboardInterrupt:
            say(f"{summary.games} games are kept in {store.path}; the same command plays the rest")
            raise


def _known(
    plan: EventPlan, store: Store, new_summary: Callable[[], EventSummary]
) -> tuple[EventSummary, list[StoredFailure]]:
    """What the store says about an event."""
    summary, failures = new_summary(), plan.failures(store)
    for failure in failures:
        summary.leave_out(failure)
    summary.add_all(plan.games(store))
    return summary, failures


def with_event_options(verb: Callable[..., None]) -> Callable[..., None]:
    """A verb whose parameter `event` comes from the command line: each field of `EventOptions` is
    an option, after those of the verb itself."""
    hints = get_type_hints(EventOptions, include_extras=True)
    shared = [
        Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(EventOptions)
    ]

    @wraps(verb)
    def command(**given: Any) -> None:
        event = EventOptions(**{option.name: given.pop(option.name) for option in shared})
        check_records_path(event.record)
        verb(**given, event=event)

    declared = signature(verb, eval_str=True)
    own = [one for one in declared.parameters.values() if one.name != "event"]
    command.__signature__ = declared.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
    return command


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


def games_bar() -> Progress:
    """A bar, and a line of results, while an event runs."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    return progress_bar(
        TextColumn("games"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.description}"),
    )


def compile_searches(plan: EventPlan) -> None:
    """Compile what the players need before workers start: they would compile it side by side,
    without a message."""
    conditions = plan.conditions
    kinds = {one.spec.kind for one in plan.contestants}
    compiled = (Algorithm.ENGINE, Algorithm.MONTE_CARLO, Algorithm.PERFECT)
    needed = {algorithm for algorithm in compiled if algorithm.value in kinds}
    if conditions.adjudication.proven or conditions.openings.balanced:
        needed.add(Algorithm.ENGINE)
    for algorithm in sorted(needed):
        make_searcher(algorithm, conditions.game)
