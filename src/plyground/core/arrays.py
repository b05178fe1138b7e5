"""Arrays in a Board, named without loading NumPy: games are listed and shown without it."""

from __future__ import annotations

from typing import Protocol


class ndarray(Protocol):  # noqa: N801 - the name by which the contract knows an array
    """The annotation of a Board's field that holds a NumPy array. Rules only read its numbers;
    uncompiled these are NumPy's, which `int` converts."""

    def __getitem__(self, index: int, /) -> int: ...
