"""Arithmetic of lanes for the chains: operators, roots, bits, and products of tiles of matrices.

An addition to numerics.lanes, whose conventions hold here: a primitive is called by Numba with the
types of its arguments, and returns the signature and the function that writes the instructions.
Lanes are chains: eight of them take the same steps on different numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from numerics.chains.counters import FACTORS, GOLDEN, HALF_STEP, SHIFTS
from numerics.lanes import FUSED, Lanes, primitive

DOUBLE, WORD = ir.DoubleType(), ir.IntType(64)
MANTISSA_BITS, BIAS = 0x000FFFFFFFFFFFFF, 1023
HALF_BITS, ONE_BITS = 0x3FE0000000000000, 0x3FF0000000000000


def _doubles(width: int) -> ir.VectorType:
    return ir.VectorType(DOUBLE, width)


def _words(width: int) -> ir.VectorType:
    return ir.VectorType(WORD, width)


def _constant(kind: ir.VectorType, value: float) -> ir.Constant:
    return ir.Constant(kind, [value] * kind.count)


def _splat(builder: Any, number: Any, kind: ir.VectorType) -> Any:
    first = ir.Constant(ir.IntType(32), 0)
    vector = builder.insert_element(ir.Constant(kind, ir.Undefined), number, first)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    return builder.shuffle_vector(vector, vector, mask)


def _wide(builder: Any, types_: Any, values: Any, width: int) -> list[Any]:
    """The values as lanes: numbers are put into each."""
    kind = _doubles(width)
    return [
        value if isinstance(type_, Lanes) else _splat(builder, value, kind)
        for type_, value in zip(types_, values, strict=True)
    ]


def _call(builder: Any, name: str, value: Any) -> Any:
    """An LLVM intrinsic function of one vector."""
    kind = value.type
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind]), f"llvm.{name}.v{kind.count}f64"
    )
    return builder.call(function, [value])


# operators ---------------------------------------------------------------------------------------
def _operator(symbol: Any, instruction: str) -> None:
    """Gives lanes an operator of Python, with lanes or a number on either side."""

    class _Template(AbstractTemplate):
        key = symbol

        def generic(self, args: Any, kws: Any) -> Any:
            lanes = [one for one in args if isinstance(one, Lanes)]
            fine = all(isinstance(one, Lanes | types.Float) for one in args)
            if len(args) != 2 or not lanes or not fine:
                return None
            return signature(lanes[0], *args)

    infer_global(symbol)(_Template)

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        sides = _wide(builder, signature.args, arguments, signature.return_type.width)
        return getattr(builder, instruction)(*sides, flags=FUSED)

    for one, two in ((Lanes, Lanes), (Lanes, types.Float), (types.Float, Lanes)):
        lower_builtin(symbol, one, two)(write)


for _symbol, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _operator(_symbol, _instruction)


def _unary(name: str) -> Callable[..., Any]:
    def function(_: Any, lanes: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _call(builder, name, arguments[0])

        return lanes(lanes), generate

    return function


root: Any = primitive(_unary("sqrt"))
absolute: Any = primitive(_unary("fabs"))
nearest: Any = primitive(_unary("rint"))


@primitive
def where_less(_, one, other, left, right):
    """left where one < other, right elsewhere; each is lanes or a number, `one` is lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        a, b, c, d = _wide(builder, signature.args, arguments, one.width)
        return builder.select(builder.fcmp_ordered("<", a, b), c, d)

    return one(one, other, left, right), generate


# bits --------------------------------------------------------------------------------------------
@primitive
def uniform(_, bases, place, number, like):
    """Uniform numbers in (0, 1): those at place `number` (int64, from 0) of the bases, uint64, at
    bases[place] and behind. See numerics.chains.counters."""
    width = like.count

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        kind = _words(width)
        address = builder.bitcast(builder.gep(array.data, [arguments[1]]), kind.as_pointer())
        step = builder.mul(
            builder.add(arguments[2], ir.Constant(WORD, 1)), ir.Constant(WORD, GOLDEN)
        )
        word = builder.add(builder.load(address, align=8), _splat(builder, step, kind))
        for shift, factor in zip(SHIFTS[:2], FACTORS, strict=True):
            word = builder.xor(word, builder.lshr(word, _constant(kind, shift)))
            word = builder.mul(word, _constant(kind, factor))
        word = builder.xor(word, builder.lshr(word, _constant(kind, SHIFTS[2])))
        bits = builder.or_(builder.lshr(word, _constant(kind, 12)), _constant(kind, ONE_BITS))
        number = builder.bitcast(bits, _doubles(width))  # in [1, 2)
        return builder.fsub(number, _constant(_doubles(width), 1.0 - HALF_STEP))

    return Lanes(width)(bases, types.int64, types.int64, like), generate


@primitive
def mantissa(_, lanes):
    """The fraction f in [1/2, 1) of x = f 2^e, for positive normal numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = _words(lanes.width)
        bits = builder.bitcast(arguments[0], kind)
        bits = builder.and_(bits, _constant(kind, MANTISSA_BITS))
        bits = builder.or_(bits, _constant(kind, HALF_BITS))
        return builder.bitcast(bits, _doubles(lanes.width))

    return lanes(lanes), generate


@primitive
def exponent(_, lanes):
    """The integer e of x = f 2^e with f in [1/2, 1), as float64, for positive normal numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = _words(lanes.width)
        bits = builder.lshr(builder.bitcast(arguments[0], kind), _constant(kind, 52))
        bits = builder.sub(bits, _constant(kind, BIAS - 1))
        return builder.sitofp(bits, _doubles(lanes.width))

    return lanes(lanes), generate


@primitive
def power_of_two(_, lanes):
    """2^n for lanes of integers n from -1022 to 1023."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = _words(lanes.width)
        bits = builder.add(builder.fptosi(arguments[0], kind), _constant(kind, BIAS))
        bits = builder.shl(bits, _constant(kind, 52))
        return builder.bitcast(bits, _doubles(lanes.width))

    return lanes(lanes), generate


# products ----------------------------------------------------------------------------------------
@primitive
def tile(_, rows, columns, like, count, left, right, out):
    """out[r, c] = sum over k < count of left[r, k] * right[k, c], for a tile of the product.

    rows, columns: tuples whose lengths are the size of the tile. left, right, out: tuples (array,
    place, step, step): where the first entry is, and how far apart rows and columns are, all in
    numbers; every entry is as many lanes as the tuple `like` is long. The sums stay in registers.
    """
    height, breadth, width = rows.count, columns.count, like.count

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = _doubles(width)
        matrices = []
        for type_, value in zip(signature.args[4:], arguments[4:], strict=True):
            array, *places = cgutils.unpack_tuple(builder, value, 4)
            data = context.make_array(type_.types[0])(context, builder, array).data
            matrices.append((data, *places))

        def address(matrix: Any, row: Any, column: Any) -> Any:
            data, place, down, across = matrix
            place = builder.add(place, builder.mul(row, down))
            place = builder.add(place, builder.mul(column, across))
            return builder.bitcast(builder.gep(data, [place]), kind.as_pointer())

        def number(value: int) -> Any:
            return ir.Constant(WORD, value)

        one, two, target = matrices
        sums = [
            [cgutils.alloca_once_value(builder, _constant(kind, 0.0)) for _ in range(breadth)]
            for _ in range(height)
        ]
        for line in sums:
            for place in line:  # an alloca stands at the entry: the zero has to be set here
                builder.store(_constant(kind, 0.0), place)
        with cgutils.for_range(builder, arguments[3]) as loop:
            k = loop.index
            below = [builder.load(address(two, k, number(c)), align=8) for c in range(breadth)]
            for r in range(height):
                factor = builder.load(address(one, number(r), k), align=8)
                for c in range(breadth):
                    product = builder.fmul(factor, below[c], flags=FUSED)
                    total = builder.fadd(product, builder.load(sums[r][c]), flags=FUSED)
                    builder.store(total, sums[r][c])
        for r in range(height):
            for c in range(breadth):
                value = builder.load(sums[r][c])
                builder.store(value, address(target, number(r), number(c)), align=8)
        return context.get_dummy_value()

    return types.void(rows, columns, like, types.int64, left, right, out), generate
