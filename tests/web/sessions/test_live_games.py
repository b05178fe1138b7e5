"""Live games: a ply at every beat, move_for_key by keys."""

from __future__ import annotations

import pytest

from plyground.core.errors import GameOver
from plyground.core.registry import find_game
from plyground.web.protocol.models import LiveSpec
from plyground.web.sessions.autoplay import LIVE_SEARCH_SECONDS, live_search_seconds
from plyground.web.sessions.session import HUMAN, ChosenMove, GameSession, move_for_key
from plyground.web.sessions.variation_tree import SessionError
from tests.web.fake_pool import Site, eventually
from tests.web.session_builders import ENGINE, interface_view, new_session, play

DERBY = find_game("derby")
FAST = {"seconds": 0.05}
STOPPED = {"running": False, "preparing": False}


def live_session() -> GameSession:
    """A running live game: a human against the engine."""
    session = new_session("derby", players=(HUMAN, ENGINE), live=LiveSpec(seconds=0.5))
    session.run_live(True, None, False, 0.0)
    return session


# The rules of it


def test_a_key_means_a_move_and_any_other_the_idle_one() -> None:
    start = DERBY.start()
    assert start.move_text(move_for_key(start, "ArrowDown")) == "down"
    for key in (None, "x", "ArrowUp"):
        assert start.move_text(move_for_key(start, key)) == "stay"


def test_the_last_key_counts_and_once_only() -> None:
    session = live_session()
    session.steer("ArrowLeft")
    session.steer("ArrowDown")
    session.play_live_ply(None, 0.0)
    session.play_live_ply(ChosenMove("left", 0.07, 3, 9), 0.0)
    session.play_live_ply(None, 0.0)
    assert session.tree.moves_to(session.tree.head) == ["down", "left", "stay"]
    assert [node["seconds"] for node in interface_view(session)["nodes"]] == [
        None,
        None,
        0.07,
        None,
    ]


def test_a_key_during_the_others_ply_counts_at_the_next() -> None:
    session = live_session()
    session.play_live_ply(None, 0.0)
    session.steer("ArrowDown")
    session.play_live_ply(ChosenMove("stay"), 0.0)
    session.play_live_ply(None, 0.0)
    assert session.tree.moves_to(session.tree.head) == ["stay", "stay", "down"]


def test_a_search_without_a_move_is_idle() -> None:
    session = live_session()
    session.play_live_ply(None, 0.0)
    session.steer("ArrowDown")
    session.play_live_ply(None, 0.0)
    assert session.tree.moves_to(session.tree.head) == ["stay", "stay"]


def test_a_live_game_ends_with_its_last_ply() -> None:
    session = live_session()
    while session.result is None:
        session.play_live_ply(None, 0.0)
    assert session.live is not None
    assert not session.live.running
    session.run_live(True, None, False, 0.0)
    assert not session.live.running
    with pytest.raises(SessionError, match="the game is over"):
        session.play_live_ply(None, 0.0)
    with pytest.raises(GameOver):
        move_for_key(session.position, None)


def test_a_live_game_is_paused_and_goes_on_slower() -> None:
    session = live_session()
    session.pause(0.0)
    assert interface_view(session)["live"] == STOPPED | {"seconds": 0.5}
    assert session.searching_player is None
    session.run_live(True, 2.0, False, 0.0)
    live = {"seconds": 2.0, "running": True, "preparing": True}
    assert interface_view(session)["live"] == live
    session.live_prepared(0.0)
    assert interface_view(session)["live"] == live | {"preparing": False}
    assert not session.paused


def test_a_restart_begins_anew_and_runs() -> None:
    session = live_session()
    session.play_live_ply(None, 0.0)
    session.play_live_ply(ChosenMove("left"), 0.0)
    session.pause(0.0)
    session.run_live(None, None, True, 0.0)
    assert (session.tree.main, len(session.tree.nodes)) == ([0], 1)
    assert interface_view(session)["live"]["running"]


def test_a_live_game_is_not_played_move_by_move() -> None:
    session = live_session()
    with pytest.raises(SessionError, match="this game is live: it is steered with keys"):
        play(session, "down")
    with pytest.raises(SessionError, match="the game is running: pause it first"):
        session.takeback(0.0)
    session.play_live_ply(None, 0.0)
    session.pause(0.0)
    session.takeback(0.0)
    assert session.tree.main == [0]


def test_a_search_takes_at_most_half_of_a_ply() -> None:
    assert live_search_seconds(0.5) == LIVE_SEARCH_SECONDS
    assert live_search_seconds(0.1) == 0.05


# While pages are connected


def derby(site: Site, *, seconds: float = 0.05, engine: str = "engine") -> str:
    players = [{"kind": "human"}, {"kind": engine}]
    return site.create("derby", players=players, live={"seconds": seconds})


def test_a_live_game_waits_until_it_is_started_and_then_runs(site: Site) -> None:
    with site.page(derby(site)) as page:
        assert page.table["live"] == STOPPED | FAST
        page.send("live", running=True)
        page.send("steer", key="ArrowDown")
        page.until(lambda page: len(page.moves) >= 4)
        assert page.moves[0] == "down"
        page.send("pause")
        page.until(lambda page: not page.table["live"]["running"])
        page.send("live", restart=True)
        page.until(lambda page: page.moves == [] and page.table["live"]["running"])
        assert not page.errors
    job = site.pool.jobs[1]
    assert (job["algorithm"], job["seconds"]) == ("engine", 0.025)
    assert site.pool.urgent[0]


def test_the_engines_move_is_played_at_its_ply(site: Site) -> None:
    with site.page(derby(site, seconds=0.3)) as page:
        page.send("live", running=True)
        page.until(lambda page: len(page.moves) >= 2)
        assert page.table["nodes"][2]["value"] == 7
        assert site.pool.jobs[1]["seconds"] == LIVE_SEARCH_SECONDS


def test_the_first_ply_waits_until_the_engine_is_prepared(site: Site) -> None:
    site.pool.holds = True
    with site.page(derby(site)) as page:
        page.send("live", running=True)
        page.until(lambda page: page.notices != [])
        assert page.table["live"]["preparing"]
        page.send("steer", key="ArrowDown")
        (job,) = site.pool.jobs
        assert (job["algorithm"], job["depth"]) == ("engine", 1)
        assert "seconds" not in job, "it may take as long as compiling takes"
        assert page.moves == []
        site.pool.holds = False
        page.until(lambda page: len(page.moves) >= 2)
        assert page.moves[0] == "down"
        assert not page.table["live"]["preparing"]


def test_an_engine_that_is_prepared_is_not_prepared_again(site: Site) -> None:
    with site.page(derby(site)) as page:
        page.send("live", running=True)
        page.until(lambda page: len(page.moves) >= 1)
        page.send("live", seconds=0.06)
        page.until(lambda page: len(page.moves) >= 4)
    assert [job.get("depth") for job in site.pool.jobs].count(1) == 1


def test_a_live_game_whose_engine_cannot_be_prepared_is_paused(site: Site) -> None:
    site.pool.errors["engine"] = "this cannot be compiled"
    with site.page(derby(site)) as page:
        page.send("live", running=True)
        page.until(lambda page: page.errors != [] and not page.table["live"]["running"])
        assert page.errors[0]["message"] == "this cannot be compiled; the game is paused"
        assert page.moves == []


def test_an_engine_that_is_late_is_idle_and_its_search_stops(site: Site) -> None:
    with site.page(derby(site)) as page:
        page.send("live", running=True)
        page.until(lambda page: page.table["live"]["running"] and len(page.moves) >= 1)
        site.pool.holds = True
        # On a busy machine a ply may be due before the search begins: then the next one is late.
        page.until(lambda page: len(site.pool.stopped) >= 2)
        first = len(page.moves) + 2
        page.until(lambda page: len(page.moves) >= first + 2)
        assert set(page.moves[first | 1 :: 2]) == {"stay"}
        assert page.table["nodes"][(first | 1) + 1]["value"] is None


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
    assert again["live"] == STOPPED | {"seconds": 0.75}


def test_a_live_game_stops_when_no_page_is_connected(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.sessions.active_session.SUSPEND_AFTER", 0.1)
    name = derby(site)
    with site.page(name) as page:
        page.send("live", running=True)
        page.until(lambda page: len(page.moves) >= 1)
    eventually(lambda: name not in site.active_ids)
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
