"""Players that students wrote, started in a sandbox: what they find there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from contextlib import closing
from pathlib import Path

import pytest

from plyground.arena.referee import play_game
from plyground.classroom.student_process import COPIES, remove_leftovers, start_player
from plyground.classroom.submission import Submission
from plyground.core.outcome import Ending
from plyground.core.registry import find_game
from plyground.players.player import Clock
from plyground.players.simple import random_player
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits
from tests.classroom.sandboxes import need_sandbox

ENGINE = """
import os
import sys
from plyground import Engine, Limits, find_game
from plyground.search.binding.compile import announce

announce(lambda text: print(text, file=sys.stderr))
engine = Engine(find_game("tictactoe"), memory=1)

def choose(position, clock):
    return engine.search(position, Limits(depth=9)).move, 9
"""


def test_a_player_that_asks_the_engine_finds_it_compiled() -> None:
    need_sandbox()
    game = find_game("tictactoe")
    Engine(game, memory=1).search(game.start(), Limits(depth=1))  # compiled out here
    submission = Submission("engine", {"player.py": ENGINE.encode()})
    path, interface = submission.player(game)
    player = start_player(submission, path, interface, trusted=False)
    with closing(player):
        played = play_game(game.start(), [player, random_player(1)])
    assert played.outcome.ending is Ending.FINISHED
    assert played.outcome.winner in (0, None)
    assert played.depths(0) == [9] * len(played.depths(0)) != []
    assert player.stderr == ""


def test_copies_of_a_grader_that_was_killed_are_removed_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = tmp_path / f"{COPIES}{ended.pid}-abc"
    kept = [tmp_path / name for name in (f"{COPIES}{os.getpid()}-abc", f"{COPIES}x-abc", "other")]
    for folder in (left, *kept):
        folder.mkdir()
        (folder / "player.py").write_text("secret")
    link = tmp_path / f"{COPIES}{ended.pid}-link"
    link.symlink_to(kept[-1], target_is_directory=True)
    remove_leftovers()
    assert not left.exists()
    assert all((folder / "player.py").exists() for folder in kept)
    assert link.is_symlink()


def test_copies_of_a_grader_are_removed_before_its_zombie_is_reaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An orphan is reaped by the first process of the system, which may take its time."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as grader:
        left = tmp_path / f"{COPIES}{grader.pid}-abc"
        left.mkdir()
        remove_leftovers()
        assert left.exists()
        grader.kill()
        os.waitid(os.P_PID, grader.pid, os.WEXITED | os.WNOWAIT)
        assert Path(f"/proc/{grader.pid}").exists()
        remove_leftovers()
        assert not left.exists()


def test_a_sandbox_that_a_killed_grader_left_incomplete_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    waiting = "#!/bin/sh\nread word\n"
    for name in ("bwrap", "another"):
        (tmp_path / name).write_text(waiting)
        (tmp_path / name).chmod(0o755)

    def start(name: str, owner: int) -> subprocess.Popen[bytes]:
        folder = tmp_path / f"{COPIES}{owner}-x"
        folder.mkdir(exist_ok=True)
        started = subprocess.Popen(
            [tmp_path / name, "--ro-bind", folder / "files", "/player"], stdin=subprocess.PIPE
        )
        while os.fsencode(folder) not in Path(f"/proc/{started.pid}/cmdline").read_bytes():
            time.sleep(0.001)  # it is not yet what it was told to become
        return started

    with (
        start("bwrap", gone.pid) as left,
        start("bwrap", os.getpid()) as in_use,
        start("another", gone.pid) as not_ours,
    ):
        remove_leftovers()
        assert left.wait(60) == -signal.SIGKILL
        assert (in_use.poll(), not_ours.poll()) == (None, None)


@pytest.mark.parametrize("engine", [True, False])
def test_a_suite_says_whether_players_find_the_searches_of_plyground(engine: bool) -> None:
    need_sandbox()
    game = find_game("tictactoe")
    source = """
        import plyground
        def choose(position, clock):
            try: from plyground.search.textbook.algorithms import minimax
            except ImportError: return "c3"
            return "a1"
    """
    submission = Submission("curious", {"player.py": textwrap.dedent(source).encode()})
    path, interface = submission.player(game)
    player = start_player(submission, path, interface, trusted=False, engine=engine)
    try:
        player.begin(game.start(), 0, Clock(None))
        assert player.choose(game.start(), Clock(None)).move == ("a1" if engine else "c3")
    finally:
        player.close()
