"""The identity: domains of two pieces, the circle, Proposition 12, geodesics, FPLFs."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest

from tests.verify.deep_networks import parameter_square
from tests.verify.language.values import case, worth
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensors, tensor
from verify.core.evidence import Outcome
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep
from verify.language.building import frob2
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.j23 import bends
from verify.papers.j23 import last_weights as weights
from verify.papers.j23.circle import COLLIDES
from verify.papers.j23.geodesics import L, chain_cost, t
from verify.papers.j23.identity_steps import REPRESENTS, made_identity
from verify.papers.j23.matrix_notation import projection, pseudo_inverse
from verify.papers.registry import find
from verify.search.certificates import answer
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

CONTEXT = looking("smoke", 2, draws=30)
REFUTED = (
    "id.nonneg.planar",
    "prop5@B",
    "prop5.tangent",
    "prop5.bound.b",
    "prop5.bound.e",
    "prop5.scale.b",
)
STANDING = (
    "id.circle.tangent",
    "id.circle@B",
    "id.nonneg.projection",
    "id.nonneg.sign",
    "id.nonneg.planar.fix",
    "prop5@B.fix",
    "prop5.tangent.fix",
    "prop5.if",
    "prop5.bound.a",
    "prop5.bound.b.fix",
    "prop5.bound.c",
    "prop5.bound.d",
    "prop5.bound.e.fix",
    "prop5.scale.a",
    "prop5.scale.b.fix",
    "prop5.scale.c",
    "prop5.scale.d",
    "geodesic.two",
    "geodesic.symmetry",
    "geodesic.limits",
    "geodesic.cont.a",
    "geodesic.cont.b",
    "geodesic.cont.c",
    "geodesic.planar",
    "fplfnets.represent",
    "fplfnets.pieces",
    "fplf@A",
    "fplf.continuity",
)


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_wrong_as_printed_is_refuted(name):
    found = pointwise(find(f"j23.{name}"), CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert answer(found.certificate)["exit"] == 0


@pytest.mark.parametrize("name", STANDING)
def test_what_is_right_stands(name):
    found = pointwise(find(f"j23.{name}"), CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert found.figures["met all hypotheses"] >= 4


def test_every_piecewise_linear_function_is_a_network():
    assert schema(find("j23.fplfnets.represent"), CONTEXT).outcome is Outcome.ARGUES


# two pieces ---------------------------------------------------------------------------------------
def pieces(c, y, z, a=0, rays=0, extra=0):
    arrays = {name: tensor(("n",), vector) for name, vector in zip("cyz", (c, y, z), strict=True)}
    whole = {"rays": tensor((), rays, integer=True), "extra": tensor((), extra, integer=True)}
    return Tensors({**arrays, "a": tensor((), a), **whole})


@pytest.mark.parametrize(
    ("domain", "answer"),
    [
        (pieces([0, 0], [1, 1], [2, 2]), True),  # a segment from 0
        (pieces([-1], [1], [2]), False),  # [-1, 1]: folded
        (pieces([-1], [1], [2], Fraction(1, 2)), False),
        (pieces([Fraction(-1, 8)], [1], [2]), False),  # [-1/8, 15/8]: little of it is folded
        (pieces([-1], [1], [2], extra=2), False),
        (pieces([0], [1], [2], extra=2), True),
        (pieces([0, 0], [1, 0], [0, 1], rays=1, extra=1), None),
        (pieces([0, 1], [1, 0], [2, 0]), False),  # off 0
        (pieces([0, 0], [1, 0], [0, 1]), False),  # a corner
        (pieces([0, 0], [1, 0], [0, 1], rays=1), True),  # the same without an end
        (pieces([0], [1], [-1], rays=1), True),  # the line
        (pieces([0], [1], [-1], Fraction(1, 2), rays=1), None),
        (pieces([1, 1], [1, 0], [0, 1], rays=1), None),
        (pieces([2], [1], [3], rays=1), True),  # a half-line
        (pieces([2], [0], [0]), False),  # a point off 0
    ],
)
def test_whether_the_first_correction_vanishes(domain, answer):
    assert worth(bends.IS_0, domain) is answer


def test_lower_bounds_by_hand():
    assert worth(bends.AT_LEAST, pieces([0, 1], [1, 0], [2, 0])) == 1
    corner = pieces([0, 0], [1, 0], [0, 1])
    assert worth(bends.AT_LEAST, corner) == pytest.approx(np.log(2))
    assert worth(bends.AT_LEAST_WITHOUT_ANGLE, corner) == 0
    folded = pieces([-1], [1], [2], Fraction(1, 2))
    assert worth(bends.AT_LEAST, folded) == pytest.approx(np.log(8 / 5))
    assert worth(bends.AT_LEAST, pieces([0, 0], [1, 0], [0, 1], rays=1, extra=1)) is None


@pytest.mark.parametrize(
    ("domain", "square"),
    [
        (pieces([-1], [1], [3]), 1),  # [-1, 2]
        (pieces([1], [-4], [1]), 4),  # [-3, 2]
        (pieces([1], [1], [3]), 0),
        (pieces([-2], [1], [3], rays=1), 4),
        (pieces([2], [1], [3], rays=1), 0),
        (pieces([-1, 0], [2, 0], [0, 1]), 0),  # no line
        (pieces([3], [0], [0]), 0),
    ],
)
def test_opposite_points_by_hand(domain, square):
    assert worth(bends.FOLDED, domain) == square


def test_distances_and_angles_by_hand():
    domain = pieces([0, 3], [1, 0], [1, 1])  # its lines have the distances 3 and 3 / sqrt(2)
    assert worth(bends.DISTANCE, domain) == 9
    assert worth(bends.SINE_SQUARED, domain) == Fraction(1, 2)
    one = pieces([3, 4], [0, 0], [0, 1])
    assert worth(bends.DISTANCE, one) == 9
    assert worth(bends.SINE_SQUARED, one) == 0
    assert worth(bends.DISTANCE, pieces([3, 4], [0, 0], [0, 0])) == 25


RIGHT, LINE = ([0, 0], [1, 0], [0, 1]), ([0], [1], [-1])
"""Two rays from 0, at a right angle and opposite."""


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("id.nonneg.planar", RIGHT),
        ("prop5@B", RIGHT),
        ("prop5@B", LINE),
        ("prop5.tangent", RIGHT),
        ("prop5.bound.e", RIGHT),
        ("prop5.scale.b", RIGHT),
    ],
)
def test_two_rays_from_0_are_counterexamples_and_their_ends_are_not(name, domain):
    claim, repaired = find(f"j23.{name}"), find(f"j23.{name}.fix")
    assert judge_exactly(claim, pieces(*domain, rays=1)).violations
    for near in (pieces(*domain), pieces(*domain, rays=1, extra=1)):
        assert not judge_exactly(claim, near).violations
    assert not judge_exactly(repaired, pieces(*domain, rays=1)).admitted
    straight = pieces([1, 1], [1, 1], [2, 2])
    assert judge_exactly(repaired, straight).admitted
    assert not judge_exactly(repaired, straight).violations


def test_the_bound_of_two_tangents_is_not_looked_at_by_itself():
    bound = find("j23.prop5.bound.e.fix")
    assert not judge_exactly(bound, pieces(*RIGHT)).admitted  # no other bound is above 0
    assert judge_exactly(bound, pieces([2, 0], [0, 1], [1, 1])).admitted  # 3 from the distance


@pytest.mark.parametrize("sine", [0.1, 0.6, 1.0])
def test_the_bound_of_two_tangents_at_its_minimum(sine):
    """|W|^2 - 1 + max 2 log |W^+ t| over all 2 x 2 matrices W W^T is least at log(1 + sine)."""
    angle = np.arcsin(sine)
    tangents = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    roots = np.random.default_rng(0).normal(size=(20000, 2, 2))
    inverses = np.linalg.inv(roots @ roots.swapaxes(1, 2)) * (roots**2).sum((1, 2))[:, None, None]
    least = np.log(np.einsum("ti,nij,tj->nt", tangents, inverses, tangents).max(axis=1)).min()
    assert np.log(1 + sine) <= least + 1e-12
    assert least == pytest.approx(np.log(1 + sine), abs=0.02)


def test_what_the_first_layer_pays_for_opposite_points():
    """|theta_1|^2 - k - (log det M_+ + log det M_-) / 2 >= log min(1 + |x|^2, 2 / (1 + a^2))."""
    generator, least, count = np.random.default_rng(2), np.inf, 1700
    for k, more in product((1, 2, 3), range(4)):
        m, slope = k + more, generator.uniform(-0.9, 0.9, size=(count, 1))
        x = generator.normal(size=(count, k, 1)) * generator.choice([0.3, 1], size=(count, 1, 1))
        weight = np.linalg.qr(generator.normal(size=(count, m, m)))[0][:, :, :k]
        weight = weight * generator.uniform(0.5, 1.5, size=(count, m, 1))
        image = (weight @ x)[:, :, 0]
        bias = np.abs(image) * generator.integers(0, 2, size=(count, m))
        cost = (weight**2).sum((1, 2)) + (bias**2).sum(1) - k
        for z in (image, -image):
            scaled = np.where(z + bias < -1e-12, slope, 1)[:, :, None] * weight
            cost -= np.linalg.slogdet(scaled.swapaxes(1, 2) @ scaled)[1] / 2
        bound = np.log(np.minimum(1 + (x**2).sum((1, 2)), 2 / (1 + slope[:, 0] ** 2)))
        least = min(least, (cost - bound).min())
    assert 0 <= least < 0.05


def test_a_layer_moves_a_line_from_0_no_further_than_its_other_weights():
    """d'^2 <= (|W_rest|^2 + |b|^2)(1 + d^2), and the activation does not move it further."""
    generator = np.random.default_rng(1)
    for _ in range(2000):
        n, m = generator.integers(1, 5, size=2)
        point, way = generator.normal(size=(2, n))
        way /= np.linalg.norm(way)
        weight, bias = generator.normal(size=(m, n)), generator.normal(size=m)

        def squared(p, t):
            return p @ p - (p @ t) ** 2 / (t @ t)

        z, moved = weight @ point + bias, weight @ way
        rest = (weight**2).sum() - moved @ moved + bias @ bias
        assert squared(z, moved) <= rest * (1 + squared(point, way)) + 1e-9
        factors = np.where(z < 0, 0.3, 1)
        assert squared(factors * z, factors * moved) <= squared(z, moved) + 1e-9


@pytest.mark.parametrize("other", [(0, 1), (-1, 0), (Fraction(-3, 5), Fraction(4, 5))])
def test_two_rays_have_a_network_of_norm_twice_the_depth(other):
    one = (1, 0)
    points = [[3, 0], [2 * v for v in other], [0, 0], [7 * v for v in other]]
    ends = [list(one), list(other)]
    back = [list(row) for row in zip(*ends, strict=True)]
    net = deep([ends, [[1, 0], [0, 1]], [[1, 0], [0, 1]], back], points=points)
    assert parameter_square(net) == 8
    assert (net.exact.outputs == net.matrix("X")).all()


# the circle ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "closed", "answer"),
    [
        ([0, 1, 2], True, True),
        ([0, 1, 2], False, False),
        ([0, 2, 1], False, True),
        ([0, 5, 3, 4], True, True),
        ([3, 2, 2], False, True),
        ([4, 3, 1, 0], False, False),
    ],
)
def test_maps_of_polygons_to_the_line(values, closed, answer):
    made = case(t=list(range(len(values))), g=values, closed=int(closed))
    assert worth(COLLIDES, made) is answer


# Proposition 12 -----------------------------------------------------------------------------------
def test_the_last_layer_can_be_made_to_represent_the_identity():
    net = deep(
        [[[1, 1], [1, -1], [2, 0]], [[0, 0, 1], [0, 0, 1]]],
        [[3, 3, 3], [0, 0]],
        [[1, 2]],
        T=tensor(("n0", "t"), [[1], [1]]),
    )
    represents = true_of(REPRESENTS.holds)
    assert not represents(as_network(net))
    made = made_identity(net, Random(0))
    assert made.exact.outputs.tolist() == [[1, 2]]
    found = as_network(made)
    assert represents(found)
    # W_L A = P, and A has a part in the kernel of W_L
    assert not judge_exactly(find("j23.prop5.bound.a"), found).violations
    assert judge_exactly(find("j23.prop5.bound.b"), found).violations
    assert not judge_exactly(find("j23.prop5.bound.b.fix"), found).violations


def test_no_network_of_the_identity_costs_less_than_its_depth():
    claim = find("j23.id.nonneg.sign")
    along = {"points": [[2]], "T": tensor(("n0", "t"), [[1]])}
    half = Fraction(1, 2)
    chain = judge_exactly(claim, as_network(deep([[[1]], [[1]]], **along)))
    assert (chain.admitted, chain.touches) == (1, 1)  # |theta|^2 = 2 = L k
    uneven = judge_exactly(claim, as_network(deep([[[2]], [[half]]], **along)))
    assert (uneven.admitted, uneven.touches) == (1, 0)  # 17/4
    less = as_network(deep([[[half]], [[half]]], **along))  # x / 4, of 1/2
    assert not judge_exactly(claim, less).admitted
    assert judge_exactly(replace(claim, hypotheses=()), less).violations


def test_the_network_of_the_if_part_by_hand():
    claim = find("j23.prop5.if")
    turn = [["3/5", "4/5"], ["-4/5", "3/5"]]
    made = case(O=turn, X=turn, a=Fraction(0), L=4)
    judged = judge_exactly(claim, made)
    assert judged.admitted == 5
    assert not judged.violations
    doubled = case(O=[["6/5", "8/5"], ["-8/5", "6/5"]], X=turn, a=Fraction(0), L=4)
    assert not judge_exactly(claim, doubled).admitted


def test_projections_and_inverses_by_hand():
    made = case(W=[[1, 1], [1, 1]], T=[[3], [4]], S=[[0], [1]])
    told = [[Fraction(9, 25), Fraction(12, 25)], [Fraction(12, 25), Fraction(16, 25)]]
    along, inverse = projection(weights.T), pseudo_inverse(weights.W)
    for i in (1, 2):
        for j in (1, 2):
            assert worth(along[i, j], made) == told[i - 1][j - 1]
            assert worth(inverse[i, j], made) == Fraction(1, 4)
    several = case(T=[[1, 2, 0], [1, 2, 0], [0, 0, 0]])
    assert [worth(projection(weights.T)[i, 1], several) for i in (1, 2, 3)] == [
        Fraction(1, 2),
        Fraction(1, 2),
        0,
    ]


def test_the_last_weights_by_hand():
    # W = 2 I on a line: |W|^2 - 1 + 2 log 1/2, at norm 1 (W = 1) nothing
    line = case(W=[[2]], T=[[1]], S=[[1]], s=Fraction(1))
    assert worth(weights.value(weights.W, weights.T), line) == pytest.approx(3 - np.log(4))
    assert worth(weights.value_of_norm_k(weights.T), line) == pytest.approx(0)
    # W = diag(3/5, 4/5), T the first axis: |W^+ P|_+ = 5/3
    uneven = case(W=[[Fraction(3, 5), 0], [0, Fraction(4, 5)]], T=[[1], [0]], S=[[1], [0]])
    assert worth(weights.NORM.holds, uneven)
    assert not worth(weights.FIRST.holds, uneven)
    assert worth(weights.FIRST.holds & weights.NORM.holds, case(W=[[1], [0]], T=[[1], [0]]))
    # T and S at a right angle: (I - P_T) P_S = P_S
    apart = case(T=[[1], [0]], S=[[0], [1]])
    assert worth(frob2(weights.APART), apart) == 1


# geodesics ----------------------------------------------------------------------------------------
def test_costs_of_chains_split_only_where_neurons_are_balanced():
    whole = chain_cost(lambda i: t[i] ** L, L)
    assert worth(whole, case(t=[2], L=6)) == 24
    claim = find("j23.geodesic.two")
    made = case(t=[2], u=[1], L=6, l=2)
    assert not judge_exactly(claim, made).violations
    uneven = case(t=[2], u=[4], L=6, l=2)
    weakened = replace(claim, hypotheses=())
    (violation,) = judge_exactly(weakened, uneven).violations
    assert violation.value == 24 - 2 * 16 - 4 * 2


def test_the_recursion_of_distances_stays_above_its_limit():
    """sum u_l / (1 + u_(l-1)) from any start to e^2 <= 1 is at least e^2 once some u is 0."""
    generator = np.random.default_rng(5)
    for _ in range(500):
        end = generator.random()
        chain = [0.0, *generator.random(4) ** 3, end]
        total = sum(b / (1 + a) for a, b in pairwise(chain))
        assert total >= end - 1e-12
