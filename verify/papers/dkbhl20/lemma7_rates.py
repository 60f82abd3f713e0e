"""Lemma 7 along a ladder of strengths: the remainder, from exact averages over finite laws.

Finite laws have no density; the argument for Lemma 7 says that none is needed. Nothing is drawn: a
seed is the number of a rational M with unit diagonal, the same at every strength, and sums over all
rows of W give E|M_+|_F^2 as a rational.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.normalised.expectations import Rows, independent_entries, mean_frobenius
from graphs.normalised.laws import FiniteLaw, asymmetric, rademacher, three_points
from verify.claim import Claim, Kind
from verify.normalised_pool import Rows as Matrix
from verify.normalised_pool import dot, onto_sphere
from verify.papers.dkbhl20.increments import frobenius_change
from verify.papers.dkbhl20.sources import printed
from verify.rate import Claimed, Rate

WIDTH = 3
EVERY = range(WIDTH)
TABLE: dict[str, FiniteLaw] = {
    "W-R": rademacher(),
    "W-3(2)": three_points(2),
    "W-ASYM": asymmetric(),
}
ORDERS = {"W-R": 2, "W-3(2)": 2, "W-ASYM": 1}  # of gamma; a symmetric law has m_3 = 0


@cache
def rows_of_law(name: str) -> Rows:
    """All rows of W and their probabilities."""
    return independent_entries(TABLE[name], WIDTH)


def numbered_moment(number: int) -> Matrix:
    """(d, d): M(H) of an H with d rows of norm sqrt(d), in scattered rational directions."""
    rows = [
        onto_sphere([Fraction((number * (2 * i + 3 * j + 1) + i * j + i) % 7 - 3) for j in EVERY])
        for i in EVERY
    ]
    return [[dot(one, other) / WIDTH for other in rows] for one in rows]


def remainder(moments: Matrix, name: str, gamma: Fraction) -> Fraction:
    """R(gamma) = (E|M_+|_F^2 - |M|_F^2)/gamma^2 - delta_F(M), exactly."""
    after = as_fraction(mean_frobenius(moments, rows_of_law(name), gamma))
    before = sum((dot(row, row) for row in moments), Fraction(0))
    return (after - before) / gamma**2 - frobenius_change(moments)


def remainders(size: int, seeds: int, rng: np.random.Generator) -> Mapping[str, np.ndarray]:
    """|R(1/size)| for each law, (S,) float64."""
    numbered = [numbered_moment(number) for number in range(1, seeds + 1)]
    return {
        name: np.array([float(abs(remainder(m, name, Fraction(1, size)))) for m in numbered])
        for name in TABLE
    }


CLAIMS = (
    Claim(
        "dkbhl20.lem7.rate",
        Kind.RATE,
        printed("Lemma 7, eq. (43)"),
        "the order of the remainder",
        r"$\big(\mathbb E_W\lVert M_+\rVert_F^2-\lVert M\rVert_F^2\big)/\gamma^2-\delta_F(M)"
        r"=O(\gamma)$: a power of $1/\gamma$ of exponent at most $-1$, for symmetric laws $-2$.",
        depends=("dkbhl20.lem7",),
        rate=Rate(
            "1/gamma",
            ((256, 512, 1024), (512, 1024, 2048, 4096), (512, 1024, 2048, 4096, 8192, 16384)),
            (5, 5, 5),
            remainders,
            tuple(
                Claimed(name, None, Fraction(-order), Fraction(1, 10))
                for name, order in ORDERS.items()
            ),
            (
                f"exact averages over all rows of W, d = {WIDTH}",
                "five matrices M with unit diagonal",
            ),
        ),
    ),
)
