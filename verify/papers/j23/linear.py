"""Section 3: the cost of deep linear networks, and its expansion in 1/L.

O(L^-3) and O(L^-2) are taken with the constants of Taylor's formula: with x = log s, u = 2 x / L,
|e^u - 1 - u - u^2/2| <= |u|^3 max(1, e^u) / 6 and e^u <= max(1, s^2), so for a fixed matrix what
is left is at most a constant over L^3, or over L^2.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool, rotation
from verify.language.building import (
    Each,
    Fold,
    Matrix,
    Number,
    Sum,
    Whole,
    between,
    larger,
    log,
    pdet2,
    rank,
    schatten,
    singular,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.network_notation import DEPTH as DEPTH_OF_NETWORK
from verify.papers.j23.network_notation import FULLY_CONNECTED, WEIGHTS_SQUARE, weight
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

# the cost -----------------------------------------------------------------------------------------
PRODUCT = Fold(between(2, DEPTH_OF_NETWORK), weight(1), lambda A, m: weight(m) @ A)
"""A = W_L ... W_1."""
LEAST = DEPTH_OF_NETWORK * schatten(PRODUCT, 2 / DEPTH_OF_NETWORK)
NETWORKS = layered_pool(pool(points=(1,), biases=False))
WORDS = (
    r"For deep linear networks, which represent a matrix as a product $A_\theta=W_L\cdots W_1$, "
    r"$R(A;L)=\min_{\theta:A=A_\theta}\lVert\theta\rVert^2=L\lVert A\rVert_{2/L}^{2/L}="
    r"L\sum_{i=1}^{\mathrm{Rank}A}s_i(A)^{2/L}$: "
)

LOWER = stated(
    "j23.linear.a",
    printed("Section 3, first display"),
    "cost of deep linear networks: no factorisation is cheaper",
    WORDS + r"every factorisation has $\sum_\ell\lVert W_\ell\rVert_F^2\ge L\sum_is_i(A)^{2/L}$.",
    WEIGHTS_SQUARE >= LEAST,
    (FULLY_CONNECTED,),
    pool=NETWORKS,
)


def _balanced(case: Deep) -> bool:
    pairs = [(case.matrix(f"W{k}"), case.matrix(f"W{k + 1}")) for k in range(1, case.depth)]
    return all(bool((one @ one.T == two.T @ two).all()) for one, two in pairs)


def _aligned(case: Deep, random: Random) -> Deep:
    """W_l = U_l S U_(l-1)^T with rational rotations and S the same in every layer."""
    if _balanced(case):
        return case
    width = min(case.widths)
    values = [Fraction(random.randint(0, 8), 4) for _ in range(width)]
    frames = [[row[:width] for row in rotation(n, random)] for n in case.widths]
    for layer in range(1, case.depth + 1):
        left, right = frames[layer], frames[layer - 1]
        rows = [
            [sum(x * s * y for x, s, y in zip(u, values, v, strict=True)) for v in right]
            for u in left
        ]
        case = case.with_array(f"W{layer}", rows)
    return case


def _doubled(case: Deep, random: Random) -> Deep:
    """One layer twice as large."""
    name = f"W{random.randint(1, case.depth)}"
    array = case.arrays[name]
    return case.changing(**{name: replace(array, entries=tuple(2 * v for v in array.entries))})


BALANCED = Given(
    "balanced layers",
    Each(
        upto(DEPTH_OF_NETWORK - 1),
        lambda m: weight(m + 1).T @ weight(m + 1) == weight(m) @ weight(m).T,
    ),
    r"$W_{\ell+1}^TW_{\ell+1}=W_\ell W_\ell^T$: with $A=USV^T$, as for "
    r"$W_\ell=U_\ell S^{1/L}U_{\ell-1}^T$, which any inner widths from $\mathrm{Rank}A$ on allow",
    lifted(_aligned),
    lifted(_doubled),
)

ATTAINED = stated(
    "j23.linear.b",
    printed("Section 3, first display"),
    "cost of deep linear networks: the value is attained",
    WORDS + r"with $A=USV^T$ the factors $W_\ell=U_\ell S^{1/L}U_{\ell-1}^T$ have this norm.",
    WEIGHTS_SQUARE == LEAST,
    (FULLY_CONNECTED, BALANCED),
    pool=NETWORKS,
)


# the expansion ------------------------------------------------------------------------------------
S, A, DEPTH = Number("s"), Matrix("A", "m", "n"), Whole("L", 1, 100)
LENGTH = Sum(upto(rank(A)), lambda i: (2 * log(singular(A)[i])) ** 2)  # |log_+ A^T A|^2


def remainder(s: Term) -> Term:
    """4/3 |log s|^3 max(1, s^2)."""
    return Fraction(4, 3) * abs(log(s)) ** 3 * larger(1, s**2)


OF_A_POWER = (
    abs(S ** (2 / DEPTH) - (1 + 2 / DEPTH * log(S) + 2 / DEPTH**2 * log(S) ** 2))
    <= remainder(S) / DEPTH**3
)
COST = DEPTH * schatten(A, 2 / DEPTH)
SERIES = DEPTH * rank(A) + log(pdet2(A)) + 1 / (2 * DEPTH) * LENGTH
OF_THE_COST = (
    abs(COST - SERIES) <= Sum(upto(rank(A)), lambda i: remainder(singular(A)[i])) / DEPTH**2
)
POSITIVE = Given(
    "s above 0",
    S > 0,
    "$s>0$",
    lambda case, random: with_entries(case, "s", (abs(case.number("s")) or Fraction(2, 3),)),
    lambda case, random: with_entries(case, "s", (-abs(case.number("s")),)),
)


TAYLOR = (
    "Taylor's formula: e^u - 1 - u - u^2/2 = u^3 e^v / 6 with v between 0 and u, so e^v <= max(1, "
    "e^u), and e^u = s^(2/L) <= max(1, s^2)"
)


def _terms() -> tuple[Step, ...]:
    """With h = 1/L and u = 2 x h."""
    ring = ring_of(2)
    x, h = ring.generators
    u = 2 * x * h
    return (
        Step(
            "u + u^2/2 = 2 x / L + 2 x^2 / L^2",
            ring.is_zero(2 * u + u * u - 2 * (2 * x * h + 2 * x * x * h * h)),
        ),
        Step(
            "u^3 / 6 = 4/3 x^3 / L^3", ring.is_zero(3 * u * u * u - 6 * 4 * x * x * x * h * h * h)
        ),
    )


def power_argument() -> Argument:
    """The expansion of one power."""
    return Argument(
        "Taylor's formula at u = 2 log s / L, with its rest",
        _terms(),
        (TAYLOR,),
        uses=(),
        section="docs/mathematics/j23.md#powers-and-logarithms",
    )


def expansion_argument() -> Argument:
    """Summed over the singular values: log_+ A^T A has the eigenvalues 2 x_i."""
    ring = ring_of(2)
    x, h = ring.generators
    eigenvalue = 2 * x
    return Argument(
        "Taylor's formula for each singular value, times L, summed",
        (
            *_terms(),
            Step(
                "L (2 x / L + 2 x^2 / L^2) = 2 x + (2 x)^2 / (2 L)",
                ring.is_zero(
                    2 * (2 * x + 2 * x * x * h) - (2 * 2 * x + eigenvalue * eigenvalue * h)
                ),
            ),
        ),
        (TAYLOR, "the non-zero eigenvalues of A^T A are the s_i^2"),
        uses=(),
        section="docs/mathematics/j23.md#powers-and-logarithms",
        cites=("j23.linear.a", "j23.linear.b"),
    )


EXPANDED = (
    r"(with the constant that Taylor's formula gives, $\frac43|\log s|^3\max(1,s^2)$ for each "
    r"singular value)"
)

CLAIMS = (
    LOWER,
    ATTAINED,
    stated(
        "j23.linexp.a",
        printed("Section 3, before the second display"),
        "expansion of a power of a singular value",
        r"$s^{2/L}=1+\frac2L\log s+\frac2{L^2}(\log s)^2+O(L^{-3})$ " + EXPANDED + ".",
        OF_A_POWER,
        [POSITIVE],
        depends=("j23.linear.a",),
        exact_only=True,
        proof=power_argument,
        trusted=(TAYLOR,),
    ),
    stated(
        "j23.linexp.b",
        printed("Section 3, second display"),
        "expansion of the cost of deep linear networks",
        r"$R(A;L)=L\,\mathrm{Rank}A+2\log|A|_++\frac1{2L}\lVert\log_+A^TA\rVert^2+O(L^{-2})$ "
        + EXPANDED
        + r"; so $R^{(0)}(A)=\mathrm{Rank}A$, $R^{(1)}(A)=2\log|A|_+$, $R^{(2)}(A)="
        r"\frac12\lVert\log_+A^TA\rVert^2$.",
        OF_THE_COST,
        depends=("j23.linear.a", "j23.linear.b"),
        pool=pool_with(A, DEPTH, largest=3),
        exact_only=True,
        proof=expansion_argument,
        trusted=(TAYLOR,),
    ),
)
