"""How the engine behaves: limits, stopping, threads, ties, distances, and what it refuses."""

from __future__ import annotations

import threading
from itertools import pairwise
from pathlib import Path

import pytest

from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game, game_names
from plyground.core.values import WIN
from plyground.search.engine.engine import Engine
from plyground.search.engine.transposition_table import ENTRY_BYTES, new_table
from plyground.search.features import Features
from plyground.search.result import Limits, SearchResult
from plyground.search.textbook.algorithms import minimax
from tests.paths import EXAMPLES, SAMPLE_GAMES
from tests.random_play import random_positions
from tests.search.engine.stopped_search import check_stopped

KALAH = str(EXAMPLES / "kalah.py")
RANDOM_TREE = str(SAMPLE_GAMES / "random_tree.py")
GAMES = [*game_names(), KALAH, RANDOM_TREE]


def middle_game(name: str) -> Position:
    """A position with more than one move."""
    return next(
        position
        for position in random_positions(find_game(name), 50)
        if len(position.legal_moves) > 1
    )


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_the_same_limits_give_the_same_nodes(name: str) -> None:
    position = middle_game(name)
    for limits in (Limits(depth=5), Limits(nodes=5000)):
        first, second = (
            Engine(position.game, memory=1).search(position, limits, seed=3) for _ in range(2)
        )
        assert (first.nodes, first.value, first.line) == (second.nodes, second.value, second.line)


def test_a_cleared_engine_is_as_good_as_new() -> None:
    position = find_game("breakthrough").start()
    engine = Engine(position.game, memory=1)
    first = engine.search(position, Limits(depth=6))
    assert engine.search(position, Limits(depth=6)).nodes < first.nodes
    engine.clear()
    assert engine.search(position, Limits(depth=6)).nodes == first.nodes


def test_a_search_forgets_what_it_knows_of_another_board() -> None:
    """The same state on another board has the same key and quite another value."""
    game = find_game(RANDOM_TREE)
    engine = Engine(game, memory=1, features=Features.EXACT)
    for seed in range(40):
        position = game.start({"seed": seed})
        if not position.is_over:
            value = engine.search(position, Limits(depth=4)).value
            assert value == minimax(position, 4).value


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
@pytest.mark.parametrize("threads", [1, 2])
def test_however_short_the_time_there_is_a_legal_move(name: str, threads: int) -> None:
    position = middle_game(name)
    engine = Engine(position.game, memory=1, threads=threads)
    for limits in (Limits(seconds=1e-9), Limits(seconds=1e-4), Limits(nodes=1), Limits(nodes=70)):
        result = engine.search(position, limits)
        assert result.move in position.legal_moves
        assert result.line[0] == result.move
        assert result.depth >= 0


def test_a_stopped_search_answers_with_its_last_finished_depth_or_a_better_move() -> None:
    broken_off = 0
    for position in random_positions(find_game("breakthrough"), 40):
        for nodes in (60, 200, 700):
            reports: list[SearchResult] = []
            engine = Engine(position.game, memory=1, features=Features.EXACT)
            stopped = engine.search(position, Limits(nodes=nodes), progress=reports.append)
            broken_off += check_stopped(stopped, reports)
    assert broken_off > 3


def test_another_thread_can_stop_a_search() -> None:
    position = find_game("breakthrough").start()
    engine = Engine(position.game, memory=1, threads=2)
    results: list[SearchResult] = []
    begun = threading.Event()
    thread = threading.Thread(
        target=lambda: results.append(
            engine.search(position, Limits(seconds=600), progress=lambda _: begun.set())
        )
    )
    thread.start()
    assert begun.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert results[0].move in position.legal_moves


def test_a_time_limit_ends_a_search_that_would_go_on() -> None:
    position = find_game("breakthrough").start()
    result = Engine(position.game, memory=1).search(position, Limits(seconds=0.05))
    assert result.depth < 100


def test_progress_is_told_depth_by_depth() -> None:
    position = find_game("connectfour").start()
    reports: list[SearchResult] = []
    result = Engine(position.game, memory=1).search(
        position, Limits(depth=6), progress=reports.append
    )
    assert [report.depth for report in reports] == [1, 2, 3, 4, 5, 6]
    assert all(earlier.nodes < later.nodes for earlier, later in pairwise(reports))
    assert reports[-1].value == result.value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tictactoe", "1x1/3/oox x"),
        ("tictactoe", "2x/x1o/2o x"),
        ("tictactoe", "3/2x/xoo x"),
        ("tictactoe", "x2/o2/ox1 x"),
        ("breakthrough", "1bb1/1bb1/bwwb/www1/2w1 b"),
        ("breakthrough", "b3/bb2/bwbb/www1/3w b"),
        ("breakthrough", "b2b/2bb/wwbb/ww1w/2w1 b"),
        ("breakthrough", "bb1b/bbb1/wbwb/1www/www1 w"),
    ],
)
def test_the_nearer_win_is_taken(name: str, text: str) -> None:
    """One move wins in three plies, another in five, and the table knows of the longer win: the
    nearer one is taken all the same, whichever of the moves is looked at first."""
    game = find_game(name)
    position = game.position(text)
    sign = 1 if position.turn == 0 else -1
    values = {move: sign * minimax(child, 4).value for move, child in position.children()}
    nearest = {move for move, value in values.items() if value == WIN - 2}
    longer = [move for move, value in values.items() if value == WIN - 4]
    assert nearest
    assert longer
    engine = Engine(game, memory=1, features=Features.EXACT)
    for seed in range(8):
        engine.clear()
        for move in longer:
            engine.search(position.after(move), Limits(depth=8))
        for depth in (9, 3, 5):
            result = engine.search(position, Limits(depth=depth), seed=seed)
            assert result.value == sign * (WIN - 3)
            assert result.move in nearest


def test_the_later_loss_is_preferred() -> None:
    """Against perfect play all is lost; a move that lasts longer is chosen over a blunder."""
    game = find_game("breakthrough")
    lasting = game.position("5b/6/w5/6/1w4/6 b")
    engine = Engine(game, memory=1, features=Features.EXACT)
    result = engine.search(lasting, Limits(depth=12))
    assert result.proven
    assert result.value == minimax(lasting, 6).value


def test_a_drawn_game_searched_to_its_end_is_proven() -> None:
    position = find_game("tictactoe").start()
    engine = Engine(position.game, memory=1, features=Features.EXACT)
    result = engine.search(position, Limits(depth=20))
    assert (result.value, result.proven, result.depth) == (0, True, 9)
    assert result.value_text == "a draw"


def test_a_seed_chooses_among_equal_moves_and_always_the_same() -> None:
    position = find_game("tictactoe").start()
    engine = Engine(position.game, memory=1, features=Features.EXACT)
    chosen = set()
    for seed in range(12):
        result = engine.search(position, Limits(depth=9), optimal=True, seed=seed)
        again = engine.search(position, Limits(depth=9), optimal=True, seed=seed)
        assert len(result.optimal) == 9
        assert result.move == again.move == result.line[0]
        chosen.add(result.move)
    assert len(chosen) > 2


def test_the_table_takes_no_more_memory_than_asked_for() -> None:
    for entries in (1, 3, 1000, 1 << 16):
        table, buckets, ways = new_table(entries)
        assert buckets * ways * ENTRY_BYTES == table.nbytes
        assert entries * ENTRY_BYTES >= table.nbytes > (entries - 4) * ENTRY_BYTES


def test_the_table_asks_for_large_pages_and_for_memory_that_can_have_them() -> None:
    """Memory that may be shared between processes gets small ones, whatever is asked for."""
    maps = Path("/proc/self/smaps")
    if not maps.exists() or "VmFlags" not in maps.read_text():
        pytest.skip("the system does not tell")
    table, _, _ = new_table((8 << 20) // ENTRY_BYTES)
    address = table.ctypes.data
    flags: list[str] = []
    inside = False
    for line in maps.read_text().splitlines():
        first, _, rest = line.partition(" ")
        if "-" in first and not first.endswith(":"):
            low, high = (int(end, 16) for end in first.split("-"))
            inside = low <= address < high
        elif inside and first == "VmFlags:":
            flags = rest.split()
    assert "hg" in flags
    assert "sh" not in flags


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"memory": 0}, "MiB"),
        ({"memory": 1 << 40}, "MiB"),
        ({"threads": 0}, "threads"),
        ({"threads": 100_000}, "threads"),
        ({"entries": 0}, "entries"),
    ],
)
def test_an_engine_that_makes_no_sense_is_refused(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(LimitError, match=message):
        Engine(find_game("tictactoe"), **arguments)  # type: ignore[arg-type]


def test_what_cannot_be_searched_is_refused() -> None:
    game = find_game("tictactoe")
    engine = Engine(game, memory=1)
    with pytest.raises(LimitError, match="this engine plays tictactoe, not breakthrough"):
        engine.search(find_game("breakthrough").start(), Limits(depth=1))
    with pytest.raises(LimitError, match="0 lines"):
        engine.search(game.start(), Limits(depth=1), lines=0)
    finished = game.start()
    for move in ("a1", "a2", "b1", "b2", "c1"):
        finished = finished.play(move)
    with pytest.raises(GameOver, match="nothing to search"):
        engine.search(finished, Limits(depth=1))


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "give a limit"),
        ({"depth": 0}, "depth 0"),
        ({"nodes": 0}, "0 nodes"),
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"seconds": -1.0}, "seconds"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused(limits: dict[str, float], message: str) -> None:
    with pytest.raises(LimitError, match=message):
        Limits(**limits)  # type: ignore[arg-type]


def test_selective_search_plays_better_than_it_looks() -> None:
    """Forward pruning looks at fewer nodes for the same depth, and still sees the win."""
    position = find_game("breakthrough").position("bb4/2w3/6/3b2/6/4ww w")
    exact = Engine(position.game, memory=1, features=Features.EXACT)
    play = Engine(position.game, memory=1)
    first = exact.search(position, Limits(depth=9))
    second = play.search(position, Limits(depth=9))
    assert (first.value > 0) == (second.value > 0)
    start = position.game.start()
    full = exact.search(start, Limits(depth=8)).nodes
    assert play.search(start, Limits(depth=8)).nodes < full
