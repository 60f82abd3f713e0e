"""M = (1 - c) I + c 1 1^T for every d: index sums as polynomials in c and d, and the remainder of
the series of E|M_+|_F^2 near rank one (Example 9: 1 - c = gamma^2).

An edge M_kn is c + (1 - c) [k = n]. Expanding all edges, each choice of second summands merges
vertices, and a sum over all indices counts d for each class that is left.

The remainder. Let x = e_i + gamma a, y = e_j + gamma b with rows a, b of W, s and r the sums of the
entries of x and y, and epsilon = 1 - c in [0, 1]. Then M_gamma,ij = c s r + epsilon <x, y>, and

    M_gamma,ii M_gamma,jj - M_gamma,ij^2
        = epsilon (1 - epsilon) |s y - r x|^2 + epsilon^2 (|x|^2 |y|^2 - <x, y>^2).

With D = d B and |W_kn| <= B, the coefficients of s and r in gamma are at most 1, D, and so are the
lengths of those of x and y. So with t = gamma D those of the right side are at most those of
epsilon (4 (1 - epsilon) + 2 epsilon)(1 + t)^4 <= 4 epsilon (1 + t)^4, and those of 1/M_gamma,ii at
most those of 1/(1 - t)^2 (graphs.normalised.series). Hence the n-th coefficient of 1 - g_ij is at
most 4 epsilon f_n D^n, and every remainder bound of that module holds with the factor 4 epsilon;
also for S M S with a diagonal S of signs, as S W S is in the cube with W.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

from graphs.normalised.increments import Fact
from graphs.normalised.index_sums import (
    SYMBOLS,
    Diagram,
    Sums,
    coefficient_ring,
    summed_indices,
)
from graphs.rings import Polynomial, Ring, ring_of

GENERATORS = (*SYMBOLS, "c")


@cache
def correlation_ring() -> Ring:
    """The polynomials in GENERATORS."""
    return ring_of(len(GENERATORS))


def at_equal_correlations(sums: Sums) -> Polynomial:
    """The value at M = (1 - c) I + c 1 1^T, a polynomial in GENERATORS, for every d.

    sums: without free letters and entries of W. Raises ValueError otherwise.
    """
    ring = correlation_ring()
    total = ring.constant(Fraction(0))
    for diagram, coefficient in sums.terms.items():
        total = total + _lifted(coefficient) * _diagram_value(diagram)
    return total


def _lifted(coefficient: Polynomial) -> Polynomial:
    """A coefficient of an index sum in the larger ring."""
    ring = correlation_ring()
    total = ring.constant(Fraction(0))
    for exponents, number in coefficient_ring().terms(coefficient).items():
        term = ring.constant(number)
        for generator, power in zip(ring.generators, exponents, strict=False):
            for _ in range(power):
                term = term * generator
        total = total + term
    return total


@cache
def _diagram_value(diagram: Diagram) -> Polynomial:
    vertices = summed_indices(diagram)
    if diagram.arrows or any(v not in vertices for pair in diagram.edges for v in pair):
        raise ValueError(f"{diagram} has free letters or entries of W: sum over them first")
    ring = correlation_ring()
    c, d = ring.generators[GENERATORS.index("c")], ring.generators[GENERATORS.index("d")]
    rest = ring.constant(Fraction(1)) - c
    total = ring.constant(Fraction(0))
    for merged in product((False, True), repeat=len(diagram.edges)):
        names = {v: v for v in vertices}
        term = ring.constant(Fraction(1))
        for (one, other), chosen in zip(diagram.edges, merged, strict=True):
            term = term * (rest if chosen else c)
            if chosen:
                kept, lost = names[one], names[other]
                names = {v: kept if name == lost else name for v, name in names.items()}
        for _ in set(names.values()):
            term = term * d
        total = total + term
    return total


def near_one_facts() -> list[Fact]:
    """The identity under the bound, in s, r, |x|^2, |y|^2, <x, y> and epsilon."""
    ring = ring_of(6)
    s, r, xx, yy, xy, epsilon = ring.generators
    one = ring.constant(Fraction(1))
    c = one - epsilon
    ii, jj, ij = c * s * s + epsilon * xx, c * r * r + epsilon * yy, c * s * r + epsilon * xy
    length = s * s * yy - 2 * s * r * xy + r * r * xx
    right = epsilon * c * length + epsilon * epsilon * (xx * yy - xy * xy)
    return [
        (
            "M_ii M_jj - M_ij^2 = e (1 - e) |s y - r x|^2 + e^2 (|x|^2 |y|^2 - <x, y>^2)",
            ring.is_zero(ii * jj - ij * ij - right),
        ),
        (
            "4 (1 - e) + 2 e = 4 - 2 e, at most 4 for e >= 0",
            ring.is_zero(4 * c + 2 * epsilon - (4 * one - 2 * epsilon)),
        ),
    ]
