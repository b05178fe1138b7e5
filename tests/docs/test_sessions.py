"""The check of the pages' sessions finds wrong output, and dots that hide what never varies."""

from __future__ import annotations

import pytest

from tests.docs.sessions import check_output, sessions

PRINTED = "depth   9\ntime    12.5 ms, 1.02 M nodes a second\n"


def test_a_session_that_shows_what_was_printed_passes() -> None:
    check_output("$ plyground search nim\n" + PRINTED, PRINTED)
    check_output("$ plyground search nim\ndepth 9\ntime ..., ...\n", PRINTED)


def test_a_difference_is_shown_line_by_line() -> None:
    with pytest.raises(AssertionError, match=r"search nim\n[\s\S]*-depth 8\n\+depth 9\n"):
        check_output("$ plyground search nim\ndepth   8\n" + PRINTED.splitlines()[1], PRINTED)


@pytest.mark.parametrize(
    "shown", ["depth ...\ntime ...", "...", "depth 9...\ntime ...", "d...s a second"]
)
def test_dots_for_what_never_varies_are_refused(shown: str) -> None:
    with pytest.raises(AssertionError, match=r"`\.\.\.` hides what every run prints"):
        check_output(f"$ plyground search nim\n{shown}\n", PRINTED)


def test_dots_that_were_printed_are_dots() -> None:
    check_output("$ plyground show blocker\n#....#\n", "#....#\n")


def test_what_a_command_measures_may_be_hidden() -> None:
    check_output("$ plyground bench\nslant   ...\n", "slant  1,234  55 k\n")
    check_output(
        "$ plyground solve nim --time 1\nproven   ...\n", "proven  no win within 9 plies\n"
    )
    with pytest.raises(AssertionError, match="every run prints"):
        check_output("$ plyground perft nim\nslant   ...\n", "slant  1,234  55 k\n")


def test_a_page_is_split_into_its_commands() -> None:
    page = "text\n```console\n$ plyground one\n1\n$ plyground two\n$ make test\n```\n"
    assert sessions(page) == ["$ plyground one\n1\n", "$ plyground two\n"]
