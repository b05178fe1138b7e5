"""`plyground check`: tests a game against the contract, one line for each promise."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli.arguments import AsJson, BoardOptions, GameArgument
from plyground.cli.inputs import read_options
from plyground.cli.output import announce_compilation, console, print_json
from plyground.core.errors import LimitError
from plyground.core.registry import find_game
from plyground.search.conformance import CheckResult, CheckStatus, check_game

EXAMPLES = ("plyground check my_game.py", "plyground check breakthrough --option rows=8 --json")

FAILED = 1
"""The exit status when a promise is broken."""


def check(
    name: GameArgument,
    option: BoardOptions = None,
    games: Annotated[int, typer.Option(metavar="N", help="Random games to test with.")] = 60,
    seed: Annotated[int, typer.Option(metavar="N", help="Which random games.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Test a game against the contract.

    Plays random games and checks every promise of the contract: the same moves, states and values
    compiled and uncompiled, texts that can be read back, pure functions, and so on. The exit status
    is 0 if all of them are kept and 1 if one is broken.
    """
    if games < 1:
        raise LimitError(f"{games} games: it takes at least 1 to test with")
    announce_compilation()
    game = find_game(name)
    options = read_options(option)
    if options:
        game.board(options)  # a wrong option is no fault of the game
    findings: list[CheckResult] = []
    screen = console()
    styles = {
        CheckStatus.PASSED: "green",
        CheckStatus.WARNING: "yellow",
        CheckStatus.FAILED: "bold red",
    }
    for finding in check_game(game, options, games=games, seed=seed):
        findings.append(finding)
        if not as_json:
            screen.print(f"{finding.status.value:8}", style=styles[finding.status], end="")
            screen.print(f"{finding.name:14}{finding.message}", soft_wrap=True)
    passed = all(finding.passed for finding in findings)
    if as_json:
        print_json(
            {
                "game": game.name,
                "passed": passed,
                "findings": [
                    {"name": one.name, "verdict": one.status.value, "message": one.message}
                    for one in findings
                ],
            }
        )
    if not passed:
        raise typer.Exit(FAILED)
