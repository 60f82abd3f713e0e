"""Proposition 13 and its proof, solved by hand, and what the engine says of them."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.papers.looking import looking
from verify.core.evidence import Outcome
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, number
from verify.language.building import Each, examples, norm
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.j23 import jacobian_differences, lipschitz, lipschitz_sequences
from verify.papers.j23.lipschitz_constants import IS_BOUND, LIPSCHITZ, C, least_constant
from verify.papers.j23.network_notation import jacobian
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

SMOKE = looking("smoke")
F = Fraction
NONE = number(0)
MODULES = (jacobian_differences, lipschitz, lipschitz_sequences)
CLAIMS = {c.id: c for module in MODULES for c in module.CLAIMS}


def relu(weight, points=((1,), (-1,)), constant=1):
    """f(x) = w max(0, w x)."""
    return deep([[[weight]], [[weight]]], points=points, C=number(constant))


def by_pair(name, case):
    """Of a claim about any two points what is measured, by the way to it."""
    found = as_network(case)
    entries = CLAIMS[name].measure(found.scene([found], RATIONALS))
    return {tuple(entries.label(k)["at"]): as_fraction(x) for k, x in enumerate(entries.values)}


def value(name, case):
    """Of the first point and the second one."""
    return by_pair(name, case)[1, 2]


def admitted(name, case):
    return judge_exactly(CLAIMS[name], as_network(case)).admitted > 0


# constants ----------------------------------------------------------------------------------------
def is_bound(case, constant):
    return true_of(IS_BOUND)(as_network(case.changing(C=number(constant))))


@pytest.mark.parametrize(
    ("case", "least"),
    [
        # the second neuron is dead at both points; its weight counts
        (deep([[[1, 0], [0, 1]], [[3, 0], [0, 5]]], points=[[1, -1], [2, -2]], C=NONE), 5),
        (deep([[[F(1, 2)]], [[F(1, 4)]]], points=[[1], [2]], C=NONE), F(1, 2)),
        (deep([[[2]]], points=[[1]], C=NONE), 2),
        # two neurons that add where both are active: 1 + 1 - 1 at most
        (deep([[[1], [1], [-1]], [[1, 1, 1]]], points=[[1]], C=NONE), 2),
    ],
)
def test_constants_by_hand(case, least):
    assert least_constant(case) == pytest.approx(float(least))
    assert is_bound(case, least)
    assert not is_bound(case, least * F(999, 1000))
    assert not is_bound(case, -least)


@pytest.mark.parametrize("seed", range(10))
def test_a_bound_is_at_least_the_norms_at_points(seed):
    random = Random(seed)
    case = as_network(jacobian_differences.WITH_CONSTANT.of.draw(random, large=False))
    case = LIPSCHITZ.repair(case, random)
    assert true_of(IS_BOUND)(case)
    inside = Each(examples(), lambda x: norm(jacobian(x)) <= C)
    assert true_of(inside)(case)
    assert not true_of(IS_BOUND)(LIPSCHITZ.break_(case, random))


# the steps ----------------------------------------------------------------------------------------
def test_nuclear_norms_by_hand():
    case = relu(F(1, 2), constant=F(1, 2))
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
    assert by_pair("j23.prop13.schatten.a", case) == {(1,): 0, (2,): 4}
    assert by_pair("j23.prop13.schatten.b", case) == {(1,): 0, (2,): 4}


def test_the_finite_bound_by_hand():
    assert value("j23.prop13.finite@Bii", relu(1)) == 2 - 1 - 1
    # C^2 = 1/4, |1/4 - 0|_* = 1/4
    half = relu(F(1, 2), constant=F(1, 2))
    assert value("j23.prop13.finite@Bii", half) == F(1, 2) - F(1, 4) - 1
    assert value("j23.prop13.finite@Bii.fix", half) == F(1, 2) - F(1, 4) - F(1, 4)
    assert value("j23.prop13.finite@Bii", relu(1, constant=2)) == 2 - 1 - F(1, 4)


def test_the_sequence_by_hand():
    case = relu(1).changing(k=number(1, integer=True))
    # |theta_L|^2 = L, R0 = 1, log 1 twice, C = 1, |1 - 0|_* = 1
    assert value("j23.prop13@B", case) == -1
    assert judge_exactly(CLAIMS["j23.prop13@B"], as_network(case)).violations
    assert not admitted("j23.prop13@B.fix", case)  # the rank at y is 0


def test_parameters_of_more_than_minimal_norm_are_another_case():
    more = {"C": number(3), "k": number(1, integer=True)}
    free = deep([[[1]], [[3]]], points=[[1], [2]], **more)
    assert not admitted("j23.prop13@B", free)
    assert admitted("j23.prop13@B.fix", free)
    # there is no layer to grow from
    assert not admitted("j23.prop13@B.fix", free.changing(k=number(2, integer=True)))


# what the engine finds ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "name",
    ["j23.prop13.nuclear.masks", "j23.prop13.nuclear.b@Bii", "j23.prop13@B"],
)
def test_the_engine_refutes_and_the_checker_accepts(name):
    assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.REFUTES


def test_the_finite_bound_is_refuted():
    context = looking("ci")
    assert pointwise(CLAIMS["j23.prop13.finite@Bii"], context).outcome is Outcome.REFUTES


@pytest.mark.parametrize("name", [c.id for c in CLAIMS.values() if c.proof is not None])
def test_arguments_hold(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES


@pytest.mark.parametrize(
    "name", ["j23.prop13.finite@Bii.fix", "j23.prop13.nuclear.b@Bii.fix", "j23.prop13.schatten.b"]
)
def test_what_is_true_is_supported(name):
    assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.SUPPORTS
