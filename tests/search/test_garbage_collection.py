"""The garbage collector is off where it must not run, and on again afterwards."""

from __future__ import annotations

import gc
import subprocess
import sys
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


def test_what_was_loaded_before_the_first_engine_is_not_collected_again() -> None:
    """In a process of its own, where nothing else has exempted anything."""
    program = (
        "import gc\n"
        "from plyground import Engine, find_game\n"
        "assert gc.get_freeze_count() == 0\n"
        "Engine(find_game('tictactoe'), memory=1)\n"
        "exempt = gc.get_freeze_count()\n"
        "later = [[] for _ in range(1000)]\n"
        "Engine(find_game('tictactoe'), memory=1)\n"
        "assert gc.get_freeze_count() <= exempt, 'what came later is collected as ever'\n"
        "print(exempt, len(gc.get_objects()))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    exempt, others = map(int, done.stdout.split())
    assert exempt > 5 * others
