"""Tables in use, over HTTP and sockets: pages, searches, saving. The test plays the workers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.fake_pool import Site, eventually

HUMAN = {"kind": "human"}
ENGINE = {"kind": "engine", "seconds": 0.5}
AGAINST_ENGINE = [HUMAN, ENGINE]


# Playing


def test_the_table_is_told_on_connecting_and_after_a_move(site: Site) -> None:
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


def test_progress_is_told_while_the_engine_thinks(site: Site) -> None:
    site.pool.holds = True
    with site.page(site.create(players=[ENGINE, HUMAN])) as page:
        table = page.until(lambda page: page.table["progress"] is not None)
        assert table["progress"] == {"depth": 3, "nodes": 100, "value_text": "+7"}
        assert table["thinking"] == 0
        site.pool.holds = False
        table = page.until(lambda page: len(page.moves) == 1)
        assert (table["progress"], table["thinking"]) == (None, None)


def test_the_pages_are_told_that_a_game_is_being_compiled(site: Site) -> None:
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
    monkeypatch.setattr("plyground.web.sessions.autoplay.PACE", 0.0)
    players = [{"kind": "random"}, {"kind": "minimax", "depth": 2}]
    with site.page(site.create(players=players)) as page:
        table = page.until(lambda page: page.table["result"] is not None)
    assert table["thinking"] is None
    assert {job["algorithm"] for job in site.pool.jobs} == {"random", "minimax"}


def test_everything_can_be_said_at_a_table(site: Site) -> None:
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
def test_a_search_stops_when_nobody_waits_for_it(site: Site, message: dict[str, Any]) -> None:
    site.pool.holds = True
    with site.page(site.create(players=AGAINST_ENGINE)) as page:
        page.play("b2")
        eventually(lambda: len(site.pool.jobs) == 1)
        page.send(message.pop("type"), **message)
        eventually(lambda: len(site.pool.stopped) == 1)


def test_looking_around_does_not_stop_the_opponents_search(site: Site) -> None:
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


def test_a_search_stops_when_nobody_looks_on_any_more_and_begins_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.sessions.active_session.REST_AFTER", 0.05)
    site.pool.holds = True
    name = site.create(players=[ENGINE, HUMAN])
    with site.page(name):
        eventually(lambda: len(site.pool.jobs) == 1)
    eventually(lambda: len(site.pool.stopped) == 1)
    eventually(lambda: name not in site.tables._rooms)
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


def test_where_nothing_can_be_solved_the_engine_is_asked_instead(site: Site) -> None:
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
    monkeypatch.setattr("plyground.web.sessions.autoplay.PATIENCE", 0.05)
    monkeypatch.setattr("plyground.web.sessions.autoplay.COMPILING", 0.0)
    site.pool.holds = True
    with site.page(site.create(players=[{"kind": "perfect"}, HUMAN])) as page:
        eventually(lambda: len(site.pool.jobs) == 2)
        site.pool.holds = False
        page.until(lambda page: len(page.moves) == 1)
        assert "was not solved in" in page.errors[0]["message"]
    assert [job["algorithm"] for job in site.pool.stopped] == ["perfect"]


def test_a_search_that_fails_is_said_and_the_game_is_paused(site: Site) -> None:
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
    assert first["seconds"] == pytest.approx(2.0)
    assert (second["depth"], second["seconds"] < 40) == (4, True)


def test_a_search_that_knows_no_time_loses_when_it_is_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.sessions.autoplay.WAITING", 0.0)
    site.pool.holds = True
    players = [{"kind": "minimax", "depth": 9}, HUMAN]
    with site.page(site.create(players=players, clock={"seconds": 0.05})) as page:
        table = page.until(lambda page: page.table["result"] is not None)
    assert table["result"]["reason"] == "X ran out of time"
    assert len(site.pool.stopped) == 1


def test_no_time_runs_while_nobody_looks_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.web.sessions.active_session.REST_AFTER", 0.0)
    name = site.create(clock={"seconds": 1000})
    with site.page(name) as page:
        assert page.table["clock"]["running"] == 0
    eventually(lambda: name not in site.tables._rooms)
    left = site.table(name)["clock"]
    assert left["running"] is None
    assert site.table(name)["clock"] == left


# Hints


def test_a_hint_is_for_the_position_on_show(site: Site) -> None:
    with site.page(site.create(players=AGAINST_ENGINE)) as page:
        page.send("try", node=0, move="b2")
        page.until(lambda page: page.table["current"] == 1)
        page.send("hint")
        while (message := page.hear())["type"] != "hint":
            pass
    assert message == {
        "type": "hint",
        "node": 1,
        "move": "a1",
        "touches": ["a1"],
        "value_text": "+7",
    }


def test_a_hint_that_nobody_needs_any_more_is_not_looked_for(site: Site) -> None:
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


# What is wrong with messages


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("", "this is not JSON"),
        ("[1, 2", "this is not JSON"),
        ("null", ""),
        ("[" * 20_000, "this is not JSON"),
        ('{"type": "conquer"}', ""),
        ('{"type": "play", "node": 0}', "move: field required"),
        ('{"type": "play", "node": "0", "move": "b2"}', "node: input should be a valid integer"),
        ('{"type": "goto", "node": 0, "by": "me"}', "by: there is no such field"),
        ('{"type": "comment", "node": 0, "text": "' + "x" * 10_001 + '"}', "at most 10000"),
        ('{"type": "players", "players": [{"kind": "minimax"}, {"kind": "human"}]}', "depth"),
        ('{"type": "live", "running": true}', "this game is not live"),
        ('{"type": "steer", "key": "ArrowUp"}', "this game is not live"),
        ('{"type": "play", "node": 0, "move": "z9"}', "'z9' is not a legal move here"),
        ('{"type": "play", "node": 0, "move": "\\ud800"}', ""),
        ('{"type": "comment", "node": 0, "text": "\\ud800"}', ""),
    ],
)
def test_a_malformed_message_gets_an_error_and_the_game_goes_on(
    site: Site, raw: str, said: str
) -> None:
    with site.page(site.create()) as page:
        page.socket.send(raw)
        page.until(lambda page: bool(page.errors))
        assert said in page.errors[0]["message"]
        assert "\n" not in page.errors[0]["message"]
        page.play("b2")


def test_an_error_names_the_message_that_it_answers(site: Site) -> None:
    with site.page(site.create()) as page:
        page.refusal("goto", node=99, ref="here")
        page.refusal("goto", node="x", ref=5)
    assert [error["ref"] for error in page.errors] == ["here", 5]


def test_bytes_are_no_message(site: Site) -> None:
    with site.page(site.create()) as page:
        page.socket.send(b"\xff\x00")
        page.until(lambda page: bool(page.errors))
        assert "not JSON" in page.errors[0]["message"]
        page.play("b2")
