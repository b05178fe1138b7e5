"""The forge: what it makes is proven, as hard as it says, and the same for the same seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import cast

import pytest

from plyground.classroom.forge import FORGES, make_forge
from plyground.classroom.forge.difficulty import (
    DEEPEST,
    LEVELS,
    BestMoveDifficulty,
    Difficulty,
    WinDifficulty,
)
from plyground.classroom.forge.forge import Forge, Forged, suite_levels
from plyground.classroom.opponents import Perfect
from plyground.classroom.suite import Suite, Task, find_suite
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.executor.local import LocalExecutor
from plyground.players.player import Clock
from plyground.players.simple import greedy_move
from plyground.search.solving.methods import make_solver
from plyground.search.textbook.algorithms import alpha_beta
from tests.cli.runner import plyground, refusal
from tests.search.solving.brute_force import Memory, brute_force

SHALLOW = 4
"""How deep the textbook, uncompiled, is asked to look."""

forge_for = cache(make_forge)


def suite_for(name: str) -> Suite:
    return find_suite(find_game(name))


def forged(name: str, level: str, seed: int, count: int) -> list[Forged]:
    return list(islice(forge_for(name).tasks(LEVELS[level], seed, lambda: None), count))


def by_the_textbook(position: Position, depth: int) -> int:
    """What alpha-beta as it is in the book chooses, with the evaluation of the plain rules: the
    lowest number of the moves that are as good as the best."""
    plain = forge_for(position.game.name).plain_search.plain

    def value(leaf: Position) -> int:
        return Position(plain, leaf.board, leaf.state).evaluation

    answer = alpha_beta(position, depth, evaluate=value, order=lambda at: sorted(at.legal_moves))
    assert answer.move is not None
    return answer.move


def drawn(forge: Forge, count: int) -> Iterator[Position]:
    found = (forge.draw(seed) for seed in range(10_000))
    return islice((position for position in found if position is not None), count)


# The plain search


@pytest.mark.parametrize("name", FORGES)
def test_the_plain_search_chooses_as_the_textbook_does(name: str) -> None:
    forge = forge_for(name)
    for position in drawn(forge, 6):
        for depth in range(1, SHALLOW + (name == "blocker")):
            chosen = forge.plain_search.at_depth(depth)(position)
            assert chosen == by_the_textbook(position, depth), (position.text, depth)


@pytest.mark.parametrize("name", ["blocker", "slant"])
def test_the_textbook_agrees_how_deep_one_must_look(name: str) -> None:
    shallow = [task for task in suite_for(name).tasks if task.proof["depth"] in (2, 3, SHALLOW)]
    assert len(shallow) >= 5
    for task in shallow[:5]:
        best = {task.start.parse_move(move) for move in task.best}
        enough = task.proof["depth"]
        for depth in range(1, enough):
            assert by_the_textbook(task.start, depth) not in best, (task.name, depth)
        assert by_the_textbook(task.start, enough) in best, task.name


@pytest.mark.parametrize("name", ["blocker", "slant"])
def test_what_is_easy_for_the_greedy_is_no_task_of_a_higher_level(name: str) -> None:
    easy = BestMoveDifficulty(value=1, depth=6, best_moves=1, legal_moves=3, greedy=True)
    assert not LEVELS["C"].holds(easy)
    assert LEVELS["C"].holds(replace(easy, greedy=False))
    assert LEVELS["E"].holds(replace(easy, depth=3))
    for task in suite_for(name).tasks:
        assert task.proof["level"] == "E/D" or not task.proof["greedy"]


def test_a_level_is_a_band_of_depths() -> None:
    def levels(depth: int | None) -> list[str]:
        found = WinDifficulty(
            value=3, depth=depth, lucky=0, winning_moves=1, legal_moves=5, greedy=-2
        )
        return [name for name, level in LEVELS.items() if level.holds(found)]

    assert [levels(depth) for depth in (1, 2, 4, 5, 8, 9, DEEPEST, None)] == [
        [],
        ["E"],
        ["E"],
        ["C"],
        ["C"],
        ["A"],
        ["A"],
        ["A"],
    ]


# Making


@pytest.mark.parametrize(("name", "level", "count"), [("blocker", "A", 1), ("slant", "E", 4)])
def test_the_same_seed_gives_the_same_tasks_of_the_level(name: str, level: str, count: int) -> None:
    first, again = (forged(name, level, 4, count) for _ in range(2))
    told = [(task.start.text, task.proof(), task.manifest_entries) for task in first]
    assert told == [(task.start.text, task.proof(), task.manifest_entries) for task in again]
    assert all(LEVELS[level].holds(task.difficulty) for task in first)
    assert len({task.start.text for task in first}) == count


def test_the_same_tasks_are_made_and_proven_by_many_workers() -> None:
    forge, two = forge_for("slant"), LocalExecutor(2)
    with closing(forge.tasks(LEVELS["E"], 3, lambda: None, two)) as tasks:
        made = [(task.start.text, task.proof()) for task in islice(tasks, 2)]
    assert made == [(task.start.text, task.proof()) for task in forged("slant", "E", 3, 2)]
    first, second = suite_for("slant").tasks[:2]
    wrong = replace(second, proof={**second.proof, "depth": 99})
    said = list(forge.wrong([first, wrong], two))
    assert said == list(forge.wrong([first, wrong]))
    assert said[0] == ""
    assert "the suite says 99" in said[1]


def test_another_seed_gives_other_tasks() -> None:
    (one,), (other,) = (forged("slant", "E", seed, 1) for seed in (1, 2))
    assert one.start.text != other.start.text


def test_a_forged_position_of_slant_has_the_value_that_brute_force_finds() -> None:
    forge = forge_for("slant")
    for position in islice((one for one in drawn(forge, 200) if len(one.legal_moves) <= 9), 3):
        memory: Memory = {}
        worth = brute_force(position, memory=memory)
        kept = forge.measure(position, 0, replace(LEVELS["E"], least=1, most=None))
        best = [
            position.move_text(move)
            for move, child in position.children()
            if brute_force(child, memory=memory) == worth
        ]
        if kept is None:
            assert len(best) == len(position.legal_moves)
        else:
            assert kept.proof()["value"] == worth
            assert kept.manifest_entries["best"] == best


# Proofs


@pytest.mark.parametrize("name", FORGES)
def test_stored_proofs_are_found_again(name: str) -> None:
    """All of Slant, half of Blocker, and of Fishing Derby, where games are played for it, a
    day of each level that is soon proven; `plyground forge GAME --verify` proves every one."""
    tasks = suite_for(name).tasks
    if name == "derby":
        tasks = tuple(task for task in tasks if task.name in ("day-05", "day-20", "day-25"))
        assert [task.proof["level"] for task in tasks] == ["E/D", "C", "A"]
    for task in tasks[::2] if name == "blocker" else tasks:
        forge_for(name).check(task)


def complaint(task: Task) -> str:
    with pytest.raises(PlygroundError) as caught:
        forge_for(task.start.game.name).check(task)
    return str(caught.value)


def test_a_proof_that_does_not_hold_is_told() -> None:
    task = suite_for("slant").tasks[0]
    depth = task.proof["depth"]
    assert complaint(replace(task, proof={**task.proof, "depth": 13})) == (
        f"position-01: depth is {depth}, the suite says 13"
    )
    wrong = next(
        name for name in map(task.start.move_text, task.start.legal_moves) if name not in task.best
    )
    assert complaint(replace(task, best=(wrong,))) == (
        f"position-01: best is {' or '.join(task.best)}, the suite says {wrong}"
    )
    assert complaint(replace(task, kind="win")) == (
        "position-01: of slant, the forge proves tasks of the kind best, not win"
    )


def test_a_task_written_by_hand_needs_no_measures() -> None:
    forge_for("slant").check(replace(suite_for("slant").tasks[0], proof={}))


def test_a_day_that_green_cannot_win_is_no_task() -> None:
    task = suite_for("derby").tasks[0]
    assert complaint(replace(task, side=1)) == "day-01: green does not win with correct play"


# Perfect red


Worth = Callable[[Position], int]


def short_day(seed: int, plies: int) -> Position:
    options: dict[str, int | str] = {"board": "random", "seed": seed, "fish": 4, "plies": plies}
    return find_game("derby").start(options)


def play_against_red(start: Position, chance: random.Random, worth: Worth) -> None:
    """Green plays at random, now and then well; whatever it does, red keeps what it has."""
    position, red = start, Perfect(start.game)
    red.begin(start, 1, Clock())
    while not position.is_over:
        if position.turn == 0:
            well = chance.random() < 0.3
            move = greedy_move(position) if well else chance.choice(position.legal_moves)
            position = position.after(move)
        else:
            before = worth(position)
            position = position.play(red.choose(position, Clock()).move)
            assert worth(position) == before, position.text


def test_perfect_red_never_loses_a_point_that_it_can_hold() -> None:
    """By the solver's word, as long as it takes; it is asked apart from red's own."""
    solver = make_solver(find_game("derby"), memory=64)

    def worth(position: Position) -> int:
        if position.is_over:
            return position.utility
        return solver.solve(position, every_move=False).worth.utility

    chance = random.Random(11)
    for seed in range(5):
        play_against_red(short_day(seed, plies=24), chance, worth)


def test_perfect_red_never_loses_a_point_by_brute_force_either() -> None:
    chance = random.Random(12)
    for seed in range(4):
        memory: Memory = {}
        start = short_day(seed, plies=7)
        play_against_red(start, chance, partial(brute_force, memory=memory))


# The command line


def test_the_forge_writes_a_suite_that_proves_itself(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    ran = plyground(
        "forge", "slant", "--level", "E", "--count", "2", "--seed", "4", "--out", folder
    )
    assert ran.status == 0, ran
    assert f"grade with: plyground grade slant player.py --suite {folder}" in ran.errors
    assert "best moves" in ran.output
    assert ran.output.count("E/D") == 2
    proven = plyground("forge", "slant", "--verify", "--suite", folder)
    assert proven.output == "2 of 2 tasks are proven again, and as hard as they say\n"
    manifest = json.loads((folder / "suite.json").read_text())
    assert manifest["title"] == "2 positions of Slant, level E/D"
    assert manifest["levels"] == [], "two tasks are too few"
    manifest["tasks"][1]["proof"]["legal_moves"] = 1
    (folder / "suite.json").write_text(json.dumps(manifest))
    wrong = refusal("forge", "slant", "--verify", "--suite", folder)
    assert "position-02: legal_moves is" in wrong
    assert refusal("forge", "slant", "--out", folder).endswith(
        "exists already; choose another folder"
    )


@pytest.mark.parametrize(
    ("bands", "levels"),
    [
        ("EE", {}),
        ("AAAA", {}),
        ("EEEEE", {"E/D": 2}),
        ("E" * 25, {"E/D": 10}),
        ("CCCCC", {"E/D": 2, "C": 3}),
        ("AAAAA", {"E/D": 2, "C": 3, "B/A": 4}),
        ("EEEEEEEECCCCCCCAAAAA", {"E/D": 8, "C": 12, "B/A": 16}),
        ("EEEEEEECCA", {"E/D": 4, "C": 8, "B/A": 10}),
    ],
)
def test_a_level_asks_for_tasks_of_that_level(bands: str, levels: dict[str, int]) -> None:
    start, unmeasured = find_game("slant").start(), cast(Difficulty, None)
    tasks = [Forged(start, number, LEVELS[band], unmeasured) for number, band in enumerate(bands)]
    assert {level["name"]: level["points"] for level in suite_levels(tasks)} == levels


def test_what_is_forged_is_one_document_for_programs() -> None:
    command = ("forge", "slant", "--level", "E", "--count", "1", "--seed", "4", "--json")
    (told,) = plyground(*command).document
    assert find_game("slant").position(told["position"]).parse_move(told["best"][0]) >= 0
    assert 2 <= told["depth"] <= 4
    proven = plyground("forge", "slant", "--verify", "--count", "1", "--json").document
    assert proven == {"suite": "slant", "proven": ["position-01"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tictactoe"], "the forge makes tasks for blocker, derby, slant, not for tictactoe"),
        (["slant", "--count", "0"], "0 tasks: from 1 to 1000 can be made at a time"),
        (["slant", "--verify", "--out", "x"], "--out goes with making tasks, not with --verify"),
        (
            ["slant", "--verify", "--level", "A"],
            "--level goes with making tasks, not with --verify",
        ),
        (["slant", "--verify", "--seed", "1"], "--seed goes with making tasks, not with --verify"),
        (["slant", "--suite", "x"], "--suite goes with --verify"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], said: str) -> None:
    assert refusal("forge", *arguments) == said
