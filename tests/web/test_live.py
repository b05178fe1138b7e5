"""Live games: a ply at every beat, steered by keys."""

from __future__ import annotations

import pytest

from plyground.core.errors import GameOver
from plyground.core.registry import find_game
from plyground.web.protocol.models import LiveSpec
from plyground.web.sessions.live import THOUGHT, steered, thought_within
from plyground.web.sessions.session import Table
from plyground.web.sessions.setup import HUMAN, Answer
from plyground.web.sessions.variations import TableError
from tests.web.fake_pool import Site, eventually
from tests.web.table_builders import ENGINE, new_table, play, told

DERBY = find_game("derby")
FAST = {"seconds": 0.05}


def live_table() -> Table:
    """A day of fishing that runs: a human against the engine."""
    table = new_table("derby", players=(HUMAN, ENGINE), live=LiveSpec(seconds=0.5))
    table.run_live(True, None, False, 0.0)
    return table


# The rules of it


def test_a_key_means_a_move_and_any_other_the_idle_one() -> None:
    start = DERBY.start()
    assert start.move_text(steered(start, "ArrowDown")) == "down"
    for key in (None, "x", "ArrowUp"):
        assert start.move_text(steered(start, key)) == "stay"


def test_the_last_key_counts_and_once_only() -> None:
    table = live_table()
    table.steer("ArrowLeft")
    table.steer("ArrowDown")
    table.beat(None, 0.0)
    table.beat(Answer("left", 0.07, 3, 9), 0.0)
    table.beat(None, 0.0)
    assert table.moves_to(table.tree.head) == ["down", "left", "stay"]
    assert [node["seconds"] for node in told(table)["nodes"]] == [None, None, 0.07, None]


def test_a_key_that_comes_during_the_others_ply_counts_at_the_next() -> None:
    table = live_table()
    table.beat(None, 0.0)
    table.steer("ArrowDown")
    table.beat(Answer("stay"), 0.0)
    table.beat(None, 0.0)
    assert table.moves_to(table.tree.head) == ["stay", "stay", "down"]


def test_a_search_without_an_answer_is_idle() -> None:
    table = live_table()
    table.beat(None, 0.0)
    table.steer("ArrowDown")
    table.beat(None, 0.0)
    assert table.moves_to(table.tree.head) == ["stay", "stay"]


def test_a_live_game_ends_with_its_last_ply() -> None:
    table = live_table()
    while table.result is None:
        table.beat(None, 0.0)
    assert table.live is not None
    assert not table.live.running
    table.run_live(True, None, False, 0.0)
    assert not table.live.running
    with pytest.raises(TableError, match="the game is over"):
        table.beat(None, 0.0)
    with pytest.raises(GameOver):
        steered(table.position, None)


def test_a_live_game_is_paused_and_goes_on_slower() -> None:
    table = live_table()
    table.pause(0.0)
    assert told(table)["live"] == {"seconds": 0.5, "running": False}
    assert table.to_think is None
    table.run_live(True, 2.0, False, 0.0)
    assert told(table)["live"] == {"seconds": 2.0, "running": True}
    assert not table.paused


def test_a_restart_begins_anew_and_runs() -> None:
    table = live_table()
    table.beat(None, 0.0)
    table.beat(Answer("left"), 0.0)
    table.pause(0.0)
    table.run_live(None, None, True, 0.0)
    assert (table.tree.main, len(table.tree.nodes)) == ([0], 1)
    assert told(table)["live"]["running"]


def test_a_live_game_is_not_played_move_by_move() -> None:
    table = live_table()
    with pytest.raises(TableError, match="this game is live: it is steered with keys"):
        play(table, "down")
    with pytest.raises(TableError, match="the game is running: pause it first"):
        table.takeback(0.0)
    table.beat(None, 0.0)
    table.pause(0.0)
    table.takeback(0.0)
    assert table.tree.main == [0]


def test_a_search_thinks_for_a_part_of_the_beat() -> None:
    assert thought_within(0.5) == THOUGHT
    assert thought_within(0.1) == 0.05


# In a room


def derby(site: Site, *, seconds: float = 0.05, engine: str = "engine") -> str:
    players = [{"kind": "human"}, {"kind": engine}]
    return site.create("derby", players=players, live={"seconds": seconds})


def test_a_live_game_waits_until_it_is_started_and_then_runs(site: Site) -> None:
    with site.page(derby(site)) as page:
        assert page.table["live"] == {"seconds": 0.05, "running": False}
        page.send("live", running=True)
        page.send("steer", key="ArrowDown")
        page.until(lambda page: len(page.moves) >= 4)
        assert page.moves[0] == "down"
        page.send("pause")
        page.until(lambda page: not page.table["live"]["running"])
        page.send("live", restart=True)
        page.until(lambda page: page.moves == [] and page.table["live"]["running"])
        assert not page.errors
    job = site.pool.jobs[0]
    assert (job["algorithm"], job["seconds"]) == ("engine", 0.025)
    assert site.pool.urgent[0]


def test_the_engines_answer_is_played_at_the_beat(site: Site) -> None:
    with site.page(derby(site, seconds=0.3)) as page:
        page.send("live", running=True)
        page.until(lambda page: len(page.moves) >= 2)
        assert page.table["nodes"][2]["value"] == 7
        assert site.pool.jobs[0]["seconds"] == THOUGHT


def test_an_engine_that_is_late_is_idle_and_its_search_stops(site: Site) -> None:
    site.pool.holds = True
    with site.page(derby(site)) as page:
        page.send("live", running=True)
        # On a busy machine a beat may come before the search has even begun: then the next tells.
        page.until(lambda page: len(page.moves) >= 2 and len(site.pool.stopped) >= 1)
        assert set(page.moves[1::2]) == {"stay"}
        assert page.table["nodes"][2]["value"] is None


def test_an_engine_that_fails_is_idle_and_the_game_goes_on(site: Site) -> None:
    site.pool.errors["perfect"] = "this cannot be solved"
    with site.page(derby(site, engine="perfect")) as page:
        page.send("live", running=True)
        page.until(lambda page: len(page.moves) >= 6)
        assert [error["message"] for error in page.errors] == ["this cannot be solved"]
        assert page.table["live"]["running"]


def test_a_change_of_speed_counts_at_once(site: Site) -> None:
    with site.page(derby(site, seconds=10.0)) as page:
        page.send("live", running=True)
        page.until(lambda page: page.table["live"]["running"])
        page.send("live", seconds=0.05)
        page.until(lambda page: len(page.moves) >= 2)


def test_another_live_game_like_this_one_runs_at_its_speed(site: Site) -> None:
    name = derby(site)
    with site.page(name) as page:
        page.send("live", seconds=0.75)
        page.until(lambda page: page.table["live"]["seconds"] == 0.75)
    again = site.table(site.create(None, like=name))
    assert again["live"] == {"seconds": 0.75, "running": False}


def test_a_live_game_stands_still_when_nobody_looks_on(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.sessions.active_session.REST_AFTER", 0.1)
    name = derby(site)
    with site.page(name) as page:
        page.send("live", running=True)
        page.until(lambda page: len(page.moves) >= 1)
    eventually(lambda: name not in site.tables._rooms)
    table = site.table(name)
    assert not table["live"]["running"]
    assert site.table(name)["main"] == table["main"]


def test_a_whole_day_of_fishing_is_played(site: Site) -> None:
    players = [{"kind": "human"}, {"kind": "engine"}]
    options = {"board": "random", "plies": 12}
    name = site.create("derby", players=players, options=options, live=FAST)
    with site.page(name) as page:
        page.send("live", running=True)
        table = page.until(lambda page: page.table["result"] is not None)
        assert len(table["main"]) == 13
        assert not table["live"]["running"]
        assert table["result"]["ending"] == "finished"
