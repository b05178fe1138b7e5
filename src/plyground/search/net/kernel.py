"""The value of a net, compiled: LLVM vectors of as many lanes as the net has hidden units.

All of a net is data, so new weights never compile anything. `net_table` has a header, then
ITEM_FIELDS numbers for each item of a state (`search/net/layout.py`). `net_rows` has for each side
the weights of every feature, a row of biases and a row of output weights, HIDDEN numbers a row.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from plyground.search.binding.native import cgutils, instruction, types
from plyground.search.net.layout import BITS, ITEM_FIELDS, UNUSED

HIDDEN = 32
"""Hidden units: what fits two registers of a common processor, in numbers of 16 bits."""
ACTIVATION_ONE = 255
"""A hidden unit of 1, as a whole number. Units are kept between 0 and 1."""
OUTPUT_ONE = 64
"""An output weight of 1, as a whole number. The largest is 127, so that its product with a hidden
unit has 16 bits."""
MOST_OUTPUT = 127
DIVISOR = ACTIVATION_ONE * ACTIVATION_ONE * OUTPUT_ONE

# The header of `net_table`
FEATURE_COUNT, ITEM_COUNT, SCALE, FIRST_CONSTANT, SECOND_CONSTANT, HEADER = range(6)

SHORT, LONG, WORD = ir.IntType(16), ir.IntType(32), ir.IntType(64)
LANES, WIDE_LANES = ir.VectorType(SHORT, HIDDEN), ir.VectorType(LONG, HIDDEN)


def _number(value: int) -> Any:
    return ir.Constant(WORD, value)


@instruction
def net_output(typing_context: Any, items: Any, table: Any, rows: Any, side: Any) -> Any:
    """The value of a net for the player to move, `side`, in units of evaluation: of the state whose
    items these are."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        items_at, table_at, rows_at = (
            context.make_array(kind)(context, builder, value=value).data
            for kind, value in zip(signature.args[:3], arguments[:3], strict=True)
        )
        return _Writer(builder, items_at, table_at, rows_at, arguments[3]).output()

    return types.int64(items, table, rows, types.int64), generate


class _Writer:
    """Writes the instructions of `net_output`."""

    def __init__(self, builder: Any, items_at: Any, table_at: Any, rows_at: Any, side: Any) -> None:
        self.builder = builder
        self.items_at, self.table_at, self.side = items_at, table_at, side
        self.features = self.at(table_at, _number(FEATURE_COUNT))
        rows = builder.mul(side, builder.add(self.features, _number(2)))
        self.rows_at = builder.gep(rows_at, [builder.mul(rows, _number(HIDDEN))])
        self.sum = cgutils.alloca_once(builder, LANES)

    def at(self, array: Any, index: Any) -> Any:
        return self.builder.load(self.builder.gep(array, [index]))

    def row(self, index: Any) -> Any:
        builder = self.builder
        place = builder.gep(self.rows_at, [builder.mul(index, _number(HIDDEN))])
        loaded = builder.load(builder.bitcast(place, LANES.as_pointer()))
        loaded.align = 2
        return loaded

    def add_row(self, index: Any) -> None:
        """Add the weights of a feature. Sums do not overflow: they stop at the largest number."""
        builder = self.builder
        add = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(LANES, [LANES, LANES]),
            f"llvm.sadd.sat.v{HIDDEN}i16",
        )
        builder.store(builder.call(add, [builder.load(self.sum), self.row(index)]), self.sum)

    def output(self) -> Any:
        builder = self.builder
        builder.store(self.row(self.features), self.sum)
        with cgutils.for_range(builder, self.at(self.table_at, _number(ITEM_COUNT))) as loop:
            start = builder.mul(loop.index, _number(ITEM_FIELDS))
            start = builder.add(start, _number(HEADER))
            kind, first, low, shift, last = (
                self.at(self.table_at, builder.add(start, _number(index)))
                for index in range(ITEM_FIELDS)
            )
            item = self.at(self.items_at, loop.index)
            is_bits = builder.icmp_unsigned("==", kind, _number(BITS))
            with builder.if_else(is_bits) as (then, otherwise):
                with then:
                    self.add_bits(item, first)
                with otherwise:
                    is_used = builder.icmp_unsigned("!=", kind, _number(UNUSED))
                    with builder.if_then(is_used):
                        self.add_number(item, first, low, shift, last)
        return self.result()

    def add_bits(self, item: Any, first: Any) -> None:
        builder = self.builder
        word = cgutils.alloca_once(builder, WORD)
        builder.store(item, word)
        head, body, end = (builder.append_basic_block(name) for name in ("head", "body", "end"))
        builder.branch(head)
        builder.position_at_end(head)
        left = builder.load(word)
        builder.cbranch(builder.icmp_unsigned("!=", left, _number(0)), body, end)
        builder.position_at_end(body)
        self.add_row(builder.add(builder.cttz(left, cgutils.true_bit), first))
        builder.store(builder.and_(left, builder.sub(left, _number(1))), word)
        builder.branch(head)
        builder.position_at_end(end)

    def add_number(self, item: Any, first: Any, low: Any, shift: Any, last: Any) -> None:
        """A number has its sign in the lowest bit (`folded` in `search/binding/exports.py`)."""
        builder = self.builder
        sign = builder.neg(builder.and_(item, _number(1)))
        value = builder.xor(builder.lshr(item, _number(1)), sign)
        value = builder.ashr(builder.sub(value, low), shift)
        is_below = builder.icmp_signed("<", value, _number(0))
        value = builder.select(is_below, _number(0), value)
        is_above = builder.icmp_signed(">", value, last)
        self.add_row(builder.add(builder.select(is_above, last, value), first))

    def result(self) -> Any:
        """The hidden units, kept between 0 and 1 and squared, times the output weights."""
        builder = self.builder
        hidden = builder.load(self.sum)
        for comparison, limit in ((">", 0), ("<", ACTIVATION_ONE)):
            limits = ir.Constant(LANES, [limit] * HIDDEN)
            within = builder.icmp_signed(comparison, hidden, limits)
            hidden = builder.select(within, hidden, limits)
        weighted = builder.mul(hidden, self.row(builder.add(self.features, _number(1))))
        products = builder.mul(builder.sext(weighted, WIDE_LANES), builder.sext(hidden, WIDE_LANES))
        add_all = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(LONG, [WIDE_LANES]),
            f"llvm.vector.reduce.add.v{HIDDEN}i32",
        )
        total = builder.sext(builder.call(add_all, [products]), WORD)
        scaled = builder.mul(total, self.at(self.table_at, _number(SCALE)))
        constant = self.at(self.table_at, builder.add(self.side, _number(FIRST_CONSTANT)))
        return builder.add(builder.sdiv(scaled, _number(DIVISOR)), constant)
