"""Section 2, the Schatten bound, and the tangent kernel, solved by hand."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.language.values import worth
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensor, Tensors
from verify.core.evidence import Outcome
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, tensor_of
from verify.language.building import column, eye, frob2
from verify.language.terms import lifted
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.search import search
from verify.papers.j23 import (
    bilinear,
    hessian_notation,
    jacobians,
    kernel_notation,
    kernels,
    setup,
    singular_vectors,
)
from verify.papers.j23.network_notation import DEPTH, jacobian, point, width
from verify.papers.j23.network_notation import values as values_at
from verify.statements.stated import true_of

SMOKE = looking("smoke")
F = Fraction
CLAIMS = {
    claim.id: claim for module in (setup, jacobians, kernels, bilinear) for claim in module.CLAIMS
}
LEAKY = deep([[[1]], [[1]]], points=[[-1]], slope=F(1, 2))
SQUARE_WEIGHTS = [[[1, 2], [0, 1]], [[1, 1], [0, 2]]]
SQUARE = deep(SQUARE_WEIGHTS, points=[[1, 1]])


def with_vectors(case, u, v):
    return case.changing(u=tensor_of(("n0",), u), v=tensor_of((f"n{case.depth}",), v))


def values(claim, case):
    made = as_network(case)
    entries = CLAIMS[claim].measure(made.scene([made], RATIONALS))
    return [as_fraction(value) for value in entries.values]


def numbers(**found):
    return Tensors({name: Tensor((), (), (F(value),)) for name, value in found.items()})


# Section 2 ----------------------------------------------------------------------------------------
KINKED = deep([[[1], [-1]], [[2, 3]]], points=[[F(1, 100)], [-4]])


def test_the_jacobian_is_told_by_differences_of_values():
    assert values("j23.setup", KINKED) == [0, 0]
    # z = 1/100 and -1/100: 100 + 100, twice; z = -4 and 4: 1/4 + 1/4, twice
    steps = [setup.step(lifted(k)) for k in (1, 2)]
    assert [worth(h, as_network(KINKED)) for h in steps] == [F(1, 401), F(1, 2)]


def test_a_wrong_jacobian_would_be_noticed():
    products = setup.product_of_layers(lifted(1))
    assert worth(products, as_network(KINKED)) == worth(jacobian(1), as_network(KINKED))
    moved = values_at(DEPTH, point(1) + setup.step(lifted(1)) * column(eye(width(0)), 1))
    change = moved - values_at(DEPTH, point(1))
    right = change == setup.step(lifted(1)) * column(products, 1)
    wrong = change == setup.step(lifted(1)) * column(2 * products, 1)
    assert [true_of(one)(as_network(KINKED)) for one in (right, wrong)] == [True, False]


@pytest.mark.parametrize(
    ("q", "r", "scaled"),
    [
        (1, 0, True),
        (-1, 0, True),
        (0, 1, True),
        (0, -1, True),
        (-2, 1, True),
        (1, 1, False),
        (1, -1, False),
    ],
)
def test_homogeneous_nonlinearities_by_hand(q, r, scaled):
    assert true_of(setup.MATCHED)(numbers(q=q, r=r, bend=0)) is scaled
    assert not true_of(setup.MATCHED)(numbers(q=q, r=r, bend=1))


# the Schatten bound -------------------------------------------------------------------------------
def test_the_schatten_bound_by_hand():
    assert values("j23.schatten@A", deep([[[3, 4]]], points=[[0, 0]])) == [0]
    assert values("j23.schatten@A", deep([[[3]], [[1]]], points=[[1]])) == [10 - 2 * 3]


# the kernel ---------------------------------------------------------------------------------------
def test_the_trace_of_the_kernel_by_hand():
    # f = W x + b at x = 2: derivatives 2 and 1, f = -2 (slope 1/2)
    case = deep([[[-1]]], points=[[2]], slope=F(1, 2))
    assert values("j23.ntktrace@BB", case) == [0]
    assert values("j23.ntktrace@BA", case) == [1]
    assert values("j23.ntktrace@BA.fix", case) == [0]


def test_the_mixed_derivative_of_a_leaky_chain_by_hand():
    # J = a = 1/2; both terms are a^2, so 2 a^2 = 1/2 against 2 L a, L a and L a^2
    assert values("j23.prop9.1", LEAKY) == [F(1, 2) - 2]
    assert values("j23.prop9.1.fix", LEAKY) == [F(1, 2) - 1]
    assert values("j23.prop9.1.leaky.fix", LEAKY) == [0]


def test_the_formula_by_hand():
    # u = (1, 0), v = (1, 1), all neurons active: |u|^2 |W_2^T v|^2 + |W_1 u|^2 |v|^2 = 10 + 2
    case = deep(SQUARE_WEIGHTS, points=[[1, 1], [2, 1]], v=tensor_of(("n2",), [1, 1]))
    assert values("j23.prop9.formula@B", case) == [0] * 4
    u = kernel_notation.activations(0, 2) - kernel_notation.activations(0, 1)
    for side in (kernels.second_difference(1, 2), kernels.by_forms(1, u), kernels.by_norms(1, u)):
        assert worth(side, as_network(case)) == 12


def test_a_kernel_across_a_kink_is_told_apart():
    # y = -x: the hinge is flat there, Theta(y, y) = 1 and Theta(x, y) = 1
    case = deep([[[1]], [[1]]], points=[[1], [-1]], v=tensor_of(("n2",), [1]))
    assert worth(kernels.second_difference(1, 2), as_network(case)) == 4 - 1 - 1 + 1 - 0
    assert not true_of(kernels.SAME_SLOPES.holds)(as_network(case))


def test_the_kernel_is_that_of_all_derivatives():  # these are held beside autograd in test_deep
    random = Random(5)
    for _ in range(8):
        case = kernels.NETWORKS.draw(random)
        J = hessian_notation.parameter_jacobian(1)
        assert worth(kernel_notation.trace_over_all(1), case) == worth(frob2(J), case)
        whole = kernel_notation.kernel(1, 1) - J @ J.T
        assert worth(frob2(whole), case) == 0


# the bilinear form --------------------------------------------------------------------------------
def test_the_bilinear_bound_by_hand():
    case = with_vectors(LEAKY, [1], [1])
    # v^T J u = 1/2; l = 1: (1/2)(1/2); l = 2: 1/2 times 1
    assert values("j23.prop9.prod@B", case) == [F(1, 16) - F(1, 4), 0]
    assert values("j23.prop9.prod.masks", LEAKY) == [F(1, 16), 0]


def test_the_chain_by_hand():
    case = with_vectors(LEAKY, [1], [1])
    # p^2 = 1, 1/4, 1/4: derivative 1/4 + 1/4, sum of ratios 4 + 1, form^2 1/4
    assert values("j23.prop9.chain.1@B", case) == [F(1, 2) - F(5, 4)]
    # (5/4)^2 |Ju|^2 - (2/4)^2 |u|^2
    assert values("j23.prop9.chain.2@B", case) == [F(25, 64) - F(1, 4)]
    short = with_vectors(LEAKY, [F(1, 2)], [1])
    assert values("j23.prop9.chain.3@B", short) == [F(1, 256) * (F(1, 4) - 1)]


@pytest.mark.parametrize("seed", range(12))
def test_singular_vectors_and_unit_vectors_are_made(seed):
    random = Random(seed)
    case = bilinear.SINGULAR_VALUES.pool.of.draw(random, large=False)
    made = singular_vectors._to_singular(case, random)
    again = singular_vectors._to_unit(case, random)
    assert true_of(bilinear.UNIT.holds)(as_network(again))
    assert singular_vectors._unit(again)
    if made is not case and singular_vectors._singular(made):
        assert true_of(bilinear.SINGULAR_PAIR.holds)(as_network(made))
        assert values("j23.prop9.chain.singular", made) == [0]
        before, after = (x.exact.pre(1)[0] for x in (again, made))
        assert (before == after).all()


def test_singular_vectors_are_found_often():
    random = Random(1)
    cases = [bilinear.SINGULAR_VALUES.pool.draw(random, large=False) for _ in range(40)]
    made = [bilinear.SINGULAR_PAIR.repair(case, random) for case in cases]
    assert sum(map(true_of(bilinear.SINGULAR_PAIR.holds), made)) > 20


# what the engine finds ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    "name",
    [
        "j23.ntktrace@BA",
        "j23.prop9.1",
        "j23.prop9.prod@B",
        "j23.prop9.prod.masks",
        "j23.prop9.chain.1@B",
    ],
)
def test_the_engine_refutes_and_the_checker_accepts(name):
    found = [method(CLAIMS[name], SMOKE) for method in (pointwise, search)]
    assert Outcome.REFUTES in {one.outcome for one in found}


@pytest.mark.parametrize("name", [c.id for c in CLAIMS.values() if c.proof is not None])
def test_arguments_hold(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES


@pytest.mark.parametrize(
    "name", ["j23.schatten@A", "j23.prop9.1.fix", "j23.prop9.1.leaky.fix", "j23.prop9.prod@B.fix"]
)
def test_what_is_true_is_supported(name):
    assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.SUPPORTS
