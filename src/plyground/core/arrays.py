"""Arrays in a Board, named without loading NumPy: games are listed and shown without it."""

from __future__ import annotations

from typing import Protocol


class ndarray(Protocol):  # noqa: N801 - the name by which the contract knows an array
    """The annotation of a Board's field that holds a NumPy array, and all that rules do with one:
    read a number. Uncompiled it is NumPy's own kind, which `int` makes a plain one."""

    def __getitem__(self, index: int, /) -> int: ...
