"""Checks of the uncompiled rules."""

from __future__ import annotations

from itertools import pairwise
from numbers import Integral
from statistics import mean, variance
from typing import Any

from plyground.core.contract import MOVE_LIMIT, Field, Rules
from plyground.core.game import Position
from plyground.core.state_text import RANGES
from plyground.core.values import DECIDED
from plyground.search.conformance.check import (
    Check,
    CheckFailure,
    CheckStatus,
    GameSample,
    call_rule,
    failed,
    warned,
)
from plyground.search.conformance.points import (
    bounds_hold,
    identities_tell_states_apart,
    keys_tell_states_apart,
    scores_are_numbers,
    settled_is_a_number,
)

ENOUGH_GAMES = 8
"""How many games each player must have ended, or won, before a one-sided result is reported."""

LAST_POSITIONS = 8
"""The positions before the end of a game whose evaluations are compared with its outcome."""
CLEARLY = 5.0
"""Standard errors between two means that chance does not explain: a useless evaluation (a hash of
the state) would fail about once in a million samples."""


def games_end(sample: GameSample) -> str:
    unfinished = len(sample.games) - len(sample.finished)
    longest = max(len(game.moves) for game in sample.games)
    if unfinished and sample.game.rules.repeats:
        return f"{unfinished} of {len(sample.games)} random games went on, as REPEATS says they may"
    if unfinished:
        raise CheckFailure(
            f"{unfinished} of {len(sample.games)} random games had not ended after {longest} moves;"
            " can a game go on for ever?",
            status=CheckStatus.WARNING,
        )
    return f"{len(sample.games)} random games ended, the longest after {longest} moves"


def states_are_scalars(sample: GameSample) -> str:
    rules = sample.game.rules
    for position in sample.positions:
        state = position.state
        if type(state) is not rules.state_class:
            raise failed(rules.play, f"returned {type(state).__name__}, not State")
        for field, value in zip(rules.state_fields, state, strict=True):
            problem = _field_problem(field, value)
            if problem:
                raise failed(rules.play, f"made State.{field.name} = {value!r}: {problem}")
    return f"{len(sample.positions)} states hold what State declares"


def _field_problem(field: Field, value: Any) -> str:
    if field.length:
        if not isinstance(value, tuple) or len(value) != field.length:
            return f"it must be a tuple of {field.length}"
        problems = (_field_problem(Field(field.name, field.kind), item) for item in value)
        return next((problem for problem in problems if problem), "")
    if field.kind == "bool":
        return "" if value in (0, 1) else "it must be True or False"
    if not isinstance(value, Integral):
        return "it must be a whole number"
    low, high = RANGES[field.kind]
    if not low <= int(value) <= high:
        return f"it must lie between {low} and {high}" + (
            "; mask after a left shift or a complement" if field.kind == "uint64" else ""
        )
    return ""


def moves_are_sound(sample: GameSample) -> str:
    rules = sample.game.rules
    most = 0
    for position in sample.open_positions:
        # `out` is empty before, so that a count larger than what was written is found.
        out: list[Any] = [None] * rules.max_moves
        count = call_rule(position, "moves", out)
        if not isinstance(count, Integral):
            raise failed(rules.moves, f"returns {count!r}, not how many moves it wrote", position)
        listed = out[: int(count)]
        for move in listed:
            if not isinstance(move, Integral):
                raise failed(rules.moves, f"counts {count} moves but wrote {move!r}", position)
            if not 0 <= int(move) < MOVE_LIMIT:
                problem = f"lists {move}; a move is a number from 0 to {MOVE_LIMIT - 1}"
                raise failed(rules.moves, problem, position)
        if len(set(listed)) != len(listed):
            twice = next(move for move in listed if listed.count(move) > 1)
            raise failed(rules.moves, f"lists move {twice} twice", position)
        most = max(most, len(listed))
    return f"up to {most} in a position, all different"


def turns_are_players(sample: GameSample) -> str:
    again = 0
    for game in sample.games:
        turns = []
        for position in game.positions[: len(game.moves)]:
            turn = call_rule(position, "turn")
            if turn not in (0, 1):
                raise _wrong_turn(sample.game.rules, turn, position)
            turns.append(turn)
        again += sum(first == second for first, second in pairwise(turns))
    return "0 or 1; " + (f"a player moved again {again} times" if again else "always alternating")


def _wrong_turn(rules: Rules, turn: Any, position: Position) -> CheckFailure:
    """If the turn is a field of the state, play() wrote it."""
    if "turn" in rules.defaults:
        return failed(rules.play, f"leaves State.turn at {turn!r}, not 0 or 1", position)
    return failed(rules.turn, f"says {turn!r}, not 0 or 1", position)


def functions_are_pure(sample: GameSample) -> str:
    """Call every rule twice, the second time in the opposite order: results must not depend on the
    past."""
    first = [_answers(position) for position in sample.positions]
    for position, before in zip(reversed(sample.positions), reversed(first), strict=True):
        for name, answer in _answers(position).items():
            if answer != before[name]:
                raise failed(
                    sample.game.rules.function(name),
                    f"answers {answer!r}, but answered {before[name]!r} before",
                    position,
                )
    return f"the same answers twice in {len(sample.positions)} positions"


def _answers(position: Position) -> dict[str, Any]:
    answers: dict[str, Any] = {
        name: call_rule(position, name)
        for name in ("over", "key", "identity", "score", "bounds", "settled")
    }
    if answers["over"]:
        return {**answers, "utility": call_rule(position, "utility")}
    legal = position.legal_moves
    return {
        **answers,
        "turn": call_rule(position, "turn"),
        "evaluate": call_rule(position, "evaluate"),
        "moves": position.game.rules.legal_moves(position.board, position.state),
        "noisy": [call_rule(position, "noisy", move) for move in legal],
        "play": [call_rule(position, "play", move) for move in legal],
    }


def utility_is_zero_sum(sample: GameSample) -> str:
    """One whole number for both: what the first player wins, the second one loses."""
    rules = sample.game.rules
    largest = (DECIDED - 1) // max(1, rules.point)
    values = []
    for game in sample.finished:
        value = call_rule(game.last, "utility")
        if not isinstance(value, Integral):
            raise failed(rules.utility, f"is {value!r}, not a whole number", game.last)
        if abs(int(value)) > largest:
            raise failed(rules.utility, f"is {value}, beyond {largest}", game.last)
        values.append(int(value))
    if not rules.point and any(abs(value) > 1 for value in values):
        raise warned(
            rules.utility,
            "utility() is more than 1, but without POINT only its sign counts;"
            " if the margin matters, set POINT",
        )
    if not rules.draws and 0 in values:
        raise failed(rules.utility, "is 0, but DRAWS = False says that no game ends in a draw")
    _warn_of_mover_utility(sample, values)
    won, lost = sum(value > 0 for value in values), sum(value < 0 for value in values)
    first, second = sample.game.players
    return f"{first} won {won} random games, {second} {lost}, {len(values) - won - lost} drawn"


def _warn_of_mover_utility(sample: GameSample, values: list[int]) -> None:
    """A common mistake is the utility of the player to move. Then one side wins every game."""
    decided = [(game, value) for game, value in zip(sample.finished, values, strict=True) if value]
    last_movers = [game.positions[-2].turn for game, _ in decided if game.moves]
    seldom = min(last_movers.count(0), last_movers.count(1))
    if seldom >= ENOUGH_GAMES and len({value > 0 for _, value in decided}) == 1:
        winner = sample.game.players[0 if decided[0][1] > 0 else 1]
        raise warned(
            sample.game.rules.utility,
            f"{winner} wins all {len(decided)} random games, no matter who moves last;"
            " utility() must be the first player's, not the mover's",
        )


def evaluation_is_the_first_players(sample: GameSample) -> str:
    """Evaluations shortly before the end must not favour the loser.

    This is checked for each player to move separately: an evaluation for the player to move is
    right for one of them and wrong for the other. It fails only if it is clearly reversed.
    """
    rules = sample.game.rules
    if "evaluate" in rules.defaults:
        return "no evaluate(): every open position counts as equal"
    values = [0]
    for position in sample.open_positions:
        value = call_rule(position, "evaluate")
        if not isinstance(value, Integral):
            raise failed(rules.evaluate, f"is {value!r}, not a whole number", position)
        if abs(int(value)) >= DECIDED:
            raise failed(rules.evaluate, f"is {value}, but {DECIDED} and more is a won game")
        values.append(int(value))
    for mover, name in enumerate(sample.game.players):
        won, lost = evaluations_by_outcome(sample, mover)
        if min(len(won), len(lost)) >= ENOUGH_GAMES and clearly_below(won, lost):
            raise failed(
                rules.evaluate,
                f"favours the loser where {name} is to move: on average {mean(won):.0f} before"
                f" {sample.game.players[0]} wins, {mean(lost):.0f} before"
                f" {sample.game.players[1]} wins; it must always be the first player's",
            )
    return f"from {min(values)} to {max(values)}, never clearly against who goes on to win"


def evaluations_by_outcome(sample: GameSample, mover: int) -> tuple[list[float], list[float]]:
    """The mean evaluation of each game that the first player won, and of each that was lost.

    One number per game, because the positions of a game are not independent.
    """
    won: list[float] = []
    lost: list[float] = []
    for game in sample.finished:
        seen = [
            position.evaluation
            for position in game.positions[-1 - LAST_POSITIONS : -1]
            if position.turn == mover
        ]
        if seen and game.last.utility:
            (won if game.last.utility > 0 else lost).append(mean(seen))
    return won, lost


def clearly_below(won: list[float], lost: list[float]) -> bool:
    """Whether the mean of the won games is significantly below that of the lost ones."""
    error = (variance(won) / len(won) + variance(lost) / len(lost)) ** 0.5
    return bool(mean(lost) - mean(won) > CLEARLY * error)


def noise_is_a_number(sample: GameSample) -> str:
    rules = sample.game.rules
    if "noisy" in rules.defaults:
        return "no noisy(): every move is quiet"
    answers = []
    for position in sample.open_positions:
        for move in position.legal_moves:
            answer = call_rule(position, "noisy", move)
            if (answer not in (True, False) and not isinstance(answer, Integral)) or answer < 0:
                problem = f"says {answer!r}, not a whole number from 0 up"
                raise failed(rules.noisy, problem, position)
            answers.append(answer > 0)
    return f"{sum(answers)} of {len(answers)} moves are noisy"


CHECKS: dict[str, Check] = {
    "games end": games_end,
    "state": states_are_scalars,
    "moves": moves_are_sound,
    "turn": turns_are_players,
    "pure": functions_are_pure,
    "utility": utility_is_zero_sum,
    "evaluate": evaluation_is_the_first_players,
    "noisy": noise_is_a_number,
    "key": keys_tell_states_apart,
    "identity": identities_tell_states_apart,
    "score": scores_are_numbers,
    "bounds": bounds_hold,
    "settled": settled_is_a_number,
}
