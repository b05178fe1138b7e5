"""Blocker's evaluation: fair, bounded, and right where it is sure."""

from __future__ import annotations

import pytest

from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.core.values import DECIDED
from plyground.games.blocker import rules
from plyground.games.blocker.boards import BOARDS
from plyground.games.blocker.rules import EATEN, SURE
from plyground.search.binding.compile import bind
from plyground.search.binding.compiled_rules import rule_results, state_after
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits
from tests.games.naive_blocker import (
    DIRECTIONS,
    Cell,
    Things,
    actions,
    place_of,
    things_of,
)
from tests.random_play import random_game

game = find_game("blocker")


def at(text: str) -> Position:
    return game.position(text)


def exchanged(position: Position) -> Position:
    """The same position with the agents exchanged."""
    rows, turn, eaten = position.text.split(" ")[:3]
    rows = rows.translate(str.maketrans("AB", "BA"))
    return at(f"{rows} {'B' if turn == 'A' else 'A'} {'-'.join(reversed(eaten.split('-')))}")


def test_the_evaluation_is_fair_to_both_agents() -> None:
    for board in BOARDS:
        for position in random_game(game, 2, {"board": board})[:-1]:
            assert exchanged(position).evaluation == -position.evaluation


def steps_from(things: Things, agent: str) -> dict[Cell, int]:
    """How many steps it is to every cell that an agent can reach."""
    reached = {place_of(things, agent): 0}
    edge = list(reached)
    for row, column in edge:
        for down, right in DIRECTIONS.values():
            near = row + down, column + right
            if near not in reached and "#" not in things.get(near, "#"):
                reached[near] = reached[row, column] + 1
                edge.append(near)
    return reached


def plain_evaluation(text: str) -> int:
    """The evaluation once more, cell by cell."""
    rows, turn, eaten = text.split(" ")[:3]
    things = things_of(rows)
    steps = {agent: steps_from(things, agent) for agent in "AB"}
    food = [cell for cell, found in things.items() if "*" in found]
    value = 0
    for cell in set(steps["A"]) | set(steps["B"]):
        far = {agent: steps[agent].get(cell, 10**6) for agent in "AB"}
        first = turn if far["A"] == far["B"] else min("AB", key=lambda agent: far[agent])
        worth = rules.ROOM
        if cell in food:
            worth += rules.FIRST - rules.STEP * min(far[first], rules.FARTHEST)
        value += worth if first == "A" else -worth
    for agent, sign in (("A", -1), ("B", 1)):
        if "#" in things[place_of(things, agent)]:
            value += sign * rules.WALLED * (4 - len(actions(things, agent)))
    ahead = int(eaten.split("-")[0]) - int(eaten.split("-")[1])
    value += rules.EATEN * ahead
    alone = {agent: sum(cell not in steps[other] for cell in food) for agent, other in ("AB", "BA")}
    left = len(food)
    if (
        (alone["A"] and alone["B"])
        or (alone["A"] == left and ahead + left <= 0)
        or (alone["B"] == left and ahead - left >= 0)
    ):
        return int(value / rules.DRAWN)
    if left in alone.values():
        return value + (SURE if alone["A"] == left else -SURE)
    return value + rules.CONTROL * (alone["A"] - alone["B"])


@pytest.mark.parametrize("board", game.module.CHOICES["board"])
def test_compiled_or_not_the_evaluation_is_the_plain_one(board: str) -> None:
    bound = bind(game)
    for seed in range(4):
        for position in random_game(game, seed, {"board": board})[:-1][:200]:
            expected = plain_evaluation(position.text)
            assert position.evaluation == expected
            compiled = rule_results(bound, position)
            assert compiled.evaluate == expected
            assert compiled.key == position.key
            assert compiled.identity == rules.identity(position.board, position.state)
            assert compiled.moves == position.legal_moves
            for move, child in position.children():
                assert state_after(bound, position, move) == child.state


@pytest.mark.parametrize("width", [5, 13, 16, 64])
def test_both_forms_of_the_race_say_the_same(width: int) -> None:
    """The one for a single word, and the one for any number of words."""
    options: dict[str, int | str] = {"width": width, "height": 64 // width, "food": 3, "walls": 10}
    for position in random_game(game, width, {"board": "random", **options})[:300]:
        board, state = position.board, position.state
        assert rules.wide_race(board, state) == rules.narrow_race(board, state)


def test_an_evaluation_never_looks_like_a_win() -> None:
    full = "/".join(["(*A)" + "*" * 15, *["*" * 16] * 10, "*" * 15 + "B"])
    for eaten in ("99-0", "0-99"):
        assert 0 < abs(at(f"{full} A {eaten}").evaluation) < DECIDED // 2


@pytest.mark.parametrize(
    ("better", "worse", "why"),
    [
        ("A..*..B A 1-0", "A..*..B A 0-0", "what was eaten counts"),
        ("A*..*..B* B 0-0", "A.*.*..B* B 0-0", "nearer food is better"),
        ("A.*.B A 0-0", "A.*.B B 0-0", "to move is better where both need as many steps"),
        ("A.*.B/.#### A 0-0", "A.*.B/##### A 0-0", "room to move counts"),
        ("A...*..B B 0-0", "(#A)...*..B B 0-0", "an agent in a wall is in danger"),
        ("A..*...(#B) A 0-0", "A..*...B A 0-0", "an agent in a wall is in danger"),
    ],
)
def test_the_evaluation_knows_what_is_good(better: str, worse: str, why: str) -> None:
    assert at(better).evaluation > at(worse).evaluation, why


def test_who_alone_can_reach_what_is_left_and_will_have_eaten_more_is_sure_to_win() -> None:
    assert at("A.**#B. A 0-1").evaluation > SURE / 2
    assert at("A.**#B. B 0-1").evaluation > SURE / 2
    assert at("A.#**.B A 1-0").evaluation < -SURE / 2
    assert abs(at("A.**#B. A 0-2").evaluation) < EATEN / 2, "it can only draw"
    assert abs(at("A.**#B. A 0-3").evaluation) < EATEN / 2, "it will leave the last one"


@pytest.mark.parametrize("text", ["A.*#*B A 3-0", "A.*.B#* A 3-0", "A*##*#*B B 0-3"])
def test_a_lead_is_worth_little_where_neither_side_can_end_the_game(text: str) -> None:
    assert abs(at(text).evaluation) < EATEN / 2


@pytest.mark.parametrize("board", ["official", "corridor", "field"])
def test_what_the_evaluation_is_sure_of_is_so(board: str) -> None:
    """Compared with proofs, in positions near the end of random games."""
    engine, sure = Engine(game, memory=16, features=Features.EXACT), 0
    for seed in range(40):
        for position in random_game(game, seed, {"board": board})[-6:-1]:
            if abs(position.evaluation) > SURE / 2:
                result = engine.search(position, Limits(depth=40, nodes=50_000))
                if result.proven:
                    assert result.value * position.evaluation > 0
                    sure += 1
    assert sure > 0


# The key


@pytest.mark.parametrize("seed", range(6))
def test_positions_close_to_each_other_have_different_keys(seed: int) -> None:
    """All that can be reached within some moves: cells, food and walls are small numbers in the
    same bits, and a key that lays them over each other takes some of these for the same."""
    size = {"width": 6, "height": 5} if seed % 2 else {"width": 15, "height": 10}
    start = game.start({"board": "random", "seed": seed, **size})
    found = {start.state: start}
    waiting = [start]
    while waiting and len(found) < 3000:
        position = waiting.pop(0)
        for _, child in position.children():
            if child.state not in found:
                found[child.state] = child
                waiting.append(child)
    assert len({position.key for position in found.values()}) == len(found)
