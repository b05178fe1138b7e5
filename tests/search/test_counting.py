"""Counting the states that searches visit: compiled, the same as the textbook's own count."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from plyground.core.errors import GameFileError, GameOver, LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game, game_names
from plyground.search.counting import ALPHA_BETA, MINIMAX, Counter, Method
from plyground.search.random_games import random_positions
from plyground.search.textbook.algorithms import alpha_beta, minimax
from tests.paths import EXAMPLES

GAMES = [*game_names(), str(EXAMPLES / "kalah.py"), str(EXAMPLES / "dots.py")]

COUNTERS: dict[str, Counter] = {}


def counter(name: str) -> Counter:
    if name not in COUNTERS:
        COUNTERS[name] = Counter(find_game(name))
    return COUNTERS[name]


def some_positions(name: str) -> list[Position]:
    start = find_game(name).start()
    return [start, *random_positions(start, 2, seed=5, step=3)]


@pytest.mark.parametrize("name", GAMES)
def test_states_are_counted_as_the_textbook_counts_them(name: str) -> None:
    for position in some_positions(name):
        for depth in (1, 2, 3):
            book = minimax(position, depth)
            counted = counter(name).search(position, depth, MINIMAX)
            assert counted[:3] == (book.move, book.value, book.nodes)
            book = alpha_beta(position, depth)
            counted = counter(name).search(position, depth, ALPHA_BETA)
            assert counted[:3] == (book.move, book.value, book.nodes)


@pytest.mark.parametrize("name", GAMES)
def test_a_table_recalls_what_the_textbooks_table_recalls(name: str) -> None:
    for position in some_positions(name):
        book = alpha_beta(position, 3, table=True)
        counted = counter(name).search(position, 3, Method(table=True))
        assert counted.value == book.value
        assert counted.nodes <= book.nodes, "a key may leave out what has no say in what follows"


@pytest.mark.parametrize("name", GAMES)
def test_no_order_of_the_children_changes_the_value(name: str) -> None:
    for position in some_positions(name):
        value = counter(name).search(position, 3, MINIMAX).value
        for method in (
            Method(shuffle="all"),
            Method(shuffle="max"),
            Method(ordered=True),
            Method(ordered=True, table=True, shuffle="all"),
            Method(cut="past"),
        ):
            assert counter(name).search(position, 3, method, seed=8).value == value


def test_the_same_seed_shuffles_in_the_same_way() -> None:
    position = find_game("connectfour").start()
    counts = [
        counter("connectfour").search(position, 4, Method(shuffle="all"), seed)
        for seed in (1, 1, 2, 3, 4)
    ]
    assert counts[0] == counts[1]
    assert len(set(counts)) > 2


def test_minimax_visits_everything_in_any_order() -> None:
    position = find_game("connectfour").start()
    shuffled = Method(prunes=False, shuffle="all")
    counts = {counter("connectfour").search(position, 4, shuffled, seed).nodes for seed in range(5)}
    assert counts == {1 + 7 + 7**2 + 7**3 + 7**4}


def test_minimax_knows_every_move_as_good_as_the_best() -> None:
    position = find_game("tictactoe").position("o1x/1o1/x2 x")
    counted = counter("tictactoe").search(position, 9, Method(prunes=False, shuffle="all"))
    moves = {
        move
        for move, child in position.children()
        if not child.is_over and minimax(child).value == counted.value + 1
    }
    assert set(counted.equals) == moves
    assert counted.move in moves
    assert counter("tictactoe").search(position, 9, ALPHA_BETA).equals == (counted.equals[0],)


def test_every_order_of_the_children_comes_up_equally_often() -> None:
    """Of nine equal first moves each is chosen about a ninth of the time."""
    position = find_game("tictactoe").start()
    chosen = [
        counter("tictactoe")
        .search(position, 1, Method(prunes=False, plain=True, shuffle="max"), seed)
        .move
        for seed in range(900)
    ]
    counts = [chosen.count(move) for move in position.legal_moves]
    assert sum(counts) == 900
    assert all(70 <= count <= 130 for count in counts)


def test_only_the_searchers_own_children_are_shuffled() -> None:
    """Depth 2, the second player to search: what it replies last is the first player's business."""
    position = find_game("connectfour").start().play("d")
    plain = Method(plain=True, shuffle="max")
    lines = {counter("connectfour").search(position, 1, plain, seed).move for seed in range(40)}
    assert lines == set(position.legal_moves)


def test_a_plain_value_is_the_result_however_late_it_comes() -> None:
    position = find_game("tictactoe").position("o1x/1o1/x2 x")
    assert counter("tictactoe").search(position, 9, Method(plain=True)).value == 1
    assert counter("tictactoe").search(position, 1, Method(plain=True)).value == 0


def test_plain_values_are_cut_as_the_textbook_would_cut_them() -> None:
    """The textbook with utilities for values, written down once more."""

    def visited(position: Position, depth: int, alpha: int, beta: int) -> tuple[int, int]:
        if position.is_over:
            return position.utility, 1
        if depth == 0:
            return 0, 1
        total, best = 1, -9 if position.turn == 0 else 9
        for _, child in position.children():
            value, below = visited(child, depth - 1, alpha, beta)
            total += below
            if position.turn == 0:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if beta <= alpha:
                break
        return best, total

    for position in some_positions("tictactoe"):
        counted = counter("tictactoe").search(position, 5, Method(plain=True, window=(-2, 2)))
        assert counted[1:3] == visited(position, 5, -2, 2)


def test_a_window_is_seen_by_the_player_who_searches() -> None:
    """Content with a draw, the second player stops looking when it has found one."""
    position = find_game("tictactoe").start().play("b2")
    wide = counter("tictactoe").search(position, 9, Method(plain=True))
    content = counter("tictactoe").search(position, 9, Method(plain=True, window=(-2, 0)))
    hopeful = counter("tictactoe").search(position, 9, Method(plain=True, window=(0, 2)))
    assert wide.value == 0
    assert content.value <= 0
    assert content.nodes < wide.nodes
    assert hopeful.value >= 0


def test_cutting_past_the_bounds_visits_more() -> None:
    position = find_game("tictactoe").start()
    at = counter("tictactoe").search(position, 5, Method(plain=True))
    past = counter("tictactoe").search(position, 5, Method(plain=True, cut="past"))
    assert past.value == at.value
    assert past.nodes > 2 * at.nodes


def test_ordering_and_the_table_save_states() -> None:
    position = find_game("connectfour").start()
    count = counter("connectfour")
    nodes = [
        count.search(position, 7, method).nodes
        for method in (MINIMAX, ALPHA_BETA, Method(ordered=True), Method(ordered=True, table=True))
    ]
    assert nodes == sorted(nodes, reverse=True)
    assert nodes[0] > 20 * nodes[1]


def test_searches_with_one_table_do_not_disturb_each_other() -> None:
    method = Method(ordered=True, table=True)
    positions = some_positions("connectfour")
    random.Random(1).shuffle(positions)
    first = [Counter(find_game("connectfour")).search(p, 5, method) for p in positions]
    again = [counter("connectfour").search(p, 5, method) for p in positions]
    assert first == again


@pytest.mark.parametrize("depth", [0, -1, 401])
def test_a_depth_that_makes_no_sense_is_refused(depth: int) -> None:
    with pytest.raises(LimitError, match=f"depth {depth}: a depth is a whole number from 1 to 400"):
        counter("tictactoe").search(find_game("tictactoe").start(), depth, MINIMAX)


def test_a_finished_game_and_another_game_are_refused() -> None:
    with pytest.raises(GameOver, match=r"the game is over \(.*\): nothing to search"):
        counter("tictactoe").search(find_game("tictactoe").position("xxx/oo1/3 o"), 1, MINIMAX)
    with pytest.raises(LimitError, match="this counter is for tictactoe, not connectfour"):
        counter("tictactoe").search(find_game("connectfour").start(), 1, MINIMAX)


def test_a_game_that_goes_on_without_a_move_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "stuck.py"
    path.write_text(
        (EXAMPLES / "nim.py").read_text().replace("state.heaps == (0, 0, 0)", "state.turn > 1")
    )
    game = find_game(str(path))
    with pytest.raises(GameFileError, match="lists no move, but over"):
        Counter(game).search(game.position("heaps=1,0,0 turn=0"), 3, MINIMAX)
