"""Nets as files: `.npz`, arrays of numbers and one text of JSON. Data only: nothing is executed.

A file has the arrays `rows`, `output` and `layout` and the text `about` (`docs/learn.md` documents
them). A file may come from anywhere, so every size is checked before it is used.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from plyground.core.errors import FormatError
from plyground.core.files import read_regular_file, write_atomically
from plyground.search.net.kernel import HIDDEN, MOST_OUTPUT
from plyground.search.net.layout import (
    BITS,
    MOST_VALUES,
    NUMBER,
    UNUSED,
    WORD_BITS,
    FeatureLayout,
    Item,
)
from plyground.search.net.net import Net

VERSION = 1
SUFFIX = ".npz"
LARGEST_FILE = 1 << 24
"""Bytes, packed and unpacked: hundreds of times what a net has."""
MOST_ITEMS = 1024
MOST_SCALE = 1 << 30
DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, OverflowError, MemoryError),
    *(RuntimeError, NotImplementedError),  # an encrypted member, an unknown compression
)
"""What reading an archive or an array raises if it is not as it should be."""
ARRAYS = {"rows": np.int16, "output": np.int16, "layout": np.int64, "about": np.uint8}


def write_net(path: Path, net: Net) -> None:
    """Write a net. The same net gives the same bytes."""
    items = net.layout.items
    about = {
        "version": VERSION,
        "game": net.game,
        "options": net.options,
        "fingerprint": net.fingerprint,
        "items": [item.name for item in items],
        "constants": list(net.constants),
        "scale": net.scale,
        "log": net.log,
    }
    layout = [(item.kind, item.low, item.shift, item.count) for item in items]
    arrays: dict[str, Any] = {
        "rows": net.rows,
        "output": net.output,
        "layout": np.array(layout, np.int64),
        "about": np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=False)
            # A fixed date: when a net was written is no part of it.
            info = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, member.getvalue())
    write_atomically(path, buffer.getvalue())


def read_net(path: Path) -> Net:
    """The net in a file. Raises FormatError with one sentence about what is wrong."""
    try:
        data = read_regular_file(path, LARGEST_FILE + 1)
    except OSError as error:
        raise FormatError(f"{path}: cannot read: {error.strerror or error}") from None
    return decode_net(data, str(path))


def decode_net(data: bytes, name: str) -> Net:
    """The net in the content of a file of this name."""
    if len(data) > LARGEST_FILE:
        raise FormatError(f"{name}: too large for a net")
    try:
        return _net(_read_arrays(data))
    except FormatError as error:
        raise FormatError(f"{name} is no net: {error}") from None


def _read_arrays(data: bytes) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {member.filename: member.file_size for member in archive.infolist()}
            if set(sizes) != {f"{name}.npy" for name in ARRAYS} or len(sizes) != len(
                archive.infolist()
            ):
                raise FormatError(f"it needs the arrays {', '.join(ARRAYS)} and no others")
            if sum(sizes.values()) > LARGEST_FILE:
                raise FormatError("its arrays are too large")
            return {name: _read_array(archive, name) for name in ARRAYS}
    except DAMAGES:
        raise FormatError("it is damaged") from None


def _read_array(archive: zipfile.ZipFile, name: str) -> Any:
    with archive.open(f"{name}.npy") as member:
        content = member.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise FormatError("its arrays are too large")
    array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    if array.dtype != ARRAYS[name]:
        raise FormatError(f"{name} has numbers of the wrong kind")
    return array


def _net(arrays: dict[str, Any]) -> Net:
    about = _about(arrays["about"])
    layout = _layout(arrays["layout"], about["items"])
    rows, output = arrays["rows"], arrays["output"]
    units = output.shape[-1] if output.ndim else 0
    if rows.shape != (2, layout.features + 1, units) or output.shape != (2, units):
        raise FormatError("its weights do not fit its layout")
    if not 1 <= units <= HIDDEN:
        raise FormatError(f"it has {units} hidden units, and this plyground takes up to {HIDDEN}")
    if np.abs(output.astype(np.int64)).max() > MOST_OUTPUT:
        raise FormatError("an output weight is too large")
    return Net(
        game=about["game"],
        options=about["options"],
        fingerprint=about["fingerprint"],
        layout=layout,
        rows=_padded(rows),
        output=_padded(output),
        constants=(about["constants"][0], about["constants"][1]),
        scale=about["scale"],
        log=about["log"],
    )


def _padded(weights: Any) -> Any:
    """Weights of as many hidden units as kernels compute. A net may have fewer: the others are 0
    then, and add nothing."""
    padded = np.zeros((*weights.shape[:-1], HIDDEN), weights.dtype)
    padded[..., : weights.shape[-1]] = weights
    return padded


def _about(array: Any) -> dict[str, Any]:
    try:
        about = json.loads(array.tobytes())
    except (ValueError, RecursionError):
        raise FormatError("what it says about itself cannot be read") from None
    if not isinstance(about, dict):
        raise FormatError("what it says about itself cannot be read")
    version = about.get("version")
    if version != VERSION:
        raise FormatError(f"it has version {version!r:.20}, and this plyground reads {VERSION}")
    kinds = {
        "game": str,
        "options": dict,
        "fingerprint": str,
        "items": list,
        "constants": list,
        "scale": int,
        "log": dict,
    }
    for name, kind in kinds.items():
        if not isinstance(about.get(name), kind):
            raise FormatError(f"it does not say its {name}")
    constants = about["constants"]
    if len(constants) != 2 or not all(_is_number(number, MOST_SCALE) for number in constants):
        raise FormatError("its constants are not two whole numbers")
    if not _is_number(about["scale"], MOST_SCALE) or about["scale"] < 1:
        raise FormatError("its scale is no whole number above 0")
    if not all(isinstance(name, str) for name in about["items"]):
        raise FormatError("its items have no names")
    return about


def _is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= most


def _layout(array: Any, names: list[str]) -> FeatureLayout:
    if array.ndim != 2 or array.shape != (len(names), 4) or not 1 <= len(names) <= MOST_ITEMS:
        raise FormatError("its layout has the wrong shape")
    items = []
    for name, (kind, low, shift, count) in zip(names, array.tolist(), strict=True):
        counts = {UNUSED: (0,), BITS: (1, WORD_BITS), NUMBER: range(1, MOST_VALUES + 1)}
        if not (count in counts.get(kind, ()) and 0 <= shift < WORD_BITS and abs(low) < 1 << 62):
            raise FormatError(f"its layout of {name!r:.40} is impossible")
        items.append(Item(name, kind, low, shift, count))
    return FeatureLayout(tuple(items))
