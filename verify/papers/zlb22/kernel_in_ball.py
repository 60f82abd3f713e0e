"""The smallest eigenvalue of the tangent kernel in a ball, parts (a) and (b).

An instance holds the Jacobians `J` (n, P) at w_0 and J + `D` at a point w with
|w - w_0| <= R, and a bound `h` on the Hessian norms of f(.; x_i) on the ball: the mean-value bound
says that each row of D has length at most R h. With K = (J + D)(J + D)^T and K_0 = J J^T,
K - K_0 = D (J + D)^T + J D^T. The constant of the printed O is sqrt(n) R (|J| + |J + D|); no width
enters it but through the norm of J, which has a mean square that does not grow with the width.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isqrt
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import Array
from graphs.rationals import RATIONALS
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.derivations.matrix_words import EVERY_SIZE, matrix
from verify.derivations.symbols import same, symbols
from verify.exponents import Exponents, Family, Predicted
from verify.hypotheses import Hypothesis, by_case
from verify.papers.zlb22.half_line import as_plain
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.training_runs import EIGENVALUE, eigenvalue_change
from verify.quantities import (
    listed,
    root,
    rows_of,
    square,
    with_entries,
    with_value,
)
from verify.real_arrays import RealScene, RealTensors, as_real
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

PLACE = printed("Section 4, Extending PL* condition to B(w_0, R)")


# measures -----------------------------------------------------------------------------------------
def _least(scene: RealScene, jacobian: Array) -> Array:
    return scene.smallest_eigenvalue(jacobian @ scene.transpose(jacobian))


def change_slack(scene: RealScene) -> Entries:
    """sqrt(n) R h (|J| + |J + D|) - |lambda_min(K) - lambda_min(K_0)|."""
    start, moved = scene["J"], scene["J"] + scene["D"]
    norms = scene.operator_norm(start) + scene.operator_norm(moved)
    count = scene.sqrt(scene.constant(scene.lengths["n"]))
    left = abs(_least(scene, moved) - _least(scene, start))
    return scene.compare(count * scene["R"] * scene["h"] * norms, left)


def kernel_degenerates(scene: RealScene) -> Entries:
    """1 where lambda_min(K) is 0, else 0."""
    exact = scene.exact
    moved = exact["J"] + exact["D"]
    lost = [reals.squared_singular_values(rows) for rows in moved]
    answers = [len(found) < scene.lengths["n"] for found in lost]
    return scene.compare(scene.numbers(np.array(answers) * 1), scene.constant(0))


# hypotheses ---------------------------------------------------------------------------------------
def _moves(case: Tensors) -> list[Fraction]:
    return [square(row) for row in rows_of(case, "D")]


def _within(case: Tensors) -> bool:
    reach = case.number("R") * case.number("h")
    sizes_fit = case.number("R") >= 0 and case.number("h") >= 0
    return sizes_fit and all(move <= reach**2 for move in _moves(case))


def _bounded(case: Tensors, random: Random) -> Tensors:
    """h raised to what the rows need; a radius that is positive."""
    case = with_value(case, "R", abs(case.number("R")) or 1)
    case = with_value(case, "h", abs(case.number("h")))
    if _within(case):
        return case
    longest = max(_moves(case)) / case.number("R") ** 2
    above = Fraction(isqrt(int(longest * 4096**2)) + 1, 4096)
    return with_value(case, "h", above)


def _to_zero(case: Tensors, random: Random) -> Tensors:
    """Some moves to a Jacobian that is 0."""
    if random.random() < 0.5:
        return case
    return with_entries(case, "D", [-entry for entry in listed(case, "J")])


MEAN_VALUE = Hypothesis(
    "mean-value bound",
    r"$\lVert H_f\rVert\le h$ on the ball, so that $\lVert\nabla f(\mathbf w;x_i)-\nabla f"
    r"(\mathbf w_0;x_i)\rVert\le Rh$ for each $i$",
    by_case(_within),
    _bounded,
    lambda case, random: with_value(_to_zero(case, random), "h", case.number("h") / 64),
)


def _reach(case: Tensors) -> Any:
    """sqrt(n) R h (2 |J| + sqrt(n) R h)."""
    found = reals.squared_singular_values(RATIONALS.array(rows_of(case, "J")))
    norm = as_plain(reals.sqrt(found[0])) if found else Fraction(0)
    s = root(case.lengths["n"]) * case.number("R") * case.number("h")
    return s * (norm * 2 + s)


def _is_small(case: Tensors) -> bool:
    found = reals.squared_singular_values(RATIONALS.array(rows_of(case, "J")))
    if len(found) < case.lengths["n"] or min(case.number("R"), case.number("h")) < 0:
        return False
    return bool(_reach(case) < as_plain(found[-1]))


def _to_small(case: Tensors, random: Random) -> Tensors:
    """Data points are left out until the others are independent; then a shorter way."""
    while len(reals.squared_singular_values(RATIONALS.array(rows_of(case, "J")))) < (
        count := case.lengths["n"]
    ):
        if count == 1:
            case = with_entries(case, "J", [Fraction(1)] * len(listed(case, "J")))
            break
        case = case.changing(**{k: case.arrays[k].without("n", count - 1) for k in ("J", "D")})
    for _ in range(40):
        if _is_small(case):
            break
        case = with_entries(case, "D", [entry / 2 for entry in listed(case, "D")])
        case = with_value(case, "h", abs(case.number("h")) / 2)
    return case


SMALL = Hypothesis(
    "small Hessians",
    r"$\sqrt n\,Rh(2\lVert J(\mathbf w_0)\rVert+\sqrt n\,Rh)<\lambda_{\min}(K(\mathbf w_0))$: "
    r"$\lambda_{\min}(K(\mathbf w_0))$ is bounded away from $0$, and the Hessians are small",
    by_case(_is_small),
    _to_small,
    lambda case, random: _bounded(
        with_entries(case, "D", [-entry for entry in listed(case, "J")]), random
    ),
)


# instances ----------------------------------------------------------------------------------------
def _pair(case: Tensors, random: Random) -> RealTensors:
    """Small moves beside large ones."""
    share = random.choice((Fraction(1), Fraction(1, 8), Fraction(1, 64)))
    case = with_entries(case, "D", [entry * share for entry in listed(case, "D")])
    return as_real(_bounded(with_value(case, "h", 0), random), random)


PAIRS = TensorPool(
    (("J", ("n", "P")), ("D", ("n", "P")), ("R", ()), ("h", ())), largest=3, adapt=_pair
)


# arguments ----------------------------------------------------------------------------------------
def _kernel_change() -> Step:
    start, move = matrix("J"), matrix("D")
    moved = start + move
    change = moved @ moved.transposed - start @ start.transposed
    parts = move @ moved.transposed + start @ move.transposed
    return Step("K - K_0 = D (J + D)^T + J D^T", (change - parts).is_zero)


FACTS = (
    EVERY_SIZE,
    "Weyl's inequality: eigenvalues of symmetric matrices move by at most the norm of the change",
    "|A B| <= |A| |B|, and |D|^2 is at most the sum of the squared lengths of its n rows",
    "the mean-value inequality, by which each row of D is at most R times the largest Hessian norm",
)


def by_weyl() -> Argument:
    """|K - K_0| <= |D| (|J + D| + |J|), |D| <= sqrt(n) R h."""
    return Argument(
        "|K - K_0| is at most |D| (|J + D| + |J|), and |D| at most sqrt(n) R h",
        (_kernel_change(),),
        FACTS,
        "change_slack",
        (MEAN_VALUE.name,),
        section=40,
    )


def stays_definite() -> Argument:
    """lambda_min(K) >= lambda_min(K_0) - s (2 |J| + s) > 0."""
    ring, (norm, s) = symbols(2)
    text = "s (|J| + (|J| + s)) = s (2 |J| + s)"
    return Argument(
        "|J + D| is at most |J| + s with s = sqrt(n) R h, so lambda_min moves by at most "
        "s (2 |J| + s), which is below lambda_min(K_0)",
        (_kernel_change(), same(ring, text, s * (norm + (norm + s)), s * (2 * norm + s))),
        FACTS,
        "kernel_degenerates",
        (MEAN_VALUE.name, SMALL.name),
        section=40,
    )


def along_descent() -> Exponents:
    """The change of lambda_min(K) in training, over the Hessian norms: it does not grow."""
    families = [
        Family(
            f"fully connected, one hidden layer, {activation}",
            LADDERS,
            partial(eigenvalue_change, "fcn", activation),
        )
        for activation in ("tanh", "quadratic")
    ]
    return Exponents(
        lambda scale: families,
        (Predicted(EIGENVALUE, Fraction(0), above=Fraction(1, 2)),),
        scope=("gradient descent to four made points",),
    )


LADDERS = ((16, 32, 64), (16, 32, 64, 128), (16, 32, 64, 128, 256, 512))

CLAIMS = (
    Claim(
        "zlb22.pl.ball.a",
        Kind.INEQUALITY,
        PLACE,
        "the smallest eigenvalue moves as the Hessians are large",
        r"For any $\mathbf w\in\mathsf B(\mathbf w_0,R)$, $|\lambda_{\min}(K(\mathbf w))-"
        r"\lambda_{\min}(K(\mathbf w_0))|\le O\big(\sup_{\mathsf B(\mathbf w_0,R)}\lVert H_f\rVert"
        r"\big)$; here with the constant $\sqrt n\,R(\lVert J(\mathbf w)\rVert+"
        r"\lVert J(\mathbf w_0)\rVert)$.",
        (MEAN_VALUE,),
        ("zlb22.eq16",),
        change_slack,
        PAIRS,
        exact_only=True,
        proof=by_weyl,
        through=r"the $O$ has the constant of the mean-value bound (docs/mathematics.md, 40)",
        exponents=along_descent(),
    ),
    Claim(
        "zlb22.pl.ball.b",
        Kind.IDENTITY,
        PLACE,
        "the kernel stays definite in the ball",
        r"Since $\lambda_{\min}(K(\mathbf w_0))$ is bounded away from $0$ and $\lVert H_f\rVert$ "
        r"is small, there is $\mu>0$ with $\inf_{\mathbf w\in\mathsf B(\mathbf w_0,R)}"
        r"\lambda_{\min}(K(\mathbf w))\ge\mu$.",
        (MEAN_VALUE, SMALL),
        ("zlb22.pl.ball.a",),
        kernel_degenerates,
        PAIRS,
        exact_only=True,
        proof=stays_definite,
        through=r"the $O$ has the constant of the mean-value bound (docs/mathematics.md, 40)",
    ),
)
