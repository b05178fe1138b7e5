"""OpenSpiel's games as ours: played, recorded, searched; other kinds and wrong names refused."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import pytest

from plyground.arena.referee import play_game
from plyground.core.errors import FormatError, IllegalMove, LimitError, PlygroundError, UnknownGame
from plyground.core.game import Position
from plyground.core.records.record import GameRecord, load_games
from plyground.core.registry import find_game
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import greedy_player, random_player
from plyground.search.conformance import check_game
from plyground.search.result import Limits
from plyground.search.searcher import Algorithm, SearcherSettings, make_searcher
from plyground.search.textbook.algorithms import alpha_beta, minimax
from plyground.spiel.imported_game import SpielPosition
from tests.cli.runner import plyground

pyspiel: Any = pytest.importorskip("pyspiel")

GAMES = (
    "spiel:hex(board_size=4)",
    "spiel:tic_tac_toe",
    "spiel:chess",
    "spiel:nim",
    "spiel:amazons",
    "spiel:gomoku",
    "spiel:twixt",
    "spiel:oware",
    "spiel:dots_and_boxes(utility_margin=True)",
    "spiel:chinese_checkers",
    "spiel:cursor_go(board_size=5)",
)


def random_end(position: Position, seed: int, most: int = 60) -> Position:
    chance = random.Random(seed)
    while not position.is_over and most:
        position = position.play(chance.choice(position.legal_moves))
        most -= 1
    return position


@pytest.mark.parametrize("name", GAMES)
def test_moves_and_positions_can_be_written_and_read(name: str) -> None:
    game = find_game(name)
    chance = random.Random(2)
    position = game.start()
    for _ in range(25):
        if position.is_over:
            break
        for move in position.legal_moves:
            text = position.move_text(move)
            assert text.split() == [text]
            assert position.parse_move(text) == move
        position = position.play(chance.choice(position.legal_moves))
    assert game.position(position.text) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert "\x1b" not in position.picture
    assert position.svg().startswith("<svg")


def test_a_game_is_the_same_object_however_its_name_is_written() -> None:
    game = find_game("spiel:hex(board_size=4,swap=true)")
    assert find_game("spiel:hex( swap=yes, board_size=4 )") is game
    assert game.name == "spiel:hex(board_size=4,swap=True)"
    assert pickle.loads(pickle.dumps(game)) is game
    assert find_game("spiel:hex") is not game


def test_options_can_be_given_like_those_of_our_games() -> None:
    small = find_game("spiel:hex").start({"board_size": "3"})
    assert len(small.legal_moves) == 9
    assert small != find_game("spiel:hex").start()
    assert pickle.loads(pickle.dumps(small)) == small
    assert len(find_game("spiel:hex(board_size=3)").start().legal_moves) == 9
    assert find_game("spiel:go(board_size=5,komi=0.5)").options["komi"].default == 0.5


def test_the_bounds_are_openspiels() -> None:
    game = find_game("spiel:hex(board_size=4)")
    board = game.board()
    assert (game.move_limit(board), game.longest_game(board)) == (16, 16)


def test_signs_in_case_alone_tell_moves_apart() -> None:
    """In chess bc3 is a pawn's move and Bc3 a bishop's."""
    position = find_game("spiel:chess").position("c3 a6 b3 a5 Ba3 a4")
    position = position.play("Bc1").play("h6").play("d3").play("h5").play("Bb2").play("h4")
    texts = [position.move_text(move) for move in position.legal_moves]
    assert "a3" in texts
    assert position.parse_move("A3") == position.parse_move("a3")
    with pytest.raises(IllegalMove, match="'Zz9' is not a legal move here; legal are "):
        position.parse_move("Zz9")


def test_the_result_is_openspiels() -> None:
    for name in GAMES[:2]:
        for seed in range(4):
            end = random_end(find_game(name).start(), seed)
            assert end.is_over
            assert [end.utility, -end.utility] == end.spiel_state.returns()  # type: ignore[attr-defined]
            assert end.outcome.reason in ("First wins", "Second wins", "a draw")


def test_a_game_of_points_has_its_margin() -> None:
    end = random_end(find_game("spiel:dots_and_boxes(utility_margin=True)").start(), 1)
    assert end.game.rules.point == 1
    assert end.outcome.reason in (f"First wins by {end.utility}", f"Second wins by {-end.utility}")


def test_a_record_of_it_is_read_back() -> None:
    position = find_game("spiel:tic_tac_toe").position("x(1,1) o(0,0)")
    record = GameRecord.from_moves(position, ["x(0,1)", "o(2,2)", "x(2,1)"])
    again = GameRecord.from_text(record.text)
    assert again.positions()[-1].outcome.reason == "First wins"
    assert GameRecord.from_json(record.json) == record
    small = find_game("spiel:hex").start({"board_size": 3})
    kept = GameRecord.begin(small, options={"board_size": 3})
    assert GameRecord.from_text(kept.text).first_position() == small


# Searching and playing


@pytest.mark.parametrize("moves", ["x(1,1)", "x(0,0) o(1,1)", "x(0,0) o(0,1) x(1,0)"])
def test_the_textbook_finds_the_value_of_our_own_game(moves: str) -> None:
    theirs = find_game("spiel:tic_tac_toe").position(moves)
    ours = find_game("tictactoe").start()
    for move in theirs.state:
        ours = ours.play(6 - 3 * (move // 3) + move % 3)  # their rows run down
    assert alpha_beta(theirs, 6).value == alpha_beta(ours, 6, evaluate=lambda _: 0).value
    assert minimax(theirs, 3).value == minimax(ours, 3, evaluate=lambda _: 0).value


def test_hex_is_a_win_for_the_first_player() -> None:
    position = find_game("spiel:hex(board_size=3)").start()
    for algorithm in (Algorithm.ALPHA_BETA, Algorithm.MONTE_CARLO):
        limits = Limits(depth=9) if algorithm is Algorithm.ALPHA_BETA else Limits(nodes=3000)
        result = make_searcher(algorithm, position.game).search(position, limits)
        assert result.proven
        assert result.value_text.startswith("First wins")


def test_players_and_the_referee_take_it_as_it_is() -> None:
    game = find_game("spiel:hex(board_size=3)")
    searching = SearchPlayer(
        make_searcher(Algorithm.MONTE_CARLO, game), Limits(nodes=200), seed=1, name="ours"
    )
    for other in (random_player(1), greedy_player()):
        match = play_game(game.start(), [searching, other])
        assert match.outcome.winner == 0
        assert match.record.positions()[-1].is_over


@pytest.mark.parametrize("algorithm", [Algorithm.ENGINE, Algorithm.PERFECT])
def test_what_has_to_compile_the_rules_refuses_it(algorithm: Algorithm) -> None:
    with pytest.raises(
        LimitError, match="the rules of spiel:hex are not ours and cannot be compil"
    ):
        make_searcher(algorithm, find_game("spiel:hex"))


def test_so_do_the_check_of_the_contract_and_a_replaced_function() -> None:
    with pytest.raises(LimitError, match="the rules of spiel:hex are not ours"):
        list(check_game(find_game("spiel:hex")))
    with pytest.raises(FormatError, match="spiel:hex is OpenSpiel's: nothing of it can be replace"):
        find_game("spiel:hex").replace(evaluate=None)


def test_uncompiled_monte_carlo_has_no_limit_of_memory() -> None:
    with pytest.raises(LimitError, match="memory means nothing to monte-carlo for a game that is"):
        make_searcher(Algorithm.MONTE_CARLO, find_game("spiel:hex"), SearcherSettings(memory=4))


# Refused


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("spiel:hexx", r"OpenSpiel has no game 'hexx'; did you mean spiel:hex\?"),
        ("spiel:", r"'spiel:': a game of OpenSpiel's is written spiel:NAME or spiel:NAME\("),
        ("spiel:hex(board_size=5", "a game of OpenSpiel's is written spiel:NAME"),
        ("spiel:hex(5)", "'5' is no OPTION=VALUE, such as board_size=5"),
        ("spiel:hex(size=5)", "spiel:hex has no option 'size'; its options: board_size, "),
        ("spiel:hex(board_size=0)", "option board_size must be 1 or more, not '0'"),
        ("spiel:hex(board_size=x)", "option board_size must be a whole number, not 'x'"),
        ("spiel:hex(swap=maybe)", "option swap must be yes or no, not 'maybe'"),
        ("spiel:go(komi=x)", "option komi must be a number, not 'x'"),
        ("spiel:hex(string_rep=none)", r"OpenSpiel cannot load spiel:hex\(string_rep=none\): "),
        ("spiel:backgammon", "spiel:backgammon leaves something to chance: only two-player"),
        ("spiel:dark_hex", "spiel:dark_hex hides something from its players"),
        ("spiel:oshi_zumo", "spiel:oshi_zumo lets its players move at once"),
        ("spiel:morpion_solitaire", "spiel:morpion_solitaire is not for two players"),
        ("spiel:misere", "spiel:misere is made of another game"),
        ("spiel:bargaining", "spiel:bargaining "),
        ("spiel:chinese_checkers(players=3)", "is for 3 players: only 2 can play here"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(
    name: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PlygroundError, match=message):
        find_game(name)
    assert capfd.readouterr() == ("", "")


def test_every_game_of_the_right_kind_starts_and_every_other_is_refused() -> None:
    kinds = pyspiel.GameType
    for found in pyspiel.registered_games():
        if found.short_name.startswith(("plyground_", "python_")):
            continue
        playable = (
            found.default_loadable
            and found.dynamics == kinds.Dynamics.SEQUENTIAL
            and found.chance_mode == kinds.ChanceMode.DETERMINISTIC
            and found.information == kinds.Information.PERFECT_INFORMATION
            and found.utility == kinds.Utility.ZERO_SUM
            and found.min_num_players <= 2 <= found.max_num_players
        )
        try:
            position = find_game(f"spiel:{found.short_name}").start()
        except UnknownGame:
            assert not playable, found.short_name
        else:
            assert playable
            assert position.legal_moves


# The command line


def test_moves_with_commas_are_told_apart_by_blanks() -> None:
    ran = plyground("show", "spiel:gomoku(size=5)", "--moves", "1,2 3,3")
    assert ran.status == 0, ran
    assert "1,2 3,3" in ran.output


def test_it_is_searched_by_monte_carlo_unless_told_otherwise() -> None:
    ran = plyground("search", "spiel:hex(board_size=2)", "--nodes", "50", "--seed", "1", "--quiet")
    assert ran.status == 0, ran
    assert "First wins in 3 plies" in ran.output


def test_the_engine_is_refused_in_one_line() -> None:
    uses = (["search", "--algorithm", "engine"], ["solve"], ["perft", "--depth", "1"], ["engine"])
    for verb in uses:
        ran = plyground(verb[0], "spiel:hex", *verb[1:])
        assert ran.status == 2
        assert ran.errors.startswith("plyground: the rules of spiel:hex are not ours and cannot be")
        assert len(ran.errors.splitlines()) == 1


def test_a_game_is_played_in_the_terminal() -> None:
    ran = plyground(
        *("play", "spiel:hex(board_size=2)", "--nodes", "30", "--seed", "1"), typed="a1\nquit\n"
    )
    assert ran.status == 0, ran
    assert "Hex: First is you, Second is monte-carlo; 30 nodes a move." in ran.output


def test_a_result_that_is_no_whole_number_is_refused() -> None:
    class Halved:
        def returns(self) -> list[float]:
            return [0.5, -0.5]

    game = find_game("spiel:tic_tac_toe")
    with pytest.raises(FormatError, match=r"spiel:tic_tac_toe ended with 0\.5: not a whole number"):
        SpielPosition(game, game.board(), Halved()).utility  # noqa: B018


def test_a_match_is_played_by_worker_processes_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("match", "spiel:hex(board_size=3)", "spiel:mcts?simulations=50", "greedy")
    there = plyground(*words, "--games", "4", "--workers", "2", "--record", "a.jsonl", "--json")
    assert there.status == 0, there
    document = there.document
    assert document["games"] == 4
    assert document["endings"] == {"finished": 4}
    records = load_games("a.jsonl")
    assert {record.game for record in records} == {"spiel:hex(board_size=3)"}
    assert all(record.positions()[-1].is_over for record in records)
    here = plyground(*words, "--games", "4", "--workers", "1", "--store", "b.db", "--json").document
    assert [one["wins"] for one in here["players"]] == [one["wins"] for one in document["players"]]
    again = plyground(*words, "--games", "4", "--workers", "2", "--json").document
    assert again == document, "nothing was played again"
