"""Appendix A: rows of norm sqrt(N), (p.1) and (p.2), and what r is on the chain, (41)."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step
from verify.language.building import (
    Each,
    Vector,
    When,
    Whole,
    frob2,
    implies,
    rows,
    trace,
    upto,
)
from verify.language.terms import Term
from verify.papers.dkbhl20.notation import (
    H,
    entries,
    rows_of_norm_root_n,
    second_moment,
    shifted_and_scaled,
    surrogate,
)
from verify.papers.dkbhl20.section2 import LAYERS, NORMALISED
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.step_cases import BEFORE, DEFINED, step_pool
from verify.statements.derivations.pair_sums import TERM_BY_TERM, lagrange
from verify.statements.derivations.symbol_matrices import EVERY_SHAPE
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, stated

ALPHA, BETA, LAYER = Vector("alpha", "d"), Vector("beta", "d"), Whole("l", 0, 1)


# hypotheses ---------------------------------------------------------------------------------------
def _constant(name: str, vec: Term, value: int, text: str) -> Given:
    def changed(case: Any, random: Random) -> Any:
        found = list(case.arrays[name].entries)
        found[random.randrange(len(found))] += random.choice((1, -1, 2))
        return with_entries(case, name, found)

    def repaired(case: Any, random: Random) -> Any:
        return with_entries(case, name, [Fraction(value)] * case.lengths["d"])

    holds = Each(entries(vec), lambda i: vec[i] == value)
    return Given(f"{name} is {value}", holds, text, repaired, changed, thin=True)


LATER = Given(
    "layer above 0",
    LAYER > 0,
    r"$\ell>0$",
    lambda case, random: with_entries(case, "l", [Fraction(1)]),
    lambda case, random: with_entries(case, "l", [Fraction(0)]),
)
NO_SHIFT = _constant("alpha", ALPHA, 0, r"$\alpha=0$")
NO_SCALE = _constant("beta", BETA, 1, r"$\beta=\mathbf 1_d$")

# what is said -------------------------------------------------------------------------------------
M, INDICES = second_moment(H), upto(rows(H))
HIDDEN = When(LAYER == 0, H, shifted_and_scaled(BEFORE, ALPHA, BETA))  # H_l for l = 0 and l = 1
ROWS = rows_of_norm_root_n(HIDDEN)
DIAGONAL = Each(INDICES, lambda i: M[i, i] == 1)
TRACE = trace(M) == rows(H)
SURROGATE = surrogate(H) == rows(H) ** 2 / frob2(M)


def off_the_diagonal(says: Any) -> Term:
    """What is said of |M_ij| for i != j."""
    return Each(INDICES, lambda i: Each(INDICES, lambda j: implies(i != j, says(abs(M[i, j])))))


BELOW_ONE = off_the_diagonal(lambda entry: entry < 1)
AT_MOST_ONE = off_the_diagonal(lambda entry: entry <= 1)

# arguments ----------------------------------------------------------------------------------------
SHAPES = ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2))


def symbols(shape: tuple[int, int]) -> tuple[Ring, Any]:
    """A matrix of symbols (d, N), and their ring."""
    ring = ring_of(shape[0] * shape[1])
    found = np.empty(len(ring.generators), dtype=object)
    found[:] = list(ring.generators)  # not np.array, which takes them for sequences
    return ring, found.reshape(shape)


def moments(ring: Ring, hidden: Any) -> Any:
    """H H^T / N of a matrix of symbols."""
    share = ring.constant(Fraction(1, hidden.shape[1]))
    return np.frompyfunc(lambda entry: entry * share, 1, 1)(hidden @ hidden.T)


def rows_and_moments() -> tuple[Step, ...]:
    """N M_ii is the squared norm of row i."""
    steps = []
    for shape in SHAPES:
        ring, hidden = symbols(shape)
        apart = np.diagonal(moments(ring, hidden)) * shape[1] - (hidden * hidden).sum(axis=1)
        text = f"N M_ii is the squared norm of row i, d x N = {shape[0]} x {shape[1]}"
        steps.append(Step(text, all(map(ring.is_zero, apart))))
    return tuple(steps)


def _by_rows(summary: str, *uses: str, more: tuple[Step, ...] = ()) -> Argument:
    steps = (*rows_and_moments(), *more)
    return Argument(
        summary,
        steps,
        (EVERY_SHAPE,),
        uses,
        section="docs/mathematics/dkbhl20.md#identities-for-every-size",
    )


def normalised_rows_have_norm() -> Argument:
    """sum_j h_ij^2/M_ii = N, as N M_ii = sum_j h_ij^2."""
    summary = "sum_j h_ij^2/M_ii = N, as N M_ii is the squared norm of the row before"
    uses = (LATER.name, DEFINED.name, NO_SHIFT.name, NO_SCALE.name)
    return _by_rows(summary, *uses)


def diagonal_is_one() -> Argument:
    """N M_ii = |H_i|^2 = N."""
    return _by_rows("N M_ii = |H_i|^2 = N", NORMALISED.name)


def trace_is_d() -> Argument:
    """Tr M = sum M_ii = d."""
    summary = "Tr M is the sum of M_ii = |H_i|^2/N = 1 over d rows"
    return _by_rows(summary, NORMALISED.name)


def layers_have_trace_d() -> Argument:
    """Tr(M)^2 - d^2 = (Tr M - d)(Tr M + d)."""
    ring = ring_of(2)
    total, d = ring.generators
    factors = (total - d) * (total + d)
    step = Step("Tr(M)^2 - d^2 = (Tr M - d) (Tr M + d)", ring.is_zero(total**2 - d**2 - factors))
    summary = "Tr M = d where rows have norm sqrt(N)"
    return _by_rows(
        summary,
        NORMALISED.name,
        more=(step,),
    )


def rows_bound_their_products() -> Argument:
    """N^2 (1 - M_ij^2) = |a|^2 |b|^2 - <a, b>^2 of rows a and b with |a|^2 = |b|^2 = N."""
    return Argument(
        "N^2 (1 - M_ij^2) is half the sum of (a_k b_l - a_l b_k)^2 of the rows a and b",
        lagrange(),
        (TERM_BY_TERM, "|a|^2 |b|^2 = N^2 for rows of norm sqrt(N)"),
        (NORMALISED.name,),
        section="docs/mathematics/dkbhl20.md#entries-of-the-second-moments",
    )


CLAIMS = (
    stated(
        "dkbhl20.def_chain.c",
        printed("Section 2, after eq. (2); Appendix A"),
        "rows have norm sqrt(N)",
        r"All rows of $H_\ell$ have the same norm $\sqrt N$ for $\ell>0$.",
        ROWS,
        [LATER, DEFINED, NO_SHIFT, NO_SCALE],
        depends=("dkbhl20.def_chain.a",),
        pool=step_pool(ALPHA, BETA, LAYER),
        proof=normalised_rows_have_norm,
    ),
    stated(
        "dkbhl20.p1p2.a",
        printed("eq. (8), Appendix A"),
        "(p.1): unit diagonal",
        r"$[M_\ell]_{ii}=1$ for $\ell>0$.",
        DIAGONAL,
        [NORMALISED],
        depends=("dkbhl20.def_chain.c",),
        pool=LAYERS,
        proof=diagonal_is_one,
    ),
    stated(
        "dkbhl20.p1p2.b",
        printed("eq. (9), Appendix A"),
        "(p.2): off-diagonal elements below one in absolute value",
        r"$|[M_\ell]_{ij}|<1$ for $i\ne j$ and $\ell>0$.",
        BELOW_ONE,
        [NORMALISED],
        depends=("dkbhl20.def_chain.c",),
        pool=LAYERS,
    ),
    stated(
        "dkbhl20.p1p2.b.fix",
        printed("eq. (9), Appendix A"),
        "(p.2), repaired: off-diagonal elements at most one in absolute value",
        r"$|[M_\ell]_{ij}|\le1$ for $i\ne j$ and $\ell>0$.",
        AT_MOST_ONE,
        [NORMALISED],
        depends=("dkbhl20.def_chain.c",),
        pool=LAYERS,
        repairs="dkbhl20.p1p2.b",
        proof=rows_bound_their_products,
    ),
    stated(
        "dkbhl20.p1p2.c",
        printed("Appendix A, after eq. (9)"),
        "the trace is d",
        r"$\mathrm{Tr}(M_\ell)=d$, the sum of the eigenvalues of $M_\ell$, for $\ell>0$.",
        TRACE,
        [NORMALISED],
        depends=("dkbhl20.p1p2.a",),
        pool=LAYERS,
        proof=trace_is_d,
    ),
    stated(
        "dkbhl20.def_r.c@A",
        printed("eq. (41), Appendix E"),
        "r on the chain is d^2 over the squared Frobenius norm",
        r"$r(H_\ell)=d^2/\lVert M_\ell\rVert_F^2$ for all $H_\ell$ of the chain.",
        SURROGATE,
        [NORMALISED],
        depends=("dkbhl20.def_r.a", "dkbhl20.def_chain.a"),
        pool=LAYERS,
        reading="A",
        reading_text=r"$H_\ell$ is a layer with $\ell\ge1$",
        proof=layers_have_trace_d,
    ),
)
