"""Errors that a user can cause and repair.

Each is one clear sentence: what is wrong, where, and what would be right. The command line prints
it and exits with status 2; a traceback is always a defect of plyground.
"""

from __future__ import annotations


class PlygroundError(Exception):
    """The base class of all of them."""


class UnknownGame(PlygroundError):
    """No game of that name, and no such file."""


class GameFileError(PlygroundError):
    """A game's own source is wrong: `path:line: what is wrong`."""

    def __init__(self, path: str, line: int | None, problem: str) -> None:
        self.path = path
        self.line = line
        self.problem = problem
        place = path if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {problem}")


class FormatError(PlygroundError):
    """A text (position, record, option) is malformed, with the place in it."""

    def __init__(self, problem: str, *, source: str | None = None, line: int | None = None) -> None:
        self.problem = problem
        self.source = source
        self.line = line
        place = ", ".join(
            part for part in (source, None if line is None else f"line {line}") if part is not None
        )
        super().__init__(f"{place}: {problem}" if place else problem)

    def within(self, source: str) -> FormatError:
        """The same error, in the named file."""
        return FormatError(self.problem, source=source, line=self.line)


class FileError(PlygroundError):
    """A file cannot be read or written: `path: why`."""


class IllegalMove(PlygroundError):
    """Not a move of this position."""


class GameOver(PlygroundError):
    """The game has ended: there is nothing to move or to search."""


class NoScore(PlygroundError):
    """The game keeps no score."""


class NotLive(PlygroundError):
    """The game cannot be played live."""


class LimitError(PlygroundError):
    """A limit or an option that makes no sense (none at all, a negative time, too much memory), or
    a limit that was reached where a partial answer would be wrong."""


def line_within(path: str, error: BaseException) -> int | None:
    """The last line of the named file in the traceback of an error."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
