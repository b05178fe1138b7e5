"""`plyground forge`: new tasks for a class, proven and measured."""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plyground.cli.arguments import AsJson, Cluster, Workers
from plyground.cli.executors import make_executor
from plyground.cli.output import (
    announce_compilation,
    print_json,
    print_table,
    progress_bar,
    say,
    table,
)
from plyground.core.errors import LimitError, PlygroundError
from plyground.executor.serial import SerialExecutor

if TYPE_CHECKING:
    from rich.progress import Progress

    from plyground.classroom.forge.forge import Forge, Forged
    from plyground.executor.task import Executor

EXAMPLES = (
    "plyground forge derby --level E --count 1 --seed 6",
    "plyground forge slant --level A --count 2 --seed 3 --out positions/",
    "plyground forge blocker --verify --count 2",
)


def forge(
    name: Annotated[str, typer.Argument(metavar="GAME", help="The game: blocker, derby or slant.")],
    level: Annotated[
        Literal["E", "C", "A"] | None,
        typer.Option(
            help="How deep one must look: E 2 to 4 plies, C 5 to 8 (the default), A more.",
        ),
    ] = None,
    count: Annotated[
        int | None, typer.Option(metavar="N", help="So many tasks (5; with --verify: all).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed, the same tasks (0).")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write a suite for plyground grade here."),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Prove the tasks of a suite again instead of making some."),
    ] = False,
    suite_folder: Annotated[
        Path | None,
        typer.Option("--suite", metavar="FOLDER", help="The suite to verify (the built-in one)."),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Make new tasks, proven by the solver and measured for difficulty.

    They are drawn by lot until so many fit the level, which says how deep a plain alpha-beta search
    with the score at its leaves must look. Days of Fishing Derby are won by green with correct play
    whatever red does; in a position of Blocker or Slant there is a best move to find. The table has
    what perfect play leads to, that depth, how many first moves are right, and how a player does
    that looks one move ahead.
    """
    from plyground.classroom.forge import make_forge

    if count is not None and not 1 <= count <= 1000:
        raise LimitError(f"{count} tasks: from 1 to 1000 can be made at a time")
    for name_of_option, given in (("out", out), ("level", level), ("seed", seed)):
        if given is not None and verify:
            raise PlygroundError(f"--{name_of_option} goes with making tasks, not with --verify")
    if suite_folder is not None and not verify:
        raise PlygroundError("--suite goes with --verify")
    if out is not None and out.exists():
        raise PlygroundError(f"{out} exists already; choose another folder")
    announce_compilation()
    maker = make_forge(name)
    with make_executor(workers, cluster) as chosen:
        executor = None if isinstance(chosen, SerialExecutor) else chosen
        if verify:
            _verify(maker, suite_folder, count, executor, as_json=as_json)
        else:
            _make(maker, level or "C", count or 5, seed or 0, out, executor, as_json=as_json)


def _make(
    maker: Forge,
    level: str,
    count: int,
    seed: int,
    out: Path | None,
    executor: Executor | None,
    *,
    as_json: bool,
) -> None:
    from plyground.classroom.forge.difficulty import LEVELS

    chosen = LEVELS[level]
    tasks: list[Forged] = []
    tried = 0
    with _bar() as bar:
        forging = bar.add_task("forging", total=count, tried="")

        def count_try() -> None:
            nonlocal tried
            tried += 1
            bar.update(forging, tried=f"{tried} tried")

        made = maker.tasks(chosen, seed, count_try, executor)
        with closing(made):
            for task in islice(made, count):
                tasks.append(task)
                bar.advance(forging)
    if out is not None:
        game = maker.game.name
        maker.write_suite(out, f"{count} {maker.title}, level {chosen.name}", tasks)
        say(f"written: {out}; grade with: plyground grade {game} player.py --suite {out}")
    if as_json:
        documents = [
            {**task.proof(), "position": task.start.text, **task.manifest_entries} for task in tasks
        ]
        print_json(documents)
    else:
        _show(tasks)


def _show(tasks: list[Forged]) -> None:
    names = [f">{name}" for name in tasks[0].difficulty.shown()]
    shown = table(">task", "level", *names, ">seed")
    for number, task in enumerate(tasks, 1):
        measures = task.difficulty.shown().values()
        shown.add_row(str(number), task.level.name, *measures, str(task.seed))
    print_table(shown)


def _verify(
    maker: Forge,
    folder: Path | None,
    count: int | None,
    executor: Executor | None,
    *,
    as_json: bool,
) -> None:
    from plyground.classroom.suite import find_suite

    suite = find_suite(maker.game, folder)
    tasks = suite.tasks[:count]
    wrong = []
    with _bar() as bar:
        proving = bar.add_task("proving", total=len(tasks), tried="")
        for complaint in maker.wrong(tasks, executor):
            if complaint:
                wrong.append(complaint)
            bar.advance(proving)
    if wrong:
        raise PlygroundError("\n".join([f"{len(wrong)} of {len(tasks)} tasks fail", *wrong]))
    if as_json:
        print_json({"suite": str(suite.folder.name), "proven": [task.name for task in tasks]})
    else:
        print(f"{len(tasks)} of {len(suite.tasks)} tasks are proven again, and as hard as they say")


def _bar() -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

    return progress_bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[tried]}"),
    )
