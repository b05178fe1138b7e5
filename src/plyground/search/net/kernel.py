"""The value of a net, compiled: LLVM vectors of HIDDEN lanes, one for each hidden unit.

All of a net is data, so new weights never compile anything. `net_table` has a header, then
ITEM_FIELDS numbers for each item of a state (`search/net/layout.py`). `net_rows` has for each side
the weights of every feature, a row of biases and a row of output weights, HIDDEN numbers a row.

States that are valued one after the other are mostly alike: children of one position. So for each
side the last state is kept in `net_items`, and the sums of its hidden units in `net_sums`, and only
the rows of features that differ are added or subtracted. Sums wrap around when they overflow, so
that they do not depend on the states before. An overflow takes 128 times the most that a unit
counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from plyground.search.binding.native import cgutils, instruction, types
from plyground.search.net.layout import BITS, ITEM_FIELDS, UNUSED

HIDDEN = 64
"""Hidden units. In numbers of 16 bits they take four registers of a common processor."""
ACTIVATION_ONE = 255
"""A hidden unit of 1, as a whole number. Units are kept between 0 and 1."""
OUTPUT_ONE = 64
"""An output weight of 1, as a whole number. The largest is 127, so that its product with a hidden
unit has 16 bits."""
MOST_OUTPUT = 127
DIVISOR = ACTIVATION_ONE * ACTIVATION_ONE * OUTPUT_ONE

# The header of `net_table`
FEATURE_COUNT, ITEM_COUNT, SCALE, CONSTANTS = range(4)
HEADER = CONSTANTS + 2
"""Its length: there is a constant for each side."""

NAME = "net_output"
SHORT, LONG, WORD = ir.IntType(16), ir.IntType(32), ir.IntType(64)
LANES, HALF_WIDE = ir.VectorType(SHORT, HIDDEN), ir.VectorType(LONG, HIDDEN // 2)


def _number(value: int) -> Any:
    return ir.Constant(WORD, value)


@instruction
def net_output(
    typing_context: Any, items: Any, table: Any, rows: Any, last: Any, sums: Any, side: Any
) -> Any:
    """The value of a net for the player to move, `side`, in units of evaluation: of the state whose
    items these are. `last` and `sums` are `net_items` and `net_sums`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = (
            context.make_array(kind)(context, builder, value=value).data
            for kind, value in zip(signature.args[:5], arguments[:5], strict=True)
        )
        return builder.call(_function(builder.module), [*places, arguments[5]])

    return types.int64(items, table, rows, last, sums, types.int64), generate


def _function(module: Any) -> Any:
    """A function of its own: inlined into the recursion of a search, its vectors would take room
    on the stack at every ply."""
    if NAME in module.globals:
        return module.globals[NAME]
    words, shorts = WORD.as_pointer(), SHORT.as_pointer()
    kind = ir.FunctionType(WORD, [words, words, shorts, words, shorts, WORD])
    function = ir.Function(module, kind, NAME)
    function.linkage = "linkonce_odr"  # modules that are linked may all have it
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    builder.ret(_Writer(builder, *function.args).output())
    return function


class _Writer:
    """Writes the instructions of `net_output`."""

    def __init__(
        self,
        builder: Any,
        items_at: Any,
        table_at: Any,
        rows_at: Any,
        last_at: Any,
        sums_at: Any,
        side: Any,
    ) -> None:
        self.builder = builder
        self.items_at, self.table_at, self.side = items_at, table_at, side
        self.features = self.at(table_at, _number(FEATURE_COUNT))
        self.item_count = self.at(table_at, _number(ITEM_COUNT))
        rows = builder.mul(side, builder.add(self.features, _number(2)))
        self.rows_at = builder.gep(rows_at, [builder.mul(rows, _number(HIDDEN))])
        self.last_at = builder.gep(last_at, [builder.mul(side, self.item_count)])
        sums_at = builder.gep(sums_at, [builder.mul(side, _number(HIDDEN))])
        self.sums_at = builder.bitcast(sums_at, LANES.as_pointer())
        self.sum = cgutils.alloca_once(builder, LANES)

    def at(self, array: Any, index: Any) -> Any:
        return self.builder.load(self.builder.gep(array, [index]))

    def row(self, index: Any) -> Any:
        builder = self.builder
        place = builder.gep(self.rows_at, [builder.mul(index, _number(HIDDEN))])
        return builder.load(builder.bitcast(place, LANES.as_pointer()), align=2)

    def add_row(self, index: Any) -> None:
        builder = self.builder
        builder.store(builder.add(builder.load(self.sum), self.row(index)), self.sum)

    def subtract_row(self, index: Any) -> None:
        builder = self.builder
        builder.store(builder.sub(builder.load(self.sum), self.row(index)), self.sum)

    def output(self) -> Any:
        builder = self.builder
        builder.store(builder.load(self.sums_at, align=2), self.sum)
        with cgutils.for_range(builder, self.item_count) as loop:
            item = self.at(self.items_at, loop.index)
            last_place = builder.gep(self.last_at, [loop.index])
            last = builder.load(last_place)
            with builder.if_then(builder.icmp_unsigned("!=", item, last)):
                builder.store(item, last_place)
                start = builder.mul(loop.index, _number(ITEM_FIELDS))
                start = builder.add(start, _number(HEADER))
                kind, first, low, shift, highest = (
                    self.at(self.table_at, builder.add(start, _number(index)))
                    for index in range(ITEM_FIELDS)
                )
                is_bits = builder.icmp_unsigned("==", kind, _number(BITS))
                with builder.if_else(is_bits) as (then, otherwise):
                    with then:
                        self.change_bits(last, item, first)
                    with otherwise:
                        is_used = builder.icmp_unsigned("!=", kind, _number(UNUSED))
                        with builder.if_then(is_used):
                            self.subtract_row(self.feature(last, first, low, shift, highest))
                            self.add_row(self.feature(item, first, low, shift, highest))
        builder.store(builder.load(self.sum), self.sums_at, align=2)
        return self.result()

    def change_bits(self, last: Any, item: Any, first: Any) -> None:
        """Subtract the rows of the bits that are not set any more, and add those of new ones."""
        builder = self.builder
        changed = builder.xor(last, item)
        self.for_bits(builder.and_(changed, last), first, self.subtract_row)
        self.for_bits(builder.and_(changed, item), first, self.add_row)

    def for_bits(self, bits: Any, first: Any, action: Callable[[Any], None]) -> None:
        """Do something with the feature of each bit."""
        builder = self.builder
        word = cgutils.alloca_once(builder, WORD)
        builder.store(bits, word)
        head, body, end = (builder.append_basic_block(name) for name in ("head", "body", "end"))
        builder.branch(head)
        builder.position_at_end(head)
        left = builder.load(word)
        builder.cbranch(builder.icmp_unsigned("!=", left, _number(0)), body, end)
        builder.position_at_end(body)
        action(builder.add(builder.cttz(left, cgutils.true_bit), first))
        builder.store(builder.and_(left, builder.sub(left, _number(1))), word)
        builder.branch(head)
        builder.position_at_end(end)

    def feature(self, item: Any, first: Any, low: Any, shift: Any, highest: Any) -> Any:
        """That of a number, which has its sign in the lowest bit (`folded` in
        `search/binding/exports.py`)."""
        builder = self.builder
        sign = builder.neg(builder.and_(item, _number(1)))
        value = builder.xor(builder.lshr(item, _number(1)), sign)
        value = builder.ashr(builder.sub(value, low), shift)
        is_below = builder.icmp_signed("<", value, _number(0))
        value = builder.select(is_below, _number(0), value)
        is_above = builder.icmp_signed(">", value, highest)
        return builder.add(builder.select(is_above, highest, value), first)

    def result(self) -> Any:
        """The hidden units, kept between 0 and 1 and squared, times the output weights."""
        builder = self.builder
        hidden = builder.load(self.sum)
        for comparison, limit in ((">", 0), ("<", ACTIVATION_ONE)):
            limits = ir.Constant(LANES, [limit] * HIDDEN)
            within = builder.icmp_signed(comparison, hidden, limits)
            hidden = builder.select(within, hidden, limits)
        weighted = builder.mul(hidden, self.row(builder.add(self.features, _number(1))))
        # Products of neighbours are added at once: LLVM has an instruction for just this form.
        even, odd = (
            builder.mul(*(self.widened(lanes, first) for lanes in (weighted, hidden)))
            for first in (0, 1)
        )
        add_all = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(LONG, [HALF_WIDE]),
            f"llvm.vector.reduce.add.v{HIDDEN // 2}i32",
        )
        total = builder.sext(builder.call(add_all, [builder.add(even, odd)]), WORD)
        scaled = builder.mul(total, self.at(self.table_at, _number(SCALE)))
        constant = self.at(self.table_at, builder.add(self.side, _number(CONSTANTS)))
        return builder.add(builder.sdiv(scaled, _number(DIVISOR)), constant)

    def widened(self, lanes: Any, first: int) -> Any:
        """Every second number, from the first or the second one on, in 32 bits."""
        places = ir.Constant(HALF_WIDE, list(range(first, HIDDEN, 2)))
        half = self.builder.shuffle_vector(lanes, ir.Constant(LANES, ir.Undefined), places)
        return self.builder.sext(half, HALF_WIDE)
