"""Certificates about solutions of the flow for all times, each worked by hand in a comment.

`RAYS` maps a name to each of them, `SIDES` to both sides of the relation that is false. Of every
one the numbers of the case are on a ray: the weights grow along themselves, for any loss with slope
-1 on all examples.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.activations import RELU
from tests.verify.certificates import Certificate
from verify.cases.case import Case
from verify.cases.networks_of_pieces import Plan, Spec, build
from verify.cases.structured_pool import structured
from verify.kinds.solutions.rays import is_solution
from verify.papers.registry import find

F = Fraction
Row = tuple[Fraction, ...]
A, B = (F(3, 5), F(4, 5)), (F(3, 5), F(-4, 5))
OUTPUT = Spec("dense", 1)


def on_a_ray(plan: Plan, weights: Row, inputs: tuple[Row, ...], **choice: Any) -> Case:
    """The case of a certificate: all labels 1, all slopes -1."""
    net, chosen = build(plan)
    ones = (F(1),) * len(inputs)
    picked = {**chosen, "solution": "ray", **choice}
    slopes = tuple(-one for one in ones)
    case = structured(Case(net, weights, inputs, ones, slopes=slopes, choice=picked), plan)
    assert is_solution(case)
    return case


def refuting(claim: str, case: Case, at: list[int]) -> Certificate:
    statement = find(claim).terms
    assert statement is not None
    return statement.certificate("counterexample", case, at)


# Two ReLU neurons, each on its own example: W_1 has the rows A and B, and rank 2. W_1 W_1^T has
# eigenvalues 1 + 7/25 and 1 - 7/25, and |W_1|^2 = 2. W_2 = (1, 1) has the squared norm 2, and
# W_2 W_1 is A + B, of squared norm 36/25: v_2 is the least singular direction.
TWO_NEURONS = on_a_ray(
    Plan(2, (Spec("dense", 2, activation=RELU), OUTPUT), (0, 1)),
    (*A, *B, F(1), F(1)),
    (A, B),
    theta=["1", "0"],
)
# A convolution with one position: T is the example itself, a 2 x 2 matrix of rank two with singular
# values 3/5 and 4/5, and |T|^2 = 1. K = 1 and M = 0, so V_c = 1 as printed.
MATRIX = (F(3, 5), F(0), F(0), F(4, 5))
ONE_POSITION = on_a_ray(
    Plan(4, (Spec("convolution", 1, size=(2,), kernel=(2,)), OUTPUT), (0, 1)),
    (*MATRIX, F(1)),
    (MATRIX,),
)
RAYS: dict[str, Certificate] = {
    "corollary": refuting("lj22v1.cor1", TWO_NEURONS, [0, 1]),
    "alignment": refuting("lj22v1.cor1", TWO_NEURONS, [1, 1]),
    "others": refuting("lj22.cor1-sum.bounded", TWO_NEURONS, [1]),
    "convolution": refuting("lj22.thm2-13@A", ONE_POSITION, [1]),
    "ratio": refuting("lj22.thm2-14@AB", ONE_POSITION, [1, 0]),
}
SIDES: dict[str, tuple[Fraction, Fraction]] = {
    "corollary": (F(2), F(1)),
    "alignment": (F(36, 25), F(64, 25)),
    "others": (F(2), F(32, 25)),
    "convolution": (F(1), F(16, 25)),
    "ratio": (F(1), F(16, 25)),
}
