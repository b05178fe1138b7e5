"""Blocker: both readings of the rules, what is known of the official board, boards, the picture."""

from __future__ import annotations

import re

import pytest

from plyground.core.bits import mix
from plyground.core.errors import FormatError, GameOver, IllegalMove
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.core.values import plies_to_end
from plyground.games.blocker.boards import BOARDS
from plyground.games.blocker.rules import BLOCK, EAT, KEY_SEED, neighbour
from plyground.games.blocker.view import APPLE, BRICK, RING
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.perft import perft
from plyground.search.result import Limits
from plyground.search.solving.methods import make_solver
from plyground.search.textbook.algorithms import alpha_beta, minimax
from tests.games.golden import page_file
from tests.games.plain_rules import check_by_plain_rules, plain_count
from tests.random_play import random_game

game = find_game("blocker")
READINGS = ("either", "mover")
VISITED = {
    "mover": (5, 16, 47, 123, 338, 831, 2087, 5135),
    "either": (5, 16, 47, 123, 337, 827, 2017, 5043),
}
"""The course's counts: states that plain minimax visits on the official board, depth 1, 2, ..."""

SMALL_BOARDS: list[dict[str, int | str]] = [
    {"board": "random", "seed": seed, "width": width, "height": height, "food": food, "walls": 20}
    for seed, (width, height, food) in enumerate(
        [(3, 3, 2), (4, 2, 1), (4, 3, 3), (5, 1, 1), (4, 4, 2), (1, 6, 3)] * 4
    )
]


def nothing(_: Position) -> int:
    """The course's own valuation of a game that is not over."""
    return 0


def at(text: str) -> Position:
    return game.position(text)


def moves_of(position: Position) -> list[str]:
    return [position.move_text(move) for move in position.legal_moves]


# Moves


def test_the_moves_come_in_the_order_up_right_down_left_eat_block() -> None:
    assert moves_of(at(".../.A./.*B A 0-0")) == ["up", "right", "down", "left", "block"]
    assert moves_of(at(".../.(*A)./..B A 0-0")) == ["up", "right", "down", "left", "eat"]


def test_an_agent_steps_where_there_is_no_wall_and_not_off_the_board() -> None:
    assert moves_of(at("A#*/..B A 0-0")) == ["down", "block"]


def test_agents_may_share_a_cell() -> None:
    assert at("AB* A 0-0").play("right").text == ".(AB)* B 0-0 began AB* A 0-0"


def test_walking_onto_food_does_not_eat_it() -> None:
    there = at("A*B A 0-0").play("right")
    assert there.text.startswith(".(*A)B B 0-0")
    assert there.play("left").text.startswith(".(*AB). A 0-0")


def test_eating_counts_and_empties_the_cell() -> None:
    position = at("(*A)*B A 0-0").play("eat")
    assert position.text.startswith("A*B B 1-0 ")
    assert at("A*(*B) B 0-2").play("eat").text.startswith("A*B A 0-3 ")


def test_blocking_makes_a_wall_that_its_builder_can_leave_but_never_enter() -> None:
    position = at("A.*B A 0-0").play("block")
    assert position.text.startswith("(#A).*B B 0-0")
    position = position.play("block")
    assert moves_of(position) == ["right"]
    left = position.play("right").play("left")
    assert left.text.startswith("#A(*B)# A 0-0")
    assert moves_of(left) == ["right", "block"]


def test_blocking_is_possible_on_an_empty_cell_only() -> None:
    assert "block" not in moves_of(at("(*A).B A 0-0"))
    assert "block" not in moves_of(at("(#A).*B A 0-0"))


def test_both_agents_can_be_built_into_one_wall() -> None:
    position = at("*.(AB). A 0-0").play("block")
    assert position.text.startswith("*.(#AB). B 0-0")
    assert moves_of(position) == ["right", "left"]


def test_a_move_may_be_typed_as_its_first_letter() -> None:
    position = at(".../.A./.*B A 0-0")
    for name in moves_of(position):
        assert position.play(name[0]) == position.play(name.upper()) == position.play(name)


def test_a_move_that_is_not_possible_is_refused() -> None:
    with pytest.raises(
        IllegalMove, match="'eat' is not a legal move here; legal are right, down, left, block"
    ):
        at(".A./.*B A 0-0").play("eat")


def test_eating_is_noisy() -> None:
    position = at("(*A).B A 0-0")
    assert [position.is_noisy(move) for move in position.legal_moves] == [False, True]
    assert (EAT, BLOCK) == (4, 5)


# Ends


@pytest.mark.parametrize(
    ("text", "utility", "reason"),
    [
        ("A.B A 2-1", 1, "the food is gone, and A ate more, 2 to 1"),
        ("A.B B 0-3", -1, "the food is gone, and B ate more, 3 to 0"),
        ("A.B A 1-1", 0, "the food is gone, and both ate as much"),
        ("(#A)#*B A 5-0", -1, "A cannot move"),
        ("(#A)#*B B 5-0", -1, "A cannot move"),
        ("A*#(#B) B 0-5", 1, "B cannot move"),
        ("A*#(#B) A 0-5", 1, "B cannot move"),
        ("*#(#AB) A 0-5", 0, "neither agent can move"),
        ("(#A)#*#(#B) B 0-5", 0, "neither agent can move"),
        ("(#A)#*B A 5-0 stuck=mover", -1, "A cannot move"),
        ("(#A)#*#(#B) A 5-0 stuck=mover", -1, "A cannot move"),
        ("(#A)#*#(#B) B 0-5 stuck=mover", 1, "B cannot move"),
        ("A.#(#B) B 0-5 stuck=mover", 1, "B cannot move"),
    ],
)
def test_a_game_ends_without_food_or_with_an_agent_that_cannot_move(
    text: str, utility: int, reason: str
) -> None:
    position = at(text)
    assert position.utility == utility
    assert position.outcome.reason == reason
    with pytest.raises(GameOver, match="the game is over"):
        position.play("up")


def test_only_the_side_to_move_is_looked_at_where_the_rules_say_so() -> None:
    assert at("(#A)#*B B 5-0").is_over
    position = at("(#A)#*B B 5-0 stuck=mover")
    assert not position.is_over
    after = position.play("block")
    assert after.outcome.reason == "A cannot move"


def test_an_agent_that_cannot_move_loses_though_the_last_food_was_just_eaten() -> None:
    position = at("(*A)#(#B) A 0-3 stuck=mover").play("eat")
    assert position.utility == 1
    assert position.outcome.reason == "B cannot move"


@pytest.mark.parametrize("turn", "AB")
def test_a_stuck_agent_does_not_wait_for_its_turn(turn: str) -> None:
    assert at(f"A*#(#B) {turn} 0-0").is_over


# The plain rules say the same


@pytest.mark.parametrize("stuck", READINGS)
@pytest.mark.parametrize("board", game.module.CHOICES["board"])
def test_moves_and_results_are_those_of_the_plain_rules(board: str, stuck: str) -> None:
    for seed in range(6):
        for position in random_game(game, seed, {"board": board, "stuck": stuck}):
            check_by_plain_rules(position)


@pytest.mark.parametrize("stuck", READINGS)
@pytest.mark.parametrize("options", SMALL_BOARDS, ids=lambda options: f"seed{options['seed']}")
def test_random_boards_play_by_the_plain_rules(options: dict[str, int | str], stuck: str) -> None:
    """Small boards are where agents meet, share walls and get stuck."""
    for seed in range(6):
        for position in random_game(game, seed, {**options, "stuck": stuck}):
            check_by_plain_rules(position)
            assert list(position.legal_moves) == sorted(position.legal_moves)


# Wide boards


WIDE_BOARDS: list[dict[str, int | str]] = [
    {"board": "random", "seed": seed, "width": width, "height": height, "food": 9, "walls": 5}
    for seed, (width, height) in enumerate([(13, 6), (15, 10), (22, 6), (11, 13), (16, 12)])
]
WIDE_BOARDS += [
    {"board": "estate"},
    {"board": "random", "seed": 7, "width": 13, "height": 5, "food": 9, "walls": 0},
    {"board": "random", "seed": 7, "width": 64, "height": 3, "food": 190, "walls": 0},
]
"""From 65 cells to 192."""


@pytest.mark.parametrize("options", WIDE_BOARDS, ids=str)
def test_wide_boards_play_by_the_plain_rules(options: dict[str, int | str]) -> None:
    position = game.start(
        {**options, "stuck": "mover" if options["board"] == "estate" else "either"}
    )
    assert position.board.cell_count > 64
    seed = 1
    for _ in range(120):
        check_by_plain_rules(position)
        assert game.position(position.text) == position
        if position.is_over:
            break
        seed = mix(KEY_SEED, seed)
        position = position.play(position.legal_moves[seed % len(position.legal_moves)])


@pytest.mark.parametrize("options", WIDE_BOARDS, ids=str)
def test_compiled_perft_of_wide_boards_is_that_of_the_plain_rules(
    options: dict[str, int | str],
) -> None:
    for position in random_walk(game.start(options), 40)[::20]:
        assert perft(position, 4) == plain_count("blocker", position.text, 4)


def random_walk(position: Position, plies: int) -> list[Position]:
    positions = [position]
    for ply in range(plies):
        if position.is_over:
            break
        chosen = mix(KEY_SEED, ply) % len(position.legal_moves)
        position = position.play(position.legal_moves[chosen])
        positions.append(position)
    return positions


EMPTY_FIELD = ["." * 13] * 10
"""130 cells: what is below them has its numbers in the third word."""


def widened(text: str) -> str:
    """The same position below an empty field that no agent can reach: all cells have other numbers
    and the same values."""
    rows, *rest = text.partition(" began ")[0].split(" ")
    width = len(re.findall(r"\(.*?\)|.", rows.split("/")[0]))
    most = max(width, len(EMPTY_FIELD[0]))
    above = [row.ljust(most, "#") for row in EMPTY_FIELD] + ["#" * most]
    below = [row + "#" * (most - width) for row in rows.split("/")]
    return " ".join(["/".join(above + below), *rest])


@pytest.mark.parametrize("board", ["official", "board1", "corridor", "rooms", "crossing"])
def test_a_board_is_worth_the_same_in_any_word(board: str) -> None:
    narrow, wide = (Engine(game, memory=1, features=Features.EXACT) for _ in range(2))
    for position in random_game(game, 5, {"board": board})[:-1][:12]:
        other = game.position(widened(position.text))
        position = game.position(position.text.partition(" began ")[0])
        assert other.board.cell_count > 128 > 64 >= position.board.cell_count
        assert moves_of(other) == moves_of(position)
        assert other.evaluation == position.evaluation
        assert perft(other, 5) == perft(position, 5)
        limits = Limits(depth=5)
        found, expected = wide.search(other, limits), narrow.search(position, limits)
        assert (found.value, found.line) == (expected.value, expected.line)


def test_a_wide_board_is_solved_as_its_narrow_part_is() -> None:
    start = game.start()
    wide = make_solver(game, memory=64).solve(game.position(widened(start.text)))
    assert wide.worth == make_solver(game, memory=64).solve(start).worth
    assert (wide.worth.utility, wide.worth.plies) == (1, 11)


def test_a_state_knows_what_each_agent_can_do() -> None:
    """It is kept up move by move, and must be what reading the position again finds."""
    for options in (*WIDE_BOARDS, *SMALL_BOARDS):
        for position in random_walk(game.start(options), 200):
            assert game.position(position.text).state == position.state


# The course's questions


def test_a_state_is_printed_with_brackets_around_what_shares_a_cell() -> None:
    assert game.start().picture.splitlines() == [
        "# # # # #",
        "# # * . #",
        "# # A * #",
        "# . B # #",
        "# # # # #",
        "",
        "A to move (eaten: A 0, B 0)",
    ]
    assert at("##(*A)#/.(#B)*. B 1-0").picture.splitlines() == [
        "#  #   (*A) #",
        ". (#B)  *   .",
        "",
        "B to move (eaten: A 1, B 0)",
    ]
    assert "(AB)" in at(".(AB)* A 0-0").picture
    assert "(#AB)" in at(".(#AB)* A 0-0").picture
    assert "(*AB)" in at(".(*AB)* A 0-0").picture


def test_a_state_is_a_value_that_needs_no_copying() -> None:
    position = game.start()
    before = position.text
    children = dict(position.children())
    assert position.text == before
    assert {child.text.split()[1] for child in children.values()} == {"B"}
    assert position.play("up").state != position.state


@pytest.mark.parametrize("stuck", READINGS)
def test_plain_minimax_visits_the_states_that_the_course_counted(stuck: str) -> None:
    start = game.start({"stuck": stuck})
    for depth, visited in enumerate(VISITED[stuck], 1):
        assert minimax(start, depth).nodes == visited
        assert 1 + sum(perft(start, ply) for ply in range(1, depth + 1)) == visited


def test_plain_minimax_would_visit_a_million_states_to_depth_fourteen() -> None:
    start = game.start({"stuck": "mover"})
    assert 1 + sum(perft(start, ply) for ply in range(1, 15)) == 1_106_109


@pytest.mark.parametrize("stuck", READINGS)
def test_a_search_tells_the_line_and_the_state_that_it_leads_to(stuck: str) -> None:
    """With the course's valuation, nothing but wins and losses, and with our evaluation."""
    start = game.start({"stuck": stuck})
    for evaluate in (None, nothing):
        plain, pruned = (search(start, 6, evaluate=evaluate) for search in (minimax, alpha_beta))
        assert pruned.value == plain.value
        assert pruned.line == plain.line
        assert pruned.nodes < plain.nodes
        position = start
        for name in pruned.line_text:
            position = position.play(name)
        assert position == pruned.leads_to
        assert len(pruned.line) == 6 or position.is_over


def test_the_official_board_is_won_in_eleven_plies_and_only_by_block() -> None:
    result = Engine(game, memory=16, features=Features.EXACT).search(
        game.start(), Limits(depth=11), optimal=True
    )
    assert plies_to_end(result.value) == 11
    assert result.value > 0
    assert result.proven
    assert [game.start().move_text(move) for move in result.optimal] == ["block"]


def test_players_to_whom_all_moves_are_equal_walk_up_and_down_for_ever() -> None:
    """The first of equal moves, again and again; what mends it is an evaluation, or chance."""
    position = game.start({"board": "board1"})
    seen = {position}
    for _ in range(20):
        answer = minimax(position, 2, evaluate=nothing)
        assert answer.move is not None
        position = position.play(answer.move)
        if position in seen:
            break
        seen.add(position)
    assert position in seen
    assert len(seen) < 10


# The engine


@pytest.mark.parametrize("stuck", READINGS)
def test_the_engine_values_small_boards_as_minimax_does(stuck: str) -> None:
    engine = Engine(game, memory=1, features=Features.EXACT)
    for options in SMALL_BOARDS:
        for position in random_game(game, 1, {**options, "stuck": stuck})[:-1][:3]:
            for depth in (2, 5):
                result = engine.search(position, Limits(depth=depth))
                assert result.value == minimax(position, depth).value


# Keys and identities


def test_the_identity_tells_all_states_apart() -> None:
    for stuck in READINGS:
        for board in ("official", "corridor", "crossing", "estate"):
            found = {
                position.state: game.module.identity(position.board, position.state)
                for seed in range(8)
                for position in random_game(game, seed, {"board": board, "stuck": stuck})
            }
            assert len(set(found.values())) == len(found)
            assert all(0 <= word < 1 << 64 for words in found.values() for word in words)


# Boards


@pytest.mark.parametrize("board", BOARDS)
def test_both_agents_of_a_built_in_board_can_move_and_there_is_food(board: str) -> None:
    for stuck in READINGS:
        position = game.start({"board": board, "stuck": stuck})
        assert not position.is_over
        assert position.play(position.legal_moves[0]).legal_moves
        assert position.text.endswith("stuck=mover") == (stuck == "mover")


def test_the_same_seed_draws_the_same_board() -> None:
    first, again, other = (game.start({"board": "random", "seed": seed}).text for seed in (3, 3, 4))
    assert first == again != other
    assert first == "...A#../*#...#./.##..../..#.B../**#..*#/.###.#./##....* A 0-0"


@pytest.mark.parametrize("seed", range(30))
def test_a_random_board_hangs_together_and_has_what_was_asked_for(seed: int) -> None:
    width, height, food, walls = 3 + seed % 6, 8 - seed % 5, 1 + seed % 7, 5 * (seed % 8)
    options = {"width": width, "height": height, "food": food, "walls": walls}
    position = game.start({"board": "random", "seed": seed, **options})
    text = position.text.split(" ")[0]
    assert [len(row) for row in text.split("/")] == [width] * height
    assert text.count("*") == food
    assert text.count("#") <= width * height * walls // 100
    assert not position.is_over
    reached, edge = {position.state.a}, [position.state.a]
    while edge:
        cell = edge.pop()
        near = {neighbour(position.board, cell, direction) for direction in range(4)} - {-1}
        edge += near - reached
        reached |= near
    assert len(reached) == width * height - text.count("#")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            {"board": "nowhere"},
            "option board must be official, board1, .* or random, not 'nowhere'",
        ),
        ({"stuck": "never"}, "option stuck must be either or mover, not 'never'"),
        ({"seed": 7}, "belong to board=random; the board 'official' is as it is"),
        ({"board": "ring", "width": 9}, "belong to board=random; the board 'ring' is as it is"),
        ({"board": "random", "seed": -1}, "option seed must be from 0 to 10+, not -1"),
        ({"board": "random", "walls": 91}, "walls is per cent of the cells, from 0 to 90, not 91"),
        ({"board": "random", "walls": -1}, "walls is per cent of the cells, from 0 to 90, not -1"),
        ({"board": "random", "width": 0}, "a board of 0 x 7 cells: 1 to 64 each way are possible"),
        ({"board": "random", "height": 65}, "a board of 7 x 65 cells: 1 to 64 each way"),
        ({"board": "random", "food": 0}, "option food is 0, but 35 cells that are no walls have"),
        ({"board": "random", "food": 34}, "have room for two agents and 33 food"),
        ({"board": "random", "width": 1, "height": 1}, "option food is 5, but 1 cells"),
        ({"board": "random", "width": 14, "height": 14, "walls": 1}, "more than 192 cells"),
        ({"board": "random", "width": 64, "height": 64, "walls": 90}, "more than 192 cells are"),
    ],
)
def test_options_that_make_no_board_are_refused(
    options: dict[str, int | str], problem: str
) -> None:
    with pytest.raises(FormatError, match=problem):
        game.start(options)


# The page and the picture


def test_the_page_tells_the_boards_and_what_minimax_visits() -> None:
    page = " ".join(page_file("blocker").read_text(encoding="utf-8").split())
    for board in BOARDS:
        assert f"`{board}`" in page
    for visited in VISITED.values():
        assert f"{', '.join(map(str, visited[:-1]))} and {visited[-1]}" in page
    assert "(#A)*B B 0-0 began A*B A 0-0" in page
    assert at("A*B A 0-0").play("block").text == "(#A)*B B 0-0 began A*B A 0-0"


def test_the_page_shows_a_board_file() -> None:
    page = page_file("blocker").read_text(encoding="utf-8")
    assert f"```\n{BOARDS['official']}```" in page


@pytest.mark.parametrize(
    ("text", "letters", "walls"),
    [("A*B A 0-0", "AB", 0), (".(*AB). B 0-0", "AB", 0), ("#(#A)*/.(#B). A 0-0", "AB", 3)],
)
def test_the_picture_shows_every_agent_by_its_letter_and_every_wall(
    text: str, letters: str, walls: int
) -> None:
    svg = at(text).svg()
    assert re.findall(r">([AB])</text>", svg) == list(letters)
    assert svg.count(BRICK) == walls
    assert svg.count(APPLE) == 1
    assert svg.count(RING) == 1, "one agent is to move"


def test_no_agent_is_to_move_in_the_picture_of_a_game_that_is_over() -> None:
    assert RING not in at("A.B A 1-0").svg()
