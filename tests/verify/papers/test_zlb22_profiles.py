"""Skips, bottlenecks and widths on families of linear networks: cases worked by hand, the verdicts
that they lead to, and certificates."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from tests.verify.papers.looking import looking
from tests.verify.papers.zlb22_groups import layered, worth
from verify.checker import ACCEPTED
from verify.core.evidence import Outcome
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22 import bottleneck_remainders, group_ladders, ladders
from verify.papers.zlb22.group_notation import NORM, NORM_WITH_SKIPS
from verify.papers.zlb22.group_shapes import Shape
from verify.papers.zlb22.profile import profile
from verify.papers.zlb22.profile_hypotheses import PROFILE
from verify.papers.zlb22.two_sided import argument, holds_on_list, listed
from verify.search.certificates import answer, certificate_of
from verify.search.judging import judge_exactly
from verify.statements.stated import Given, true_of

HALF = Fraction(1, 2)
CI = looking("ci", draws=48)


HANGING = Shape(((), (0,), (1,), (1,), (2,), (3, 4)), (0, 2, 0, 2, 1, 0))
COMMON = Shape(((), (0,), (0,), (1, 2), (3,)), (0, 0, 1, 1, 0), (None, 0, 0, 1, None))
APART = Shape(COMMON.parents, COMMON.sizes, (None, 0, 0, 2, None))  # each takes its own
THROUGH_ONE = layered(2, 2, 0, 1)  # M bottlenecks behind a single neuron, M^2 others before it
PAIR = Shape(  # two neurons of in-degree 1 on one neuron of the first layer
    ((), (0,), (0,), (2,), (2,), (1, 3, 4)), (0, 1, 0, 0, 0, 0)
)
CASES = [
    # the claim, the case, its slack in exponents of |H|^2; None: not what it speaks of
    ("thm3.6.width@B", layered(1, 0), {}, -1),
    ("thm3.6.width@B", layered(1, 1), {}, 0),
    ("thm3.6.width@B", layered(2, 1, 1), {}, 0),
    ("thm3.6.width@B", layered(1), {}, None),
    ("thm3.6.width@A", layered(1, 0), {}, None),
    ("thm3.6.width@A", layered(2, 1), {}, 0),
    ("thm3.6.width@A", Shape(((), (0,), (1,), (1, 2)), (0, 1, 1, 0)), {}, 0),
    ("thmD.1@A", COMMON, {}, -1),
    ("thmD.1@A", APART, {}, 0),
    ("thmD.1.fix", COMMON, {}, None),
    ("thmD.1.fix", APART, {}, 0),
    ("thmD.1.fix", APART.skipping(4, 3), {}, None),
    ("appF.a@A", HANGING.sized(4, 0), {"w": 2}, 1),
    ("appF.a@A", HANGING, {"w": 2}, None),
    ("appF.b.variance@B", HANGING, {"w": 2}, -1),
    ("appF.b.variance@B", HANGING.sized(4, 0), {"w": 2}, 0),
    ("appF.b.variance@B", THROUGH_ONE, {"w": 1}, None),
    ("appF.b.variance.fix", HANGING, {"w": 2}, None),
    ("appF.b.variance.fix", HANGING.sized(4, 0), {"w": 2}, 0),
    ("appF.b.variance.fix", HANGING.sized(3, 3), {"w": 2}, 0),  # M of M^3, m = M^2
    ("appF.c.fix", HANGING, {"w": 2}, 0),
    ("appF.c.fix", THROUGH_ONE, {"w": 1}, None),
    ("appF.c.hidden@A", HANGING, {"w": 2}, 0),
    ("appF.c.hidden@A", THROUGH_ONE, {"w": 1}, -1),
    ("appF.c.hidden@A", layered(1, 1, 0), {"w": 1}, None),
    ("appF.c.hidden@A", layered(1, 0, 1), {"w": 1}, None),
    ("fig3@A", PAIR, {"w": 1}, 0),
    ("fig3@A", PAIR.sized(3, 1), {"w": 1}, None),
    ("fig3@A", PAIR.fed(3, (0, 2)), {"w": 1}, None),
    ("appF.d", layered(2, 0, 1), {}, 0),
    ("appF.d", layered(2, 1), {}, None),
    ("appF.d.share", layered(1, 0, 1), {}, 0),
    ("appF.d.share", layered(0, 1, 2), {}, -1),
    ("appF.d.share", layered(1, 0), {}, None),
]


@pytest.mark.parametrize(("name", "shape", "numbers", "slack"), CASES)
def test_cases_by_hand(name, shape, numbers, slack):
    claim = find(f"zlb22.{name}")
    case = profile(shape, **numbers)
    judgement = judge_exactly(claim, case)
    assert judgement.admitted == (slack is not None)
    found = [violation.value for violation in judgement.violations]
    assert found == ([Fraction(slack)] if slack is not None and slack < 0 else [])
    if slack is not None:
        (value,) = claim.measure(type(case).scene([case], RATIONALS)).values
        assert value == slack
    for violation in judgement.violations:
        assert answer(certificate_of(claim, violation))["exit"] == ACCEPTED


def test_incoming_neurons_that_are_linear_have_no_variance():
    claim, case = find("zlb22.appF.b.variance@B"), profile(layered(2), w=2)
    assert all(true_of(term)(case) for term in claim.terms.given.values())
    assert len(claim.measure(type(case).scene([case], RATIONALS)).values) == 0


REFUTED = (
    "thm3.6.width@B",
    "thmD.1@A",
    "appF.b.variance@B",
    "appF.c.hidden@A",
    "appF.d.share",
)
STANDING = (
    "thm3.6.width@A",
    "thmD.1.fix",
    "appF.a@A",
    "appF.b.variance.fix",
    "appF.c.fix",
    "fig3@A",
    "appF.d",
)


@pytest.mark.parametrize("name", REFUTED)
def test_refuted(name):
    found = pointwise(find(f"zlb22.{name}"), CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


@pytest.mark.parametrize("name", STANDING)
def test_not_refuted(name):
    found = pointwise(find(f"zlb22.{name}"), CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 40


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("thmD.1.fix", {"each neuron the source of few skips"}),
        (
            "appF.a@A",
            {"a constant number of bottleneck neurons", "bottleneck neurons are incoming neurons"},
        ),
        ("appF.d", {"fully connected layers", "one narrow hidden layer"}),
    ],
)
def test_what_is_needed(name, needed):
    found = necessity(find(f"zlb22.{name}"), CI)
    assert {need.hypothesis for need in found.needs if need.needed} == needed
    assert all(need.certificate is not None for need in found.needs if need.needed)


# ladders ----------------------------------------------------------------------------------------
ARMS = [
    # the claim, an arm, numbers of the claim, the exponent of |H|^2 in the width that is counted
    *[("fig3@A", arm, {"w": 1}, -1) for arm in group_ladders.TWO_NEURONS],
    *[("appF.a@A", arm, {"w": 1}, -1) for arm in group_ladders.FEW_NEURONS],
    *[("appF.c.fix", arm, {"w": 2}, Fraction(-1, 2)) for arm in group_ladders.ROOT_OF_M],
    *[("appF.c.hidden@A", arm, {"w": 1}, 0) for arm in group_ladders.ALL_THROUGH_ONE],
    *[("appF.d", arm, {}, 0) for arm in group_ladders.NARROW_LAYERS],
    *[("thmD.1.fix", arm, {}, -1) for arm in group_ladders.INDEX_TO_INDEX],
    *[("thmD.1@A", arm, {}, 0) for arm in group_ladders.ALL_FROM_ONE],
]


@pytest.mark.parametrize(("name", "arm", "numbers", "exponent"), ARMS)
def test_arms_are_what_their_claims_speak_of(name, arm, numbers, exponent):
    claim = find(f"zlb22.{name}")
    assert judge_exactly(claim, profile(arm.shape, **numbers)).admitted == 1
    norm = NORM if arm.shape.skips is None else NORM_WITH_SKIPS
    assert arm.unit * worth(norm, arm.shape) == exponent
    assert arm.family.shared in {family.shared for family in claim.exponents.families(1)}


OF_ORDER_ROOT_M = (
    "thmD.1@A",
    "thmD.1.fix",
    "thm3.6.width@B",
)


@pytest.mark.parametrize("name", OF_ORDER_ROOT_M)
def test_orders_of_one_over_root_m_are_told_from_their_neighbour(name):
    for said in find(f"zlb22.{name}").exponents.predicted:
        assert (said.exponent, said.above, said.below) == (-HALF, -HALF / 2, None)


def test_arms_before_and_after_edges_were_added():
    first, second = find("zlb22.appF.e").exponents.families(1)
    assert (first.name[:6], second.name[:5]) == ("before", "after")
    assert worth(NORM, group_ladders.NARROW) == 0
    assert worth(NORM, group_ladders.JOINED) == -1
    assert len(find("zlb22.appF.e").exponents.families(2)) == 4


def test_figure_3_has_remainders_beside_norms():
    measured = find("zlb22.fig3@A").exponents
    names = {said.quantity: said.exponent for said in measured.predicted}
    assert names == dict.fromkeys((ladders.CENTRE, ladders.BALL, ladders.REST), Fraction(-1, 8))
    arms = {arm.family.shared for arm in group_ladders.TWO_NEURONS}
    assert arms < {family.shared for family in measured.families(1)}


def test_measured_remainders():
    # f = sum_i w_i z_i / sqrt(5) with z linear: at distance 1 the remainder is |H|/2 at most
    arm = group_ladders.Arm("", layered(1), "linear")
    (rest,) = bottleneck_remainders.remainders(arm, 5, 3, np.random.default_rng(4)).values()
    norm = group_ladders.measured(arm, 5, 3, np.random.default_rng(4))["|H| at the centre"]
    assert rest == pytest.approx(norm / 2, rel=1e-2)  # |H| does not depend on the weights


def test_measured_norms():
    arm = group_ladders.Arm("", layered(1, 1), "softplus", told="here, ")
    found = group_ladders.measured(arm, 5, 3, np.random.default_rng(4))
    centre, ball = found["here, |H| at the centre"], found["here, largest |H| in the ball"]
    assert centre.shape == (3,)
    assert (ball > centre).all()
    assert (centre > 0.01).all()


# arguments from both sides ----------------------------------------------------------------------
def test_what_is_refuted_has_no_argument():
    for name, width in (("appF.c.hidden@A", 1), ("appF.b.variance@B", 2)):
        claim = find(f"zlb22.{name}")
        variance = "variance" in name
        given = [Given(name, term) for name, term in claim.terms.given.items()]
        found = argument(claim.terms.says, given, (width,), variance=variance)
        assert [step.holds for step in found.steps] == [True, False]
        assert claim.proof is None


@pytest.mark.parametrize(
    "name",
    ["appF.a@A", "appF.d"],  # of the others the baseline
)
def test_what_stands_is_argued_of_the_families_listed(name):
    found = schema(find(f"zlb22.{name}"), CI)
    assert found.outcome is Outcome.ARGUES_ON_SCOPE


def test_the_list_of_families():
    # one hidden group of three sizes, which the output reads, with the input or without it
    assert len([shape for shape in listed() if shape.count == 3]) == 3 * 2
    assert {shape.count for shape in listed()} == {3, 4, 5}
    assert holds_on_list(PROFILE.holds, (), ()) == (len(listed()), True)
    assert len(set(listed())) == len(listed())
