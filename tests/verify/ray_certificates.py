"""Certificates about solutions of the flow for all times, each worked by hand in a comment.

`RAYS` maps a name to each of them. Of every one the numbers of the case are on a ray: the weights
grow along themselves, for any loss with slope -1 on all examples.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.activations import RELU
from tests.verify.certificates import Certificate, certificate
from verify.case import Case, case_to_json
from verify.rays import is_solution
from verify.structured import Plan, Spec, build
from verify.structured_pool import structured

F = Fraction
Row = tuple[Fraction, ...]
A, B = (F(3, 5), F(4, 5)), (F(3, 5), F(-4, 5))
OUTPUT = Spec("dense", 1)


def on_a_ray(plan: Plan, weights: Row, inputs: tuple[Row, ...], **choice: Any) -> dict[str, Any]:
    """The case of a certificate: all labels 1, all slopes -1."""
    net, chosen = build(plan)
    ones = (F(1),) * len(inputs)
    picked = {**chosen, "solution": "ray", **choice}
    slopes = tuple(-one for one in ones)
    case = structured(Case(net, weights, inputs, ones, slopes=slopes, choice=picked), plan)
    assert is_solution(case)
    return case_to_json(case)


def refuting(claim: str, case: dict[str, Any], entry: dict[str, Any], value: Any) -> Certificate:
    return certificate("counterexample", claim, case=case, entry=entry, value=str(value))


# Two ReLU neurons, each on its own example: W_1 has the rows A and B. W_1 W_1^T has eigenvalues
# 1 + 7/25 and 1 - 7/25, and |W_1|^2 = 2: 1 - (32/25)/2. Then v_2 is (1, 1) up to its length, the
# least singular direction: 1 - (18/25)/(32/25).
TWO_NEURONS = on_a_ray(
    Plan(2, (Spec("dense", 2, activation=RELU), OUTPUT), (0, 1)),
    (*A, *B, F(1), F(1)),
    (A, B),
    theta=["1", "0"],
)
# A convolution with one position: T is the example itself, a 2 x 2 matrix of rank two with singular
# values 3/5 and 4/5: 1 - 16/25.
MATRIX = (F(3, 5), F(0), F(0), F(4, 5))
ONE_POSITION = on_a_ray(
    Plan(4, (Spec("convolution", 1, size=(2,), kernel=(2,)), OUTPUT), (0, 1)),
    (*MATRIX, F(1)),
    (MATRIX,),
)
LARGEST = {"layer": 1, "norm": "16/25"}
RAYS: dict[str, Certificate] = {
    "corollary": refuting("lj22v1.cor1", TWO_NEURONS, {"layer": 1, "norm": "32/25"}, F(9, 25)),
    "alignment": refuting(
        "lj22v1.cor1", TWO_NEURONS, {"numbers": [1, 2], "norm": "32/25"}, F(7, 16)
    ),
    "convolution": refuting("lj22.thm2-13@A", ONE_POSITION, LARGEST, F(9, 25)),
    "ratio": refuting("lj22.thm2-14@AB", ONE_POSITION, LARGEST, F(9, 25)),
}
