"""What the proof of Theorem 15 takes from matrices: pseudo-determinants of products, and the
inequality for a general matrix.

An instance of the latter is the matrix A = U S V^T together with its thin SVD, in rational numbers:
U and V have as many columns as A has rank.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import Array, as_fraction
from graphs.rationals import RATIONALS
from graphs.reals import image_projection
from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.deep_pool import gaussian, rotation
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_measures import total
from verify.real_arrays import RealScene, as_real
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

PROOF = "proof of Theorem 15"


def _matrix(case: Tensors, name: str) -> np.ndarray:
    array = case.arrays[name]
    entries: np.ndarray = RATIONALS.array(list(array.entries)).reshape(array.shape)
    return entries


def _changed(case: Tensors, **matrices: Any) -> Tensors:
    """Other entries, of the same axes; their lengths may differ."""
    arrays = {}
    for name, rows in matrices.items():
        flat = np.asarray(rows, dtype=object)
        entries = tuple(as_fraction(entry) for entry in flat.reshape(-1))
        arrays[name] = Tensor(case.arrays[name].axes, flat.shape, entries)
    return case.changing(**arrays)


def _random_matrix(rows: int, columns: int, random: Random) -> np.ndarray:
    flat = [gaussian(random) for _ in range(rows * columns)]
    entries: np.ndarray = RATIONALS.array(flat).reshape(rows, columns)
    return entries


# pseudo-determinants of products ------------------------------------------------------------------
def product_residual(scene: RealScene) -> Entries:
    """|A B|_+^2 minus |A|_+^2 |B|_+^2."""
    a, b = scene["A"], scene["B"]
    size = scene.pseudo_determinant_squared
    return scene.compare(size(a @ b), size(a) * size(b))


def _same_space(case: Tensors) -> bool:
    a, b = _matrix(case, "A"), _matrix(case, "B")
    return bool((image_projection(a.T) == image_projection(b)).all())


def _to_same_space(case: Tensors, random: Random) -> Tensors:
    """B becomes A^T C, or A becomes C B^T, with a random C."""
    if _same_space(case):
        return case
    a, b = _matrix(case, "A"), _matrix(case, "B")
    c = _random_matrix(a.shape[0], b.shape[1], random)
    if b.shape[1] >= a.shape[0]:
        return _changed(case, B=a.T @ c)
    return _changed(case, A=c @ b.T)


def _to_other_space(case: Tensors, random: Random) -> Tensors:
    """The image of B is turned, or grows or shrinks."""
    rows, columns = _matrix(case, "B").shape
    turned = _changed(case, B=_random_matrix(rows, columns, random))
    if not _same_space(turned):
        return turned
    b = _matrix(turned, "B").copy()
    b[-1] = b[-1] * 0
    return _changed(case, B=b)


ROW_SPACE = Hypothesis(
    "Im A^T = Im B",
    r"the preimage of $A$ matches the image of $B$: $\mathrm{Im}A^T=\mathrm{Im}B$",
    by_case(_same_space),
    _to_same_space,
    _to_other_space,
)


PDET = Claim(
    "j23.thm6.pdet@A",
    Kind.IDENTITY,
    printed(f"{PROOF}, before the second display"),
    "pseudo-determinant of a product",
    r"If the preimage of $A$ matches the image of $B$ then $|AB|_+=|A|_+|B|_+$.",
    (ROW_SPACE,),
    measure=product_residual,
    pool=TensorPool((("A", ("m", "n")), ("B", ("n", "r"))), largest=4, adapt=as_real),
    reading="A",
    reading_text=r"the preimage of $A$ is $\mathrm{Im}A^T$",
    exact_only=True,
)


# the inequality for a general matrix --------------------------------------------------------------
def _orthonormal(matrix: np.ndarray) -> bool:
    return bool((matrix.T @ matrix == RATIONALS.array(np.eye(matrix.shape[1], dtype=int))).all())


def _is_svd(case: Tensors) -> bool:
    u, v, s = (_matrix(case, name) for name in "UVS")
    return _orthonormal(u) and _orthonormal(v) and bool((s > 0).all())


def _value(random: Random) -> Fraction:
    """A singular value between 10^-6 and 10^6, often near 1."""
    if random.random() < 0.5:
        return 1 + Fraction(random.randint(-8, 8), 32)
    share = Fraction(random.randint(1, 40), random.randint(1, 40))
    return share * Fraction(10) ** random.randint(-4, 4)


def _columns(size: int, count: int, random: Random) -> np.ndarray:
    turned = RATIONALS.array(rotation(size, random)) @ RATIONALS.array(rotation(size, random))
    columns: np.ndarray = turned[:, :count]
    return columns


def _to_svd(case: Tensors, random: Random) -> Tensors:
    if _is_svd(case):
        return case
    lengths = case.lengths
    count = min(lengths["m"], lengths["n"], lengths["r"])
    values = [_value(random) for _ in range(count)]
    return _changed(
        case,
        U=_columns(lengths["m"], count, random),
        V=_columns(lengths["n"], count, random),
        S=RATIONALS.array(values),
    )


THIN = Hypothesis("thin SVD", r"$A=USV^T$ is a thin SVD of $A$", by_case(_is_svd), _to_svd)


def _composed(scene: RealScene) -> Array:
    """(C, m, n): A = U S V^T."""
    u, s = scene["U"], scene["S"]
    return (u * s.reshape(len(scene.cases), 1, s.shape[1])) @ scene.transpose(scene["V"])


def _values(scene: RealScene) -> list[Array]:
    """(C,) each: the singular values."""
    s = scene["S"]
    return [s[:, i] for i in range(s.shape[1])]


def logarithm_residual(scene: RealScene) -> Entries:
    """|A|_F^2 - Rank A - 2 log|A|_+ minus the sum of s^2 - 1 - 2 log s, twice the logarithms of the
    singular values added to both: one logarithm of a quotient, so that equality is exact."""
    matrix, values = _composed(scene), _values(scene)
    squares = [s * s for s in values]
    product = squares[0]
    for square in squares[1:]:
        product = product * square
    zero = scene.numbers(scene.arithmetic.may_be_zero(product).astype(int).tolist())
    quotient = scene.pseudo_determinant_squared(matrix) / (product + zero)  # 0 is no thin SVD
    rank = scene.numbers(scene.rank_of(matrix).tolist())
    left = scene.frobenius_squared(matrix) - rank - scene.log(quotient)
    return scene.compare(left, total(squares) - scene.constant(len(values)))


def logarithm_slack(scene: RealScene) -> Entries:
    """The sum of s^2 - 1 - 2 log s minus that of s^2 - 1 - 2 (s - 1)."""
    values = _values(scene)
    twice = [scene.share(scene.log(s), 2) for s in values]
    plain = [scene.share(s - scene.constant(1), 2) for s in values]
    squares = [s * s - scene.constant(1) for s in values]
    return scene.compare(total(squares) - total(twice), total(squares) - total(plain))


def squares_residual(scene: RealScene) -> Entries:
    """The sum of s^2 - 1 - 2 (s - 1) minus that of (s - 1)^2."""
    one = scene.constant(1)
    left = [s * s - one - scene.share(s - one, 2) for s in _values(scene)]
    return scene.compare(total(left), total([(s - one) * (s - one) for s in _values(scene)]))


def distance_residual(scene: RealScene) -> Entries:
    """The sum of (s_i - 1)^2 over i up to the rank, minus |A - U V^T|_F^2."""
    one, zero = scene.constant(1), scene.constant(0)
    terms = []
    for s in _values(scene):
        counts = scene.numbers([int(case) for case in ~scene.arithmetic.may_be_zero(s)])
        terms.append((s - one) * (s - one) * counts + zero)
    near = scene["U"] @ scene.transpose(scene["V"])
    return scene.compare(total(terms), scene.frobenius_squared(_composed(scene) - near))


def logarithm_argument() -> Argument:
    """s - 1 - log s falls before 1, rises behind it, and is 0 there."""
    ring = ring_of(3)
    s, log, inverse = ring.generators
    left = s * s - 1 - 2 * log - (s * s - 1 - 2 * (s - 1))
    unit = s * inverse - 1  # 0
    steps = (
        Step("a summand's slack is 2 (s - 1 - log s)", ring.is_zero(left - 2 * (s - 1 - log))),
        Step(
            "the derivative 1 - 1/s of s - 1 - log s is (s - 1)/s, below 0 before 1, above 0 after",
            ring.is_zero(s * (1 - inverse) - (s - 1) + unit),
        ),
    )
    return Argument(
        "each summand has a slack of 2 (s - 1 - log s), whose minimum over s > 0 is 0, at s = 1",
        steps,
        ("log is differentiable on s > 0 with the derivative 1/s, and log 1 = 0",),
        measure="logarithm_slack",
        uses=("thin SVD",),
        section=24,
    )


def squares_argument() -> Argument:
    """s^2 - 1 - 2 (s - 1) = (s - 1)^2."""
    ring = ring_of(1)
    (s,) = ring.generators
    same = ring.is_zero(s * s - 1 - 2 * (s - 1) - (s - 1) * (s - 1))
    return Argument(
        "the two sums agree summand by summand",
        (Step("s^2 - 1 - 2 (s - 1) = (s - 1)^2", same),),
        ("sums are equal where their summands are",),
        measure="squares_residual",
        uses=(),
        section=24,
    )


SVDS = TensorPool((("U", ("m", "r")), ("V", ("n", "r")), ("S", ("r",))), largest=4, adapt=as_real)
BEGINNING = r"For a general matrix $A$ with SVD $A=USV^T$: "
FIRST = r"\lVert A\rVert_F^2-\mathrm{Rank}A-2\log|A|_+"
SECOND = r"\sum_{i=1}^{\mathrm{Rank}A}s_i(A)^2-1-2\log s_i(A)"
THIRD = r"\sum_{i=1}^{\mathrm{Rank}A}s_i(A)^2-1-2(s_i(A)-1)"
FOURTH = r"\sum_{i=1}^{\mathrm{Rank}A}(s_i(A)-1)^2"
SCALAR = Claim(
    "j23.thm6.scalar.a",
    Kind.IDENTITY,
    printed(f"{PROOF}, sixth display"),
    "inequality for a general matrix",
    BEGINNING + f"${FIRST}={SECOND}$.",
    (THIN,),
    measure=logarithm_residual,
    pool=SVDS,
    exact_only=True,
)
DISTANCE = replace(
    SCALAR,
    id="j23.thm6.scalar.d@A",
    statement=BEGINNING + rf"${FOURTH}=\lVert A-UV^T\rVert_F^2$.",
    measure=distance_residual,
    reading="A",
    reading_text=r"the thin SVD, with $\mathrm{Rank}A$ columns",
)
SCALARS = (
    SCALAR,
    replace(
        SCALAR,
        id="j23.thm6.scalar.b",
        kind=Kind.INEQUALITY,
        statement=BEGINNING + rf"${SECOND}\ge{THIRD}$.",
        measure=logarithm_slack,
        floats=True,
        proof=logarithm_argument,
    ),
    replace(
        SCALAR,
        id="j23.thm6.scalar.c",
        statement=BEGINNING + f"${THIRD}={FOURTH}$.",
        measure=squares_residual,
        proof=squares_argument,
        exact_only=False,
    ),
    DISTANCE,
)

CLAIMS = (PDET, *SCALARS)
