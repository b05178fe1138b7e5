"""Blocker's texts: board files in all their variants, positions on one line, and the messages for
texts that are wrong."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import FormatError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.games.blocker.boards import BOARDS
from plyground.games.blocker.game import parse_position
from tests.paths import DATA
from tests.random_play import random_game

game = find_game("blocker")
OFFICIAL = "#####/##*.#/##A*#/#.B##/##### A 0-0"


def read(text: str, stuck: str = "") -> Position:
    board, state = parse_position(text, stuck)
    return Position(game, game.freeze_board(board), state)


# Files


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("courtyard", "######/#A.*.#/#.##.#/#*.*B#/###### A 0-0"),
        ("orchard", "*.A..#../..##..*./*..##.../...B.*.. A 0-0"),
    ],
)
def test_a_board_file_is_read(name: str, text: str) -> None:
    file = DATA / "boards" / f"blocker_{name}.txt"
    assert read(file.read_text(encoding="utf-8")).text == text


@pytest.mark.parametrize("name", BOARDS)
def test_the_built_in_boards_are_files_too(name: str) -> None:
    assert read(BOARDS[name]) == game.start({"board": name})


@pytest.mark.parametrize(
    "text",
    [
        "5 5\n#####\n##* #\n##A*#\n# B##\n#####\n",
        "5 5\r\n#####\r\n##* #\r\n##A*#\r\n# B##\r\n#####\r\n",
        "5 5\n#####\n##* #\n##A*#\n# B##\n#####",
        "  5\t5  \n#####\n##* #\n##A*#\n# B##\n#####\n\n\r\n  \n",
        "\ufeff5 5\n#####   \n##* #\n##A*#\n# B##\n#####\n",
    ],
    ids=["plain", "CRLF", "no final newline", "empty lines below", "byte order mark"],
)
def test_a_file_is_read_however_its_lines_end(text: str) -> None:
    assert read(text).text == OFFICIAL


def test_short_rows_end_in_empty_cells() -> None:
    assert read("4 3\nA\n\n*  B\n").text == "A.../..../*..B A 0-0"


def test_a_last_row_without_anything_is_still_a_row() -> None:
    assert read("3 2\nA*B\n\n").text == "A*B/... A 0-0"
    assert read("3 2\nA*B\n   ").text == "A*B/... A 0-0"
    assert read("3 2\r\nA*B\r\n\r\n").text == "A*B/... A 0-0"
    with pytest.raises(FormatError, match=r"^line 2: line 1 says 3 x 2, but there are only 1 rows"):
        read("3 2\nA*B\n")


def test_height_and_width_may_be_exchanged_where_only_that_fits() -> None:
    assert read("2 4\nA* B\n####\n").text == read("4 2\nA* B\n####\n").text == "A*.B/#### A 0-0"
    assert read("4 2\nA*\n B\n##\n##\n").text == "A*/.B/##/## A 0-0"
    assert read("2 3\nA*\n B\n").text.split(" ")[0] == "A*./.B."


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("3 3\nA*B\n###\n  #\n", "A*B/###/..#"),
        ("2 4\nA*  \nB#  \n\n\n", "A*../B#.."),
        ("4 2\nA*  \nB#  \n\n\n", "A*../B#.."),
        ("4 2\nA*\nB#\n  \n  \n", "A*/B#/../.."),
        ("2 4\nA*\nB#\n\n\n", "A*/B#/../.."),
        ("2 3\nA*\n B\n\n\n", "A*/.B/.."),
        ("3 2\nA*\n B\n\n\n", "A*/.B/.."),
        ("4 3\nA*\n B\n\n\n", "A*../.B../...."),
        ("4 2\nA*\n  B\n\n\n", "A*../..B."),
    ],
    ids=[
        "square",
        "spaces at the end decide the width",
        "and in this order too",
        "spaces at the end decide the height",
        "short rows are as wide as the board",
        "an empty row",
        "an empty row in the other order",
        "nothing decides, so the width is first",
        "one row is too long for the other order",
    ],
)
def test_where_both_orders_fit_the_rows_decide(text: str, rows: str) -> None:
    assert read(text).text == f"{rows} A 0-0"


def test_a_board_of_fifteen_by_ten_is_read_in_either_order() -> None:
    file = BOARDS["estate"]
    assert read(file) == game.start({"board": "estate"})
    assert read(file.replace("15 10", "10 15")) == read(file)
    assert read(file + "\n") == read(file.replace("\n", "\r\n")) == read(file)
    assert read(file.replace("\n", "\r")) == read(file)
    assert read(file.replace("15 10\n", "\ufeff 15   10 \t\n\n")) == read(file)


def test_a_blank_line_above_the_board_is_a_row_where_that_fits() -> None:
    assert read("3 2\n\nA*B\n").text == ".../A*B A 0-0"
    assert read("3 1\n\nA*B\n").text == "A*B A 0-0"
    with pytest.raises(FormatError, match=r"^line 4: 'x' is no cell"):
        read("3 2\n\nA*B\n#x#\n")


def test_a_file_has_the_first_agent_move_and_nothing_eaten() -> None:
    state = read("3 1\nB*A\n").state
    assert (state.turn, state.eaten_a, state.eaten_b) == (0, 0, 0)


def test_a_file_says_nothing_of_the_reading_so_the_option_does() -> None:
    file = BOARDS["official"]
    assert read(file) == read(file, "either") == game.start()
    assert read(file, "mover") == game.start({"stuck": "mover"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A*B\n###\n", "line 1: the width and the height of the board belong here, like '5 5'"),
        ("3\nA*B\n", "line 1: the width and the height"),
        ("3 1 1\nA*B\n", "line 1: the width and the height"),
        ("3.0 1\nA*B\n", "line 1: the width and the height"),
        ("1e999 nan\nA*B\n", "line 1: the width and the height"),
        ("-3 1\nA*B\n", "line 1: the width and the height"),
        ("9" * 5000 + " 1\nA*B\n", "line 1: the width and the height"),
        ("\u0663 \u0661\nA*B\n", "line 1: the width and the height"),
        ("0 3\nA*B\n", "line 1: a board of 0 x 3 cells: 1 to 64 each way are possible"),
        ("65 1\nA*B\n", "line 1: a board of 65 x 1 cells"),
        ("999999999 999999999\nA*B\n", "line 1: a board of 999999999 x 999999999 cells"),
        ("3 2\nA*B\n###\n###\n", r"line 4: line 1 says 3 x 2, but there is a row 3 \(nor do the"),
        ("3 3\nA*B\n###\n###\n###\n", "line 5: line 1 says 3 x 3, but there is a row 4$"),
        ("3 3\nA*B\n###\n", "line 3: line 1 says 3 x 3, but there are only 2 rows$"),
        ("3 3", "line 1: line 1 says 3 x 3, but there are only 0 rows$"),
        ("5 5\nA*B\n####\n", r"line 3: line 1 says 5 x 5, but there are only 2 rows$"),
        ("3 3\nA*B\n####\n###", "line 3: line 1 says 3 x 3, but row 2 has 4 cells$"),
        ("4 2\nA*B##\n####\n", r"line 2: line 1 says 4 x 2, but row 1 has 5 cells \(nor do the"),
        ("3 2\nA*B\n#x#\n", "line 3: 'x' is no cell: # is a wall, [*] food, A and B are"),
        ("3 2\nA*B\n#.#\n", "line 3: '[.]' is no cell"),
        ("3 2\nA\tB\n#*#\n", r"line 2: '\\t' is no cell"),
        ("3 2\na*B\n###\n", "line 2: 'a' is no cell"),
        ("3 2\nA*B\n##\0\n", r"line 3: '\\x00' is no cell"),
        ("3 2\nA*B\nA##\n", "line 3: a second A; the first is on line 2"),
        ("3 2\nAB*\n##B\n", "line 3: a second B; the first is on line 2"),
        ("3 2\nA**\n###\n", "line 3: the board ends here, and has no B"),
        ("3 2\nB**\n###\n", "line 3: the board ends here, and has no A"),
        (
            "14 14\nA*B\n" + "\n" * 13,
            "line 1: 196 cells of the board are no walls: at most 192 can",
        ),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_the_line(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read(text)


# Positions on one line


@pytest.mark.parametrize("stuck", ["either", "mover"])
def test_a_position_on_one_line_says_all(stuck: str) -> None:
    for board in BOARDS:
        for seed in range(3):
            for position in random_game(game, seed, {"board": board, "stuck": stuck}):
                assert "\n" not in position.text
                again = read(position.text)
                assert again == position
                assert again.text == position.text
                assert read(position.text + "\n") == position


def test_a_position_that_nothing_is_known_to_have_led_to_begins_as_it_is() -> None:
    position = read("#(#A).*/*B#. B 3-1 stuck=mover")
    assert game.rules.start(position.board) == position.state
    assert position.text == "#(#A).*/*B#. B 3-1 stuck=mover"


def test_the_option_is_for_positions_that_do_not_say_how_to_read_stuck() -> None:
    assert read(OFFICIAL, "mover") == game.start({"stuck": "mover"})
    assert read(f"{OFFICIAL} stuck=mover", "mover") == game.start({"stuck": "mover"})
    assert read(f"{OFFICIAL} stuck=either") == game.start()
    with pytest.raises(FormatError, match="the position says stuck=mover, the option says either"):
        read(f"{OFFICIAL} stuck=mover", "either")


def test_the_things_in_a_bracket_may_come_in_any_order() -> None:
    assert read("(A*).B A 0-0").text == "(*A).B A 0-0"
    assert read("*(BA#) A 0-0").text == "*(#AB) A 0-0"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("A*B", "a position is the rows from the top, whose turn it is and what A and B"),
        ("A*B A", "like '#####/##[*].#/##A[*]#/#.B##/##### A 0-0'"),
        ("A*B A 0-0 more", "a position is the rows"),
        ("A*B A 0-0 began A*B", "a position is the rows"),
        ("A*B C 0-0", "after the rows come whose turn it is and what A and B have eaten"),
        ("A*B A 0", "after the rows come whose turn"),
        ("A*B A -1-0", "after the rows come whose turn"),
        ("A*B A 1000-0", "after the rows come whose turn"),
        ("A*B A 100-0", "play can begin with at most 99 eaten"),
        ("A*B A 0-0 stuck=never", "stuck must be one of either, mover, not 'never'"),
        ("A*B/## A 0-0", "row 2 has 2 cells, the first row has 3"),
        ("A*B// A 0-0", "row 2 has 0 cells, the first row has 3"),
        ("/ A 0-0", "a board of 0 x 2 cells"),
        ("A*B/#x# A 0-0", r"row 2: 'x' is no cell; a cell is one of [.] # [*] A B, or more than"),
        ("A*(#*)B A 0-0", r"row 1: '\(#\*\)' is no cell"),
        ("A*()B A 0-0", r"row 1: '\(\)' is no cell"),
        ("A*(B A 0-0", r"row 1: '\(' is no cell"),
        ("A*(AB) A 0-0", "there must be one A on the board, not 2"),
        ("A** A 0-0", "there must be one B on the board, not 0"),
        ("A*B A 0-0 began A*B. A 0-0", "a board of 3 x 1 cells where play began on 4 x 1"),
        ("A*B A 0-0 began A#*(#B) A 0-0", "a board of 3 x 1 cells where play began on 4 x 1"),
        ("A.*B A 0-0 began A#*B A 0-0", "row 1, column 2 was a wall when play began; walls stay"),
        ("(#A)*B A 0-0 began A*B# A 0-0", "a board of 3 x 1 cells where"),
        ("A*B* A 0-0 began A*B. A 0-0", "there is food where play began without, or a wall has"),
        ("A*B A 0-0 began (#A)*B A 0-0", "there is food where play began without, or a wall has"),
        ("A.B A 0-0 began A*B A 0-0", "1 food has gone since play began, but A has eaten 0 and B"),
        ("A.B A 2-0 began A*B A 0-0", "1 food has gone since play began, but A has eaten 2 and B"),
        ("A.B A 2-0 began A*B A 0-1", "but A has eaten 2 and B -1 since then"),
        ("." * 63 + "*AB A 0-0", "a board of 66 x 1 cells"),
        (
            "/".join(["." * 64] * 3 + ["A*B" + "#" * 61]) + " A 0-0",
            "195 cells .* at most 192 can be",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read(text)


@pytest.mark.parametrize("count", [64, 65, 128, 129, 192])
def test_so_many_cells_are_possible_and_any_number_of_walls_around_them(count: int) -> None:
    cells = "A" + "*" * (count - 2) + "B"
    rows = [cells[at : at + 32].ljust(64, "#") for at in range(0, count, 32)]
    position = read("/".join(rows + ["#" * 64] * (64 - len(rows))) + " A 0-0")
    assert position.board.cell_count == count
    assert position.legal_moves
    assert read(position.text) == position
    assert position.text.count("*") == count - 2


# Noise


def reads_or_refuses(text: str) -> None:
    """Either a position that survives being written, or a FormatError; nothing else."""
    try:
        position = read(text)
    except FormatError:
        return
    assert read(position.text) == position
    assert position.is_over or position.legal_moves


@settings(max_examples=300)
@given(st.text(st.sampled_from("#*AB \n\r123"), max_size=40), st.integers(0, 6), st.integers(0, 6))
def test_any_file_is_a_board_or_is_refused(text: str, first: int, second: int) -> None:
    reads_or_refuses(f"{first} {second}\n{text}")
    reads_or_refuses(text)


@settings(max_examples=300)
@given(
    st.text(st.sampled_from("#*AB.()/"), max_size=30),
    st.sampled_from(["A", "B", "C", ""]),
    st.text(st.sampled_from("0123456789-"), max_size=5),
    st.sampled_from(["", "stuck=mover", "stuck=", "began", f"began {OFFICIAL}", OFFICIAL]),
)
def test_any_line_is_a_position_or_is_refused(rows: str, turn: str, eaten: str, more: str) -> None:
    reads_or_refuses(f"{rows} {turn} {eaten} {more}")


@settings(max_examples=300)
@given(st.data())
def test_a_slip_in_a_file_or_a_position_is_read_or_refused(data: st.DataObject) -> None:
    later = random_game(game, 3, {"board": "corridor"})[9].text
    text = data.draw(st.sampled_from([*BOARDS.values(), OFFICIAL, later]))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        insert = data.draw(st.text(st.sampled_from("#*AB ()/.\n\r\t0159-é"), max_size=3))
        text = text[:place] + insert + text[place + data.draw(st.integers(0, 3)) :]
    reads_or_refuses(text)


def test_ten_megabytes_of_noise_are_refused_unread() -> None:
    chance = random.Random(1)
    noise = "".join(chance.choices(string.printable, k=1000)) * 10_000
    for text in (noise, "5 5\n" + noise, "#" * 10**7, "(" * 10**7, "\n" * 10**7, "9 " * 5 * 10**6):
        with pytest.raises(FormatError, match=r"[0-9]+ characters are more than any board of this"):
            read(text)
