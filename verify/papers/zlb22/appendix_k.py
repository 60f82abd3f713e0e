"""Appendix K: what is said of fixed matrices and vectors, whatever the law of the weights.

Lemma K.1 on blocks, the norm of a vector by its largest entry (proof of Lemma K.3), and the shift
parts of Lemmas K.4 and K.6 to K.8: what a displacement D of length R adds at most. These hold of
every displacement, also of one that is chosen after the weights are drawn; so each lemma holds in
the whole ball wherever it holds at the centre, by either reading of the ball phrase.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

import numpy as np

from graphs.rings import ring_of
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor as Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Matrix,
    Max,
    Number,
    Sum,
    Tensor,
    Vector,
    When,
    cols,
    diag,
    dim,
    dot,
    frob2,
    larger,
    matrix,
    norm,
    row,
    rows,
    sqrt,
    unfold,
    upto,
)
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.zlb22.sources import printed
from verify.statements.derivations.matrix_words import EVERY_SIZE, IDENTITY
from verify.statements.derivations.matrix_words import matrix as word
from verify.statements.derivations.pair_sums import TERM_BY_TERM, lagrange
from verify.statements.derivations.spectral_steps import gram_is_symmetric, root
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE
from verify.statements.derivations.symbols import SQUARES, TWO_INDICES
from verify.statements.stated import Given, pool_with, stated

# Lemma K.1: blocks --------------------------------------------------------------------------------
BLOCKED, P, Q = Matrix("A", "m", "n"), Matrix("P", "I", "m"), Matrix("Q", "J", "n")
"""A matrix, and sets of its rows and of its columns: rows of zeros and ones."""


def block(i: Term, j: Term) -> Term:
    """What the i-th set of rows and the j-th set of columns have in common, the rest put to 0."""
    return diag(row(P, i)) @ BLOCKED @ diag(row(Q, j))


BY_BLOCKS = norm(BLOCKED) <= Sum(
    upto(rows(P)), lambda i: Sum(upto(rows(Q)), lambda j: norm(block(i, j)))
)


def in_one_set(sets: Term) -> Term:
    """Whether each index lies in exactly one of these."""

    def once(k: Term) -> Term:
        sets_of_k = upto(rows(sets))
        marked = Each(sets_of_k, lambda i: (sets[i, k] == 0) | (sets[i, k] == 1))
        return marked & (Sum(sets_of_k, lambda i: sets[i, k]) == 1)

    return Each(upto(cols(sets)), once)


def _columns(array: Entries) -> list[list[Fraction]]:
    """For each index its memberships."""
    sets, length = array.shape
    return [[array.entries[s * length + k] for s in range(sets)] for k in range(length)]


def _from_columns(array: Entries, columns: list[list[Fraction]]) -> Entries:
    lines = zip(*columns, strict=True)
    return replace(array, entries=tuple(x for line in lines for x in line), held=True)


def _partition(case: Tensors, random: Random) -> Tensors:
    """Every index in one set: the one that it is in, where there is just one."""
    for name in ("P", "Q"):
        array = case.arrays[name]
        made = []
        for column in _columns(array):
            good = sorted(column) == [0] * (len(column) - 1) + [1]
            place = random.randrange(len(column))
            unit = [Fraction(int(k == place)) for k in range(len(column))]
            made.append(column if good else unit)
        case = case.changing(**{name: _from_columns(array, made)})
    return case


def _missing_or_twice(case: Tensors, random: Random) -> Tensors:
    """One index in no set, or in every set."""
    name = random.choice(("P", "Q"))
    columns = _columns(case.arrays[name])
    place = random.randrange(len(columns))
    columns[place] = [Fraction(random.choice((0, 0, 1)))] * len(columns[place])
    return case.changing(**{name: _from_columns(case.arrays[name], columns)})


PARTITION = Given(
    "blocks partition",
    in_one_set(P) & in_one_set(Q),
    r"the blocks partition the rows and the columns",
    _partition,
    _missing_or_twice,
)


def blocks_by_splitting() -> Argument:
    """Cutting the rows, or the columns, of one block into two adds to the sum."""
    whole, kept = word("B"), word("D", symmetric=True)
    rest = IDENTITY - kept
    by_rows = kept @ whole + rest @ whole
    by_columns = whole @ kept + whole @ rest
    both = (kept + rest) @ whole @ (kept + rest)
    return Argument(
        "for a diagonal D of zeros and ones B = D B + (1 - D) B, so |B| is at most the sum of the "
        "norms of its upper and lower part, and likewise of its left and right part; every "
        "partition is reached from the whole matrix by such cuts",
        (
            Step("D B + (1 - D) B = B", (by_rows - whole).is_zero),
            Step("B D + B (1 - D) = B", (by_columns - whole).is_zero),
            Step("the four parts together are B", (both - whole).is_zero),
        ),
        (
            EVERY_SIZE,
            "the triangle inequality of the spectral norm",
            "rows and columns of zeros do not change a spectral norm",
        ),
        uses=(PARTITION.name,),
        section="docs/mathematics/zlb22.md#elementary-bounds",
    )


# Lemma K.3: incoming neurons ----------------------------------------------------------------------
F = Vector("f", "n")
LARGEST = Max(upto(dim(F)), lambda i: abs(F[i]))
BY_LARGEST = norm(F) <= sqrt(dim(F)) * LARGEST


def norm_by_largest() -> Argument:
    """n M - sum f_i^2 = sum (M - f_i^2), by one more entry at a time."""
    ring = ring_of(4)
    count, most, total, entry = ring.generators
    more = (count + 1) * most - (total + entry * entry)
    parts = (count * most - total) + (most - entry * entry)
    return Argument(
        "each entry adds M - f_i^2 to n M - |f|^2, which is at least 0 for the largest square M",
        (Step("(n + 1) M - (s + f^2) = (n M - s) + (M - f^2)", ring.is_zero(more - parts)),),
        ("induction over the entries", "roots keep the order"),
        uses=(),
        section="docs/mathematics/zlb22.md#elementary-bounds",
    )


# displacements ------------------------------------------------------------------------------------
R = Number("R")


def _square(case: Tensors) -> Fraction:
    return sum((x * x for x in case.arrays["D"].entries), Fraction(0))


def _inside(case: Tensors) -> bool:
    return case.number("R") >= 0 and case.number("R") ** 2 >= _square(case)


def _with_radius(case: Tensors, radius: Fraction) -> Tensors:
    return case.changing(R=replace(case.arrays["R"], entries=(radius,)))


def _to_the_boundary(case: Tensors, random: Random) -> Tensors:
    """R as small as may be, on a grid: a radius that is met or little above the length."""
    if _inside(case):
        return case
    square = _square(case)
    found = Fraction(isqrt(square.numerator * square.denominator), square.denominator)
    grid = Fraction(1, 16)
    radius = found if found * found == square else (found // grid + 1) * grid
    while radius * radius < square:
        radius += grid
    return _with_radius(case, radius)


def _smaller_radius(case: Tensors, random: Random) -> Tensors:
    """Less than the length of the displacement, which is not 0."""
    if not _square(case):
        array = case.arrays["D"]
        case = case.changing(D=replace(array, entries=(Fraction(1),) * len(array.entries)))
    case = _to_the_boundary(_with_radius(case, Fraction(0)), random)
    return _with_radius(case, case.number("R") * Fraction(random.randint(0, 3), 8))


def in_ball(displacement: Term) -> Given:
    """|D| <= R, in squares: frob2(D) is |D|^2, and R is not below 0."""
    return Given(
        "displacement in the ball",
        (R >= 0) & (frob2(displacement) <= R**2),
        r"the displacement $\Delta$ (`D`) has $\lVert\Delta\rVert\le R$, for an array of vectors "
        "in the Frobenius norm",
        _to_the_boundary,
        _smaller_radius,
    )


# Lemma K.4 ----------------------------------------------------------------------------------------
a, w, d = Vector("a", "n"), Vector("w", "n"), Vector("D", "n")
SIGN = When(dot(a, w) >= 0, 1, -1)
AT_CENTRE = abs(dot(a, w))
FARTHEST = dot(a, w) * norm(a) + SIGN * R * norm(a) ** 2  # |a| a.(w + Delta), Delta = +-R a/|a|
SUPREMUM = (abs(dot(a, w + d)) <= AT_CENTRE + R * norm(a)) & (
    abs(FARTHEST) >= (AT_CENTRE + R * norm(a)) * norm(a)
)


def supremum_by_cauchy() -> Argument:
    """Cauchy and Schwarz, with its case of equality."""
    ring = ring_of(3)
    form, length, radius = ring.generators
    at_end = form * length + radius * length * length
    return Argument(
        "|a.(w0 + Delta)| <= |a.w0| + |a.Delta|, and |a.Delta| <= |a| |Delta| by Cauchy and "
        "Schwarz; at Delta = R a/|a|, with the sign of a.w0, the terms add up",
        (
            *lagrange(),
            Step(
                "|a| a.(w0 + R a/|a|) = (a.w0 + R |a|) |a|",
                ring.is_zero(at_end - (form + radius * length) * length),
            ),
        ),
        (TERM_BY_TERM, SQUARES, "the triangle inequality"),
        uses=("displacement in the ball",),
        section="docs/mathematics/zlb22.md#a-gaussian-linear-form",
    )


# Lemma K.7 ----------------------------------------------------------------------------------------
MAP, MOVED = Matrix("A", "m", "n"), Vector("D", "n")
PRODUCT = norm(MAP @ MOVED) <= R * norm(MAP)


def product_by_rayleigh(proof: Proof) -> None:
    """|A D|^2 = D.(A^T A) D <= |A|^2 |D|^2 <= |A|^2 R^2."""
    ball = proof.given["displacement in the ball"]
    radius, length = proof.part(ball, 0), proof.part(ball, 1)
    gram = MAP.T @ MAP
    high, _ = proof.lemma("rayleigh", gram_is_symmetric(proof, gram), S=gram, x=MOVED)
    square, positive = proof.lemma("norm", M=MAP)
    moved, _ = proof.lemma("norm of a vector", x=MAP @ MOVED)
    bound = proof.algebra(R * norm(MAP) >= 0, {(radius, positive): 1})
    squared = proof.algebra(
        norm(MAP @ MOVED) ** 2 <= (R * norm(MAP)) ** 2,
        {high: 1, (length, positive, positive): 1, square: dot(MOVED, MOVED), moved: -1},
    )
    root(proof, squared, bound)


# Lemma K.6 ----------------------------------------------------------------------------------------
MATRICES, COLUMNS = Tensor("A", "n", "q", "N"), Matrix("D", "n", "N")


def slice_of(stack: Term, i: Term) -> Term:
    """The i-th matrix of a stack: the i-th row of the first unfolding holds its rows in order."""
    width, flat = rows(unfold(stack, 3)), unfold(stack, 1)
    return matrix(rows(unfold(stack, 2)), width, lambda k, j: flat[i, (k - 1) * width + j])


TOGETHER = matrix(
    rows(unfold(MATRICES, 2)),
    rows(COLUMNS),
    lambda k, i: (slice_of(MATRICES, i) @ row(COLUMNS, i))[k],
)
BY_COLUMNS = norm(TOGETHER) <= R * Max(upto(rows(COLUMNS)), lambda i: norm(slice_of(MATRICES, i)))
ATTAINED = 0.25  # the share of draws in which the bound on columns is attained


@dataclass(frozen=True)
class ColumnsPool(TensorPool):
    """Matrices and displacements. In some draws only one column is displaced, along the leading
    direction of its matrix, the largest one: there the bound is attained."""

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        case = super().draw(random, n=n, loss=loss, large=large)
        return attained(case, random) if random.random() < ATTAINED else case


def attained(case: Tensors, random: Random) -> Tensors:
    """A_i = v e_1^T, Delta_i = d e_1 with |d| = R for one i; smaller matrices elsewhere."""
    array, moves = case.arrays["A"], case.arrays["D"]
    (count, height, width), zero = array.shape, Fraction(0)
    i = random.randrange(count)
    own = [Fraction(random.randint(1, 4)) for _ in range(height)]  # |v| >= 1
    least = Fraction(1, 1 + sum(int(abs(x)) + 1 for x in array.entries))  # below 1 in all norms
    entries = []
    for place, entry in enumerate(array.entries):
        k, inside = divmod(place, height * width)
        line, column = divmod(inside, width)
        entries.append(entry * least if k != i else zero if column else own[line])
    length = Fraction(random.randint(1, 8), 4)
    along = [length if place == i * width else zero for place in range(count * width)]
    return case.changing(
        A=replace(array, entries=tuple(entries)),
        D=replace(moves, entries=tuple(along)),
        R=replace(case.arrays["R"], entries=(length,)),
    )


def columns_by_cauchy() -> Argument:
    """|sum v_i A_i Delta_i| <= max |A_i| sum |v_i| |Delta_i|."""
    return Argument(
        "|M v| = |sum v_i A_i Delta_i| is at most max |A_i| sum |v_i| |Delta_i|, and that sum at "
        "most |v| |Delta|_F by Cauchy and Schwarz",
        lagrange(),
        (TERM_BY_TERM, SQUARES, "the triangle inequality", "|A x| <= |A| |x|"),
        uses=("displacement in the ball",),
        section="docs/mathematics/zlb22.md#shifts",
    )


# Lemma K.8 ----------------------------------------------------------------------------------------
TERMS, MOVES = Tensor("A", "n", "p", "q"), Vector("D", "n")
NUMBERS = upto(dim(MOVES))


def over_terms(summand: Callable[[Term, Term], Term]) -> Term:
    """A sum over k of what is made of A_k and Delta_k."""
    return Sum(NUMBERS, lambda k: summand(slice_of(TERMS, k), MOVES[k]))


VARIANCE = larger(
    norm(over_terms(lambda one, _: one @ one.T)), norm(over_terms(lambda one, _: one.T @ one))
)
BY_VARIANCE = norm(over_terms(lambda one, move: move * one)) <= R * sqrt(VARIANCE)


def series_as_product() -> Argument:
    """sum Delta_k A_k = [A_1 ... A_n] (Delta x I), for two matrices of two rows and columns."""
    ring = ring_of(10)
    zero = ring.generators[0] * 0
    x, y, *entries = ring.generators
    one, other = _square_of(entries[:4]), _square_of(entries[4:])
    unit = _square_of([zero + 1, zero, zero, zero + 1])

    def scaled(entries: np.ndarray, factor: Any) -> np.ndarray:
        return _square_of([entry * factor for entry in entries.flat])

    beside, spread = np.hstack([one, other]), np.vstack([scaled(unit, x), scaled(unit, y)])

    def equal(text: str, left: Any, right: Any) -> Step:
        return Step(text, all(ring.is_zero(entry) for entry in (left - right).flat))

    return Argument(
        "with B = [A_1 ... A_n] and K = Delta x I the sum is B K, so at most |B| |K| in norm; "
        "|B|^2 = |sum A_k A_k^T| is at most nu, and K^T K = |Delta|^2 I",
        (
            equal("B K = sum Delta_k A_k", beside @ spread, scaled(one, x) + scaled(other, y)),
            equal("K^T K = |Delta|^2 I", spread.T @ spread, scaled(unit, x * x + y * y)),
            equal("B B^T = sum A_k A_k^T", beside @ beside.T, one @ one.T + other @ other.T),
        ),
        (TWO_INDICES, EVERY_SHAPE, "|B K| <= |B| |K|, and |B|^2 = |B B^T|"),
        uses=("displacement in the ball",),
        section="docs/mathematics/zlb22.md#shifts",
    )


def _square_of(entries: list[Any]) -> np.ndarray:
    found = np.empty((2, 2), dtype=object)
    for place, entry in enumerate(entries):
        found[divmod(place, 2)] = entry
    return found


# the statements -----------------------------------------------------------------------------------
ADDED = "what the shift adds"
CLAIMS: tuple[Claim, ...] = (
    stated(
        "zlb22.lemK.1",
        printed("Lemma K.1"),
        "spectral norm and blocks",
        r"The spectral norm of a matrix is at most the sum of the spectral norms of its blocks: "
        r"$\lVert A\rVert\le\sum_{i,j}\lVert A_{ij}\rVert$.",
        BY_BLOCKS,
        (PARTITION,),
        pool=pool_with(BLOCKED, P, Q, largest=3, adapt=_partition),
        proof=blocks_by_splitting,
    ),
    stated(
        "zlb22.lemK.3.norm",
        printed("proof of Lemma K.3"),
        "norm of the incoming neurons by the largest one",
        r"$\lVert f_{S^{(\ell)}_k}\rVert\le\sqrt{m^{(\ell)}_k}\,\max_i|f_i|$.",
        BY_LARGEST,
        proof=norm_by_largest,
    ),
    stated(
        "zlb22.lemK.4.sup",
        printed("Lemma K.4, eq. (44)"),
        "largest linear form in a ball",
        r"$\sup_{w\in\mathsf B(w_0,R)}|a^Tw|=|a^Tw_0|+R\lVert a\rVert$: no "
        r"$w=w_0+\Delta$ has more, and $\Delta=\pm Ra/\lVert a\rVert$ has as much.",
        SUPREMUM,
        (in_ball(d),),
        proof=supremum_by_cauchy,
    ),
    stated(
        "zlb22.lemK.6.shift",
        printed("Lemma K.6, eq. (46)"),
        ADDED,
        r"$\lVert[A_1\Delta w_1,\dots,A_n\Delta w_n]\rVert\le R\max_i\lVert A_i\rVert$ for "
        r"$\lVert\Delta W\rVert_F\le R$ (columns $\Delta w_i$ in the rows of `D`).",
        BY_COLUMNS,
        (in_ball(COLUMNS),),
        pool=ColumnsPool((("A", ("n", "q", "N")), ("D", ("n", "N")), ("R", ())), (), 3),
        proof=columns_by_cauchy,
    ),
    stated(
        "zlb22.lemK.7.shift",
        printed("Lemma K.7, eq. (47)"),
        ADDED,
        r"$\lVert A\Delta\rVert\le R\lVert A\rVert$ for $\lVert\Delta\rVert\le R$.",
        PRODUCT,
        (in_ball(MOVED),),
        pool=pool_with(MAP, MOVED, R, largest=3),
        proofs=[product_by_rayleigh],
    ),
    stated(
        "zlb22.lemK.8.shift",
        printed("Lemma K.8, eqs (48) to (50)"),
        ADDED,
        r"$\lVert\sum_k\Delta_kA_k\rVert\le R\sqrt\nu$ for $\lVert\Delta\rVert\le R$, "
        r"$\nu=\max(\lVert\sum_kA_kA_k^T\rVert,\lVert\sum_kA_k^TA_k\rVert)$.",
        BY_VARIANCE,
        (in_ball(MOVES),),
        pool=pool_with(TERMS, MOVES, R, largest=3),
        proof=series_as_product,
    ),
)
