"""What a net thinks of single features, and where they are on the board."""

from __future__ import annotations

import re

import numpy as np
import pytest

from plyground import find_game
from plyground.core.game import Position
from plyground.learning.board_cells import cells_of_bits, cells_of_board
from plyground.learning.effect_charts import effects_section
from plyground.learning.effects import FEWEST, measure_effects
from plyground.search.net.layout import numbers_of, state_of
from tests.docs import learning_picture
from tests.paths import DOCS, EXAMPLES
from tests.search.net.random_nets import random_net, sample


def without(position: Position, item: int, bit: int) -> Position:
    numbers = numbers_of(position.state)
    numbers[item] &= ~(1 << bit)
    return Position(position.game, position.board, state_of(position.game.rules, numbers))


def test_bits_are_found_on_the_board_by_drawing_them() -> None:
    start = find_game("connectfour").start({"rows": 4, "columns": 5})
    cells = cells_of_bits(sample(start), item=0)
    assert {bit: cell.name for bit, cell in cells.items()} == {
        column * 5 + row: f"{'abcde'[column]}{row + 1}" for column in range(5) for row in range(4)
    }
    assert len(cells_of_board(start)) == 20
    lowest, above = cells[0], cells[1]
    assert (above.left, above.top) == (lowest.left, lowest.top - lowest.height)


def test_a_bit_that_also_changes_what_is_said_of_its_neighbours_is_found() -> None:
    start = find_game("slant").start()
    cells = cells_of_bits(sample(start), item=0)
    assert len(cells) >= 12
    for bit, cell in cells.items():
        row, column = divmod(bit, 5)
        assert cell.name == f"{'abcd'[column]}{4 - row}"


def test_a_game_without_a_drawing_has_no_cells() -> None:
    positions = sample(find_game(str(EXAMPLES / "nim.py")).start())
    assert cells_of_bits(positions, item=0) == {}
    assert cells_of_board(positions[0]) == []


def test_the_effect_of_a_bit_is_the_value_with_it_less_the_value_without() -> None:
    start = find_game("tictactoe").start()
    net = random_net(start, 5)
    net.rows[:] = 0
    net.rows[:, -1] = 100  # where no hidden unit is cut off: the effect is the same everywhere
    net.rows[:, 0, 0] = 50
    effects = measure_effects(start, net)
    assert effects.counts[0][0] >= FEWEST
    position = next(one for one in effects.positions if numbers_of(one.state)[0] & 1)
    change = net.value(position) - net.value(without(position, 0, 0))
    sign = 1 if position.turn == 0 else -1
    assert effects.values[position.turn][0] == pytest.approx(sign * change, abs=1.5)
    others = effects.values[0][1:]
    assert np.all(others[~np.isnan(others)] == 0)


@pytest.mark.parametrize("name", ["breakthrough", str(EXAMPLES / "kalah.py")])
def test_a_page_has_a_board_where_bits_have_cells_and_else_a_table(name: str) -> None:
    start = find_game(name).start()
    page = effects_section(start, random_net(start, 1, largest=60))
    boards, tables = page.count('class="effects board"'), page.count('class="effects"')
    first = start.game.players[0]
    assert f"for {first}, in games that it played against itself" in page
    if name == "breakthrough":
        assert (boards, tables) == (4, 0)
        assert re.search(r"<title>c2: [+-]\d", page)
        assert "in units of evaluation" in page
    else:
        assert boards == 0
        assert tables >= 2
        assert re.search(r"<title>south\[0\] 4: [+-]\d", page)
        assert "in points" in page


def test_the_picture_of_a_learning_curve_is_drawn_from_its_log() -> None:
    log = learning_picture.shipped_log()
    assert log["command"] in (DOCS / "learn.md").read_text(encoding="utf-8")
    drawn = learning_picture.picture(log)
    assert learning_picture.FILE.read_text(encoding="utf-8") == drawn
    rated = sum(len(one["pairs"]) for one in log["generations"])
    assert drawn.count("<circle") == rated
