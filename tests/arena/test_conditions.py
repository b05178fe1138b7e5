"""Who takes part in a match: which versions of a player are told apart."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plyground.arena import conditions as conditions_module
from plyground.arena.conditions import Conditions, Contestant, contestant, with_learned_net
from plyground.arena.openings import Openings
from plyground.core.errors import FileError
from plyground.core.registry import find_game
from plyground.executor.shipping import pickle_for_others
from plyground.players.notation import read_player
from plyground.search.net.evaluation import SHIPPED, net_name

breakthrough = find_game("breakthrough")
LEARNED = "engine:depth=1,evaluation=learned"


def digest(text: str) -> str:
    return contestant(read_player(text)).digest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_our_own_players_have_the_version_of_plyground(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions_module, "__version__", "7.8.9")
    assert digest("engine:depth=2") == digest("greedy") == "plyground 7.8.9"
    Path("player.py").write_text("")
    before = digest("player.py")
    monkeypatch.setattr(conditions_module, "__version__", "7.9.0")
    assert digest("engine:depth=2") == "plyground 7.9.0"
    assert digest("player.py") == before


def test_a_program_that_was_built_anew_is_another_player() -> None:
    program = Path("engine.sh")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    before = digest("ugi:./engine.sh")
    assert before
    assert digest("ugi:./engine.sh") == before
    program.write_text("#!/bin/sh\n# new\n")
    assert digest("ugi:./engine.sh") != before
    assert digest("ugi:no-such-program") == ""


@pytest.mark.parametrize(
    "text",
    ["ugi:{python} engine.py", "uci:{python} --net=engine.py", "ugi:{python}?EvalFile=engine.py"],
)
def test_the_files_that_a_command_or_an_option_names_belong_to_a_program(text: str) -> None:
    text = text.format(python=Path(sys.executable).as_posix())
    Path("engine.py").write_text("first")
    before = digest(text)
    Path("engine.py").write_text("second")
    assert digest(text) != before


def test_the_log_of_a_program_does_not_belong_to_it() -> None:
    text = f"ugi:{Path(sys.executable).as_posix()} --log out.log?Debug Log File=debug.log"
    before = digest(text)
    Path("out.log").write_text("a game")
    Path("debug.log").write_text("a game")
    assert digest(text) == before


def learned(conditions: Conditions, text: str = LEARNED) -> Contestant:
    return with_learned_net(contestant(read_player(text)), conditions)


def test_the_learned_net_is_the_one_that_is_adopted_when_the_match_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYGROUND_NETS", str(tmp_path))
    conditions = Conditions(breakthrough)
    before = learned(conditions)
    name = net_name(breakthrough, breakthrough.start().board)
    assert before.source == (SHIPPED / name).read_bytes()
    assert before.digest not in ("", contestant(read_player(LEARNED)).digest)
    (tmp_path / name).write_bytes(before.source + b"a newly adopted one")
    after = learned(conditions)
    assert after.source != before.source
    assert after.digest != before.digest
    assert after.source in pickle_for_others(after), "a cluster plays with this net"
    assert learned(conditions, "engine:depth=1") == contestant(read_player("engine:depth=1"))


def test_each_board_of_the_openings_may_have_a_learned_net(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYGROUND_NETS", str(tmp_path))
    starts = [breakthrough.start({"rows": str(size), "columns": str(size)}) for size in (6, 8, 5)]
    texts = [start.text for start in starts]
    one = learned(Conditions(breakthrough, openings=Openings("positions", positions=(texts[0],))))
    assert one.source
    openings = Openings("positions", positions=(texts[0], texts[1]))
    both = learned(Conditions(breakthrough, openings=openings))
    assert (both.source, bool(both.files)) == (b"", True)
    name = net_name(breakthrough, starts[1].board)
    (tmp_path / name).write_bytes(b"another one")
    assert learned(Conditions(breakthrough, openings=openings)).digest != both.digest
    # There is no net for 5 x 5: the player is refused when it has to play there.
    openings = Openings("positions", positions=(texts[0], texts[2]))
    assert learned(Conditions(breakthrough, openings=openings)).source == b""


def test_a_file_that_cannot_be_a_player_is_refused() -> None:
    with pytest.raises(FileError, match=r"player\.py: No such file or directory"):
        contestant(read_player("player.py"))
    Path("player.py").write_bytes(b"#" * (1 << 20) + b"\n")
    with pytest.raises(FileError, match=r"player\.py is longer than a megabyte: it is no player"):
        contestant(read_player("player.py"))
