"""Events: every game once, the same results on one worker or many, and nothing lost when killed."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from plyground.arena.conditions import Adjudication, Conditions, Contestant, TimeControl
from plyground.arena.event import EventPlan, EventRefused, gauntlet, round_robin, run_event
from plyground.arena.openings import Opening, Openings
from plyground.arena.pair import FinishedGame, GameUnderWay, MatchSettings, Pair, set_up
from plyground.arena.sprt import Decision, Sprt
from plyground.arena.store import Store, StoredFailure, StoredGame
from plyground.arena.summary import EventSummary
from plyground.core.errors import FormatError, LimitError
from plyground.core.outcome import Ending
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.executor.local import LocalExecutor
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Executor
from plyground.players import entrants
from plyground.players.entrants import FreshEntrant
from plyground.players.notation import PlayerSpec, read_player
from plyground.players.player import Fault
from plyground.players.simple import FunctionPlayer
from plyground.search.solving.solution import Unsolved
from tests.paths import EXAMPLES

tictactoe = find_game("tictactoe")


def plan_of(*players: str, pairs: int = 3, kind: str = "match", **conditions: Any) -> EventPlan:
    return EventPlan(
        kind,
        Conditions(conditions.pop("game", tictactoe), **conditions),
        tuple(Contestant(read_player(text)) for text in players),
        round_robin(len(players)),
        pairs,
    )


def run(plan: EventPlan, path: Path, executor: Executor | None = None) -> list[StoredGame]:
    new: list[StoredGame] = []
    with Store(path) as store:
        run_event(plan, store, executor or SerialExecutor(), on_game=new.append)
    return new


def results(plan: EventPlan, path: Path) -> list[tuple[Any, ...]]:
    """Everything about the games but the time that they took."""
    with Store(path) as store:
        found = []
        for game in plan.games(store):
            record = GameRecord.from_json(store.record(game.id) or "")
            moves = tuple(ply.move for ply in record.plies)
            found.append((game.opening, game.first, game.second, game.winner, game.ending, moves))
    return sorted(found)


def test_a_match_plays_each_opening_from_both_sides(tmp_path: Path) -> None:
    plan = plan_of("random", "greedy", pairs=3)
    assert len(run(plan, tmp_path / "a.db")) == 6 == plan.total
    found = results(plan, tmp_path / "a.db")
    assert [(opening, first) for opening, first, *_ in found] == [
        (opening, first) for opening in range(3) for first in ("greedy", "random")
    ]
    with Store(tmp_path / "a.db") as store:
        starts: dict[int, set[str]] = {}
        for game in plan.games(store):
            record = GameRecord.from_json(store.record(game.id) or "")
            starts.setdefault(game.opening, set()).add(record.start)
            assert record.outcome == record.positions()[-1].outcome
            assert record.players == (game.first, game.second)
    assert all(len(texts) == 1 for texts in starts.values())


def test_what_has_been_played_is_not_played_again_and_more_games_go_on(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    assert len(run(plan_of("random", "greedy", pairs=2), path)) == 4
    assert run(plan_of("random", "greedy", pairs=2), path) == []
    assert len(run(plan_of("random", "greedy", pairs=3), path)) == 2
    # Another kind of event, or the players in another order, needs the same games.
    assert run(plan_of("greedy", "random", pairs=3, kind="sprt"), path) == []
    assert len(run(plan_of("random", "greedy", "random:name=b", pairs=1), path)) == 4
    assert len(run(plan_of("random", "greedy", pairs=1, seed=1), path)) == 2


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("connectfour", ("engine:nodes=150", "monte-carlo:nodes=100", "random")),
        ("tictactoe", ("perfect", "alpha-beta:depth=3", "random")),
    ],
)
def test_the_same_games_on_one_worker_or_two(
    tmp_path: Path, name: str, players: tuple[str, ...]
) -> None:
    plan = plan_of(*players, pairs=3, game=find_game(name))
    run(plan, tmp_path / "one.db")
    run(plan, tmp_path / "two.db", LocalExecutor(2))
    assert results(plan, tmp_path / "one.db") == results(plan, tmp_path / "two.db") != []


def test_proven_results_are_the_same_on_one_worker_or_two(tmp_path: Path) -> None:
    """With so many nodes some games are proven only by a search that remembers earlier ones."""
    terms, start = Adjudication(proven=500), Openings(plies=0)
    plan = plan_of("random", "greedy", pairs=8, adjudication=terms, openings=start)
    run(plan, tmp_path / "one.db")
    run(plan, tmp_path / "two.db", LocalExecutor(2))
    found = results(plan, tmp_path / "one.db")
    assert found == results(plan, tmp_path / "two.db")
    assert any(ending == "decided" for *_, ending, _ in found)


def test_an_event_asks_once_how_many_pairs_are_played_at_a_time(tmp_path: Path) -> None:
    """A cluster has to be asked over the network."""
    asked: list[int] = []

    class Counting:
        run = SerialExecutor().run

        @property
        def slots(self) -> int:
            asked.append(1)
            return 1

    assert len(run(plan_of("random", "greedy", pairs=4), tmp_path / "a.db", Counting())) == 8
    assert len(asked) == 1


def test_a_round_robin_and_a_gauntlet() -> None:
    assert round_robin(3) == ((0, 1), (0, 2), (1, 2))
    assert gauntlet(4) == ((0, 1), (0, 2), (0, 3))


def test_who_meets_whom_and_what_a_test_decides_make_an_event(tmp_path: Path) -> None:
    everyone = plan_of("random", "greedy", "perfect", kind="tournament", pairs=1)
    first = replace(everyone, pairings=gauntlet(3))
    test = plan_of("random", "greedy", kind="sprt", pairs=1)
    five, ten = (replace(test, settings=asdict(Sprt(0, elo1))) for elo1 in (5, 10))
    plans = everyone, first, test, five, ten
    assert len({plan.id for plan in plans}) == 5
    for plan in plans:
        assert plan.id == replace(plan, pairs=9, command=("x",)).id
        assert plan.id == replace(plan, settings={**plan.settings, "anchor": "greedy"}).id
    path = tmp_path / "a.db"
    assert [len(run(plan, path)) for plan in plans] == [6, 0, 0, 0, 0]
    with Store(path) as store:
        kept = {event.id: event for event in store.events()}
        assert kept[everyone.id].pairings == list(round_robin(3))
        assert kept[first.id].pairings == list(gauntlet(3))
        assert (kept[five.id].settings["elo1"], kept[ten.id].settings["elo1"]) == (5, 10)


@pytest.mark.parametrize(
    ("kind", "players"),
    [("match", ("random", "greedy")), ("tournament", ("random", "greedy", "x"))],
)
def test_matches_and_round_robins_are_named_as_in_older_stores(
    kind: str, players: tuple[str, ...]
) -> None:
    """The same command goes on with an event that an earlier version has begun."""
    plan = plan_of(*(text.replace("x", "random:name=x") for text in players), kind=kind)
    known = [(one.spec.text, one.digest) for one in plan.contestants]
    text = json.dumps([kind, plan.conditions.id, known])
    assert plan.id == hashlib.sha256(text.encode()).hexdigest()[:20]


def test_an_event_ends_when_it_is_enough(tmp_path: Path) -> None:
    plan, new = plan_of("random", "greedy", pairs=50), list[StoredGame]()
    with Store(tmp_path / "a.db") as store:
        run_event(
            plan, store, SerialExecutor(), on_game=new.append, is_enough=lambda: len(new) >= 7
        )
        assert len(plan.games(store)) == 7
        assert store.events()[0].status == "finished"


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: plan_of("random", "random"),
            EventRefused,
            "random takes part twice; to tell them apart, give them names: random:name=other",
        ),
        (
            lambda: plan_of("engine:depth=2", "engine:depth=2"),
            EventRefused,
            "give them names: engine:depth=2,name=other",
        ),
        (lambda: plan_of("random", "greedy", pairs=0), LimitError, "0 games: a match has from 2"),
        (
            lambda: plan_of("random", "greedy", openings=Openings("boards")),
            LimitError,
            "tictactoe has no built-in boards",
        ),
        (
            lambda: plan_of("random", "greedy", clock=TimeControl(0.0)),
            LimitError,
            "0 seconds: a clock has from 0.001",
        ),
    ],
)
def test_an_impossible_event_is_refused(
    make: Callable[[], EventPlan], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("random", "random:name=other"),
        ("random:name=a", "random:name=other"),
        ("engine:depth=2", "engine:depth=2,name=other"),
        ("engine:evaluation=nets/b.npz", "engine:evaluation=nets/b.npz,name=other"),
        ("players/a.py", "players/a.py?name=other"),
        ("players/a.py?time=1", "players/a.py?time=1&name=other"),
        ("ugi:engine", "ugi:engine?name=other"),
        ("uci:bin/engine --fast?Hash=16", "uci:bin/engine --fast?Hash=16&name=other"),
        ("spiel:mcts", "spiel:mcts?name=other"),
    ],
)
def test_the_name_that_is_proposed_for_a_second_player_names_it(text: str, named: str) -> None:
    # A net is read with its notation, and there is none here.
    evaluation = (("evaluation", "nets/b.npz"),)
    spec = PlayerSpec("engine", "", evaluation) if "npz" in text else read_player(text)
    with pytest.raises(EventRefused) as refused:
        EventPlan(
            "match", Conditions(tictactoe), (Contestant(spec), Contestant(spec)), ((0, 1),), 1
        )
    assert str(refused.value) == (
        f"{text} takes part twice; to tell them apart, give them names: {named}"
    )
    if "npz" not in text:
        assert (read_player(named).name, read_player(named).target) == ("other", spec.target)


ONE_PLY = Openings(plies=1)


@pytest.mark.parametrize(
    "players",
    [
        ("greedy", "engine:depth=2"),
        ("engine:nodes=50", "alpha-beta:depth=3"),
        ("random", "greedy", "minimax"),
    ],
)
def test_copies_of_games_are_refused(players: tuple[str, ...]) -> None:
    with pytest.raises(EventRefused) as refused:
        plan_of(*players, pairs=10, openings=ONE_PLY)
    one, other = players[-2:]
    assert str(refused.value) == (
        f"{one} and {other} would play the same games again: of different openings"
        " (1 random plies) there are 9, enough for 18 games and not for 20"
    )
    plan_of(*players, pairs=9, openings=ONE_PLY)


@pytest.mark.parametrize(
    "players",
    [
        ("engine", "engine:depth=2"),
        ("engine:time=0.1", "alpha-beta"),
        ("engine:depth=2,threads=2", "greedy"),
        ("ugi:engine", "player.py"),
    ],
)
def test_games_that_may_be_copies_are_warned_of(players: tuple[str, ...]) -> None:
    plan = plan_of(*players, pairs=10, openings=ONE_PLY)
    assert plan.warning == (
        f"{players[0]} and {players[1]} may play games again, and copies count as if they were not:"
        " of different openings (1 random plies) there are 9, enough for 18 games and not for 20"
    )
    assert plan_of(*players, pairs=9, openings=ONE_PLY).warning is None


@pytest.mark.parametrize("player", ["random", "perfect", "monte-carlo:nodes=9", "spiel:mcts"])
def test_players_that_draw_numbers_may_play_an_opening_again(player: str) -> None:
    assert plan_of(player, "greedy", pairs=10, openings=ONE_PLY).warning is None


def test_two_programs_do_not_play_the_same_event_at_the_same_time(tmp_path: Path) -> None:
    plan = plan_of("random", "greedy", pairs=2)
    with Store(tmp_path / "a.db") as store, Store(tmp_path / "a.db") as other:

        def again(game: StoredGame) -> None:
            with pytest.raises(EventRefused, match="another program is playing the same games"):
                run_event(plan, other, SerialExecutor(), on_game=lambda game: None)

        run_event(plan, store, SerialExecutor(), on_game=again)


# Faults


def entrant_that(monkeypatch: pytest.MonkeyPatch, fails: Callable[[int], str]) -> list[str]:
    """Players of the kind greedy play the first move, or what `fails` says for their how many-th
    move; what becomes of each is noted."""
    notes: list[str] = []

    class Failing(FunctionPlayer):
        def close(self) -> None:
            notes.append("closed")

    def make(seed: int) -> Failing:
        moves = iter(range(99))

        def pick(position: Any) -> str:
            return fails(next(moves)) or position.move_text(position.legal_moves[0])

        notes.append("made")
        return Failing("greedy", pick)

    monkeypatch.setitem(entrants.FACTORIES, "greedy", lambda *_: FreshEntrant(make))
    return notes


def test_a_fault_loses_the_game_and_the_player_is_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = entrant_that(monkeypatch, lambda number: "z9" if number == 1 else "")
    plan = plan_of("random", "greedy", pairs=2, openings=Openings(plies=0))
    games = run(plan, tmp_path / "a.db")
    assert [game.ending for game in games] == ["illegal"] * 4
    assert [(game.first, game.second)[game.winner or 0] for game in games] == ["random"] * 4
    assert notes.count("made") == 4
    assert notes[:2] == ["made", "closed"]


def test_a_fault_at_the_start_is_one_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(FunctionPlayer):
        def begin(self, position: Any, side: int, clock: Any) -> None:
            raise Fault(Ending.CRASHED, "it could not be loaded")

    broken = Broken("greedy", str)
    monkeypatch.setitem(entrants.FACTORIES, "greedy", lambda *_: FreshEntrant(lambda seed: broken))
    (game, _) = run(plan_of("random", "greedy", pairs=1), tmp_path / "a.db")
    assert (game.ending, game.reason, game.plies) == ("crashed", "it could not be loaded", 0)


def unable_in(monkeypatch: pytest.MonkeyPatch, plan: EventPlan, *openings: int) -> list[str]:
    """Players of the kind greedy raise an error where they move first in these openings. It is
    noted when they are closed."""
    starts = [plan.conditions.openings.opening(tictactoe, n).position(tictactoe) for n in openings]
    notes: list[str] = []

    class Unable(FunctionPlayer):
        def close(self) -> None:
            notes.append("closed")

    def pick(position: Any) -> str:
        if position in starts:
            raise Unsolved("the solver needs more memory")
        return str(position.move_text(position.legal_moves[0]))

    unable = Unable("greedy", pick)
    monkeypatch.setitem(entrants.FACTORIES, "greedy", lambda *_: FreshEntrant(lambda seed: unable))
    return notes


def test_a_game_that_fails_is_not_under_way_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pick(position: Any) -> str:
        if len(position.legal_moves) < 7:
            raise Unsolved("the solver needs more memory")
        return str(position.move_text(position.legal_moves[0]))

    player = FunctionPlayer("greedy", pick)
    monkeypatch.setitem(entrants.FACTORIES, "greedy", lambda *_: FreshEntrant(lambda seed: player))
    plan = plan_of("greedy", "random", pairs=1, openings=Openings(plies=0))
    shown, left = list[int](), list[Any]()
    with Store(tmp_path / "a.db") as store:
        show_game = store.show_game

        def show(event: str, contestants: Any, game: GameUnderWay) -> None:
            shown.append(game.opening)
            show_game(event, contestants, game)

        monkeypatch.setattr(store, "show_game", show)
        with pytest.raises(EventRefused, match="none of 2 games"):
            run_event(
                plan,
                store,
                SerialExecutor(),
                on_game=print,
                on_failure=lambda _: left.extend(store.under_way(plan.id)),
                live=True,
            )
    assert shown == [0, 0]
    assert left == []


def test_an_error_in_a_game_is_a_failure_of_that_game_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, plan, failures = tmp_path / "a.db", plan_of("greedy", "random"), list[StoredFailure]()
    notes = unable_in(monkeypatch, plan, 1)
    new: list[StoredGame] = []
    with Store(path) as store:
        for _ in range(2):
            run_event(plan, store, SerialExecutor(), on_game=new.append, on_failure=failures.append)
            assert store.events()[0].status == "finished"
        assert plan.failures(store) == failures[:1] == failures[1:]
        assert store.failures_of(store.events()[0]) == failures[:1]
        assert plan_of("greedy", "random", pairs=1).failures(store) == []
    assert [failure.text for failure in failures[:1]] == [
        "opening 2, greedy against random: the solver needs more memory"
    ]
    assert "closed" in notes
    assert {(game.opening, game.first) for game in new} == {
        (opening, first) for opening in range(3) for first in ("greedy", "random")
    } - {(1, "greedy")}
    monkeypatch.undo()
    assert [(game.opening, game.first) for game in run(plan, path)] == [(1, "greedy")]
    with Store(path) as store:
        assert plan.failures(store) == []


def test_an_error_before_the_first_move_refuses_the_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(FunctionPlayer):
        def begin(self, position: Any, side: int, clock: Any) -> None:
            raise FormatError("the program has no option 'Hsah'")

    wrong = Wrong("greedy", str)
    monkeypatch.setitem(entrants.FACTORIES, "greedy", lambda *_: FreshEntrant(lambda seed: wrong))
    with pytest.raises(EventRefused, match=r"^the program has no option 'Hsah'$"):
        run(plan_of("random", "greedy"), tmp_path / "a.db")


@pytest.mark.parametrize(("pairs", "failed"), [(1, 2), (3, 6), (50, 8)])
def test_players_of_whom_no_game_can_be_played_end_the_event_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pairs: int, failed: int
) -> None:
    """Such as an engine that lacks something for this board, which its first search finds out."""

    def pick(position: Any) -> str:
        raise LimitError("there is no net for this board")

    unable = FunctionPlayer("greedy", pick)
    monkeypatch.setitem(entrants.FACTORIES, "greedy", lambda *_: FreshEntrant(lambda seed: unable))
    plan = plan_of("random:name=a", "random", "greedy", pairs=pairs)
    with pytest.raises(EventRefused) as refused:
        run(plan, tmp_path / "a.db")
    assert str(refused.value) == (
        f"none of {failed} games between random:name=a and greedy could be played:"
        " there is no net for this board"
    )


def test_an_opening_that_is_over_is_a_failure_and_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, whole = plan_of("random", "greedy", pairs=2), Openings.opening
    over = Opening(start="xxx/oo1/3 o")
    monkeypatch.setattr(
        Openings, "opening", lambda self, *which: whole(self, *which) if which[1] else over
    )
    assert {game.opening for game in run(plan, tmp_path / "a.db")} == {1}
    with Store(tmp_path / "a.db") as store:
        assert {failure.reason for failure in plan.failures(store)} == {
            "the game is over where it starts: nothing can be played"
        }


def sequential(plan: EventPlan, path: Path, test: Sprt) -> EventSummary:
    """What a test knows when its run has ended."""
    summary = EventSummary(plan.notations, test)
    with Store(path) as store:
        run_event(
            plan,
            store,
            SerialExecutor(),
            on_game=summary.add,
            on_failure=summary.leave_out,
            is_enough=lambda: summary.decision is not Decision.CONTINUE,
        )
    return summary


def test_a_sequential_test_goes_on_without_a_pair_that_cannot_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test, path = Sprt(-900, -100), tmp_path / "a.db"
    plan = plan_of("greedy", "random", pairs=200, kind="sprt")
    unable_in(monkeypatch, plan, 0, 1)
    summary = sequential(plan, path, test)
    assert summary.decision is Decision.H1
    assert summary.test is not None
    judged = summary.test.pairs.samples
    with Store(path) as store:
        assert [failure.opening for failure in plan.failures(store)] == [0, 1]
        games = plan.games(store)
    assert judged == len({game.opening for game in games}) - 2


def test_a_game_that_another_program_was_first_to_play_is_counted_too(tmp_path: Path) -> None:
    """Two events share a store: the other one is run between two games of this one."""
    path, plan = tmp_path / "a.db", plan_of("random", "greedy", pairs=3, kind="sprt")
    games: list[StoredGame] = []

    def on_game(game: StoredGame) -> None:
        games.append(game)
        if len(games) == 1:
            run(plan_of("random", "greedy", pairs=2), path)

    with Store(path) as store:
        run_event(plan, store, SerialExecutor(), on_game=on_game)
    assert sorted(_key(game) for game in games) == [
        (opening, first) for opening in range(3) for first in ("greedy", "random")
    ]


def test_games_that_the_caller_has_not_counted_are_told_of(tmp_path: Path) -> None:
    """Another program may add a game after the caller has looked."""
    path, plan = tmp_path / "a.db", plan_of("random", "greedy", pairs=2)
    first, *others = run(plan, path)
    told: list[StoredGame] = []
    with Store(path) as store:
        run_event(plan, store, SerialExecutor(), on_game=told.append, counted=[first])
    assert told == others


def test_a_player_that_cannot_play_at_all_ends_the_event_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(EventRefused, match="no method solves"):
        run(plan_of("perfect", "random", game=_unsolvable()), tmp_path / "a.db")


def _unsolvable() -> Any:
    return find_game("blocker").replace(POINT=1)


def test_a_game_whose_rules_never_end_fails_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third opening is the position in which they do not."""
    rules = (EXAMPLES / "nim.py").read_text()
    line = "    return state.heaps == (0, 0, 0)"
    loop = "    while state.heaps == (2, 0, 2):\n        pass\n"
    (tmp_path / "nim.py").write_text(rules.replace(line, loop + line))
    game = find_game(str(tmp_path / "nim.py"))
    monkeypatch.setattr("plyground.arena.event.UNTIMED_PATIENCE", 5.0)
    plan = plan_of("greedy", "random", game=game, pairs=3)
    path = tmp_path / "a.db"
    assert len(run(plan, path, LocalExecutor(2))) == 4
    with Store(path) as store:
        assert store.events()[0].status == "finished"
        failures = plan.failures(store)
    silence = "nothing was heard of it for 5 s, and its worker was ended"
    assert [(failure.opening, failure.reason) for failure in failures] == [(2, silence)] * 2


@pytest.mark.parametrize(
    ("players", "clock", "seconds"),
    [
        (("engine", "engine:time=2"), TimeControl(0.1), 602),
        (("engine", "ugi:engine"), TimeControl(None, 900, 1), 1500),
        (("engine", "perfect"), TimeControl(0.1), 3600),
        (("minimax", "engine:time=10000"), TimeControl(0.1), 10_600),
        (("random", "greedy"), TimeControl(0.1), 3600),
    ],
)
def test_how_long_a_game_may_be_without_a_move_depends_on_its_clock(
    players: tuple[str, str], clock: TimeControl, seconds: float
) -> None:
    assert plan_of(*players, clock=clock).patience == seconds


def test_a_game_that_takes_long_gives_signs_of_its_going_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plyground.arena.pair.SIGN_INTERVAL", 0.0)
    plan, told = plan_of("random", "greedy"), list[object]()
    set_up(MatchSettings(plan.conditions, plan.contestants))(Pair(0, ((0, 1),)), told.append)
    *signs, end = told
    assert isinstance(end, FinishedGame)
    assert [type(sign) for sign in signs] == [GameUnderWay] * end.plies


# Adjudication


@pytest.mark.parametrize(
    ("terms", "ending", "winner", "plies"),
    [
        (Adjudication(length=1), "length", None, 1),
        (Adjudication(proven=5000), "decided", 0, 1),
        (Adjudication(agreed=1), "agreed", 0, 2),
    ],
)
def test_adjudication_is_named_in_the_result(
    tmp_path: Path, terms: Adjudication, ending: str, winner: int | None, plies: int
) -> None:
    """After a1 and b1 the first player wins, and both players see it."""
    lost = tictactoe.start().play("a1").play("b1").text
    openings = Openings("positions", positions=(lost,))
    plan = plan_of(
        "engine:depth=7", "engine:depth=6", pairs=1, adjudication=terms, openings=openings
    )
    played = run(plan, tmp_path / "a.db")
    with Store(tmp_path / "a.db") as store:
        for game in played:
            assert (game.ending, game.winner, game.plies) == (ending, winner, plies)
            assert GameRecord.from_json(store.record(game.id) or "").outcome is not None


def test_players_that_walk_in_circles_draw_when_a_position_comes_for_the_third_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def walk(position: Any) -> str:
        """Up if possible, else the next direction: into a corner, and then to and fro."""
        texts = [position.move_text(move) for move in position.legal_moves]
        return next(text for text in ("up", "right", "down", "left") if text in texts)

    walker = FunctionPlayer("greedy", walk)
    monkeypatch.setitem(entrants.FACTORIES, "greedy", lambda *_: FreshEntrant(lambda seed: walker))
    blocker = find_game("blocker")
    plan = plan_of("greedy", "greedy:name=other", game=blocker, pairs=1, openings=Openings(plies=0))
    for game in run(plan, tmp_path / "a.db"):
        assert (game.ending, game.winner) == ("repetition", None)
        assert game.reason == "the same position for the third time"
        with Store(tmp_path / "a.db") as store:
            record = GameRecord.from_json(store.record(game.id) or "")
        position, states = blocker.start(), []
        for ply in record.plies:
            states.append(position.state)
            position = position.play(ply.move)
        assert states.count(position.state) == 2
        assert all(states.count(state) <= 2 for state in states)


def test_adjudicated_games_have_the_result_that_play_would_have(tmp_path: Path) -> None:
    """Both players are perfect here, so that play ends as the search proves."""
    plain = plan_of("engine:depth=9", "perfect", pairs=4)
    judged = plan_of("engine:depth=9", "perfect", pairs=4, adjudication=Adjudication(proven=20000))
    winners = [
        [game.winner for game in sorted(run(plan, tmp_path / f"{number}.db"), key=_key)]
        for number, plan in enumerate((plain, judged))
    ]
    assert winners[0] == winners[1]


def _key(game: StoredGame) -> tuple[int, str]:
    return game.opening, game.first


# Killed


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked and killed")
def test_nothing_is_lost_or_played_twice_by_200_kills_at_random_moments(tmp_path: Path) -> None:
    """The store is read after every 20th kill: each game is there once, and none has gone. At the
    end every game is there that was told to be finished."""
    path, told = tmp_path / "a.db", tmp_path / "told"
    plan = plan_of("random", "greedy", pairs=2000)
    draw = random.Random(4)
    run(plan_of("random", "greedy", pairs=1), path)
    before = 2
    for kill in range(200):
        child = os.fork()
        if child == 0:
            _play_until_killed(plan, path, told)
        _await_growth(told, draw.randrange(4))
        time.sleep(draw.uniform(0.0, 0.01))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if kill % 20 == 19:
            with Store(path) as store:
                games = plan.games(store)
            keys = [(game.opening, game.first) for game in games]
            assert len(set(keys)) == len(keys) >= before
            before = len(keys)
    lines = told.read_text().splitlines()
    reported = [tuple(json.loads(line)) for line in lines if line.endswith("]")]
    assert len(set(reported)) == len(reported), "a game was played twice"
    assert set(reported) <= set(keys)
    assert len(keys) > 200, "the kills came before anything was played"
    assert all(game.plies for game in games)


def _await_growth(told: Path, games: int) -> None:
    """Wait until a process that has just begun has told of so many games: on a busy machine it may
    take longer than any time that is fixed here."""
    begun = told.stat().st_size if told.exists() else 0
    while games and (not told.exists() or told.stat().st_size < begun + games * 4):
        time.sleep(0.001)


def _play_until_killed(plan: EventPlan, path: Path, told: Path) -> None:
    """In a child process. Never returns."""
    try:
        with told.open("a") as file, Store(path) as store:

            def tell(game: StoredGame) -> None:
                os.write(file.fileno(), f"{json.dumps([game.opening, game.first])}\n".encode())

            run_event(plan, store, SerialExecutor(), on_game=tell)
    finally:
        os._exit(0)
