"""Loads a student's file, lets it play one game, and ends the process."""

from __future__ import annotations

import os
import sys

from channel import Channel, end, write_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType, TracebackType
    from typing import Any, NoReturn

    Load = Callable[[], ModuleType]

OWN_MODULES = ("runner", "channel", "collector", "derby", "breakthrough", "plain")
LONGEST_ERROR = 200
"""Characters of an exception's text that are sent to the referee."""
QUICK = 0.3
"""Seconds. A search that took no longer may be run again to find where it returns None."""


class Missing(Exception):
    """A student's file lacks what its game needs. Reported without a traceback."""


def run_player(folder: str, kind: str, file: str) -> NoReturn:
    """Play one game. The process ends with status 0 if the game came to its end, else with 1."""
    channel = Channel()
    process = os.getpid()
    play = __import__(kind).play
    sys.path.remove(folder)
    usual_path = sys.path[:]
    for name in OWN_MODULES:  # a file beside the student's may have the same name
        sys.modules.pop(name, None)
    try:
        play(channel, lambda: load(file))
        if not channel.over:
            raise Missing("the player stopped before the game was over")
    except Missing as missing:
        write_error(f"{os.path.basename(file)}: {missing}")
        channel.send("failed", {"error": f"{os.path.basename(file)}: {missing}"})
    except BaseException as error:
        if os.getpid() == process and not channel.over:
            sys.path[:] = usual_path  # from here on, import nothing of the student's
            trace = _print_traceback(error, folder)
            channel.send("failed", {"error": _sentence(error, trace, os.path.dirname(file))})
    end(0 if channel.over else 1)


def load(file: str) -> ModuleType:
    """The student's file as a module. It may import files beside it, and is never `__main__`."""
    with open(file, "rb") as opened:
        source = opened.read()
    folder, name = os.path.split(os.path.abspath(file))
    sys.argv = [file]
    sys.path.insert(0, folder)
    _unload_shadowed(folder)
    stem = name.removesuffix(".py")
    if stem in sys.modules or stem in sys.stdlib_module_names or not stem.isidentifier():
        stem = "students_" + "".join(mark if mark.isalnum() else "_" for mark in stem)
    module = type(sys)(stem)
    module.__file__ = file
    sys.modules[stem] = module  # dataclasses and pickle look for it there
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module


def _unload_shadowed(folder: str) -> None:
    """Let the student import files of the folder that are named like a module of the standard
    library. Such a module may be loaded already; modules that have imported it keep it."""
    for entry in os.listdir(folder):
        name = entry.removesuffix(".py")
        loaded = sys.modules.get(name)
        if loaded is None or name not in sys.stdlib_module_names:
            continue
        origin = getattr(getattr(loaded, "__spec__", None), "origin", None)
        is_importable = entry.endswith(".py") or os.path.isdir(os.path.join(folder, entry))
        if is_importable and origin not in (None, "frozen", "built-in"):
            for known in list(sys.modules):
                if known == name or known.startswith(f"{name}."):
                    del sys.modules[known]


def timed_search(function: Callable[..., Any], channel: Channel) -> Callable[..., Any]:
    """A player's function that chooses a move, with measurements for the referee: when it returned
    and, if it returned None, from which line."""

    def search(*arguments: Any, **named: Any) -> Any:
        answer = function(*arguments, **named)
        channel.search_ended()
        if answer is None and (channel.search_seconds or 0.0) < QUICK:
            channel.where = _returning_line(function, arguments, named)
        return answer

    return search


def _returning_line(
    function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
) -> str:
    """The line from which a function returns None, found by running it again: `search, line 88`."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return ""
    lines: list[int] = []

    def in_function(frame: Any, event: str, value: Any) -> Any:
        if event == "return" and value is None:
            lines.append(frame.f_lineno)
        return in_function

    try:
        sys.settrace(lambda frame, _event, _value: in_function if frame.f_code is code else None)
        function(*arguments, **named)
    except BaseException:
        lines.clear()  # the second run failed
    finally:
        sys.settrace(None)
    return f"{code.co_name}, line {lines[-1] if lines else code.co_firstlineno}"


def _print_traceback(error: BaseException, folder: str) -> TracebackType | None:
    """Print an error with the part of its traceback that lies in the student's files, which is
    returned."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename, folder):
        trace = trace.tb_next
    try:
        import traceback

        shown = traceback.TracebackException(type(error), error, trace)
        shown.stack[:] = [call for call in shown.stack if not _is_ours(call.filename, folder)]
        lines = list(shown.format())
    except BaseException:  # no memory or descriptor left, or __str__ fails
        lines = [type(error).__name__]
    write_error("".join(lines).rstrip())
    if isinstance(error, SystemExit):
        write_error("the player ended its process before the game was over")
    return trace


def _sentence(error: BaseException, trace: TracebackType | None, folder: str) -> str:
    """The error, the student's function and line where it happened, and advice."""
    kind = type(error).__name__
    try:
        text = " ".join(f"{kind}: {error}".split())[:LONGEST_ERROR]
    except BaseException:  # __str__ fails
        text = kind
    if isinstance(error, SystemExit):
        text = "it ended its own process before the game was over"
    if isinstance(error, SyntaxError) and error.lineno is not None:
        file = os.path.basename(str(error.filename))
        return f"{kind}: {error.msg} in line {error.lineno} of {file}"
    place, last = "", ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(folder + os.sep):
            function = "" if code.co_name == "<module>" else f"{code.co_name}, "
            place = f" in {function}line {trace.tb_lineno} of {os.path.basename(code.co_filename)}"
            last = _line_of(code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    hint = _hint(error, last)
    return f"{text}{place}{'; ' if hint else ''}{hint}"


def _line_of(file: str, number: int) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return next((line for at, line in enumerate(opened, 1) if at == number), "")
    except OSError:
        return ""


def _hint(error: BaseException, line: str) -> str:
    """Advice for the errors that students meet most often."""
    if isinstance(error, TypeError) and "alarm(" in line:
        return (
            "signal.alarm needs whole seconds; signal.setitimer(signal.ITIMER_REAL, seconds) takes"
            " parts of one"
        )
    if isinstance(error, ModuleNotFoundError):
        return (
            f"{error.name} is neither among the files that were handed in nor installed where"
            " players are graded"
        )
    if isinstance(error, MemoryError):
        return "it ran out of the memory that a player may use"
    if isinstance(error, RecursionError):
        return "its functions call each other without end, or deeper than Python allows"
    return ""


def _is_ours(file: str, folder: str) -> bool:
    return file.startswith((folder + os.sep, "<frozen "))
