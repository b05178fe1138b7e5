"""The notation of players: what it describes, how it is written back, and what is refused."""

from __future__ import annotations

import pytest

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.players import entrants
from plyground.players.entrants import Surroundings, make_entrant
from plyground.players.notation import PlayerError, read_player
from plyground.players.player import Clock
from plyground.search.result import Limits, SearchResult
from plyground.search.searcher import RandomSearcher

tictactoe = find_game("tictactoe")


@pytest.mark.parametrize(
    "text",
    [
        "engine",
        "engine:time=0.1,threads=2,memory=64",
        "engine:depth=6,features=exact",
        "engine:depth=6,features=table+scout,name=new",
        "monte-carlo:nodes=20000",
        "alpha-beta:depth=4",
        "minimax:depth=2",
        "random",
        "greedy:name=eager",
        "perfect",
        "player.py",
        "students/ann.py?time=0.5&name=Ann",
        "ugi:./engine --quiet",
        "uci:/opt/fairy stockfish?variant=breakthrough6&Hash=16",
        "spiel:mcts?simulations=1000",
    ],
)
def test_a_player_is_written_as_it_was_read(text: str) -> None:
    spec = read_player(text)
    assert spec.text == text
    assert read_player(f"  {spec.text} ") == spec


def test_what_a_notation_says() -> None:
    spec = read_player("uci:./fairy?variant=breakthrough6&time=0.1&name=Fairy")
    assert (spec.kind, spec.target, spec.name) == ("uci", "./fairy", "Fairy")
    assert spec.own_options == {"variant": "breakthrough6"}
    assert spec.seconds == 0.1
    assert not spec.plays_by_clock
    assert read_player("engine").plays_by_clock
    assert not read_player("engine:nodes=5").plays_by_clock
    assert not read_player("random").plays_by_clock
    assert read_player("engine:threads=3").threads == 3
    assert read_player("ugi:./engine?Threads=2").threads == 2
    assert read_player("uci:./engine?THREADS=4&Hash=16").threads == 4
    assert read_player("engine:depth=2").name == "engine:depth=2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no player ''; players: engine, "),
        ("enigne:depth=2", "there is no player 'enigne:depth=2'; did you mean 'engine'?"),
        ("file", "there is no player 'file'"),
        ("engine:", "after the colon come options, such as time=0.1"),
        ("engine:deep", "'deep' is no option; write NAME=VALUE"),
        ("engine:depth=2,depth=3", "depth is given twice"),
        ("uci:./engine?Threads=two", "Threads is a whole number above 0, not 'two'"),
        ("engine:depth=0", "depth is a whole number above 0, not '0'"),
        ("engine:depth=\N{ARABIC-INDIC DIGIT TWO}", "depth is a whole number above 0"),
        ("engine:time=soon", "time is in seconds, such as 0.1, not 'soon'"),
        ("engine:time=-1", "time is in seconds, such as 0.1, not '-1'"),
        ("engine:time=nan", "time is in seconds, such as 0.1, not 'nan'"),
        ("random:depth=2", "random has no option 'depth'; it has name"),
        ("greedy:time=1", "greedy has no option 'time'; it has name"),
        ("minimax:threads=2", "minimax has no option 'threads'; it has depth, name, nodes"),
        ("monte-carlo:depth=3", "monte-carlo has no option 'depth'"),
        ("ugi:", "player 'ugi:' names no command: ugi:COMMAND"),
        ("spiel: ?simulations=1", "names no bot: spiel:BOT"),
        ("player.py?depth=3", "a file takes time and name, not 'depth'"),
        ("player.py?level=3", "a file takes time and name, not 'level'"),
        ("uci:x?Hash", "'Hash' is no option; write NAME=VALUE"),
        ("e\nf", "one short line"),
        ("x" * 1001, "a player is one short line of text, such as engine"),
    ],
)
def test_what_is_no_player_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(PlayerError) as refused:
        read_player(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_unknown_feature_is_refused_when_it_is_read() -> None:
    with pytest.raises(LimitError, match="the engine has no feature 'magic'"):
        read_player("engine:features=table+magic")


@pytest.mark.parametrize("text", ["random", "monte-carlo:nodes=60", "engine:nodes=60", "greedy"])
def test_the_same_seed_gives_the_same_game_whatever_was_played_before(text: str) -> None:
    entrant = make_entrant(tictactoe, read_player(text), Surroundings())

    def game(seed: int) -> list[str]:
        player, position, moves = entrant.player(seed), tictactoe.start(), []
        while not position.is_over:
            moves.append(player.choose(position, Clock()).move)
            position = position.play(moves[-1])
        return moves

    first = game(5)
    others = [game(seed) for seed in (6, 7, 8)]
    assert game(5) == first
    if text in ("random", "monte-carlo:nodes=60"):
        assert any(other != first for other in others), "the seed makes no difference"
    entrant.close()


def test_a_player_without_limits_plays_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []

    class Recording(RandomSearcher):
        def search(self, position: Position, limits: Limits, **_: object) -> SearchResult:
            given.append(limits)
            return SearchResult.unsearched(position, position.legal_moves[0])

    monkeypatch.setattr(entrants, "make_searcher", lambda *_: Recording())
    player = make_entrant(tictactoe, read_player("monte-carlo"), Surroundings()).player(1)
    player.choose(tictactoe.start(), Clock(0.01))
    player.choose(tictactoe.start(), Clock())
    assert given == [Limits(seconds=0.01), Limits(seconds=1.0)]


def test_a_game_clock_never_runs_out_by_its_own_rule() -> None:
    left, moves = 1.0, 0
    while moves < 10_000 and left > 0.002:
        wanted = Clock(remaining=(9.0, left), increment=0.0, side=1).move_seconds
        assert wanted is not None
        assert wanted <= max(left / 2, 0.001)
        left -= wanted
        moves += 1
    assert moves > 100
    assert Clock(remaining=(9.0, 0.1), increment=0.5, side=1).move_seconds == 0.05
    assert Clock(remaining=(float("inf"), 1.0), side=0).move_seconds is None
