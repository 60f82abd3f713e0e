"""Theorem 10's steps about numbers: hand-solved cases, verdicts, and what a slip would change."""

from fractions import Fraction
from itertools import product

import pytest

from tests.verify.arrays import value_of
from verify.checker.restated import ACCEPT, check
from verify.claim import Claim
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.j23 import (
    depth_and_data,
    far_indices,
    index_counts,
    last_display,
    narrowness,
    through_points,
)
from verify.papers.j23.far_indices import grid_half
from verify.papers.j23.through_points import direction, orders
from verify.quantities import dot, length, root, upper_root
from verify.real_arrays import RealTensors
from verify.runs.budgets import budget_named
from verify.tensors import tensor

SMOKE = Context(budget_named("smoke"))
MODULES = (narrowness, index_counts, far_indices, last_display, depth_and_data, through_points)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}
REFUTED = (
    "j23.thm10.depth.b",
    "j23.thm10.proj",
    "j23.thm10.chain.a",
    "j23.thm10.chain.order",
    "j23.thm10.move",
    "j23.thm10.path",
)
PROVED = (
    "j23.thm10.jac.b",
    "j23.thm10.depth.a",
    "j23.thm10.quarter.a",
    "j23.thm10.move.fix",
    "j23.thm10.final.last",
    "j23.tradeoff",
)


def case_of(claim: Claim, **nested) -> RealTensors:
    """A case of a claim from nested lists, with the axes of its pool."""
    axes = dict(claim.pool.arrays)
    whole = {name for name, _, _ in claim.pool.integers}
    return RealTensors(
        {
            name: tensor(axes.get(name, ()), value, integer=name in whole)
            for name, value in nested.items()
        }
    )


def value(name: str, label=None, **nested):
    """The value of the entry with this label."""
    claim = CLAIMS[name]
    return value_of(claim, case_of(claim, **nested), **(label or {}))


def admitted(name: str, **nested) -> int:
    claim = CLAIMS[name]
    return judge_exactly(claim, case_of(claim, **nested)).admitted


@pytest.mark.parametrize("name", REFUTED)
def test_what_fails_is_refuted_with_a_certificate(name):
    found = pointwise(CLAIMS[name], SMOKE)
    if found.outcome is not Outcome.REFUTES:  # more cases tell
        found = pointwise(CLAIMS[name], Context(budget_named("ci")))
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate)[0] == ACCEPT


@pytest.mark.parametrize("name", sorted(set(CLAIMS) - set(REFUTED)))
def test_what_holds_has_no_violation(name):
    found = pointwise(CLAIMS[name], SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 0


@pytest.mark.parametrize("name", PROVED)
def test_arguments_hold(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES
    assert all((claim.proof is not None) is (key in PROVED) for key, claim in CLAIMS.items())


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("j23.thm10.jac.b", "lengths"),
        ("j23.thm10.depth.a", "a norm"),
        ("j23.thm10.depth.a", "threshold"),
        ("j23.thm10.depth.b.fix", "p at most 1/2"),
        ("j23.thm10.depth.b.fix", "far apart"),
        ("j23.thm10.quarter.b", "steep intervals"),
        ("j23.thm10.proj.fix", "in order"),
        ("j23.thm10.move.fix", "c_1 within bounds"),
        ("j23.c1range@A", "a multiple below"),
        ("j23.tradeoff", "deep"),
        ("j23.bn1fit", "distinct points"),
        ("j23.overrank.high", "room for a higher rank"),
    ],
)
def test_hypotheses_are_needed(name, hypothesis):
    needs = {need.hypothesis: need for need in necessity(CLAIMS[name], SMOKE).needs}
    assert needs[hypothesis].needed
    assert needs[hypothesis].certificate is not None


# lists --------------------------------------------------------------------------------------------
def test_short_intervals_are_counted():
    # D / ((1 - p) 3) = 6 / (3/2) = 4: of 1, 0, 5 two are short, and p 3 = 3/2
    assert value("j23.thm10.jac.b", d=[1, 0, 5], D=6, p="1/2") == Fraction(1, 2)
    assert admitted("j23.thm10.jac.b", d=[1, 0, 6], D=6, p="1/2") == 0


def test_the_threshold_is_where_the_second_term_is_half_of_the_first():
    numbers = {"c": 2, "D": 1, "q": 1, "x": 1, "y": 1, "n": 1, "p": "1/2", "gap": 0}
    assert value("j23.thm10.depth.a", z=1, **numbers) == 0  # L = 2: 1 - 1 / (1/2 2)
    assert value("j23.thm10.depth.a", z=2, **numbers) == Fraction(1, 2)
    assert admitted("j23.thm10.depth.a", z="1/2", **numbers) == 0
    assert admitted("j23.thm10.depth.a", z=1, **{**numbers, "gap": -1}) == 0


def test_one_less_than_half_are_large_about_0():
    # gaps of g = 2 about 0, the bound is g N / 4: of +-1 none is above 1, of +-1, +-3 two above 2
    assert value("j23.thm10.depth.b.fix", t=[-1, 1], g=2, p="1/2") == 0
    assert value("j23.thm10.depth.b", t=[-3, -1, 1, 3], g=2, p="1/4") == 0
    assert value("j23.thm10.depth.b", t=[0, 2, 4, 6], g=2, p="1/4") == 0
    assert value("j23.thm10.depth.b", t=[-2, 0, 2, 4], g=2, p="1/4") == -1
    assert admitted("j23.thm10.depth.b", t=[-1, 0, 2, 4], g=2, p="1/4") == 0
    assert admitted("j23.thm10.depth.b", t=[-1, 0, 3, 5], g=2, p="1/2") == 1
    # at 0, 0, 4 the ends are two steps apart, as far as p = 2/3 asks; none may be as far as 19/20
    assert value("j23.thm10.depth.b", t=[0, 0, 4], g=2, p="2/3") == Fraction(-1, 2)
    assert admitted("j23.thm10.depth.b", t=[0, 0, 4], g=2, p="2/3") == 1
    assert admitted("j23.thm10.depth.b", t=[0, 0, 4], g=2, p="19/20") == 0


def test_a_fourth_of_the_columns_is_counted():
    # columns with means 1/4, 0, 3/4, 1
    rows = [[1, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    assert value("j23.thm10.quarter.a", M=rows) == 2
    assert admitted("j23.thm10.quarter.a", M=[[1, 0, 0]]) == 0


def test_the_last_index_has_no_interval():
    assert value("j23.thm10.quarter.b", M=[[0, 1, 1]], J=[1, 1, 0]) == 0
    assert admitted("j23.thm10.quarter.b", M=[[0, 1]], J=[1, 0]) == 0  # no second closest point


def test_every_small_matrix_has_its_fourth_and_its_interval():
    for rows, columns in ((1, 3), (2, 3), (1, 4), (2, 4)):
        for entries in product((0, 1), repeat=rows * columns):
            matrix = [list(entries[k : k + columns]) for k in range(0, len(entries), columns)]
            if all(2 * sum(row) >= columns for row in matrix):
                assert value("j23.thm10.quarter.a", M=matrix) >= 0
                for flags in product((0, 1), repeat=columns - 1):
                    if 6 * sum(flags) >= 5 * (columns - 1):
                        assert value("j23.thm10.quarter.b", M=matrix, J=[*flags, 0]) >= 0


# projections --------------------------------------------------------------------------------------
def test_the_layer_reads_v_and_not_u():
    layer = {"W": [[0, 1], [0, 0]], "u": [1, 0], "v": [0, 1], "Z": [[0, 0], [0, 1]], "rho": 0}
    assert value("j23.thm10.proj", {"numbers": [1, 2]}, **layer) == -1
    assert value("j23.thm10.proj.fix", {"numbers": [1, 2]}, **layer) == 0
    assert admitted("j23.thm10.proj", **{**layer, "u": [2, 0]}) == 0
    assert admitted("j23.thm10.proj", **{**layer, "W": [[0, 1], [0, 1]]}) == 0
    assert admitted("j23.thm10.proj.fix", **{**layer, "Z": [[0, 1], [0, 0]]}) == 0


def test_rectangular_layers_have_the_repaired_bound():
    layer = {"W": [[3, 4]], "u": [1], "v": ["3/5", "4/5"], "Z": [[0, 0], [3, 4]], "rho": 4}
    # |W s| = 25, v s = 5, |s| = 5
    assert value("j23.thm10.proj.fix", {"numbers": [1, 2]}, **layer) == 0


def test_the_follower_of_the_last_index_counts():
    steps = {"W": [[1]], "u": [1], "Z": [[0], [0], [1]], "rho": 0}
    assert value("j23.thm10.chain.a", {"numbers": [1, 2]}, **steps) == Fraction(-1, 2)
    assert value("j23.thm10.chain.a.fix", {"numbers": [1, 2]}, **steps) == 0
    even = {**steps, "Z": [[0], [1], [2], [3]]}
    assert value("j23.thm10.chain.a", {"numbers": [1, 3]}, **even) == 0
    assert admitted("j23.thm10.chain.a", **{**steps, "W": [[2]]}) == 0


def test_the_bracket_has_half_of_the_constant():
    # E sum h - M c E / (2 n) = 3 (0 + 2) - 2 4 3 / 4
    numbers = {"E": 3, "F": 5, "c": 4, "n": 2}
    assert value("j23.thm10.chain.c", h=[0, 2], **numbers) == 0
    assert admitted("j23.thm10.chain.c", h=[0, 1], **numbers) == 0


@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_grids_have_the_halves_that_are_said(n, k):
    points = list(product(range(n), repeat=k))
    for point in points:
        squares = sorted(
            sum((a - b) ** 2 for a, b in zip(point, other, strict=True))
            for other in points
            if other != point
        )
        assert squares[:2] == [1, 1]
    assert grid_half(n) == Fraction(1, n)


def test_halves_fall_and_do_not_grow():
    # 2/3 - 3/2 for the printed order; 3 1/3 - 2 1/2 scaled for the repaired one
    assert value("j23.thm10.chain.order", n=2, j=1, k=2) == Fraction(-5, 6)
    assert value("j23.thm10.chain.order.fix", n=2, j=1, k=2) == 0


# exponents ----------------------------------------------------------------------------------------
def test_moving_costs_half_of_both_exponents():
    assert value("j23.thm10.move", alpha=1, beta=2, mu=0, k=2) == 0
    assert value("j23.thm10.move", alpha=2, beta=2, mu=0, k=2) == Fraction(-1, 2)
    assert admitted("j23.thm10.move.fix", alpha=2, beta=2, mu=0, k=2) == 0
    assert value("j23.thm10.move.fix", alpha=1, beta=1, mu=1, k=2) == Fraction(1, 2)


def test_the_last_display_in_numbers():
    # c = c' = 1, n = 1, t = 2 each: bounds 1/2, 1 and 1/2, 1/4; p L / 4 = 1/4
    numbers = {"t": [2, 2], "c": 1, "c2": 1, "p": "1/2", "n": 1}
    assert value("j23.thm10.final.sum", a=["1/2", 0], j=["1/2", 0], **numbers) == Fraction(3, 16)
    assert admitted("j23.thm10.final.sum", a=["1/3", 0], j=["1/2", 0], **numbers) == 0
    assert admitted("j23.thm10.final.sum", a=[0, 1], j=[0, "1/4"], **numbers) == 1
    for layer in (1, 2):
        assert (
            value("j23.thm10.final.last", {"layer": layer}, t=[2, 3], c=2, c2=3, p="1/3", m=2, k=3)
            == 0
        )


def test_alpha_is_above_0_below_the_bound():
    assert admitted("j23.c1range@A", gamma=2, k=2) == 0
    assert value("j23.c1range@A", gamma="19/10", k=2) == 0


def test_the_tradeoff_needs_an_exponent_of_half_the_rank():
    # k = 2, L = 10: 10 + log N - 20 - R
    assert admitted("j23.tradeoff", log=9, R=0, kappa="9/10", L=10, k=2) == 0  # it would be -1
    assert value("j23.tradeoff", log=12, R=2, kappa="6/5", L=10, k=2) == 0


# paths and fits -----------------------------------------------------------------------------------
def test_three_points_on_a_line_are_a_counterexample():
    # 0, 1, 3: the path is 3 long; d_1 + d_2 = 4, 3, 5
    assert value("j23.thm10.path", Y=[[0], [1], [3]]) == -3
    assert value("j23.thm10.path.fix", Y=[[0], [1], [3]]) == 0  # 3 - 6 + (3 + 3) / 2
    assert admitted("j23.thm10.path", Y=[[0], [1]]) == 0
    assert admitted("j23.thm10.path", Y=[[0], [1], [1]]) == 0


def test_a_square_by_its_sides():
    # four points, d_1 = d_2 = 1: the sum is 4, the path 3, the ends take 1
    square = [[0, 0], [0, 1], [1, 1], [1, 0]]
    assert value("j23.thm10.path", Y=square) == -1
    assert value("j23.thm10.path.fix", Y=square) == 0


def test_all_paths_are_tried_in_one_direction():
    assert len(orders(5)) == 60
    assert len({frozenset((order, order[::-1])) for order in orders(4)}) == 12


def test_a_direction_tells_all_points_apart():
    assert direction([[Fraction(1), Fraction(-1)], [Fraction(0), Fraction(0)]]) == [1, 2]
    corners = [list(map(Fraction, corner)) for corner in product((0, 1), (0, -1), (0, 2))]
    along = direction(corners)
    assert len({dot(along, corner) for corner in corners}) == len(corners)


def test_a_fit_leaves_nothing_but_of_equal_inputs():
    assert value("j23.bn1fit", X=[[0, 0], [1, -1], [2, 5]], Y=[[1], [7], [-3]]) == 0
    assert value("j23.bn1fit", X=[[3], [-1], [0], [7]], Y=[[1, 2], [7, 0], [-3, 5], [2, 2]]) == 0
    assert admitted("j23.bn1fit", X=[[1], [1]], Y=[[0], [4]]) == 0
    claim = CLAIMS["j23.bn1fit"]
    scene = RealTensors.scene([case_of(claim, X=[[1], [1]], Y=[[0], [4]])], None)
    assert [float(v) for v in claim.measure(scene).values] == [4.0]  # the mean misses by 2


def test_a_rank_is_gained_as_near_as_one_wants():
    near = {"A": [[1, 0], [0, 0]], "e": "1/100"}
    assert value("j23.overrank.high", {"part": "rank"}, **near) == 0
    assert value("j23.overrank.high", {"part": "distance"}, **near) == 0
    assert admitted("j23.overrank.high", A=[[1, 0], [0, 1]], e=1) == 0


def test_lengths_are_rational_where_they_can_be():
    assert length([Fraction(3), Fraction(4)]) == 5
    assert float(root(2)) == pytest.approx(2**0.5)
    assert upper_root(Fraction(1, 4)) == Fraction(1, 2)
    assert 2 <= upper_root(Fraction(2)) ** 2 < Fraction(9, 4)
