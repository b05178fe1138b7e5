"""Drawings for a notebook: the tree of a search, results and records."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game, game_names
from plyground.core.values import WIN
from plyground.notebook import SearchTree, short_value, tree
from plyground.search.result import SearchResult
from plyground.search.textbook.algorithms import alpha_beta, minimax
from tests.paths import EXAMPLES
from tests.sample_games.figure_tree import __file__ as figure_tree

ENDGAME = find_game("tictactoe").position("o1x/1o1/x2 x")
SVG = "{http://www.w3.org/2000/svg}"


def texts(drawn: SearchTree) -> list[str]:
    """Everything that is written in the picture, which must be XML."""
    root = ElementTree.fromstring(drawn.svg())
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


# The tree


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta"])
def test_the_tree_has_every_node_that_the_textbook_visits(algorithm: str) -> None:
    search = minimax if algorithm == "minimax" else alpha_beta
    answer = search(ENDGAME, 3)
    drawn = tree(ENDGAME, 3, algorithm=algorithm)
    assert drawn.answer == answer
    assert len(drawn.nodes) == answer.nodes
    assert drawn.nodes[0].value == answer.value
    shapes = ElementTree.fromstring(drawn.svg()).findall(f"{SVG}g")
    assert len(shapes) == answer.nodes + sum(bool(node.cut) for node in drawn.nodes)


def test_the_figure_of_the_book_is_drawn_with_its_values_and_its_cut() -> None:
    drawn = tree(find_game(str(figure_tree)).start(), depth=2)
    values = [node.sign + str(node.value) for node in drawn.nodes if node.leaf is None]
    assert values == ["3", "3", "≤2", "≤2"]
    assert [node.value for node in drawn.nodes if node.leaf is not None] == [3, 12, 8, 2, 14, 5, 2]
    assert [len(node.cut) for node in drawn.nodes if node.cut] == [2]
    assert "✂ 2 moves" in texts(drawn)


def test_the_caption_tells_the_result_and_what_it_cost() -> None:
    assert tree(ENDGAME, 3).caption == (
        "alpha-beta to depth 3: X wins in 3 plies by c1 b1 c2; 35 nodes visited, 21 moves cut"
    )
    over = ENDGAME.play("c1").play("b1").play("c2")
    assert tree(over, 3).caption == (
        "alpha-beta to depth 3: X has won; 1 node visited, 0 moves cut"
    )


def test_moves_values_and_windows_are_written_at_their_nodes() -> None:
    written = texts(tree(ENDGAME, 3))
    assert "win 3" in written
    assert {"c1", "b1", "c2"} <= set(written)
    assert "\N{GREEK SMALL LETTER ALPHA} \N{MINUS SIGN}∞  \N{GREEK SMALL LETTER BETA} +∞" in written


def test_nodes_of_one_ply_do_not_overlap() -> None:
    root = ElementTree.fromstring(tree(ENDGAME, 4, algorithm="minimax").svg())
    rows: dict[float, list[float]] = {}
    for shape in root.findall(f"{SVG}g"):
        place = re.fullmatch(r"translate\((\S+) (\S+)\)", shape.attrib["transform"])
        assert place is not None
        rows.setdefault(float(place[2]), []).append(float(place[1]))
    assert len(rows) == 5
    for row in rows.values():
        row.sort()
        assert all(after - before >= 80 for before, after in pairwise(row))
        assert row[0] >= 40
        assert row[-1] <= float(root.attrib["width"]) - 40


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_a_tree_that_can_be_shown_offline(name: str) -> None:
    shown = tree(find_game(name).start(), depth=1)._repr_html_()
    assert "<svg" in shown
    assert not re.search(r"<script|<link|href=|src=|url\(", shown)


def test_the_order_and_the_table_are_those_of_the_textbook() -> None:
    def backwards(position: Position) -> list[int]:
        return list(reversed(position.legal_moves))

    drawn = tree(ENDGAME, 4, order=backwards, table=True)
    assert drawn.answer == alpha_beta(ENDGAME, 4, order=backwards, table=True)
    first = drawn.nodes[1].move
    assert first == ENDGAME.move_text(ENDGAME.legal_moves[-1])


def test_a_tree_that_is_too_large_is_refused() -> None:
    with pytest.raises(LimitError, match=r"visited 1000 nodes and is not finished: allow more"):
        tree(find_game("breakthrough").start(), depth=4)
    with pytest.raises(LimitError, match=r"visited 20 nodes"):
        tree(ENDGAME, 3, nodes=20)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(
        LimitError, match=r"^there is no search 'mcts'; there are alpha-beta and minimax$"
    ):
        tree(ENDGAME, algorithm="mcts")
    with pytest.raises(LimitError, match=r"^a table means nothing to minimax"):
        tree(ENDGAME, algorithm="minimax", table=True)


@pytest.mark.parametrize(
    ("value", "point", "text"),
    [
        (WIN - 3, 0, "win 3"),
        (4 - WIN, 0, "loss 4"),
        (0, 0, "0"),
        (0, 100, "0"),
        (-1, 1000, "0"),
        (250, 100, "+2.5"),
        (-300, 100, "\N{MINUS SIGN}3"),
        (1_234_567, 0, "+1234567"),
    ],
)
def test_a_value_is_written_in_a_few_characters(value: int, point: int, text: str) -> None:
    assert short_value(value, point) == text


# Results and records


def test_a_result_shows_its_position_and_what_was_found() -> None:
    moves = tuple(minimax(ENDGAME).line)
    result = SearchResult(ENDGAME, moves[0], WIN - 3, "exact", True, 3, 3, 1234, 0.5, moves)
    shown = result._repr_html_()
    assert ENDGAME.svg() in shown
    for text in ("c1", "X wins in 3 plies", "c1 b1 c2", "1,234", "0.500 s"):
        assert f">{text}</td>" in shown


def test_a_long_line_is_cut_short() -> None:
    position = find_game("derby").start()
    line: list[int] = []
    at = position
    while len(line) < 13:
        line.append(at.legal_moves[0])
        at = at.play(line[-1])
    result = SearchResult(position, line[0], 0, "exact", False, 13, 13, 1, 0.0, tuple(line))
    assert f"{' '.join(result.line_text[:12])} ...</td>" in result._repr_html_()


def test_a_record_shows_its_last_position_and_its_text() -> None:
    record = GameRecord.from_moves(ENDGAME, ["c1"])
    shown = record._repr_html_()
    assert ENDGAME.play("c1").svg() in shown
    assert "1. c1\n" in shown


def test_a_record_of_a_game_that_is_not_known_shows_its_text_alone(tmp_path: Path) -> None:
    nim = find_game(str(EXAMPLES / "nim.py"))
    GameRecord.from_moves(nim.start(), [nim.start().legal_moves[0]]).save(tmp_path / "nim.txt")
    shown = GameRecord.load(tmp_path / "nim.txt")._repr_html_()
    assert "<svg" not in shown
    assert "<pre" in shown


def test_names_of_players_are_escaped() -> None:
    record = GameRecord.begin(ENDGAME, players=("<b>Ada</b>", "Bob"))
    assert "&lt;b&gt;Ada&lt;/b&gt;" in record._repr_html_()
