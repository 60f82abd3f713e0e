"""Theorem 3.6 where inputs may grow, and factors and variances may be others.

On the families of linear networks of verify.profile with the input M^x, and one of four scalings of
a neuron with in-degree d: the factor d^(-1/2) as printed (s = 1), 1 (s = 0), 1/d (s = 2), and 1
with weights of variance 1/d (s = 3). The block of the Hessian between the weights into v and those
above is still of rank one, the incoming vector with its factor times the gradient of b_v, and these
two are independent, so that the mean of its square is at least E f_v^2 E b_v^2; for s = 3 at least
the sum of the E f_u^2 over the parents times the sum of the E b_j^2 over the children, by the
weights between v and these. All are counted as before.
"""

from __future__ import annotations

from random import Random

from verify.claim import Claim, Kind
from verify.group_shapes import Shape
from verify.hypotheses import Hypothesis, by_case
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.widths import BALL, COUNTED, RATE_FAILS, TRUSTED
from verify.profile import Profile, ProfileScene
from verify.profile_hypotheses import GROWS, width
from verify.profile_pool import profile_pool
from verify.vocabulary import Entries

PRINTED, UNSCALED, INVERSE, VARIANCE = 1, 0, 2, 3  # s
POWERS = {PRINTED: 1, UNSCALED: 0, INVERSE: 2, VARIANCE: 1}  # of 1/d in the mean of a square


def squared_norm(shape: Shape, growth: int, scaling: int) -> int:
    """The exponent of the bound from below on |H_f|^2, for the input M^growth."""
    power = POWERS[scaling]
    values = [2 * growth]  # of E f_v^2
    for g in range(1, shape.count):
        values.append(_total(shape, shape.parents[g], values) - power * shape.degrees[g])
    slopes = [0] * shape.count  # of E b_v^2
    for g in range(shape.output - 1, -1, -1):
        below = [slopes[j] - power * shape.degrees[j] for j in range(shape.count)]
        slopes[g] = _total(shape, shape.children(g), below)
    if scaling != VARIANCE:
        return max(values[g] + slopes[g] for g in shape.hidden)
    return max(
        _total(shape, shape.parents[g], values) + _total(shape, shape.children(g), slopes)
        for g in shape.hidden
    )


def _total(shape: Shape, groups: tuple[int, ...] | list[int], each: list[int]) -> int:
    """The exponent of a sum over the neurons of some groups."""
    return max(shape.sizes[h] + each[h] for h in groups)


def rate_with_inputs(scene: ProfileScene) -> Entries:
    """(11): the exponent by which |H_f|^2 falls is that of m at least. What is no family falls by
    0."""
    falls, widths = [], []
    for shape, case in zip(scene.shapes, scene.cases, strict=True):
        growth, scaling = case.whole("x"), case.whole("s")
        known = shape.well_formed and scaling in POWERS
        falls.append(-squared_norm(shape, growth, scaling) if known else 0)
        widths.append(width(shape) or 0)
    return scene.compare(scene.numbers(falls), scene.numbers(widths))


# hypotheses ---------------------------------------------------------------------------------------
def _known(case: Profile) -> bool:
    return case.well_formed and case.whole("x") >= 0 and case.whole("s") in POWERS


def _mended(case: Profile, random: Random) -> Profile:
    case = case.of(case.shape.mended()).with_whole("x", abs(case.whole("x")))
    return case if case.whole("s") in POWERS else case.with_whole("s", PRINTED)


GROUPS = Hypothesis(
    "groups of linear neurons",
    r"a family of linear networks, $M=1,2,\dots$, on groups of neurons: each neuron of a group "
    r"has all neurons of its parent groups as incoming neurons, and group $g$ has $M^{e_g}$ of "
    r"them. One input $M^x$, one output, to which all groups lead; weights are independent and "
    r"normal. Assumptions 3.2 ($\sigma(z)=z$) and 3.5 hold, and $L$ is fixed",
    by_case(_known),
    _mended,
)
BOUNDED_INPUT = Hypothesis(
    "bounded input",
    r"Assumption 3.1: $\lVert x\rVert_\infty\le C_x$, that is $M^x$ with $x=0$",
    by_case(lambda case: case.whole("x") <= 0),
    lambda case, random: case.with_whole("x", 0),
    lambda case, random: case.with_whole("x", random.randint(1, 2)),
)
FACTOR = Hypothesis(
    "scale factors and variances",
    r"the factor at a neuron is $\mathrm{in}(v)^{-1/2}$ and weights have variance 1 ($s=1$); not "
    r"the factor 1 ($s=0$), $1/\mathrm{in}(v)$ ($s=2$), or 1 with weights of variance "
    r"$1/\mathrm{in}(v)$ ($s=3$)",
    by_case(lambda case: case.whole("s") == PRINTED),
    lambda case, random: case.with_whole("s", PRINTED),
    lambda case, random: case.with_whole("s", random.choice((UNSCALED, INVERSE, VARIANCE))),
)


CLAIMS = (
    Claim(
        "zlb22.thm3.6.given",
        Kind.INEQUALITY,
        printed("Theorem 3.6, (11)"),
        "Hessian norm of outputs, bounded inputs and scale factors as hypotheses",
        r"Suppose Assumptions 3.1, 3.2 and 3.5 hold. "
        + BALL
        + r"each output neuron satisfies $\|H_{f_k}(\mathbf w)\|=\tilde O(1/\sqrt m)$. Judged "
        + COUNTED
        + r"; the input $M^x$ and the scaling $s$ are numbers of a family, so that Assumption 3.1 "
        "and the factors of Definition 2.2 are hypotheses of their own.",
        (GROUPS, GROWS, BOUNDED_INPUT, FACTOR),
        ("zlb22.thm3.6.width@A",),
        measure=rate_with_inputs,
        pool=profile_pool(("x", 0, 2), ("s", 0, 3)),
        exact_only=True,
        trusted=TRUSTED,
        negated=RATE_FAILS,
    ),
)
