"""The generations of an unfinished run, as files: a killed run goes on after the last one."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

from plyground.arena.statistics import PairCounts
from plyground.core.errors import FormatError
from plyground.learning.fit import weights_of
from plyground.learning.run import Generation
from plyground.search.net.evaluation import nets_folder
from plyground.search.net.files import SUFFIX, read_net, write_net


def checkpoint_folder(game: str, fingerprint: str, seed: int, start: Path | None) -> Path:
    """Where the generations of a run are kept that began with the net in the file `start`."""
    name = f"{game}-{fingerprint}-{seed}"
    if start is not None:
        name += f"-{hashlib.sha256(start.read_bytes()).hexdigest()[:8]}"
    return nets_folder() / "unfinished" / name


def save(folder: Path, generation: Generation) -> None:
    """Keep a generation. What a net does not have goes into its log."""
    log = {
        "generation": generation.number,
        "games": generation.games,
        "positions": generation.positions,
        "loss": generation.loss,
        "seconds": generation.seconds,
        "pairs": {name: list(pairs.counts) for name, pairs in generation.pairs.items()},
    }
    folder.mkdir(parents=True, exist_ok=True)
    net = replace(generation.net, log={**generation.net.log, **log})
    write_net(folder / f"generation-{generation.number}{SUFFIX}", net)


def load(folder: Path) -> list[Generation]:
    """The generations in a folder, up to the first that is missing or damaged."""
    found: list[Generation] = []
    while True:
        path = folder / f"generation-{len(found) + 1}{SUFFIX}"
        try:
            net = read_net(path)
            log = net.log
            pairs = {
                str(name): PairCounts(tuple(map(int, counts)))
                for name, counts in log["pairs"].items()
            }
            generation = Generation(
                number=int(log["generation"]),
                net=net,
                weights=weights_of(net),
                games=int(log["games"]),
                positions=int(log["positions"]),
                loss=float(log["loss"]),
                pairs=pairs,
                seconds=float(log["seconds"]),
            )
        except (FormatError, KeyError, TypeError, ValueError, AttributeError):
            return found
        found.append(generation)


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
