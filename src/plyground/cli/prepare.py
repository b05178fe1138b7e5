"""`plyground prepare`: compile games ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plyground.cli.arguments import AsJson

if TYPE_CHECKING:
    from plyground.search.preparation import Purpose

EXAMPLES = (
    "plyground prepare",
    "plyground prepare breakthrough derby",
    "plyground prepare my_game.py --for play",
    "plyground prepare --kernels",
)


def prepare(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Names or files; without any, all games here."),
    ] = None,
    purpose: Annotated[
        list[str] | None,
        typer.Option(
            "--for",
            metavar="PURPOSE",
            help="play, check, monte-carlo or solve; can be repeated. Without it, all of them.",
        ),
    ] = None,
    kernels: Annotated[
        bool,
        typer.Option(
            "--kernels", help="Only what all games share, for solving and Monte Carlo search."
        ),
    ] = False,
    low_priority: Annotated[
        bool, typer.Option("--low-priority", help="Let other programs go first.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compile games ahead, so that no later command waits for the compiler.

    For the image of a class room, a container, a worker of a cluster. What is compiled already is
    left as it is. The compiled code is kept in the cache folder, which `plyground doctor` names.
    """
    import time
    from functools import partial

    from plyground.cli.interrupt import interruptible
    from plyground.cli.output import print_json, progress_bar, seconds_text
    from plyground.core.errors import PlygroundError
    from plyground.core.processes import lower_process_priority
    from plyground.core.registry import find_game, game_names
    from plyground.search.preparation import Purpose, prepare_kernels
    from plyground.search.preparation import prepare as compile_ahead

    if kernels and (games or purpose):
        raise PlygroundError("--kernels prepares no games: leave out their names and --for")
    if low_priority:
        lower_process_priority()
    if kernels:
        started = time.perf_counter()
        interruptible(partial(prepare_kernels, find_game("tictactoe")))
        took = time.perf_counter() - started
        if as_json:
            print_json({"prepared": {"kernels": round(took, 3)}})
        else:
            print(f"kernels: ready ({seconds_text(took)})")
        return
    purposes = [_purpose(text) for text in purpose or list(Purpose)]
    found = [find_game(name) for name in games or game_names()]
    seconds: dict[str, float] = {}
    with progress_bar() as progress:
        task = progress.add_task("preparing", total=len(found) * len(purposes))
        for game in found:
            started = time.perf_counter()
            for one in purposes:
                progress.update(task, description=f"{game.name}: {one.value}")
                interruptible(partial(compile_ahead, game, one))
                progress.advance(task)
            seconds[game.name] = round(time.perf_counter() - started, 3)
    if as_json:
        print_json({"prepared": seconds, "for": [one.value for one in purposes]})
        return
    for name, took in seconds.items():
        print(f"{name}: ready for {', '.join(purposes)} ({seconds_text(took)})")


def _purpose(text: str) -> Purpose:
    from plyground.core.errors import PlygroundError
    from plyground.search.preparation import Purpose

    try:
        return Purpose(text)
    except ValueError:
        known = ", ".join(one.value for one in Purpose)
        raise PlygroundError(f"--for {text}: a game is prepared for {known}") from None
