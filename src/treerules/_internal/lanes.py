"""Lanes: 16 numbers in a vector register, as kernels use them.

numba does not keep small arrays in registers, which makes a loop over 16 running sums about 15 times slower. So this
module teaches it a type of 16 numbers of one type, and the operations of the search for optimal trees on all of them at
once. Only kernels import it.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

#: The number of lanes: 512 bits of int32, the widest register of today's processors.
N_LANES = 16
_INDEX = ir.IntType(32)


class LanesType(types.Type):
    """The numba type of 16 numbers of one type."""

    def __init__(self, item: Any) -> None:
        self.item = item
        super().__init__(name=f"Lanes({item})")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        item = dmm.lookup(fe_type.item).get_value_type()
        super().__init__(dmm, fe_type, ir.VectorType(item, N_LANES))


def _is_float(lanes: Any) -> bool:
    return isinstance(lanes.item, types.Float)


def _repeated(builder: Any, value: Any) -> Any:
    """Return the vector that holds a value in each lane."""
    undefined = ir.Constant(ir.VectorType(value.type, N_LANES), ir.Undefined)
    first = builder.insert_element(undefined, value, _INDEX(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_INDEX, N_LANES), [0] * N_LANES))


def _of_two(on_integers: str, on_floats: str) -> Callable[..., Any]:
    """Return the operation of two lanes that has these names among the instructions of LLVM."""

    def operation(typing: Any, first: Any, second: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, on_floats if _is_float(first) else on_integers)(*arguments)

        return first(first, second), emit

    return operation


def _chosen(comparison: str) -> Callable[..., Any]:
    """Return the operation that takes, lane by lane, the first number where it compares so with the second.

    Where one is not a number, it takes the second.
    """

    def operation(typing: Any, first: Any, second: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            compare = builder.fcmp_ordered if _is_float(first) else builder.icmp_signed
            return builder.select(compare(comparison, *arguments), *arguments)

        return first(first, second), emit

    return operation


add: Any = intrinsic(_of_two("add", "fadd"))
subtract: Any = intrinsic(_of_two("sub", "fsub"))
multiply: Any = intrinsic(_of_two("mul", "fmul"))
divide: Any = intrinsic(_of_two("sdiv", "fdiv"))
common_bits: Any = intrinsic(_of_two("and_", "and_"))
lesser: Any = intrinsic(_chosen("<"))
greater: Any = intrinsic(_chosen(">"))


def _repeat(typing: Any, item: Any) -> Any:
    """Return lanes that all hold a number."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _repeated(builder, arguments[0])

    return LanesType(item)(item), emit


def _where_bit(typing: Any, bits: Any, item: Any) -> Any:
    """Return lanes that hold a number where their bit of a uint16 is set, and 0 elsewhere."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flags = builder.bitcast(arguments[0], ir.VectorType(ir.IntType(1), N_LANES))
        numbers = _repeated(builder, arguments[1])
        return builder.select(flags, numbers, ir.Constant(numbers.type, None))

    return LanesType(item)(bits, item), emit


def _where_both(typing: Any, first: Any, second: Any, least: Any, numbers: Any, others: Any) -> Any:
    """Return `numbers` in the lanes where `first` and `second` are at least `least`, and `others` elsewhere."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        compare = builder.fcmp_ordered if _is_float(first) else builder.icmp_signed
        flags = builder.and_(compare(">=", arguments[0], arguments[2]), compare(">=", arguments[1], arguments[2]))
        return builder.select(flags, arguments[3], arguments[4])

    return numbers(first, second, least, numbers, others), emit


def _position(context: Any, builder: Any, array_type: Any, array: Any, start: Any, lanes: Any) -> Any:
    """Return the address of 16 items of an array, from a position on."""
    struct = context.make_array(array_type)(context, builder, array)
    pointer = cgutils.get_item_pointer(context, builder, array_type, struct, [start], wraparound=False)
    return builder.bitcast(pointer, context.get_value_type(lanes).as_pointer())


def _store(typing: Any, array: Any, start: Any, lanes: Any) -> Any:
    """Write lanes to an array, from a position on."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _position(context, builder, array, arguments[0], arguments[1], lanes)
        builder.store(arguments[2], pointer, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), emit


def _load(typing: Any, array: Any, start: Any) -> Any:
    """Return the 16 items of an array from a position on."""
    lanes = LanesType(array.dtype)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _position(context, builder, array, arguments[0], arguments[1], lanes)
        return builder.load(pointer, align=array.dtype.bitwidth // 8)

    return lanes(array, types.intp), emit


def _bit_count(typing: Any, words: Any) -> Any:
    """Return the number of bits that are set in a word, or in each lane."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = arguments[0].type
        width = getattr(kind, "element", kind).width
        name = f"llvm.ctpop.v{N_LANES}i{width}" if isinstance(words, LanesType) else f"llvm.ctpop.i{width}"
        count = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name)
        return builder.call(count, arguments)

    return words(words), emit


bit_count: Any = intrinsic(_bit_count)
repeat: Any = intrinsic(_repeat)
where_bit: Any = intrinsic(_where_bit)
where_both: Any = intrinsic(_where_both)
store: Any = intrinsic(_store)
load: Any = intrinsic(_load)
