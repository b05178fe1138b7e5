"""Openings: the same for the same seed, legal, unfinished, and balanced on request."""

from __future__ import annotations

from typing import Any

import pytest

from plyground.arena.openings import Opening, Openings, built_in_boards, imbalance, read_positions
from plyground.core.errors import FormatError, GameFileError, LimitError
from plyground.core.registry import find_game, game_names

tictactoe, blocker = find_game("tictactoe"), find_game("blocker")


@pytest.mark.parametrize("name", game_names())
def test_random_openings_are_legal_and_repeatable(name: str) -> None:
    game = find_game(name)
    openings = Openings(seed=3)
    for number in range(4):
        opening = openings.opening(game, number)
        position = opening.position(game)
        assert not position.is_over
        assert len(opening.moves) == 4
        assert Openings(seed=3).opening(game, number) == opening
    drawn = {openings.opening(game, number) for number in range(8)}
    assert len(drawn) > 1, "every opening is the same"
    assert openings.opening(game, 0) != Openings(seed=4).opening(game, 0)


def test_the_openings_of_a_seed_are_the_same_on_every_machine() -> None:
    moves = [Openings(seed=1).opening(tictactoe, number).moves for number in range(3)]
    assert moves == [
        ("a1", "a2", "b2", "b1"),
        ("a1", "c2", "c1", "b3"),
        ("c2", "c3", "a1", "c1"),
    ]


def test_an_opening_in_which_the_game_would_end_is_shorter() -> None:
    opening = Openings(plies=9, seed=2).opening(tictactoe, 0)
    assert 4 < len(opening.moves) < 9
    assert not opening.position(tictactoe).is_over


def test_a_balanced_opening_is_the_most_even_of_several() -> None:
    game = find_game("breakthrough")
    plain = [Openings(plies=6, seed=seed).opening(game, 0).position(game) for seed in range(6)]
    even = [
        Openings(plies=6, balanced=True, seed=seed).opening(game, 0).position(game)
        for seed in range(6)
    ]
    assert sum(map(imbalance, even)) < sum(map(imbalance, plain))


def test_boards_and_generators_of_a_game() -> None:
    boards = Openings("boards")
    boards.check(blocker)
    names = built_in_boards(blocker)
    assert "random" not in names
    assert [dict(boards.opening(blocker, n).options)["board"] for n in range(len(names) + 1)] == [
        *names,
        names[0],
    ]
    generator = Openings("generator", seed=5)
    generator.check(blocker)
    made = [generator.opening(blocker, number).position(blocker) for number in range(3)]
    assert len({position.text for position in made}) == 3
    again = Openings("generator", seed=5).opening(blocker, 2).position(blocker)
    assert again == made[2]


@pytest.mark.parametrize(
    ("openings", "pairs", "different"),
    [
        (Openings(plies=0), 50, 1),
        (Openings(plies=1), 50, 9),
        (Openings(plies=1), 5, 5),
        (Openings(plies=2), 5000, 72),
        (Openings(plies=4), 20_000, 756),
        (Openings(plies=5), 20_000, 20_000),
        (Openings("positions", positions=("3/3/3 x", "x2/3/3 o", " 3/3/3  x")), 50, 2),
        (Openings("positions", positions=("3/3/3 x", "x2/3/3 o", "3/3/3 x")), 2, 2),
    ],
)
def test_different_openings_are_counted(openings: Openings, pairs: int, different: int) -> None:
    assert openings.count_different(tictactoe, pairs) == different


def test_rules_that_fail_in_a_position_do_not_keep_openings_from_being_counted() -> None:
    def over(board: object, state: Any) -> bool:
        return bool(1 // (state.noughts != 2) < 0)

    broken = tictactoe.replace(over=over)
    with pytest.raises(GameFileError):
        broken.start().play("a1").play("b1").is_over  # noqa: B018
    assert Openings(plies=2).count_different(broken, 500) == 500


def test_a_board_comes_again_when_there_are_no_others() -> None:
    boards = len(built_in_boards(blocker))
    assert Openings("boards").count_different(blocker, 50) == boards
    assert Openings("boards").count_different(blocker, boards - 1) == boards - 1
    assert Openings("generator").count_different(blocker, 50) == 50


@pytest.mark.parametrize(
    ("openings", "game", "message"),
    [
        (Openings("boards"), "tictactoe", "tictactoe has no built-in boards"),
        (Openings("generator"), "tictactoe", "tictactoe has no random boards"),
        (Openings("positions"), "tictactoe", "the file of openings has no position in it"),
        (Openings(plies=-1), "tictactoe", "an opening has from 0 to 200"),
        (Openings(seed=-1), "tictactoe", "seed -1: it is from 0 to"),
    ],
)
def test_openings_that_a_game_does_not_have_are_refused(
    openings: Openings, game: str, message: str
) -> None:
    with pytest.raises(LimitError, match=message):
        openings.check(find_game(game))


def test_a_game_that_is_over_where_it_starts_is_refused() -> None:
    over = tictactoe.replace(over=lambda board, state: True)
    for openings in (Openings(), Openings(plies=0), Openings(balanced=True)):
        with pytest.raises(LimitError, match="the game is over where it starts: nothing can be"):
            openings.check(over)


def test_positions_of_a_file_one_a_line_or_in_blocks() -> None:
    texts = [tictactoe.start().text, tictactoe.start().play("b2").text]
    assert read_positions(tictactoe, "\n".join(texts) + "\n", "f") == tuple(texts)
    assert read_positions(tictactoe, "\r\n\r\n".join(texts), "f") == tuple(texts)
    rows = "5 5\n#####\n##* #\n##A*#\n# B##\n#####"
    others = "5 5\n#####\n# * #\n##A*#\n# B##\n#####"
    found = read_positions(blocker, f"{rows}\n\n{others}\n", "f")
    assert [blocker.position(text) for text in found] == [
        blocker.position(rows),
        blocker.position(others),
    ]
    opening = Openings("positions", positions=tuple(texts)).opening(tictactoe, 3)
    assert opening == Opening(start=texts[1])
    assert opening.position(tictactoe).turn == 1


def test_a_file_with_something_else_in_it_is_refused_with_its_line() -> None:
    with pytest.raises(FormatError) as refused:
        read_positions(tictactoe, f"{tictactoe.start().text}\nnonsense\n", "openings.txt")
    assert "openings.txt, line 2" in str(refused.value) or "openings.txt:2" in str(refused.value)


WON = "xxx/oo1/3 o"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{tictactoe.start().text}\n{WON}\n", 2),
        (f"\n\n{tictactoe.start().text}\n\n\n{WON}", 6),
        (f"{tictactoe.start().text}\n \n{WON}", 3),
    ],
)
def test_a_position_in_which_the_game_is_over_is_no_opening(text: str, line: int) -> None:
    with pytest.raises(FormatError) as refused:
        read_positions(tictactoe, text, "openings.txt")
    assert str(refused.value) == (
        f"openings.txt, line {line}: the game is over where it starts: nothing can be played"
    )
    openings = Openings("positions", positions=(tictactoe.start().text, WON))
    with pytest.raises(LimitError, match=r"^opening 2: the game is over where it starts"):
        openings.check(tictactoe)


def test_the_line_of_a_mistake_is_its_own_and_not_that_of_a_longer_line() -> None:
    with pytest.raises(FormatError, match="line 2: "):
        read_positions(tictactoe, f"{tictactoe.start().text}\n3/3\n", "openings.txt")


def test_the_line_of_a_mistake_in_a_block_is_where_the_block_begins() -> None:
    over = "5 5\n#####\n##* #\n##A*#\n# B##\n#####"
    won = blocker.replace(over=lambda board, state: True)
    with pytest.raises(FormatError, match=r"^f, line 2: the game is over where it starts"):
        read_positions(won, f"\n{over}\n", "f")
