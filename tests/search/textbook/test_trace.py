"""The steps that a textbook search reports are enough to rebuild the search from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field

import pytest

from plyground.core.game import Game, Position
from plyground.core.registry import find_game, game_names
from plyground.core.values import INFINITY
from plyground.search.textbook.algorithms import (
    Answer,
    alpha_beta,
    alpha_beta_search,
    iterative_deepening,
    minimax,
)
from plyground.search.textbook.trace import Better, Cut, Deepen, Enter, Leaf, Step, Value
from tests.random_play import random_positions
from tests.sample_games import figure_tree, random_points, random_tree

FIGURE = Game(figure_tree, "figure_tree")
SEARCHES: list[Callable[..., Answer]] = [minimax, alpha_beta, alpha_beta_search]


@dataclass
class Drawn:
    """A node as someone would draw it who knows the steps and nothing else."""

    enter: Enter
    alpha: int
    beta: int
    children: list[Drawn] = field(default_factory=list)
    value: int | None = None
    cut: Cut | None = None


class Replay:
    """Rebuilds the tree from the steps, checking each against what must have come before it."""

    def __init__(self) -> None:
        self.path: list[Drawn] = []
        self.count = 0
        self.root: Drawn | None = None

    def __call__(self, step: Step | Deepen) -> None:
        assert isinstance(step, Step)
        if isinstance(step, Enter):
            self.enter(step)
            return
        here = self.path[-1]
        assert (step.node, step.ply) == (here.enter.node, here.enter.ply)
        if isinstance(step, Leaf):
            assert not here.children
            here.value = step.value
            self.path.pop()
        elif isinstance(step, Better):
            self.better(here, step)
        elif isinstance(step, Cut):
            here.cut = step
            assert here.alpha >= here.beta
        elif isinstance(step, Value):
            self.leave(here, step)

    def enter(self, step: Enter) -> None:
        assert step.node == self.count
        assert step.ply == len(self.path)
        self.count += 1
        if not self.path:
            assert (step.parent, step.move, step.text) == (None, None, "root")
            self.root = Drawn(step, -INFINITY, INFINITY)
            self.path.append(self.root)
            return
        parent = self.path[-1]
        assert parent.cut is None
        assert step.move is not None
        assert step.parent == parent.enter.node
        assert step.position == parent.enter.position.play(step.move)
        assert step.text == parent.enter.position.move_text(step.move)
        if step.alpha is not None:
            assert (step.alpha, step.beta) == (parent.alpha, parent.beta)
            assert parent.alpha < parent.beta
        child = Drawn(step, parent.alpha, parent.beta)
        parent.children.append(child)
        self.path.append(child)

    def better(self, here: Drawn, step: Better) -> None:
        child = here.children[-1]
        assert (step.move, step.value) == (child.enter.move, child.value)
        assert step.value == best_value(here)
        if here.enter.position.turn == 0:
            here.alpha = max(here.alpha, step.value)
        else:
            here.beta = min(here.beta, step.value)
        if step.alpha is not None:
            assert (step.alpha, step.beta) == (here.alpha, here.beta)

    def leave(self, here: Drawn, step: Value) -> None:
        assert step.value == best_value(here)
        looked_at = [child.enter.move for child in here.children]
        left_out = [] if here.cut is None else list(here.cut.moves)
        assert here.cut is None or left_out
        assert looked_at + left_out == list(here.enter.position.legal_moves)
        here.value = step.value
        assert step.line
        self.path.pop()


def best_value(node: Drawn) -> int:
    values = [child.value for child in node.children if child.value is not None]
    return max(values) if node.enter.position.turn == 0 else min(values)


def check_replay(search: Callable[..., Answer], position: Position, depth: int | None) -> None:
    replay = Replay()
    answer = search(position, depth, steps=replay)
    assert not replay.path
    assert replay.root is not None
    assert replay.root.value == answer.value
    assert replay.count == answer.nodes
    assert answer == search(position, depth), "watching must not change the search"


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", game_names())
def test_replaying_the_steps_rebuilds_the_value(name: str, search: Callable[..., Answer]) -> None:
    for number, position in enumerate(random_positions(find_game(name), 20)):
        check_replay(search, position, 1 + number % 2)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("module", [random_tree, random_points])
def test_replaying_the_steps_rebuilds_the_value_where_players_move_again(
    module: object, search: Callable[..., Answer]
) -> None:
    game = Game(module, "random")  # type: ignore[arg-type]
    for seed in range(30):
        options = {"seed": seed, "length": 6, "leap": 1 + seed % 2, "again": 3 * seed}
        check_replay(search, game.start(options), None if seed % 2 else 3)


def test_a_cut_gives_its_reason() -> None:
    cuts: dict[str, list[Cut]] = {}
    for search in (alpha_beta, alpha_beta_search):
        steps: list[Step | Deepen] = []
        search(FIGURE.start(), steps=steps.append)
        cuts[search.__name__] = [step for step in steps if isinstance(step, Cut)]
    (cut,) = cuts["alpha_beta"]
    assert (cut.reason, cut.moves, cut.ply) == ("beta 2 <= alpha 3", (1, 2), 1)
    (cut,) = cuts["alpha_beta_search"]
    assert cut.reason == "value 2 <= alpha 3"


def test_a_leaf_gives_its_reason() -> None:
    def reasons(depth: int | None, table: bool) -> set[str]:
        steps: list[Step | Deepen] = []
        alpha_beta(find_game("tictactoe").start(), depth, steps=steps.append, table=table)
        return {step.reason for step in steps if isinstance(step, Leaf)}

    assert reasons(1, table=False) == {"depth limit"}
    assert reasons(None, table=True) == {"the game is over", "from the table"}


def test_the_steps_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    alpha_beta(FIGURE.start(), steps=print)
    printed = capsys.readouterr().out.splitlines()
    assert printed[:5] == [
        "root: alpha -inf, beta +inf",
        "  a1: alpha -inf, beta +inf",
        "    b1: alpha -inf, beta +inf",
        "    = 3 (the game is over)",
        "  best so far 3: alpha -inf, beta 3",
    ]
    assert "  cut, beta 2 <= alpha 3: 2 moves not looked at" in printed
    assert printed[-1] == "= 3"
    minimax(FIGURE.start(), 1, steps=print)
    printed = capsys.readouterr().out.splitlines()
    assert printed[:4] == ["root", "  a1", "  = 0 (depth limit)", "best so far 0"]


def test_one_move_left_out_is_printed_in_the_singular() -> None:
    assert str(Cut(0, 0, "beta 1 <= alpha 2", (5,))).endswith(": 1 move not looked at")


def test_each_depth_of_iterative_deepening_is_announced() -> None:
    steps: list[Step | Deepen] = []
    iterative_deepening(FIGURE.start(), 2, steps=steps.append)
    assert [step for step in steps if isinstance(step, Deepen)] == [Deepen(1), Deepen(2)]
    assert str(Deepen(2)) == "depth 2"
    roots = [step for step in steps if isinstance(step, Enter) and step.parent is None]
    assert [root.node for root in roots] == [0, 0]


def test_steps_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Leaf(0, 0, 3, "depth limit").value = 4  # type: ignore[misc]
