"""Checks of the uncompiled rules.

A key may leave the points out. Then positions with the same key must have the same points still to
come, as far as that is known without a search: from the evaluation, the bounds, the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from numbers import Integral
from typing import Any

from plyground.core.bits import WORD
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
    rule_answers,
    shown,
    warned,
    whole_number,
)
from plyground.search.conformance.signs import (
    ENOUGH_GAMES,
    evaluation_is_the_first_players,
    utility_agrees_with_the_points,
)


def games_end(sample: GameSample) -> str:
    unfinished = len(sample.games) - len(sample.finished)
    longest = max(len(game.moves) for game in sample.games)
    says = sample.game.own("longest_game")
    bound = sample.game.longest_game(sample.positions[0].board)
    if says is not None and bound is not None and longest > bound:
        raise failed(says, f"says {bound}, but a random game had {longest} moves")
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
    limit = sample.game.move_limit(sample.positions[0].board)
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
            if not 0 <= int(move) < limit:
                whose = "" if limit == MOVE_LIMIT else ", as move_limit() says"
                problem = f"lists {move}; a move is a number from 0 to {limit - 1}{whose}"
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
    first = [rule_answers(position) for position in sample.positions]
    for position, before in zip(reversed(sample.positions), reversed(first), strict=True):
        for name, answer in rule_answers(position).items():
            if answer != before[name]:
                raise failed(
                    sample.game.rules.function(name),
                    f"answers {answer!r}, but answered {before[name]!r} before",
                    position,
                )
    return f"the same answers twice in {len(sample.positions)} positions"


def utility_is_zero_sum(sample: GameSample) -> str:
    """One whole number for both: what the first player wins, the second one loses."""
    rules = sample.game.rules
    largest = (DECIDED - 1) // max(1, rules.point)
    values = []
    for game in sample.finished:
        value = whole_number(game.last, "utility")
        if abs(value) > largest:
            raise failed(rules.utility, f"is {value}, beyond {largest}", game.last)
        values.append(value)
    if not rules.point and any(abs(value) > 1 for value in values):
        raise warned(
            rules.utility,
            "utility() is more than 1, but without POINT only its sign counts;"
            " if the margin matters, set POINT",
        )
    if not rules.draws and 0 in values:
        raise failed(rules.utility, "is 0, but DRAWS = False says that no game ends in a draw")
    utility_agrees_with_the_points(sample, rules)
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
    if "settled" in sample.game.rules.defaults:
        return "no settled(): nothing is decided before the end"
    plies = [whole_number(position, "settled") for position in sample.open_positions]
    decided = len(plies) - plies.count(0)
    return f"{decided} of {len(plies)} open positions are decided at sight"


def scores_are_numbers(sample: GameSample) -> str:
    if "score" in sample.game.rules.defaults:
        return "no score(): no points are kept"
    scores = [whole_number(position, "score") for position in sample.positions]
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
