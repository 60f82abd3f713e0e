"""What is said of eigenvalues and singular values: Weyl's inequalities, the trivial bound by the
rank (both Appendix D), and what Theorem 1 is said to give where its right side is 0."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS, as_fraction
from graphs.matrices import characteristic_polynomial, has_real_spectrum, rank
from verify.claim import Claim, Kind, Source
from verify.hypotheses import Hypothesis, by_case, random_rational
from verify.matrices import MatrixScene
from verify.papers.lj22 import block_proofs as proofs
from verify.papers.lj22 import gram_proofs as grams
from verify.papers.lj22.sources import both, earlier, final
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries, Row, constant_entries

# Weyl, and the rank -----------------------------------------------------------------------------
SQUARE = TensorPool((("C", ("n", "n")), ("D", ("n", "n"))), largest=5)
ANY = TensorPool((("W", ("m", "n")),), largest=6)


def exact(array: Tensor) -> np.ndarray:
    """A matrix of an instance over the rationals."""
    return np.asarray(RATIONALS.array(list(array.entries)).reshape(array.shape))


def _symmetrised(case: Tensors, random: Random) -> Tensors:
    return case.changing(**{name: _from(m + m.T, case, name) for name, m in _matrices(case)})


def _triangular(case: Tensors, random: Random) -> Tensors:
    """Two triangular matrices with a symmetric sum, or a symmetric and a triangular one with a
    triangular sum: all eigenvalues are real, and those of the sum larger or smaller than else."""
    c, d = (matrix if len(matrix) > 1 else _doubled(matrix) for _, matrix in _matrices(case))
    both, diagonal = c + c.T, np.diag(np.diag(d))
    if not np.tril(both, -1).any():
        both[0, 1] = both[1, 0] = random_rational(random)
    if random.random() < 0.5:
        changed = {"C": np.triu(both), "D": diagonal + np.tril(both, -1)}
    else:
        changed = {"C": both, "D": diagonal - np.tril(both, -1)}
    return case.changing(**{name: _from(m, case, name) for name, m in changed.items()})


def _doubled(matrix: np.ndarray) -> np.ndarray:
    return np.kron(matrix, RATIONALS.array([[1, 0], [0, 1]]))


def _matrices(case: Tensors) -> list[tuple[str, np.ndarray]]:
    return [(name, exact(array)) for name, array in case.arrays.items()]


def _from(matrix: np.ndarray, case: Tensors, name: str) -> Tensor:
    entries = tuple(as_fraction(entry) for entry in matrix.reshape(-1))
    shape = (matrix.shape[0], matrix.shape[1])
    return replace(case.arrays[name], shape=shape, entries=entries)


def _is_symmetric(case: Tensors) -> bool:
    return all(np.array_equal(m, m.T) for _, m in _matrices(case))


def _real_spectra(case: Tensors) -> bool:
    c, d = (matrix for _, matrix in _matrices(case))
    return all(map(has_real_spectrum, (c, d, c + d)))


SYMMETRIC = Hypothesis(
    "symmetric matrices",
    r"$C$ and $D$ are Hermitian (here: real symmetric)",
    by_case(_is_symmetric),
    _symmetrised,
    _triangular,
)
NOT_ZERO = Hypothesis(
    "a matrix that is not 0",
    r"$W\neq0$",
    by_case(lambda case: any(case.arrays["W"].entries)),
    lambda case, random: (
        case
        if any(case.arrays["W"].entries)
        else case.changing(
            W=replace(
                case.arrays["W"],
                entries=(random_rational(random), *case.arrays["W"].entries[1:]),
            )
        )
    ),
)


def weyl_below(scene: MatrixScene) -> Entries:
    """lambda(C + D) - (lambda(C) + t), t the least eigenvalue of D; where these are told."""
    return _where_told(_below, scene)


def weyl_above(scene: MatrixScene) -> Entries:
    """lambda(C) + lambda(D) - lambda(C + D); where these are told."""
    return _where_told(_above, scene)


def _where_told(slack: Callable[[MatrixScene], Entries], scene: MatrixScene) -> Entries:
    """Of symmetric matrices, and in exact arithmetic of all with real eigenvalues alone."""
    exact = scene.arithmetic.exact
    told = (_is_symmetric(case) or (exact and _real_spectra(case)) for case in scene.cases)
    kept = np.flatnonzero(np.fromiter(told, dtype=bool))
    if not len(kept):
        return constant_entries(scene, [])
    found = slack(scene.only(kept))
    return replace(found, owner=kept[found.owner])


def _below(scene: MatrixScene) -> Entries:
    one, other = scene["C"], scene["D"]
    right = scene.largest_eigenvalue(one) + scene.smallest_eigenvalue(other)
    return scene.compare(scene.largest_eigenvalue(one + other), right)


def _above(scene: MatrixScene) -> Entries:
    one, other = scene["C"], scene["D"]
    left = scene.largest_eigenvalue(one) + scene.largest_eigenvalue(other)
    return scene.compare(left, scene.largest_eigenvalue(one + other))


def rank_bound(scene: MatrixScene) -> Entries:
    """|W|_2^2 rank(W) - |W|_F^2, over rank(W); of the matrix 0, which has none, nothing."""
    ranks = [Fraction(1, max(1, rank(matrix))) for matrix in scene.exact["W"]]
    share = scene.frobenius_squared(scene["W"]) * scene.arithmetic.array(ranks)
    return scene.compare(scene.norm_squared(scene["W"]), share)


# balanced chains ---------------------------------------------------------------------------------
PAIR = (("W1", ("b", "a")), ("W2", ("c", "b")))
CHAIN = (("W1", ("b", "a")), ("W2", ("c", "b")), ("W3", ("one", "c")))


def orthogonal(size: int, random: Random) -> np.ndarray:
    """A random rational orthogonal matrix: signs and a permutation, or Cayley's transform
    (1 - S)(1 + S)^-1 of a small skew-symmetric matrix."""
    places = random.sample(range(size), size)
    signed = [[random.choice((1, -1)) if j == p else 0 for j in range(size)] for p in places]
    matrix = RATIONALS.array(signed)
    if size > 1 and random.random() < 0.5:
        import sympy

        skew = sympy.zeros(size)
        for i, j in itertools.combinations(range(size), 2):
            skew[i, j] = random.randint(-2, 2)
            skew[j, i] = -skew[i, j]
        one = sympy.eye(size)
        turned = (one - skew) * (one + skew).inv()
        rows = [[Fraction(int(x.p), int(x.q)) for x in turned.row(i)] for i in range(size)]
        matrix = matrix @ RATIONALS.array(rows)
    return matrix


def balanced(case: Tensors, random: Random) -> Tensors:
    """The matrices of a chain replaced by balanced ones: orthogonal matrices and diagonal ones,
    each diagonal as its neighbours', as long as the shortest of them."""
    names = list(case.arrays)
    lengths = [case.arrays[name].shape for name in names]
    shortest = min(side for shape in lengths for side in shape)
    count = random.randint(1, shortest) if random.random() < 0.9 else 0
    diagonal = [abs(random_rational(random)) for _ in range(count)]
    sides = [orthogonal(shape[1], random) for shape in lengths]
    sides.append(orthogonal(lengths[-1][0], random))
    arrays = {}
    for k, name in enumerate(names):
        rows, columns = lengths[k]
        middle = [
            [diagonal[i] if i == j and i < count else 0 for j in range(columns)]
            for i in range(rows)
        ]
        matrix = sides[k + 1] @ RATIONALS.array(middle) @ sides[k].T
        arrays[name] = _from(matrix, case, name)
    return case.changing(**arrays)


def is_balanced(case: Tensors) -> bool:
    """W_(k+1)^T W_(k+1) = W_k W_k^T along the chain."""
    chain = [matrix for _, matrix in _matrices(case)]
    return all(np.array_equal(w.T @ w, v @ v.T) for v, w in itertools.pairwise(chain))


def _unbalanced(case: Tensors, random: Random) -> Tensors:
    name = random.choice(sorted(case.arrays))
    array = case.arrays[name]
    entries = tuple(random_rational(random, zero=True) for _ in array.entries)
    changed = case.changing(**{name: replace(array, entries=entries)})
    return changed if not is_balanced(changed) else _twice(case, name)


def _twice(case: Tensors, name: str) -> Tensors:
    array = case.arrays[name]
    return case.changing(**{name: replace(array, entries=tuple(2 * e for e in array.entries))})


BALANCED = Hypothesis(
    "right side 0",
    r"$W_2^\top W_2-W_1W_1^\top=0$ at initialisation (and so, by the invariance, later), for each "
    "pair of consecutive matrices",
    by_case(is_balanced),
    break_=_unbalanced,
)


def _row_vector(case: Tensors, random: Random) -> Tensors:
    arrays = dict(case.arrays)
    last = arrays["W3"]
    arrays["W3"] = replace(last, shape=(1, last.shape[1]), entries=last.entries[: last.shape[1]])
    return replace(case, arrays=arrays)


def balanced_chain(case: Tensors, random: Random) -> Tensors:
    """A balanced chain that ends in a row vector."""
    return balanced(_row_vector(case, random), random)


ENDS_IN_A_ROW = Hypothesis(
    "the chain ends in the final layer",
    r"the last matrix of the chain is a row vector that is not 0, of rank 1",
    by_case(lambda case: case.lengths["one"] == 1 and any(case.arrays["W3"].entries)),
)


def elementary_symmetric(matrix: np.ndarray, count: int) -> list[Fraction]:
    """e_1, ..., e_count of the squared singular values of a matrix, which tell the non-zero ones
    with multiplicity: the coefficients of the characteristic polynomial of M M^T."""
    gram = matrix @ matrix.T
    coefficients = characteristic_polynomial(gram)[::-1]
    signed = [as_fraction(c) * (-1) ** k for k, c in enumerate(coefficients)]
    return (signed + [Fraction(0)] * count)[1 : count + 1]


def equal_nonzero(scene: MatrixScene) -> Entries:
    """The elementary symmetric functions of the squared singular values: of the first matrix minus
    of the second. All are 0 if and only if the non-zero singular values agree."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        pair = (exact(case.arrays[name]) for name in ("W1", "W2"))
        rows += _symmetric_differences(number, *pair)
    return constant_entries(scene, rows)


def _symmetric_differences(number: int, first: np.ndarray, second: np.ndarray) -> list[Row]:
    count = max(*first.shape, *second.shape)
    values = (elementary_symmetric(matrix, count) for matrix in (first, second.T))
    return [
        (number, {"part": "values", "symmetric": k}, one - other)
        for k, (one, other) in enumerate(zip(*values, strict=True), start=1)
    ]


def rank_one(scene: MatrixScene) -> Entries:
    """rank(W_k) - 1 for each matrix of the chain."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        for name in ("W1", "W2", "W3"):
            found = Fraction(rank(exact(case.arrays[name])) - 1)
            rows.append((number, {"part": name}, found))
    return constant_entries(scene, rows)


# the claims ------------------------------------------------------------------------------------
EQUAL = (
    "If the right side is $0$, so that $W_2^\\top W_2=W_1W_1^\\top$ with $W_1\\in\\mathbb "
    "R^{b\\times a}$ and $W_2\\in\\mathbb R^{c\\times b}$, the singular values of $W_1$ and $W_2$ "
    "are the same."
)


def _consequences(name: str, source: Source, first: str) -> tuple[Claim, Claim]:
    """What is drawn from Theorem 1 in one version."""
    equal = Claim(
        f"{name}.ii@B",
        Kind.IDENTITY,
        source,
        "equal singular values where the right side is 0",
        EQUAL,
        (BALANCED,),
        (first,),
        measure=equal_nonzero,
        pool=TensorPool(PAIR, largest=3, adapt=balanced),
        reading="B",
        reading_text="the non-zero singular values with multiplicity",
        exact_only=True,
        proof=grams.equal_singular_values,
    )
    chain = Claim(
        f"{name}.iii",
        Kind.IDENTITY,
        source,
        "rank 1 along a chain",
        "If a chain of matrices with the same singular values can be formed by iterating Theorem 1 "
        "with right sides $0$, all of them have those of the final fully-connected layer, a row "
        "vector of rank 1; thus all layers in the chain have rank 1. (Here: three matrices.)",
        (BALANCED, ENDS_IN_A_ROW),
        (first,),
        measure=rank_one,
        pool=TensorPool(CHAIN, largest=3, adapt=balanced_chain),
        exact_only=True,
        proof=grams.ranks_along_a_chain,
    )
    return equal, chain


CLAIMS = (
    *_consequences("lj22.sig1", final("Significance of Theorem 1"), "lj22.thm1-1@A"),
    *_consequences("lj22v1.sig1", earlier("Significance of Theorem 1"), "lj22v1.thm1-1"),
    Claim(
        "lj22.weyl.a",
        Kind.INEQUALITY,
        both("end of the proof of Lemma 11; earlier Lemma 10"),
        "Weyl's inequality from below",
        r"For Hermitian $C,D$: $\lambda(C+D)\ge\lambda(C)+t$ where $t$ is the smallest eigenvalue "
        r"of $D$.",
        (SYMMETRIC,),
        measure=weyl_below,
        pool=SQUARE,
        proof=proofs.forms_add("weyl_below"),
    ),
    Claim(
        "lj22.weyl.b",
        Kind.INEQUALITY,
        both("end of the proof of Lemma 11; earlier Lemma 10"),
        "Weyl's inequality from above",
        r"For Hermitian $C,D$: $\lambda(C+D)\le\lambda(C)+\lambda(D)$.",
        (SYMMETRIC,),
        measure=weyl_above,
        pool=SQUARE,
        proof=proofs.forms_add("weyl_above"),
    ),
    Claim(
        "lj22.thm2-rank",
        Kind.INEQUALITY,
        both("proof of Theorem 2"),
        "the trivial bound by the rank",
        r"$\lVert W\rVert_F^2/\mathrm{rank}(W)\le\lVert W\rVert_2^2$: the largest squared singular "
        "value is at least the average squared singular value.",
        (NOT_ZERO,),
        measure=rank_bound,
        pool=ANY,
        proof=proofs.average_of_squares,
    ),
)
