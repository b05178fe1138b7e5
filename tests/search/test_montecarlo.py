"""Monte Carlo tree search: proofs are right, seeds repeat, limits hold."""

from __future__ import annotations

import gc
import math
from pathlib import Path

import pytest

from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game, game_names
from plyground.core.values import DECIDED, WIN
from plyground.search import montecarlo
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.montecarlo import MonteCarlo
from plyground.search.result import Limits, SearchResult
from plyground.search.textbook.algorithms import minimax
from tests.paths import EXAMPLES
from tests.random_play import random_game, random_positions

GAMES = [*game_names(), str(EXAMPLES / "kalah.py")]


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def test_tic_tac_toe_is_proven_a_draw() -> None:
    position = find_game("tictactoe").start()
    result = MonteCarlo(position.game, memory=16).search(position, Limits(nodes=300_000), seed=1)
    assert result.proven
    assert result.value == 0


def test_what_is_proven_is_what_alpha_beta_finds() -> None:
    game = find_game("tictactoe")
    search = MonteCarlo(game, memory=4)
    engine = Engine(game, memory=4, features=Features.EXACT)
    proven = 0
    for position in random_positions(game, 150):
        result = search.search(position, Limits(nodes=4000), seed=7)
        exact = engine.search(position, Limits(depth=9))
        if result.proven:
            proven += 1
            assert sign(result.value) == sign(exact.value)
            # The proof may be longer than need be, never shorter.
            if result.value >= DECIDED:
                assert result.value <= exact.value
            if result.value <= -DECIDED:
                assert result.value >= exact.value
    assert proven > 100


def test_margins_are_proven_too() -> None:
    game = find_game(str(EXAMPLES / "dots.py"))
    search = MonteCarlo(game, memory=16)
    late = [random_game(game, seed)[-7] for seed in range(30)]
    proven = 0
    for position in late:
        result = search.search(position, Limits(nodes=20_000), seed=1)
        if result.proven:
            proven += 1
            assert result.value == minimax(position).value
            assert result.value == minimax(position.after(result.move)).value
    assert proven > 15


def minimax_of_an_end(position: Position) -> int:
    """Minimax, or what the game is worth if it is over."""
    return position.utility if position.is_over else minimax(position).value


def test_every_move_of_a_proven_line_keeps_the_margin() -> None:
    game = find_game(str(EXAMPLES / "dots.py"))
    search = MonteCarlo(game, memory=16)
    checked = 0
    for number in range(40):
        position = random_game(game, number)[-6]
        result = search.search(position, Limits(nodes=20_000), seed=number)
        if not result.proven:
            continue
        for move in result.line:
            position = position.after(move)
            assert minimax_of_an_end(position) == result.value
            checked += 1
    assert checked > 60


def test_no_seed_makes_the_random_numbers_stand_still() -> None:
    game = find_game("connectfour")
    search = MonteCarlo(game, memory=1)
    means = set()
    for seed in (None, *range(-3, 60), (1 << 64) - 1, 1 << 64, 1 << 80):
        means.add(search.search(game.start(), Limits(nodes=100), seed=seed).value)
    assert len(means) > 20


def test_random_numbers_never_begin_with_the_word_that_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = find_game("connectfour")
    search = MonteCarlo(game, memory=1)
    monkeypatch.setattr(montecarlo, "mix", lambda *_: 0)
    moving = search.search(game.start(), Limits(nodes=100)).value
    monkeypatch.setattr(montecarlo, "RANDOM_WORD", 0)
    assert search.search(game.start(), Limits(nodes=100)).value != moving


def test_what_is_always_lost_is_worth_as_little_as_can_be() -> None:
    """One random game, lost: an average of nothing, which is not the same as no average."""
    game = find_game("tictactoe")
    search = MonteCarlo(game, memory=1)
    values = {search.search(game.start(), Limits(nodes=1), seed=seed).value for seed in range(40)}
    assert values == {-1000, 0, 1000}


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_the_same_seed_gives_the_same_tree(name: str) -> None:
    position = find_game(name).start()
    search = MonteCarlo(position.game, memory=4)
    first = search.search(position, Limits(nodes=3000), seed=5)
    second = search.search(position, Limits(nodes=3000), seed=5)
    assert (first.line, first.value, first.nodes) == (second.line, second.value, second.nodes)
    others = [search.search(position, Limits(nodes=3000), seed=seed) for seed in range(6, 12)]
    assert any(other.value != first.value or other.line != first.line for other in others)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_however_short_the_time_there_is_a_legal_move(name: str) -> None:
    position = find_game(name).start()
    search = MonteCarlo(position.game, memory=1)
    for limits in (Limits(seconds=1e-9), Limits(nodes=1), Limits(nodes=2), Limits(seconds=0.01)):
        result = search.search(position, limits)
        assert result.move in position.legal_moves


def test_tables_have_what_the_kernel_computes_beyond_them() -> None:
    widths, growths = montecarlo.tables()
    assert len(widths) == len(growths) == montecarlo.TABLED_VISITS
    for visits in (1, 2, 3, 10, 999, 4096, len(widths) - 1):
        assert widths[visits] == montecarlo.EXPLORATION / math.sqrt(visits)
        assert growths[visits] == math.sqrt(math.log(visits + 1.0))


def test_a_game_goes_on_beyond_the_tables() -> None:
    position = find_game("connectfour").start()
    search = MonteCarlo(position.game, memory=16)
    result = search.search(position, Limits(nodes=2 * montecarlo.TABLED_VISITS), seed=1)
    assert result.nodes == 2 * montecarlo.TABLED_VISITS
    assert position.move_text(result.move) == "d"


def test_a_win_in_one_is_found_at_once() -> None:
    position = find_game("connectfour").start()
    for move in ("a", "b", "a", "b", "a", "b"):
        position = position.play(move)
    result = MonteCarlo(position.game, memory=4).search(position, Limits(nodes=2000), seed=1)
    assert position.move_text(result.move) == "a"
    assert (result.value, result.proven) == (WIN - 1, True)


def test_a_full_tree_goes_on_with_what_it_has() -> None:
    position = find_game("breakthrough").start()
    search = MonteCarlo(position.game, memory=1)
    result = search.search(position, Limits(nodes=60_000), seed=1)
    assert result.nodes == 60_000
    assert result.move in position.legal_moves


def test_progress_is_told_and_a_search_can_be_stopped() -> None:
    position = find_game("breakthrough").start()
    search = MonteCarlo(position.game, memory=4)
    reports: list[SearchResult] = []

    def stop_after_two(result: SearchResult) -> None:
        reports.append(result)
        if len(reports) == 2:
            search.stop()

    result = search.search(position, Limits(seconds=600), seed=1, progress=stop_after_two)
    assert len(reports) == 2
    assert reports[0].nodes < reports[1].nodes == result.nodes


@pytest.mark.parametrize("limits", [Limits(nodes=100, seconds=600), Limits(nodes=100)])
def test_garbage_is_collected_unless_there_is_a_time_limit(limits: Limits) -> None:
    game = find_game("tictactoe")
    collecting: list[bool] = []
    search = MonteCarlo(game, memory=1)
    search.search(game.start(), limits, progress=lambda _: collecting.append(gc.isenabled()))
    assert collecting == [limits.seconds is None]
    assert gc.isenabled()


def test_what_cannot_be_searched_is_refused() -> None:
    game = find_game("tictactoe")
    search = MonteCarlo(game, memory=1)
    with pytest.raises(LimitError, match="not a depth"):
        search.search(game.start(), Limits(depth=3))
    with pytest.raises(LimitError, match="a number of nodes or a time, not a depth"):
        search.search(game.start(), Limits(depth=3, nodes=100))
    with pytest.raises(LimitError, match="this search plays tictactoe, not breakthrough"):
        search.search(find_game("breakthrough").start(), Limits(nodes=10))
    with pytest.raises(GameOver, match="nothing to search"):
        search.search(random_game(game, 1)[-1], Limits(nodes=10))
    with pytest.raises(LimitError, match="MiB"):
        MonteCarlo(game, memory=0)
