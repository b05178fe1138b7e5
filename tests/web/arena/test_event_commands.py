"""Events that pages set up: what is wrong is told field by field, and what runs is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyground.cli.main import load_verb
from plyground.web.arena.event_commands import (
    DROPPED,
    FLAGS,
    VALUED,
    VERBS,
    EventProblem,
    EventRules,
    command_of,
    problems,
    resumed_command,
)
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.arena import NewEvent
from tests.paths import ROOT

NIM = ROOT / "examples" / "nim.py"
CATALOGUE = Catalogue([str(NIM)])
REFUSED = ("--trust", "--record", "--report", "--cluster")
"""Options with which a page would write files, run untrusted programs, or leave this machine."""


def rules(*, engines: bool = False) -> EventRules:
    return EventRules(CATALOGUE, Path("arena.db"), engines)


def event(**settings: Any) -> NewEvent:
    given = {"kind": "match", "game": "tictactoe", "players": ["perfect", "random"], **settings}
    return NewEvent.model_validate(given)


@pytest.mark.parametrize(
    ("settings", "field", "message"),
    [
        ({"players": ["rando", "random"]}, "players.0", "there is no player 'rando'; did you mean"),
        ({"players": ["random", ""]}, "players.1", "there is no player ''"),
        ({"players": ["random", "greedy:depth=2"]}, "players.1", "greedy has no option 'depth'"),
        ({"players": ["random", "random"]}, "players", "random takes part twice; to tell them"),
        ({"players": ["random", "greedy", "perfect"]}, "players", "a match has two players, not 3"),
        ({"players": ["random", "missing.py"]}, "players.1", "missing.py: No such file"),
        ({"players": ["random", "ugi:rm -rf"]}, "players.1", "plyground serve --allow-engines"),
        ({"players": ["uci:ls?a=1", "random"]}, "players.0", "programs are not started from a"),
        ({"game": "chess"}, "game", "there is no game 'chess'; games: nim, "),
        ({"options": {"size": 4}}, "options", "tictactoe has no option 'size'"),
        ({"openings": "boards"}, "openings", "tictactoe has no built-in boards"),
        ({"seconds": 0.0001}, "time", "0.0001 seconds: a clock has from 0.001"),
        (
            {"kind": "sprt", "test": {"elo0": 5, "elo1": 5}},
            "test",
            "elo0 must be less than elo1, but 5 is not less than 5",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_is_told_beside_its_field(
    settings: dict[str, Any], field: str, message: str
) -> None:
    (found,) = problems(event(**settings), rules())
    assert found.field == field
    assert message in found.message


def test_programs_are_players_if_the_server_allows_it() -> None:
    asked = event(players=["uci:engine?a=1", "ugi:other"])
    assert len(problems(asked, rules())) == 2
    assert problems(asked, rules(engines=True)) == []


def test_several_problems_are_told_at_once() -> None:
    asked = event(players=["rando", "ugi:x"], openings="generator", seconds=0.0001)
    fields = {found.field for found in problems(asked, rules())}
    assert fields == {"players.0", "players.1", "openings", "time"}


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        ({}, "match --games 100 -- tictactoe perfect random"),
        (
            {"game": "breakthrough", "options": {"rows": 5}, "seconds": 0.5, "seed": 7, "plies": 2},
            (
                "match --option rows=5 --games 100 --time 0.5 --plies 2 --seed 7"
                " -- breakthrough perfect random"
            ),
        ),
        (
            {"game": "derby", "options": {"first_stay": True}, "openings": "generator"},
            (
                "match --option first_stay=true --games 100 --openings generator"
                " -- derby perfect random"
            ),
        ),
        (
            {"clock": {"seconds": 10, "increment": 0.1}, "balanced": True, "proven": 500},
            "match --games 100 --clock 10+0.1 --balanced --proven 500 -- tictactoe perfect random",
        ),
        (
            {"kind": "tournament", "players": ["a.py", "random", "greedy"], "gauntlet": True},
            "tournament --games 100 --gauntlet -- tictactoe a.py random greedy",
        ),
        (
            {"kind": "sprt", "games": 500, "test": {"elo1": 20}, "agreed": 4, "longest": 60},
            (
                "sprt --most 500 --agreed 4 --longest 60 --elo0 0 --elo1 20 --alpha 0.05"
                " --beta 0.05 --model normalized -- tictactoe perfect random"
            ),
        ),
        ({"game": "nim"}, f"match --games 100 -- {NIM} perfect random"),
    ],
    ids=str,
)
def test_an_event_is_a_command_line(settings: dict[str, Any], command: str) -> None:
    assert " ".join(command_of(event(**settings), rules())) == command


@pytest.mark.parametrize(
    ("command", "resumed"),
    [
        (
            "match tictactoe random greedy --games 20 --store other.db -q",
            "match --games 20 -- tictactoe random greedy",
        ),
        (
            "sprt -t0.5 -o size=3 --model=logistic --no-live --balanced -- tictactoe a.py b.py",
            "sprt -t 0.5 -o size=3 --model logistic --balanced -- tictactoe a.py b.py",
        ),
        (f"match {NIM} random greedy", f"match -- {NIM} random greedy"),
        ("match nim.py random greedy", f"match -- {NIM} random greedy"),
    ],
)
def test_an_event_of_the_store_is_gone_on_with(command: str, resumed: str) -> None:
    found = resumed_command(command.split(), NIM.parent, rules())
    assert " ".join(found) == resumed


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_an_event_is_known(verb: str) -> None:
    """With a value or without one, as the command line has it; or a page may not give it."""
    for parameter in load_verb(verb).params:
        for name in [*parameter.opts, *parameter.secondary_opts]:
            if name.startswith("-") and name not in {*REFUSED, "--store", "--help", "-h"}:
                assert name in (FLAGS | DROPPED if parameter.is_flag else VALUED), name


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "the store does not tell the command"),
        ("grade derby player.py", "the store does not tell the command"),
        ("match tictactoe", "the command of this event names no game and two players"),
        ("match --trust -- tictactoe a.py b.py", "started with --trust, which no page may do"),
        ("match --record x.jsonl tictactoe random greedy", "started with --record"),
        ("match --cluster tcp://host tictactoe random greedy", "started with --cluster"),
        ("match tictactoe random uci:ls", "plyground serve --allow-engines"),
        ("match evil.py random greedy", "this server does not know the game evil.py"),
        ("match nim random greedy", "this server does not know the game nim; use a terminal"),
    ],
)
def test_a_command_of_the_store_that_a_page_may_not_start_is_refused(
    command: str, message: str
) -> None:
    with pytest.raises(Exception, match=message) as caught:
        resumed_command(command.split(), ROOT, rules())
    assert isinstance(caught.value, EventProblem)
