"""Proposition 13 and its proof, solved by hand, and what the engine says of them."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from numerics.floats import Floats
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, number
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.sweep import sweep
from verify.papers.j23 import (
    jacobian_differences,
    lipschitz,
    lipschitz_constants,
    lipschitz_sequences,
)
from verify.search.judging import judge_exactly

SMOKE = Context(budget_named("smoke"), 0, "cpu")
F = Fraction
MODULES = (jacobian_differences, lipschitz, lipschitz_sequences)
CLAIMS = {c.id: c for module in MODULES for c in module.CLAIMS}
GAP = number(0)


def relu(weight, points=((1,), (-1,)), gap=0):
    """f(x) = w max(0, w x)."""
    return deep([[[weight]], [[weight]]], points=points, gap=number(gap))


def value(name, case):
    (found,) = CLAIMS[name].measure(case.exact).values
    return as_fraction(found)


def by_pair(name, case):
    """Of a claim about any two points what is measured, by the way to it."""
    found = as_network(case)
    entries = CLAIMS[name].measure(found.scene([found], RATIONALS))
    return {tuple(entries.label(k)["at"]): as_fraction(x) for k, x in enumerate(entries.values)}


def constant(case):
    return float(lipschitz_constants.least_square(case.exact)[0]) ** 0.5


# constants ----------------------------------------------------------------------------------------
def test_constants_by_hand():
    case = deep([[[1, 0], [0, 1]], [[3, 0], [0, 5]]], points=[[1, -1], [2, -2]])
    assert constant(case) == 5  # the second neuron is dead at both points; its weight counts
    small = deep([[[F(1, 2)]], [[F(1, 4)]]], points=[[1], [2]])
    assert constant(small) == 0.5


@pytest.mark.parametrize("seed", range(10))
def test_the_whole_space_asks_for_more_than_the_points_and_floats_agree(seed):
    case = jacobian_differences.WITH_CONSTANT.draw(Random(seed), large=False)
    told = constant(case)
    if not case.exact.kinked.any():
        for matrix in lipschitz_constants.jacobians_in_space(case.exact):
            size = np.linalg.norm(np.array(matrix[0], dtype=float), 2)
            assert size <= told * (1 + 1e-9)
    scene = type(case).scene([case], Floats("cpu"))
    square = lipschitz_constants.least_square(scene).to_numpy()[0]
    assert square == pytest.approx(told**2, rel=1e-9, abs=1e-12)


def test_long_chains_are_bounded_by_products():
    wide = deep([[[1]] * 4, [[1] * 4] * 4, [[1] * 4]], points=[[1]])
    assert not lipschitz_constants.is_short(wide.exact, range(1, 4))
    assert constant(wide) == 2 * 4 * 2


def test_a_constant_that_is_too_small_is_spoken_of_where_that_is_known():
    dead = deep([[[1]], [[5]]], points=[[-1], [-2]], gap=number(F(-1, 2)))
    alive = deep([[[1]], [[5]]], points=[[1], [-2]], gap=number(F(-1, 2)))
    measure = CLAIMS["j23.prop13.finite@Bii"].measure
    assert len(measure(alive.exact)) == 1
    assert len(measure(dead.exact)) == 1  # (alpha_1 -> f) is 5 x wherever one stands
    deeper = deep([[[1]], [[1]], [[5]]], [[0], [-9], [0]], [[1], [2]], gap=number(F(-1, 2)))
    assert len(measure(deeper.exact)) == 1


# the steps ----------------------------------------------------------------------------------------
def test_nuclear_norms_by_hand():
    case = relu(F(1, 2))
    # J = 1/4 and 0; the sum is |W_2 W_1|_* = 1/4, the masked squares 1/4 + 1/4, C^2 = 1/4
    assert by_pair("j23.prop13.nuclear.a", case)[1, 2] == 0
    assert value("j23.prop13.nuclear.b@Bii", case) == F(1, 16) - F(1, 4)
    assert value("j23.prop13.nuclear.b@Bii.fix", case) == 0
    assert not any(by_pair("j23.prop13.decomp", case).values())


def test_masks_by_hand():
    other = relu(1, ((-1,), (1,)))
    found = by_pair("j23.prop13.nuclear.masks", other)
    assert (found[1, 2, 1], found[1, 2, 2], found[2, 1, 1]) == (4, 0, 0)
    assert not any(by_pair("j23.prop13.nuclear.masks.fix", other).values())


def test_four_terms_by_hand():
    case = relu(2)
    # masked: x 4 + 4 each way, y 4 + 0 and 0 + 4; half of 24; the Schatten powers 2 * 4 and 0
    assert value("j23.prop13.four.a", case) == 12 - 8
    assert value("j23.prop13.four.b", case) == (16 - 4) - 12
    found = CLAIMS["j23.prop13.schatten.a"].measure(case.exact).values
    assert [as_fraction(x) for x in found] == [0, 4]


def test_the_finite_bound_by_hand():
    assert value("j23.prop13.finite@Bii", relu(1)) == 2 - 1 - 1
    # C^2 = 1/4: (1/2 - 1/4) / 4 - 1/4
    assert value("j23.prop13.finite@Bii", relu(F(1, 2))) == F(1, 16) - F(1, 4)
    assert value("j23.prop13.finite@Bii.fix", relu(F(1, 2))) == F(1, 2) - F(1, 4) - F(1, 4)
    assert value("j23.prop13.finite@Bii", relu(1, gap=1)) == 4 - 4 - 1 + 4


def test_the_sequence_by_hand():
    case = relu(1).changing(k=number(1, integer=True))
    # |theta_L|^2 = L, R0 = 1, log 1 twice, C = 1, |1 - 0|_* = 1
    assert value("j23.prop13@B", case) == -1
    assert judge_exactly(CLAIMS["j23.prop13@B"], case).violations
    assert judge_exactly(CLAIMS["j23.prop13@B.fix"], case).admitted == 0  # the rank at y is 0


def test_parameters_of_more_than_minimal_norm_are_another_case():
    free = deep([[[1]], [[3]]], points=[[1], [2]], gap=GAP, k=number(1, integer=True))
    assert judge_exactly(CLAIMS["j23.prop13@B"], free).admitted == 0
    assert judge_exactly(CLAIMS["j23.prop13@B.fix"], free).admitted == 1


# what the engine finds ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "name",
    ["j23.prop13.nuclear.masks", "j23.prop13.nuclear.b@Bii", "j23.prop13@B"],
)
def test_the_engine_refutes_and_the_checker_accepts(name):
    found = [method(CLAIMS[name], SMOKE) for method in (pointwise, sweep)]
    assert Outcome.REFUTES in {one.outcome for one in found if one is not None}


def test_the_finite_bound_is_refuted():
    context = Context(budget_named("ci"), 0, "cpu")
    assert pointwise(CLAIMS["j23.prop13.finite@Bii"], context).outcome is Outcome.REFUTES


@pytest.mark.parametrize("name", [c.id for c in CLAIMS.values() if c.proof is not None])
def test_arguments_hold(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES


@pytest.mark.parametrize(
    "name", ["j23.prop13.finite@Bii.fix", "j23.prop13.nuclear.b@Bii.fix", "j23.prop13.schatten.b"]
)
def test_what_is_true_is_supported(name):
    assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.SUPPORTS
