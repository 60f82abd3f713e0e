"""Example 20, proof (2): the two values of the Jacobian, and the bound of Proposition 13."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.papers.j23.example20 import PROOF
from verify.papers.j23.example20_cases import (
    CONSTANT_1,
    EPSILON,
    EVEN,
    ONE,
    ORTHANT,
    POOL,
    RELU,
    Numbers,
)
from verify.papers.j23.example20_networks import Example, matrix, standing
from verify.papers.j23.sources import printed
from verify.sides import Side, by_numbers

# measures -----------------------------------------------------------------------------------------
SHEAR = ((1, 0, 0), (0, 1, 0), (1, -1, 1))


def jacobian_values(case: Numbers) -> Iterator[Side]:
    """The Jacobian of f on either side of x = y, minus the printed matrices; the squares of their
    pseudo-determinants minus 1."""
    x, c = case.point, case.value("c")
    if x[0] == x[1]:
        return
    over = x[0] > x[1]
    rows = [[1, 0, 0], [0, 1, 0], [c, -c, 1] if over else [0, 0, 1]]
    told = matrix(SHEAR if over else [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    for i, row in enumerate(matrix(rows)):
        for j, entry in enumerate(row):
            yield {"row": i, "column": j}, entry, told[i, j]
    yield {"part": "determinant"}, reals.pseudo_determinant_squared(told), rational(1)


def above_the_bound(case: Numbers) -> Iterator[Side]:
    """|theta|^2 - 3 L minus C^-2 times the nuclear norm of the difference of the two Jacobians,
    C the largest operator norm of the layers below and above, at a point with x > y."""
    if not standing(case):
        return
    network = Example.of(case)
    difference = matrix(SHEAR) - matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    (value,) = reals.singular_values(difference)
    norm = _lipschitz(network.weights)
    yield {}, network.square - 3 * case.whole("L"), value / (norm * norm)


def _lipschitz(weights: list[np.ndarray]) -> Any:
    """The largest operator norm of W_l ... W_1 and W_L ... W_(l+1): at x in the orthant with x > y
    every neuron is active."""
    below, above = weights[0], weights[-1]
    products = [below, above]
    for weight in weights[1:]:
        below = weight @ below
        products.append(below)
    for weight in weights[-2::-1]:
        above = above @ weight
        products.append(above)
    largest = None
    for product in products:
        norm = reals.singular_values(product)[0]
        largest = norm if largest is None or norm > largest else largest
    return largest


def right_side(case: Numbers) -> Iterator[Side]:
    """The right side of the display times C^2, squared, minus 2: what is added to it by the two
    pseudo-determinants is log 1."""
    one, shear = matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), matrix(SHEAR)
    logs = [reals.log(reals.pseudo_determinant_squared(value)) for value in (one, shear)]
    (norm,) = reals.squared_singular_values(one - shear)
    yield {"part": "logarithms"}, sum(logs, rational(0)), rational(0)
    yield {"part": "nuclear norm"}, norm, rational(2)


# claims -------------------------------------------------------------------------------------------
JACOBIANS = Claim(
    "j23.ex20.jac@B",
    Kind.IDENTITY,
    printed(f"{PROOF}, first sentence"),
    "two values of the Jacobian",
    r"Inside $\mathbb R_+^3$ the Jacobian is $I_3$ or "
    r"$\left(\begin{matrix}1&0&0\\0&1&0\\1&-1&1\end{matrix}\right)$, with "
    r"$2\log|I_3|_+=0$.",
    (CONSTANT_1, ORTHANT),
    measure=by_numbers(jacobian_values),
    pool=POOL,
    reading="B",
    reading_text=ONE,
    exact_only=True,
)


CONTRADICTION = Claim(
    "j23.ex20.lip",
    Kind.IDENTITY,
    printed("Example 20, proof (2), display"),
    "the bound of Proposition 13 for the example",
    r"$\log|I_3|_++\log\left|\left(\begin{matrix}1&0&0\\0&1&0\\1&-1&1\end{matrix}\right)\right|_+"
    r"=0$ and the nuclear norm of the difference of the two matrices is $\sqrt2$; so the right "
    r"side is $\sqrt2\,C^{-2}>0$ for every $C$.",
    measure=by_numbers(right_side),
    pool=POOL,
    exact_only=True,
    through="Proposition 13 is taken as it is printed, and that its right side is above $0$ is "
    "measured (docs/mathematics.md, 30)",
)
LIPSCHITZ = Claim(
    "j23.ex20.lip.networks",
    Kind.INEQUALITY,
    printed("Example 20, proof (2)"),
    "the networks of the example against the bound for Lipschitz representations",
    r"Not printed: with the ReLU, and $C_L$ the largest Lipschitz constant of the representations "
    r"of the network at a point with $x>y$, "
    r"$\lVert\theta\rVert^2-3L\ge C_L^{-2}\lVert I_3-J\rVert_*$, "
    r"$J$ the other value of the Jacobian. So $C_L\to\infty$ where $\lVert\theta\rVert^2-3L\to0$.",
    (EVEN, EPSILON, RELU),
    measure=by_numbers(above_the_bound),
    pool=replace(POOL, integers=(("L", 2, 6),)),
    exact_only=True,
)

CLAIMS = (JACOBIANS, LIPSCHITZ, CONTRADICTION)
