"""The command `plyground`: finds the verb, runs it, and reports every user error in one line.

Exit status: 0 done, 1 the answer is no (a failed check, a solve out of time), 2 bad input,
130 interrupted.

A verb is a file of this folder with a function of its name and a tuple `EXAMPLES` of command lines
for its help; one that has verbs of its own lists their functions in a dictionary `VERBS`. Only the
file of the verb asked for is imported, so `VERBS` here repeats the first line of each docstring (a
test compares them).
"""

from __future__ import annotations

import difflib
import errno
import gc
import inspect
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from plyground.core.errors import PlygroundError

VERBS = {
    "serve": "Play and analyse in the browser.",
    "games": "List the games, or explain one.",
    "show": "Show a position, or a recorded game.",
    "play": "Play in the terminal against the engine.",
    "search": "Search a position for its best move.",
    "solve": "Solve a position: its exact value, how soon it is reached, every best move.",
    "perft": "Count the positions that lie so many moves ahead.",
    "match": "Let two players play a match.",
    "tournament": "Let several players play each other, and rate them.",
    "sprt": "Play until it is decided whether one player is better than the other.",
    "results": "Show, filter, export and merge the games that matches have kept.",
    "engine": "Let other programs use the engine, by UGI or UCI.",
    "new": "Write a game to start from, which already plays.",
    "check": "Test a game against the contract.",
    "init": "Write a player to start from, for a course or for yourself.",
    "grade": "Grade a player on a suite of tasks, or a class of them.",
    "forge": "Make new tasks, proven by the solver and measured for difficulty.",
    "learn": "Learn an evaluation of a game from its rules alone.",
    "lab": "Measure what search algorithms save, and what each feature adds.",
    "bench": "Measure how fast the engine searches every game.",
    "prepare": "Compile games ahead, so that no later command waits for the compiler.",
    "doctor": "Find out whether everything works on this machine.",
}

USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""The error of Typer for a wrong command line; the class has moved between its versions."""

UNREADABLE = re.compile(r"a valid (int|integer|float)\b")
KINDS = {"int": "a whole number", "integer": "a whole number", "float": "a number"}

DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of a full disk. A verb may report them itself, with more detail."""
PIPE_CLOSED = 141
"""What a shell reports for a program that wrote into a closed pipe."""


class Verbs(TyperGroup):
    """The group of all verbs, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in VERBS:
            close = difflib.get_close_matches(cmd_name, VERBS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else "verbs: " + ", ".join(VERBS)
            raise PlygroundError(f"there is no verb {cmd_name!r}; {hint}")
        return load_verb(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def load_verb(name: str) -> Any:
    """The Typer command of one verb."""
    module = import_module(f"plyground.cli.{name}")
    function: Callable[..., None] = getattr(module, name)
    examples = "".join(f"\n  {example}" for example in module.EXAMPLES)
    # A line with nothing but \b keeps the lines after it as they are.
    text = f"{inspect.getdoc(function)}\n\n\b\nExamples:{examples}"
    if not hasattr(module, "VERBS"):
        app = _new_app()
        app.command(name, help=text)(function)
        return get_command(app)
    app = _new_app(subcommand_metavar="VERB [ARGUMENTS]...")
    app.callback(invoke_without_command=True, help=text)(function)
    for inner, command in module.VERBS.items():
        own = "".join(f"\n  {line}" for line in module.EXAMPLES if f" {name} {inner}" in line)
        app.command(inner, help=f"{inspect.getdoc(command)}\n\n\b\nExamples:{own}")(command)
    return get_command(app)


def _new_app(**settings: Any) -> typer.Typer:
    """Help is plain text: it starts in half the time and is the same in a pipe."""
    return typer.Typer(
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        **settings,
    )


def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from plyground import __version__

        print(f"plyground {__version__}")
    elif context.invoked_subcommand is None:
        from plyground.cli.serve import serve

        serve()


ROOT_HELP = """Two-player games of full information, searched well.

GAME is the name of a game or the path of a .py file with your own; POSITION is a text in the game's
notation, the path of a file with one, or - for standard input. Every verb explains itself:
plyground VERB --help. Without a verb, the board opens in the browser, as with plyground serve.
"""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: this process's) and return the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        status = _invoke(arguments)
        sys.stdout.flush()
    except USAGE_ERROR as error:
        return _refuse(_usage_text(error))
    except PlygroundError as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        _forget_output()
        return _refuse(f"cannot write {error.filename or 'the answer'}: {error.strerror}")
    return status


def _invoke(arguments: list[str]) -> int:
    app = _new_app(cls=Verbs, subcommand_metavar="VERB [ARGUMENTS]...")
    app.callback(invoke_without_command=True, help=ROOT_HELP)(root)
    try:
        status = get_command(app).main(arguments, prog_name="plyground", standalone_mode=False)
    except SystemExit as stopped:
        # Typer ends the process by itself only when its own output pipe is closed.
        raise BrokenPipeError from stopped
    return status if isinstance(status, int) else DONE


def _usage_text(error: Any) -> str:
    """An error of Typer as one line, with the command that shows more."""
    message = error.format_message().rstrip(".")
    message = UNREADABLE.sub(lambda found: KINDS[found[1]], message)  # words of programmers
    command = error.ctx.command_path if error.ctx is not None else "plyground"
    return f"{message[:1].lower()}{message[1:]}; see {command} --help"


def _refuse(message: str) -> int:
    print(f"plyground: {one_line(message)}", file=sys.stderr)
    return BAD_INPUT


def one_line(message: str) -> str:
    """A message on one line, without control characters."""
    words = " ".join(message.split())
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in words
    )


def _forget_output() -> None:
    """Redirect standard output to nothing, so that the last flush of the interpreter succeeds."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)


def main() -> NoReturn:
    """The entry point."""
    # Importing makes many objects and no garbage: looking for some costs a tenth of the start.
    gc.set_threshold(100_000, 50, 50)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  as long as the process lives
    encoding = None
    if sys.platform == "win32" and "PYTHONIOENCODING" not in os.environ:
        encoding = "utf-8"  # a pipe has the encoding of old programs, without lines for tables
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A picture may hold signs that the terminal's encoding lacks: show a ? for them.
            stream.reconfigure(encoding=encoding, errors="replace")
    status = run()
    if status == INTERRUPTED:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the shell's prompt gets a line of its own
        # A thread may still be in compiled code, where nothing can reach it: do not wait for it.
        sys.stdout.flush()
        os._exit(status)
    sys.exit(status)
