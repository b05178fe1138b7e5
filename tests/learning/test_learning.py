"""Learning: games of self-play, fitting, generations, and what a command leaves behind."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from plyground import find_game
from plyground.core.game import Position
from plyground.executor.serial import SerialExecutor
from plyground.learning import checkpoint
from plyground.learning import fit as fitting
from plyground.learning.fit import (
    Fit,
    Targets,
    find_targets,
    fit_weights,
    make_net,
    new_weights,
    weights_of,
)
from plyground.learning.run import FIRST_NOT_PLAYING, SHARES, Learning, self_play_seconds
from plyground.learning.self_play import GamePlayer, Positions, joined
from plyground.learning.tasks import LearningSettings, MatchTask, SelfPlayTask, set_up
from plyground.search.binding.compile import bind
from plyground.search.net.files import read_net, write_net
from plyground.search.net.layout import find_layout
from plyground.search.net.net import fingerprint
from tests.cli.runner import plyground, refusal
from tests.paths import EXAMPLES
from tests.search.net.random_nets import random_net, sample

NODES = (50, 50)


@pytest.mark.parametrize("name", ["breakthrough", "slant", "blocker", str(EXAMPLES / "kalah.py")])
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    start = find_game(name).start()
    player = GamePlayer(start, "none", "none")
    games = []
    for seed in (5, 6, 5):
        result = player.play(seed, random_plies=3, nodes=NODES)
        assert result is not None
        games.append((result, player.positions(result)))
    assert games[0][0] == games[2][0]
    assert np.array_equal(games[0][1].items, games[2][1].items)
    assert np.array_equal(games[0][1].values, games[2][1].values)
    assert not np.array_equal(games[0][1].items, games[1][1].items)


def test_a_game_is_played_by_two_evaluations_whose_sides_can_be_swapped() -> None:
    start = find_game("connectfour").start()
    player = GamePlayer(start, random_net(start, 1), "own")
    for side in (0, 1):
        result = player.play(3, random_plies=2, nodes=(40, 400), side=side)
        first, second = player.nodes
        assert result in (-1, 0, 1)
        assert 0 < first < second


def test_varied_games_of_the_same_opening_differ() -> None:
    """Connect Four has 49 openings of two moves. A net that learns from the same 49 games over and
    over learns them by heart."""
    start = find_game("connectfour").start()
    player = GamePlayer(start, "own", "own")

    def games(*, varied: bool) -> set[bytes]:
        found = set()
        for seed in range(200):
            result = player.play(seed, random_plies=2, nodes=(400, 400), varied=varied)
            assert result is not None
            found.add(player.positions(result).items.tobytes())
        return found

    assert len(games(varied=False)) <= 49
    several = games(varied=True)
    assert len(several) > 150
    assert games(varied=True) == several


def test_an_opening_that_ends_the_game_is_no_game() -> None:
    player = GamePlayer(find_game("tictactoe").start(), "none", "none")
    assert player.play(1, random_plies=9, nodes=NODES) is None


def positions_of_games(start: Position, games: int, *, random_plies: int) -> Positions:
    """Those of games that were not over before they began."""
    player = GamePlayer(start, "none", "none")
    results = (
        player.play(seed, random_plies=random_plies, nodes=(30, 30)) for seed in range(games)
    )
    return joined([player.positions(result) for result in results if result is not None])


def test_a_net_learns_what_positions_are_worth() -> None:
    """The count of pawns, which is the sum of features: any net can learn it."""
    game = find_game("breakthrough")
    start = game.start()
    layout = find_layout(sample(start))
    positions = positions_of_games(start, 200, random_plies=6)
    white, black = np.bitwise_count(positions.items[:, 0]), np.bitwise_count(positions.items[:, 1])
    lead = white.astype(int) - black.astype(int)
    own_lead = np.where(positions.turns == 0, lead, -lead)
    targets = Targets((1 / (1 + np.exp(-own_lead / 2))).astype(np.float32), 200)
    fit = Fit(bind(game), layout, positions, targets, new_weights(layout.features, 1), (), 1)
    before = fit.loss()
    after = fit_weights(fit, 12)
    assert after < before / 4
    net = make_net(game, {}, fingerprint(game, start.board), layout, fit.weights, 200, {})
    ahead = game.position("6/bbbbbb/6/6/wwwwww/wwwwww w")
    behind = game.position("bbbbbb/bbbbbb/6/6/6/wwwwww w")
    assert net.value(ahead) > 100
    assert net.value(behind) < -100


def test_threads_learn_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each learns from half of the positions, and what both have learned is one net."""
    monkeypatch.setattr(fitting, "BATCHES_APART", 1)
    game = find_game("tictactoe")
    layout = find_layout(sample(game.start()))
    positions = positions_of_games(game.start(), 3000, random_plies=4)
    targets = find_targets(game, positions, trust=1.0, scale=None)

    def new_fit(threads: int) -> Fit:
        weights = new_weights(layout.features, 1)
        return Fit(bind(game), layout, positions, targets, weights, (), 1, threads=threads)

    alone, together, again = new_fit(1), new_fit(2), new_fit(2)
    assert fit_weights(together, 4) == pytest.approx(fit_weights(alone, 4), rel=0.1)
    fit_weights(again, 4)
    assert same_weights(together, again)
    assert not same_weights(together, alone)


def test_a_thread_learns_from_what_only_another_one_has_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fitting, "BATCHES_APART", 1)
    game = find_game("tictactoe")
    layout = find_layout(sample(game.start()))
    count = 4 * fitting.BATCH
    nothing = np.zeros(count, np.int64)
    items = np.zeros((count, len(layout.items)), np.uint64)
    items[count // 2 :, 0] = 1  # a cross on the first cell, in the second half
    positions = Positions(items, nothing, nothing, nothing, nothing, games=1)
    targets = Targets(np.ones(count, np.float32), 200)
    before = new_weights(layout.features, 1)
    in_order = SimpleNamespace(
        permutation=lambda order: order,
        integers=lambda _, __, size: np.zeros(size, np.int64),
    )
    monkeypatch.setattr(np.random, "default_rng", lambda _: in_order)
    fit = Fit(bind(game), layout, positions, targets, before, (), 1, threads=2)
    fit.learn(fitting.RATE)
    assert not np.array_equal(fit.weights.rows[0, 0], before.rows[0, 0])
    assert np.array_equal(fit.weights.rows[0, 1], before.rows[0, 1]), "a cell without a cross"


def same_weights(one: Fit, other: Fit) -> bool:
    return all(map(np.array_equal, one.weights, other.weights))


def test_targets_of_points_are_margins_that_are_still_to_come() -> None:
    game = find_game("slant")
    player = GamePlayer(game.start(), "none", "none")
    result = player.play(2, random_plies=4, nodes=NODES)
    assert result is not None
    positions = player.positions(result)
    targets = find_targets(game, positions, trust=1.0, scale=None)
    sign = np.where(positions.turns == 0, 1, -1)
    margins = targets.values * targets.scale + positions.standings
    assert np.allclose(margins, result * game.rules.point * sign, atol=0.5)


def test_a_quantized_net_goes_on_as_what_it_was() -> None:
    net = random_net(find_game("tictactoe").start(), 3)
    weights = weights_of(net)
    again = make_net(
        find_game("tictactoe"), {}, net.fingerprint, net.layout, weights, net.scale, net.log
    )
    assert np.array_equal(again.rows, net.rows)
    assert np.array_equal(again.output, net.output)
    assert again.constants == net.constants


def test_hidden_units_that_a_net_lacks_can_learn() -> None:
    net = random_net(find_game("tictactoe").start(), 3)
    net.rows[..., 5:] = net.output[..., 5:] = 0
    weights = weights_of(net)
    assert weights.rows[..., 5:].any()
    assert not weights.output[..., 5:].any(), "its values are what they were"
    assert np.array_equal(weights.rows[..., :5] * 255, net.rows[..., :5])


def test_a_run_from_a_net_does_not_forget_it() -> None:
    learning = new_run()
    learning.go_on_from(random_net(find_game("tictactoe").start(), 3))
    first, second = itertools.islice(learning.run(), 2)
    assert second.positions > first.positions, "the games of the first are learned from as well"


def new_run(seconds: float = 2.0) -> Learning:
    return Learning(find_game("tictactoe"), {}, SerialExecutor(), seconds=seconds, seed=1)


def test_a_run_goes_on_after_the_generations_that_were_kept(tmp_path: Path) -> None:
    first = new_run()
    for generation in first.run():
        checkpoint.save(tmp_path, generation)
        if generation.number == 3:
            break
    kept = checkpoint.load(tmp_path)
    assert [one.number for one in kept] == [1, 2, 3]
    assert kept[2].pairs == first.generations[2].pairs
    (tmp_path / "generation-2.npz").write_bytes(b"damaged")
    assert len(checkpoint.load(tmp_path)) == 1
    again = new_run()
    again.go_on_after(kept)
    assert next(again.run()).number == 4


# The command


@pytest.fixture
def nets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYGROUND_NETS", str(tmp_path / "nets"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "nets"


def test_a_net_is_learned_written_and_used(nets: Path, tmp_path: Path) -> None:
    words = "learn tictactoe --minutes 0.05 --workers 1 --no-test --json --report report.html"
    document = plyground(*words.split()).document
    assert document["adopted"] is False
    assert document["verdict"] == "not tested: not adopted"
    assert len(document["generations"]) == 8
    assert read_net(tmp_path / "tictactoe.npz").game == "tictactoe"
    assert "Learning Tic-tac-toe" in (tmp_path / "report.html").read_text()
    assert not list(nets.rglob("generation-*"))
    found = plyground(*"search tictactoe --depth 9 --evaluation tictactoe.npz".split())
    assert found.status == 0
    match = plyground(
        *"match tictactoe engine:depth=2,evaluation=tictactoe.npz random --games 4 --json".split()
    )
    assert match.document["games"] == 4


def test_what_cannot_be_learned_is_refused_in_one_line(nets: Path, tmp_path: Path) -> None:
    assert "minutes: it is from 0.05" in refusal("learn", "tictactoe", "--minutes", "0")
    assert "a net is a file *.npz" in refusal("learn", "tictactoe", "--out", "net.txt")
    for seed in ("-1", str(10**9)):
        assert f"seed {seed}: it is from 0 to" in refusal("learn", "tictactoe", "--seed", seed)
    for option, name in (("--out", "no/net.npz"), ("--report", "no/page.html")):
        told = refusal("learn", "tictactoe", option, name)
        assert f"{name}: there is no folder no" in told
    other = random_net(find_game("connectfour").start(), 1)
    write_net(tmp_path / "other.npz", other)
    assert "other.npz was learned for connectfour, not for tictactoe" in refusal(
        "learn", "tictactoe", "--from", "other.npz"
    )
    assert "other.npz was learned for connectfour with its usual board: this is" in refusal(
        "learn", "connectfour", "--option", "rows=5", "--from", "other.npz"
    )
    (tmp_path / "no.npz").write_text("no net")
    assert "no.npz is no net: it is damaged" in refusal(
        "learn", "tictactoe", "--from", "no.npz", "--minutes", "0.1"
    )
    assert "it is own, none, learned or the file" in refusal(
        "search", "tictactoe", "--evaluation", "best"
    )


def test_generations_of_a_run_from_another_net_are_kept_apart(nets: Path, tmp_path: Path) -> None:
    net = tmp_path / "net.npz"
    write_net(net, random_net(find_game("tictactoe").start(), 1))
    folders = {checkpoint.checkpoint_folder("tictactoe", "f", 1, start) for start in (None, net)}
    write_net(net, random_net(find_game("tictactoe").start(), 2))
    folders.add(checkpoint.checkpoint_folder("tictactoe", "f", 1, net))
    assert len(folders) == 3


def test_a_run_that_goes_on_counts_on(tmp_path: Path) -> None:
    first = new_run()
    checkpoint.save(tmp_path, next(first.run()))
    (kept,) = checkpoint.load(tmp_path)
    again = new_run()
    again.go_on_after([kept])
    second = next(again.run())
    assert second.games > kept.games
    assert second.seconds > kept.seconds


@pytest.mark.parametrize("fitted", [0.1, 0.4, 0.6])
def test_a_run_takes_as_long_as_it_was_given(fitted: float) -> None:
    """Self-play leaves as much of a generation as fitting and rating take."""
    now, not_playing = 0.0, FIRST_NOT_PLAYING
    for number, share in enumerate(SHARES, 1):
        now += self_play_seconds(600, number, now, not_playing) + fitted * 600 * share
        not_playing = fitted
    assert now == pytest.approx(600)


def test_of_equal_generations_the_last_is_the_best() -> None:
    learning = new_run()
    generation = next(learning.run())
    learning.generations = [replace(generation, number=number) for number in (1, 2, 3)]
    assert learning.best.number == 3


def test_a_game_that_openings_nearly_always_end_is_still_learned() -> None:
    """Dots and Boxes with one box: four moves, as many as the openings of a match have."""
    game = find_game(str(EXAMPLES / "dots.py"))
    do_task = set_up(LearningSettings(game, {"rows": "1", "columns": "1"}))
    match = do_task(MatchTask(0, 1, "none", "none", 50, pairs=3), lambda _: None)
    assert sum(match.counts) == 3
    played = do_task(SelfPlayTask(0, 1, "none", 50, 0.0), lambda _: None)
    assert played.games == 1


def test_a_game_with_coarse_points_is_told_that_it_learns_less(
    nets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before learning begins, so that its author can change that first."""
    begun: list[Learning] = []

    def interrupted(learning: Learning) -> Iterator[object]:
        begun.append(learning)
        raise KeyboardInterrupt

    monkeypatch.setattr(Learning, "run", interrupted)
    ran = plyground("learn", EXAMPLES / "dots.py", "--workers", "1", "--no-test")
    assert "dots has POINT = 1: a net can tell apart nothing finer; with POINT = 100" in ran.errors
    assert len(begun) == 1
