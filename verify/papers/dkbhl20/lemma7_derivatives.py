"""The derivatives of g(M) = M_ij^2 / (M_ii M_jj) in M_ii, M_ij, M_jj, (67) and (72).

Partial derivatives are the coefficients with which a number changes as the three entries move with
any velocities a, b, c. Those of second order are the derivatives of the first ones, which by the
quotient rule are IN_II, IN_IJ, IN_JJ wherever g is defined. In (67) one formula stands for ii and
jj: it is compared with both derivatives.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from verify.language.building import Number, Rate
from verify.language.proofs import Proof
from verify.language.records import key
from verify.language.terms import Term
from verify.papers.dkbhl20.sources import printed
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

II, IJ, JJ = Number("ii"), Number("ij"), Number("jj")
A, B, C = Number("a"), Number("b"), Number("c")  # the velocities
FLOW = {"ii": A, "ij": B, "jj": C}


def square(ii: Term, ij: Term, jj: Term) -> Term:
    """g."""
    return ij**2 / (ii * jj)


def first_derivatives(ii: Term, ij: Term, jj: Term) -> tuple[Term, Term, Term]:
    """Those of g in the three entries."""
    return -(ij**2) / (ii**2 * jj), 2 * ij / (ii * jj), -(ij**2) / (ii * jj**2)


def second_derivatives(ii: Term, ij: Term, jj: Term) -> tuple[tuple[Term, ...], ...]:
    """Those of g, a symmetric table."""
    across = -2 * ij / (ii**2 * jj), -2 * ij / (ii * jj**2)
    both = ij**2 / (ii**2 * jj**2)
    return (
        (2 * ij**2 / (ii**3 * jj), across[0], both),
        (across[0], 2 / (ii * jj), across[1]),
        (both, across[1], 2 * ij**2 / (ii * jj**3)),
    )


G = square(II, IJ, JJ)
IN_II, IN_IJ, IN_JJ = first_derivatives(II, IJ, JJ)


def moves_with(moved: Term, ii: Any, ij: Any, jj: Any) -> Term:
    """That these are the derivatives of a number."""
    holds: Term = Rate(moved) == ii * A + ij * B + jj * C
    return holds


PRINTED = -(IJ**2) / (II**2 * JJ)  # for ii and for jj
FIRST = moves_with(G, PRINTED, IN_IJ, PRINTED) & moves_with(G, -G, IN_IJ, -G)
SECOND = (
    moves_with(IN_IJ, -2 * IJ, 2, -2 * IJ)
    & moves_with(IN_II, 2 * IJ**2, -2 * IJ, IJ**2)
    & moves_with(IN_JJ, IJ**2, -2 * IJ, 2 * IJ**2)
)


# proofs -------------------------------------------------------------------------------------------
def by_the_quotient_rule(proof: Proof) -> None:
    """The derivative of a quotient, with ones put in."""
    moved = proof.goal.args[0].args[0]
    above, below = moved.args
    up, down = _rate(above), _rate(below)
    found = proof.rate(moved, up / below - down / below**2 * above)
    ones = proof.given[ONES.name]
    proof.same(proof.goal, [proof.part(ones, 0), proof.part(ones, 1)], found)


def _rate(term: Term) -> Any:
    """The derivative of a product of powers of the three entries."""
    velocity = {key(II): A, key(IJ): B, key(JJ): C}
    if term.op == "field":
        return velocity[key(term)]
    if term.op == "neg":
        return -_rate(term.args[0])
    if term.op == "pow":
        base, _ = term.args  # squares alone
        return 2 * base * _rate(base)
    if term.op == "mul":
        one, other = term.args
        return _rate(one) * other + one * _rate(other)
    return 0 * A  # a literal


# cases --------------------------------------------------------------------------------------------
def _ones(case: Any, random: Random) -> Any:
    for name in ("ii", "jj"):
        case = with_entries(case, name, [Fraction(1)])
    return case


def _half_of_them(case: Any, random: Random) -> Any:
    return _ones(case, random) if random.random() < 0.5 else case


def _another(case: Any, random: Random) -> Any:
    value = random.choice((Fraction(2), Fraction(1, 2)))
    return with_entries(case, random.choice(("ii", "jj")), [value])


def _positive(case: Any, random: Random) -> Any:
    for name in ("ii", "jj"):
        if case.number(name) <= 0:
            case = with_entries(case, name, [abs(case.number(name)) or Fraction(1)])
    return case


DEFINED = Given(
    "positive diagonal entries",
    (II > 0) & (JJ > 0),
    r"$M_{ii},M_{jj}>0$, so that $g$ is defined",
    _positive,
)
ONES = Given(
    "ones at ii and jj", (II == 1) & (JJ == 1), r"$M_{ii}=M_{jj}=1$", _ones, _another, thin=True
)
ENTRIES = pool_with(II, IJ, JJ, A, B, C, largest=1, adapt=_half_of_them)

CLAIMS = (
    stated(
        "dkbhl20.lem7_derivs.a",
        printed("proof of Lemma 7, eq. (67)"),
        "first derivatives",
        r"$\dfrac{\partial g(M)}{\partial M_{pq}}=-M_{ij}^2/(M_{ii}^2M_{jj})=-g(M)$ for "
        r"$pq=\{ii,jj\}$ and $=2M_{ij}/(M_{ii}M_{jj})$ for $pq=\{ij\}$, at unit diagonal.",
        FIRST,
        [DEFINED, ONES],
        flow=FLOW,
        pool=ENTRIES,
        proofs=[by_the_quotient_rule] * 2,
    ),
    stated(
        "dkbhl20.lem7_derivs.b",
        printed("proof of Lemma 7, eq. (72)"),
        "second derivatives",
        r"$\dfrac{\partial^2g(M)}{\partial M_\alpha\partial M_\beta}=2$ for $\alpha=\beta=\{ij\}$; "
        r"$-2M_{ij}$ for $\alpha=\{ij\},\beta=\{ii\}$; $+2M_{ij}^2$ for $\alpha=\beta=\{ii\}$; "
        r"$M_{ij}^2$ for $\alpha=\{jj\},\beta=\{ii\}$ (and with $i$ and $j$ exchanged).",
        SECOND,
        [DEFINED, ONES],
        flow=FLOW,
        pool=ENTRIES,
        proofs=[by_the_quotient_rule] * 3,
    ),
)
