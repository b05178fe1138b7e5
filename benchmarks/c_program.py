"""Breakthrough 6x6, material only, one thread: beside a plain C program with the same search."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.contest import FOLDER, OurEngine, in_turns, material_breakthrough
from benchmarks.report import Row, UnavailableError, rate_text, ratio_row, seconds_text
from plyground.search.features import Features

COMPILER_FLAGS = ("-std=c11", "-O3", "-march=native")
TIME_TARGET = 1.0
RATE_TARGET = 0.7


@dataclass(frozen=True)
class Run:
    """One search from the start: its value at each depth, and what it took to finish the last."""

    values: dict[int, int]
    nodes: int
    seconds: float


def run(quick: bool) -> list[Row]:
    depth, rounds = (6, 1) if quick else (12, 7)
    engine = OurEngine(material_breakthrough(), features=Features.EXACT)
    with tempfile.TemporaryDirectory() as folder:
        program = compile_program(Path(folder))
        ours, theirs = in_turns(
            rounds, [lambda: run_engine(engine, depth), lambda: run_program(program, depth)]
        )
    # Noise only ever adds time, and both do the same work in every round: the best of each counts.
    our_best = min(ours, key=lambda found: found.seconds)
    their_best = min(theirs, key=lambda found: found.seconds)
    return compare(our_best, their_best, depth, judged=not quick)


def compare(ours: Run, theirs: Run, depth: int, *, judged: bool) -> list[Row]:
    our_rate, their_rate = ours.nodes / ours.seconds, theirs.nodes / theirs.seconds
    return [
        ratio_row(
            f"time to finish depth {depth}",
            ours=seconds_text(ours.seconds),
            other=seconds_text(theirs.seconds),
            ratio=theirs.seconds / ours.seconds,
            target=TIME_TARGET,
            judged=judged,
            numbers={"our_seconds": ours.seconds, "their_seconds": theirs.seconds},
        ),
        ratio_row(
            "nodes per second",
            ours=rate_text(our_rate),
            other=rate_text(their_rate),
            ratio=our_rate / their_rate,
            target=RATE_TARGET,
            judged=judged,
            numbers={"our_nodes": ours.nodes, "their_nodes": theirs.nodes},
        ),
        agreement(ours.values, theirs.values),
    ]


def agreement(ours: dict[int, int], theirs: dict[int, int]) -> Row:
    """Two searches that promise exact values must agree on each, or a comparison means nothing."""
    different = [depth for depth in theirs if ours.get(depth) != theirs[depth]]
    return Row(
        "value at every depth",
        f"{len(ours)} values",
        f"{len(theirs)} values",
        f"differ at depth {', '.join(map(str, different))}" if different else "the same",
        "the same",
        not different,
        {"different": len(different)},
    )


def run_engine(engine: OurEngine, depth: int) -> Run:
    result = engine.search(depth)
    return Run(dict(engine.values), result.nodes, result.seconds)


def compile_program(folder: Path) -> Path:
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise UnavailableError("there is no C compiler here; on Debian: apt-get install gcc")
    program = folder / "breakthrough"
    command = [compiler, *COMPILER_FLAGS, "-o", str(program), str(FOLDER / "breakthrough.c")]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        problem = getattr(error, "stderr", None) or str(error)
        raise UnavailableError(
            f"{compiler} cannot compile breakthrough.c: {problem.strip()}"
        ) from error
    return program


def run_program(program: Path, depth: int, position: Sequence[str] = ()) -> Run:
    """Run the C program, from the start or from a position given as its arguments."""
    command = [str(program), str(depth), *position]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    *lines, done = output.splitlines()
    values = {int(line.split()[0]): int(line.split()[1]) for line in lines}
    _, nodes, seconds, _ = done.split()
    return Run(values, int(nodes), float(seconds))
