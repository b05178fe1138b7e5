"""The garbage collector is off where it must not run, and on again afterwards."""

from __future__ import annotations

import gc
from contextlib import ExitStack

import pytest

from plyground.search.garbage_collection import no_garbage_collection


def test_the_collector_is_off_inside_and_on_afterwards() -> None:
    with no_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_inside_leaves_the_collector_on() -> None:
    with pytest.raises(ZeroDivisionError), no_garbage_collection():
        _ = 1 / 0
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with no_garbage_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("first_out", [0, 1])
def test_of_two_that_overlap_either_may_end_first(first_out: int) -> None:
    both = [ExitStack(), ExitStack()]
    for one in both:
        one.enter_context(no_garbage_collection())
    for one in (both[first_out], both[1 - first_out]):
        one.close()
    assert gc.isenabled()
