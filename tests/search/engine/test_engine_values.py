"""The engine says what textbook minimax says: every game, every exact mode, every kind of table."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.game import Options, Position
from plyground.core.registry import find_game, game_names
from plyground.core.values import DECIDED, INFINITY, bounded, terminal_value
from plyground.search.engine.engine import Engine
from plyground.search.engine.kernel import FUTILITY_MARGIN
from plyground.search.features import Features
from plyground.search.random_games import random_game
from plyground.search.random_games import random_positions as sample_positions
from plyground.search.result import Limits, SearchResult
from plyground.search.textbook.algorithms import alpha_beta, minimax
from tests.paths import EXAMPLES, SAMPLE_GAMES
from tests.random_play import random_positions

RANDOM_TREE = str(SAMPLE_GAMES / "random_tree.py")
RANDOM_POINTS = str(SAMPLE_GAMES / "random_points.py")
KALAH = str(EXAMPLES / "kalah.py")
DOTS = str(EXAMPLES / "dots.py")
GAMES = [*game_names(), RANDOM_TREE, RANDOM_POINTS, KALAH, DOTS]

EXACT_MODES = {
    "bare": Features.NONE,
    "table": Features.TABLE,
    "scout": Features.SCOUT,
    "ordering": Features.KILLERS | Features.HISTORY | Features.NOISY_FIRST,
    "without scout": Features.EXACT & ~Features.SCOUT,
    "without table": Features.EXACT & ~Features.TABLE,
    "all": Features.EXACT,
}
TABLES = {"usual": None, "one entry": 1, "one bucket": 4, "three buckets": 12}
TINY_TABLES = [table for table in TABLES if table != "usual"]

SHARES = {
    **dict.fromkeys(EXACT_MODES, 110),
    **dict.fromkeys(TINY_TABLES, 60),
    "two threads": 60,
    "optimal moves": 30,
    "best lines": 30,
}
"""How many positions of each game each test takes; no two of them are the same."""


@cache
def engine_of(name: str, mode: str, table: str, threads: int = 1) -> Engine:
    return Engine(
        find_game(name),
        memory=1,
        entries=TABLES[table],
        features=EXACT_MODES[mode],
        threads=threads,
    )


def value_at_end_of_line(result: SearchResult) -> int:
    """What the position is worth to which the line leads."""
    position = result.position
    for move in result.line:
        position = position.play(move)
    if position.is_over:
        return terminal_value(position.utility, position.game.rules.point, len(result.line))
    return bounded(position.evaluation)


def assert_like_minimax(position: Position, depth: int, engine: Engine) -> SearchResult:
    expected = minimax(position, depth)
    result = engine.search(position, Limits(depth=depth))
    assert result.value == expected.value, f"{position!r} to depth {depth}"
    assert result.bound == "exact"
    assert result.move in position.legal_moves
    assert result.depth == depth or result.proven
    if expected.proven and result.proven and len(position.legal_moves) <= 12:
        assert alpha_beta(position, depth + 1).value == result.value  # sooner than minimax
    return result


def depth_for(position: Position, chance: random.Random) -> int:
    """Mostly a shallow search, as textbook minimax takes several times as long for each ply; deeper
    where there are few moves."""
    if position.game.name in ("random_tree", "random_points"):
        return chance.randint(1, 6)
    moves = len(position.legal_moves)
    if position.game.name == "breakthrough" and position.board.columns == 3:
        return chance.choice([2, 2, 2, 3, 3, 3, 4, 5 if moves <= 5 else 3])
    if moves <= 5:
        return chance.choice([2, 2, 2, 3, 3, 4])
    return chance.choice([1, 1, 1, 2] if moves > 16 else [1, 1, 1, 1, 1, 2, 2, 2, 2, 3])


def options_for(name: str, chance: random.Random) -> Options:
    """A random tree for the random games; the usual board, or an odd one, for the others."""
    if "random" in name:
        return {
            "seed": chance.randrange(10**6),
            "length": chance.randint(3, 14),
            "leap": chance.randint(1, 3),
            "width": chance.randint(1, 9),
            "branching": chance.randint(1, 5),
            "again": chance.choice([0, 30, 60]),
            "early": chance.choice([0, 5, 20]),
        }
    if name == "breakthrough":
        small: list[Options] = [{"rows": 4, "columns": 3}, {"rows": 5, "columns": 3}]
        return chance.choice([{}, *small, {"rows": 8, "columns": 8}])
    if name == "blocker":
        return {
            "board": "random",
            "seed": chance.randrange(10**6),
            "width": chance.randint(2, 7),
            "height": chance.randint(3, 7),
            "food": chance.randint(1, 3),
            "stuck": chance.choice(["either", "mover"]),
        }
    return {}


@cache
def different_positions(name: str) -> tuple[Position, ...]:
    """As many different positions, none of them over, as all the tests here take together."""
    game, chance = find_game(name), random.Random(name.rpartition("/")[2])
    found: dict[Position, None] = {}
    while len(found) < sum(SHARES.values()):
        start = game.start(options_for(name, chance))
        position = random_game(start, chance.randrange(10**9), chance.randint(0, 14)).last
        if not position.is_over:
            found[position] = None
    return tuple(found)


def share(name: str, test: str) -> tuple[Position, ...]:
    """The positions that one test takes."""
    before = sum(SHARES[other] for other in list(SHARES)[: list(SHARES).index(test)])
    return different_positions(name)[before : before + SHARES[test]]


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_more_than_a_thousand_positions_of_each_game_are_compared(name: str) -> None:
    compared = [position for test in SHARES for position in share(name, test)]
    assert len({(position.text, repr(position.board)) for position in compared}) > 1000


@pytest.mark.parametrize("mode", EXACT_MODES)
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_the_value_is_that_of_minimax_in_every_exact_mode(name: str, mode: str) -> None:
    chance = random.Random(mode)
    for position in share(name, mode):
        result = assert_like_minimax(
            position, depth_for(position, chance), engine_of(name, mode, "usual")
        )
        if not EXACT_MODES[mode] & Features.TABLE or EXACT_MODES[mode] & Features.SCOUT:
            assert value_at_end_of_line(result) == result.value


@pytest.mark.parametrize("table", TINY_TABLES)
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_a_tiny_table_in_which_all_collides_changes_no_value(name: str, table: str) -> None:
    chance = random.Random(table)
    for number, position in enumerate(share(name, table)):
        mode = ("table", "all")[number % 2]
        assert_like_minimax(position, depth_for(position, chance), engine_of(name, mode, table))


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_two_threads_find_the_same_value(name: str) -> None:
    chance = random.Random(5)
    engine = engine_of(name, "all", "usual", threads=2)
    for position in share(name, "two threads"):
        result = assert_like_minimax(position, depth_for(position, chance), engine)
        assert value_at_end_of_line(result) == result.value


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(
    ("name", "options", "depth"),
    [("breakthrough", {"rows": 5, "columns": 4}, 9), ("connectfour", {}, 9)],
)
def test_threads_that_help_in_a_deep_search_change_no_value(
    name: str, options: Options, depth: int, threads: int
) -> None:
    """Deep enough that all threads take part, on a table so small that they overwrite each other's
    entries all the time. One thread alone always looks at the same number of nodes."""
    game = find_game(name)
    alone = Engine(game, entries=2048, features=Features.EXACT)
    together = Engine(game, entries=2048, threads=threads, features=Features.EXACT)
    more_nodes = 0
    for position in sample_positions(game.start(options), count=12, seed=threads, step=1):
        expected = alone.search(position, Limits(depth=depth))
        result = together.search(position, Limits(depth=depth))
        assert (result.value, result.proven) == (expected.value, expected.proven), repr(position)
        assert value_at_end_of_line(result) == result.value
        more_nodes += result.nodes - expected.nodes
    assert more_nodes > 0


@settings(max_examples=300)
@given(data=st.data(), name=st.sampled_from(GAMES), mode=st.sampled_from(sorted(EXACT_MODES)))
def test_whatever_the_moves_the_value_is_that_of_minimax(
    data: st.DataObject, name: str, mode: str
) -> None:
    position = find_game(name).start()
    for choice in data.draw(st.lists(st.integers(0, 10**6), max_size=20)):
        following = position.after(position.legal_moves[choice % len(position.legal_moves)])
        if following.is_over:
            break
        position = following
    assert_like_minimax(position, data.draw(st.integers(1, 2)), engine_of(name, mode, "usual"))


@settings(max_examples=400)
@given(
    seed=st.integers(0, 10**9),
    length=st.integers(2, 16),
    width=st.integers(1, 4),
    branching=st.integers(1, 5),
    leap=st.integers(1, 3),
    again=st.integers(0, 100),
    early=st.integers(0, 40),
    depth=st.integers(1, 5),
    points=st.booleans(),
    deeper_first=st.booleans(),
)
def test_a_table_full_of_bounds_never_changes_the_value(
    seed: int,
    length: int,
    width: int,
    branching: int,
    leap: int,
    again: int,
    early: int,
    depth: int,
    points: bool,
    deeper_first: bool,
) -> None:
    """Narrow trees meet themselves all the time, by paths of different lengths. The table may hold
    what a deeper search found, too, and must not tell it to a shallower one."""
    name = RANDOM_POINTS if points else RANDOM_TREE
    options = {
        "seed": seed,
        "length": length,
        "width": width,
        "branching": branching,
        "leap": leap,
        "again": again,
        "early": early,
    }
    position = find_game(name).start(options)
    if position.is_over:
        return
    engine = engine_of(name, "all", "usual")
    if deeper_first:
        engine.search(position, Limits(depth=depth + 3))
    assert_like_minimax(position, depth, engine)


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_all_optimal_moves_are_those_that_minimax_values_alike(name: str) -> None:
    chance = random.Random(7)
    engine = engine_of(name, "all", "usual")
    for position in share(name, "optimal moves"):
        depth = depth_for(position, chance)
        result = engine.search(position, Limits(depth=depth), optimal=True)
        sign = 1 if position.turn == 0 else -1
        values = child_values(position, result.depth)
        best = max(sign * value for value in values.values())
        assert set(result.optimal) == {
            move for move, value in values.items() if sign * value == best
        }
        assert result.value == sign * best


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_the_best_lines_have_the_values_that_minimax_gives_their_moves(name: str) -> None:
    chance = random.Random(9)
    engine = engine_of(name, "all", "usual")
    for position in share(name, "best lines"):
        result = engine.search(position, Limits(depth=depth_for(position, chance)), lines=3)
        values = child_values(position, result.depth)
        sign = 1 if position.turn == 0 else -1
        wanted = sorted((sign * value for value in values.values()), reverse=True)
        told = [sign * line.value for line in result.lines] or [sign * result.value]
        assert told == wanted[:3]
        for line in result.lines:
            assert values[line.moves[0]] == line.value


def child_values(position: Position, depth: int) -> dict[int, int]:
    """Minimax of each child, its wins and losses a ply farther away as seen from here."""
    values = {}
    for move, child in position.children():
        value = minimax(child, depth - 1).value
        if abs(value) >= DECIDED:
            value -= 1 if value > 0 else -1
        values[move] = value
    return values


@pytest.mark.parametrize("name", GAMES)
def test_futility_leaves_out_what_is_far_too_good_for_the_other_player(name: str) -> None:
    """Two plies, with the rule written down again: a reply is searched only if it may be needed."""
    game = find_game(name)
    engine = Engine(game, memory=1, features=Features.SCOUT | Features.FUTILITY)
    changed = 0
    for position in random_positions(game, 60):
        engine.clear()
        value = engine.search(position, Limits(depth=2)).value
        assert value == futile_value(position)
        changed += value != minimax(position, 2).value
    # Evaluations of a random tree have nothing to do with what follows: there it matters.
    assert changed > 0 or name != RANDOM_POINTS


def futile_value(position: Position) -> int:
    """The value of a search of two plies for the first player, in the order of one ply."""
    point = position.game.rules.point
    margin = max(point // 2, 1) if point else FUTILITY_MARGIN
    sign = 1 if position.turn == 0 else -1
    first, second = (child_values(position, depth) for depth in (1, 2))
    children = dict(position.children())
    best = -INFINITY
    for number, move in enumerate(sorted(first, key=lambda move: -sign * first[move])):
        child = children[move]
        if number > 0 and child.turn != position.turn and not child.is_over:
            worth = -sign * bounded(child.evaluation)
            if abs(best) < DECIDED and worth - margin >= -best:
                continue
        best = max(best, sign * second[move])
    return sign * best


@pytest.mark.parametrize("name", game_names())
def test_quiescence_is_alpha_beta_over_noisy_moves_with_the_right_to_stand_pat(name: str) -> None:
    """The compiled quiescence search against one written down again, as plain as can be."""
    engine = Engine(find_game(name), memory=1, features=Features.EXACT | Features.QUIESCENCE)
    for position in random_positions(find_game(name), 12):
        expected = minimax(
            position, 1, evaluate=lambda leaf: stand_pat_value(leaf, -INFINITY, INFINITY, 1)
        )
        # The textbook takes what its leaves say for estimates, so wins are cut down to one.
        assert bounded(engine.search(position, Limits(depth=1)).value) == bounded(expected.value)


def stand_pat_value(position: Position, alpha: int, beta: int, ply: int) -> int:
    """The value for the first player, who maximizes."""
    if position.is_over:
        return terminal_value(position.utility, position.game.rules.point, ply)
    better = max if position.turn == 0 else min
    best = bounded(position.evaluation)
    for move, child in position.children():
        alpha, beta = (max(alpha, best), beta) if position.turn == 0 else (alpha, min(beta, best))
        if beta <= alpha:
            break
        if position.is_noisy(move):
            best = better(best, stand_pat_value(child, alpha, beta, ply + 1))
    return best
