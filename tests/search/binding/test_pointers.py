"""A structure that is passed by address is read back as it was."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit

from plyground.search.binding.native import native, resolve
from plyground.search.binding.pointers import address_of, fetch, identity_at


class Bits(NamedTuple):
    yes: bool
    no: bool


class Mixed(NamedTuple):
    flag: bool
    number: int
    word: np.uint64
    flags: tuple[bool, bool, bool]


class Arrays(NamedTuple):
    numbers: Any
    words: Any


@pytest.fixture(autouse=True)
def resolved() -> None:
    resolve(globals())


@native
def first(at: Any) -> Any:
    return fetch(at)[0]


@native
def last(at: Any) -> Any:
    return fetch(at)[-1]


def both_ends(value: Any) -> Any:
    at = address_of(value)
    return first(at), last(at)


@pytest.mark.parametrize(
    "value",
    [
        Bits(yes=True, no=False),
        Mixed(flag=True, number=-3, word=np.uint64(1 << 63), flags=(False, True, True)),
        (1, 2, 3),
        (False, 2, 1 << 40),
    ],
)
def test_numbers_and_truths_survive_being_lent(value: Any) -> None:
    assert njit(both_ends)(value) == (value[0], value[-1])


@native
def raise_numbers(at: Any) -> None:
    arrays = fetch(at)
    for index in range(len(arrays.numbers)):
        arrays.numbers[index] += arrays.words[index]


def raise_lent_numbers(value: Any) -> None:
    raise_numbers(address_of(value))


def test_an_array_that_was_lent_is_written_to_and_not_copied() -> None:
    arrays = Arrays(np.array([1, 2, 3]), np.array([10, 20, 30], np.uint64))
    njit(raise_lent_numbers)(arrays)
    assert arrays.numbers.tolist() == [11, 22, 33]


def word_of_identity(words: Any, first_word: Any, index: Any) -> Any:
    return identity_at(words, first_word)[index]


def test_an_identity_in_an_array_has_the_words_from_its_index_on() -> None:
    words = np.arange(10, 20, dtype=np.uint64)
    assert njit(word_of_identity)(words, 3, 2) == 15
