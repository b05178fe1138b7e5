"""The store: games are kept once, found again, merged; other files are refused."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import pytest

from plyground.arena import store as store_module
from plyground.arena.conditions import Adjudication, Conditions, Contestant, TimeControl
from plyground.arena.pair import FinishedGame, GameUnderWay
from plyground.arena.store import GameFilter, Store, StoreError
from plyground.core.errors import FileError
from plyground.core.registry import find_game
from plyground.players.notation import read_player

CONDITIONS = Conditions(find_game("tictactoe"))
PLAYERS = tuple(Contestant(read_player(text)) for text in ("random", "greedy", "perfect"))


def finished(first: int, second: int, opening: int, winner: int | None = 0) -> FinishedGame:
    return FinishedGame(
        first=first,
        second=second,
        opening=opening,
        winner=winner,
        utility=0 if winner is None else 1 - 2 * winner,
        ending="finished",
        reason="three in a line",
        plies=5,
        seconds=(0.25, 0.5),
        depths=(3.0, None),
        record="{}",
    )


def filled(path: Path, *games: FinishedGame, conditions: Conditions = CONDITIONS) -> Store:
    store = Store(path)
    store.add_conditions(conditions)
    store.start_event("e", "match", conditions, PLAYERS, command=["match", "tictactoe"])
    for game in games:
        assert store.add_game("e", conditions, PLAYERS, game)
    return store


def test_a_game_is_kept_once_and_found_again(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db", finished(0, 1, 0), finished(1, 0, 0, None))
    assert not store.add_game("e", CONDITIONS, PLAYERS, finished(0, 1, 0, 1))
    store.close()
    with Store(tmp_path / "a.db", create=False) as again:
        assert again.played(CONDITIONS, PLAYERS) == {(0, 1, 0), (1, 0, 0)}
        first, second = again.games()
        assert (first.first, first.second, first.score) == ("random", "greedy", 1.0)
        assert (second.first, second.second, second.score) == ("greedy", "random", 0.5)
        assert (first.first_seconds, first.second_depth) == (0.25, None)
        assert again.record(first.id) == "{}"
        assert again.record(999) is None


def test_games_are_filtered(tmp_path: Path) -> None:
    other = Conditions(find_game("tictactoe"), seed=1)
    store = filled(tmp_path / "a.db", finished(0, 1, 0), finished(1, 2, 0, 1))
    store.add_conditions(other)
    store.add_game("e", other, PLAYERS, finished(0, 2, 0))
    assert len(store.games()) == 3
    assert [game.second for game in store.games(conditions=CONDITIONS.id)] == ["greedy", "perfect"]
    assert [game.first for game in store.games(player="perf")] == ["greedy", "random"]
    assert store.games(ending="illegal") == store.games(game="derby") == []
    keys = [(one.spec.text, one.digest) for one in PLAYERS[:2]]
    assert len(store.games(players=keys)) == 1
    assert store.games(players=[(text, "another version") for text, _ in keys]) == []
    assert store.games(players=[("random", "other"), ("greedy", "")]) == []


def test_merging_adds_what_is_missing_and_nothing_twice(tmp_path: Path) -> None:
    one = filled(tmp_path / "a.db", finished(0, 1, 0), finished(0, 1, 1))
    # The other store has met the players in another order, so that their numbers differ.
    two = Store(tmp_path / "b.db")
    two.player_id(PLAYERS[2])
    two.player_id(PLAYERS[1])
    two.close()
    two = filled(tmp_path / "b.db", finished(0, 1, 1, 1), finished(2, 1, 5))
    assert one.merge(two) == 1
    assert one.merge(two) == 0
    assert one.played(CONDITIONS, PLAYERS) == {(0, 1, 0), (0, 1, 1), (2, 1, 5)}
    assert [event.players for event in one.events()] == [("random", "greedy", "perfect")]


def test_a_game_under_way_is_shown_until_it_is_over(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    store.show_game("e", PLAYERS, GameUnderWay(0, 1, 3, '{"plies": 1}'))
    store.show_game("e", PLAYERS, GameUnderWay(0, 1, 3, '{"plies": 2}'))
    assert store.under_way("e") == [("random", "greedy", 3, '{"plies": 2}')]
    store.add_game("e", CONDITIONS, PLAYERS, finished(0, 1, 3))
    assert store.under_way("e") == []


def test_a_game_that_is_not_played_on_is_not_shown(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    for opening in (3, 4):
        store.show_game("e", PLAYERS, GameUnderWay(0, 1, opening, "{}"))
    store.hide_game("e", PLAYERS, (0, 1), 3)
    assert store.under_way("e") == [("random", "greedy", 4, "{}")]


def test_an_event_tells_its_state(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    (event,) = store.events()
    assert event.is_running
    assert (event.kind, event.game, event.command) == ("match", "tictactoe", ("match", "tictactoe"))
    store.end_event("e", "stopped")
    (event,) = store.events()
    assert (event.status, event.is_running) == ("stopped", False)


def test_the_games_of_an_event_are_counted_filtered_and_read_page_by_page(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    settings = {"pairs": 3, "pairings": [(0, 1), (0, 2)]}
    store.start_event("g", "tournament", CONDITIONS, PLAYERS, settings=settings)
    for game in (
        *(finished(0, 1, 0), finished(1, 0, 0, 1), finished(2, 0, 1, None), finished(0, 2, 2, 1)),
        *(finished(1, 2, 0), finished(0, 1, 3)),  # not of this gauntlet, and beyond its length
    ):
        store.add_game("g", CONDITIONS, PLAYERS, game)
    event = next(event for event in store.events() if event.id == "g")
    assert (event.total, event.pairings) == (12, [(0, 1), (0, 2)])
    assert [game.id for game in store.event_games(event)] == [1, 2, 3, 4]
    assert [game.id for game in store.event_games(event, newest=2, offset=1)] == [3, 2]
    for wanted, expected in (
        (GameFilter(after=2), [3, 4]),
        (GameFilter(player="greedy"), [1, 2]),
        (GameFilter(player="greedy", result="loss"), [1, 2]),
        (GameFilter(player="random", result="win"), [1, 2]),
        (GameFilter(player="random", result="loss"), [4]),
        (GameFilter(result="win"), [1]),
        (GameFilter(result="loss"), [2, 4]),
        (GameFilter(result="draw"), [3]),
        (GameFilter(ending="illegal"), []),
    ):
        assert [game.id for game in store.event_games(event, wanted)] == expected
        assert store.count_event_games(event, wanted) == len(expected)
    # An event that did not say whom it pairs, and how often, has all games of its players.
    everything = next(event for event in store.events() if event.id == "e")
    assert (everything.total, store.count_event_games(everything)) == (None, 6)


def test_a_change_by_another_program_is_noticed(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        before = store.data_version
        assert store.data_version == before
        filled(tmp_path / "a.db").close()
        assert store.data_version != before


def test_a_killed_run_leaves_no_games_under_way_to_the_next(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    store.show_game("e", PLAYERS, GameUnderWay(0, 1, 3, "{}"))
    store.start_event("e", "match", CONDITIONS, PLAYERS)
    assert store.under_way("e") == []


def test_a_failure_is_kept_until_the_game_is_played(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    store.add_failure(CONDITIONS, PLAYERS, (0, 1), 0, "a worker ended: signal 9")
    (failure,) = store.failures(CONDITIONS, PLAYERS)
    assert failure.text == "opening 1, random against greedy: a worker ended: signal 9"
    assert store.find_game(CONDITIONS, PLAYERS, (0, 1), 3) is None
    added = store.add_game("e", CONDITIONS, PLAYERS, finished(0, 1, 0))
    assert store.failures(CONDITIONS, PLAYERS) == []
    assert store.find_game(CONDITIONS, PLAYERS, (0, 1), 0) == added


def test_a_failure_is_forgotten_when_the_game_comes_from_another_store(tmp_path: Path) -> None:
    store = filled(tmp_path / "a.db")
    for opening in (0, 1):
        store.add_failure(CONDITIONS, PLAYERS, (0, 1), opening, "a worker ended: signal 9")
    assert store.merge(filled(tmp_path / "b.db", finished(0, 1, 0))) == 1
    assert [failure.opening for failure in store.failures(CONDITIONS, PLAYERS)] == [1]


def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("these are not the games you are looking for" * 20)
    with pytest.raises(StoreError, match="file is not a database"):
        Store(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE theirs (a)")
    with pytest.raises(StoreError, match="this is a database of another program"):
        Store(other)
    with pytest.raises(StoreError, match="there is no such file of results"):
        Store(tmp_path / "missing.db", create=False)
    assert not (tmp_path / "missing.db").exists()
    newer = tmp_path / "newer.db"
    Store(newer).close()
    with sqlite3.connect(newer) as file:
        file.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="its tables have version 99, and this plyground reads"):
        Store(newer)
    with pytest.raises(FileError, match=r"folder\.db: there is no such folder"):
        Store(tmp_path / "no" / "folder.db")


def test_a_store_that_is_only_read_says_that_its_folder_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(tmp_path / "a.db").close()

    def connect(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(StoreError, match=r"a\.db: unable to open database file"):
        Store(tmp_path / "a.db", create=False)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileError, match="its folder does not let this user write"):
        Store(tmp_path / "a.db", create=False)


def test_a_store_needs_no_new_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Red Hat 9 has 3.34, which cannot read STRICT tables."""
    with Store(tmp_path / "a.db"), sqlite3.connect(tmp_path / "a.db") as file:
        tables = [sql for (sql,) in file.execute("SELECT sql FROM sqlite_master") if sql]
    assert len(tables) == 6
    assert not any("STRICT" in sql for sql in tables)
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.22.0")
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 22, 0))
    with pytest.raises(StoreError, match=r"with SQLite 3\.24 or later, and this Python has 3\.22"):
        Store(tmp_path / "b.db")
    assert not (tmp_path / "b.db").exists()


@pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 37), reason="this SQLite has none")
def test_a_store_with_strict_tables_is_read_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As plyground made them at first."""
    monkeypatch.setattr(store_module, "SCHEMA", store_module.SCHEMA.replace("\n);", "\n) STRICT;"))
    filled(tmp_path / "a.db").close()
    monkeypatch.undo()
    with Store(tmp_path / "a.db") as store:
        assert store.add_game("e", CONDITIONS, PLAYERS, finished(0, 1, 0)) is not None
        assert len(store.games()) == 1


def test_conditions_tell_games_apart_by_what_they_depend_on() -> None:
    game = find_game("tictactoe")
    different = [
        Conditions(game),
        Conditions(game, seed=1),
        Conditions(game, clock=TimeControl(0.2)),
        Conditions(game, clock=TimeControl(None, 1.0)),
        Conditions(game, adjudication=Adjudication(length=9)),
        Conditions(find_game("connectfour")),
        Conditions(game, options=(("rows", "3"),)),
    ]
    assert len({one.id for one in different}) == len(different)
    assert Conditions(game).id == CONDITIONS.id


def test_many_programs_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    """Switching to the log of SQLite fails at once while another program reads the file."""
    path = tmp_path / "a.db"
    failed: list[BaseException] = []

    def use() -> None:
        try:
            for _ in range(5):
                with Store(path) as store:
                    store.add_conditions(CONDITIONS)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
