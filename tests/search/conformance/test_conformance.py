"""Conformance finds what is wrong with a game, says where, and blames no game that is sound."""

from __future__ import annotations

import pytest

from plyground.core.errors import GameFileError
from plyground.core.registry import find_game, game_names
from plyground.search.conformance import CheckStatus, check_game
from plyground.search.conformance.check import take_sample
from tests.paths import SAMPLE_GAMES
from tests.search.conformance.race_game import Make, failure, finding, race_file

__all__ = ["race_file"]


# Sound games


@pytest.mark.parametrize("name", game_names())
def test_a_game_of_the_registry_keeps_the_contract(name: str) -> None:
    kept = [
        found for found in check_game(find_game(name)) if found.status is not CheckStatus.PASSED
    ]
    assert kept == []


@pytest.mark.parametrize("name", ["random_tree", "random_points", "figure_tree"])
def test_a_game_made_for_tests_is_not_blamed(name: str) -> None:
    game = find_game(str(SAMPLE_GAMES / f"{name}.py"))
    assert [found for found in check_game(game) if not found.passed] == []


def test_the_options_of_a_game_are_tested_too() -> None:
    findings = list(check_game(find_game("breakthrough"), {"rows": 5, "columns": 4}, games=20))
    assert all(found.status is CheckStatus.PASSED for found in findings)


def test_the_race_itself_is_sound_uncompiled(race: Make) -> None:
    findings = []
    for found in check_game(race()):
        if found.name == "compiles":
            break
        findings.append(found)
    assert [found for found in findings if found.status is not CheckStatus.PASSED] == []


@pytest.mark.parametrize("seed", range(5))
def test_chance_does_not_make_an_evaluation_look_reversed(race: Make, seed: int) -> None:
    useless = race(("return state.first - state.second", "return state.left * 7919 % 101 - 50"))
    findings = check_game(useless, seed=seed * 1000)
    assert next(found for found in findings if found.name == "evaluate").passed


# The rules


def test_rules_that_raise_are_reported_with_their_line(race: Make) -> None:
    game = race(("return state.left == 0", "return 1 // (state.left - 7) == 99"))
    assert (
        failure(game, "random games")
        == ":30: over() raised ZeroDivisionError: integer division or modulo by zero"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "line", "result"),
    [
        ("return State(state.first, state.second", "State(0, state.second", "23: play()", "None"),
        ("return State(state.first + move", "return 7 or (state.first + move", "23: play()", "7"),
        ("return State(0, 0, 12, 0)", "return 0, 0, 12, 0", "13: start()", "(0, 0, 12, 0)"),
    ],
)
def test_what_is_no_state_is_blamed_on_whoever_made_it(
    race: Make, right: str, wrong: str, line: str, result: str
) -> None:
    problem = f":{line} must return a State, not {result}"
    assert failure(race((right, wrong)), "random games") == problem


def test_no_legal_move_before_the_end_is_found(race: Make) -> None:
    game = race(("    return 4\n", "    return 0 if state.left < 3 else 4\n"))
    assert "moves() lists no move, but over() says that the game goes on" in failure(
        game, "random games"
    )


def test_more_moves_than_fit_are_found(race: Make) -> None:
    game = race(more="\nMAX_MOVES = 3\n")
    assert "more than 3 moves, set MAX_MOVES" in failure(game, "random games")


def test_a_game_without_an_end_is_doubtful() -> None:
    found = finding(find_game(str(SAMPLE_GAMES / "endless.py")), "games end")
    assert found.status is CheckStatus.WARNING
    assert "had not ended after 1000 moves; can a game go on for ever?" in found.message


def test_a_state_with_a_fraction_is_found(race: Make) -> None:
    game = race(
        ("state.left - 1, 1)", "state.left - 1, 1 / 1)"), ("state.turn == 0", "not state.turn")
    )
    assert failure(game, "state") == ":23: play() made State.turn = 1.0: it must be a whole number"


def test_a_state_of_another_class_is_found(race: Make) -> None:
    game = race(
        (
            "return State(state.first, state.second + move",
            "return Other(state.first, state.second + move",
        ),
        more="\n\nclass Other(State):\n    pass\n",
    )
    assert "play() returned Other, not State" in failure(game, "state")


def test_a_word_beyond_64_bits_is_found(race: Make) -> None:
    game = race(
        ("    first: int", "    first: Bits"),
        ("from typing", "from plyground import Bits\nfrom typing"),
        ("state.first + move,", "(state.first + move) | 1 << 64,"),
        ("utility(board, state):\n", "utility(board, state):\n    return 1\n"),
    )
    message = failure(game, "state")
    assert "it must lie between 0 and 18446744073709551615; mask after a left shift" in message


def test_a_tuple_of_the_wrong_length_is_found(race: Make) -> None:
    game = race(
        ("    left: int", "    left: tuple[int, int]"),
        ("State(0, 0, 12, 0)", "State(0, 0, (12, 0), 0)"),
        ("state.left - 1", "(state.left[0] - 1,)"),
        ("state.left == 0", "state.left[0] == 0"),
    )
    assert "State.left = (11,): it must be a tuple of 2" in failure(game, "state")


def test_a_boolean_that_is_none_is_found(race: Make) -> None:
    game = race(
        ("    second: int", "    second: bool"),
        ("state.second + move", "2"),
    )
    assert "State.second = 2: it must be True or False" in failure(game, "state")


def test_a_move_listed_twice_is_found(race: Make) -> None:
    game = race(("out[step] = step", "out[step] = step // 2"))
    assert (
        failure(game, "moves")
        == ":17: moves() lists move 0 twice (position: first=0 second=0 left=12 turn=0)"
    )


def test_a_move_outside_the_limit_is_found(race: Make) -> None:
    for wrong in (65536, -1):
        game = race(("out[step] = step", f"out[step] = {wrong} if step == 3 else step"))
        message = f"moves() lists {wrong}; a move is a number from 0 to 65535"
        assert message in failure(game, "moves")


def test_a_move_beyond_the_games_own_limit_is_found(race: Make) -> None:
    game = race().replace(move_limit=lambda board: 2)
    message = "moves() lists 2; a move is a number from 0 to 1, as move_limit() says"
    assert message in failure(game, "moves")


def test_a_game_longer_than_it_says_is_found(race: Make) -> None:
    game = race(("def over", "def longest_game(board):\n    return 3\n\n\ndef over"))
    message = "longest_game() says 3, but a random game had 12 moves"
    assert message in failure(game, "games end")


def test_a_turn_of_nobody_is_found_where_it_is_written(race: Make) -> None:
    game = race(("state.left - 1, 1)", "state.left - 1, 2)"))
    assert ":23: play() leaves State.turn at 2, not 0 or 1" in failure(game, "turn")
    with pytest.raises(GameFileError, match="it is player 2's turn: there are only 0 and 1"):
        game.start().play(1).turn  # noqa: B018


def test_a_utility_that_is_no_number_is_found_everywhere_it_is_asked(race: Make) -> None:
    game = race(("return (state.first > state.second)", "return 'won' or (state.first > 0)"))
    assert "utility() is 'won', not a whole number" in failure(game, "utility")
    assert "utility() must return a whole number, not 'won'" in failure(game, "endings")


def test_a_count_larger_than_what_was_written_is_found(race: Make) -> None:
    # Uncompiled, the rest of `out` happens to be zeros: a fifth move that looks like the first.
    game = race(("    return 4\n", "    return 5\n"))
    assert "moves() counts 5 moves but wrote None" in failure(game, "moves")


def test_a_count_that_is_no_number_is_found(race: Make) -> None:
    game = race(("    return 4\n", "    return Four()\n"), more=FOUR)
    assert "not how many moves it wrote" in failure(game, "moves")


FOUR = """

class Four:
    def __index__(self):
        return 4
"""


def test_a_turn_that_is_no_player_is_found(race: Make) -> None:
    game = race(more="\n\ndef turn(board, state):\n    return state.turn + 1\n")
    assert "turn() says 2, not 0 or 1" in failure(game, "turn")


def test_an_evaluation_that_remembers_is_found(race: Make) -> None:
    game = race(
        ("return state.first - state.second", "SEEN.append(0)\n    return len(SEEN)"),
        more="\n\nSEEN = []\n",
    )
    assert ":37: evaluate() answers " in failure(game, "pure")


def test_an_utility_that_is_no_whole_number_is_found(race: Make) -> None:
    game = race(
        ("return (state.first > state.second) - (state.first < state.second)", "return 0.5")
    )
    assert "utility() is 0.5, not a whole number" in failure(game, "utility")


def test_an_utility_beyond_every_value_is_found(race: Make) -> None:
    game = race(
        ("return (state.first > state.second)", "return (state.first > state.second) * 10**9"),
        more="\nPOINT = 100\n",
    )
    assert "utility() is 1000000000, beyond " in failure(game, "utility")


def test_a_margin_without_a_point_is_doubtful(race: Make) -> None:
    game = race(
        (
            "return (state.first > state.second) - (state.first < state.second)",
            "return state.first - state.second",
        )
    )
    found = finding(game, "utility")
    assert found.status is CheckStatus.WARNING
    assert "without POINT only its sign counts" in found.message


def test_an_utility_for_the_mover_is_doubtful(race: Make) -> None:
    """Nim for whoever is to move: the first player seems to lose every game."""
    game = race(
        ("return (state.first > state.second) - (state.first < state.second)", "return -1"),
        ("return state.left == 0", "return state.left < 2 + state.first % 2"),
    )
    found = finding(game, "utility")
    assert found.status is CheckStatus.WARNING
    assert "Second wins all " in found.message
    assert "utility() must be the first player's, not the mover's" in found.message


@pytest.mark.parametrize(
    ("factor", "mover", "whose"),
    [
        ("(1 - 2 * state.turn)", "Second", "the player to move"),
        ("(2 * state.turn - 1)", "First", "the player who has just moved"),
    ],
)
def test_an_evaluation_for_one_of_the_players_is_found(
    race: Make, factor: str, mover: str, whose: str
) -> None:
    margin = "state.first - state.second"
    game = race((f"return {margin}\n", f"return ({margin}) * {factor}\n"))
    assert failure(game, "evaluate") == (
        f":37: evaluate() favours the loser near the end of the game where {mover} is to move: it"
        f" must always be the first player's, not that of {whose}"
    )


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("return state.first - state.second\n", "return state.second - state.first\n"),
        ("return (state.first > state.second) -", "return (state.first < state.second) * 2 - 1 or"),
    ],
    ids=["evaluate", "utility"],
)
def test_a_wrong_sign_is_found(race: Make, right: str, wrong: str) -> None:
    game = race((right, wrong))
    assert failure(game, "evaluate") == (
        f":37: evaluate() and utility() ({game.rules.path}:33) contradict each other near the end"
        " of the game: one of them has the wrong sign, for both must be the first player's"
    )


def test_points_of_the_wrong_sign_are_found(race: Make) -> None:
    game = race(more=POINTS.replace(MARGIN, "return state.second - state.first"))
    message = failure(game, "utility")
    assert message.startswith(f":33: utility() and score() ({game.rules.path}:44) contradict each")


def test_an_evaluation_that_is_a_fraction_is_found(race: Make) -> None:
    game = race(("return state.first - state.second\n", "return state.first / 2\n"))
    assert "evaluate() is 0.0, not a whole number" in failure(game, "evaluate")


def test_an_evaluation_as_large_as_a_won_game_is_found(race: Make) -> None:
    game = race(("return state.first - state.second\n", "return 10**9\n"))
    assert "evaluate() is 1000000000, but 999900000 and more is a won game" in failure(
        game, "evaluate"
    )


@pytest.mark.parametrize("noise", ["-1", "0.5"])
def test_noise_that_is_no_number_to_count_with_is_found(race: Make, noise: str) -> None:
    game = race(more=f"\n\ndef noisy(board, state, move):\n    return {noise}\n")
    message = f"noisy() says {noise}, not a whole number from 0 up"
    assert message in failure(game, "noisy")


def test_one_key_for_two_positions_is_found(race: Make) -> None:
    game = race(more="\n\ndef key(board, state):\n    return state.first * 100 + state.left\n")
    assert " for two different positions: first=" in failure(game, "key")


def test_a_key_that_is_no_word_is_found(race: Make) -> None:
    game = race(more="\n\ndef key(board, state):\n    return -1 - state.left\n")
    assert "key() is -13, not a word of 64 bits" in failure(game, "key")


MARGIN = "return state.first - state.second"
POINTS = """

POINT = 1


def score(board, state):
    return state.first - state.second
"""


def test_a_key_may_leave_the_points_out(race: Make) -> None:
    without = "\n\ndef key(board, state):\n    return state.left * 2 + state.turn\n"
    game = race(
        ("return (state.first > state.second) - (state.first < state.second)", MARGIN),
        more=POINTS + without,
    )
    assert finding(game, "key").status is CheckStatus.PASSED


def test_a_key_that_leaves_out_more_than_points_is_found(race: Make) -> None:
    game = race(more=POINTS + "\n\ndef key(board, state):\n    return state.left * 2\n")
    assert "two positions with different things still to come" in failure(game, "key")


@pytest.mark.parametrize("words", ["3", "(-1,)", "(0.5, 2)"])
def test_an_identity_that_is_no_tuple_of_words_is_found(race: Make, words: str) -> None:
    game = race(more=f"\n\ndef identity(board, state):\n    return {words}\n")
    message = f"identity() is {words}, not a tuple of words of 64 bits"
    assert message in failure(game, "identity")


def test_an_identity_of_varying_length_is_found(race: Make) -> None:
    all_fields = "(state.first, state.second, state.left, state.turn)"
    longer = f"{all_fields} + (0,) * (state.left % 2)"
    game = race(more=f"\n\ndef identity(board, state):\n    return {longer}\n")
    assert "identity() has 4 words or 5, not always one" in failure(game, "identity")


def test_a_score_that_is_no_number_is_found(race: Make) -> None:
    game = race(more="\n\ndef score(board, state):\n    return 'even'\n")
    assert "score() is 'even', not a whole number" in failure(game, "score")


def test_bounds_that_do_not_hold_are_found(race: Make) -> None:
    game = race(more=POINTS + "\n\ndef bounds(board, state):\n    return -3, 3\n")
    assert "bounds() are -3 and 3, but " in failure(game, "bounds")


# Compiled


def test_each_rule_that_does_not_compile_is_named_with_its_line(race: Make) -> None:
    game = race(
        ("return state.left == 0", "return json.dumps(state.left) == '0'"),
        ("return state.first - state.second", "return len(json.dumps(state.first))"),
        more="\n\nimport json\n",
    )
    findings = [found for found in check_game(game) if found.name == "compiles"]
    messages = [found.message.removeprefix(game.rules.path) for found in findings]
    assert all(found.status is CheckStatus.FAILED for found in findings)
    assert [message.split(" cannot be compiled")[0] for message in messages] == [
        ":30: over()",
        ":38: evaluate()",
    ]


def test_rules_that_say_something_else_when_compiled_are_found(race: Make) -> None:
    """Uncompiled a number grows beyond 64 bits, compiled it wraps around."""
    game = race(
        ("return state.first - state.second", "return 0 if 3 ** (50 + state.left) > 0 else 1")
    )
    found = list(check_game(game, games=5))[-1]
    assert found.name == "compiled"
    assert found.status is CheckStatus.FAILED
    assert "uncompiled but 1 compiled" in found.message


def test_compiled_rules_are_not_run_while_the_uncompiled_ones_are_broken(race: Make) -> None:
    findings = list(check_game(race(("out[step] = step", "out[step] = step // 2"))))
    assert [found.name for found in findings[-2:]] == ["compiles", "compiled"]
    assert all("not tested" in found.message for found in findings[-2:])


# The sample


def test_the_sample_is_the_same_each_time() -> None:
    game = find_game("tictactoe")
    one, other = (take_sample(game, {}, 10, 3) for _ in range(2))
    assert [random.moves for random in one.games] == [random.moves for random in other.games]
    assert [p.state for p in one.positions] == [p.state for p in other.positions]


def test_the_sample_is_thinned_out_where_it_is_large() -> None:
    sample = take_sample(find_game("breakthrough"), {"rows": 8, "columns": 8}, 60, 0)
    assert 700 <= len(sample.positions) <= 1500
