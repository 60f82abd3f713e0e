"""Theorem 10's steps on networks: hand-solved cases, verdicts, and interpolants."""

from dataclasses import replace
from fractions import Fraction
from math import exp, log, sqrt
from random import Random

import pytest

from graphs.activations import RELU
from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.arrays import worth_in
from tests.verify.costs.cases import middle
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensors, tensor
from verify.core.evidence import Outcome
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, number
from verify.kinds.deep.pool import pool
from verify.language.building import Vector
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import rank_one_fits, theorem10, theorem10_segments
from verify.papers.j23.rank_one_fits import interpolant, narrowed, widened
from verify.papers.j23.theorem10_segments import to_image, to_straight
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

SMOKE = looking("smoke")
MODULES = (theorem10, rank_one_fits, theorem10_segments)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}
REFUTED = (
    "j23.thm10.layers.point@A",
    "j23.thm10.layers.count",
    "j23.thm10.final.trace@A",
    "j23.c1range.lower",
)
DOUBLE = deep([[[2]], [[1]]], points=[[1], [3]])  # x to 2 x
BENT = deep(  # hinges at 0 and 1: through (0, 0), (1, 0), (1, 1) at 0, 1, 2
    [[[1, 0]], [[1], [1]], [[1, -1], [0, 1]]],
    [[1], [-1, -2], [0, 0]],
    points=[[0, 0], [1, 0], [2, 0]],
    k=number(2, integer=True),
)


def values(name, case):
    """Left side minus right side of each place, in order."""
    made = as_network(case)
    return [*map(middle, CLAIMS[name].measure(made.scene([made], RATIONALS)).values)]


def admitted(name, case):
    return judge_exactly(CLAIMS[name], as_network(case)).admitted


@pytest.mark.parametrize("name", REFUTED)
def test_what_fails_is_refuted_with_a_certificate(name):
    found = pointwise(CLAIMS[name], SMOKE)
    if found.outcome is not Outcome.REFUTES:  # more cases tell
        found = pointwise(CLAIMS[name], looking("ci"))
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


@pytest.mark.parametrize("name", sorted(set(CLAIMS) - set(REFUTED)))
def test_what_holds_has_no_violation(name):
    found = pointwise(CLAIMS[name], SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 0


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("j23.thm10.segment", "BN-rank 1"),
        ("j23.thm10.hidden", "slope inside (-1, 1)"),
        ("j23.thm10.chain.b", "rho at least 0"),
        ("j23.thm10.layers.count.fix", "slope inside (-1, 1)"),
    ],
)
def test_hypotheses_are_needed(name, hypothesis):
    context = looking("ci")
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], context).needs}
    assert needs[hypothesis].needed
    assert needs[hypothesis].certificate is not None


# segments -----------------------------------------------------------------------------------------
def test_a_bent_path_is_the_image_of_a_segment():
    assert values("j23.thm10.segment", BENT) == [0]


def test_without_a_bottleneck_a_segment_may_miss_an_output():
    flat = deep([[[1, 0], [0, 1]]], points=[[0, 0], [1, 0], [0, 1]])
    assert admitted("j23.thm10.segment", flat) == 0
    assert values("j23.thm10.segment", flat) != [0]
    corner = worth_in(to_image(1, 2, 3), as_network(flat))
    assert corner == Fraction(1, 2)  # from the diagonal


def test_the_image_of_a_segment_comes_near_to_the_outputs():
    # x to 1, then 2 - x: 0, -1, 1
    hat = deep([[[1], [1]], [[1, -2]]], [[0, -1], [0]], points=[[-1], [3], [1]])
    ends = {(1, 2): [0, 0, 0], (1, 1): [0, 1, 1], (3, 2): [0, 0, 0], (1, 3): [0, 1, 0]}
    for (p, q), squares in ends.items():
        assert [worth_in(to_image(i, p, q), as_network(hat)) for i in (1, 2, 3)] == squares


@pytest.mark.parametrize(
    ("y", "square"), [([3, 4], 16), ([0, 0], 0), ([-1, 1], 2), ([8, 0], 9), ([5, 2], 4)]
)
def test_the_distance_from_a_straight_piece(y, square):
    at, start, end = (tensor(("n",), vector) for vector in (y, [0, 0], [5, 0]))
    distance = to_straight(*(Vector(name, "n") for name in ("y", "start", "end")))
    assert worth_in(distance, Tensors({"y": at, "start": start, "end": end})) == square
    whole = y[0] ** 2 + y[1] ** 2
    assert worth_in(distance, Tensors({"y": at, "start": start, "end": start})) == whole


def test_some_piece_is_as_steep_as_the_rise():
    says = CLAIMS["j23.thm10.jac.a"].terms.says
    hinge = deep([[[1], [1]], [[1, 2]]], [[0, -1], [0]], points=[[0], [2]])  # slopes 1, 3
    wide = deep([[[1], [2]]], points=[[0], [3]])  # of the norm of (1, 2), which is no rational
    for case in (DOUBLE, hinge, wide):
        assert values("j23.thm10.jac.a", case) == [0]
    assert values("j23.thm10.jac.a", deep([[[1]]], points=[[1], [1]])) == []  # no segment
    line = as_network(deep([[[1]]], points=[[-3], [1]]))
    assert true_of(says)(line)
    bent = replace(line, network=line.network.with_activations({"o1": RELU}))  # flat in the middle
    assert not true_of(says)(bent)


def test_narrowed_and_widened_networks():
    random = Random(0)
    wide = pool(depths=(3,), points=(2,)).draw(random)
    assert min(narrowed(wide, random).widths[1:-1]) == 1
    assert min(widened(DOUBLE, random).widths) == 2
    assert widened(DOUBLE, random).lengths["N"] == 2


def test_an_interpolant_goes_through_the_outputs():
    random = Random(2)
    points = [[Fraction(random.randint(-9, 9)) for _ in range(3)] for _ in range(4)]
    outputs = [[Fraction(random.randint(-9, 9), 4) for _ in range(2)] for _ in range(4)]
    for depth in (3, 4, 6):
        made = interpolant(points, outputs, depth, Fraction(1, 3))
        assert made.widths == (3, *[1] * (depth - 2), 3, 2)
        found = made.exact.outputs
        assert [[as_fraction(value) for value in row] for row in found] == outputs


# layers -------------------------------------------------------------------------------------------
def test_layers_near_rank_one_are_counted():
    # w = (2, 1): c_1 = 3, 2 log 2; the distances 1 and 0 against (3 - 2 log 2) / (2 p)
    case = deep([[[2]], [[1]]], points=[[1]], p=number("9/10"))
    assert (3 - 2 * log(2)) / 1.8 < 1
    assert values("j23.thm10.layers.count", case) == pytest.approx([1 - 9 / 5])
    assert values("j23.thm10.layers.count.fix", case) == pytest.approx([1 - 1 / 5])
    half = deep([[[2]], [[1]]], points=[[1]], p=number("1/2"))
    assert values("j23.thm10.layers.count", half) == [1]
    assert admitted("j23.thm10.layers.count", deep([[[0]]], points=[[1]], p=number("1/2"))) == 0


def test_small_scales_have_no_steep_point():
    # the outputs (0, 0), (1, 0), (1, 1) times 1/8: slopes of 1/8
    weights = [[[1, 0]], [[1], [1]], [["1/8", "-1/8"], [0, "1/8"]]]
    k = number(2, integer=True)
    small = deep(weights, [[1], [-1, -2], [0, 0]], points=[[0, 0], [1, 0], [2, 0]], k=k)
    # |W_1|^2 |W_2|^2 |W_3|^2 = 1 2 3/64, below 3^(1/2)
    assert values("j23.thm10.layers.point@A", small) == [(3 / 32) ** 2 - 9]
    assert admitted("j23.thm10.layers.point@A", small)
    line = deep([[[1, 0]], [[1], [0]]], points=[[0, 0], [1, 0], [2, 0]], k=k)
    assert admitted("j23.thm10.layers.point@A", line) == 0  # outputs on a line


# the lower bound on c_1 ---------------------------------------------------------------------------
def test_c1_against_the_number_of_data():
    cost = 1 + 1 + 2 + 1 + 4 + 3 - 3
    assert values("j23.c1range.lower", BENT) == pytest.approx([cost - log(3)])
    assert values("j23.c1range.lower.fix", DOUBLE) == pytest.approx([5 - 2 - 2 * log(2)])


# Lipschitz constants ------------------------------------------------------------------------------
def test_quotients_of_diagonals():
    # |J(alpha~_1 -> f)| = 5, |J alpha~_1| = 3, |Jf| = 10
    case = deep([[[2, 0], [0, 3]], [[5, 0], [0, 1]]], points=[[1, 1]])
    assert values("j23.thm10.lip.a", case) == [15 - 10, 0]


def test_exponentials_of_partial_norms():
    # |theta_1|^2 - 1 = 3, |theta_2|^2 - 1 = 8; of each layer: up to it, below it, above it
    case = deep([[[2]], [[3]]], points=[[1]])
    up_to, below, above = [exp(1.5) - 2, exp(5.5) - 6], [0, exp(1.5) - 2], [exp(4) - 3, 0]
    assert values("j23.thm10.lip.b", case) == pytest.approx([*up_to, *below, *above])


# hidden representations ---------------------------------------------------------------------------
def test_hidden_distances_by_hand():
    # points 0, 1, 3; f = 6 x: outputs 0, 6, 18; of the middle one d_1 + d_2 = 6 + 12
    case = deep([[[2]], [[3]]], points=[[0], [1], [3]], rho=number("1/2"))
    assert values("j23.thm10.hidden", case) == pytest.approx([3 - exp(-4) * 9, 0])
    # half of 6 - (1 + 2)/2 - 18 e^-4 + 2 3 / 2, and of 18 - 3 - 18 + 3 e^(3/2)
    chain = [(6 - 1.5 - 18 * exp(-4) + 3) / 2, (18 - 3 - 18 + 3 * sqrt(exp(3))) / 2]
    assert values("j23.thm10.chain.b", case) == pytest.approx(chain)


def test_sums_over_several_indices_add_up():
    case = deep([[[2]], [[3]]], points=[[0], [1], [3], [4]], rho=number(0))
    for layer in (0, 1):
        one, both, other = values("j23.thm10.chain.b", case)[3 * layer :][:3]
        assert both == pytest.approx(one + other)


# the trace ----------------------------------------------------------------------------------------
def test_the_trace_by_hand():
    # f = 3 (2 x) at x = 3, x_1 = 1 inside one region
    case = deep([[[2]], [[3]]], points=[[1], [3]])
    assert values("j23.thm10.final.trace@A", case) == [9 + 1, 9 + 1]
    assert values("j23.thm10.final.trace@A.fix", case) == [0, 0]


def test_another_point_has_another_trace():
    # at x_1 = -1 the hidden neuron is off; at x = 3 the trace is 9 * 9 + 36 + 9 + 1
    case = deep([[[2]], [[3]]], points=[[-1], [3]])
    assert values("j23.thm10.final.trace@A", case) == [1, 9 * 9 + 9 + 1]
    assert values("j23.thm10.final.trace@A.fix", case) == [0, 0]
