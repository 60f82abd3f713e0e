"""What the second correction bounds, and rank and pseudo-determinant do not: the operator norm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.claim import Claim, Kind
from verify.deep import Matrix
from verify.deep_hypotheses import GAPS, at_least_0
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23 import second_correction_proofs as proofs
from verify.papers.j23.rows import exact
from verify.papers.j23.sources import printed
from verify.real_arrays import RealTensors, as_real
from verify.sides import Side, by_numbers
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors


def _set(case: Tensors, name: str, value: Fraction | int) -> Tensors:
    return case.changing(**{name: replace(case.arrays[name], entries=(Fraction(value),))})


AT_MOST_T = at_least_0(
    "gap", "second correction at most t", r"$R^{(2)}(A)\le t$: here $t=R^{(2)}(A)+\mathrm{gap}$"
)


def _with_gap(case: Tensors, random: Random) -> RealTensors:
    return as_real(_set(case, "gap", random.choice(GAPS)), random)


BOUNDED = TensorPool((("A", ("m", "n")), ("gap", ())), largest=3, adapt=_with_gap)


def norm_slack(case: Tensors) -> Iterator[Side]:
    """sqrt(t / 2) - log |A|_op, for t = R^(2)(A) + gap."""
    squares = reals.squared_singular_values(exact(case, "A"))
    if not squares:
        return
    logs = [reals.log(value) for value in squares]
    norm = sum((x * x for x in logs), rational(0))
    t = norm * rational(Fraction(1, 2)) + exact(case, "gap").reshape(-1)[0]
    if t < 0:
        return
    yield {}, reals.sqrt(t * rational(Fraction(1, 2))), logs[0] * rational(Fraction(1, 2))


NORM = Claim(
    "j23.r2.opnorm.a@A",
    Kind.INEQUALITY,
    printed("Section 3.2, last paragraph"),
    "the second correction bounds the operator norm",
    r"$R^{(2)}(A)=\frac12\lVert\log_+A^TA\rVert^2$ bounds the operator norm of $A$: "
    r"if $R^{(2)}(A)\le t$, then $\lVert A\rVert_{op}\le e^{\sqrt{t/2}}$.",
    (AT_MOST_T,),
    measure=by_numbers(norm_slack),
    pool=BOUNDED,
    reading="A",
    reading_text="the norm of the matrix of logarithms is the Frobenius norm",
    exact_only=True,
    proof=proofs.largest_is_among_them,
)
WITNESSES = TensorPool((("M", ()), ("D", ())), integers=(("k", 1, 4),), adapt=as_real)


def diagonal(values: list[Any]) -> Matrix:
    """A square matrix with this diagonal."""
    size = len(values)
    rows = [[values[i] if i == j else 0 for j in range(size)] for i in range(size)]
    matrix: Matrix = RATIONALS.array(rows)
    return matrix


def witness(case: Tensors, bound: str) -> Iterator[Side]:
    """A matrix with prescribed rank k, or with |A|_+ = D, against |A|_op > M."""
    size = abs(exact(case, "M").reshape(-1)[0]) + 1
    target, k = exact(case, "D").reshape(-1)[0], case.whole("k")
    if k < 1 or (bound != "rank" and target <= 0):
        return
    if bound == "rank":
        values = [size, *[rational(1)] * (k - 1)]
    else:
        values = [size, target / size]
    found = diagonal(values)
    if bound == "rank":
        yield {"part": "rank"}, rational(0), rational(abs(rank(found) - k))
    else:
        miss = abs(reals.pseudo_determinant_squared(found) - target * target)
        yield {"part": "determinant"}, rational(0), miss
    largest = reals.squared_singular_values(found)[0]
    yield {"part": "norm"}, largest, (size - 1) * (size - 1)


POSITIVE_D = Hypothesis(
    "D above 0",
    r"$R^{(1)}=2\log D$ with $D>0$",
    by_case(lambda case: case.number("D") > 0),
    lambda case, random: _set(case, "D", abs(case.number("D")) or Fraction(1)),
)
NOT_BOUNDED = {
    "b": ("rank", r"$\mathrm{Rank}A=k$", r"each $k\ge1$", ()),
    "c": ("determinant", r"$2\log|A|_+=2\log D$", "each $D>0$", (POSITIVE_D,)),
}


def _unbounded(part: str) -> Claim:
    bound, what, over, hypotheses = NOT_BOUNDED[part]
    return Claim(
        f"j23.r2.opnorm.{part}",
        Kind.INEQUALITY,
        printed("Section 3.2, last paragraph"),
        "the operator norm is not bounded by rank and pseudo-determinant",
        rf"The operator norm is not bounded by $R^{{(0)}}$ nor $R^{{(1)}}$: for {over} and every "
        rf"$M$ there is $A$ with {what} and $\lVert A\rVert_{{op}}\ge|M|$, here a diagonal one.",
        hypotheses,
        measure=by_numbers(partial(witness, bound=bound)),
        pool=WITNESSES,
        exact_only=True,
    )


CLAIMS = (
    NORM,
    *(_unbounded(part) for part in NOT_BOUNDED),
)
