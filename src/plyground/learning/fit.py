"""Fits a net to positions whose games are known: stochastic gradient descent (Adam), compiled.

What a position is worth is learned from how its game ended and from what the search said. In a game
of wins the output goes through the logistic function and is a probability of winning; in a game of
points it is the margin that is still to come, in units of the margins' own spread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir

from plyground.core import bits
from plyground.core.game import Game
from plyground.core.values import DECIDED
from plyground.learning.self_play import Positions
from plyground.learning.symmetry import Symmetry
from plyground.search.binding.compile import Bound
from plyground.search.binding.native import instruction, native, types
from plyground.search.kernel_memory import Numbers, Words
from plyground.search.net.kernel import ACTIVATION_ONE, HIDDEN, OUTPUT_ONE
from plyground.search.net.layout import BITS, UNUSED, FeatureLayout
from plyground.search.net.net import Net, quantized

Floats32 = npt.NDArray[np.float32]

BATCH = 256
RATE = 2e-3
LAST_RATE = 0.02
"""The rate falls in a straight line to this part of it."""
WIN_SCALE = 200
"""Units of evaluation for which the probability of winning is e times that of losing. Two pawns or
so in most evaluations, for which the engine's windows are made."""
MOST_OUTPUT = 1.98
"""The largest output weight that a quantized net can have."""
BATCHES_APART = 16
"""After so many batches threads make their weights the same, as the mean of all. Measured with two
threads on 2.3 million positions of Domineering: a loss of 0.0532 in 54 % of the time, and 0.0526
with one thread; with 70 or 280 batches 0.0540 and 0.0538."""
MOST_THREADS = 4
"""The mean of many threads' steps is hardly a larger step than one."""
VALIDATION = 0.04
"""The part of the games that is kept apart to measure the loss."""
WEIGHT_SPREAD, OUTPUT_SPREAD, FIRST_BIAS = 0.15, 0.35, 0.3
"""A net before it has learned anything."""


class Weights(NamedTuple):
    """A net in the making, as fractions."""

    rows: Floats32
    """By side, then feature; the last row has the biases."""
    output: Floats32
    constant: Floats32


@dataclass(frozen=True)
class Targets:
    """What a net is to say about positions."""

    values: Floats32
    scale: int
    """Units of evaluation of an output of 1."""


def new_weights(features: int, seed: int) -> Weights:
    chance = np.random.default_rng(seed)
    rows = chance.normal(0, WEIGHT_SPREAD, (2, features + 1, HIDDEN))
    rows[:, -1] = FIRST_BIAS
    output = chance.normal(0, OUTPUT_SPREAD, (2, HIDDEN))
    return Weights(rows.astype(np.float32), output.astype(np.float32), np.zeros(2, np.float32))


def weights_of(net: Net) -> Weights:
    """The fractions whose whole numbers a net has. Units without any weight would never get one:
    they get those of a new net, but no part in the output."""
    rows = (net.rows / ACTIVATION_ONE).astype(np.float32)
    unused = ~(net.rows.any(axis=1) | net.output.astype(bool))
    new = new_weights(net.layout.features, 0).rows
    rows = np.where(unused[:, None, :], new, rows)
    constants = np.array(net.constants) / net.scale
    return Weights(rows, (net.output / OUTPUT_ONE).astype(np.float32), constants.astype(np.float32))


def find_targets(game: Game, positions: Positions, trust: float, scale: int | None) -> Targets:
    """`trust` is how much the result of a game counts; the rest is the value by the search, which
    knows nothing yet in the first generation. `scale` is that of the net so far, if any."""
    sign = np.where(positions.turns == 0, 1, -1)
    if game.rules.point:
        final = positions.results * sign * game.rules.point
        margins = trust * final + (1 - trust) * positions.values - positions.standings
        if scale is None:
            scale = max(1, round(float(np.std(final - positions.standings))))
        return Targets((margins / scale).astype(np.float32), scale)
    results = (positions.results * sign + 1) / 2
    expected = 1 / (1 + np.exp(-np.clip(positions.values / WIN_SCALE, -20, 20)))
    mixed = trust * results + (1 - trust) * expected
    decided = np.abs(positions.values) >= DECIDED
    return Targets(np.where(decided, expected, mixed).astype(np.float32), WIN_SCALE)


class FitMemory(NamedTuple):
    """What the kernel works on."""

    items: Words
    targets: Floats32
    turns: Numbers
    order: Numbers
    """The positions to learn from, in order."""
    images: Numbers
    """By symmetry, the feature that each feature becomes, and last whether the sides change."""
    draws: Numbers
    """The symmetry of each position in `order`."""
    layout: Numbers
    weights: Floats32
    """All rows, then the outputs, then the constants."""
    gradient: Floats32
    first_moment: Floats32
    second_moment: Floats32
    active: Numbers
    """Where the rows of the position at hand are in `weights`: those of its features, and of the
    biases."""
    units: Floats32
    """Its hidden units, and then the slope of the error at each of them."""
    rate: npt.NDArray[np.float64]
    """The learning rate, and the sum of squared errors."""
    steps: Numbers
    """Steps of Adam so far."""


LEARNED_FIELDS = ("weights", "first_moment", "second_moment")
"""What threads make the same from time to time."""
OWN_FIELDS = (*LEARNED_FIELDS, "gradient", "active", "units", "rate", "steps")
"""What each thread writes; all of them read the rest."""


@native
def find_active(memory: Any, position: Any) -> Any:
    """Write the features of a position to `active`; how many there are."""
    count = types.int64(0)
    for item in range(memory.layout.shape[0]):
        kind = memory.layout[item, 0]
        first = memory.layout[item, 1]
        word = memory.items[position, item]
        if kind == BITS:
            while word != types.uint64(0):
                memory.active[count] = first + bits.lowest(word)
                count += 1
                word = bits.drop_lowest(word)
        elif kind != UNUSED:
            value = types.int64(word >> types.uint64(1)) ^ -types.int64(word & types.uint64(1))
            value = (value - memory.layout[item, 2]) >> memory.layout[item, 3]
            value = max(types.int64(0), min(memory.layout[item, 4], value))
            memory.active[count] = first + value
            count += 1
    return count


@instruction
def add_row(typing_context: Any, target: Any, target_at: Any, source: Any, source_at: Any) -> Any:
    """Add HIDDEN numbers of an array, from an index on, to those of another, as one vector."""
    lanes = ir.VectorType(ir.FloatType(), HIDDEN)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def place(array: int) -> Any:
            made = context.make_array(signature.args[array])
            first = made(context, builder, value=arguments[array]).data
            return builder.bitcast(builder.gep(first, [arguments[array + 1]]), lanes.as_pointer())

        target_place = place(0)
        added = builder.fadd(builder.load(target_place, align=4), builder.load(place(2), align=4))
        builder.store(added, target_place, align=4)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), generate


@native
def adapt(memory: Any, in_batch: Any) -> None:
    """A step of Adam, by the gradient of a batch, which is cleared."""
    memory.steps[0] += 1
    step = memory.steps[0]
    correction = math.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step)
    rate = types.float32(memory.rate[0] * correction)
    share = types.float32(1.0 / in_batch)
    weights, gradients = memory.weights, memory.gradient
    first_moment, second_moment = memory.first_moment, memory.second_moment
    # Nothing but these numbers in the loop, so that it is compiled to vectors.
    for index in range(len(gradients)):
        gradient = gradients[index] * share
        gradients[index] = types.float32(0)
        first = types.float32(0.9) * first_moment[index] + types.float32(0.1) * gradient
        second = types.float32(0.999) * second_moment[index]
        second += types.float32(0.001) * gradient * gradient
        first_moment[index] = first
        second_moment[index] = second
        weights[index] -= rate * first / (math.sqrt(second) + types.float32(1e-8))
    limit = types.float32(MOST_OUTPUT)
    outputs_at = 2 * memory.images.shape[1] * HIDDEN
    for index in range(outputs_at, outputs_at + 2 * HIDDEN):
        weights[index] = min(max(weights[index], -limit), limit)


def run_epoch(memory: Any, learn: Any, wins: Any) -> Any:
    """The kernel: go through the positions in order, and learn from them if `learn` is 1. With
    `wins`, outputs go through the logistic function. The squared errors are added up."""
    features = types.int64(memory.images.shape[1] - 1)
    biases = features
    outputs_at = 2 * (features + 1) * HIDDEN
    constants_at = outputs_at + 2 * HIDDEN
    zero, one = types.float32(0), types.float32(1)
    weights, gradient = memory.weights, memory.gradient
    units, slopes = memory.units[:HIDDEN], memory.units[HIDDEN:]
    in_batch = types.int64(0)
    for number in range(len(memory.order)):
        # 1. The features of the position, or of its image under a symmetry.
        position = memory.order[number]
        symmetry = memory.draws[number]
        side = memory.turns[position] ^ memory.images[symmetry, features]
        first_row = side * (features + 1)
        count = find_active(memory, position)
        for index in range(count):
            image = memory.images[symmetry, memory.active[index]]
            memory.active[index] = (first_row + image) * HIDDEN
        memory.active[count] = (first_row + biases) * HIDDEN
        # 2. Forwards.
        units[:] = zero
        for index in range(count + 1):
            add_row(units, types.int64(0), weights, memory.active[index])
        own_outputs_at = outputs_at + side * HIDDEN
        output = weights[constants_at + side]
        for unit in range(HIDDEN):
            # In this way, and not by `min` and `max`, it is compiled to vectors.
            bounded = units[unit] if units[unit] > zero else zero
            bounded = bounded if bounded < one else one
            units[unit] = bounded
            slopes[unit] = bounded * bounded
        for unit in range(HIDDEN):
            output += weights[own_outputs_at + unit] * slopes[unit]
        if wins != 0:
            output = types.float32(1.0 / (1.0 + math.exp(-output)))
        error = output - memory.targets[position]
        memory.rate[1] += error * error
        if learn == 0:
            continue
        # 3. Backwards.
        gradient[constants_at + side] += error
        for unit in range(HIDDEN):
            bounded = units[unit]
            gradient[own_outputs_at + unit] += error * bounded * bounded
            slope = types.float32(2) * error * weights[own_outputs_at + unit] * bounded
            slopes[unit] = slope if bounded < one else zero
        for index in range(count + 1):
            add_row(gradient, memory.active[index], slopes, types.int64(0))
        # 4. Adapt after every batch.
        in_batch += 1
        if in_batch == BATCH or number == len(memory.order) - 1:
            adapt(memory, in_batch)
            in_batch = types.int64(0)
    return types.int64(0)


# Running it


class Fit:
    """A net in the making, on positions that are given at the beginning."""

    def __init__(
        self,
        bound: Bound,
        layout: FeatureLayout,
        positions: Positions,
        targets: Targets,
        weights: Weights,
        symmetries: Sequence[Symmetry],
        seed: int,
        *,
        threads: int = 1,
    ) -> None:
        self._bound = bound
        self._chance = np.random.default_rng(seed)
        count = len(positions)
        # Whole stretches of games are kept apart: positions of one game are alike.
        cut = count - int(VALIDATION * count)
        self._learned, self._validated = np.arange(cut), np.arange(cut, count)
        flat = np.concatenate([part.ravel() for part in weights])
        identity = np.append(np.arange(layout.features), 0)
        self._images = np.array([identity, *(one.images for one in symmetries)], np.int64)
        memory = FitMemory(
            items=positions.items,
            targets=targets.values,
            turns=positions.turns,
            order=self._learned,
            images=self._images,
            draws=np.zeros(count, np.int64),
            layout=layout.table,
            weights=flat,
            gradient=np.zeros_like(flat),
            first_moment=np.zeros_like(flat),
            second_moment=np.zeros_like(flat),
            active=np.zeros(layout.most_active + 1, np.int64),
            units=np.zeros(2 * HIDDEN, np.float32),
            rate=np.zeros(2, np.float64),
            steps=np.zeros(1, np.int64),
        )
        self._memories = [memory]
        for _ in range(min(threads, MOST_THREADS) - 1):
            own = {name: getattr(memory, name).copy() for name in OWN_FIELDS}
            self._memories.append(memory._replace(**own))
        self._wins = not bound.game.rules.point

    def learn(self, rate: float) -> float:
        """Go through all positions once, in random order; the mean squared error on the way."""
        order = self._chance.permutation(self._learned)
        draws = self._chance.integers(0, len(self._images), len(order))
        threads = len(self._memories)
        rounds = len(order) // (BATCHES_APART * BATCH * threads)
        if threads == 1 or rounds == 0:
            errors = self._run(self._memories[0], order, draws, rate)
            self._share_weights(self._memories[:1])
            return errors / len(order)
        errors = 0.0
        # Each thread takes its part of every round.
        parts = zip(
            np.array_split(order, rounds * threads),
            np.array_split(draws, rounds * threads),
            strict=True,
        )
        with ThreadPoolExecutor(threads) as pool:
            for _ in range(rounds):
                runs = [
                    pool.submit(self._run, memory, *part, rate)
                    for memory, part in zip(self._memories, parts, strict=False)
                ]
                errors += sum(run.result() for run in runs)
                self._share_weights(self._memories)
        return errors / len(order)

    def _share_weights(self, learners: Sequence[FitMemory]) -> None:
        """All threads go on with the mean of what these have learned."""
        for name in LEARNED_FIELDS:
            mean = np.mean([getattr(memory, name) for memory in learners], axis=0)
            for memory in self._memories:
                getattr(memory, name)[:] = mean

    def loss(self) -> float:
        """The mean squared error on the positions that were kept apart."""
        count = len(self._validated)
        draws = np.zeros(count, np.int64)
        return self._run(self._memories[0], self._validated, draws, None) / max(1, count)

    def _run(self, memory: FitMemory, order: Numbers, draws: Numbers, rate: float | None) -> float:
        """Go through positions, and learn from them unless the rate is None; the sum of squared
        errors."""
        memory = memory._replace(order=order, draws=draws)
        memory.rate[:] = rate or 0.0, 0
        self._bound.run(run_epoch, memory, int(rate is not None), int(self._wins))
        return float(memory.rate[1])

    @property
    def weights(self) -> Weights:
        rows, output, constant = np.split(
            self._memories[0].weights, np.cumsum([2 * self._images.shape[1] * HIDDEN, 2 * HIDDEN])
        )
        return Weights(rows.reshape(2, -1, HIDDEN), output.reshape(2, HIDDEN), constant)


def fit_weights(fit: Fit, epochs: int) -> float:
    """Learn, the rate falling from epoch to epoch; the loss at the end."""
    for epoch in range(epochs):
        fit.learn(RATE * (1 - epoch / epochs) + LAST_RATE * RATE)
    return fit.loss()


def make_net(
    game: Game,
    options: dict[str, Any],
    fingerprint: str,
    layout: FeatureLayout,
    weights: Weights,
    scale: int,
    log: dict[str, Any],
) -> Net:
    """The net as the engine uses it."""
    rows, output = quantized(weights.rows, weights.output)
    constants = [round(float(number) * scale) for number in weights.constant]
    return Net(
        game=game.name,
        options=options,
        fingerprint=fingerprint,
        layout=layout,
        rows=rows,
        output=output,
        constants=(constants[0], constants[1]),
        scale=scale,
        log=log,
    )
