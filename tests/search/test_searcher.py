"""One interface for every algorithm: what it takes, what it refuses, and how it is stopped."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from plyground.core.errors import GameOver, LimitError
from plyground.core.registry import find_game
from plyground.search.result import Limits
from plyground.search.searcher import (
    LIMITS,
    OPTIONS,
    UNLIMITED,
    Algorithm,
    Searcher,
    SearcherSettings,
    SearchStopped,
    limits_for,
    limits_text,
    make_searcher,
)
from plyground.search.textbook.algorithms import minimax

tictactoe = find_game("tictactoe")

every_algorithm = pytest.mark.parametrize("algorithm", Algorithm)


def shallow(algorithm: Algorithm) -> Limits:
    """Limits that every algorithm reaches at once."""
    if not LIMITS[algorithm]:
        return UNLIMITED
    return Limits(nodes=200) if algorithm is Algorithm.MONTE_CARLO else Limits(depth=2)


@every_algorithm
def test_every_algorithm_finds_a_legal_move(algorithm: Algorithm) -> None:
    position = tictactoe.start().play("b2")
    searcher = make_searcher(algorithm, tictactoe)
    result = searcher.search(position, shallow(algorithm))
    searcher.wait_until_idle()
    assert result.position is position
    assert result.move in position.legal_moves
    assert result.line[0] == result.move


@every_algorithm
def test_a_finished_game_is_refused(algorithm: Algorithm) -> None:
    over = tictactoe.position("xxx/oo1/3 o")
    with pytest.raises(GameOver, match="nothing to search"):
        make_searcher(algorithm, tictactoe).search(over, shallow(algorithm))


@every_algorithm
def test_a_setting_that_an_algorithm_does_not_take_is_refused(algorithm: Algorithm) -> None:
    given = {"threads": 2, "memory": 1, "features": "exact"}
    for name in given.keys() - OPTIONS[algorithm]:
        with pytest.raises(LimitError, match=f"^{name} means nothing to {algorithm.value}"):
            make_searcher(algorithm, tictactoe, SearcherSettings(**{name: given[name]}))  # type: ignore[arg-type]


@every_algorithm
def test_one_thread_is_what_every_algorithm_has(algorithm: Algorithm) -> None:
    searcher = make_searcher(algorithm, tictactoe, SearcherSettings(threads=1))
    assert searcher.search(tictactoe.start(), shallow(algorithm)).move is not None


@every_algorithm
def test_an_option_of_a_search_is_honoured_or_refused(algorithm: Algorithm) -> None:
    position, searcher = tictactoe.start(), make_searcher(algorithm, tictactoe)

    def asked(name: str) -> object:
        limits = shallow(algorithm)
        if name == "lines":
            return searcher.search(position, limits, lines=2)
        if name == "optimal":
            return searcher.search(position, limits, optimal=True)
        return searcher.search(position, limits, seed=0)

    for name in ("lines", "optimal", "seed"):
        if name in OPTIONS[algorithm]:
            assert asked(name)
        else:
            with pytest.raises(LimitError, match=f"^{name} means nothing to {algorithm.value}"):
                asked(name)


@every_algorithm
def test_a_limit_that_an_algorithm_does_not_take_is_refused(algorithm: Algorithm) -> None:
    searcher = make_searcher(algorithm, tictactoe)
    for name, limits in {
        "depth": Limits(depth=2),
        "nodes": Limits(nodes=100),
        "seconds": Limits(seconds=0.01),
    }.items():
        if name not in LIMITS[algorithm]:
            shown = "time" if name == "seconds" else name
            with pytest.raises(LimitError, match=f"^{shown} means nothing to {algorithm.value}"):
                searcher.search(tictactoe.start(), limits)
            with pytest.raises(LimitError, match=f"^{shown} means nothing to {algorithm.value}"):
                limits_for(algorithm, **vars(limits))


def test_the_default_limits_suit_the_algorithm() -> None:
    assert {algorithm.value: limits_text(limits_for(algorithm)) for algorithm in Algorithm} == {
        "engine": "1 s a move",
        "alpha-beta": "1 s a move",
        "minimax": "depth 3 a move",
        "monte-carlo": "1 s a move",
        "perfect": "no limit",
        "random": "no limit",
    }


def test_all_exact_algorithms_agree_on_the_value() -> None:
    position = tictactoe.position("xo1/3/3 x")
    expected = minimax(position).value
    for algorithm in (Algorithm.ENGINE, Algorithm.ALPHA_BETA, Algorithm.MINIMAX):
        found = make_searcher(algorithm, tictactoe).search(position, Limits(depth=9))
        assert (found.value, found.proven) == (expected, True), algorithm
    assert make_searcher(Algorithm.PERFECT, tictactoe).search(position, UNLIMITED).value == expected


def test_perfect_play_knows_every_optimal_move_and_chooses_by_seed() -> None:
    searcher = make_searcher(Algorithm.PERFECT, tictactoe)
    position = tictactoe.start()
    result = searcher.search(position, UNLIMITED, optimal=True)
    assert set(result.optimal) == set(position.legal_moves)
    moves = {searcher.search(position, UNLIMITED, seed=seed).move for seed in range(8)}
    assert len(moves) > 1


def test_random_moves_are_one_sequence_for_each_seed() -> None:
    def moves(seed: int) -> list[int]:
        searcher = make_searcher(Algorithm.RANDOM, tictactoe)
        return [searcher.search(tictactoe.start(), UNLIMITED, seed=seed).move for _ in range(12)]

    assert moves(1) == moves(1) != moves(2)
    assert len(set(moves(1))) > 1


# Stopping


@pytest.mark.parametrize("algorithm", [Algorithm.ENGINE, Algorithm.MONTE_CARLO])
def test_a_compiled_search_that_is_stopped_returns_what_it_has(algorithm: Algorithm) -> None:
    game = find_game("breakthrough")
    searcher = make_searcher(algorithm, game)
    limits = Limits(nodes=10**15)
    result = searcher.search(game.start(), limits, progress=lambda _: searcher.stop())
    assert result.move in game.start().legal_moves


@pytest.mark.parametrize(
    ("algorithm", "limits"),
    [(Algorithm.ALPHA_BETA, UNLIMITED), (Algorithm.MINIMAX, UNLIMITED), ("perfect", UNLIMITED)],
)
def test_a_search_that_is_stopped_without_a_result_says_so(
    algorithm: Algorithm, limits: Limits
) -> None:
    game = find_game("breakthrough")
    searcher = make_searcher(Algorithm(algorithm), game)
    ended = threading.Event()
    stopping = threading.Thread(target=_stop_until, args=[searcher, ended])
    stopping.start()
    try:
        with pytest.raises(SearchStopped):
            searcher.search(game.start(), limits)
    finally:
        ended.set()
        stopping.join()


def _stop_until(searcher: Searcher, ended: threading.Event) -> None:
    while not ended.wait(0.01):
        searcher.stop()


def test_choosing_an_algorithm_loads_no_compiler() -> None:
    code = (
        "import sys; import plyground.search.searcher;"
        "print(*sorted({'numba', 'numpy', 'plyground.search.engine.engine'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


TIMED = {
    "engine": "make_searcher(Algorithm.ENGINE, game)",
    "engine with a net": (
        "make_searcher(Algorithm.ENGINE, game, SearcherSettings(evaluation='learned'))"
    ),
    "alpha-beta": "make_searcher(Algorithm.ALPHA_BETA, game)",
    "monte-carlo": "make_searcher(Algorithm.MONTE_CARLO, game)",
    "monte-carlo, not compiled": "UncompiledMonteCarloSearcher()",
}


@pytest.mark.parametrize("made", TIMED.values(), ids=TIMED.keys())
def test_nothing_is_imported_while_a_search_has_the_time(made: str) -> None:
    code = (
        "import sys; from plyground.core.registry import find_game\n"
        "from plyground.search.result import Limits\n"
        "from plyground.search.searcher import *\n"
        f"game = find_game('breakthrough'); searcher = {made}; loaded = set(sys.modules)\n"
        "searcher.search(game.start(), Limits(seconds=0.1))\n"
        "print(*sorted(sys.modules.keys() - loaded))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
