"""`plyground doctor`: checks the installation, and says how to repair it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.arguments import AsJson

EXAMPLES = ("plyground doctor", "plyground doctor --clear-cache")

BROKEN = 1
"""The exit status when something is broken."""
OLDEST_PYTHON = (3, 11)
OLDEST_NUMBA = (0, 61)
PACKAGES = ("numpy", "numba", "llvmlite", "typer", "rich", "matplotlib")
COARSEST_CLOCK = 0.001
"""Seconds. A coarser clock makes a search miss its deadline by as much."""


@dataclass(frozen=True)
class Diagnosis:
    """The result of one check; `remedy` is what to do if it has failed."""

    name: str
    healthy: bool
    detail: str
    remedy: str = ""
    needed: bool = True
    """Whether plyground is broken without it, and not just without a feature."""

    @property
    def mark(self) -> tuple[str, str]:
        """The word before the result, and its style."""
        if self.healthy:
            return "ok", "green"
        return ("BROKEN", "bold red") if self.needed else ("missing", "yellow")


def doctor(
    clear_cache: Annotated[
        bool, typer.Option("--clear-cache", help="Remove all compiled code first.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find out whether everything works on this machine.

    Checks Python, the packages, SQLite, the processor cores, the folder for compiled code, the
    compiler, the clock and the sandbox. The exit status is 1 if something is broken; then a line
    says how to repair it. A missing sandbox is shown as well, but the status stays 0: only grading
    others' players needs one.
    """
    from plyground.cli.output import console, print_json, say

    if clear_cache:
        say(_clear_cache())
    found = [_run(check) for check in CHECKS]
    if as_json:
        print_json(
            {
                "healthy": not any(one.needed and not one.healthy for one in found),
                "findings": [vars(one) for one in found],
            }
        )
    else:
        screen = console()
        for one in found:
            mark, style = one.mark
            screen.print(f"{mark:8}", style=style, end="")
            screen.print(f"{one.name:10}{one.detail}", soft_wrap=True)
            if one.remedy:
                screen.print(f"{'':18}{one.remedy}", soft_wrap=True)
    if any(one.needed and not one.healthy for one in found):
        raise typer.Exit(BROKEN)


def _run(check: Callable[[], Diagnosis]) -> Diagnosis:
    """A check that raises has failed: the others still run."""
    try:
        return check()
    except Exception as error:
        name = check.__name__.removeprefix("check_")
        return Diagnosis(name, False, f"{type(error).__name__}: {error}", "install plyground anew")


def check_python() -> Diagnosis:
    version = ".".join(map(str, sys.version_info[:3]))
    remedy = ""
    if sys.version_info < OLDEST_PYTHON:
        remedy = "plyground needs Python 3.11 or later"
    elif not numba_supports_python():
        remedy = "Numba does not support this Python: use an older one, or a newer Numba"
    return Diagnosis("python", not remedy, f"{version} ({sys.executable})", remedy)


def numba_supports_python() -> bool:
    """Whether Numba's own description lists this version of Python."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        listed = metadata("numba").get_all("Classifier", [])
    except PackageNotFoundError:  # check_packages will say so
        return True
    return f"Programming Language :: Python :: {'.'.join(map(str, sys.version_info[:2]))}" in listed


def check_packages() -> Diagnosis:
    from importlib import import_module
    from importlib.metadata import version

    seen, broken = [], []
    for package in PACKAGES:
        try:
            import_module(package)
            found = version(package)
        except Exception as error:
            broken.append(f"{package}: {type(error).__name__}: {error}")
            continue
        if package == "numba" and tuple(map(int, found.split(".")[:2])) < OLDEST_NUMBA:
            broken.append(f"{package} {found} is too old")
        else:
            seen.append(f"{package} {found}")
    remedy = f"pip install --upgrade {' '.join(PACKAGES)}" if broken else ""
    return Diagnosis("packages", not broken, ", ".join([*broken, *seen]), remedy)


def check_sqlite() -> Diagnosis:
    import sqlite3

    from plyground.arena import store

    try:
        store.check_sqlite()
    except store.StoreError as error:
        return Diagnosis("sqlite", False, str(error), "install a newer Python")
    return Diagnosis("sqlite", True, f"{sqlite3.sqlite_version}, keeps the games of matches")


def check_cores() -> Diagnosis:
    from plyground.executor.cores import usable_cores

    usable = usable_cores()
    return Diagnosis("cores", True, f"{usable} for this process, so --threads {usable} at most")


def check_cache() -> Diagnosis:
    from plyground.search.binding.code_cache import (
        cache_root,
        cached_folders,
        count_games,
        is_cache_kept,
        wanted_cache_root,
    )

    root = cache_root()
    folders = cached_folders(root)
    size = sum(
        _size(Path(place, name))
        for folder in folders
        for place, _, names in os.walk(folder)
        for name in names
    )
    detail = f"{root}: {count_games(folders)} compiled games, {size / 1e6:.1f} MB"
    if is_cache_kept():
        return Diagnosis("cache", True, detail)
    try:
        reason = f"{wanted_cache_root()} cannot be written"
    except RuntimeError as error:
        reason = str(error)
    return Diagnosis(
        "cache",
        False,
        f"{reason}, so every process compiles anew",
        "set PLYGROUND_CACHE to a folder that can be written",
    )


def _size(path: Path) -> int:
    """Bytes of a file; 0 if another program has just removed it."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def check_compiler() -> Diagnosis:
    """Compile the rules of the smallest game and compare their results."""
    from plyground.core.registry import find_game
    from plyground.search.binding.compile import bind
    from plyground.search.binding.compiled_rules import rule_results

    started = time.perf_counter()
    position = find_game("tictactoe").start()
    compiled = rule_results(bind(position.game), position)
    seconds = time.perf_counter() - started
    healthy = compiled.moves == position.legal_moves and compiled.key == position.key
    detail = f"tictactoe compiled, or found in the cache, in {seconds:.2f} s"
    if healthy:
        return Diagnosis("compiler", True, detail)
    return Diagnosis(
        "compiler",
        False,
        "compiled rules give other results than uncompiled ones",
        "plyground doctor --clear-cache",
    )


def check_clock() -> Diagnosis:
    from plyground.search.system_clock import NANOSECONDS, read_clock

    steps = []
    before = read_clock()
    for _ in range(1000):
        now = read_clock()
        if now != before:
            steps.append(now - before)
        before = now
    step = min(steps, default=NANOSECONDS) / NANOSECONDS
    healthy = step <= COARSEST_CLOCK
    remedy = "" if healthy else "time limits are kept no better than this"
    return Diagnosis("clock", healthy, f"ticks every {step * 1e6:.2f} µs or faster", remedy)


def check_sandbox() -> Diagnosis:
    from plyground.classroom.sandbox import cannot_be_built

    why = cannot_be_built()
    if why is None:
        return Diagnosis("sandbox", True, "others' players can be graded", needed=False)
    detail = "others' players cannot be graded here, only your own with --trust"
    return Diagnosis("sandbox", False, detail, why, needed=False)


CHECKS: tuple[Callable[[], Diagnosis], ...] = (
    check_python,
    check_packages,
    check_sqlite,
    check_cores,
    check_cache,
    check_compiler,
    check_clock,
    check_sandbox,
)


def _clear_cache() -> str:
    from plyground.search.binding.code_cache import (
        cache_root,
        cached_folders,
        count_games,
        remove_cached,
    )

    removed = count_games([one for one in cached_folders(cache_root()) if remove_cached(one)])
    return f"removed {removed} compiled games from {cache_root()}"
