"""What every game of the registry must do. There are no exemptions."""

from __future__ import annotations

import inspect
import re
import shlex
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.contract import MOVE_LIMIT
from plyground.core.errors import FormatError, GameOver, IllegalMove, PlygroundError
from plyground.core.game import Game, Position, same_board
from plyground.core.registry import find_game, game_names
from plyground.search.perft import perft
from tests.cli.runner import plyground
from tests.games.golden import IMAGE, golden_file, page_file, pictures, playthrough
from tests.games.perft_data import PERFT, Count, check_count, plain_count, read_counts
from tests.random_play import random_game

GAMES = [find_game(name) for name in game_names()]
FEW = 4
"""Random games of each kind that a test looks at."""
SMALL = 2_000
"""The largest counts that are made uncompiled as well."""

over_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
over_counts = pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(game, expected, id=f"{game.name}-{expected.position}-{expected.depth}")
        for game in GAMES
        if (PERFT / f"{game.name}.txt").exists()
        for expected in read_counts(game.name)
    ],
)


def some_positions(game: Game, *, finished: bool = False) -> list[Position]:
    """The positions of a few random games, those at the end only if asked for."""
    games = [random_game(game, seed) for seed in range(FEW)]
    return [position for played in games for position in (played if finished else played[:-1])]


@cache
def some_texts(game: Game) -> list[str]:
    return [position.text for position in some_positions(game, finished=True)]


# Moves


@over_games
def test_legal_moves_are_unique_and_in_range(game: Game) -> None:
    for position in some_positions(game):
        moves = position.legal_moves
        assert len(set(moves)) == len(moves) <= game.rules.max_moves
        assert all(0 <= move < MOVE_LIMIT for move in moves)


@over_games
def test_the_text_of_a_move_names_that_move_and_no_other(game: Game) -> None:
    for position in some_positions(game):
        texts = [position.move_text(move) for move in position.legal_moves]
        assert len(set(texts)) == len(texts)
        assert tuple(map(position.parse_move, texts)) == position.legal_moves


@over_games
def test_a_move_may_be_typed_in_capitals_and_with_spaces_around(game: Game) -> None:
    position = game.start()
    for move in position.legal_moves:
        assert position.parse_move(f" {position.move_text(move).upper()} ") == move


@over_games
def test_a_text_that_is_no_move_is_refused_with_the_legal_ones(game: Game) -> None:
    position = game.start()
    legal = position.move_text(position.legal_moves[0])
    with pytest.raises(IllegalMove, match=rf"'nonsense' is not a legal move here; .*\b{legal}\b"):
        position.play("nonsense")


@over_games
def test_a_number_that_is_no_move_is_refused(game: Game) -> None:
    with pytest.raises(IllegalMove, match="move number -7 is not legal here"):
        game.start().play(-7)


@over_games
def test_a_finished_game_has_no_moves_and_accepts_none(game: Game) -> None:
    for seed in range(FEW):
        last = random_game(game, seed)[-1]
        assert last.legal_moves == ()
        assert last.outcome.reason
        for move in (0, "a1"):
            with pytest.raises(GameOver, match=r"the game is over \(.+\): no move can be played"):
                last.play(move)


# Positions


@over_games
def test_the_text_of_a_position_gives_the_position_back(game: Game) -> None:
    for position in some_positions(game, finished=True):
        again = game.position(position.text)
        assert again == position
        assert same_board(again.board, position.board)
        assert again.text == position.text


@over_games
def test_a_state_is_a_value(game: Game) -> None:
    first, second = some_positions(game), some_positions(game)
    assert [position.state for position in first] == [position.state for position in second]
    assert len({position.state for position in first + second}) == len(
        {position.text for position in first}
    )
    assert len(set(first + second)) == len(set(first))


@over_games
def test_playing_a_move_leaves_the_position_as_it_was(game: Game) -> None:
    for position in some_positions(game):
        before = position.state, position.text, position.key
        for move in position.legal_moves:
            position.play(move)
        fresh = Position(game, position.board, position.state)
        assert (fresh.state, fresh.text, fresh.key) == before


@over_games
def test_different_positions_have_different_keys(game: Game) -> None:
    """Where points count, positions may share a key if as many moves are to come and the estimate
    of the points to come is the same."""
    positions = {child for p in some_positions(game) for _, child in p.children()}
    different: set[object] = set(positions)
    if game.rules.point and "score" not in game.rules.defaults:
        different = {(position.key, *still_to_come(position)) for position in positions}
    assert len({position.key for position in positions}) == len(different)


def still_to_come(position: Position) -> tuple[int, ...]:
    if position.is_over:
        return (0,)
    so_far = position.game.rules.point * position.score
    return len(position.legal_moves), position.turn, position.evaluation - so_far


@over_games
def test_an_outcome_agrees_with_the_utility(game: Game) -> None:
    for seed in range(FEW):
        outcome = random_game(game, seed)[-1].outcome
        winner = None if outcome.utility == 0 else 0 if outcome.utility > 0 else 1
        assert outcome.winner == winner


@over_games
@pytest.mark.parametrize("text", ["", " ", "x", "9" * 400, "/" * 200, "a b c", "\x00", "²/² w"])
def test_nonsense_is_no_position(game: Game, text: str) -> None:
    with pytest.raises(FormatError):
        game.position(text)


@over_games
def test_a_huge_text_is_no_position_and_is_not_repeated(game: Game) -> None:
    for text in ("1" * 10_000_000, "/" * 10_000_000, "w " * 5_000_000):
        with pytest.raises(FormatError) as refusal:
            game.position(text)
        assert len(str(refusal.value)) < 500


def _reads_or_refuses(game: Game, text: str) -> None:
    """Either a position that survives being written, or a FormatError; nothing else."""
    try:
        position = game.position(text)
    except FormatError:
        return
    assert game.position(position.text) == position
    assert position.is_over or position.legal_moves


@over_games
@given(text=st.text(max_size=40))
def test_any_text_is_a_position_or_is_refused(game: Game, text: str) -> None:
    _reads_or_refuses(game, text)


@over_games
@settings(max_examples=150)
@given(data=st.data())
def test_a_position_with_a_slip_in_it_is_a_position_or_is_refused(
    game: Game, data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from(some_texts(game)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 2))
        insert = data.draw(st.text(st.sampled_from("/0123456789wbxory. -"), max_size=2))
        text = text[:place] + insert + text[place + length :]
    _reads_or_refuses(game, text)


@over_games
@given(text=st.text(max_size=6))
def test_any_text_is_a_move_or_is_refused(game: Game, text: str) -> None:
    position = game.start()
    try:
        move = position.parse_move(text)
    except IllegalMove:
        return
    assert move in position.legal_moves


# Options


@over_games
def test_an_option_that_does_not_exist_is_refused(game: Game) -> None:
    with pytest.raises(FormatError, match=f"{game.name} has no option 'colour'"):
        game.start({"colour": 1})


@over_games
def test_senseless_options_are_refused(game: Game) -> None:
    for name, parameter in game.options.items():
        if isinstance(parameter.default, int):
            for value in {-1, 0, 1_000_000} - {parameter.default}:
                with pytest.raises(PlygroundError):
                    game.start({name: value})


# Pictures and pages


@over_games
def test_the_svg_is_well_formed_and_says_what_it_shows(game: Game) -> None:
    for position in [*some_positions(game)[:: 5 * FEW], random_game(game, 0)[-1]]:
        root = ElementTree.fromstring(position.svg())
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert title is not None
        assert title.text is not None
        assert game.title in title.text
        whose = position.outcome.reason if position.is_over else game.players[position.turn]
        assert whose in title.text


@over_games
def test_the_drawing_has_the_colours_of_the_players(game: Game) -> None:
    drawings = "".join(position.svg() for position in some_positions(game, finished=True))
    for colour in game.colours:
        assert f'"{colour}"' in drawings


@over_games
def test_the_pictures_of_different_positions_differ(game: Game) -> None:
    positions = random_game(game, 0)
    assert len({position.picture for position in positions}) == len(positions)
    assert len({position.svg() for position in positions}) == len(positions)


@over_games
def test_there_is_a_page_with_a_picture_that_is_up_to_date(game: Game) -> None:
    shown = pictures(game.name)
    assert shown, f"{page_file(game.name)} shows no picture"
    for file, svg in shown.items():
        assert file.read_text(encoding="utf-8") == svg, "run: make golden"


@over_games
def test_the_page_has_the_same_chapters_as_every_page(game: Game) -> None:
    lines = page_file(game.name).read_text(encoding="utf-8").splitlines()
    chapters = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert chapters == ["Rules", "Positions", "Moves", "Options", "Evaluation", "Perft", "Try it"]
    assert lines[0] == f"# {game.title}"


@over_games
def test_the_page_begins_with_the_rules_that_players_are_shown(game: Game) -> None:
    rules = page_file(game.name).read_text(encoding="utf-8").partition("\n## Rules\n\n")[2]
    assert game.rules_text != inspect.getdoc(game.module)
    assert rules.startswith(f"{game.rules_text}\n\n")


@over_games
def test_every_option_is_explained_with_the_words_of_the_page(game: Game) -> None:
    page = page_file(game.name).read_text(encoding="utf-8")
    section = page.partition("\n## Options\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (.+) \|$", section, re.MULTILINE)
    assert [name for name, _, _ in rows] == list(game.options)
    for name, default, text in rows:
        value = game.options[name].default
        assert default.strip("`") == ("no" if value is False else str(value))
        assert text == game.option_texts[name]


@over_games
def test_the_perft_table_of_the_page_is_that_of_the_data(game: Game) -> None:
    page = page_file(game.name).read_text(encoding="utf-8").partition("## Perft")[2]
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    shown = {int(row[0]): int(row[1].replace(",", "")) for row in rows if row[0].isdigit()}
    start = game.start().text
    known = {
        line.depth: line.positions for line in read_counts(game.name) if line.position == start
    }
    assert shown
    assert shown == known


@over_games
def test_the_page_shows_the_text_of_the_position_in_the_picture(game: Game) -> None:
    page = page_file(game.name).read_text(encoding="utf-8")
    for found in IMAGE.finditer(page):
        assert f"```\n{found['position']}\n```" in page


@over_games
def test_the_commands_of_the_page_work(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = page_file(game.name).read_text(encoding="utf-8").partition("## Try it")[2]
    commands = [shlex.split(line) for line in page.splitlines() if line.startswith("plyground ")]
    assert {command[1] for command in commands} >= {"play", "show", "search", "perft"}
    for command in commands:
        assert command[2] == game.name
        ran = plyground(*command[1:])
        assert ran.status == 0, ran


# Perft and golden playthroughs


@over_games
def test_there_is_perft_data_for_the_start_and_for_other_positions(game: Game) -> None:
    positions = {expected.position for expected in read_counts(game.name)}
    assert game.start().text in positions
    assert len(positions) > 3


@over_counts
def test_perft(game: Game, expected: Count) -> None:
    position = game.position(expected.position)
    if expected.positions <= SMALL:
        check_count(position, expected, plain_count)
    check_count(position, expected, perft)


def test_a_wrong_count_is_reported_move_by_move() -> None:
    position = find_game("tictactoe").start()
    with pytest.raises(AssertionError, match=r"depth 2 is 72, not 73; move by move:\n  a1 8\n"):
        check_count(position, Count(position.text, 2, 73), perft)


@over_games
def test_a_game_plays_as_it_did_when_it_was_written_down(game: Game) -> None:
    written = golden_file(game.name).read_text(encoding="utf-8")
    assert playthrough(game) == written, "if the change is meant, run: make golden"
