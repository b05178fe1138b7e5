"""`plyground learn`: an evaluation from the rules alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.cli.arguments import AsJson, BoardOptions, Cluster, GameArgument, Workers

if TYPE_CHECKING:
    from plyground.learning.gate import GateResult
    from plyground.learning.run import Generation, Learning

EXAMPLES = (
    "plyground learn breakthrough",
    "plyground learn my_game.py --minutes 2",
    "plyground learn connectfour --option columns=6 --minutes 5 --out six.npz --seed 7",
)

LEAST_MINUTES, MOST_MINUTES = 0.05, 24 * 60
MOST_SEED = 10**8
FINE_POINT = 100
"""Units of evaluation of a point, in which an expected margin is not rounded to nothing."""


def learn(
    name: GameArgument,
    option: BoardOptions = None,
    minutes: Annotated[
        float, typer.Option("--minutes", "-m", metavar="N", help="How long to learn, about.")
    ] = 10.0,
    seed: Annotated[int, typer.Option(metavar="N", help="Of all random numbers.")] = 0,
    start: Annotated[
        Path | None, typer.Option("--from", metavar="NET", help="Begin with this net.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the net there; default: GAME.npz."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with the learning curve.")
    ] = None,
    test: Annotated[
        bool,
        typer.Option(
            "--test/--no-test", help="Test the net at equal time, and adopt it if it wins."
        ),
    ] = True,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Learn an evaluation of a game from its rules alone.

    The engine plays against itself, and a small net learns from those games what positions are
    worth, generation after generation. At the end the best generation is tested against what the
    game has: only if it is better at equal time, it is adopted, and used from then on by search,
    play, engine and the browser on this machine. Ctrl-C ends the learning with the best net so far;
    the same command goes on with a run that was killed.
    """
    from dataclasses import replace

    from plyground.cli.executors import make_executor
    from plyground.cli.inputs import read_options
    from plyground.cli.output import announce_compilation, print_json, print_rows, say
    from plyground.core.errors import LimitError
    from plyground.core.processes import notice_ends_of_children
    from plyground.core.registry import find_game
    from plyground.executor.cores import usable_cores
    from plyground.learning import checkpoint
    from plyground.learning.report import write_report
    from plyground.learning.run import Learning
    from plyground.search.net.evaluation import check_fit
    from plyground.search.net.files import SUFFIX, read_net, write_net

    if not LEAST_MINUTES <= minutes <= MOST_MINUTES:
        raise LimitError(f"{minutes:g} minutes: it is from {LEAST_MINUTES:g} to {MOST_MINUTES}")
    if not 0 <= seed <= MOST_SEED:
        raise LimitError(f"seed {seed}: it is from 0 to {MOST_SEED}")
    game = find_game(name)
    target = Path(f"{game.name}{SUFFIX}") if out is None else out
    if target.suffix != SUFFIX:
        raise LimitError(f"--out {target}: a net is a file *{SUFFIX}")
    for written in (target, report):
        if written is not None and not written.parent.is_dir():
            raise LimitError(f"{written}: there is no folder {written.parent}")
    notice_ends_of_children()
    announce_compilation()
    texts = read_options(option)
    cores = usable_cores()
    with make_executor(workers, cluster, default=cores, serial=False) as executor:
        display = _Display(60 * minutes)
        learning = Learning(
            game,
            texts,
            executor,
            seconds=60 * minutes,
            seed=seed,
            threads=min(cores, workers or cores),
            on_progress=display.update,
        )
        if start is not None:
            net = read_net(start)
            check_fit(net, game, learning.start.board, str(start))
            learning.go_on_from(net)
        folder = checkpoint.checkpoint_folder(game.name, learning.fingerprint, seed, start)
        earlier = checkpoint.load(folder)
        if earlier:
            learning.go_on_after(earlier)
            say(f"going on after generation {len(earlier)} of a run that did not end")
        interrupted = _learn(learning, folder, display)
        best = learning.best
        log = _log(learning, best, minutes, seed)
        write_net(target, replace(best.net, log=log))
        results: list[GateResult] = []
        if test and not interrupted:
            results = _test(learning, target, texts, executor, seed, display)
    adopted = test and not interrupted and all(result.is_passed for result in results)
    verdict = _verdict(results, adopted=adopted, tested=test and not interrupted)
    log = {**log, "tests": [result.text for result in results], "verdict": verdict}
    write_net(target, replace(best.net, log=log))
    if adopted:
        _adopt(learning, target)
    checkpoint.remove(folder)
    if report is not None:
        write_report(report, learning, results, verdict)
        say(f"written: {report}")
    if as_json:
        print_json({"net": str(target), "adopted": adopted, **log})
        return
    print_rows(
        {
            "net": str(target),
            "generation": f"{best.number} of {len(learning.generations)}",
            "games": f"{learning.generations[-1].games:,}",
            **{f"test {number}": one.text for number, one in enumerate(results, 1)},
            "verdict": verdict,
        }
    )


def _learn(learning: Learning, folder: Path, display: _Display) -> bool:
    """Learn; whether Ctrl-C has ended it."""
    from plyground.cli.output import say
    from plyground.learning import checkpoint

    if 0 < learning.game.rules.point < FINE_POINT:
        say(
            f"{learning.game.name} has POINT = {learning.game.rules.point}: a net can tell apart"
            f" nothing finer; with POINT = {FINE_POINT} in its file more is learned"
        )
    say(f"symmetries: {', '.join(one.name for one in learning.symmetries) or 'none'}")
    say(_heading(learning))
    for generation in learning.generations:
        say(_line(generation, learning))
    try:
        with display:
            for generation in learning.run():
                checkpoint.save(folder, generation)
                display.print(_line(generation, learning))
    except KeyboardInterrupt:
        if not learning.generations:
            raise
        say("interrupted: the best generation so far is kept, untested")
        return True
    return False


def _heading(learning: Learning) -> str:
    rated = "".join(f"{f'against {name}':>22}" for name in (*learning.opponents, "first"))
    return f"{'generation':>10}{'time':>8}{'games':>10}{'positions':>11}{'loss':>9}{rated}"


def _line(generation: Generation, learning: Learning) -> str:
    rated = ""
    for name in (*learning.opponents, "first"):
        shown = ""
        if name in generation.pairs:
            known = generation.rating(name)
            low, high = known.elo_interval.low, known.elo_interval.high
            shown = f"{known.elo:+.0f} [{low:.0f}, {high:.0f}]"
        rated += f"{shown:>22}"
    return (
        f"{generation.number:>10}{generation.seconds:>7.0f}s{generation.games:>10,}"
        f"{generation.positions:>11,}{generation.loss:>9.4f}{rated}"
    )


def _test(
    learning: Learning,
    net: Path,
    options: dict[str, str],
    executor: Any,
    seed: int,
    display: _Display,
) -> list[GateResult]:
    """Test a net against all that the engine could use instead, until one test is not passed."""
    from functools import partial

    from plyground.learning.gate import measure
    from plyground.search.net.evaluation import find_net

    opponents = list(learning.opponents)
    if find_net(learning.game, learning.start.board) is not None:
        opponents.insert(0, "learned")
    results: list[GateResult] = []
    with display:
        for number, opponent in enumerate(opponents):
            result = measure(
                learning.game,
                tuple(options.items()),
                net,
                opponent,
                executor,
                seed=1000 + 10 * seed + number,
                on_game=partial(display.show_test, opponent),
            )
            results.append(result)
            if not result.is_passed:
                break
    return results


def _verdict(results: list[GateResult], *, adopted: bool, tested: bool) -> str:
    """The honest sentence."""
    if not tested:
        return "not tested: not adopted"
    if adopted:
        hardest = min(results, key=lambda one: one.estimate.elo)
        return f"beats {hardest.opponent_text} by {hardest.difference} at equal time; adopted"
    return "not better at equal time than what there is: not adopted"


def _adopt(learning: Learning, net: Path) -> None:
    from plyground.core.files import write_atomically
    from plyground.search.net.evaluation import net_name, nets_folder

    folder = nets_folder()
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / net_name(learning.game, learning.start.board), net.read_bytes())


def _log(learning: Learning, best: Generation, minutes: float, seed: int) -> dict[str, Any]:
    from plyground import __version__

    return {
        "plyground": __version__,
        "minutes": minutes,
        "seed": seed,
        "generation": best.number,
        "symmetries": [one.name for one in learning.used_symmetries],
        "generations": [
            {
                "number": one.number,
                "games": one.games,
                "positions": one.positions,
                "loss": round(one.loss, 6),
                "seconds": round(one.seconds, 1),
                "pairs": {name: list(pairs.counts) for name, pairs in one.pairs.items()},
            }
            for one in learning.generations
        ],
    }


class _Display:
    """A bar that says what is being done."""

    def __init__(self, seconds: float) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

        from plyground.cli.output import progress_bar

        self._bar = progress_bar(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        self._task = self._bar.add_task("", total=seconds)

    def __enter__(self) -> None:
        self._bar.start()

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def update(self, progress: Any) -> None:
        text = f"generation {progress.generation}: {progress.phase}, {progress.games:,} games"
        self._bar.update(self._task, description=text, completed=self._bar.tasks[0].elapsed or 0)

    def show_test(self, opponent: str, text: str) -> None:
        self._bar.update(self._task, description=f"testing against {opponent}: {text}")

    def print(self, text: str) -> None:
        from plyground.cli.output import say

        if self._bar.disable:
            say(text)
        else:
            self._bar.console.print(text)
