"""Section 3.1, after Theorem 3: minimisation rank by rank.

The rearrangement of the minima is one. But near a matrix A of rank k there are matrices of rank
k + 1 with R^(1) = 2 log |A'|_+ as low as one likes, lambda L + 2 lambda log e -> -infinity for a
new singular value e -> 0: of linear maps no inner minimum is a local minimum of C + lambda L R^(0)
+ lambda R^(1). The one for k = 0 is attained, at 0.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Filter,
    Matrix,
    Min,
    Number,
    Vector,
    Whole,
    dim,
    floor,
    log,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.affine_cases import layers
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_entries, with_value
from verify.statements.stated import Given, pool_with, stated

C, R0, R1 = Vector("C", "f"), Vector("R0", "f"), Vector("R1", "f")
weight, L = Number("lambda"), Whole("L", 1, 20)
WHERE = "Section 3.1, after Theorem 3"
FAMILY = upto(dim(R0))


# the minima ---------------------------------------------------------------------------------------
def _is_rank(i: Term) -> Term:
    return (R0[i] >= 0) & (floor(R0[i]) == R0[i])


def _inner(i: Term) -> Term:
    """C + lambda R^(1)."""
    return C[i] + weight * R1[i]


RANKS = Filter(FAMILY, _is_rank)
AT_ONCE = Min(FAMILY, lambda i: _inner(i) + weight * L * R0[i])
RANK_BY_RANK = Min(
    RANKS,
    lambda i: weight * L * R0[i] + Min(Filter(RANKS, lambda j: R0[j] == R0[i]), _inner),
)
"""The minimum over k = 0, 1, ... that are ranks of some functions."""


def _to_ranks(case: Tensors, random: Random) -> Tensors:
    entries = [Fraction(round(abs(value))) for value in case.arrays["R0"].entries]
    return with_entries(case, "R0", entries)


def _half_ranks(case: Tensors, random: Random) -> Tensors:
    """One of them becomes a half, with little cost."""
    ranks, errors = (case.arrays[name].entries for name in ("R0", "C"))
    case = with_entries(case, "R0", [Fraction(1, 2), *ranks[1:]])
    return with_entries(case, "C", [errors[0] - 4, *errors[1:]])


INTEGER = Given(
    "integer ranks",
    Each(FAMILY, _is_rank),
    r"$R^{(0)}$ takes integer values (at least $0$)",
    _to_ranks,
    _half_ranks,
)


def _weighted(case: Tensors, random: Random) -> Tensors:
    """lambda above 0."""
    value = abs(case.number("lambda")) or Fraction(1, random.choice((1, 10, 1000)))
    return with_value(case, "lambda", value)


PENALISED = Given(
    "lambda above 0",
    weight > 0,
    r"$\lambda>0$",
    _weighted,
    lambda case, random: with_value(case, "lambda", -abs(case.number("lambda"))),
)


REARRANGED = stated(
    "j23.rankmin.a",
    printed(WHERE),
    "minimisation rank by rank",
    r"If $R^{(0)}$ only takes integer values, $\min_fC(f(X))+\lambda LR^{(0)}(f)+"
    r"\lambda R^{(1)}(f)$ is $\min_{k=0,1,\dots}\lambda Lk+\min_{f:R^{(0)}(f)=k}C(f(X))+"
    r"\lambda R^{(1)}(f)$. (Over finite families of functions.)",
    AT_ONCE == RANK_BY_RANK,
    (INTEGER, PENALISED),
    depends=("j23.expansion",),
    pool=pool_with(C, R0, R1, weight, L, largest=5),
    exact_only=True,
    through="finite families of functions stand for all functions "
    "(docs/mathematics/j23.md#minima-rank-by-rank)",
)


# local minima -------------------------------------------------------------------------------------
Y = Matrix("Y", "m", "n")


def gain(e: Term) -> Term:
    """What C + lambda L Rank + 2 lambda log |.|_+ gains at most, with C(A) = |A - Y|_F^2, from 0 to
    a matrix with one entry of size e and to all smaller ones: it grows with e."""
    return 2 * abs(Y[1, 1]) * e + e**2 + weight * L + 2 * weight * log(e)


NEVER_CHEAPER = Each(upto(64), lambda k: gain(1 / 2**k) >= 0)


LOCAL = stated(
    "j23.rankmin.b",
    printed(WHERE),
    "inner minima are local minima",
    r"Every inner minimisation that is attained inside $\{f:R^{(0)}(f)=k\}$ corresponds to a "
    r"different local minimum. (Linear maps, $R^{(0)}=\mathrm{Rank}$, $R^{(1)}=2\log|A|_+$, "
    r"$C(A)=\lVert A-Y\rVert_F^2$, $k=0$, attained at $0$: no $e$ makes all matrices with the one "
    r"entry $e'\le e$ cheaper than $0$.)",
    NEVER_CHEAPER,
    (layers(L), PENALISED),
    depends=("j23.rankmin.a", "j23.linexp.b"),
    pool=pool_with(Y, weight, L, largest=3),
    exact_only=True,
    through=r"of linear maps $R^{(0)}=\mathrm{Rank}A$ and $R^{(1)}=2\log|A|_+$ are known, and all "
    "smaller entries gain more (docs/mathematics/j23.md#minima-rank-by-rank)",
    why=r"Beside a minimum of rank $k$ lie functions of rank $k+1$ with one more singular value "
    r"$e$: "
    r"$C$ moves by $O(e)$, while $\lambda L+2\lambda\log e\to-\infty$ as $e\to0$.",
)

CLAIMS = (REARRANGED, LOCAL)
