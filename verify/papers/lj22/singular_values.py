"""What is said of eigenvalues and singular values: Weyl's inequalities, the trivial bound by the
rank (both Appendix D), and what Theorem 1 is said to give where its right side is 0."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import random_rational, unchanged
from verify.cases.tensors import Tensor, Tensors
from verify.cases.transformations import orthogonal
from verify.core.claim import Claim, Source
from verify.language.building import Filter, Matrix, frob2, norm, rank, rows, singular
from verify.language.proofs import follows
from verify.language.terms import Term
from verify.papers.lj22 import gram_proofs as grams
from verify.papers.lj22 import matrix_proofs as proofs
from verify.papers.lj22.notation import W1, W2, W3, C, D, largest, least
from verify.papers.lj22.sources import both, earlier, final
from verify.statements.derivations.spectral_steps import above_sum
from verify.statements.stated import Given, pool_with, stated

# Weyl, and the rank -----------------------------------------------------------------------------
W = Matrix("W", "m", "n")
SQUARE, ANY = pool_with(C, D, largest=5), pool_with(W, largest=6)


def _symmetrised(case: Tensors, random: Random) -> Tensors:
    return case.changing(**{name: _from(m + m.T, case, name) for name, m in _matrices(case)})


def _not_zero(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["W"]
    if any(array.entries):
        return case
    return case.with_entries(W=(random_rational(random), *array.entries[1:]))


def exact(array: Tensor) -> np.ndarray:
    """A matrix of an instance over the rationals."""
    return np.asarray(RATIONALS.array(list(array.entries)).reshape(array.shape))


def _matrices(case: Tensors) -> list[tuple[str, np.ndarray]]:
    return [(name, exact(array)) for name, array in case.arrays.items()]


def _from(matrix: np.ndarray, case: Tensors, name: str) -> Tensor:
    entries = tuple(as_fraction(entry) for entry in matrix.reshape(-1))
    shape = (matrix.shape[0], matrix.shape[1])
    return replace(case.arrays[name], shape=shape, entries=entries)


SYMMETRIC = Given(
    "symmetric matrices",
    (C == C.T) & (D == D.T),
    r"$C$ and $D$ are Hermitian (here: real symmetric)",
    _symmetrised,
)
NOT_ZERO = Given("a matrix that is not 0", frob2(W) > 0, r"$W\neq0$", _not_zero)


# balanced chains ---------------------------------------------------------------------------------
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
    entries = case.arrays[name].entries
    changed = case.with_entries(**{name: [random_rational(random, zero=True) for _ in entries]})
    if not is_balanced(changed):
        return changed
    return case.with_entries(**{name: [2 * entry for entry in entries]})


def _zero_right_side(holds: Term) -> Given:
    return Given(
        "right side 0",
        holds,
        r"$W_2^\top W_2-W_1W_1^\top=0$ at initialisation (and so, by the invariance, later), for "
        "each pair of consecutive matrices",
        unchanged,
        _unbalanced,
    )


BALANCED_PAIR = _zero_right_side(W2.T @ W2 == W1 @ W1.T)
BALANCED_CHAIN = _zero_right_side((W2.T @ W2 == W1 @ W1.T) & (W3.T @ W3 == W2 @ W2.T))


def _row_vector(case: Tensors, random: Random) -> Tensors:
    arrays = dict(case.arrays)
    last = arrays["W3"]
    arrays["W3"] = replace(last, shape=(1, last.shape[1]), entries=last.entries[: last.shape[1]])
    return replace(case, arrays=arrays)


def balanced_chain(case: Tensors, random: Random) -> Tensors:
    """A balanced chain that ends in a row vector."""
    return balanced(_row_vector(case, random), random)


ENDS_IN_A_ROW = Given(
    "the chain ends in the final layer",
    (rows(W3) == 1) & (frob2(W3) > 0),
    r"the last matrix of the chain is a row vector that is not 0, of rank 1",
    unchanged,
)


def nonzero(values: Term) -> Term:
    """Those that are not 0, with multiplicity."""
    return Filter(values, lambda value: value != 0)


# the claims ------------------------------------------------------------------------------------
EQUAL = (
    "If the right side is $0$, so that $W_2^\\top W_2=W_1W_1^\\top$ with $W_1\\in\\mathbb "
    "R^{b\\times a}$ and $W_2\\in\\mathbb R^{c\\times b}$, the singular values of $W_1$ and $W_2$ "
    "are the same."
)


def _consequences(name: str, source: Source, first: str) -> tuple[Claim, Claim]:
    """What is drawn from Theorem 1 in one version."""
    equal = stated(
        f"{name}.ii@B",
        source,
        "equal singular values where the right side is 0",
        EQUAL,
        nonzero(singular(W1)) == nonzero(singular(W2)),
        [BALANCED_PAIR],
        depends=(first,),
        pool=pool_with(W1, W2, largest=3, adapt=balanced),
        reading="B",
        reading_text="the non-zero singular values with multiplicity",
        proof=grams.equal_singular_values,
    )
    chain = stated(
        f"{name}.iii",
        source,
        "rank 1 along a chain",
        "If a chain of matrices with the same singular values can be formed by iterating Theorem 1 "
        "with right sides $0$, all of them have those of the final fully-connected layer, a row "
        "vector of rank 1; thus all layers in the chain have rank 1. (Here: three matrices.)",
        (rank(W1) == 1) & (rank(W2) == 1) & (rank(W3) == 1),
        [BALANCED_CHAIN, ENDS_IN_A_ROW],
        depends=(first,),
        pool=pool_with(W1, W2, W3, largest=3, adapt=balanced_chain),
        proof=grams.ranks_along_a_chain,
    )
    return equal, chain


CLAIMS = (
    *_consequences("lj22.sig1", final("Significance of Theorem 1"), "lj22.thm1-1@A"),
    *_consequences("lj22v1.sig1", earlier("Significance of Theorem 1"), "lj22v1.thm1-1"),
    stated(
        "lj22.weyl.a",
        both("end of the proof of Lemma 11; earlier Lemma 10"),
        "Weyl's inequality from below",
        r"For Hermitian $C,D$: $\lambda(C+D)\ge\lambda(C)+t$ where $t$ is the smallest eigenvalue "
        r"of $D$.",
        largest(C + D) >= largest(C) + least(D),
        [SYMMETRIC],
        pool=SQUARE,
        proofs=[proofs.weyl_below],
    ),
    stated(
        "lj22.weyl.b",
        both("end of the proof of Lemma 11; earlier Lemma 10"),
        "Weyl's inequality from above",
        r"For Hermitian $C,D$: $\lambda(C+D)\le\lambda(C)+\lambda(D)$.",
        largest(C + D) <= largest(C) + largest(D),
        [SYMMETRIC],
        pool=SQUARE,
        proofs=[follows(lambda p: above_sum(p, C, D, proofs.both_symmetric(p)))],
    ),
    stated(
        "lj22.thm2-rank",
        both("proof of Theorem 2"),
        "the trivial bound by the rank",
        r"$\lVert W\rVert_F^2/\mathrm{rank}(W)\le\lVert W\rVert_2^2$: the largest squared singular "
        "value is at least the average squared singular value.",
        frob2(W) / rank(W) <= norm(W) ** 2,
        [NOT_ZERO],
        pool=ANY,
        proofs=[proofs.rank_bound],
    ),
)
