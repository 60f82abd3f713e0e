"""How the inequalities of Proposition 14 are obtained from those at finite depth.

Costs are R(h; L) = L R^(0) + R^(1) + R^(2) / L with free coefficients. Of a function of L its terms
are kept by their powers, so a limit is a coefficient, and it exists where no positive power is
left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from graphs.arithmetic import rational
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import as_real
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.papers.j23 import second_correction_proofs as proofs
from verify.papers.j23.expansions import Numbers, along_ratio, sides_along
from verify.papers.j23.rows import exact
from verify.papers.j23.sources import printed
from verify.statements.quantities import PROPORTION, with_value
from verify.statements.sides import Side, by_numbers

PROOF = "proof of Proposition 14"


def value(case: Tensors, name: str) -> Any:
    """A number of a case as a rational of graphs.arithmetic."""
    return exact(case, name).reshape(-1)[0]


def number_pool(*names: str, **options: Any) -> TensorPool:
    """Cases made of these numbers."""
    return TensorPool(tuple((name, ()) for name in names), adapt=as_real, **options)


def _numbers(case: Tensors) -> Numbers:
    return {name: value(case, name) for name in case.arrays}


def composition_limits(case: Tensors, operation: int, share_of: str) -> Iterator[Side]:
    """Both sides of the inequality of compositions after the operations, against those of (1).
    operation: times L_f + L_g to this power. share_of: the function whose layers are p L."""
    if value(case, "p") not in (0, 1):
        yield from along_ratio(_numbers(case), rational(1), operation, share_of)


def sum_limits(case: Tensors, operation: int) -> Iterator[Side]:
    """The same for the inequality of sums, all at depth L."""
    numbers, one = _numbers(case), rational(1)
    shares = {"h": one, "f": one, "g": one}
    yield from sides_along(numbers, shares, operation, numbers["f2"] + numbers["g2"])


COEFFICIENTS = tuple(f"{function}{order}" for function in "fgh" for order in "012")


def _ranks(case: Tensors) -> bool:
    return len({case.number(f"{function}0") for function in "fgh"}) == 1


def _same_ranks(case: Tensors, random: Random) -> Tensors:
    for function in "gh":
        case = with_value(case, f"{function}0", case.number("f0"))
    return case


def _sum_to(case: Tensors, order: str) -> bool:
    return case.number(f"h{order}") == case.number(f"f{order}") + case.number(f"g{order}")


def _summed(case: Tensors, random: Random, order: str) -> Tensors:
    return with_value(case, f"h{order}", case.number(f"f{order}") + case.number(f"g{order}"))


def _moved(case: Tensors, random: Random, order: str) -> Tensors:
    return with_value(case, f"h{order}", case.number(f"h{order}") + 1)


def _adding(order: str, title: str, statement: str) -> Hypothesis:
    return Hypothesis(
        title,
        statement,
        by_case(partial(_sum_to, order=order)),
        partial(_summed, order=order),
        partial(_moved, order=order),
    )


EQUAL = Hypothesis(
    "one leading coefficient",
    r"$R^{(0)}(f)=R^{(0)}(g)=R^{(0)}(f\circ g)$",
    by_case(_ranks),
    _same_ranks,
    partial(_moved, order="0"),
)
FIRST_ADD = _adding("1", "constant coefficients add", r"$R^{(1)}$ adds")
ZEROTH_ADD = _adding("0", "leading coefficients add", r"$R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$")
FREE = r"With $R(\cdot;L)=LR^{(0)}+R^{(1)}+R^{(2)}/L$, free coefficients: "
EXPANDED = (
    "the limit of a side is a coefficient of its expansion in the depth "
    "(docs/mathematics/j23.md#the-operations)"
)
OPERATIONS = {-1: "dividing by", 1: "multiplying by"}


def _composition(operation: int, share_of: str) -> Claim:
    repaired = operation == 1
    return Claim(
        "j23.prop4.eq1.limits" + ".fix" * repaired,
        Kind.IDENTITY,
        printed(f"{PROOF}, first two displays"),
        "how (1) is obtained" + ", repaired" * repaired,
        FREE
        + r"after subtracting $(L_f+L_g)R^{(0)}(f\circ g)+R^{(1)}(f\circ g)$ from both sides of "
        r"$R(f\circ g;L_f+L_g)\le R(f;L_f)+R(g;L_g)$ and "
        + OPERATIONS[operation]
        + rf" $L_f+L_g$, with $\frac{{L_{share_of}}}{{L_f+L_g}}\to p$, the limits are the sides of "
        r"(1): $R^{(2)}(f\circ g)$ and $\frac1{1-p}R^{(2)}(f)+\frac1pR^{(2)}(g)$.",
        (EQUAL, FIRST_ADD, PROPORTION),
        ("j23.thm3.1.ineq@B",),
        measure=by_numbers(partial(composition_limits, operation=operation, share_of=share_of)),
        pool=number_pool(*COEFFICIENTS, "p"),
        repairs="j23.prop4.eq1.limits" if repaired else None,
        exact_only=True,
        proof=proofs.limits_of_compositions if repaired else None,
        through=EXPANDED,
        why=""
        if repaired
        else r"Divided by $L_f+L_g$, both sides tend to $0$; multiplied by it they tend to the "
        r"sides "
        r"of (1), with $\frac1p$ at $f$ and $\frac1{1-p}$ at $g$.",
    )


def _sum(operation: int) -> Claim:
    repaired = operation == 1
    return Claim(
        "j23.prop4.2.limits" + ".fix" * repaired,
        Kind.IDENTITY,
        printed(f"{PROOF}, (2)"),
        "how the inequality of sums is obtained" + ", repaired" * repaired,
        FREE + r"after subtracting the $R^{(0)}$ and $R^{(1)}$ terms from both sides of "
        r"$R(f+g;L)\le R(f;L)+R(g;L)$ and "
        + OPERATIONS[operation]
        + r" $L$, the limits are $R^{(2)}(f+g)$ and $R^{(2)}(f)+R^{(2)}(g)$.",
        (ZEROTH_ADD, FIRST_ADD),
        ("j23.thm3.2.ineq@A",),
        measure=by_numbers(partial(sum_limits, operation=operation)),
        pool=number_pool(*COEFFICIENTS),
        repairs="j23.prop4.2.limits" if repaired else None,
        exact_only=True,
        proof=proofs.limits_of_sums if repaired else None,
        through=EXPANDED,
        why=""
        if repaired
        else r"Divided by $L$, both sides tend to $0$; multiplied by $L$ they tend to "
        r"$R^{(2)}(f+g)$ "
        r"and $R^{(2)}(f)+R^{(2)}(g)$.",
    )


CLAIMS = (_composition(-1, "f"), _composition(1, "g"), _sum(-1), _sum(1))
