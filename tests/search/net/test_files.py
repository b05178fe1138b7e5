"""Files of nets: read as they were written, and refused in one sentence otherwise."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import find_game
from plyground.core.errors import FormatError
from plyground.search.net.files import decode_net, read_net, write_net
from plyground.search.net.kernel import HIDDEN
from plyground.search.net.net import Net
from tests.search.net.random_nets import random_net


@pytest.fixture(scope="module")
def net() -> Net:
    return random_net(find_game("tictactoe").start(), seed=1)


@pytest.fixture(scope="module")
def written(net: Net, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("nets") / "net.npz"
    write_net(path, net)
    return path.read_bytes()


def test_a_net_survives_its_file(net: Net, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    write_net(path, net)
    again = read_net(path)
    assert np.array_equal(again.rows, net.rows)
    assert np.array_equal(again.output, net.output)
    for name in ("game", "options", "fingerprint", "layout", "constants", "scale", "log"):
        assert getattr(again, name) == getattr(net, name)
    first = path.read_bytes()
    write_net(path, again)
    assert path.read_bytes() == first


def test_a_net_with_fewer_hidden_units_has_the_same_values(net: Net, tmp_path: Path) -> None:
    rows, output = net.rows.copy(), net.output.copy()
    rows[..., 5:] = output[..., 5:] = 0
    write_net(tmp_path / "few.npz", replace(net, rows=rows[..., :5], output=output[..., :5]))
    few = read_net(tmp_path / "few.npz")
    assert np.array_equal(few.rows, rows)
    assert np.array_equal(few.output, output)


@given(st.data())
def test_a_damaged_file_is_refused_or_read_as_it_was(written: bytes, data: Any) -> None:
    place = data.draw(st.integers(0, len(written) - 1))
    bit = data.draw(st.integers(0, 7))
    cut = data.draw(st.integers(0, len(written)))
    flipped = bytearray(written)
    flipped[place] ^= 1 << bit
    for content in (bytes(flipped), written[:cut]):
        refused_or_read(content)


def refused_or_read(content: bytes) -> None:
    message = ""
    try:
        decode_net(content, "some.npz")
    except FormatError as error:
        message = str(error)
    assert not message or (message.startswith("some.npz") and "\n" not in message)


def archive(changes: dict[str, Any], written: bytes) -> bytes:
    """The file with some arrays replaced, or left out where the replacement is None."""
    with zipfile.ZipFile(io.BytesIO(written)) as source:
        members = {name: source.read(name) for name in source.namelist()}
    for name, array in changes.items():
        if array is None:
            members.pop(f"{name}.npy", None)
            continue
        member = io.BytesIO()
        np.lib.format.write_array(member, array)
        members[f"{name}.npy"] = member.getvalue()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return buffer.getvalue()


def about(written: bytes, **changes: Any) -> Any:
    with np.load(io.BytesIO(written)) as source:
        document = json.loads(source["about"].tobytes())
    document.update(changes)
    return np.frombuffer(json.dumps(document).encode(), np.uint8)


WRONG: dict[str, tuple[Callable[[bytes], dict[str, Any]], str]] = {
    "an array is missing": (lambda _: {"rows": None}, "it needs the arrays rows, output, layout"),
    "an array too many": (lambda _: {"more": np.zeros(1)}, "and no others"),
    "objects": (lambda _: {"rows": np.array([{}], object)}, "it is damaged"),
    "fractions": (lambda _: {"rows": np.zeros((2, 3, 32))}, "rows has numbers of the wrong kind"),
    "a wrong shape": (
        lambda _: {"rows": np.zeros((2, 3, 32), np.int16)},
        "its weights do not fit its layout",
    ),
    "a large output": (
        lambda _: {"output": np.full((2, HIDDEN), -32768, np.int16)},
        "an output weight is too large",
    ),
    "no units": (
        lambda _: {"rows": np.zeros((2, 129, 0), np.int16), "output": np.zeros((2, 0), np.int16)},
        "it has 0 hidden units, and this plyground takes up to 64",
    ),
    "too many units": (
        lambda _: {"rows": np.zeros((2, 129, 65), np.int16), "output": np.zeros((2, 65), np.int16)},
        "it has 65 hidden units, and this plyground takes up to 64",
    ),
    "a large shape without content": (
        lambda _: {"rows": np.zeros((1 << 30, 1 << 30, 0), np.int16)},
        "its weights do not fit its layout",
    ),
    "a bomb": (lambda _: {"rows": np.zeros(1 << 24, np.int16)}, "its arrays are too large"),
    "another version": (lambda file: {"about": about(file, version=2)}, "it has version 2"),
    "no scale": (lambda file: {"about": about(file, scale=0)}, "its scale is no whole number"),
    "no game": (lambda file: {"about": about(file, game=3)}, "it does not say its game"),
    "no JSON": (lambda _: {"about": np.zeros(3, np.uint8)}, "says about itself cannot be read"),
    "three constants": (
        lambda file: {"about": about(file, constants=[1, 2, 3])},
        "its constants are not two whole numbers",
    ),
    "a layout of other items": (
        lambda _: {"layout": np.zeros((9, 4), np.int64)},
        "its layout has the wrong shape",
    ),
    "an impossible layout": (
        lambda _: {"layout": np.full((3, 4), 7, np.int64)},
        "its layout of 'crosses' is impossible",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_is_no_net_is_refused_in_one_sentence(
    what: str, written: bytes, tmp_path: Path
) -> None:
    change, message = WRONG[what]
    path = tmp_path / "foreign.npz"
    path.write_bytes(archive(change(written), written))
    with pytest.raises(FormatError) as refused:
        read_net(path)
    assert message in str(refused.value)
    assert str(refused.value).startswith(f"{path} is no net: ")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot read: No such file"):
        read_net(tmp_path / "none.npz")


def test_a_layout_that_does_not_fit_the_fields_is_seen(net: Net) -> None:
    rules = find_game("tictactoe").rules
    assert net.layout.fits(rules)
    assert not net.layout.fits(find_game("breakthrough").rules)
    items = list(net.layout.items)
    items[0] = replace(items[0], count=1)
    assert not replace(net.layout, items=tuple(items)).fits(rules)
