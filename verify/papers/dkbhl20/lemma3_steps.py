"""Steps in the proof of Lemma 3 (b), Appendix F: random lengths, (93), (94) and footnote 16.

(f) is about the same factors on both sides, which gives the equality in law. (g): with Q =
(1 + gamma)^(2n), A_n is diagonal with entries (1 + gamma)^n, 1, ..., 1, so that A_n/|A_n| less
e_1 e_1^T has the squared Frobenius norm (d - 1)/Q for the spectral norm (A) and 2 - 2 sqrt(Q/(Q + d
- 1)) for the Frobenius norm (B); an explicit bound on it that tends to 0 is what is measured. In
(h) the entries of a draw have to lie in [-sqrt 3, sqrt 3]. (i) says that no finite union of proper
subspaces holds all M_alpha v; each is in a hyperplane, a row of A its normal vector.
"""

from __future__ import annotations

from functools import partial, reduce
from itertools import product

import numpy as np

from graphs.arithmetic import Array, as_fraction
from verify.claim import Claim, Kind
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.lemma3_cases import (
    BOUNDED_ALPHA,
    DIRECTIONS,
    DRAWS,
    FACTORS,
    HYPERPLANES,
    NORMALS,
    POWERS,
    UNIT_VECTOR,
)
from verify.papers.dkbhl20.lemma3_proofs import (
    bernoulli,
    cube_leaves_hyperplanes,
    draws_are_in_the_support,
    entries_at_most_one,
    image_of_v,
    longer_products,
)
from verify.papers.dkbhl20.sign_changes import STRENGTH
from verify.papers.dkbhl20.sources import printed
from verify.vocabulary import Entries


def block_residual(scene: ChainScene) -> Entries:
    """Y_2 Y_1 - B, entry by entry: Y_1 of the first s factors I + gamma W_k, new ones on the left,
    Y_2 of the others."""
    drawn = scene["F"]
    factors = [
        scene.identity + scene.scaled(drawn[:, k], scene["gamma"]) for k in range(drawn.shape[1])
    ]
    whole = reduce(lambda left, right: right @ left, factors, scene.identity)
    splits = [min(int(s), len(factors)) for s in scene.whole("s")]
    made = []
    for case, split in enumerate(splits):
        blocks = [factors[:split], factors[split:]]
        first, second = (
            reduce(lambda left, right: right[case] @ left, block, scene.identity[case])
            for block in blocks
        )
        made.append((second @ first).reshape(1, *whole.shape[1:]))
    found = np.concatenate(made) - whole
    size, zero = scene.width, scene.constant(0)
    return scene.parts(
        [({"entry": [i, j]}, found[:, i, j], zero) for i in range(size) for j in range(size)]
    )


def powers(scene: ChainScene, base: Array) -> Array:
    """(C,): base^n."""
    counts, found = scene.whole("n"), scene.constant(1)
    for k in range(int(max(counts))):
        found = np.where(counts > k, found * base, found)
    return found


def contraction_slack(scene: ChainScene) -> Entries:
    """The bound less the squared distance, times (1 + n gamma)^2 Q."""
    one, others = scene.constant(1), scene["d"] - scene.constant(1)
    root = powers(scene, one + scene["gamma"])
    least = one + scene["n"] * scene["gamma"]
    return scene.compare(others * root * root, others * least * least)


def _draw(scene: ChainScene) -> list[tuple[dict[str, list[int]], Array]]:
    """The squared entries alpha_i v_j / d."""
    alpha, v, size = scene["alpha"], scene["v"], scene.width
    entries = []
    for i, j in product(range(size), repeat=2):
        entry = alpha[:, i] * v[:, j] / scene.constant(size)
        entries.append(({"entry": [i, j]}, entry * entry))
    return entries


def support_slack(scene: ChainScene, *, most: int) -> Entries:
    """3 - w^2, or 1 - w^2, for every entry w of alpha v^T / d."""
    return scene.parts([(label, scene.constant(most), w) for label, w in _draw(scene)])


def strictly_below_one(scene: ChainScene) -> Entries:
    """1 where w^2 is not below 1."""
    one, zero, parts = scene.constant(1), scene.constant(0), []
    for label, square in _draw(scene):
        below = np.asarray(scene.arithmetic.is_negative(square - one), dtype=bool)
        parts.append((label, np.where(below, zero, one), zero))
    return scene.parts(parts)


def image_residual(scene: ChainScene) -> Entries:
    """M_alpha v - v - (gamma/d) alpha, M_alpha = I + (gamma/d) alpha v^T."""
    alpha, v, size = scene["alpha"], scene["v"], scene.width
    rate = scene.share(scene["gamma"], 1) / scene.constant(size)
    count = len(scene.cases)
    outer = alpha.reshape(count, size, 1) * v.reshape(count, 1, size)
    moved = (scene.identity + scene.scaled(outer, rate)) @ v.reshape(count, size, 1)
    moved = moved.reshape(count, size)
    wanted = v + scene.scaled(alpha, rate)
    return scene.parts([({"row": i}, moved[:, i], wanted[:, i]) for i in range(size)])


def cover_residual(scene: ChainScene) -> Entries:
    """1 where each v + (gamma/d) alpha, alpha of a grid of k + 1 numbers from -1 to 1 in each
    coordinate, lies in one of the k hyperplanes; else 0."""
    found = []
    for normals, v, gamma in zip(scene["A"], scene["v"], scene["gamma"], strict=True):
        count, size = normals.shape
        grid = [as_fraction(gamma) * (2 * t - count) / (count * size) for t in range(count + 1)]
        rows = [[as_fraction(x) for x in row] for row in normals]
        start = [as_fraction(x) for x in v]
        free = any(
            all(
                sum(a * (x + step) for a, x, step in zip(row, start, steps, strict=True))
                for row in rows
            )
            for steps in product(grid, repeat=size)
        )
        found.append(int(not free))
    return scene.compare(scene.numbers(found), scene.constant(0))


# claims -------------------------------------------------------------------------------------------
PLACE = "proof of Lemma 3, Appendix F"
RANDOM_LENGTHS = Claim(
    "dkbhl20.lem3.f",
    Kind.IDENTITY,
    printed(PLACE),
    "products of random lengths are products",
    r"$p(m=k)=2^{-k}$, $Y=\prod_{k=1}^m\widehat W_k$, $\widehat W_k=I+\gamma W_k$: "
    r"$C_k:=Y_k\cdots Y_2Y_1$ is distributed as $B_{\ell_k}:=\widehat W_{\ell_k}\cdots"
    r"\widehat W_2\widehat W_1$, $\ell_k=\sum_{i\le k}m_i$.",
    measure=block_residual,
    pool=FACTORS,
    exact_only=True,
    proof=longer_products,
)


CONTRACTS = Claim(
    "dkbhl20.lem3.g@A",
    Kind.INEQUALITY,
    printed(PLACE),
    "the support is contracting",
    r"$A_n:=(I+\gamma e_1e_1^\top)^n\in T_{\mu'}$, and $A_n/\lVert A_n\rVert$ converges to a rank "
    r"one matrix: $\lVert A_n/\lVert A_n\rVert-e_1e_1^\top\rVert_F^2\le(d-1)/(1+n\gamma)^2$.",
    (STRENGTH,),
    ("dkbhl20.def4_6",),
    contraction_slack,
    POWERS,
    "A",
    "the spectral norm",
    exact_only=True,
    proof=bernoulli,
)
MEMBERS = Claim(
    "dkbhl20.lem3.h",
    Kind.INEQUALITY,
    printed(f"eq. (93), {PLACE}"),
    "draws that turn a unit vector",
    r"$v$ a unit vector, $|\alpha_i|\le1$: $M_\alpha=I+\frac\gamma d\sum_i\alpha_ie_iv^\top\in "
    r"T_{\mu'}$, the entries of $\frac1d\sum_i\alpha_ie_iv^\top$ lying in $[-\sqrt3,\sqrt3]$.",
    (UNIT_VECTOR, BOUNDED_ALPHA),
    measure=partial(support_slack, most=3),
    pool=DRAWS,
    exact_only=True,
    proof=draws_are_in_the_support,
)
STRICT = Claim(
    "dkbhl20.lem3.h.entries",
    Kind.IDENTITY,
    printed("footnote 16"),
    "entries below one in absolute value",
    r"The entries of $\frac1d\sum_i\alpha_ie_iv^\top$ are less than $1$ in absolute value.",
    (UNIT_VECTOR, BOUNDED_ALPHA),
    measure=strictly_below_one,
    pool=DRAWS,
    exact_only=True,
)
AT_MOST = Claim(
    "dkbhl20.lem3.h.entries.fix",
    Kind.INEQUALITY,
    printed("footnote 16"),
    "entries at most one in absolute value, repaired",
    r"The entries of $\frac1d\sum_i\alpha_ie_iv^\top$ are at most $1$ in absolute value.",
    (UNIT_VECTOR, BOUNDED_ALPHA),
    measure=partial(support_slack, most=1),
    pool=DRAWS,
    repairs="dkbhl20.lem3.h.entries",
    exact_only=True,
    proof=entries_at_most_one,
)
IMAGE = Claim(
    "dkbhl20.lem3.i.image",
    Kind.IDENTITY,
    printed(f"eq. (94), {PLACE}"),
    "the image of the unit vector",
    r"$M_\alpha v=v+\frac\gamma d\sum_i\alpha_ie_i$ for a unit vector $v$.",
    (UNIT_VECTOR,),
    ("dkbhl20.lem3.h",),
    image_residual,
    DIRECTIONS,
    exact_only=True,
    proof=image_of_v,
)
UNION = Claim(
    "dkbhl20.lem3.i.union",
    Kind.IDENTITY,
    printed(f"after eq. (94), {PLACE}"),
    "no finite union of subspaces holds all images",
    r"$\{v+\frac\gamma d\sum_i\alpha_ie_i:|\alpha_i|\le1\}$ is not contained in any union of "
    r"finitely many proper linear subspaces of $\mathbb R^d$, hence $T_{\mu'}$ is strongly "
    r"irreducible.",
    (STRENGTH, NORMALS),
    ("dkbhl20.def4_6", "dkbhl20.lem3.i.image"),
    cover_residual,
    HYPERPLANES,
    exact_only=True,
    proof=cube_leaves_hyperplanes,
)

CLAIMS = (
    RANDOM_LENGTHS,
    CONTRACTS,
    MEMBERS,
    STRICT,
    AT_MOST,
    IMAGE,
    UNION,
)
