"""What can go wrong because of what a user gave us.

Every error here is one clear sentence: what is wrong, where, and what would be right. The command
line prints it and exits with status 2; a traceback means a defect of ours, never a user's mistake.
"""

from __future__ import annotations


class PlygroundError(Exception):
    """The root of every error that a user can cause and mend."""


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
        """The same error, said of the named file."""
        return FormatError(self.problem, source=source, line=self.line)


class FileError(PlygroundError):
    """A file cannot be read or written: `path: why`."""


class IllegalMove(PlygroundError):
    """Not a move of this position."""


class GameOver(PlygroundError):
    """The game has ended: there is nothing to move or to search."""


class NoScore(PlygroundError):
    """A score was asked of a game that keeps none."""


class NotLive(PlygroundError):
    """A game that waits for its players was asked to go on without them."""


class LimitError(PlygroundError):
    """A limit that makes no sense (none at all, a negative time, an absurd amount of memory), or
    one that was reached where only the whole answer would have been right."""


def line_within(path: str, error: BaseException) -> int | None:
    """The last line of the named file on the way to an error: where its author should look."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
