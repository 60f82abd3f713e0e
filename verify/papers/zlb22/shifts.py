"""The shift parts of Lemmas K.4 and K.6 to K.8: what a displacement of length R adds at most.

They are inequalities between norms, of every displacement: also of one that is chosen after the
weights are drawn. So each lemma holds in the whole ball wherever it holds at the centre, by either
reading of the ball phrase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import Array
from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.deep_scene import RealScene, as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.dkbhl20.pair_sums import TERM_BY_TERM, lagrange
from verify.papers.dkbhl20.symbols import SQUARES, TWO_INDICES
from verify.papers.lj22.gram_proofs import EVERY_SHAPE
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries


# displacements ------------------------------------------------------------------------------------
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
    root = Fraction(isqrt(square.numerator * square.denominator), square.denominator)
    grid = Fraction(1, 16)
    radius = root if root * root == square else (root // grid + 1) * grid
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


IN_BALL = Hypothesis(
    "displacement in the ball",
    r"the displacement $\Delta$ (`D`) has $\lVert\Delta\rVert\le R$, for an array of vectors in "
    "the Frobenius norm",
    by_case(_inside),
    _to_the_boundary,
    _smaller_radius,
)


def _longest(scene: RealScene, matrices: list[Array]) -> Array:
    """(C,): the largest operator norm."""
    norms = [scene.operator_norm(one) for one in matrices]
    found = norms[0]
    for norm in norms[1:]:
        found = _larger(scene, found, norm)
    return found


def _larger(scene: RealScene, one: Array, other: Array) -> Array:
    if scene.plain_floats:
        return scene.arithmetic.maximum(one, other)
    values: Array = one.copy()
    for k, pair in enumerate(zip(one, other, strict=True)):
        values[k] = reals.larger(*pair)
    return values


def _length(scene: RealScene, vectors: Array) -> Array:
    """(C,) of (C, n)."""
    return scene.sqrt((vectors * vectors).sum(1))


def _times(matrices: Array, vectors: Array) -> Array:
    """(C, m) of (C, m, n) and (C, n)."""
    count, _, n = matrices.shape
    return (matrices @ vectors.reshape(count, n, 1)).reshape(count, -1)


# Lemma K.4 ----------------------------------------------------------------------------------------
def supremum(scene: RealScene) -> Entries:
    """|a.w0| + R |a| against |a.(w0 + Delta)|, and against its value at Delta = +-R a/|a|, times
    |a|, where nothing is to be left."""
    a, w, shift, radius = scene["a"], scene["w"], scene["D"], scene["R"]
    at_centre, length = (a * w).sum(1), _length(scene, a)
    most = abs(at_centre) + radius * length
    moved = abs(at_centre + (a * shift).sum(1))
    signs = scene.numbers([1 if _form(c) >= 0 else -1 for c in scene.cases])
    farthest = at_centre * length + signs * radius * (a * a).sum(1)
    return scene.parts(
        [
            ({"part": "bound"}, most, moved),
            ({"part": "attained"}, abs(farthest), most * length),
        ]
    )


def _form(case: Tensors) -> Fraction:
    """a.w0 of one instance."""
    pairs = zip(case.arrays["a"].entries, case.arrays["w"].entries, strict=True)
    return sum((x * y for x, y in pairs), Fraction(0))


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
        "supremum",
        (IN_BALL.name,),
        section=42,
    )


# Lemma K.7 ----------------------------------------------------------------------------------------
def product_shift(scene: RealScene) -> Entries:
    """R |A| - |A Delta|."""
    moved = _length(scene, _times(scene["A"], scene["D"]))
    return scene.compare(scene["R"] * scene.operator_norm(scene["A"]), moved)


def by_definition() -> Argument:
    """A x for x = Delta / |Delta|."""
    ring = ring_of(3)
    norm, length, radius = ring.generators
    gap = radius * norm - length * norm
    return Argument(
        "|A Delta| is at most |A| |Delta|, which is what the spectral norm is, and R |A| - |Delta| "
        "|A| = (R - |Delta|) |A| is at least 0",
        (Step("R |A| - |D| |A| = (R - |D|) |A|", ring.is_zero(gap - (radius - length) * norm)),),
        ("the spectral norm is the largest |A x| over |x| = 1",),
        "product_shift",
        (IN_BALL.name,),
        section=42,
    )


# Lemma K.6 ----------------------------------------------------------------------------------------
ATTAINED = 0.25  # the share of draws in which the bound on columns is attained


def columns_shift(scene: RealScene) -> Entries:
    """R max_i |A_i| - |[A_1 Delta_1, ..., A_n Delta_n]|."""
    parts = [scene["A"][:, i] for i in range(scene.lengths["n"])]
    columns = [_times(part, scene["D"][:, i]) for i, part in enumerate(parts)]
    together = scene.beside(*(column.reshape(*column.shape, 1) for column in columns))
    return scene.compare(scene["R"] * _longest(scene, parts), scene.operator_norm(together))


@dataclass(frozen=True)
class ColumnsPool(TensorPool):
    """Matrices and displacements. In some draws only one column is displaced, along the leading
    direction of its matrix, the largest one: there the bound is attained."""

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        case = super().draw(random, n=n, loss=loss, large=large)
        return as_real(attained(case, random), random) if random.random() < ATTAINED else case


def attained(case: Tensors, random: Random) -> Tensors:
    """A_i = v e_1^T, Delta_i = d e_1 with |d| = R for one i; smaller matrices elsewhere."""
    array, moves = case.arrays["A"], case.arrays["D"]
    (count, rows, columns), zero = array.shape, Fraction(0)
    i = random.randrange(count)
    own = [Fraction(random.randint(1, 4)) for _ in range(rows)]  # |v| >= 1
    least = Fraction(1, 1 + sum(int(abs(x)) + 1 for x in array.entries))  # below 1 in all norms
    entries = []
    for place, entry in enumerate(array.entries):
        k, inside = divmod(place, rows * columns)
        row, column = divmod(inside, columns)
        entries.append(entry * least if k != i else zero if column else own[row])
    length = Fraction(random.randint(1, 8), 4)
    along = [length if place == i * columns else zero for place in range(count * columns)]
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
        "columns_shift",
        (IN_BALL.name,),
        section=42,
    )


# Lemma K.8 ----------------------------------------------------------------------------------------
def series_shift(scene: RealScene) -> Entries:
    """R sqrt(nu) - |sum_k Delta_k A_k|; sum_k A_k A_k^T is the square of the A_k side by side, and
    sum_k A_k^T A_k that of the A_k one above the other."""
    parts = [scene["A"][:, k] for k in range(scene.lengths["n"])]
    beside, above = scene.beside(*parts), scene.above(*parts)
    root = _larger(scene, scene.operator_norm(beside), scene.operator_norm(above))
    count = len(scene.cases)
    total = parts[0] * scene["D"][:, 0].reshape(count, 1, 1)
    for k, part in enumerate(parts[1:], 1):
        total = total + part * scene["D"][:, k].reshape(count, 1, 1)
    return scene.compare(scene["R"] * root, scene.operator_norm(total))


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
        "series_shift",
        (IN_BALL.name,),
        section=42,
    )


def _square_of(entries: Sequence[Any]) -> np.ndarray:
    found = np.empty((2, 2), dtype=object)
    for place, entry in enumerate(entries):
        found[divmod(place, 2)] = entry
    return found


# claims -------------------------------------------------------------------------------------------
def _pool(*arrays: tuple[str, tuple[str, ...]], largest: int = 4) -> TensorPool:
    return TensorPool((*arrays, ("R", ())), largest=largest, adapt=as_real)


def _claim(
    name: str,
    where: str,
    title: str,
    statement: str,
    measure: Callable[[RealScene], Entries],
    pool: TensorPool,
    proof: Callable[[], Argument],
) -> Claim:
    return Claim(
        f"zlb22.{name}",
        Kind.INEQUALITY,
        printed(where),
        title,
        statement,
        (IN_BALL,),
        measure=measure,
        pool=pool,
        exact_only=True,
        floats=True,
        proof=proof,
    )


CLAIMS = (
    _claim(
        "lemK.4.sup",
        "Lemma K.4, eq. (44)",
        "largest linear form in a ball",
        r"$\sup_{w\in\mathsf B(w_0,R)}|a^Tw|=|a^Tw_0|+R\lVert a\rVert$: no "
        r"$w=w_0+\Delta$ has more, and $\Delta=\pm Ra/\lVert a\rVert$ has as much.",
        supremum,
        _pool(("a", ("n",)), ("w", ("n",)), ("D", ("n",))),
        supremum_by_cauchy,
    ),
    _claim(
        "lemK.6.shift",
        "Lemma K.6, eq. (46)",
        "what the shift adds",
        r"$\lVert[A_1\Delta w_1,\dots,A_n\Delta w_n]\rVert\le R\max_i\lVert A_i\rVert$ for "
        r"$\lVert\Delta W\rVert_F\le R$ (columns $\Delta w_i$ in the rows of `D`).",
        columns_shift,
        ColumnsPool((("A", ("n", "q", "N")), ("D", ("n", "N")), ("R", ())), (), 3, as_real),
        columns_by_cauchy,
    ),
    _claim(
        "lemK.7.shift",
        "Lemma K.7, eq. (47)",
        "what the shift adds",
        r"$\lVert A\Delta\rVert\le R\lVert A\rVert$ for $\lVert\Delta\rVert\le R$.",
        product_shift,
        _pool(("A", ("m", "n")), ("D", ("n",)), largest=3),
        by_definition,
    ),
    _claim(
        "lemK.8.shift",
        "Lemma K.8, eqs (48) to (50)",
        "what the shift adds",
        r"$\lVert\sum_k\Delta_kA_k\rVert\le R\sqrt\nu$ for $\lVert\Delta\rVert\le R$, "
        r"$\nu=\max(\lVert\sum_kA_kA_k^T\rVert,\lVert\sum_kA_k^TA_k\rVert)$.",
        series_shift,
        _pool(("A", ("n", "p", "q")), ("D", ("n",)), largest=3),
        series_as_product,
    ),
)
