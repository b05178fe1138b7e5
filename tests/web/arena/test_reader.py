"""What pages see of a store: events, results and boards, also while games are added."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from pathlib import Path

import pytest

from plyground.arena.pair import GameUnderWay
from plyground.arena.sprt import Sprt
from plyground.arena.store import GameFilter, StoreError
from plyground.core.outcome import Ending, Outcome
from plyground.web.arena.boards import MOST_SLOTS
from plyground.web.arena.reader import NoEvent, Reading, StoreReader, facts
from plyground.web.catalogue import Catalogue
from tests.web.arena.stores import (
    MOVES,
    add,
    begin,
    filled,
    game_of,
    plan_of,
    record_of,
)

CATALOGUE = Catalogue()
NOTHING: frozenset[str] = frozenset()
PAIR = plan_of(("random", "greedy:name=eager"))
TRIO = plan_of(("random", "greedy", "perfect"), kind="tournament")


def read(reader: StoreReader, *events: str) -> Reading:
    found = reader.read(frozenset(events))
    assert found is not None, "nothing has changed"
    return found


def test_a_store_appears_changes_and_disappears(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    reader = StoreReader(path, CATALOGUE)
    assert read(reader) == Reading()
    assert reader.read(NOTHING) is None
    with pytest.raises(NoEvent, match="there is no such event"):
        reader.event(PAIR.id)
    store = begin(path, PAIR)
    (card,) = read(reader).cards
    assert (card.players, card.title) == (["random", "eager"], "Tic-tac-toe")
    assert (card.games, card.total, card.status, card.own) == (0, 6, "running", False)
    assert reader.read(NOTHING) is None
    add(store, PAIR, game_of(PAIR, (0, 1), 0))
    assert read(reader).cards[0].games == 1
    store.end_event(PAIR.id, "stopped")
    assert read(reader).cards[0].status == "stopped"
    store.close()
    for file in tmp_path.iterdir():
        file.unlink()
    assert read(reader) == Reading()


def test_a_store_that_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    path.write_text("this is no database, but a text of some length" * 50)
    reader = StoreReader(path, CATALOGUE)
    assert "file is not a database" in (read(reader).problem or "")
    assert reader.read(NOTHING) is None
    with pytest.raises(StoreError):
        reader.event(PAIR.id)
    path.unlink()
    assert read(reader).problem is None


@pytest.mark.parametrize(
    ("column", "value"),
    [("kind", '"race"'), ("settings", "[]"), ("players", "[7, 8]"), ("settings", '{"pairs": "x"}')],
)
def test_an_event_that_makes_no_sense_is_told(tmp_path: Path, column: str, value: str) -> None:
    path = tmp_path / "arena.db"
    filled(path, PAIR)
    with sqlite3.connect(path) as file:
        file.execute(f"UPDATE events SET {column} = ?", (value,))
    file.close()
    reading = read(StoreReader(path, CATALOGUE), PAIR.id)
    assert reading.problem == f"{path}: an event in it cannot be read"
    assert reading.cards == []


def test_a_match_tells_score_elo_and_curve(tmp_path: Path) -> None:
    filled(tmp_path / "arena.db", PAIR)
    detail = read(StoreReader(tmp_path / "arena.db", CATALOGUE), PAIR.id).details[PAIR.id]
    assert detail.match is not None
    assert (detail.match.score, detail.match.pairs) == (0.5, (0, 0, 3, 0, 0))
    assert [point.games for point in detail.match.curve] == [1, 2, 3, 4, 5, 6]
    assert detail.match.curve[0].high is None
    assert (detail.first_mover_score, detail.endings) == (1.0, {"finished": 6})
    assert [(one.name, one.wins, one.losses) for one in detail.players] == [
        ("random", 3, 3),
        ("eager", 3, 3),
    ]
    assert detail.command == "plyground match tictactoe random greedy:name=eager"
    assert detail.facts == ["openings of 4 random moves", "seed 0"]
    assert (detail.test, detail.notes) == (None, [])


def test_a_tournament_tells_ratings_and_a_cross_table(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with begin(path, TRIO) as store:
        for opening in range(3):
            add(store, TRIO, game_of(TRIO, (2, 0), opening), game_of(TRIO, (1, 0), opening))
        forfeit = Outcome.forfeit(1, Ending.ILLEGAL, "no such move")
        add(store, TRIO, game_of(TRIO, (1, 2), 0, forfeit))
        store.add_failure(TRIO.conditions, TRIO.contestants, (0, 1), 2, "its worker ended 2 times")
    detail = read(StoreReader(path, CATALOGUE), TRIO.id).details[TRIO.id]
    assert detail.match is None
    assert [one.faults for one in detail.players] == [0, 0, 1]
    ratings = [one.rating for one in detail.players]
    assert None not in ratings
    assert ratings.index(min(ratings)) == 0  # type: ignore[type-var]
    cells = {(one.player, one.opponent): (one.wins, one.losses) for one in detail.cross}
    assert cells == {
        (0, 2): (0, 3),
        (2, 0): (3, 0),
        (0, 1): (0, 3),
        (1, 0): (3, 0),
        (1, 2): (1, 0),
        (2, 1): (0, 1),
    }
    assert "points between them went one way only" in detail.notes[0]
    text = "opening 3, random against greedy: its worker ended 2 times"
    assert (detail.failed, detail.failures) == (1, [text])


def test_ratings_are_those_of_the_command_line(tmp_path: Path) -> None:
    settings = {"gauntlet": False, "anchor": "greedy", "anchor_rating": 1000.0}
    plan = plan_of(("random", "greedy", "perfect"), 2, "tournament", settings=settings)
    filled(tmp_path / "arena.db", plan)
    detail = read(StoreReader(tmp_path / "arena.db", CATALOGUE), plan.id).details[plan.id]
    assert [one.rating for one in detail.players] == pytest.approx([1000] * 3)
    assert [one.rating_error == 0 for one in detail.players] == [False, True, False]


def test_a_sequential_test_tells_its_decision(tmp_path: Path) -> None:
    plan = plan_of(("greedy", "random"), 40, "sprt", settings=asdict(Sprt(0, 200)))
    path = tmp_path / "arena.db"
    with begin(path, plan) as store:
        for opening in range(plan.pairs):
            loses = Outcome.forfeit(0, Ending.RESIGNED, "gave up")
            add(store, plan, game_of(plan, (0, 1), opening))
            add(store, plan, game_of(plan, (1, 0), opening, loses))
    test = read(StoreReader(path, CATALOGUE), plan.id).details[plan.id].test
    assert test is not None
    assert (test.decision, test.remaining) == ("H1", 0)
    assert test.llr >= test.upper > 0 > test.lower
    assert test.why.startswith("H1 is accepted")


def test_an_event_that_is_started_anew_while_it_is_watched_is_counted_anew(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    small = plan_of(("greedy", "random"), 2, "sprt", settings=asdict(Sprt(0, 200)))
    large = plan_of(("greedy", "random"), 3, "sprt", settings=asdict(Sprt(0, 200)))
    assert small.id == large.id
    filled(path, large)
    reader = StoreReader(path, CATALOGUE)
    begin(path, small).close()
    assert read(reader, small.id).cards[0].games == 4
    begin(path, large).close()
    reading = read(reader, small.id)
    assert (reading.cards[0].games, reading.cards[0].total) == (6, 6)
    match = reading.details[small.id].match
    assert match is not None
    assert sum(match.pairs) == 3


def test_a_pair_that_failed_is_left_out_until_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    plan = plan_of(("greedy", "random"), 3, "sprt", settings=asdict(Sprt(0, 200)))
    reader = StoreReader(path, CATALOGUE)

    def llr() -> float:
        test = read(reader, plan.id).details[plan.id].test
        assert test is not None
        return test.llr

    with begin(path, plan) as store:
        loses = Outcome.forfeit(0, Ending.RESIGNED, "gave up")
        for opening in (1, 2):
            add(store, plan, game_of(plan, (0, 1), opening), game_of(plan, (1, 0), opening, loses))
        assert llr() == 0
        store.add_failure(plan.conditions, plan.contestants, (0, 1), 0, "its worker ended 2 times")
        two = llr()
        assert two > 0
        add(store, plan, game_of(plan, (0, 1), 0), game_of(plan, (1, 0), 0, loses))
        assert llr() > two


def test_a_board_shows_a_game_until_another_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    reader = StoreReader(path, CATALOGUE)
    with begin(path, PAIR) as store:

        def play(sides: tuple[int, int], opening: int, plies: int) -> None:
            record = record_of(PAIR, sides, MOVES[:plies]).json
            store.show_game(PAIR.id, PAIR.contestants, GameUnderWay(*sides, opening, record))

        play((0, 1), 0, 2)
        play((0, 1), 1, 1)
        boards, (one, two) = read(reader, PAIR.id).boards[PAIR.id]
        assert (boards.slots, boards.under_way, boards.problem) == (2, 2, None)
        assert (one.ply, one.move, one.view.last, one.players) == (
            *(2, "a2", ["a2"]),
            ("random", "eager"),
        )
        assert (one.seconds, one.values, one.result) == ((0.25, 0.25), ("even", "even"), None)
        assert (two.ply, two.slot, two.opening) == (1, 1, 2)
        # The next move of one, and the end of the other.
        play((0, 1), 0, 3)
        add(store, PAIR, game_of(PAIR, (0, 1), 1))
        boards, (one, two) = read(reader, PAIR.id).boards[PAIR.id]
        assert (boards.under_way, one.ply, one.seconds) == (1, 3, (0.5, 0.25))
        assert (two.ply, two.result and two.result.score) == (5, "1-0")
        # Another game takes the place of the one that is over.
        play((1, 0), 1, 1)
        _, (one, two) = read(reader, PAIR.id).boards[PAIR.id]
        assert (one.ply, two.ply, two.players, two.result) == (3, 1, ("eager", "random"), None)
        # What a stopped event leaves stays on show.
        store.end_event(PAIR.id, "stopped")
        boards, models = read(reader, PAIR.id).boards[PAIR.id]
        assert (boards.under_way, [model.ply for model in models]) == (0, [3, 1])


def test_quick_games_are_shown_when_they_are_over(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    reader = StoreReader(path, CATALOGUE)
    with begin(path, PAIR) as store:
        assert read(reader, PAIR.id).boards[PAIR.id][1] == []
        for opening in range(3):
            add(store, PAIR, game_of(PAIR, (0, 1), opening))
            (model,) = read(reader, PAIR.id).boards[PAIR.id][1]
            assert (model.opening, model.ply) == (opening + 1, 5)


def test_no_more_boards_are_drawn_than_fit_a_page(tmp_path: Path) -> None:
    plan = plan_of(("random", "greedy"), 50)
    with begin(tmp_path / "arena.db", plan) as store:
        record = record_of(plan, (0, 1), MOVES[:1]).json
        for opening in range(MOST_SLOTS + 5):
            store.show_game(plan.id, plan.contestants, GameUnderWay(0, 1, opening, record))
    boards, models = read(StoreReader(tmp_path / "arena.db", CATALOGUE), plan.id).boards[plan.id]
    assert (boards.slots, len(models), boards.under_way) == (MOST_SLOTS, MOST_SLOTS, MOST_SLOTS + 5)


def test_a_game_that_the_server_does_not_know_has_results_but_no_boards(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    filled(path, PAIR)
    with sqlite3.connect(path) as file:
        file.execute("UPDATE conditions SET game = 'mine'")
    file.close()
    reading = read(StoreReader(path, CATALOGUE), PAIR.id)
    assert (reading.cards[0].title, reading.details[PAIR.id].card.games) == ("mine", 6)
    boards, models = reading.boards[PAIR.id]
    assert models == []
    assert "this server does not know the game mine" in (boards.problem or "")


def test_games_are_listed_page_by_page_and_have_records(tmp_path: Path) -> None:
    filled(tmp_path / "arena.db", PAIR)
    reader = StoreReader(tmp_path / "arena.db", CATALOGUE)
    page = reader.games(PAIR.id, GameFilter(), 4, 0)
    assert (page.total, [game.id for game in page.games]) == (6, [6, 5, 4, 3])
    assert [game.id for game in reader.games(PAIR.id, GameFilter(), 4, 4).games] == [2, 1]
    lost = reader.games(PAIR.id, GameFilter(player="random", result="loss"), 9, 0)
    assert [(game.first, game.score, game.winner) for game in lost.games] == [
        ("eager", "1-0", 0)
    ] * 3
    assert json.loads(reader.record(1))["players"] == ["random", "eager"]
    with pytest.raises(NoEvent, match="there is no such game"):
        reader.record(99)


@pytest.mark.parametrize("document", ["{}", "[]", "null", '{"clock": 1}'])
def test_conditions_of_another_version_have_no_words(document: str) -> None:
    assert facts(document, ["random"]) == []


def test_conditions_are_told_in_words() -> None:
    document = {
        "options": {"rows": "5"},
        "clock": {"seconds": None, "bank": 10, "increment": 0.1},
        "openings": {"kind": "random", "plies": 6, "balanced": True, "positions": []},
        "seed": 3,
        "adjudication": {"proven": 500, "agreed": 0, "length": 80},
    }
    assert facts(json.dumps(document), ["engine", "random"]) == [
        "rows 5",
        "10 s + 0.1 s a game",
        "balanced openings of 6 random moves",
        "seed 3",
        "proven: 500 nodes",
        "length: 80 moves",
    ]
