"""Run benchmarks and print their tables: `python -m benchmarks [NAME ...]`.

Exit status: 0 if every target that was judged is met, 1 if one is missed, 2 for a wrong name.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from benchmarks.report import Row, UnavailableError, machine, print_rows, write_json

NAMES = (
    "c_program",
    "open_spiel",
    "spiel",
    "easy_ai",
    "threads",
    "startup",
    "clock",
    "clock_parts",
    "derby",
    "blocker",
    "strength",
    "learn",
    "levels",
    "solve",
    "web",
    "classroom",
    "arena",
    "sprt",
    "cluster",
)


def main(arguments: Sequence[str] | None = None) -> int:
    options = read_options(arguments)
    print(", ".join(f"{name}: {value}" for name, value in machine().items()), flush=True)
    results: dict[str, list[Row]] = {}
    skipped: dict[str, str] = {}
    for name in options.names or NAMES:
        module = importlib.import_module(f"benchmarks.{name}")
        rows = results.setdefault(name, [])
        try:
            for row in module.run(options.quick):
                rows.append(row)
                print(f"{name}: {row.what}: {row.ours}", file=sys.stderr, flush=True)
        except UnavailableError as reason:
            del results[name]
            skipped[name] = str(reason)
            print(f"\n{name}: SKIPPED: {reason}", flush=True)
        finally:  # an error in one row does not lose those measured before it
            if rows:
                print(flush=True)
                print_rows(name, description(module), rows)
            if options.json is not None:
                write_json(options.json, results, skipped)
    missed = sum(row.met is False for rows in results.values() for row in rows)
    if missed:
        print(f"\n{missed} target{'s' if missed > 1 else ''} missed")
    return 1 if missed else 0


def read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    listing = "\n".join(
        f"  {name:<12}{description(importlib.import_module(f'benchmarks.{name}'))}"
        for name in NAMES
    )
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure speed, side by side with other programs.",
        epilog=f"benchmarks:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which benchmarks; default: all")
    parser.add_argument(
        "--quick", action="store_true", help="run everything small; no target is judged"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}")
    return options


def description(module: ModuleType) -> str:
    """The first line of a benchmark's docstring."""
    return (module.__doc__ or "").strip().splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
