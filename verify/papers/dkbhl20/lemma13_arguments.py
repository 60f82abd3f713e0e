"""Arguments for Lemma 13 and the steps (59) and (60) of Theorem 14.

F, T and S stand for the expectations of |M|_F^2, Tr M^3 and Tr diag(M^2)^2; alpha = S/T. All of it
is Cauchy and Schwarz, over the eigenvalues and over the support, and arithmetic with delta =
2 d^2 - 2 F - 8 (T - S), the expectation of delta_F.
"""

from __future__ import annotations

from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step
from verify.papers.dkbhl20.example11_arguments import LINEAR, lagrange, square_of_the_trace
from verify.papers.dkbhl20.lemma1 import EIGENVALUES, rank_bounds
from verify.statements.derivations.pair_sums import TERM_BY_TERM, equal_double_sums
from verify.statements.derivations.pair_sums import variance as variance_of_eigenvalues
from verify.statements.derivations.symbols import SQUARES, TWO_INDICES, same

LAW = "law of finite support"
SEMIDEFINITE, UNIT = "semidefinite on the support", "unit diagonal on the support"
BELOW_1, REMAINDER = "alpha of the law below 1", "remainder of (52)"
CARRIED = (LAW, SEMIDEFINITE, UNIT)
BOUNDED = (*CARRIED, BELOW_1, REMAINDER)
SPECTRAL = "M has d eigenvalues that are at least 0 and sum to d; their powers sum to Tr M^k"
SMALL = (
    "an invariant law meets (52), with a remainder of at most C gamma (Lemma 7): at most 6 d^2 for "
    "gamma <= 6 d^2/C"
)
POINTWISE = (SPECTRAL, SQUARES, TWO_INDICES, TERM_BY_TERM, LINEAR, SMALL)


def jensen() -> tuple[Step, ...]:
    """sum p x^2 sum p - (sum p x)^2 is a sum of p_k p_l (x_k - x_l)^2."""
    return equal_double_sums(
        "2 sum p sum p x^2 - 2 (sum p x)^2 = sum p_k p_l (x_k - x_l)^2",
        2,
        lambda p, x, q, y: 2 * (p * q * y * y - p * x * q * y),
        lambda p, x, q, y: p * q * (x - y) ** 2,
    )


def means_of_inverses() -> tuple[Step, ...]:
    """sum p x sum p/x - (sum p)^2, each x above 0: the terms of two points, times x y."""
    ring = ring_of(4)
    p, x, q, y = ring.generators
    both = p * q * (x * x + y * y) - 2 * p * q * x * y
    text = "(p x q/y + q y p/x - 2 p q) x y = p q (x - y)^2"
    return (same(ring, text, both, p * q * (x - y) ** 2),)


def _symbols() -> tuple[Ring, Any]:
    ring = ring_of(5)
    return ring, ring.generators


def _remainder() -> Step:
    """8 (d^2 - (T - S)) is at least 0."""
    ring, (d, F, T, S, _) = _symbols()
    delta = 2 * d * d - 2 * F - 8 * (T - S)
    left = 8 * (d * d - (T - S))
    text = "8 (d^2 - (T - S)) = (6 d^2 + delta) + 2 F, both at least 0"
    return same(ring, text, left, 6 * d * d + delta + 2 * F)


def _slack(ring: Ring, generators: Any) -> tuple[Any, Step]:
    d, F, T, S, _ = generators
    slack = d**3 * T - (T - S) * F * F
    parts = (T - S) * (d * T - F * F) + d * T * (d * d - (T - S))
    text = "d^3 T - (T - S) F^2 = (T - S)(d T - F^2) + d T (d^2 - (T - S))"
    return slack, same(ring, text, slack, parts)


def _bound() -> tuple[Step, ...]:
    return (*lagrange(), *jensen(), _slack(*_symbols())[1], _remainder())


def frobenius_is_bounded() -> Argument:
    """Lemma 13, (50)."""
    return Argument(
        "(tr M^2)^2 <= d Tr M^3 for each M and so F^2 <= d T; with 8 (T - S) = 2 d^2 - 2 F - delta "
        "at most 8 d^2 the bound follows, with a factor 2 to spare where delta is 0",
        _bound(),
        POINTWISE,
        BOUNDED,
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
    )


def cubes_are_bounded() -> Argument:
    """(55) by itself."""
    return Argument(
        "(1 - alpha) E Tr M^3 is T - S, and 8 (T - S) = 2 d^2 - 2 F - delta is at most 8 d^2",
        (_remainder(),),
        (SPECTRAL, SQUARES, LINEAR, SMALL),
        (LAW, SEMIDEFINITE, BELOW_1, REMAINDER),
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
    )


def chain_is_bounded() -> Argument:
    """(57)."""
    ring, (d, _, T, S, _) = _symbols()
    end = d**3 * T - (T - S) * d * T
    step = same(ring, "the last slack is d T (d^2 - (T - S))", end, d * T * (d * d - (T - S)))
    return Argument(
        "the first inequality holds for each M by Cauchy and Schwarz over the eigenvalues, the "
        "second is Jensen's, the third says that T - S is at most d^2",
        (*_bound(), step),
        (*POINTWISE, "numbers at least 0 compare as their squares"),
        BOUNDED,
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
    )


def sign_makes_it_trivial() -> Argument:
    """(53) as printed."""
    ring, (d, F, T, S, _) = _symbols()
    printed = 2 * d * d - (2 * F - 8 * (T - S))
    step = same(ring, "(53) is 2 (d^2 - F) + 8 (T - S)", printed, 2 * (d * d - F) + 8 * (T - S))
    return Argument(
        "|M|_F^2 is at most d^2, and T - S is above 0 where alpha is below 1: (53) holds of every "
        "such law, invariant or not",
        (step, *square_of_the_trace()),
        (SPECTRAL, TWO_INDICES, LINEAR),
        (*CARRIED, BELOW_1),
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
    )


def inverse_is_convex() -> Argument:
    """(59)."""
    return Argument(
        "E F(M) E 1/F(M) - 1 is a sum over pairs of points of the support",
        means_of_inverses(),
        (TERM_BY_TERM, SQUARES, "|M|_F^2 is at least d where the diagonal is 1, so above 0"),
        (LAW, UNIT),
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
    )


def surrogate_is_bounded() -> Argument:
    """(60), R the expectation of 1/|M|_F^2."""
    ring, generators = _symbols()
    d, F, T, S, R = generators
    slack, step = _slack(ring, generators)
    left = F * F * ((d * d * R) ** 2 * T - (T - S) * d)
    right = d**4 * T * ((R * F) ** 2 - 1) + d * slack
    text = "F^2 ((d^2 R)^2 T - (T - S) d) = d^4 T ((R F)^2 - 1) + d (d^3 T - (T - S) F^2)"
    return Argument(
        "(E r)^2 >= (d^2/F)^2 by (59), and F is bounded by Lemma 13",
        (
            *lagrange(),
            *jensen(),
            *means_of_inverses(),
            step,
            _remainder(),
            same(ring, text, left, right),
        ),
        (*POINTWISE, "numbers at least 0 compare as their squares"),
        BOUNDED,
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
    )


def layers_have_soft_rank() -> Argument:
    """(58), the first inequality, layer by layer: Lemma 1, part 2."""
    return Argument(
        "for each M the soft rank is at least (1 - tau)^2 d^2/|M|_F^2; averages keep that, and "
        "limits of averages",
        (*variance_of_eigenvalues(), *rank_bounds()),
        (TERM_BY_TERM, EIGENVALUES, LINEAR, "limits of averages keep the inequalities of these"),
        (*CARRIED, "tau between 0 and 1"),
        section="docs/mathematics/dkbhl20.md#lemma-13-at-small-gamma",
    )
