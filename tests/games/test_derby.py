"""Fishing Derby: the rules, one edge after another, and the plain rules over many random plies."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from plyground.core.errors import FormatError, IllegalMove
from plyground.core.game import Option, Position
from plyground.core.registry import find_game
from plyground.games.derby.scenario import place_of
from plyground.games.derby.sea import TYPE_SCORES
from plyground.search.binding.compile import bind
from plyground.search.binding.compiled_rules import rule_results, state_after
from plyground.search.perft import perft
from tests.games.naive_derby import after, fish_position, game_of, text_of
from tests.games.plain_rules import check_by_plain_rules, plain_count
from tests.paths import DATA
from tests.random_play import random_game

game = find_game("derby")

HARBOUR = DATA / "boards" / "derby_harbour.json"
"""A day of our own, written as the course writes its scenarios."""


def day(
    *fish: tuple[int, int, int, str],
    green: tuple[int, int] = (0, 19),
    red: tuple[int, int] = (10, 19),
    plies: int = 12,
    **state: Any,
) -> Position:
    """A scenario; a fish is its column, row, score and codes, repeated until the day is over."""
    document: dict[str, Any] = {
        "init_fishes": {
            str(number): {"init_pos": [x, y], "score": score}
            for number, (x, y, score, _) in enumerate(fish)
        },
        "init_players": {"0": green, "1": red},
        "sequence": {
            str(number): [int(codes[ply % len(codes)]) for ply in range(plies)]
            for number, (*_, codes) in enumerate(fish)
        },
        "params": {"n_seq": plies},
    }
    if state:
        document["state"] = {
            "ply": 0,
            "hooks": [green, red],
            "held": [None, None],
            "landed": [],
            "points": [0, 0],
            **state,
        }
    return game.position(json.dumps(document))


def played_out(position: Position, actions: str) -> Position:
    """After actions by their first letters."""
    for action in actions:
        position = position.play(action)
    return position


def names(position: Position) -> set[str]:
    return {position.move_text(move) for move in position.legal_moves}


def cell(position: Position, fish: int) -> tuple[int, int]:
    x, y = place_of(position.board, position.state.ply, fish)
    return x, y


FAR = (15, 3, 1, "8")
"""A fish that no hook comes near."""


# How fish swim


@pytest.mark.parametrize(
    ("code", "place"),
    [
        (0, (5, 6)),
        (1, (5, 4)),
        (2, (4, 5)),
        (3, (6, 5)),
        (4, (4, 6)),
        (5, (6, 6)),
        (6, (4, 4)),
        (7, (6, 4)),
        (8, (5, 5)),
    ],
)
def test_each_code_is_a_step(code: int, place: tuple[int, int]) -> None:
    assert cell(day((5, 5, 1, str(code))).play("stay"), 0) == place


def test_fish_swim_round_the_world_and_keep_their_column_step_at_the_edges() -> None:
    position = day((19, 19, 1, "5"), (0, 0, 1, "6"), red=(10, 10)).play("stay")
    assert cell(position, 0) == (0, 19)
    assert cell(position, 1) == (19, 0)


def test_fish_swim_on_every_ply_of_both_players() -> None:
    assert cell(played_out(day((5, 5, 1, "0"), FAR), "sss"), 0) == (5, 8)


# How hooks move


def test_every_action_that_does_something_is_a_move_and_stay_comes_last() -> None:
    middle = day(FAR, green=(5, 10))
    assert [middle.move_text(move) for move in middle.legal_moves] == [
        "up",
        "down",
        "left",
        "right",
        "stay",
    ]
    assert names(day(FAR, green=(5, 19))) == {"down", "left", "right", "stay"}
    assert names(day(FAR, green=(5, 0))) == {"up", "left", "right", "stay"}


def test_a_boat_cannot_go_where_the_other_one_is() -> None:
    assert names(day(FAR, green=(5, 10), red=(6, 2))) == {"up", "down", "left", "stay"}
    assert names(day(FAR, green=(5, 10), red=(4, 2))) == {"up", "down", "right", "stay"}


def test_a_boat_cannot_go_where_the_other_one_is_across_the_seam() -> None:
    assert names(day(FAR, green=(0, 10), red=(19, 2))) == {"up", "down", "right", "stay"}
    assert names(day(FAR, green=(19, 10), red=(0, 2))) == {"up", "down", "left", "stay"}


def test_only_the_next_column_is_blocked() -> None:
    assert "left" in names(day(FAR, green=(1, 10), red=(19, 10)))


def test_the_sea_is_round() -> None:
    assert day(FAR, green=(0, 10)).play("left").state.green_x == 19
    assert day(FAR, green=(19, 10)).play("right").state.green_x == 0


def test_an_impossible_action_may_be_typed_and_is_stay() -> None:
    position = day(FAR, green=(5, 19), red=(6, 19))
    assert position.play("up") == position.play("right") == position.play("stay")


def test_actions_go_by_name_first_letter_and_number() -> None:
    position = day(FAR, green=(5, 10))
    for number, name in enumerate(("stay", "up", "down", "left", "right")):
        assert position.parse_move(name) == position.parse_move(name[0]) == number
        assert position.parse_move(str(number)) == number


def test_what_is_no_action_is_refused() -> None:
    with pytest.raises(IllegalMove, match="'5' is not a legal move here; legal are up, down, left"):
        day(FAR, green=(5, 10)).play("5")


# Catching


def test_a_hook_catches_what_it_comes_to() -> None:
    position = day((0, 18, 3, "8")).play("down")
    assert position.state.green_fish == 0
    assert position.state.swimming == 0
    assert position.score == 0


def test_there_is_no_catch_on_the_start_position() -> None:
    position = day((0, 18, 3, "1"), FAR, green=(0, 18))
    assert position.play("stay").state.green_fish == -1


def test_a_fish_may_swim_into_the_hook_of_the_player_who_does_not_move() -> None:
    position = day((10, 13, 4, "0"), FAR, red=(10, 14)).play("stay")
    assert position.state.red_fish == 0


def test_a_fish_and_a_hook_that_change_places_do_not_meet() -> None:
    assert day((0, 17, 4, "0"), FAR, green=(0, 18)).play("down").state.green_fish == -1


def test_of_several_fish_in_a_cell_the_lowest_numbered_is_taken() -> None:
    position = day((0, 17, 1, "8"), (0, 17, 2, "8"), green=(0, 18)).play("down")
    assert position.state.green_fish == 0
    position = played_out(position, "susus")
    assert position.state.green_points == 1
    assert played_out(position, "dsd").state.green_fish == 1


def test_a_rod_holds_one_fish() -> None:
    position = played_out(day((0, 16, 1, "8"), (0, 17, 2, "8"), green=(0, 15)), "us")
    assert position.state.green_fish == 0
    position = position.play("up")
    assert position.state.green_fish == 0
    assert position.state.swimming == 0b10


def test_both_hooks_may_catch_in_one_ply() -> None:
    position = day((0, 17, 1, "8"), (10, 16, 2, "0"), green=(0, 18), red=(10, 17)).play("down")
    assert (position.state.green_fish, position.state.red_fish) == (0, 1)


# Reeling and landing


def test_a_fish_at_the_surface_is_landed_at_once() -> None:
    position = day((1, 19, 5, "8"), FAR).play("right")
    assert position.state.green_fish == -1
    assert position.state.green_points == 5
    assert position.score == 5


def test_a_fish_that_swims_into_a_hook_at_the_surface_is_landed_at_once() -> None:
    position = day((10, 18, 5, "0"), FAR).play("stay")
    assert position.state.red_points == 5
    assert position.score == -5


def test_who_holds_a_fish_can_only_reel_it_in() -> None:
    position = played_out(day((0, 17, 3, "8"), FAR, green=(0, 18)), "ds")
    assert names(position) == {"up"}
    with pytest.raises(IllegalMove, match="'stay' is not a legal move here; legal are up"):
        position.play("stay")


def test_a_fish_on_a_rod_stands_still_while_the_other_one_moves() -> None:
    position = played_out(day((0, 17, 3, "3"), FAR, green=(1, 18)), "d")
    assert position.state.green_fish == 0
    position = position.play("stay")
    assert (position.state.green_x, position.state.green_y) == (1, 17)
    assert played_out(position, "usu").state.green_points == 3


def test_a_penalty_fish_must_be_landed_too() -> None:
    position = played_out(day((0, 18, -7, "8"), FAR), "dsu")
    assert position.state.green_points == -7
    assert position.score == -7


def test_a_fish_goes_on_with_its_own_codes_after_another_was_landed() -> None:
    position = played_out(day((1, 19, 5, "8"), (5, 5, 1, "3")), "rs")
    assert cell(position, 1) == (7, 5)


# The end


def test_the_day_ends_after_its_plies_and_a_fish_on_the_rod_scores_nothing() -> None:
    position = played_out(day((0, 17, 9, "8"), FAR, green=(0, 18), plies=4), "dsus")
    assert position.is_over
    assert position.state.green_fish == 0
    assert position.utility == 0
    assert position.outcome.reason == "the day is over, Green has 0 and Red 0"


def test_a_fish_landed_on_the_last_ply_counts() -> None:
    position = played_out(day((0, 18, 9, "8"), FAR, plies=3), "dsu")
    assert position.is_over
    assert position.outcome.winner == 0


def test_the_game_ends_when_no_fish_is_left() -> None:
    position = day((1, 19, 5, "8")).play("right")
    assert position.is_over
    assert position.outcome.reason == "the sea is empty, Green has 5 and Red 0"


def test_a_penalty_fish_keeps_the_game_going() -> None:
    assert not day((1, 19, 5, "8"), (5, 5, -1, "8")).play("right").is_over


def test_a_fish_on_a_rod_keeps_the_game_going() -> None:
    assert not day((0, 18, 5, "8")).play("down").is_over


def test_equal_points_are_a_draw() -> None:
    position = day((1, 19, 5, "8"), (11, 19, 5, "8")).play("right").play("right")
    assert position.outcome.winner is None


def test_the_caption_is_short_enough_to_lie_between_the_crabs() -> None:
    position = day((1, 19, 5, "8"), (11, 19, 5, "8")).play("right").play("right")
    picture = position.svg()
    assert position.outcome.reason in picture
    assert picture.count("Fishing Derby") == 1  # in the title, which is not drawn


# The first ply of the course's own program


def test_the_first_ply_may_be_a_forced_stay() -> None:
    position = game.start({"first_stay": True})
    assert names(position) == {"stay"}
    assert len(position.play("stay").legal_moves) > 1
    assert len(position.play("stay").play("stay").legal_moves) > 1


def test_without_the_option_green_chooses_at_once() -> None:
    assert len(game.start().legal_moves) > 1


# The plain rules


def random_day(seed: int) -> Position:
    """A short day in crowded water: many fish near two hooks, half of them worth avoiding."""
    chance = random.Random(seed)
    green = (chance.randrange(20), chance.randrange(13, 20))
    red = ((green[0] + chance.choice([1, 2, 3, 17, 18, 19])) % 20, chance.randrange(13, 20))
    near = [(green[0] + step) % 20 for step in range(-3, 4)]
    fish = [
        (
            chance.choice(near),
            chance.randrange(12, 20),
            chance.choice([-7, -3, -1, 1, 4, 11]),
            "".join(str(chance.randrange(9)) for _ in range(30)),
        )
        for _ in range(chance.randrange(1, 9))
    ]
    position = day(*fish, green=green, red=red, plies=chance.randrange(1, 31))
    if chance.randrange(4) == 0:
        document = json.loads(position.text)
        document["params"]["first_stay"] = True
        position = game.position(json.dumps(document))
    return position


def test_thousands_of_random_plies_are_those_of_the_plain_rules() -> None:
    plies = landed = both_rods = 0
    for seed in range(160):
        chance = random.Random(seed)
        position = random_day(seed)
        while True:
            check_by_plain_rules(position)
            if position.is_over:
                break
            following = {position.move_text(move): child for move, child in position.children()}
            plies += len(following)
            both_rods += min(position.state.green_fish, position.state.red_fish) >= 0
            position = following[chance.choice(sorted(following))]
        landed += position.board.fish - len(fish_left(position))
    assert plies > 5000
    assert landed > 100
    assert both_rods > 20


def fish_left(position: Position) -> Sequence[int]:
    state = position.state
    held = [fish for fish in (state.green_fish, state.red_fish) if fish >= 0]
    return [fish for fish in range(position.board.fish) if state.swimming >> fish & 1] + held


def test_impossible_actions_are_those_of_the_plain_rules() -> None:
    for seed in range(40):
        for position in random_positions_of(random_day(seed)):
            for action in ("stay", "up", "down", "left", "right"):
                if len(position.legal_moves) > 1:
                    assert position.play(action).text == text_of(
                        after(game_of(position.text), action)
                    )


def random_positions_of(position: Position) -> list[Position]:
    chance = random.Random(1)
    found = []
    while not position.is_over:
        found.append(position)
        position = position.after(chance.choice(position.legal_moves))
    return found


def test_fish_are_where_their_codes_lead_them() -> None:
    for seed in range(20):
        position = random_day(seed)
        scenario = json.loads(position.text)
        for ply in range(position.board.plies + 1):
            for fish in range(position.board.fish):
                place = place_of(position.board, ply, fish)
                assert place == fish_position(scenario, str(fish), ply)


def test_compiled_rules_are_the_same_on_crowded_water() -> None:
    bound = bind(game)
    for seed in range(60):
        for position in random_positions_of(random_day(seed))[::3]:
            found = rule_results(bound, position)
            assert found.moves == position.legal_moves
            assert found.evaluate == position.evaluation
            assert found.key == position.key
            for move in position.legal_moves:
                assert state_after(bound, position, move) == position.after(move).state


@pytest.mark.parametrize("name", ["cove", "race", "wall", "aquarium", "current"])
def test_perft_of_the_built_in_boards_is_that_of_the_plain_rules(name: str) -> None:
    start = game.start({"board": name})
    assert [perft(start, depth) for depth in (1, 2, 3)] == [
        plain_count("derby", start.text, depth) for depth in (1, 2, 3)
    ]


# Keys and identities of states


def test_points_are_no_part_of_key_and_identity() -> None:
    position = day((1, 19, 5, "8"), FAR).play("right")
    richer = position.state._replace(green_points=9)
    same = Position(game, position.board, richer)
    assert same.key == position.key
    module: Any = game.module
    assert module.identity(same.board, richer) == module.identity(same.board, position.state)


def test_identity_tells_all_states_apart_but_for_the_points() -> None:
    module: Any = game.module
    seen: dict[tuple[int, ...], tuple[int, ...]] = {}
    for seed in range(60):
        for position in random_game(game, seed):
            state = tuple(position.state)[:-2]
            assert seen.setdefault(module.identity(position.board, position.state), state) == state
    assert len(seen) > 1000


# Scenario files


def test_a_scenario_file_of_the_course_is_read_and_written() -> None:
    text = HARBOUR.read_text(encoding="utf-8")
    position = game.position(text)
    board = position.board
    assert (board.fish, board.plies) == (4, 24)
    assert [place_of(board, 4, fish) for fish in range(4)] == [[2, 19], [8, 14], [13, 10], [17, 19]]
    assert json.loads(position.text) == json.loads(text)
    assert game.position(position.text) == position


# Boards


def test_a_seed_gives_the_same_day_every_time() -> None:
    options: dict[str, Option] = {"board": "random", "seed": 7, "fish": 3, "plies": 9}
    assert game.start(options).text == game.start(options).text
    assert game.start(options) != game.start({**options, "seed": 8})
    board = game.start(options).board
    assert (board.fish, board.plies) == (3, 9)
    assert [place_of(board, 0, fish) for fish in range(3)] == SEVEN


SEVEN = [[12, 1], [7, 2], [9, 13]]
"""Where the fish of seed 7 start, on every version of Python."""


def test_the_18_types_of_fish_have_the_scores_that_a_file_may_have() -> None:
    assert len(TYPE_SCORES) == 18
    assert sorted(TYPE_SCORES) == [*range(-7, 0), *range(1, 12)]
    assert (TYPE_SCORES[0], TYPE_SCORES[6], TYPE_SCORES[11], TYPE_SCORES[17]) == (1, -7, 11, -6)
    for score in TYPE_SCORES:
        assert f'"score":{score}}}' in day((5, 5, score, "8")).text


def test_options_of_random_days_do_not_go_with_a_built_in_one() -> None:
    with pytest.raises(FormatError, match="seed, fish and plies go with board=random"):
        game.start({"seed": 3})


@pytest.mark.parametrize(
    "options", [{"fish": 65}, {"plies": 10_001}, {"fish": 64, "plies": 9000}, {"fish": 0}]
)
def test_a_day_that_is_too_large_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(FormatError, match="a day has 1 to 64 fish, 1 to 10000 plies"):
        game.start({"board": "random", **options})


def test_a_board_that_does_not_exist_is_refused() -> None:
    with pytest.raises(FormatError, match="cove"):
        game.start({"board": "pond"})


def test_a_sea_of_64_fish_can_be_played() -> None:
    position = game.start({"board": "random", "fish": 64, "plies": 30})
    for seed in range(3):
        position = random_game(game, seed, {"board": "random", "fish": 64, "plies": 30})[-1]
        assert position.is_over
        assert game.position(position.text) == position
