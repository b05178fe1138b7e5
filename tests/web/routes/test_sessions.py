"""The session socket: invalid requests get an error, and the game goes on."""

from __future__ import annotations

import pytest

from tests.web.fake_pool import Site


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("", "this is not JSON"),
        ("[1, 2", "this is not JSON"),
        ("null", ""),
        ("[" * 20_000, "this is not JSON"),
        ('{"type": "conquer"}', ""),
        ('{"type": "play", "node": 0}', "move: is missing"),
        ('{"type": "play", "node": "0", "move": "b2"}', "node: must be a whole number"),
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
