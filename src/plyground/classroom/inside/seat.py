"""A seat at the table: loads a student's file, lets it play one game, and ends the process."""

from __future__ import annotations

import os
import sys

from wire import Channel, complain, end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import NoReturn

    Load = Callable[[], ModuleType]

OWN_MODULES = ("seat", "wire", "derby", "breakthrough", "plain")


class Missing(Exception):
    """A student's file lacks what its game asks for; said in a sentence, without a traceback."""


def take_seat(folder: str, kind: str, file: str) -> NoReturn:
    """Play one game. The process ends with status 0 if the game came to its end, else with 1."""
    channel = Channel()
    process = os.getpid()
    play = __import__(kind).play
    sys.path.remove(folder)
    usual_path = sys.path[:]
    for name in OWN_MODULES:  # a neighbour of the student's file may be called the same
        sys.modules.pop(name, None)
    try:
        play(channel, lambda: load(file))
        if not channel.over:
            complain(f"{os.path.basename(file)}: the player stopped before the game was over")
    except Missing as missing:
        complain(f"{os.path.basename(file)}: {missing}")
    except BaseException as error:
        if os.getpid() == process and not channel.over:
            sys.path[:] = usual_path  # what is imported now is not the student's
            _blame(error, folder)
    end(0 if channel.over else 1)


def load(file: str) -> ModuleType:
    """The student's file as a module, which may import its neighbours, and is never `__main__`."""
    with open(file, "rb") as opened:
        source = opened.read()
    folder, name = os.path.split(os.path.abspath(file))
    sys.argv = [file]
    sys.path.insert(0, folder)
    stem = name.removesuffix(".py")
    if stem in sys.modules or stem in sys.stdlib_module_names or not stem.isidentifier():
        stem = "students_" + "".join(mark if mark.isalnum() else "_" for mark in stem)
    module = type(sys)(stem)
    module.__file__ = file
    sys.modules[stem] = module  # dataclasses and pickle look for it there
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module


def _blame(error: BaseException, folder: str) -> None:
    """Tell of an error on standard error, with the way to it inside of the student's files."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename, folder):
        trace = trace.tb_next
    try:
        import traceback

        lines = traceback.format_exception(type(error), error, trace)
    except BaseException:  # there is no memory or no descriptor left, or its text cannot be had
        lines = [type(error).__name__]
    complain("".join(lines).rstrip())
    if isinstance(error, SystemExit):
        complain("the player ended its process before the game was over")


def _is_ours(file: str, folder: str) -> bool:
    return file.startswith((folder + os.sep, "<frozen "))
