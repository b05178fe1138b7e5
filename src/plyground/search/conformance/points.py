"""Checks of key, identity, score, bounds and settled: what tables and solvers depend on.

A key may leave the points out. Then positions with the same key must have the same points still to
come, as far as that is known without a search: from the evaluation, the bounds, the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any

from plyground.core.bits import WORD
from plyground.core.contract import Rules
from plyground.core.game import Position
from plyground.search.conformance.check import GameSample, call_rule, failed, shown


def keys_tell_states_apart(sample: GameSample) -> str:
    rules = sample.game.rules
    keys: dict[Any, Position] = {}
    states = 0
    for position in _with_children(sample):
        states += 1
        key = call_rule(position, "key")
        if not isinstance(key, Integral) or not 0 <= int(key) <= WORD:
            raise failed(rules.key, f"is {key!r}, not a word of 64 bits", position)
        other = keys.setdefault(int(key), position)
        if not _counts(rules) and other.state != position.state:
            both = f"{shown(other)} and {shown(position)}"
            raise failed(rules.key, f"is {key} for two different positions: {both}")
        _compare(rules, "key", int(key), other, position)
    return f"{states} states, {len(keys)} different keys"


def _with_children(sample: GameSample) -> Iterator[Position]:
    """Every position of the sample and its children, each state once. Neighbours differ in little,
    and are the ones that a careless key confuses."""
    seen = set()
    for position in sample.positions:
        for found in (position, *(child for _, child in position.children())):
            if found.state not in seen:
                seen.add(found.state)
                yield found


def identities_tell_states_apart(sample: GameSample) -> str:
    rules = sample.game.rules
    identities: dict[Any, Position] = {}
    lengths = set()
    for position in _with_children(sample):
        words = call_rule(position, "identity")
        if not isinstance(words, tuple) or not all(
            isinstance(word, Integral) and 0 <= int(word) <= WORD for word in words
        ):
            raise failed(rules.identity, f"is {words!r}, not a tuple of words of 64 bits", position)
        lengths.add(len(words))
        other = identities.setdefault(tuple(map(int, words)), position)
        _compare(rules, "identity", words, other, position)
    if len(lengths) > 1:
        raise failed(rules.identity, f"has {min(lengths)} words or {max(lengths)}, not always one")
    return f"{len(identities)} different ones of {lengths.pop()} words"


def _compare(rules: Rules, name: str, value: Any, one: Position, other: Position) -> None:
    """Fail if two positions with the same key or identity are not equivalent."""
    if one.state != other.state and _still_to_come(one) != _still_to_come(other):
        both = f"{shown(one)} and {shown(other)}"
        raise failed(
            rules.function(name),
            f"is {value} for two positions with different things still to come: {both}",
        )


def _counts(rules: Rules) -> bool:
    """Whether the game separates points so far from points to come."""
    return rules.point > 0 and "score" not in rules.defaults


def _still_to_come(position: Position) -> tuple[Any, ...]:
    """What is known of the rest of a game without a search."""
    so_far = call_rule(position, "score")
    least, most = (bound - so_far for bound in call_rule(position, "bounds"))
    if "bounds" in position.game.rules.defaults:
        least = most = 0
    if position.is_over:
        return True, position.utility - so_far
    estimate = position.evaluation - position.game.rules.point * so_far
    return False, position.turn, estimate, least, most


def settled_is_a_number(sample: GameSample) -> str:
    rules = sample.game.rules
    if "settled" in rules.defaults:
        return "no settled(): nothing is decided before the end"
    answers = []
    for position in sample.open_positions:
        answer = call_rule(position, "settled")
        if not isinstance(answer, Integral):
            raise failed(rules.settled, f"is {answer!r}, not a whole number", position)
        answers.append(answer != 0)
    return f"{sum(answers)} of {len(answers)} open positions are decided at sight"


def scores_are_numbers(sample: GameSample) -> str:
    rules = sample.game.rules
    if "score" in rules.defaults:
        return "no score(): no points are kept"
    scores = []
    for position in sample.positions:
        score = call_rule(position, "score")
        if not isinstance(score, Integral):
            raise failed(rules.score, f"is {score!r}, not a whole number", position)
        scores.append(int(score))
    return f"from {min(scores)} to {max(scores)}"


def bounds_hold(sample: GameSample) -> str:
    """The utility lies within the bounds of every earlier position, and so do all bounds and
    evaluations on the way."""
    rules = sample.game.rules
    if "bounds" in rules.defaults:
        return "no bounds(): anything can happen until the end"
    for position in sample.positions:
        least, most = call_rule(position, "bounds")
        if position.is_over:
            _stay_within(rules, "utility()", position.utility, least, most, position)
            continue
        if rules.point:
            low, high = least * rules.point, most * rules.point
            _stay_within(rules, "evaluate()", position.evaluation, low, high, position)
        for _, child in position.children():
            for bound in call_rule(child, "bounds"):
                _stay_within(rules, "after a move one", bound, least, most, position)
    return f"kept in {len(sample.positions)} positions and after each of their moves"


def _stay_within(
    rules: Rules, name: str, value: int, least: int, most: int, position: Position
) -> None:
    if not least <= value <= most:
        problem = f"are {least} and {most}, but {name} is {value}"
        raise failed(rules.bounds, problem, position)
