"""Games are compiled while people look at the pages, and can be played meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from plyground.core.registry import find_game
from plyground.search.binding import code_cache
from plyground.search.binding import compile as binding
from plyground.search.preparation import Purpose, is_prepared, prepare
from plyground.web.catalogue import Catalogue
from plyground.web.compile_ahead import CompileAhead
from tests.compiled_kernels import copy_kernels
from tests.web.workers.job_runner import RecordingReporter, do, place


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """No game is compiled, on disk or in this process."""
    copy_kernels(tmp_path)
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    monkeypatch.setattr(binding, "bound_by_digest", {})
    code_cache.cache_root.cache_clear()
    yield
    code_cache.cache_root.cache_clear()


def move_of(game: str, **settings: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a worker answers to a job, and what it reports before."""
    reporter = RecordingReporter()
    answer = do({"type": "search", "place": place(game), **settings}, reporter=reporter)
    return answer, reporter.messages


def test_a_move_does_not_wait_for_the_compiler_and_says_so(empty_cache: None) -> None:
    answer, reports = move_of("tictactoe", seconds=5.0, at_once=True)
    assert answer["move"]
    assert "Tic-tac-toe is being compiled for this machine." in str(reports)
    assert not is_prepared(find_game("tictactoe"), Purpose.PLAY)


def test_what_is_compiled_is_used(empty_cache: None) -> None:
    game = find_game("tictactoe")
    prepare(game, Purpose.PLAY)
    assert is_prepared(game, Purpose.PLAY)
    assert not is_prepared(game, Purpose.MONTE_CARLO)
    _, reports = move_of("tictactoe", depth=9, at_once=True)
    assert "being compiled" not in str(reports)


def test_the_likely_games_come_first_and_a_preferred_one_before_them() -> None:
    prepared: list[str] = []

    async def run() -> None:
        async def note(source: str) -> None:
            prepared.append(source)
            if len(prepared) == 1:
                ahead.prefer("tictactoe")
            await asyncio.sleep(0)

        ahead = CompileAhead(Catalogue(), note)
        ahead.start(["slant", "derby"])
        assert not ahead.is_ready("slant")
        while not all(map(ahead.is_ready, Catalogue().names)):
            await asyncio.sleep(0)
        await ahead.close()

    asyncio.run(run())
    assert prepared[:3] == ["slant", "tictactoe", "derby"]
    assert sorted(prepared) == sorted(Catalogue().names)


def test_closing_ends_the_process_that_compiles() -> None:
    async def run() -> None:
        ahead = CompileAhead(Catalogue())
        ahead.start([])
        await asyncio.sleep(0.2)
        await ahead.close()

    asyncio.run(asyncio.wait_for(run(), 30))
