"""Section 2: the batch-normalised chain, the soft rank (3) and the surrogate r (4)."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from verify.core.claim import Claim, Kind
from verify.language.building import (
    Count,
    Matrix,
    Rate,
    Some,
    cols,
    dot,
    frob2,
    rank,
    rows,
    singular,
    sqrt,
    trace,
    upto,
)
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import LEVELS, held, in_roles, onto_sphere, rows_of
from verify.papers.dkbhl20.notation import (
    TAU,
    H,
    rows_of_norm_root_n,
    second_moment,
    soft_rank,
    surrogate,
)
from verify.papers.dkbhl20.sources import printed
from verify.statements.quantities import with_entries, with_rows
from verify.statements.stated import Given, pool_with, stated

G = Matrix("G", "d", "N")
LAYERS = pool_with(H, adapt=in_roles("H"))
LEVELS_TOO = pool_with(H, TAU, adapt=in_roles("H", "tau"))
SEGMENTS = pool_with(H, G, adapt=in_roles("H"))


# hypotheses ---------------------------------------------------------------------------------------
def _onto_spheres(case: Any, random: Random) -> Any:
    return held(with_rows(case, "H", list(map(onto_sphere, rows_of(case.arrays["H"])))), "H")


def _off_spheres(case: Any, random: Random) -> Any:
    """All rows scaled, or one."""
    rows = rows_of(case.arrays["H"])
    places = random.choice((range(len(rows)), [random.randrange(len(rows))]))
    factor = random.choice((Fraction(2), Fraction(1, 2), Fraction(1, 4)))
    for place in places:
        rows[place] = [entry * factor for entry in rows[place]]
    return with_rows(case, "H", rows)


NORMALISED = Given(
    "normalised rows",
    rows_of_norm_root_n(H),
    r"every row of $H$ has norm $\sqrt N$, as after batch normalisation",
    _onto_spheres,
    _off_spheres,
    thin=True,
)


def _some_level(case: Any, random: Random) -> Any:
    level = case.number("tau")
    return case if level > 0 else with_entries(case, "tau", [-level or random.choice(LEVELS)])


POSITIVE = Given("tau above 0", TAU > 0, r"$\tau>0$", _some_level)


def _not_zero(case: Any, random: Random) -> Any:
    entries = case.arrays["H"].entries
    return case if any(entries) else with_entries(case, "H", [Fraction(1)] * len(entries))


NOT_ZERO = Given(
    "H is not 0", frob2(H) > 0, r"$H\ne0$, so that $\lVert M(H)\rVert_F\ne0$", _not_zero
)


# the soft rank ------------------------------------------------------------------------------------
def singular_values_above(*, ties: bool) -> Term:
    """How many singular values have absolute values above sqrt(N tau), or at least that."""
    bound = sqrt(cols(H) * TAU)
    return Count(singular(H), lambda s: abs(s) >= bound if ties else abs(s) > bound)


def _counting(*, ties: bool) -> Claim:
    return stated(
        "dkbhl20.def_softrank.b" + (".fix" if ties else ""),
        printed("Section 2, after eq. (3)"),
        "the soft rank counts singular values" + (", repaired" if ties else ""),
        r"$\mathrm{rank}_\tau(H)$ is the number of singular values whose absolute values are "
        + (r"at least" if ties else r"greater than")
        + r" $\sqrt{N\tau}$.",
        soft_rank(H, TAU) == singular_values_above(ties=ties),
        [POSITIVE],
        depends=("dkbhl20.def_softrank.a",),
        pool=LEVELS_TOO,
        repairs="dkbhl20.def_softrank.b" if ties else None,
    )


# the surrogate ------------------------------------------------------------------------------------
def gradient(hidden: Term) -> Term:
    """The gradient of r: (4/N) (Tr(M) |M|_F^2 H - Tr(M)^2 M H) / |M|_F^4."""
    m = second_moment(hidden)
    upper = trace(m) * frob2(m) * hidden - trace(m) ** 2 * m @ hidden
    return 4 / (cols(hidden) * frob2(m) ** 2) * upper


def by_the_quotient_rule(proof: Proof) -> None:
    """p'/q - p q'/q^2 of p = Tr(M)^2, q = |M|_F^2 with M' = (G H^T + H G^T)/N."""
    m, moved = second_moment(H), (G @ H.T + H @ G.T) / cols(H)
    p, q = trace(m) ** 2, frob2(m)
    above = 2 * trace(m) * trace(moved) / q
    rate = proof.rate(surrogate(H), above - p * (2 * dot(m, moved)) / q**2)
    divisor = cols(H) * q**2
    (nonzero,) = proof.lemma("divisor", proof.defined(4 / divisor), a=4, b=divisor)

    def impossible(zero: Fact) -> Fact:
        return proof.absurd(q != 0, proof.algebra(divisor == 0, {zero: cols(H) * q}), nonzero)

    positive = proof.cases(q != 0, lambda fact: proof.same(q != 0, [], of=fact), impossible)
    (inverse,) = proof.lemma("reciprocal", positive, b=q)
    proof.algebra(proof.goal, {rate: 1, inverse: -above})


def rank_jumps() -> Term:
    """The rank of H + t G is above that of H for some of d + 1 numbers t. Then a minor is not 0
    there, and so, as a polynomial of degree d at most, at all but finitely many t; and a minor that
    is not 0 at all t is seen at one of d + 1."""
    return Some(upto(rows(H) + 1), lambda t: rank(H + t * G) > rank(H))


CLAIMS = (
    Claim(
        "dkbhl20.def_softrank.a",
        Kind.DEFINITION,
        printed("eq. (3)"),
        "the soft rank",
        r"$\mathrm{rank}_\tau(H)=\sum_{i=1}^d\mathbf 1(\sigma_i^2/N\ge\tau)$ for $\tau>0$ and "
        r"singular values $\sigma_1,\dots,\sigma_d$ of $H$.",
    ),
    _counting(ties=False),
    _counting(ties=True),
    stated(
        "dkbhl20.def_softrank.c",
        printed("Section 2, after eq. (3)"),
        "the soft rank is at most the rank",
        r"$\mathrm{rank}_\tau(H)\le\mathrm{rank}(H)$ for all matrices $H$.",
        soft_rank(H, TAU) <= rank(H),
        [POSITIVE],
        depends=("dkbhl20.def_softrank.a",),
        pool=LEVELS_TOO,
    ),
    Claim(
        "dkbhl20.def_r.a",
        Kind.DEFINITION,
        printed("eq. (4)"),
        "the rank surrogate",
        r"$r(H)=\mathrm{Tr}(M(H))^2/\lVert M(H)\rVert_F^2$, $M(H)=HH^\top/N$.",
    ),
    stated(
        "dkbhl20.def_r.b",
        printed("Section 2, after eq. (4)"),
        "r is differentiable",
        r"$r$ is differentiable with respect to $H$: its derivative along every $G$ is "
        r"$\langle\nabla r(H),G\rangle$ with $\nabla r=\frac4N\big(\mathrm{Tr}(M)\lVert M"
        r"\rVert_F^2H-\mathrm{Tr}(M)^2MH\big)/\lVert M\rVert_F^4$.",
        Rate(surrogate(H)) == dot(gradient(H), G),
        [NOT_ZERO],
        flow={"H": G},
        depends=("dkbhl20.def_r.a",),
        pool=SEGMENTS,
        proofs=[by_the_quotient_rule],
    ),
    stated(
        "dkbhl20.def_r.b.rank",
        printed("Section 2, after eq. (4)"),
        "the algebraic rank is not differentiable",
        r"There are $H$ and $G$ with $\mathrm{rank}(H+tG)\ne\mathrm{rank}(H)$ for all but finitely "
        r"many $t$.",
        rank_jumps(),
        [NOT_ZERO],
        kind=Kind.EXISTENCE,
        pool=SEGMENTS,
        negated="on every segment all ranks but finitely many are that at its start",
    ),
)
