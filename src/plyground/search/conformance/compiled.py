"""Checks of the compiled rules: they return what the uncompiled rules return."""

from __future__ import annotations

from typing import Any

from plyground.core.contract import COMPILED
from plyground.core.errors import GameFileError
from plyground.core.game import Position
from plyground.search.conformance.check import (
    Check,
    CheckFailure,
    GameSample,
    failed,
    rule_answers,
)


def rules_compile(sample: GameSample) -> str:
    from plyground.search.binding.compile import bind
    from plyground.search.binding.compiled_rules import rule_results, state_after

    bound, start = bind(sample.game), sample.positions[0]
    try:
        rule_results(bound, start)
        for move in start.legal_moves[:1]:
            state_after(bound, start, move)
    except GameFileError as error:
        raise _all_compile_errors(sample) or CheckFailure(str(error)) from None
    return ", ".join(COMPILED)


def _all_compile_errors(sample: GameSample) -> CheckFailure | None:
    """The compiler stops at the first error; here every rule that does not compile is listed."""
    from plyground.search.binding.compile import bind
    from plyground.search.binding.diagnostics import explain_rule

    bound = bind(sample.game)
    board_type = bound.board_type(sample.positions[0].board)
    problems = [explain_rule(bound, name, board_type) for name in COMPILED]
    found = [str(problem) for problem in problems if problem is not None]
    return CheckFailure(*found) if found else None


def compiled_rules_agree(sample: GameSample) -> str:
    from plyground.search.binding.compile import bind
    from plyground.search.binding.compiled_rules import rule_results, state_after

    bound = bind(sample.game)
    moves = 0
    for position in sample.positions:
        plain, compiled = rule_answers(position), rule_results(bound, position)._asdict()
        states = plain.pop("play", ())
        for name, answer in plain.items():
            if answer != compiled[name]:
                raise _differs(position, name, answer, compiled[name])
        for move, after in zip(position.legal_moves, states, strict=True):
            state = state_after(bound, position, move)
            if after != state:
                raise _differs(position, "play", tuple(after), tuple(state))
        moves += len(states)
    return f"the same as uncompiled in {len(sample.positions)} positions, {moves} moves"


def _differs(position: Position, name: str, plain: Any, compiled: Any) -> CheckFailure:
    return failed(
        position.game.rules.function(name),
        f"is {plain} uncompiled but {compiled} compiled; numbers beyond 64 bits, a Bits word mixed"
        " with a plain number, or a negative index are the usual reasons",
        position,
    )


CHECKS: dict[str, Check] = {"compiles": rules_compile, "compiled": compiled_rules_agree}
