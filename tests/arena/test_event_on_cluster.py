"""Events on a small Dask cluster: whichever process is killed, every game is kept just once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from plyground.arena.event import EventPlan, run_event
from plyground.arena.store import Store, StoredGame
from plyground.core.registry import find_game
from plyground.executor.cluster import ClusterError, ClusterExecutor
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Executor
from tests.arena.test_event import plan_of, results
from tests.classroom.sandboxes import comes_true
from tests.cli.runner import plyground, process
from tests.executor.small_cluster import WORKERS, scheduler_and_worker, small_cluster
from tests.paths import EXAMPLES

distributed = pytest.importorskip("distributed")

PLAYER = """
import time

def choose(position, clock):
    time.sleep(0.01)
    return position.move_text(position.legal_moves[-1])
"""
"""A game with it lasts long enough to be interrupted."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with small_cluster() as started:
        yield started


def run_and_kill(
    plan: EventPlan, path: Path, executor: Executor, kill: Callable[[], None]
) -> list[StoredGame]:
    """Run an event, and kill something after its third game; the games that arrived."""
    new: list[StoredGame] = []

    def on_game(game: StoredGame) -> None:
        new.append(game)
        if len(new) == 3:
            kill()

    with closing(Store(path)) as store:
        run_event(plan, store, executor, on_game=on_game)
    return new


def run_here(plan: EventPlan, path: Path) -> list[tuple[Any, ...]]:
    with closing(Store(path)) as store:
        run_event(plan, store, SerialExecutor(), on_game=lambda _: None)
    return results(plan, path)


def without_times(document: dict[str, Any]) -> dict[str, Any]:
    """A document without what depends on the machine."""
    for player in document["players"]:
        for name in ("seconds_a_move", "seconds_per_game"):
            player.pop(name, None)
    return document


def test_a_worker_that_is_killed_costs_no_game_of_a_tournament(
    address: str, tmp_path: Path
) -> None:
    (tmp_path / "nim.py").write_bytes((EXAMPLES / "nim.py").read_bytes())
    game = find_game(str(tmp_path / "nim.py"))
    plan = plan_of("random", "greedy", "random:name=b", pairs=15, kind="tournament", game=game)
    with ClusterExecutor(address) as executor:
        assert comes_true(lambda: executor.slots == WORKERS)

        def kill() -> None:
            with distributed.Client(address, set_as_default=False) as client:
                os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)

        new = run_and_kill(plan, tmp_path / "a.db", executor, kill)
    assert len(new) == 90 == plan.total, "no game came twice"
    with closing(Store(tmp_path / "a.db")) as store:
        assert store.failures(plan.conditions, plan.contestants) == []
    assert results(plan, tmp_path / "a.db") == run_here(plan, tmp_path / "b.db")


def test_a_killed_scheduler_loses_no_game_that_arrived(tmp_path: Path) -> None:
    plan = plan_of("random", "greedy", pairs=200)
    with (
        scheduler_and_worker(tmp_path) as (address, scheduler),
        ClusterExecutor(address) as executor,
        pytest.raises(ClusterError, match=r"the scheduler at .* does not answer any more$"),
    ):
        run_and_kill(plan, tmp_path / "a.db", executor, lambda: os.kill(scheduler, signal.SIGKILL))
    kept = results(plan, tmp_path / "a.db")
    assert 3 <= len(kept) < plan.total
    found = run_here(plan, tmp_path / "a.db")
    assert len(found) == plan.total
    assert set(kept) <= set(found)
    assert found == run_here(plan, tmp_path / "b.db")


def test_a_match_whose_client_is_killed_goes_on_with_the_same_command(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(PLAYER)
    match = ("match", "tictactoe", "mine.py", "random", "--games", "60", "--trust", "--quiet")
    command = (*match, "--cluster", address)

    def games() -> list[StoredGame]:
        with closing(Store(Path("arena.db"))) as store:
            return store.games()

    with process(*command) as client:
        assert comes_true(lambda: len(games()) >= 3)
        client.kill()
    kept = games()
    assert 3 <= len(kept) < 60
    document = plyground(*command, "--json").document
    assert document["games"] == 60
    assert document["endings"] == {"finished": 60}
    assert {game.id for game in kept} < {game.id for game in games()}
    assert len(games()) == 60
    here = plyground(*match, "--json", "--store", "here.db", "--workers", "1").document
    assert without_times(document) == without_times(here)


def test_a_tournament_on_a_cluster_has_the_results_of_one_process(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("tournament", "tictactoe", "random", "greedy", "perfect", "--games", "8", "--json")
    there = plyground(*words, "--cluster", address).document
    here = plyground(*words, "--workers", "1", "--store", "here.db").document
    assert without_times(there) == without_times(here)


def test_a_sequential_test_on_a_cluster_decides_as_in_one_process(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "sprt tictactoe greedy random --elo0 0 --elo1 400 --json".split()
    there = plyground(*words, "--cluster", address).document
    here = plyground(*words, "--workers", "1", "--store", "here.db").document
    assert here["decision"] == "H1"
    for name in ("decision", "llr", "judged_pairs"):
        assert there[name] == here[name]
    assert there["games"] >= here["games"], "those that were under way at the end are kept too"
