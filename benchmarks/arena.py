"""What the arena adds to the players' own time, and whether moves on a clock are in time while two
games are played at once.

A game on a clock is played by an engine against itself under another name, with no margin. A move
is late if the referee says so, by CPU time; what the slowest took on the wall is shown as well, and
how long the host of a virtual machine kept it from its cores meanwhile.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clock import time_stolen
from benchmarks.report import Row
from plyground.arena.conditions import Conditions, Contestant, TimeControl
from plyground.arena.event import EventPlan, run_event
from plyground.arena.openings import Openings
from plyground.arena.store import Store
from plyground.core.outcome import Ending
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.executor.local import LocalExecutor
from plyground.players.notation import read_player

GAMES = 1000
LEAST_RATE = 200
"""Games of tic-tac-toe a second."""
MOST_OVERHEAD = 0.005
"""Seconds a game beyond the players' own time."""
SECONDS = 0.05
"""For a move on the clock."""
MOVES = 10_000


def run(quick: bool) -> Iterator[Row]:
    yield rate_row(4 if quick else GAMES, judged=not quick)
    yield punctual_row(8 if quick else MOVES, judged=not quick)


def play(plan: EventPlan, folder: str) -> tuple[float, list[GameRecord]]:
    """How long an event takes from its first game to its last, and its games. Starting the workers
    is left out: it does not depend on the number of games."""
    workers = min(2, os.cpu_count() or 1)
    ends: list[float] = []
    with Store(Path(folder) / "arena.db") as store:
        run_event(
            plan,
            store,
            LocalExecutor(workers),
            on_game=lambda _: ends.append(time.perf_counter()),
        )
        records = [GameRecord.from_json(store.record(game.id) or "") for game in plan.games(store)]
    return ends[-1] - ends[0], records


def rate_row(games: int, *, judged: bool) -> Row:
    """Random games of tic-tac-toe: hardly any time is the players' own."""
    players = tuple(Contestant(read_player(text)) for text in ("random", "random:name=other"))
    plan = EventPlan("match", Conditions(find_game("tictactoe")), players, ((0, 1),), games // 2)
    with tempfile.TemporaryDirectory() as folder:
        seconds, records = play(plan, folder)
    own = sum(ply.seconds or 0.0 for record in records for ply in record.plies)
    rate = (len(records) - 1) / seconds
    overhead = (seconds * min(2, os.cpu_count() or 1) - own) / len(records)
    return Row(
        f"{games} games of tic-tac-toe, random players, two workers",
        f"{rate:.0f} games a second, {1000 * overhead:.2f} ms a game beyond the players' time",
        "-",
        f"{rate:.0f}/s",
        f"{LEAST_RATE}/s, {1000 * MOST_OVERHEAD:g} ms" if judged else "-",
        (rate >= LEAST_RATE and overhead <= MOST_OVERHEAD) if judged else None,
        {"games_a_second": rate, "overhead": overhead},
    )


def punctual_row(moves: int, *, judged: bool) -> Row:
    """Timed moves of two games at once, on two cores."""
    players = tuple(Contestant(read_player(text)) for text in ("engine:name=a", "engine:name=b"))
    late = longer = total = 0
    slowest = 0.0
    number = 0
    stolen_before = time_stolen()
    with tempfile.TemporaryDirectory() as folder:
        while total < moves:
            conditions = Conditions(
                find_game("breakthrough"),
                openings=Openings(seed=number),
                clock=TimeControl(SECONDS, margin=0.0),
            )
            plan = EventPlan("match", conditions, players, ((0, 1),), 1 if moves < 100 else 8)
            records = play(plan, folder)[1]
            times = [ply.seconds or 0.0 for record in records for ply in record.plies]
            total += len(times)
            outcomes = [record.outcome for record in records if record.outcome is not None]
            late += sum(outcome.ending is Ending.OVERRUN for outcome in outcomes)
            longer += sum(one > SECONDS for one in times)
            slowest = max(slowest, *times)
            number += 1
    stolen = time_stolen() - stolen_before
    return Row(
        f"{total} moves of {1000 * SECONDS:g} ms in two games at once",
        f"{late} late; on the wall {longer} took longer, the slowest {1000 * slowest:.1f} ms"
        + (f"; {stolen:.1f} s stolen from this machine" if stolen > 0 else ""),
        "-",
        f"{late} late",
        "0 late" if judged else "-",
        late == 0 if judged else None,
        {"late": late, "longer": longer, "moves": total, "slowest": slowest, "stolen": stolen},
    )
