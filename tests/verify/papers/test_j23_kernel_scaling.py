"""The growth of the tangent kernel with the depth, on networks solved by hand and built in full."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.deep_networks import tangent_kernel
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.deep.changes import with_number
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, number, tensor_of
from verify.language.evaluation import Evaluation
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.rates import rates
from verify.methods.search import search
from verify.papers.j23 import kernel_scaling
from verify.papers.j23.kernel_scaling import recoded, with_identities
from verify.statements.stated import true_of

F = Fraction
SMOKE = Context(budget_named("smoke"), 0, "cpu")
CLAIMS = {claim.id: claim for claim in kernel_scaling.CLAIMS}
HINGE = deep([[[1]], [[1]]], points=[[1], [-1]])  # f = max(0, x)


def values(claim, case):
    scene = as_network(case).scene([as_network(case)], RATIONALS)
    return [as_fraction(value) for value in CLAIMS[claim].measure(scene).values]


def kernel(case, biases=True):
    return as_fraction(np.trace(tangent_kernel(case, 0, biases=biases)))


def first_point(case):
    """The first point alone."""
    return tensor_of(("N", "n0"), case.matrix("X")[:1])


def smooth_networks(count):
    """ReLU networks of the pool without a kink at their points."""
    random = Random(3)
    while count:
        case = with_number(kernel_scaling.RECODED.of.draw(random, large=False), "a", 0)
        if not case.exact.kinked:
            count -= 1
            yield case


def test_the_trace_before_is_that_of_the_network_without_the_identities():
    for case in smooth_networks(6):
        if case.depth == 1:
            continue
        deeper = with_identities(case.changing(more=number(2, integer=True)), 2)
        made = as_network(deeper)
        found = Evaluation(made.scene([made], RATIONALS)).column(kernel_scaling.trace_before(1))
        assert as_fraction(found.values[0]) == kernel(case)


# sequences ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("t", [1, 2, 7])
def test_recoded_networks_have_the_function_no_kinks_and_the_trace_of_the_paper_and_pencil(t):
    for case in smooth_networks(8):
        passed, n = case.exact, case.widths[0]
        size = (case.matrix("X")[0] ** 2).sum()
        steep = (passed.jacobian(0) ** 2).sum() / t**2
        first = (passed.from_pre(1, 0) ** 2).sum()
        for more in (1, 4):
            found = recoded(case, t, more)
            assert found.depth == case.depth + 1 + more
            assert (found.exact.outputs == passed.outputs).all()
            assert not found.changing(X=first_point(found)).exact.kinked
            put_in = size + 1 + 2 * (n + 1) + 2 * (5 * n + 1) * (more - 1)
            expected = kernel(case) + as_fraction(first * (5 * n - size) + steep * put_in)
            assert kernel(found) == expected


def test_the_hinge_at_1_keeps_its_trace_bounded_by_large_factors():
    # x = 1: 2 + 2 before; the first old layer sees 2 and 1; t^2 = 100^2 > the depth
    assert kernel(HINGE) == 4
    assert [kernel(recoded(HINGE, 100, more)) < 9 for more in (1, 50)] == [True, True]
    assert kernel(recoded(HINGE, 1, 51)) - kernel(recoded(HINGE, 1, 50)) == 12
    norms = [np.linalg.norm(recoded(HINGE, t, 2).exact.to_pre(2, 0).astype(float)) for t in (1, 9)]
    assert norms == pytest.approx([1, 9])  # at x only the positive one passes on what it reads


def test_a_plateau_is_passed_on_without_any_kernel():
    # max(0, x + 1), identities, then clipped to [0, 1]: at both points Jf is 0 and f differs
    case = deep([[[1]], [[1], [1]], [[1, -1]]], [[1], [-1, -2], [0]], [[F(-1, 2)], [2]])
    assert [as_fraction(v) for v in case.exact.outputs.reshape(-1)] == [0, 1]
    assert kernel(with_identities(case, 30)) == kernel(case)


# measures -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("g", "at", "order"), [(0, 1, 0), (1, 1, -1), (-1, 1, 2), (-1, -1, -1)])
def test_the_order_of_the_share(g, at, order):
    case = deep([[[1]], [[1]]], points=[[at], [-at]], g=number(g, integer=True))
    for reading in ("ntklinear@A", "narrow"):
        assert values(f"j23.{reading}", case) == [order]


def test_the_orders_are_those_of_the_networks():
    for g, order in ((0, 0), (1, -1)):
        shares = [kernel(recoded(HINGE, L**g, L - 3)) / L for L in (50, 100)]
        assert np.log2(float(shares[1] / shares[0])) == pytest.approx(order, abs=0.1)


def test_slacks_by_hand():
    # the trace of the hinge is 4, a layer adds 2: C = 6, depth 5: 30 - 10; at -1 it is 1, by the
    # last bias, and what is put in adds 1: the slope at 0 is 1
    deeper = with_identities(HINGE.changing(more=number(3, integer=True)), 3)
    assert values("j23.ntklinear.upper", deeper) == [20, 2 * 5 - (1 + 3)]
    # weights alone: 1 + 1 at x = 1; (2/2)^2 - 1; at -1: (1 * 0 + 0)^2 - 0
    assert values("j23.ntklinear@A.fix", HINGE) == [0, 0]
    assert values("j23.ntklinear@A.fix", deep([[[2]], [[1]]], points=[[1]])) == [F(25, 4) - 4]


def test_the_layers_put_in_are_identities():
    random, given = Random(6), kernel_scaling.UPPER.terms.given
    for _ in range(20):
        case = kernel_scaling.DEEPER.draw(random)
        assert true_of(kernel_scaling.PUT_IN.holds)(case)
        before = case.deep.depth - case.deep.whole("more")
        assert before in (2, 3) or case.family == "trained"
        for one in (kernel_scaling.PUT_IN, kernel_scaling.SMOOTH_BEFORE):
            assert not true_of(given[one.name])(one.break_(case, random))
            again = one.repair(one.break_(case, random), random)
            assert one is not kernel_scaling.PUT_IN or true_of(one.holds)(again)


# verdicts -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["ntklinear@A", "narrow"])
def test_what_is_printed_fails(name):
    claim = CLAIMS[f"j23.{name}"]
    found = [method(claim, SMOKE) for method in (pointwise, search)]
    assert Outcome.REFUTES in [evidence.outcome for evidence in found if evidence]


@pytest.mark.parametrize("name", ["ntklinear.upper", "ntklinear@A.fix"])
def test_what_holds_is_supported(name):
    assert pointwise(CLAIMS[f"j23.{name}"], SMOKE).outcome is Outcome.SUPPORTS


def test_diagonal_networks_become_narrow():
    assert rates(CLAIMS["j23.narrow.diagonal"], SMOKE).outcome is Outcome.SUPPORTS
