"""A net in the engine is what it is in Python, for every game; and it is for one board only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyground import Engine, Limits, find_game
from plyground.core.errors import FormatError, LimitError
from plyground.core.game import Game, Position
from plyground.core.registry import game_names
from plyground.core.values import bounded
from plyground.search.features import Features
from plyground.search.net.evaluation import EvaluationChoice, find_net, net_name
from plyground.search.net.files import write_net
from plyground.search.net.layout import BITS, NUMBER, UNUSED, find_layout
from plyground.search.net.net import Net, fingerprint
from plyground.search.random_games import random_positions
from plyground.search.searcher import UNLIMITED, Algorithm, SearcherSettings, make_searcher
from plyground.search.textbook.algorithms import minimax
from tests.paths import EXAMPLES
from tests.search.net.random_nets import random_net, sample

GAMES = [*game_names(), str(EXAMPLES / "kalah.py"), str(EXAMPLES / "dots.py")]


def with_net(game: Game, net: Net) -> Game:
    """The game with the net as its evaluation, in Python."""

    def evaluate(board: Any, state: Any) -> int:
        position = Position(game, board, state)
        side = position.turn
        points = game.rules.point * game.rules.score(board, state) if game.rules.point else 0
        value = net.value(position) if side == 0 else -net.value(position)
        value = bounded(value + points)
        if game.rules.point and "bounds" not in game.rules.defaults:
            least, most = game.rules.bounds(board, state)
            value = min(max(value, least * game.rules.point), most * game.rules.point)
        return value

    return game.replace(evaluate=evaluate)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
@pytest.mark.parametrize("largest", [200, 30_000])
def test_the_engine_with_a_net_is_minimax_with_the_net(name: str, largest: int) -> None:
    game = find_game(name)
    start = game.start()
    net = random_net(start, seed=largest, largest=largest)
    features = Features.EXACT
    if name == "slant":  # its key is the same for states that are worth the same, unlike a net
        features &= ~Features.TABLE
    engine = Engine(game, memory=1, features=features, evaluation=net)
    textbook = with_net(game, net)
    for position in random_positions(start, 6, seed=3, step=3):
        same = Position(textbook, position.board, position.state)
        expected = minimax(same, 2).value
        engine.clear()
        assert engine.search(position, Limits(depth=2)).value == expected


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["breakthrough", str(EXAMPLES / "kalah.py")])
def test_values_do_not_depend_on_what_was_searched_before(name: str, threads: int) -> None:
    """A net goes on from the last state of each thread, whatever that was."""
    game = find_game(name)
    net = random_net(game.start(), seed=4, largest=30_000)
    features = Features.EXACT & ~Features.TABLE
    engine = Engine(game, memory=1, threads=threads, features=features, evaluation=net)
    for position in random_positions(game.start(), 12, seed=5, step=3):
        fresh = Engine(game, memory=1, features=features, evaluation=net)
        for depth in (1, 3):
            limits = Limits(depth=depth)
            assert engine.search(position, limits).value == fresh.search(position, limits).value


def test_without_an_evaluation_the_points_so_far_count() -> None:
    game = find_game("slant")
    engine = Engine(game, memory=1, features=Features.EXACT, evaluation="none")
    plain = game.replace(evaluate=None)
    for position in random_positions(game.start(), 4, seed=1, step=4):
        same = Position(plain, position.board, position.state)
        engine.clear()
        assert engine.search(position, Limits(depth=2)).value == minimax(same, 2).value


def test_threads_share_a_net() -> None:
    game = find_game("connectfour")
    net = random_net(game.start(), seed=5)
    one = Engine(game, memory=1, features=Features.EXACT, evaluation=net)
    two = Engine(game, memory=1, threads=2, features=Features.EXACT, evaluation=net)
    limits = Limits(depth=6)
    assert one.search(game.start(), limits).value == two.search(game.start(), limits).value


def test_another_evaluation_forgets_what_the_first_has_found() -> None:
    game = find_game("tictactoe")
    start, limits = game.start(), Limits(depth=3)
    nets = [random_net(start, seed) for seed in (1, 2)]
    engine = Engine(game, memory=1, features=Features.EXACT, evaluation=nets[0])
    engine.search(start, limits)
    engine.use_evaluation(nets[1])
    fresh = Engine(game, memory=1, features=Features.EXACT, evaluation=nets[1])
    assert engine.search(start, limits).value == fresh.search(start, limits).value
    engine.use_evaluation("own")
    own = Engine(game, memory=1, features=Features.EXACT)
    assert engine.search(start, limits).value == own.search(start, limits).value


# What a state is to a net


def kinds(name: str) -> dict[str, int]:
    layout = find_layout(sample(find_game(name).start()))
    return {item.name: item.kind for item in layout.items}


def test_words_and_numbers_are_features_and_the_turn_is_not() -> None:
    assert kinds("breakthrough") == {"white": BITS, "black": BITS, "turn": UNUSED}
    found = kinds(str(EXAMPLES / "kalah.py"))
    assert found["south[0]"] == found["stores[1]"] == NUMBER
    assert found["turn"] == UNUSED


def test_the_points_so_far_are_no_features() -> None:
    found = kinds("derby")
    assert found["green_points"] == found["red_points"] == UNUSED
    assert found["swimming"] == BITS
    assert found["ply"] == NUMBER


def test_a_fingerprint_is_that_of_rules_and_board_and_not_of_the_evaluation() -> None:
    game = find_game("breakthrough")
    known = fingerprint(game, game.board())
    assert fingerprint(game.replace(evaluate=None), game.board()) == known
    assert fingerprint(game, game.board({"rows": 5})) != known

    def over(board: Any, state: Any) -> bool:
        return bool(game.rules.over(board, state) or state.white.bit_count() < 11)

    assert fingerprint(game.replace(over=over), game.board()) != known


# Which evaluation is used


@pytest.fixture
def adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this machine's nets."""
    monkeypatch.setenv("PLYGROUND_NETS", str(tmp_path))
    return tmp_path


def test_an_adopted_net_is_used_unless_another_evaluation_is_named(adopted: Path) -> None:
    game = find_game("tictactoe")
    board = game.board()
    assert EvaluationChoice(game, None).for_board(board) == "own"
    net = random_net(game.start(), 1)
    write_net(adopted / net_name(game, board), net)
    for word in (None, "learned"):
        chosen = EvaluationChoice(game, word).for_board(board)
        assert isinstance(chosen, Net)
        assert np.array_equal(chosen.rows, net.rows)
    assert EvaluationChoice(game, "own").for_board(board) == "own"
    assert EvaluationChoice(game, "none").for_board(board) == "none"
    assert find_net(game.replace(evaluate=None), board) is None


def test_a_result_tells_which_evaluation_it_rests_on(adopted: Path) -> None:
    game = find_game("tictactoe")
    net = random_net(game.start(), 1)
    path = adopted / net_name(game, game.board())
    write_net(path, net)
    told: dict[str | Net | None, str] = {"own": "own", "none": "none", "learned": "learned"}
    told |= {None: "learned", net: "learned", str(path): str(path)}
    engine = Engine(game, memory=1)
    for evaluation, name in told.items():
        engine.use_evaluation(evaluation)
        assert engine.search(game.start(), Limits(depth=2)).evaluation == name
    monte_carlo = make_searcher(Algorithm.MONTE_CARLO, game, SearcherSettings(memory=1))
    assert monte_carlo.search(game.start(), Limits(nodes=10)).evaluation is None
    assert make_searcher(Algorithm.PERFECT, game).search(game.start(), UNLIMITED).evaluation is None


def test_a_net_for_another_board_is_not_used_and_that_is_said(adopted: Path) -> None:
    game = find_game("breakthrough")
    path = adopted / net_name(game, game.board())
    write_net(path, random_net(game.start(), 1))
    small = game.board({"rows": 4, "columns": 4})
    assert EvaluationChoice(game, None).for_board(small) == "own"
    with pytest.raises(LimitError, match="no evaluation of breakthrough was learned for these"):
        EvaluationChoice(game, "learned").for_board(small)
    with pytest.raises(LimitError, match="was learned for breakthrough with its usual board: this"):
        EvaluationChoice(game, str(path)).for_board(small)
    with pytest.raises(LimitError, match="was learned for breakthrough, not for tictactoe"):
        EvaluationChoice(find_game("tictactoe"), str(path)).for_board(small)


def test_a_searcher_takes_an_evaluation_and_others_refuse_it(adopted: Path) -> None:
    game = find_game("tictactoe")
    make_searcher(Algorithm.ENGINE, game, SearcherSettings(evaluation="none"))
    with pytest.raises(LimitError, match="evaluation means nothing to monte-carlo"):
        make_searcher(Algorithm.MONTE_CARLO, game, SearcherSettings(evaluation="none"))
    with pytest.raises(FormatError, match="it is own, none, learned or the file of a net"):
        make_searcher(Algorithm.ENGINE, game, SearcherSettings(evaluation="clever"))
