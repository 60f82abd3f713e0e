"""Vectors of float64 numbers in registers, and unchecked access to arrays, for compiled kernels.

Numba leaves the loops over examples scalar: it cannot tell that the arrays do not overlap. These
few primitives say what is meant. They also read arrays without Numba's test for negative indices,
which costs more than the arithmetic; whoever uses them vouches for the index.

Each primitive is called by Numba with the *types* of its arguments, and returns the signature and
the function that writes the instructions.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

primitive: Any = intrinsic

EIGHT, SIXTEEN, THIRTY_TWO = (0,) * 8, (0,) * 16, (0,) * 32
"""Tuples that say by their length how many lanes are meant."""


FUSED = ("contract",)
"""Allows a product and a sum to be rounded once, where the processor can."""


class Lanes(types.Type):
    """Numba's name for a vector of `width` float64 numbers in registers."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"Lanes({width})")


def _vector(width: int) -> ir.VectorType:
    return ir.VectorType(ir.DoubleType(), width)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, _vector(lanes.width))


def _place(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of entry `arguments[1]` of the array `arguments[0]`; unchecked."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [arguments[1]])


def _splat(builder: Any, number: Any, width: int) -> Any:
    first = ir.Constant(ir.IntType(32), 0)
    vector = builder.insert_element(ir.Constant(_vector(width), ir.Undefined), number, first)
    return _shuffle(builder, vector, vector, [0] * width)


def _shuffle(builder: Any, one: Any, other: Any, places: list[int]) -> Any:
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
    return builder.shuffle_vector(one, other, mask)


@primitive
def at(_, array, index):
    """array[index], unchecked. Integers come as int64."""
    integer = isinstance(array.dtype, types.Integer)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = builder.load(_place(context, builder, signature, arguments))
        if integer and array.dtype.bitwidth < 64:
            value = builder.sext(value, ir.IntType(64))
        return value

    return (types.int64 if integer else types.float64)(array, types.intp), generate


@primitive
def put(_, array, index, value):
    """array[index] = value, unchecked, for float64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _place(context, builder, signature, arguments))
        return context.get_dummy_value()

    return types.void(array, types.intp, types.float64), generate


@primitive
def claim(_, counter):
    """counter[0], which is then one larger; no two threads get the same number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        one = ir.Constant(ir.IntType(64), 1)
        return builder.atomic_rmw("add", array.data, one, "seq_cst")

    return types.int64(counter), generate


@primitive
def load(_, array, index, like):
    """As many numbers as the tuple `like` has, from array[index] on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature, arguments)
        return builder.load(builder.bitcast(place, _vector(like.count).as_pointer()), align=8)

    return Lanes(like.count)(array, types.intp, like), generate


@primitive
def store(_, array, index, lanes):
    """Write the lanes to array[index] and behind."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, signature, arguments)
        place = builder.bitcast(place, _vector(lanes.width).as_pointer())
        builder.store(arguments[2], place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@primitive
def fill(_, number, like):
    """The number in each lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _splat(builder, arguments[0], like.count)

    return Lanes(like.count)(types.float64, like), generate


@primitive
def multiply(_, factor, lanes):
    """factor * lanes; the factor is a number or lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(_wide(builder, signature, arguments), arguments[1])

    return lanes(_factor(factor), lanes), generate


@primitive
def multiply_add(_, factor, lanes, total):
    """factor * lanes + total, rounded once or twice; the factor is a number or lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        product = builder.fmul(_wide(builder, signature, arguments), arguments[1], flags=FUSED)
        return builder.fadd(product, arguments[2], flags=FUSED)

    return lanes(_factor(factor), lanes, lanes), generate


def _factor(factor: Any) -> Any:
    return factor if isinstance(factor, Lanes) else types.float64


def _wide(builder: Any, signature: Any, arguments: Any) -> Any:
    if isinstance(signature.args[0], Lanes):
        return arguments[0]
    return _splat(builder, arguments[0], signature.args[1].width)


@primitive
def where_negative(_, z, left, right):
    """left where z < 0, right elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zero = ir.Constant(_vector(z.width), [0.0] * z.width)
        sides = [_splat(builder, side, z.width) for side in arguments[1:]]
        return builder.select(builder.fcmp_ordered("<", arguments[0], zero), *sides)

    return z(z, types.float64, types.float64), generate


@primitive
def four_products(_, lanes, a, b, c, d):
    """The inner products of `lanes` with a, b, c and d, summed together in one tree."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        quarters = []
        for other in arguments[1:]:
            terms, width = builder.fmul(arguments[0], other, flags=FUSED), lanes.width
            while width > 4:
                width //= 2
                halves = ([*range(width)], [*range(width, 2 * width)])
                parts = [_shuffle(builder, terms, terms, half) for half in halves]
                terms = builder.fadd(*parts, flags=FUSED)
            quarters.append(terms)
        even, odd = [0, 4, 2, 6], [1, 5, 3, 7]
        pairs = [_sum_of_places(builder, *quarters[i : i + 2], even, odd) for i in (0, 2)]
        sums = _sum_of_places(builder, *pairs, [0, 1, 4, 5], [2, 3, 6, 7])
        numbers = [builder.extract_element(sums, ir.Constant(ir.IntType(32), i)) for i in range(4)]
        return context.make_tuple(builder, signature.return_type, numbers)

    return types.UniTuple(types.float64, 4)(lanes, lanes, lanes, lanes, lanes), generate


def _sum_of_places(builder: Any, one: Any, other: Any, *places: list[int]) -> Any:
    """The sum of two choices of four of the eight numbers in two vectors of four."""
    return builder.fadd(*[_shuffle(builder, one, other, some) for some in places])
