"""Section 3.1 and the Bottleneck rank: what is printed of R^(0) beside Theorem 3, on affine
functions.

The cost knows a function on its domain alone: on a domain of lower dimension, or a point, R^(0) is
the rank along the domain. On a domain with lines R^(0)(id; R) = 2 for the ReLU while both ranks are
1 (see domains).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphs.arithmetic import rational
from graphs.matrices import rank
from verify.cases.hypotheses import Hypothesis
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Bounds
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.domains import (
    BOUNDED,
    ON_DOMAINS,
    SHAPE,
    SLOPE,
    SOLID,
    Domain,
    domain,
    domain_pool,
    first_order,
    through_rank,
)
from verify.papers.j23.rows import (
    Row,
    certain_difference,
    certain_sides,
    certain_slack,
    entries_of,
    exact,
)
from verify.papers.j23.sources import printed

LINEAR = domain_pool((("F", ("q", "n")),))
AT_DEPTH = domain_pool((("F", ("q", "n")), ("d", ("q",))), integers=(("L", 2, 8),))
AFFINE = rf"affine $f$ with linear part $F$, {SHAPE}"
WHY_LINES = (
    r"Along a line a network needs two chains, one for each direction: $R(id;\mathbb R,L)=2L$ with "
    r"the "
    r"ReLU, while both ranks of the identity are $1$."
)


def along(linear: Matrix, on: Domain) -> Any:
    """Rank_J = Rank_BN with piecewise linear factors, of an affine function: the rank along the
    domain, by its Jacobian and by a factorisation."""
    return rational(rank(linear @ on.directions))


def _decided(rows: list[Any], place: int, label: dict[str, Any], values: list[Any]) -> None:
    rows += [(place, label, value) for value in values]


def _each(scene: RealScene, values: Callable[[Tensors], list[Any]]) -> Entries:
    """Entries without label from the numbers of each case."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        _decided(rows, place, {}, values(case))
    return entries_of(rows)


# the Bottleneck rank ------------------------------------------------------------------------------
def conjecture_residual(scene: RealScene) -> Entries:
    """R^(0)(f; Omega) - Rank_BN(f; Omega), where bounds decide."""

    def values(case: Tensors) -> list[Any]:
        on, linear = domain(case), exact(case, "F")
        return certain_difference(first_order(linear, on), along(linear, on))

    return _each(scene, values)


PIECEWISE = r"$g$ and $h$ are finite piecewise linear"
DEFINITION = Claim(
    "j23.bnrank@B",
    Kind.DEFINITION,
    printed("Section 3.1"),
    "Bottleneck rank",
    r"$\mathrm{Rank}_{BN}(f;\Omega)$ is the smallest $k$ such that $f=\Omega\xrightarrow{g}"
    r"\mathbb R^k\xrightarrow{h}\mathbb R^{d_{out}}$ where $g$ and $h$ are FPLF.",
    reading="B",
    reading_text=PIECEWISE,
)


def _conjecture(*more: Hypothesis, repaired: bool = False) -> Claim:
    name = "j23.bnrank.conjecture@B"
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.IDENTITY,
        printed("Sections 1 and 3.1"),
        "the conjecture on the Bottleneck rank" + (", repaired" if repaired else ""),
        r"$R^{(0)}(f;\Omega)=\mathrm{Rank}_{BN}(f;\Omega)$ for all piecewise linear $f$, by "
        r"conjecture" + (r", on bounded $\Omega$." if repaired else "."),
        (SLOPE, *more),
        ("j23.bnrank@B", "j23.expansion"),
        measure=conjecture_residual,
        pool=LINEAR,
        reading="B",
        reading_text=f"{PIECEWISE}; {AFFINE}",
        repairs=name if repaired else None,
        exact_only=True,
        through=ON_DOMAINS,
        why="" if repaired else WHY_LINES,
    )


# bounds on R^(0) ----------------------------------------------------------------------------------
def lower_slack(scene: RealScene) -> Entries:
    """R^(0)(f; Omega) - Rank_J(f; Omega), where bounds decide."""

    def values(case: Tensors) -> list[Any]:
        on, linear = domain(case), exact(case, "F")
        target = along(linear, on)
        return certain_slack(first_order(linear, on), Bounds(target, target))

    return _each(scene, values)


def upper_slack(scene: RealScene) -> Entries:
    """Rank_BN(f; Omega) - R^(0)(f; Omega), where bounds decide."""
    rows: list[Row] = []
    left: list[Any] = []
    for place, case in enumerate(scene.cases):
        on, linear = domain(case), exact(case, "F")
        target = along(linear, on)
        for larger, smaller in certain_sides(Bounds(target, target), first_order(linear, on)):
            rows.append((place, {}, larger - smaller))
            left.append(larger)
    return entries_of(rows, left)


def _sandwich(
    name: str, statement: str, measure: Any, *more: Hypothesis, fix: str = "", pool: Any = None
) -> Claim:
    return Claim(
        f"j23.sandwich.{name}",
        Kind.INEQUALITY,
        printed("Section 3.1, first display"),
        "bounds on the first order of the cost" + (", repaired" if fix else ""),
        f"{statement} ({AFFINE[0].upper()}{AFFINE[1:]}.)",
        (SLOPE, *more),
        ("j23.expansion", "j23.bnrank@B"),
        measure=measure,
        pool=pool or LINEAR,
        repairs=fix or None,
        exact_only=True,
        through=ON_DOMAINS,
        why="" if fix or name == "lower" else WHY_LINES,
    )


LOWER = r"$\mathrm{Rank}_J(f;\Omega)\le R^{(0)}(f;\Omega)$."
UPPER = r"$R^{(0)}(f;\Omega)\le\mathrm{Rank}_{BN}(f;\Omega)$"
ORDER = (
    r"An upper bound of the form $R(f;\Omega,L)\le L\,\mathrm{Rank}_{BN}(f;\Omega)+O(1)$ holds, "
    "thus "
    r"$R^{(1)}$ is bounded above"
)


def order_slack(scene: RealScene) -> Entries:
    """L Rank_BN + C minus the norm of the network through R^k of depth L, C the excess of that of
    depth 2; where R grows faster than L Rank_BN, Rank_BN - R^(0)."""
    rows: list[Row] = []
    left: list[Any] = []
    for place, case in enumerate(scene.cases):
        on, linear, depth = domain(case), exact(case, "F"), case.whole("L")
        target = along(linear, on)
        least = first_order(linear, on).lower
        if depth < 2:
            continue
        if least > target:
            rows.append((place, {"part": "growth"}, target - least))
            left.append(target)
        elif on.bounded:
            shift = exact(case, "d")
            excess = through_rank(linear, shift, on, 2) - target * 2
            norm = through_rank(linear, shift, on, depth)
            rows.append((place, {"part": "network"}, target * depth + excess - norm))
            left.append(target * depth + excess)
    return entries_of(rows, left)


# compositions and sums ----------------------------------------------------------------------------
def composition_slack(scene: RealScene) -> Entries:
    """R^(0)(f; g(Omega)) and R^(0)(g; Omega), each minus R^(0)(f after g; Omega), where bounds tell
    the sign."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        on, f, g = domain(case), exact(case, "F"), exact(case, "G")
        whole = first_order(f @ g, on)
        outer = on.image(g, exact(case, "c"))
        for part, bounds in (("f", first_order(f, outer)), ("g", first_order(g, on))):
            _decided(rows, place, {"part": part}, certain_slack(bounds, whole))
    return entries_of(rows)


def sum_slack(scene: RealScene) -> Entries:
    """R^(0)(f) + R^(0)(g) - R^(0)(f + g), where bounds decide."""

    def values(case: Tensors) -> list[Any]:
        on, f, g = domain(case), exact(case, "F"), exact(case, "G")
        one, other = first_order(f, on), first_order(g, on)
        both = Bounds(one.lower + other.lower, one.upper + other.upper)
        return certain_slack(both, first_order(f + g, on))

    return _each(scene, values)


COMPOSITION = Claim(
    "j23.rankprops.1@B",
    Kind.INEQUALITY,
    printed("Section 3.1, property 1"),
    "first order of a composition",
    r"$R^{(0)}(f\circ g;\Omega)\le\min\{R^{(0)}(f),R^{(0)}(g)\}$.",
    (SLOPE,),
    ("j23.sandwich.lower",),
    measure=composition_slack,
    pool=domain_pool((("F", ("q", "m")), ("G", ("m", "n")), ("c", ("m",)))),
    through=ON_DOMAINS,
    reading="B",
    reading_text=r"the domain of $f$ is $g(\Omega)$; affine $f$ and $g$ with linear parts $F$ and "
    rf"$G$, {SHAPE}",
    exact_only=True,
)
SUM = Claim(
    "j23.rankprops.2",
    Kind.INEQUALITY,
    printed("Section 3.1, property 2"),
    "first order of a sum",
    r"$R^{(0)}(f+g;\Omega)\le R^{(0)}(f)+R^{(0)}(g)$. "
    rf"(Affine $f$ and $g$ with linear parts $F$ and $G$, {SHAPE}.)",
    (SLOPE,),
    ("j23.sandwich.lower",),
    measure=sum_slack,
    pool=domain_pool((("F", ("q", "n")), ("G", ("q", "n")))),
    through=ON_DOMAINS,
    exact_only=True,
)


# linear maps --------------------------------------------------------------------------------------
def linear_residual(scene: RealScene) -> Entries:
    """R^(0)(x -> A x; Omega) - Rank A, where bounds decide."""

    def values(case: Tensors) -> list[Any]:
        matrix = exact(case, "A")
        return certain_difference(first_order(matrix, domain(case)), rational(rank(matrix)))

    return _each(scene, values)


def _linear(*more: Hypothesis, repaired: bool = False) -> Claim:
    name = "j23.rankprops.3@A"
    on = r" whose interior is not empty" if repaired else ""
    return Claim(
        f"{name}.fix" if repaired else name,
        Kind.IDENTITY,
        printed("Section 3.1, property 3"),
        "first order of a linear map" + (", repaired" if repaired else ""),
        r"$R^{(0)}(x\mapsto Ax;\Omega)=\mathrm{Rank}A$ for any bounded $A$"
        + (f", on domains{on}." if repaired else "."),
        (SLOPE, *more),
        ("j23.sandwich.lower",),
        measure=linear_residual,
        pool=domain_pool((("A", ("q", "n")),)),
        reading="A",
        reading_text=rf"bounded: the norm of $A$ is finite; {SHAPE}",
        repairs=name if repaired else None,
        exact_only=True,
        through=ON_DOMAINS,
        why=""
        if repaired
        else r"The cost knows the map on $\Omega$ alone: at a point every network with the right "
        r"last "
        r"bias will do, so $R^{(0)}=0$ whatever $\mathrm{Rank}A$ is.",
    )


CLAIMS = (
    DEFINITION,
    _conjecture(),
    _conjecture(BOUNDED, repaired=True),
    _sandwich("lower", LOWER, lower_slack),
    _sandwich("upper", f"{UPPER}.", upper_slack),
    _sandwich(
        "upper.fix",
        rf"{UPPER} on bounded $\Omega$.",
        upper_slack,
        BOUNDED,
        fix="j23.sandwich.upper",
    ),
    _sandwich("order", f"{ORDER}.", order_slack, pool=AT_DEPTH),
    _sandwich(
        "order.fix",
        rf"On bounded $\Omega$: {ORDER}.",
        order_slack,
        BOUNDED,
        fix="j23.sandwich.order",
        pool=AT_DEPTH,
    ),
    COMPOSITION,
    SUM,
    _linear(),
    _linear(BOUNDED, SOLID, repaired=True),
)
