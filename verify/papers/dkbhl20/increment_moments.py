"""Means of the increments of one step, (68), (70), (71).

O(gamma^3) beside a polynomial in gamma says that its coefficients below gamma^3 agree.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.normalised.increments import (
    PLACES,
    mean_product,
    moment_facts,
    second_moment,
)
from graphs.normalised.index_sums import SYMBOLS, Sums, coefficient_ring
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import SEMIDEFINITE, UNIT_DIAGONAL, positive_number
from verify.kinds.normalised.pool import STRENGTHS, rows_of
from verify.kinds.normalised.scene import ChainScene
from verify.papers.dkbhl20.increments import Increments, row_product
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import STANDARD, weighted_pool, weights_of
from verify.statements.quantities import each_case

Pairs = list[tuple[dict[str, Any], Any]]
KINDS = (("ij", "ij"), ("ij", "ii"), ("ii", "ii"), ("ii", "jj"))


def increments_of(case: Tensors) -> Increments:
    """M and the law of the weights of an instance."""
    return Increments(rows_of(case.arrays["M"]), weights_of(case))


def _place(name: str, i: int, j: int) -> tuple[int, int]:
    return {"ii": (i, i), "ij": (i, j), "jj": (j, j)}[name]


# measures -----------------------------------------------------------------------------------------
def mean_increments(scene: ChainScene) -> Entries:
    """E Delta M_ij - 0; E Delta M_ii minus gamma^2 sum_k M_kk, and minus gamma^2 d."""

    def pairs(case: Tensors) -> Pairs:
        known, gamma = increments_of(case), case.number("gamma")
        trace = sum((known.moments[k][k] for k in range(known.width)), Fraction(0))
        rows: Pairs = []
        for i, j in known.pairs:
            found = known.mean_increment(i, j, gamma)
            rows.append(({"part": f"off the diagonal {i} {j}"}, found))
        for i in range(known.width):
            found = known.mean_increment(i, i, gamma)
            rows.append(({"part": f"trace {i} {i}"}, found - gamma**2 * trace))
            rows.append(({"part": f"width {i} {i}"}, found - gamma**2 * known.width))
        return rows

    return each_case(pairs, scene)


def mean_products(scene: ChainScene) -> Entries:
    """The coefficients of gamma^0, gamma^1, gamma^2 of E Delta M_pq Delta M_km - gamma^2 K."""

    def pairs(case: Tensors) -> Pairs:
        known = increments_of(case)
        rows: Pairs = []
        for i, j in known.pairs:
            for one, other in KINDS:
                places = _place(one, i, j), _place(other, i, j)
                found = known.mean_products(*places)
                found[2] -= known.second_moment(*places)
                rows += [
                    ({"part": f"{one} {other} {i} {j}, order {order}"}, value)
                    for order, value in enumerate(found)
                ]
        return rows

    return each_case(pairs, scene)


def second_moments(scene: ChainScene) -> Entries:
    """K of each row of (71), for all i != j, minus what is printed."""

    def pairs(case: Tensors) -> Pairs:
        known = increments_of(case)
        rows: Pairs = []
        for i, j in known.pairs:
            across = (row_product(known.moments, k, n) for k, n in ((i, i), (j, j), (i, j)))
            ii, jj, ij = across
            said = dict(zip(KINDS, (jj + ii, 2 * ij, 4 * ii, Fraction(0)), strict=True))
            for (one, other), value in said.items():
                found = known.second_moment(_place(one, i, j), _place(other, i, j))
                rows.append(({"part": f"{one} {other} {i} {j}"}, found - value))
        return rows

    return each_case(pairs, scene)


# arguments ----------------------------------------------------------------------------------------
EVERY_WIDTH = (
    "equal normal forms of sums over indices are equal for every d, every symmetric M and every law"
)
USED = (
    "independent weights",
    "centred weights",
    "weights of variance one",
    "positive semidefinite",
    "unit diagonal",
)


def _facts(number: str) -> tuple[Step, ...]:
    return tuple(Step(*fact) for fact in moment_facts() if fact[0].startswith(number))


def increments_for_every_width() -> Argument:
    """(68)."""
    return Argument(
        "E W_pk = 0 and E W_pk W_qn = 1 where the two are one entry and 0 else, put into (64)",
        _facts("(68)"),
        (EVERY_WIDTH,),
        "mean_increments",
        USED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def second_moments_for_every_width() -> Argument:
    """(71)."""
    return Argument(
        "K is a sum over pairs of weights, of which those that are one entry are left",
        _facts("(71)"),
        (EVERY_WIDTH,),
        "second_moments",
        USED,
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def at_order(sums: Sums, order: int) -> Sums:
    """The coefficient of a power of gamma."""
    ring, at = coefficient_ring(), SYMBOLS.index("gamma")
    kept = {}
    for diagram, coefficient in sums.terms.items():
        total = ring.constant(Fraction(0))
        for exponents, number in ring.terms(coefficient).items():
            if exponents[at] != order:
                continue
            term = ring.constant(number)
            for generator, power in zip(ring.generators, exponents, strict=True):
                for _ in range(0 if generator == ring.generators[at] else power):
                    term = term * generator
            total = total + term
        kept[diagram] = total
    return Sums(kept, sums.unit)


def products_for_every_width() -> Argument:
    """(70), with all moments left free."""
    steps = []
    for one, other in KINDS:
        places = PLACES[one], PLACES[other]
        product = mean_product(*places, unit=False)
        known = second_moment(*places, unit=False)
        for order in (0, 1):
            text = f"E Delta M_{one} Delta M_{other} has no term in gamma^{order}"
            steps.append(Step(text, at_order(product, order) == 0))
        text = f"and its term in gamma^2 is K_{one},{other}"
        steps.append(Step(text, at_order(product, 2) == known))
    return Argument(
        "the product of two increments is a polynomial in gamma of order two to four",
        tuple(steps),
        (EVERY_WIDTH,),
        "mean_products",
        ("independent weights", "positive semidefinite"),
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


STRENGTH = positive_number("gamma", r"$\gamma>0$", STRENGTHS)
HYPOTHESES = (*STANDARD, SEMIDEFINITE, UNIT_DIAGONAL)

CLAIMS = (
    Claim(
        "dkbhl20.lem7_moments.a",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (68)"),
        "means of the increments",
        r"$\mathbb E_W[\Delta M_{pq}]=0$ for $pq=\{ij\}$, $i\ne j$, and "
        r"$=\gamma^2\sum_{k=1}^dM_{kk}=\gamma^2d$ for $pq=\{ii,jj\}$, with "
        r"$\Delta M=\gamma WM+\gamma MW^\top+\gamma^2WMW^\top$.",
        (*HYPOTHESES, STRENGTH),
        ("dkbhl20.def1.a",),
        mean_increments,
        weighted_pool("M", "gamma"),
        exact_only=True,
        proof=increments_for_every_width,
    ),
    Claim(
        "dkbhl20.lem7_moments.b",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (70)"),
        "means of products of increments",
        r"$\mathbb E_W[\Delta M_{pq}\Delta M_{km}]=\gamma^2K_{pq,km}+O(\gamma^3)$, "
        r"$K_{pq,km}:=\mathbb E_W\big[[WM+MW^\top]_{pq}[WM+MW^\top]_{km}\big]$: the coefficients "
        r"of $\gamma^0,\gamma^1,\gamma^2$ agree.",
        HYPOTHESES,
        ("dkbhl20.def1.a",),
        mean_products,
        weighted_pool("M"),
        exact_only=True,
        proof=products_for_every_width,
    ),
    Claim(
        "dkbhl20.lem7_moments.c",
        Kind.IDENTITY,
        printed("proof of Lemma 7, eq. (71)"),
        "second moments of the linear parts",
        r"$K_{ij,ij}=\sum_kM_{kj}^2+\sum_nM_{in}^2$; $K_{ij,ii}=2\sum_kM_{kj}M_{ki}$; "
        r"$K_{ii,ii}=4\sum_kM_{ki}^2$; $K_{ii,jj}=0$, for $i\ne j$.",
        HYPOTHESES,
        ("dkbhl20.lem7_moments.b",),
        second_moments,
        weighted_pool("M"),
        exact_only=True,
        proof=second_moments_for_every_width,
    ),
)
