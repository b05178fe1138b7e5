"""Checks of the compiled rules: they return what the uncompiled rules return."""

from __future__ import annotations

from typing import Any

from plyground.core.contract import COMPILED
from plyground.core.errors import GameFileError
from plyground.core.game import Position
from plyground.search.conformance.check import Check, CheckFailure, GameSample, call_rule, failed


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
    import numba

    from plyground.search.binding.compile import bind
    from plyground.search.binding.diagnostics import explain_rule

    bound = bind(sample.game)
    board_type = numba.typeof(bound.pack_board(sample.positions[0].board))
    problems = [explain_rule(bound, name, board_type) for name in COMPILED]
    found = [str(problem) for problem in problems if problem is not None]
    return CheckFailure(*found) if found else None


def compiled_rules_agree(sample: GameSample) -> str:
    from plyground.search.binding.compile import bind
    from plyground.search.binding.compiled_rules import rule_results, state_after

    bound = bind(sample.game)
    moves = 0
    for position in sample.positions:
        plain, compiled = _uncompiled(position), rule_results(bound, position)._asdict()
        for name, answer in plain.items():
            if answer != compiled[name]:
                raise _differs(position, name, answer, compiled[name])
        for move in position.legal_moves:
            after, state = position.after(move).state, state_after(bound, position, move)
            if after != state:
                raise _differs(position, "play", tuple(after), tuple(state))
            moves += 1
    return f"the same as uncompiled in {len(sample.positions)} positions, {moves} moves"


def _uncompiled(position: Position) -> dict[str, Any]:
    answers: dict[str, Any] = {"over": position.is_over, "key": position.key}
    for name in ("score", "bounds", "identity", "settled"):
        answers[name] = call_rule(position, name)
    if position.is_over:
        return {**answers, "utility": position.utility}
    return {
        **answers,
        "turn": position.turn,
        "evaluate": position.evaluation,
        "moves": position.legal_moves,
        "noisy": tuple(int(call_rule(position, "noisy", move)) for move in position.legal_moves),
    }


def _differs(position: Position, name: str, plain: Any, compiled: Any) -> CheckFailure:
    return failed(
        position.game.rules.function(name),
        f"is {plain} uncompiled but {compiled} compiled; numbers beyond 64 bits, a Bits word mixed"
        " with a plain number, or a negative index are the usual reasons",
        position,
    )


CHECKS: dict[str, Check] = {"compiles": rules_compile, "compiled": compiled_rules_agree}
