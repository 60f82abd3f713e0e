"""How the inequalities of Proposition 14 are obtained from those at finite depth.

Costs are R(h; L) = L R^(0) + R^(1) + R^(2) / L with free coefficients. Of a function of L its terms
are kept by their powers, so a limit is a coefficient, and it exists where no positive power is
left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_
from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.language.building import Number
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_notation import PROPORTION, p
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated

PROOF = "proof of Proposition 14"
OF = {f"{function}{order}": Number(f"{function}{order}") for function in "fgh" for order in "012"}
"""R^(0), R^(1) and R^(2) of f, of g, and of f after g or f + g, which is h here."""

Terms = Mapping[int, Term]  # the coefficient of each power of L


# expansions ---------------------------------------------------------------------------------------
def cost(function: str, share: Term | int) -> Terms:
    """R(h; share L) of the function with this letter."""
    zeroth, first, second = (OF[f"{function}{order}"] for order in "012")
    if isinstance(share, int):  # at depth L
        return {1: zeroth, 0: first, -1: second}
    return {1: zeroth * share, 0: first, -1: second / share}


def subtracted(terms: Terms) -> Terms:
    """What is left without L R^(0)(h) + R^(1)(h)."""
    return {1: terms[1] - OF["h0"], 0: terms[0] - OF["h1"], -1: terms[-1]}


def tends_to(terms: Terms, times: int, limit: Term) -> Iterator[Term]:
    """That the terms, times that power of L, tend to a limit: none has a positive power, and the
    constant one is the limit."""
    moved = {power + times: coefficient for power, coefficient in terms.items()}
    for power in sorted(moved):
        if power > 0:
            yield moved[power] == 0
    yield moved[0] == limit


def limits(share_f: Term | int, share_g: Term | int, operation: int, limit: Term) -> Term:
    """The limits of both sides of R(h; L) <= R(f; share L) + R(g; share' L), without the terms of h
    of order L and 1, times L to the power `operation`: R^(2)(h) and what is told."""
    one, other = cost("f", share_f), cost("g", share_g)
    right = {power: one[power] + other[power] for power in one}
    told = (
        *tends_to(subtracted(cost("h", 1)), operation, OF["h2"]),
        *tends_to(subtracted(right), operation, limit),
    )
    return reduce(and_, told)


def of_compositions(operation: int, share_f: Term, share_g: Term) -> Term:
    """Along L_f + L_g = L; the limit of (1)."""
    return limits(share_f, share_g, operation, OF["f2"] / (1 - p) + OF["g2"] / p)


def of_sums(operation: int) -> Term:
    """All at depth L."""
    return limits(1, 1, operation, OF["f2"] + OF["g2"])


# hypotheses ---------------------------------------------------------------------------------------
def _same_ranks(case: Tensors, random: Random) -> Tensors:
    for function in "gh":
        case = with_value(case, f"{function}0", case.number("f0"))
    return case


def _moved(case: Tensors, name: str) -> Tensors:
    return with_value(case, name, case.number(name) + 1)


def _adding(order: str, title: str, text: str) -> Given:
    f, g, h = (f"{function}{order}" for function in "fgh")
    return Given(
        title,
        OF[h] == OF[f] + OF[g],
        text,
        lambda case, random: with_value(case, h, case.number(f) + case.number(g)),
        lambda case, random: _moved(case, h),
    )


EQUAL = Given(
    "one leading coefficient",
    (OF["f0"] == OF["g0"]) & (OF["g0"] == OF["h0"]),
    r"$R^{(0)}(f)=R^{(0)}(g)=R^{(0)}(f\circ g)$",
    _same_ranks,
    lambda case, random: _moved(case, "h0"),
)
FIRST_ADD = _adding("1", "constant coefficients add", r"$R^{(1)}$ adds")
ZEROTH_ADD = _adding("0", "leading coefficients add", r"$R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$")


# proofs -------------------------------------------------------------------------------------------
def _as_it_stands(proof: Proof) -> None:
    proof.algebra(proof.goal, {})


def _constants_cancel(proof: Proof) -> None:
    proof.algebra(proof.goal, {proof.given[FIRST_ADD.name]: -1})


def _ranks_cancel(proof: Proof) -> None:
    """f0 (1 - p) + g0 p - h0 = (1 - p) (f0 - g0) + g0 - h0."""
    one, other = (proof.part(proof.given[EQUAL.name], at) for at in (0, 1))
    proof.algebra(proof.goal, {one: 1 - p, other: 1})


def _leading_cancel(proof: Proof) -> None:
    proof.algebra(proof.goal, {proof.given[ZEROTH_ADD.name]: -1})


# claims -------------------------------------------------------------------------------------------
FREE = r"With $R(\cdot;L)=LR^{(0)}+R^{(1)}+R^{(2)}/L$, free coefficients: "
EXPANDED = (
    "the limit of a side is a coefficient of its expansion in the depth "
    "(docs/mathematics/j23.md#the-operations)"
)
OPERATIONS = {-1: "dividing by", 1: "multiplying by"}


def _composition(operation: int, share_of: str) -> Claim:
    repaired = operation == 1
    shares = (p, 1 - p) if share_of == "f" else (1 - p, p)
    left = [_as_it_stands] * 3
    return stated(
        "j23.prop4.eq1.limits" + ".fix" * repaired,
        printed(f"{PROOF}, first two displays"),
        "how (1) is obtained" + ", repaired" * repaired,
        FREE
        + r"after subtracting $(L_f+L_g)R^{(0)}(f\circ g)+R^{(1)}(f\circ g)$ from both sides of "
        r"$R(f\circ g;L_f+L_g)\le R(f;L_f)+R(g;L_g)$ and "
        + OPERATIONS[operation]
        + rf" $L_f+L_g$, with $\frac{{L_{share_of}}}{{L_f+L_g}}\to p$, the limits are the sides of "
        r"(1): $R^{(2)}(f\circ g)$ and $\frac1{1-p}R^{(2)}(f)+\frac1pR^{(2)}(g)$.",
        of_compositions(operation, *shares),
        (EQUAL, FIRST_ADD, PROPORTION),
        depends=("j23.thm3.1.ineq@B",),
        pool=pool_with(*OF.values(), p),
        repairs="j23.prop4.eq1.limits" if repaired else None,
        exact_only=True,
        proofs=[*left, _constants_cancel, _ranks_cancel, _as_it_stands] if repaired else [],
        through=EXPANDED,
        why=""
        if repaired
        else r"Divided by $L_f+L_g$, both sides tend to $0$; multiplied by it they tend to the "
        r"sides "
        r"of (1), with $\frac1p$ at $f$ and $\frac1{1-p}$ at $g$.",
    )


def _sum(operation: int) -> Claim:
    repaired = operation == 1
    left = [_as_it_stands] * 3
    return stated(
        "j23.prop4.2.limits" + ".fix" * repaired,
        printed(f"{PROOF}, (2)"),
        "how the inequality of sums is obtained" + ", repaired" * repaired,
        FREE + r"after subtracting the $R^{(0)}$ and $R^{(1)}$ terms from both sides of "
        r"$R(f+g;L)\le R(f;L)+R(g;L)$ and "
        + OPERATIONS[operation]
        + r" $L$, the limits are $R^{(2)}(f+g)$ and $R^{(2)}(f)+R^{(2)}(g)$.",
        of_sums(operation),
        (ZEROTH_ADD, FIRST_ADD),
        depends=("j23.thm3.2.ineq@A",),
        pool=pool_with(*OF.values()),
        repairs="j23.prop4.2.limits" if repaired else None,
        exact_only=True,
        proofs=[*left, _constants_cancel, _leading_cancel, _as_it_stands] if repaired else [],
        through=EXPANDED,
        why=""
        if repaired
        else r"Divided by $L$, both sides tend to $0$; multiplied by $L$ they tend to "
        r"$R^{(2)}(f+g)$ "
        r"and $R^{(2)}(f)+R^{(2)}(g)$.",
    )


CLAIMS = (_composition(-1, "f"), _composition(1, "g"), _sum(-1), _sum(1))
