"""Sessions in use: pages, computer players, clocks and hints, with a fake worker pool."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.fake_pool import Site, eventually

HUMAN = {"kind": "human"}
ENGINE = {"kind": "engine", "seconds": 0.5}
AGAINST_ENGINE = [HUMAN, ENGINE]


# Playing


def test_the_state_is_sent_on_connecting_and_after_a_move(site: Site) -> None:
    with site.page(site.create()) as page:
        assert page.table["view"]["text"] == "3/3/3 x"
        page.play("b2")
        assert page.table["view"]["last"] == ["b2"]


def test_the_engine_answers_and_its_own_seconds_are_noted(site: Site) -> None:
    with site.page(site.create(players=AGAINST_ENGINE)) as page:
        page.play("b2")
        table = page.until(lambda page: len(page.moves) == 2)
    assert table["nodes"][2]["seconds"] == site.pool.seconds
    assert (table["nodes"][2]["value"], table["nodes"][2]["depth"]) == (7, 3)
    assert site.pool.urgent == [True]
    assert site.pool.jobs[0]["place"] == {"game": "tictactoe", "options": {}, "moves": ["b2"]}
    assert (site.pool.jobs[0]["algorithm"], site.pool.jobs[0]["seconds"]) == ("engine", 0.5)


def test_an_evaluation_goes_to_the_search_and_the_one_it_used_comes_back(site: Site) -> None:
    with site.page(site.create(players=[HUMAN, {**ENGINE, "evaluation": "none"}])) as page:
        page.play("b2")
        table = page.until(lambda page: len(page.moves) == 2)
    assert site.pool.jobs[0]["evaluation"] == "none"
    assert table["players"][1]["evaluation"] == "none"
    assert [node["evaluation"] for node in table["nodes"]] == [None, None, "own"]


def test_progress_is_sent_alone_while_the_engine_searches(site: Site) -> None:
    site.pool.holds = True
    clock = {"seconds": 60, "increment": 0}
    with site.page(site.create(players=[ENGINE, HUMAN], clock=clock)) as page:
        page.until(lambda page: bool(page.progress))
        thought = {"depth": 3, "nodes": 100, "value_text": "+7", "evaluation": "own"}
        left = 60 - site.pool.seconds / 2
        assert page.progress[0] == {
            "type": "progress",
            "version": page.table["version"],
            "progress": thought,
            "clock": {**clock, "left": [left, 60], "running": 0},
        }
        assert (page.table["progress"], page.table["thinking"]) == (None, 0)
        page.send("comment", node=0, text="!")
        table = page.until(lambda page: bool(page.table["nodes"][0]["comment"]))
        assert (table["progress"], table["thinking"]) == (thought, 0)
        assert table["clock"]["left"] == [left, 60]
        site.pool.holds = False
        table = page.until(lambda page: len(page.moves) == 1)
        assert (table["progress"], table["thinking"]) == (None, None)


def test_the_pages_get_a_notice_that_a_game_is_being_compiled(site: Site) -> None:
    with site.page(site.create(players=[ENGINE, HUMAN])) as page:
        page.until(lambda page: page.notices == ["compiling"])


def test_two_pages_see_the_same(site: Site) -> None:
    name = site.create()
    with site.page(name) as page, site.page(name) as other:
        page.play("b2")
        other.until(lambda page: page.moves == ["b2"])
        other.play("a1")
        page.until(lambda page: page.moves == ["b2", "a1"])
        page.send("comment", node=0, text="hello")
        assert page.until(lambda page: bool(page.table["nodes"][0]["comment"])) == other.until(
            lambda page: bool(page.table["nodes"][0]["comment"])
        )


def test_the_engine_plays_itself_to_the_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.web.sessions.autoplay.MOVE_INTERVAL", 0.0)
    players = [{"kind": "random"}, {"kind": "minimax", "depth": 2}]
    with site.page(site.create(players=players)) as page:
        table = page.until(lambda page: page.table["result"] is not None)
    assert table["thinking"] is None
    assert {job["algorithm"] for job in site.pool.jobs} == {"random", "minimax"}


def test_every_request_changes_the_session(site: Site) -> None:
    with site.page(site.create()) as page:
        page.play("b2")
        page.send("try", node=0, move="a1")
        tried = page.until(lambda page: page.table["current"] == 2)["current"]
        page.send("goto", node=0)
        page.until(lambda page: page.table["current"] == 0)
        page.send("promote", node=tried)
        page.until(lambda page: page.moves == ["a1"])
        page.send("remove", node=1)
        page.until(lambda page: len(page.table["nodes"]) == 2)
        page.send("takeback")
        page.until(lambda page: page.moves == [])
        page.send("pause")
        page.until(lambda page: page.table["paused"])
        page.send("resume")
        page.until(lambda page: not page.table["paused"])
        page.send("players", players=[ENGINE, HUMAN])
        page.until(lambda page: len(page.moves) == 1)
        page.send("resign", player=1)
        assert page.until(lambda page: page.table["result"] is not None)["result"]["winner"] == 0
        assert not page.errors


# Searches stop


@pytest.mark.parametrize(
    "message",
    [
        {"type": "takeback"},
        {"type": "pause"},
        {"type": "resign"},
        {"type": "players", "players": [ENGINE, HUMAN]},
        {"type": "players", "players": [HUMAN, {"kind": "engine", "depth": 3}]},
    ],
    ids=lambda message: message["type"],
)
def test_a_search_that_is_out_of_date_stops(site: Site, message: dict[str, Any]) -> None:
    site.pool.holds = True
    with site.page(site.create(players=AGAINST_ENGINE)) as page:
        page.play("b2")
        eventually(lambda: len(site.pool.jobs) == 1)
        page.send(message.pop("type"), **message)
        eventually(lambda: len(site.pool.stopped) == 1)


def test_variations_do_not_stop_the_opponents_search(site: Site) -> None:
    site.pool.holds = True
    with site.page(site.create(players=AGAINST_ENGINE)) as page:
        page.play("b2")
        page.send("goto", node=0)
        page.until(lambda page: page.table["current"] == 0)
        page.send("try", node=0, move="a1")
        page.until(lambda page: page.table["current"] == 2)
        site.pool.holds = False
        page.until(lambda page: len(page.moves) == 2)
    assert (len(site.pool.jobs), site.pool.stopped) == (1, [])


def test_a_search_stops_when_no_page_is_connected_and_begins_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.sessions.active_session.SUSPEND_AFTER", 0.05)
    site.pool.holds = True
    name = site.create(players=[ENGINE, HUMAN])
    with site.page(name):
        eventually(lambda: len(site.pool.jobs) == 1)
    eventually(lambda: len(site.pool.stopped) == 1)
    eventually(lambda: name not in site.active_ids)
    site.pool.holds = False
    with site.page(name) as page:
        page.until(lambda page: len(page.moves) == 1)


def test_a_reload_does_not_stop_a_search(site: Site) -> None:
    site.pool.holds = True
    name = site.create(players=[ENGINE, HUMAN])
    with site.page(name):
        eventually(lambda: len(site.pool.jobs) == 1)
    with site.page(name) as page:
        site.pool.holds = False
        page.until(lambda page: len(page.moves) == 1)
    assert (len(site.pool.jobs), site.pool.stopped) == (1, [])


# When searches fail


def test_where_nothing_can_be_solved_the_engine_finds_the_move(site: Site) -> None:
    site.pool.errors["perfect"] = "the position needs more than 1024 MiB"
    with site.page(site.create(players=[{"kind": "perfect"}, HUMAN])) as page:
        page.until(lambda page: len(page.moves) == 1)
        assert page.errors[0]["message"] == (
            "the position needs more than 1024 MiB; the engine finds this move instead"
        )
    assert [job["algorithm"] for job in site.pool.jobs] == ["perfect", "engine"]


def test_a_position_that_takes_too_long_to_solve_is_left_to_the_engine(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.sessions.autoplay.SOLVE_SECONDS", 0.05)
    monkeypatch.setattr("plyground.web.sessions.autoplay.COMPILE_SECONDS", 0.0)
    site.pool.holds = True
    with site.page(site.create(players=[{"kind": "perfect"}, HUMAN])) as page:
        eventually(lambda: len(site.pool.jobs) == 2)
        site.pool.holds = False
        page.until(lambda page: len(page.moves) == 1)
        assert "was not solved in" in page.errors[0]["message"]
    assert [job["algorithm"] for job in site.pool.stopped] == ["perfect"]


def test_a_search_that_fails_is_reported_and_the_game_is_paused(site: Site) -> None:
    site.pool.errors["engine"] = "the process that searched has died"
    with site.page(site.create(players=[ENGINE, HUMAN])) as page:
        page.until(lambda page: page.table["paused"] and bool(page.errors))
        assert page.errors[0]["message"] == (
            "the process that searched has died; the game is paused"
        )
        site.pool.errors.clear()
        page.send("resume")
        page.until(lambda page: len(page.moves) == 1)


# Clocks


def test_a_flag_falls_by_itself(site: Site) -> None:
    with site.page(site.create(clock={"seconds": 0.05})) as page:
        table = page.until(lambda page: page.table["result"] is not None)
    assert table["result"]["reason"] == "X ran out of time"
    assert table["clock"]["left"] == [0.0, 0.05]


def test_on_a_clock_a_search_gets_a_part_of_its_time(site: Site) -> None:
    players = [{"kind": "engine"}, {"kind": "alpha-beta", "depth": 4}]
    with site.page(site.create(players=players, clock={"seconds": 40})) as page:
        page.until(lambda page: len(page.moves) >= 2)
    first, second = site.pool.jobs[:2]
    assert first["seconds"] == pytest.approx(1.6)
    assert (second["depth"], second["seconds"] < 40) == (4, True)


def test_a_search_that_knows_no_time_loses_when_it_is_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.sessions.autoplay.QUEUE_SECONDS", 0.0)
    site.pool.holds = True
    players = [{"kind": "minimax", "depth": 9}, HUMAN]
    with site.page(site.create(players=players, clock={"seconds": 0.05})) as page:
        table = page.until(lambda page: page.table["result"] is not None)
    assert table["result"]["reason"] == "X ran out of time"
    assert len(site.pool.stopped) == 1


def test_no_time_runs_without_a_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.web.sessions.active_session.SUSPEND_AFTER", 0.0)
    name = site.create(clock={"seconds": 1000})
    with site.page(name) as page:
        assert page.table["clock"]["running"] == 0
    eventually(lambda: name not in site.active_ids)
    left = site.table(name)["clock"]
    assert left["running"] is None
    assert site.table(name)["clock"] == left


# Hints


def test_a_hint_is_for_the_position_on_show(site: Site) -> None:
    with site.page(site.create(players=AGAINST_ENGINE)) as page:
        page.send("try", node=0, move="b2")
        page.until(lambda page: page.table["current"] == 1)
        page.send("hint")
        while (message := page.receive())["type"] != "hint":
            pass
    assert message == {
        "type": "hint",
        "node": 1,
        "move": "a1",
        "touches": ["a1"],
        "value_text": "+7",
    }


def test_a_hint_that_is_out_of_date_is_cancelled(site: Site) -> None:
    site.pool.holds = True
    with site.page(site.create()) as page:
        page.send("hint")
        eventually(lambda: len(site.pool.jobs) == 1)
        page.play("b2")
        eventually(lambda: len(site.pool.stopped) == 1)
        page.send("hint")
        eventually(lambda: len(site.pool.jobs) == 2)
    eventually(lambda: len(site.pool.stopped) == 2)


def test_where_the_game_is_over_there_is_no_hint(site: Site) -> None:
    with site.page(site.create(moves=["a1", "b1", "a2", "b2", "a3"])) as page:
        assert "there is no move to find" in page.refusal("hint", ref=3)
        assert page.errors[0]["ref"] == 3
