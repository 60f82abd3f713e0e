"""Properties (p.1) and (p.2) of the second moment matrix of a layer (Appendix A).

|M_ij| < 1 is asked as M_ij^2 < 1: the entry is 1 where that fails.
"""

from __future__ import annotations

from random import Random

import numpy as np

from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.normalised_hypotheses import NORMALISED
from verify.normalised_pool import chain_pool, unit_rows
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.layer_proofs import diagonal_is_one, trace_is_d
from verify.papers.dkbhl20.pair_sums import TERM_BY_TERM, different_indices, lagrange
from verify.papers.dkbhl20.sources import printed
from verify.tensors import Tensor
from verify.vocabulary import Entries


def _two_rows(case: Chained, random: Random) -> Chained:
    """With another row of norm sqrt(N) below a single one."""
    height, count = case.arrays["H"].shape
    if height > 1:
        return case
    rows = [*case.arrays["H"].entries, *unit_rows(1, count, random)[0]]
    return case.changing(H=Tensor(("d", "N"), (2, count), tuple(rows)))


HIDDEN = chain_pool("H")
WIDE = Hypothesis(
    "two rows",
    r"$d\ge2$, so that there are off-diagonal elements",
    by_case(lambda case: case.lengths["d"] >= 2),
    _two_rows,
)


def diagonal_residual(scene: ChainScene) -> Entries:
    """M_ii - 1 for every i."""
    diagonal = scene.diagonal(scene.second_moment(scene["H"]))
    one = scene.constant(1)
    return scene.parts([({"row": i}, diagonal[:, i], one) for i in range(scene.width)])


def _off_diagonal(scene: ChainScene) -> list[tuple[dict[str, list[int]], np.ndarray]]:
    moments = scene.second_moment(scene["H"])
    return [
        ({"entry": [i, j]}, moments[:, i, j] * moments[:, i, j])
        for i, j in different_indices(scene.width)
    ]


def strictness(scene: ChainScene) -> Entries:
    """1 where M_ij^2 is not below 1, for i < j."""
    one, nothing = scene.constant(1), scene.constant(0)
    parts = []
    for label, square in _off_diagonal(scene):
        below = scene.arithmetic.is_negative(square - one)
        parts.append((label, np.where(below, nothing, one), nothing))
    return scene.parts(parts)


def off_diagonal_slack(scene: ChainScene) -> Entries:
    """1 - M_ij^2 for i < j."""
    one = scene.constant(1)
    return scene.parts([(label, one, square) for label, square in _off_diagonal(scene)])


def trace_residual(scene: ChainScene) -> Entries:
    """Tr M - d."""
    trace = scene.trace(scene.second_moment(scene["H"]))
    return scene.compare(trace, scene.constant(scene.width))


def rows_bound_their_products() -> Argument:
    """N^2 (1 - M_ij^2) = |a|^2 |b|^2 - <a, b>^2 of rows a and b with |a|^2 = |b|^2 = N."""
    return Argument(
        "N^2 (1 - M_ij^2) is half the sum of (a_k b_l - a_l b_k)^2 of the rows a and b",
        lagrange(),
        (TERM_BY_TERM, "|a|^2 |b|^2 = N^2 for rows of norm sqrt(N)"),
        "off_diagonal_slack",
        ("normalised rows",),
        section=31,
    )


PLACE = "Appendix A, before eq. (8)"

DIAGONAL = Claim(
    "dkbhl20.p1p2.a",
    Kind.IDENTITY,
    printed("eq. (8), Appendix A"),
    "(p.1): unit diagonal",
    r"$[M_\ell]_{ii}=1$ for $\ell>0$.",
    (NORMALISED,),
    ("dkbhl20.def_chain.c",),
    diagonal_residual,
    HIDDEN,
    proof=diagonal_is_one,
)

STRICT = Claim(
    "dkbhl20.p1p2.b",
    Kind.IDENTITY,
    printed("eq. (9), Appendix A"),
    "(p.2): off-diagonal elements below one in absolute value",
    r"$|[M_\ell]_{ij}|<1$ for $i\ne j$ and $\ell>0$.",
    (WIDE, NORMALISED),
    ("dkbhl20.def_chain.c",),
    strictness,
    HIDDEN,
    exact_only=True,
)

AT_MOST_ONE = Claim(
    "dkbhl20.p1p2.b.fix",
    Kind.INEQUALITY,
    printed("eq. (9), Appendix A"),
    "(p.2), repaired: off-diagonal elements at most one in absolute value",
    r"$|[M_\ell]_{ij}|\le1$ for $i\ne j$ and $\ell>0$.",
    (WIDE, NORMALISED),
    ("dkbhl20.def_chain.c",),
    off_diagonal_slack,
    HIDDEN,
    repairs="dkbhl20.p1p2.b",
    exact_only=True,  # there is a proof
    proof=rows_bound_their_products,
)

TRACE = Claim(
    "dkbhl20.p1p2.c",
    Kind.IDENTITY,
    printed("Appendix A, after eq. (9)"),
    "the trace is d",
    r"$\mathrm{Tr}(M_\ell)=d$, the sum of the eigenvalues of $M_\ell$, for $\ell>0$.",
    (NORMALISED,),
    ("dkbhl20.p1p2.a",),
    trace_residual,
    HIDDEN,
    proof=trace_is_d,
)

CLAIMS = (DIAGONAL, STRICT, AT_MOST_ONE, TRACE)
