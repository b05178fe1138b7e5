"""The nets that come with plyground fit the games as they are, and say how they were made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyground.core.registry import find_game
from plyground.learning import shipped
from plyground.learning.shipped import NETS, ShippedNet, make
from plyground.search.engine.engine import Engine
from plyground.search.net.evaluation import SHIPPED, check_fit
from plyground.search.net.files import read_net, write_net
from plyground.search.result import Limits
from tests.paths import DOCS


def test_every_file_is_listed() -> None:
    assert {path.name for path in SHIPPED.iterdir()} == {net.path.name for net in NETS}


@pytest.mark.parametrize("net", NETS, ids=lambda net: net.title)
def test_a_net_fits_its_game_and_has_passed_the_test_of_its_command(net: ShippedNet) -> None:
    game = find_game(net.game)
    start = game.start(net.board_options)
    learned = read_net(net.path)
    check_fit(learned, game, start.board, net.path.name)
    assert learned.log["command"] == " ".join(net.command)
    assert learned.log["verdict"].endswith("; adopted")
    assert any("the game's own evaluation" in one for one in learned.log["tests"])


@pytest.mark.parametrize("net", NETS, ids=lambda net: net.title)
def test_it_is_used_where_nothing_else_is_asked_for(net: ShippedNet) -> None:
    game = find_game(net.game)
    start = game.start(net.board_options)
    automatic, learned, own = (
        Engine(game, memory=1, evaluation=evaluation).search(start, Limits(depth=5))
        for evaluation in (None, "learned", "own")
    )
    assert (automatic.value, automatic.nodes) == (learned.value, learned.nodes)
    assert automatic.nodes != own.nodes


@pytest.mark.parametrize("net", NETS, ids=lambda net: net.title)
def test_the_documentation_says_of_it_what_its_file_does(net: ShippedNet) -> None:
    log = read_net(net.path).log
    games = log["generations"][-1]["games"]
    test = str(log["tests"][0]).partition(" (")[0]
    assert f"| `{log['command']}` | {games:,} | {test} |" in (DOCS / "learn.md").read_text()


class Learned:
    """Stands for `plyground learn`, which writes a net that has passed its test or not."""

    def __init__(self, source: Path, verdict: str) -> None:
        self._net, self._verdict = read_net(source), verdict
        self.command: tuple[str, ...] = ()

    def __call__(self, command: tuple[str, ...], **_: Any) -> None:
        self.command = command
        log = {"verdict": self._verdict, "seed": 5}
        write_net(Path(command[-1]), replace(self._net, log=log))


@pytest.mark.parametrize("verdict", ["beats none by +9; adopted", "not better: not adopted"])
def test_a_net_is_replaced_only_by_one_that_has_passed_its_test(
    verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = NETS[0]
    learn = Learned(net.path, verdict)
    before = net.path.read_bytes()
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path)
    assert net.path.parent == tmp_path
    net.path.write_bytes(before)
    monkeypatch.setattr("plyground.learning.shipped.subprocess.run", learn)
    passed = verdict.endswith("; adopted")
    assert make(net) is passed
    assert learn.command[2:4] == ("plyground", "learn")
    assert (net.path.read_bytes() == before) is not passed
    if passed:
        assert read_net(net.path).log["command"] == " ".join(net.command)
