"""Several numbers at a time, by the vector instructions of whatever processor it is."""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir

from plyground.search.binding.native import cgutils, instruction, types
from plyground.search.binding.pointers import element

LANES = 8
HALF, WORD, DOUBLE = ir.IntType(32), ir.IntType(64), ir.DoubleType()
HALVES, WORDS, DOUBLES = (ir.VectorType(kind, LANES) for kind in (HALF, WORD, DOUBLE))


@instruction
def highest_bound(
    typing_context: Any,
    means: Any,
    widths: Any,
    start: Any,
    count: Any,
    growth: Any,
    without: Any,
) -> Any:
    """The index with the highest `means[index] + widths[index] * growth`, of equals the first, and
    that number: among the first LANES of `count` indices from `start`, without one of them. If none
    is left, the number is minus infinity. Both arrays are read up to `start + LANES`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        means_array, widths_array, first, left, factor, omitted = arguments

        def load(kind: Any, array: Any) -> Any:
            at = builder.bitcast(
                element(context, builder, kind, (array, first)), DOUBLES.as_pointer()
            )
            return builder.load(at, align=DOUBLE.get_abi_size(context.target_data))

        lanes = ir.Constant(WORDS, list(range(LANES)))
        in_range = builder.icmp_unsigned("<", lanes, _in_all_lanes(builder, left))
        is_omitted = builder.icmp_unsigned(
            "==", lanes, _in_all_lanes(builder, builder.sub(omitted, first))
        )
        widened = builder.fmul(load(widths, widths_array), _in_all_lanes(builder, factor))
        bounds = builder.select(
            builder.and_(in_range, builder.not_(is_omitted)),
            builder.fadd(load(means, means_array), widened),
            ir.Constant(DOUBLES, [-math.inf] * LANES),
        )
        reduction = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(DOUBLE, [DOUBLES]),
            f"llvm.vector.reduce.fmax.v{LANES}f64",
        )
        highest = builder.call(reduction, [bounds], fastmath=("nnan",))
        is_highest = builder.fcmp_ordered("==", bounds, _in_all_lanes(builder, highest))
        mask = builder.bitcast(is_highest, ir.IntType(LANES))
        lane = builder.zext(builder.cttz(mask, ir.Constant(ir.IntType(1), 1)), WORD)
        found = [builder.add(first, lane), highest]
        return context.make_tuple(builder, signature.return_type, found)

    returned = types.Tuple((types.uint64, types.float64))
    return returned(means, widths, start, count, growth, without), generate


def _in_all_lanes(builder: Any, value: Any) -> Any:
    vector = ir.VectorType(value.type, LANES)
    nothing = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(nothing, value, ir.Constant(HALF, 0))
    return builder.shuffle_vector(first, nothing, ir.Constant(HALVES, [0] * LANES))
