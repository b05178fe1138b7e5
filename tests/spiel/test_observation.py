"""The observation tensor: every field of a State at its place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from plyground.core.game import Position
from plyground.core.registry import find_game, game_names
from plyground.spiel.observation import PLAYER, tensor_parts, write_tensor
from tests.paths import EXAMPLES
from tests.random_play import random_game


def tensor(position: Position) -> dict[str, npt.NDArray[np.float32]]:
    parts = tensor_parts(position.game.rules)
    written = {part.name: np.full(part.shape, 7, np.float32) for part in parts}
    write_tensor(position, written)
    return written


def test_a_word_is_64_numbers_with_bit_i_at_index_i() -> None:
    seen = tensor(find_game("tictactoe").start().play("b1").play("a3"))
    assert {name: part.shape for name, part in seen.items()} == {
        PLAYER: (2,),
        "crosses": (64,),
        "noughts": (64,),
        "turn": (1,),
    }
    assert np.flatnonzero(seen["crosses"]).tolist() == [1]
    assert np.flatnonzero(seen["noughts"]).tolist() == [6]
    assert seen["turn"].tolist() == [0]
    assert seen[PLAYER].tolist() == [1, 0]


def test_the_highest_bit_of_a_word_is_seen() -> None:
    game = find_game("breakthrough")
    seen = tensor(game.start({"rows": 8, "columns": 8}))
    assert np.flatnonzero(seen["black"]).tolist() == list(range(48, 64))


def test_a_tuple_is_a_row_for_each_item() -> None:
    kalah = find_game(str(EXAMPLES / "kalah.py"))
    seen = tensor(kalah.start().play("3"))
    assert seen["south"].tolist() == [[4], [4], [0], [5], [5], [5]]
    assert seen["stores"].tolist() == [[1], [0]]
    assert seen[PLAYER].tolist() == [1, 0]  # who moves again
    slant = tensor(find_game("slant").start())
    assert slant["slashes"].shape == (2, 64)


def test_negative_numbers_are_what_they_are() -> None:
    assert tensor(find_game("derby").start())["green_fish"].tolist() == [-1]


def test_once_the_game_is_over_it_is_no_players_turn() -> None:
    finished = find_game("tictactoe").position("xxx/oo1/3 o")
    assert tensor(finished)[PLAYER].tolist() == [0, 0]


@pytest.mark.parametrize("name", game_names())
def test_positions_that_differ_look_different(name: str) -> None:
    game = find_game(name)
    positions = {position for seed in range(3) for position in random_game(game, seed)}
    seen = {b"".join(part.tobytes() for part in tensor(one).values()) for one in positions}
    assert len(seen) == len(positions) > 10
