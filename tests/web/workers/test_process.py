"""Worker processes that fail: errors in a game, processes that end, hang or do not start."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plyground.core.errors import GameFileError, PlygroundError, UnknownGame
from plyground.web.workers import pool as pool_module
from plyground.web.workers.pool import WorkerLost
from tests.paths import SAMPLE_GAMES
from tests.web.workers.job_runner import Message, place
from tests.web.workers.worker_pools import ENDLESS, PATIENCE, QUICK, Messages, PoolRunner

GAME = """
from typing import NamedTuple


class State(NamedTuple):
    turn: int


def start(board):
    {start}
    return State(0)


def moves(board, state, out):
    out[0] = 0
    return 1


def play(board, state, move):
    return State(1 - state.turn)


def over(board, state):
    return False


def utility(board, state):
    return 0
"""
"""A game of passing on, whose start does something that it should not."""


@pytest.fixture
def bad_game(tmp_path: Path) -> Callable[[str], str]:
    def write(start: str) -> str:
        file = tmp_path / "bad.py"
        file.write_text(GAME.format(start=start), encoding="utf-8")
        return str(file)

    return write


# Errors


@pytest.mark.parametrize(
    ("job", "problem"),
    [
        ({"type": "search", "place": place("chess")}, "there is no game 'chess'; games: blocker"),
        ({"type": "search", "place": place("tictactoe", "z9")}, "move 1: 'z9' is not a legal move"),
        ({**QUICK, "threads": 10_000}, "10000 threads: there are"),
        ({"type": "search", "place": place("tictactoe", rows=3)}, "tictactoe has no option 'rows'"),
    ],
)
def test_a_job_that_is_wrong_fails_with_a_sentence(
    job: Message, problem: str, runner: PoolRunner
) -> None:
    with pytest.raises(PlygroundError, match=problem):
        runner.run(runner.pool.run(job))


def test_a_file_that_is_not_in_the_catalogue_is_not_run(runner: PoolRunner, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    file = tmp_path / "other.py"
    file.write_text(f"open({str(ran)!r}, 'w')\n", encoding="utf-8")
    with pytest.raises(UnknownGame):
        runner.run(runner.pool.run({"type": "search", "place": {"game": str(file)}}))
    assert not ran.exists()


def test_an_error_in_a_game_file_is_reported_with_its_line(
    runner: PoolRunner, bad_game: Callable[[str], str]
) -> None:
    file = bad_game("return State(1 // 0)")
    pool = runner.new_pool(1, file)
    with pytest.raises(PlygroundError, match=r"bad\.py:10: start\(\) raised ZeroDivisionError"):
        runner.run(pool.run({"type": "search", "place": {"game": "bad"}}))
    Path(file).write_text("this is no Python", encoding="utf-8")
    with pytest.raises(PlygroundError, match=r"bad\.py:1: syntax error") as caught:
        runner.run(pool.run({"type": "search", "place": {"game": "bad"}}))
    assert not isinstance(caught.value, GameFileError | WorkerLost)
    runner.run(pool.close())


def test_a_game_that_prints_and_reads_does_not_disturb_its_worker(
    runner: PoolRunner, bad_game: Callable[[str], str]
) -> None:
    do = "import os, sys; print('noise'); os.write(1, b'noise'); assert sys.stdin.read() == ''"
    pool = runner.new_pool(1, bad_game(do))
    job = {"type": "search", "place": {"game": "bad"}, "algorithm": "minimax", "depth": 3}
    assert runner.run(pool.run(job))["move"] == "0"
    runner.run(pool.close())


# Workers that end, and workers that do not


def test_a_worker_that_is_killed_is_replaced_and_its_job_fails(runner: PoolRunner) -> None:
    async def scene() -> None:
        messages = Messages()
        analysis = asyncio.create_task(runner.pool.run(ENDLESS, listen=messages))
        await messages.more_than(0)
        (old,) = runner.pool.pids
        os.kill(old, signal.SIGKILL)
        with pytest.raises(WorkerLost, match=r"was ended by SIGKILL; another one has taken its"):
            await analysis
        assert (await runner.pool.run(QUICK))["depth"] == 3
        assert runner.pool.pids != [old]

    runner.run(scene())


def test_an_idle_worker_that_is_killed_is_replaced(runner: PoolRunner) -> None:
    async def scene() -> None:
        (old,) = runner.pool.pids
        os.kill(old, signal.SIGKILL)
        while runner.pool.pids == [old] or not runner.pool.pids:
            await asyncio.sleep(0.01)
        assert (await runner.pool.run(QUICK))["depth"] == 3

    runner.run(scene())


def test_a_game_that_ends_its_process_fails_and_others_go_on(
    runner: PoolRunner, bad_game: Callable[[str], str]
) -> None:
    pool = runner.new_pool(1, bad_game("import os; os._exit(3)"))
    with pytest.raises(WorkerLost, match=r"has ended \(status 3\)"):
        runner.run(pool.run({"type": "search", "place": {"game": "bad"}}))
    assert runner.run(pool.run(QUICK))["depth"] == 3
    runner.run(pool.close())


def test_a_game_that_never_ends_gives_way_to_others(
    runner: PoolRunner, bad_game: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "GRACE", 0.2)
    monkeypatch.setattr(pool_module, "TURN", 0.2)
    pool = runner.new_pool(1, bad_game("while True: pass"))

    async def scene() -> None:
        hanging = asyncio.create_task(pool.run({"type": "search", "place": {"game": "bad"}}))
        await asyncio.sleep(0)
        assert (await pool.run(QUICK))["depth"] == 3
        with pytest.raises(WorkerLost, match="do the game's rules go on for ever"):
            await hanging
        hanging = asyncio.create_task(pool.run({"type": "search", "place": {"game": "bad"}}))
        await asyncio.sleep(0.1)
        hanging.cancel()
        assert (await pool.run(QUICK))["depth"] == 3
        await asyncio.gather(hanging, return_exceptions=True)

    runner.run(scene())
    runner.run(pool.close())


def test_a_move_on_a_clock_that_never_comes_is_given_up(
    runner: PoolRunner, bad_game: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "OVERTIME", 0.3)
    monkeypatch.setattr(pool_module, "GRACE", 0.3)
    pool = runner.new_pool(1, bad_game("while True: pass"))
    job = {"type": "search", "place": {"game": "bad"}, "seconds": 0.1}
    with pytest.raises(WorkerLost, match="do the game's rules go on for ever"):
        runner.run(pool.run(job, urgent=True))
    runner.run(pool.close())


def test_a_worker_whose_game_computes_on_behind_its_answer_is_replaced(runner: PoolRunner) -> None:
    """The move comes in time; then the rule that does not end has to go."""
    pool = runner.new_pool(1, str(SAMPLE_GAMES / "stuck.py"))
    job = {"type": "search", "place": {"game": "stuck"}, "seconds": 0.5}

    async def scene() -> None:
        assert (await pool.run(job, urgent=True))["depth"] == 2
        (stuck,) = pool.pids
        async with asyncio.timeout(60):
            while stuck in pool.pids:
                await asyncio.sleep(0.05)
        assert (await pool.run(QUICK))["depth"] == 3

    runner.run(scene())
    runner.run(pool.close())


def test_workers_that_do_not_start_give_an_error(
    runner: PoolRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    pool = runner.new_pool(2)
    with pytest.raises(WorkerLost, match=r"the process that searches does not start \(status 1\)"):
        runner.run(pool.run(QUICK))
    monkeypatch.undo()
    assert runner.run(pool.run(QUICK))["depth"] == 3
    runner.run(pool.close())


SERVER = """
import asyncio
from plyground.web.catalogue import Catalogue
from plyground.web.workers.pool import WorkerPool


async def main():
    pool = WorkerPool(Catalogue(), workers=2)
    await pool.start()
    place = {"game": "breakthrough"}
    job = {"type": "search", "algorithm": "engine", "lines": 1, "threads": 1, "place": place}
    started = asyncio.Event()
    jobs = [asyncio.create_task(pool.run(job, listen=lambda _: started.set())) for _ in range(2)]
    await started.wait()
    print(*pool.pids, flush=True)
    await asyncio.gather(*jobs)


asyncio.run(main())
"""


def test_workers_end_with_the_server_even_if_it_is_killed() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    pids = [int(word) for word in server.stdout.readline().split()]
    assert len(pids) == 2
    server.kill()
    server.wait()
    server.stdout.close()

    async def all_gone() -> None:
        while any(is_running(pid) for pid in pids):
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(all_gone(), PATIENCE))


def is_running(pid: int) -> bool:
    """Whether a process is there, and not just remembered until its parent asks for its status."""
    try:
        os.kill(pid, 0)
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc").exists()
