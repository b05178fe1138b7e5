"""The textbook searches: a tree solved by hand is the oracle, then minimax is."""

from __future__ import annotations

import doctest
import random
from collections.abc import Callable

import pytest

from plyground.core.errors import IllegalMove, LimitError
from plyground.core.game import Game, Position
from plyground.core.registry import find_game, game_names
from plyground.core.values import INFINITY, WIN, plies_to_end
from plyground.search.textbook import algorithms as textbook
from plyground.search.textbook import game_tree
from plyground.search.textbook.algorithms import (
    Answer,
    alpha_beta,
    alpha_beta_search,
    iterative_deepening,
    minimax,
)
from plyground.search.textbook.game_tree import DEEPEST
from plyground.search.textbook.heuristics import score_difference
from plyground.search.textbook.trace import Cut, Leaf, Step
from tests.paths import DOCS
from tests.random_play import random_positions
from tests.sample_games import endless, figure_tree, random_points, random_tree

FIGURE = Game(figure_tree, "figure_tree")
ENDLESS = Game(endless, "endless")
RANDOM_GAMES = [Game(random_tree, "random_tree"), Game(random_points, "random_points")]

Search = Callable[..., Answer]


def with_table(position: Position, depth: int | None = None, **options: object) -> Answer:
    return alpha_beta(position, depth, table=True, **options)  # type: ignore[arg-type]


ALPHA_BETAS: list[Search] = [alpha_beta, alpha_beta_search, with_table]
SEARCHES: list[Search] = [minimax, *ALPHA_BETAS]


def shuffled(seed: int) -> Callable[[Position], list[int]]:
    """A random order of moves that is always the same for the same position."""

    def order(position: Position) -> list[int]:
        moves = list(position.legal_moves)
        random.Random(hash((seed, *position.state))).shuffle(moves)
        return moves

    return order


# The tree solved by hand


@pytest.mark.parametrize("search", SEARCHES)
def test_the_tree_of_the_books_is_worth_3(search: Search) -> None:
    answer = search(FIGURE.start())
    assert answer.value == 3
    assert answer.line_text == ("a1", "b1")
    assert answer.move == 0
    assert answer.leads_to == FIGURE.start().play("a1").play("b1")
    assert answer.leads_to.utility == 3
    assert answer.position == FIGURE.start()
    assert answer.depth is None
    assert answer.proven


def test_minimax_visits_every_node() -> None:
    assert minimax(FIGURE.start()).nodes == 1 + 3 + 9


@pytest.mark.parametrize("search", ALPHA_BETAS)
def test_alpha_beta_leaves_out_exactly_two_leaves(search: Search) -> None:
    steps: list[Step] = []
    answer = search(FIGURE.start(), steps=steps.append)
    leaves = [step.value for step in steps if isinstance(step, Leaf)]
    assert leaves == [3, 12, 8, 2, 14, 5, 2]
    assert [step.moves for step in steps if isinstance(step, Cut)] == [(1, 2)]
    assert answer.nodes == 13 - 2


@pytest.mark.parametrize("search", ALPHA_BETAS)
def test_from_right_to_left_the_tree_of_the_books_saves_less(search: Search) -> None:
    answer = search(FIGURE.start(), order=lambda position: reversed(position.legal_moves))
    assert answer.value == 3
    # d3=2 d2=5 d1=14 give 2; c3=6 c2=4 c1=2 give 2; at b3=8, b2=12 nothing can be left out.
    assert answer.nodes == 13
    best_first = {-1: [0, 1, 2], 0: [0, 1, 2], 1: [0, 1, 2], 2: [2, 1, 0]}
    answer = search(FIGURE.start(), order=lambda position: best_first[position.state.first])
    assert answer.value == 3
    assert answer.nodes == 13 - 4


@pytest.mark.parametrize("search", SEARCHES)
def test_at_a_depth_the_evaluation_decides(search: Search) -> None:
    answer = search(FIGURE.start(), 1)
    assert (answer.value, answer.line, answer.depth) == (2, (2,), 1)
    assert not answer.proven
    assert search(FIGURE.start(), 2).value == 3


@pytest.mark.parametrize("search", SEARCHES)
def test_depth_0_is_the_evaluation_itself(search: Search) -> None:
    answer = search(FIGURE.start(), 0)
    assert (answer.value, answer.line, answer.move, answer.nodes) == (-1, (), None, 1)
    assert answer.leads_to == FIGURE.start()


@pytest.mark.parametrize("search", SEARCHES)
def test_another_evaluation_can_be_given(search: Search) -> None:
    answer = search(FIGURE.start(), 1, evaluate=lambda position: -position.state.first)
    assert (answer.value, answer.line) == (0, (0,))
    assert search(FIGURE.start(), 1, evaluate=score_difference).value == 20


@pytest.mark.parametrize("search", SEARCHES)
def test_an_evaluation_never_passes_for_a_decided_game(search: Search) -> None:
    answer = search(FIGURE.start(), 1, evaluate=lambda _: 10**30)
    assert plies_to_end(answer.value) is None


@pytest.mark.parametrize("search", SEARCHES)
def test_a_finished_game_has_its_value_and_no_line(search: Search) -> None:
    answer = search(FIGURE.start().play("a2").play("c3"))
    assert (answer.value, answer.line, answer.move, answer.nodes) == (6, (), None, 1)


@pytest.mark.parametrize("search", SEARCHES)
def test_of_equal_moves_the_first_in_order_is_chosen(search: Search) -> None:
    nothing = search(FIGURE.start(), 2, evaluate=lambda _: 0)
    assert nothing.value == 3
    equal = search(FIGURE.start(), 1, evaluate=lambda _: 0)
    assert equal.line == (0,)
    order = {"order": lambda _: (1, 2, 0)}
    assert search(FIGURE.start(), 1, evaluate=lambda _: 0, **order).line == (1,)


# Against the registry's games


def test_tic_tac_toe_is_a_draw() -> None:
    start = find_game("tictactoe").start()
    answers = [search(start) for search in (alpha_beta, alpha_beta_search, with_table)]
    assert {answer.value for answer in answers} == {0}
    assert {answer.value_text for answer in answers} == {"a draw"}
    assert all(answer.leads_to.is_over for answer in answers)
    assert answers[2].nodes < answers[0].nodes == answers[1].nodes


@pytest.mark.parametrize("search", SEARCHES)
def test_the_nearer_win_is_chosen_and_the_later_loss(search: Search) -> None:
    game = find_game("tictactoe")
    win_at_once = search(game.position("oo1/xx1/3 x"))
    assert (win_at_once.value, win_at_once.line_text) == (WIN - 1, ("c2",))
    assert search(win_at_once.position, 1).proven
    fork = search(game.position("o1x/1o1/x2 x"))
    assert (fork.value, fork.line_text[0]) == (WIN - 3, "c1")
    assert fork.value_text == "X wins in 3 plies"
    # Every move of O loses here, three of them to the next move of X.
    lost = search(game.position("1x1/x2/xoo o"))
    assert (lost.value, lost.line_text[0]) == (WIN - 4, "a3")
    assert len(lost.line) == 4


@pytest.mark.parametrize("name", game_names())
def test_alpha_beta_agrees_with_minimax_in_every_game(name: str) -> None:
    for number, position in enumerate(random_positions(find_game(name), 150)):
        depth = 3 if number % 10 == 0 else 1 + number % 2
        check_agreement(position, depth, shuffled(number) if number % 2 else None)


@pytest.mark.parametrize("leap", [1, 2, 3])
@pytest.mark.parametrize("game", RANDOM_GAMES, ids=repr)
def test_alpha_beta_agrees_with_minimax_where_players_move_again(game: Game, leap: int) -> None:
    for seed in range(120):
        options = {"seed": seed, "leap": leap, "length": 6 + seed % 3, "again": seed % 100}
        depth = None if seed % 4 == 0 else 1 + seed % 5
        check_agreement(game.start(options), depth, shuffled(seed) if seed % 3 else None)


def check_agreement(
    position: Position, depth: int | None, order: Callable[[Position], list[int]] | None
) -> None:
    expected = minimax(position, depth, order=order)
    assert expected.leads_to.is_over or len(expected.line) == depth
    for search in ALPHA_BETAS:
        answer = search(position, depth, order=order)
        assert (answer.value, answer.line) == (expected.value, expected.line), position
        assert answer.leads_to == expected.leads_to
        assert answer.nodes <= expected.nodes
    unordered = alpha_beta(position, depth)
    assert unordered.value == expected.value
    deepened = iterative_deepening(position, depth or DEEPEST, order=order)
    assert deepened.value == expected.value, position


def test_a_table_saves_nodes_where_positions_are_met_again() -> None:
    start = find_game("tictactoe").start()
    assert alpha_beta(start, 6, table=True).nodes < alpha_beta(start, 6).nodes


@pytest.mark.parametrize("game", RANDOM_GAMES, ids=repr)
def test_a_table_full_of_bounds_never_changes_the_value(game: Game) -> None:
    """Few nodes and many moves: almost every position is met again, with another window."""
    recalled = 0
    for seed in range(150):
        options = {"seed": seed, "length": 6, "width": 3 + seed % 3, "branching": 5, "early": 0}
        start = game.start({**options, "margin": 1 + seed % 9})
        plain, table = alpha_beta(start), alpha_beta(start, table=True)
        assert (table.value, table.line) == (plain.value, plain.line), start
        recalled += plain.nodes - table.nodes
    assert recalled > 0


# Iterative deepening


def test_iterative_deepening_answers_with_the_last_finished_depth() -> None:
    start = find_game("breakthrough").start()
    full = iterative_deepening(start, 3)
    assert full.depth == 3
    assert full.value == alpha_beta(start, 3).value
    cut_short = iterative_deepening(start, nodes=full.nodes - 1)
    assert cut_short.depth == 2
    assert cut_short.value == alpha_beta(start, 2).value
    assert cut_short.nodes <= full.nodes - 1
    assert len(cut_short.line) == 2


def test_iterative_deepening_counts_the_nodes_of_every_depth() -> None:
    start = find_game("connectfour").start()
    one, two = iterative_deepening(start, 1), iterative_deepening(start, 2)
    assert one.nodes == alpha_beta(start, 1).nodes
    assert two.nodes == one.nodes + alpha_beta(start, 2, order=line_first(one)).nodes


def line_first(answer: Answer) -> Callable[[Position], list[int]]:
    def order(position: Position) -> list[int]:
        moves = list(position.legal_moves)
        if position == answer.position:
            moves.remove(answer.line[0])
            moves.insert(0, answer.line[0])
        return moves

    return order


@pytest.mark.parametrize("limit", [{"nodes": 1}, {"seconds": 1e-9}])
def test_depth_1_is_finished_whatever_the_limit(limit: dict[str, float]) -> None:
    start = find_game("breakthrough").start()
    answer = iterative_deepening(start, **limit)  # type: ignore[arg-type]
    assert answer.depth == 1
    assert answer.move in start.legal_moves
    assert answer.value == minimax(start, 1).value


def test_iterative_deepening_stops_when_it_knows_all() -> None:
    assert iterative_deepening(FIGURE.start(), 50).depth == 2
    win_at_once = find_game("tictactoe").position("oo1/xx1/3 x")
    answer = iterative_deepening(win_at_once, 9)
    assert (answer.depth, answer.value) == (1, WIN - 1)
    over = FIGURE.start().play("a1").play("b2")
    assert iterative_deepening(over, seconds=1).value == 12


def test_iterative_deepening_keeps_to_its_time() -> None:
    """With no depth given only the clock can end this search."""
    answer = iterative_deepening(find_game("breakthrough").start(), seconds=0.2)
    assert answer.depth is not None
    assert answer.depth >= 1


def test_iterative_deepening_goes_no_deeper_than_python_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (game_tree, textbook):
        monkeypatch.setattr(module, "DEEPEST", 30)
    start = ENDLESS.start({"counting": True})
    assert iterative_deepening(start, nodes=1_000_000).depth == 30
    assert iterative_deepening(start, 1000).depth == 30


def test_iterative_deepening_uses_the_table_and_the_order() -> None:
    start = find_game("tictactoe").start()
    plain, recalled = iterative_deepening(start, 7), iterative_deepening(start, 7, table=True)
    assert plain.value == recalled.value
    assert recalled.nodes < plain.nodes
    backwards = iterative_deepening(start, 2, order=lambda position: position.legal_moves[::-1])
    assert iterative_deepening(start, 2).line_text == ("b2", "a1")
    assert backwards.line_text == ("b2", "c3")


# Limits and mistakes


@pytest.mark.parametrize("search", SEARCHES)
def test_a_budget_of_nodes_is_kept(search: Search) -> None:
    enough = search(FIGURE.start()).nodes
    assert search(FIGURE.start(), nodes=enough).value == 3
    with pytest.raises(LimitError, match="has visited 5 nodes and is not finished"):
        search(FIGURE.start(), nodes=5)


@pytest.mark.parametrize("search", SEARCHES)
def test_limits_that_make_no_sense_are_refused(search: Search) -> None:
    with pytest.raises(LimitError, match="depth -1: a depth is a whole number from 0 up"):
        search(FIGURE.start(), -1)
    with pytest.raises(LimitError, match="0 nodes: a search visits at least 1"):
        search(FIGURE.start(), nodes=0)


def test_iterative_deepening_wants_a_limit() -> None:
    with pytest.raises(LimitError, match="give a limit"):
        iterative_deepening(FIGURE.start())
    with pytest.raises(LimitError, match="from 1 to 100000"):
        iterative_deepening(FIGURE.start(), 0)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_game_without_end_needs_a_depth(search: Search) -> None:
    with pytest.raises(LimitError, match="more than 400 plies: give a depth"):
        search(ENDLESS.start({"counting": True}))
    assert search(ENDLESS.start(), 30).nodes == 31


@pytest.mark.parametrize("search", SEARCHES)
def test_an_order_that_forgets_or_repeats_moves_is_refused(search: Search) -> None:
    for moves in ([0, 1], [0, 1, 1], [0, 1, 2, 3], [7, 8, 9]):
        with pytest.raises(IllegalMove, match="every legal move once"):
            search(FIGURE.start(), order=lambda _, moves=moves: moves)


def test_the_window_is_wider_than_every_value() -> None:
    assert -INFINITY < -WIN < WIN < INFINITY


def test_random_games_repeat_positions_and_let_players_move_again() -> None:
    """What the comparison above relies on, or it would prove little."""
    for game in RANDOM_GAMES:
        again = saved = 0
        for seed in range(20):
            start = game.start({"seed": seed, "length": 8})
            again += sum(child.turn == start.turn for _, child in start.children())
            saved += alpha_beta(start).nodes - alpha_beta(start, table=True).nodes
        assert again > 0
        assert saved > 0


def test_the_page_about_the_textbook_is_true() -> None:
    page = DOCS / "textbook.md"
    flags = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried > 20
    assert failed == 0
