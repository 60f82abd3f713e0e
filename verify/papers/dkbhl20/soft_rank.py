"""The soft rank (3), and Lemma 1, part 2: it is at least (1 - tau)^2 r(H).

sigma_1, ..., sigma_d are the roots of the d eigenvalues of H H^T; with fewer columns than rows some
of them are 0. What is counted is counted exactly: how many eigenvalues of M - tau I are at least 0
from the signs of its characteristic polynomial (Descartes' rule, exact where all roots are real).
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from graphs.arithmetic import Array, rational
from graphs.matrices import characteristic_polynomial
from graphs.reals import squared_singular_values
from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.normalised_hypotheses import (
    NON_NEGATIVE,
    NORMALISED,
    TRACE_D,
    number_between,
    positive_number,
)
from verify.normalised_pool import LEVELS, chain_pool
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.pair_sums import TERM_BY_TERM, variance
from verify.papers.dkbhl20.sources import printed
from verify.vocabulary import Entries

POSITIVE = positive_number("tau", r"$\tau>0$", LEVELS)
LEVEL = number_between("tau", 0, 1, r"$0\le\tau\le1$")
EIGENVALUES = (
    "M has d real eigenvalues; they sum to Tr M = d, as M_ii = 1, the square of a row over N, "
    "and their squares to |M|_F^2"
)
LAYERS = chain_pool("H", "tau")
SPECTRA = chain_pool("lam", "tau")


def eigenvalues_at_least(matrix: np.ndarray, level: Any) -> int:
    """How many eigenvalues of a symmetric matrix of rationals (d, d) are at least a number."""
    shifted = matrix.copy()
    places = np.arange(len(matrix))
    shifted[places, places] -= rational(level)
    coefficients = characteristic_polynomial(shifted)
    signs = [c > 0 for c in coefficients if c != 0]
    zeros = next(k for k, c in enumerate(coefficients) if c != 0)
    return int(zeros + sum(a != b for a, b in pairwise(signs)))


def soft_rank(scene: ChainScene, hidden: Array) -> Array:
    """(C,): rank_tau(H), the number of eigenvalues of M(H) that are at least tau."""
    return counted(scene, scene.second_moment(hidden))


def counted(scene: ChainScene, moments: Array) -> Array:
    """(C,): the number of eigenvalues of symmetric matrices that are at least tau."""
    levels = scene["tau"]
    return scene.numbers(
        [eigenvalues_at_least(m, level) for m, level in zip(moments, levels, strict=True)]
    )


def count_residual(scene: ChainScene, *, ties: bool) -> Entries:
    """rank_tau(H) less the number of singular values above sqrt(N tau), or at least that: their
    squares, the roots of the characteristic polynomial of H H^T, against N tau."""
    counts = []
    for matrix, level in zip(scene["H"], scene["tau"], strict=True):
        bound = level * rational(scene.samples)
        squares = squared_singular_values(matrix)
        squares += [rational(0)] * (scene.width - len(squares))
        above = sum(bound < square for square in squares)
        counts.append(above + ties * sum(square == bound for square in squares))
    return scene.compare(soft_rank(scene, scene["H"]), scene.numbers(counts))


def below_rank(scene: ChainScene) -> Entries:
    """rank(H) - rank_tau(H)."""
    ranks = scene.numbers(scene.rank_of(scene["H"]))
    return scene.compare(ranks, soft_rank(scene, scene["H"]))


def surrogate_slack(scene: ChainScene) -> Entries:
    """rank_tau(H) |M|_F^2 - (1 - tau)^2 (Tr M)^2."""
    moments = scene.second_moment(scene["H"])
    rest, trace = scene.constant(1) - scene["tau"], scene.trace(moments)
    left = counted(scene, moments) * scene.frobenius_squared(moments)
    return scene.compare(left, rest * rest * trace * trace)


def counted_eigenvalues(scene: ChainScene) -> np.ndarray:
    """(C, d) boolean: which of the numbers lambda are at least tau."""
    below = scene.arithmetic.is_negative(scene["lam"] - scene["tau"].reshape(-1, 1))
    return ~np.asarray(below, dtype=bool).reshape(len(scene.cases), -1)


def steps_slack(scene: ChainScene) -> Entries:
    """The inequalities (16) to (20) from the left: with s the sum of the counted |lambda_i| and h
    their number, h |lambda|_2^2 - s^2 (Cauchy and Schwarz, times h^2), s - (|lambda|_1 - d tau),
    and that less (1 - tau) |lambda|_1."""
    spectrum, kept = scene["lam"], counted_eigenvalues(scene)
    sizes = scene.arithmetic.maximum(spectrum, -spectrum)
    zero = sizes - sizes
    included, number = np.where(kept, sizes, zero).sum(1), scene.numbers(kept.sum(1))
    total = sizes.sum(1)
    square = (spectrum * spectrum).sum(1)
    less = total - scene.share(scene["tau"], scene.width)
    rest = (scene.constant(1) - scene["tau"]) * total
    return scene.parts(
        [
            ({"part": "16"}, number * square, included * included),
            ({"part": "19"}, included, less),
            ({"part": "20"}, less, rest),
        ]
    )


def sums_are_bounded() -> Argument:
    """s - (s + t - d tau) = m + tau h, and s + t - d tau - (1 - tau)(s + t) = tau (s + t - d), with
    t = n tau - m the sum of the n = d - h numbers below tau."""
    ring = ring_of(5)
    tau, h, n, m, s = ring.generators
    total, width = s + n * tau - m, h + n
    first = s - (total - width * tau) - (m + tau * h)
    second = total - width * tau - (1 - tau) * total - tau * (total - width)
    return Argument(
        "Cauchy and Schwarz over the counted numbers; the others sum to at most n tau; the last "
        "step is an equation where the sum is d",
        (
            *variance(),
            Step("s - (s + t - d tau) = m + tau h, both at least 0", ring.is_zero(first)),
            Step(
                "s + t - d tau - (1 - tau)(s + t) = tau (s + t - d), which is 0",
                ring.is_zero(second),
            ),
        ),
        (TERM_BY_TERM, "numbers that are at least 0 are their own absolute values"),
        "steps_slack",
        ("eigenvalues at least 0", "trace d", "tau between 0 and 1"),
        section=31,
    )


def rank_bounds() -> tuple[Step, ...]:
    """With s the sum over the h eigenvalues that are at least tau, q that of their squares, t that
    of the others, n = d - h their number, m the sum of tau - lambda over them: s - (1 - tau) d =
    m + tau h, as t = n tau - m and s + t = d."""
    ring = ring_of(5)
    tau, h, n, m, s = ring.generators
    trace = s + n * tau - m  # s + t, which is d = h + n
    bound = s - (h + n) + tau * (h + n) - (m + tau * h)
    square = s * s - (1 - tau) ** 2 * (h + n) ** 2
    factors = (s - (1 - tau) * (h + n)) * (s + (1 - tau) * (h + n))
    return (
        Step(
            "s - (1 - tau) d = m + tau h where s + t = d, so it is at least 0",
            ring.is_zero(bound - (trace - (h + n))),
        ),
        Step(
            "s^2 - (1 - tau)^2 d^2 = (s - (1 - tau) d) (s + (1 - tau) d)",
            ring.is_zero(square - factors),
        ),
    )


def soft_rank_is_bounded() -> Argument:
    """h |lambda|^2 >= h q >= s^2 >= (1 - tau)^2 d^2."""
    return Argument(
        "Cauchy and Schwarz over the eigenvalues that are at least tau; the others sum to at most "
        "d tau",
        (*variance(), *rank_bounds()),
        (TERM_BY_TERM, EIGENVALUES),
        "surrogate_slack",
        ("normalised rows", "tau between 0 and 1"),
        section=31,
    )


def _counting(*, ties: bool) -> Claim:
    return Claim(
        "dkbhl20.def_softrank.b" + (".fix" if ties else ""),
        Kind.IDENTITY,
        printed("Section 2, after eq. (3)"),
        "the soft rank counts singular values" + (", repaired" if ties else ""),
        r"$\mathrm{rank}_\tau(H)$ is the number of singular values whose absolute values are "
        + (r"at least" if ties else r"greater than")
        + r" $\sqrt{N\tau}$.",
        (POSITIVE,),
        ("dkbhl20.def_softrank.a",),
        partial(count_residual, ties=ties),
        LAYERS,
        repairs="dkbhl20.def_softrank.b" if ties else None,
        exact_only=True,
    )


DEFINITION = Claim(
    "dkbhl20.def_softrank.a",
    Kind.DEFINITION,
    printed("eq. (3)"),
    "the soft rank",
    r"$\mathrm{rank}_\tau(H)=\sum_{i=1}^d\mathbf 1(\sigma_i^2/N\ge\tau)$ for $\tau>0$ and singular "
    r"values $\sigma_1,\dots,\sigma_d$ of $H$.",
)

BELOW = Claim(
    "dkbhl20.def_softrank.c",
    Kind.INEQUALITY,
    printed("Section 2, after eq. (3)"),
    "the soft rank is at most the rank",
    r"$\mathrm{rank}_\tau(H)\le\mathrm{rank}(H)$ for all matrices $H$.",
    (POSITIVE,),
    ("dkbhl20.def_softrank.a",),
    below_rank,
    LAYERS,
    exact_only=True,
)

LEMMA = Claim(
    "dkbhl20.lem1b",
    Kind.INEQUALITY,
    printed("Lemma 1, second part; Appendix B"),
    "the soft rank is at least (1 - tau)^2 r",
    r"$\mathrm{rank}_\tau(H_\ell)\ge(1-\tau)^2r(H_\ell)$ for $\tau\in[0,1]$ and $\ell\ge1$.",
    (NORMALISED, LEVEL),
    ("dkbhl20.def_softrank.a", "dkbhl20.def_r.a"),
    surrogate_slack,
    LAYERS,
    exact_only=True,
    proof=soft_rank_is_bounded,
)

STEPS = Claim(
    "dkbhl20.lem1b.steps",
    Kind.INEQUALITY,
    printed("eqs. (15)-(20), Appendix B"),
    "steps of the bound on the soft rank",
    r"With $h$ the number of the $\lambda_i\ge\tau$: $\big(\sum_{|\lambda_i|\ge\tau}|\lambda_i|"
    r"\big)^2\le h\lVert\lambda\rVert_2^2$ and $\sum_{|\lambda_i|\ge\tau}|\lambda_i|\ge\lVert"
    r"\lambda\rVert_1-d\tau\ge(1-\tau)\lVert\lambda\rVert_1$.",
    (NON_NEGATIVE, TRACE_D, LEVEL),
    ("dkbhl20.def_softrank.a",),
    steps_slack,
    SPECTRA,
    exact_only=True,
    proof=sums_are_bounded,
)

CLAIMS = (DEFINITION, _counting(ties=False), _counting(ties=True), BELOW, LEMMA, STEPS)
