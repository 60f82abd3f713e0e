"""(84) for pairs with a block or a convolution: by hand, on drawn arrays, and a mutant."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.arrays import saying, value_at, violated
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.registry import find

BLOCK = (("W", ("a", "n")), ("U", ("c", "b")), ("Y", ("b", "a")), ("Z", ("c", "a")))
CONVOLUTIONS = (("S", ("p", "q", "a")), ("T", ("a", "b", "c")))
DENSE = (("T", ("a", "b", "c")), ("V", ("d", "l", "c")))
QUICK = Context(replace(BUDGETS["ci"], draws=200))


def made(axes, *nested):
    return Tensors({name: tensor(of, it) for (name, of), it in zip(axes, nested, strict=True)})


HERE = made(BLOCK, [[1]], [[3]], [[1]], [[1]])  # W, U, Y, Z
PAIR = made(CONVOLUTIONS, [[[1]]], [[[2], [0]]])  # T is 1 x 2 x 1
LAST = made(DENSE, [[[1]]], [[[1], [2]]])  # one output, two positions: 1 x 2 or 2 x 1
BY_HAND = {
    "block@A": (HERE, 1 - (Fraction(10, 8) - 1)),  # [3 1], and Y^2 + Z^2 - W^2 = 1
    "block@A.fix": (HERE, 1 - (Fraction(10, 8) - 1 - Fraction(8, 8))),  # U^2 - Y^2 = 8
    "conv@A": (PAIR, Fraction(1 - (4 - 9))),  # min(1, 2) = 1
    "conv@A.fix": (PAIR, Fraction(1 - (4 - 3))),
    "last@A": (LAST, Fraction(1 - (2 * 5 - 16))),
    "last@A.fix": (LAST, 1 - (Fraction(5, 2) - 4)),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_by_hand(name):
    case, wanted = BY_HAND[name]
    assert value_at(find(f"lj22.thm2-84.{name}"), case) == wanted


@pytest.mark.parametrize("part", ["block", "conv", "last"])
def test_the_printed_inequality_is_refuted_and_a_mutant_of_the_repair_too(part):
    printed, mended = find(f"lj22.thm2-84.{part}@A"), find(f"lj22.thm2-84.{part}@A.fix")
    found = pointwise(printed, QUICK)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0
    assert pointwise(mended, QUICK).outcome is Outcome.SUPPORTS
    assert pointwise(saying(mended, printed.terms.says), QUICK).outcome is Outcome.REFUTES


def test_small_weights_break_the_square():
    small = Fraction(1, 8)
    case = made(BLOCK, [[0]], [[small]], [[0]], [[small]])
    # |[U Z]|^2 = 2/64, D_l = (1/64)^2
    assert value_at(find("lj22.thm2-84.block@A"), case) == Fraction(1, 64) ** 2 - Fraction(1, 256)
    assert violated(find("lj22.thm2-84.block@A"), case)
    assert not violated(find("lj22.thm2-84.block@A.fix"), case)
