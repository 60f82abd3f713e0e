"""zlb22, equations (9), (13), (14), Corollary 3.7 and Remark 3.9 on networks solved by hand."""

from fractions import Fraction
from functools import partial
from itertools import product
from random import Random

import pytest
import sympy

from graphs.arithmetic import as_fraction
from tests.verify.arrays import entries_of, worth_in
from tests.verify.dag_cases import (
    SQUARE,
    at_point,
    at_weights,
    chain,
    chain_at_point,
    dag,
    sympy_values,
)
from tests.verify.papers.looking import looking
from tests.verify.without import without
from verify.cases.tensors import tensor
from verify.checker import ACCEPTED, REJECTED, check
from verify.core.evidence import Outcome
from verify.kinds.dags.pool import dag_pool, often_without_zeros
from verify.language.building import item, norm, row
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.zlb22 import block_proofs, block_sums, first_layer, last_block, taylor_remainder
from verify.papers.zlb22.dag_notation import DAG, A
from verify.papers.zlb22.first_layer import NO_HESSIAN, linear_in
from verify.papers.zlb22.layer_numbers import in_order, last_layer
from verify.papers.zlb22.segments import along, composed
from verify.papers.zlb22.taylor_remainder import (
    SQUARED_RADIUS,
    WITH_COMMON_POINT,
    hessian,
    remainder,
    with_derivatives,
)
from verify.statements.stated import stated, true_of

F = Fraction
CI = looking("ci")
MODULES = (block_sums, last_block, first_layer, taylor_remainder)
CLAIMS = {claim.id.removeprefix("zlb22."): claim for module in MODULES for claim in module.CLAIMS}
BLOCKS = {name.removeprefix("eq13-14."): c for name, c in CLAIMS.items() if "eq13" in name}
TRUE = ("i@C", "iii", "ii.first@C.fix", "ii.ends@C.fix")
FALSE = tuple(name for name in BLOCKS if name not in TRUE)

# f = w2 (w1 x)^2: by w1 twice 2 w2 x^2, by w1 and w2 2 w1 x^2
TWO = partial(chain_at_point, [3, 5], {1: SQUARE}, 2)
# f = w3 w2 (w1 x)^2
THREE = partial(chain_at_point, [3, 5, 7], {1: SQUARE}, 2)


def gaps(name, case):
    """The sum of the squared differences of both sides over the entries of a block, by neuron."""
    found = {}
    for label, value in entries_of(BLOCKS[name], case):
        k = label["at"][0] - 1
        found[k] = found.get(k, 0) + value**2
    return found


def needed(claim):
    """The hypotheses without which a case was found that the checker has accepted."""
    needs = necessity(claim, CI).needs
    return {need.hypothesis for need in needs if need.certificate is not None}


# equation (13) ------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", [(1, 1), (1, 2), (2, 2), (1, 3), (2, 3), (3, 3)])
def test_what_arises_at_each_neuron_adds_up(numbers):
    case = THREE(l1=numbers[0], l2=numbers[1])
    assert gaps("i@C", case) == {3: 0}


def test_blocks_out_of_order_are_not_looked_at():
    assert gaps("i@C", TWO(l1=2, l2=1)) == {}


# equation (14) ------------------------------------------------------------------------------------
def test_a_bend_behind_another_neuron_is_lost():
    # G = 2 x^2 w2 w3 for l' = 1; neuron 1 has no edge to the output, and its pre-activation is
    # linear, so the middle is 0; by recursion it comes back
    case = THREE(l1=1, l2=1, l3=1)
    lost = {3: (2 * 4 * 5 * 7) ** 2}
    assert gaps("ii.first@C", case) == lost
    assert gaps("ii.ends@C", case) == {3: 0}
    assert gaps("ii.first@C.fix", case) == {3: 0}


def test_the_last_term_of_the_last_block_has_no_recursion():
    # l2 = l' = L: the term is 2 w1 x^2, the last line an empty sum
    case = TWO(l1=1, l2=2, l3=2)
    assert gaps("ii.ends@C", case) == {2: 24**2}
    assert gaps("ii.ends@C.fix", case) == {}
    # and l2 = 1, l' = L: nothing arises at the output itself
    case = TWO(l1=1, l2=1, l3=2)
    assert gaps("ii.ends@C", case) == gaps("ii.ends@C.fix", case) == {2: 0}


@pytest.mark.parametrize("name", sorted(FALSE))
def test_what_is_false_is_refuted(name):
    found = pointwise(BLOCKS[name], CI)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == ACCEPTED
    value = found.certificate["value"]
    forged = {**found.certificate, "value": value | {"left": str(F(value["left"]) + 1)}}
    assert check(forged).code == REJECTED


@pytest.mark.parametrize("name", sorted(TRUE))
def test_what_is_true_stands_and_is_argued(name):
    found = pointwise(BLOCKS[name], CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 20
    assert schema(BLOCKS[name], CI).outcome is Outcome.ARGUES


def test_what_is_false_fails_on_a_small_graph_in_symbols():
    assert sorted(FALSE) == ["ii.ends@C", "ii.first@C"]
    for name in FALSE:
        says = BLOCKS[name].terms.says
        steps = block_proofs.on_small_graphs(says, block_sums.TERM)
        assert not all(step.holds for step in steps), name


def test_an_argument_about_another_statement_proves_nothing():
    wrong = block_proofs.term_argument(block_sums.FIRST, "term-middle", block_sums.TERM)
    assert not wrong.holds  # the sums over neurons agree, the small graphs do not


def gaps_without(name, hypothesis, case):
    """The same where a hypothesis is not supposed."""
    claim = BLOCKS[name]
    weaker = without(claim, next(one for one in claim.hypotheses if one.name == hypothesis))
    return [value for _, value in entries_of(weaker, case) if value]


def test_hypotheses_that_are_needed():
    # f = (w2 w1 x)^2, by w2 twice 2 w1^2 x^2
    bent = chain_at_point([3, 5], {2: SQUARE}, 2, l1=2)
    assert gaps_without("iii", "identity on outputs", bent) == [2 * 9 * 4]
    last = TWO(l1=1, l2=2, l3=2)
    assert gaps_without("ii.ends@C.fix", "second layer before the last", last) == [24]


# part (iii) ---------------------------------------------------------------------------------------
def test_the_last_blocks():
    assert gaps("iii", TWO(l1=1)) == {2: 0}
    assert gaps("iii", TWO(l1=2)) == {2: 0}
    weights = {(1, 0): 3, (2, 1): 5, (3, 1): 7}
    two_outputs = at_point(weights, {1: SQUARE}, [2, 0, 0, 0], l1=1)
    assert gaps("iii", two_outputs) == {2: 0, 3: 0}


def test_layers_chosen_in_order():
    random = Random(0)
    for _ in range(30):
        case = in_order(THREE(l1=1, l2=1, l3=1), random)
        assert 1 <= case.whole("l1") <= case.whole("l2") <= case.whole("l3") <= last_layer(case)


# equation (9) and its bound -----------------------------------------------------------------------
def segment(moves, activations):
    """From weights 0 along a chain, the input 1."""
    edges = {(v + 1, v): move for v, move in enumerate(moves)}
    return chain([0] * len(moves), activations, moves=edges)


def test_a_segment_by_hand():
    # f = (t 2)^2 (t 3) = 12 t^3
    case = segment([2, 3], {1: SQUARE})
    phi = along(lambda v, z: composed(row(A, v), z))[3]
    assert [as_fraction(c) for c in worth_in(phi, case)][:4] == [0, 0, 0, 12]
    assert worth_in(remainder(phi, phi), case) == 12
    assert worth_in(SQUARED_RADIUS, case) == 13


def test_the_squared_length_counts_in_degrees():
    case = dag({(2, 0): 1, (2, 1): 1}, {}, [1, 1, 0], moves={(2, 0): 3, (2, 1): 4, (1, 0): 9})
    assert worth_in(SQUARED_RADIUS, case) == 2 * 25


def test_a_hessian_by_hand():
    # f = w2 (w1 x)^2 at w1 = 3, w2 = 5, x = 2, which do not move
    case = chain([3, 5], {1: SQUARE}, x=2, moves={})
    assert worth_in(hessian(3, 0), case)[1:] == (40, 24, 24, 0)
    # f = v (w1 + w2)/sqrt 2 at x = (1, 1): by v and w1, by v and w2 it is 1/sqrt 2
    edges = dict.fromkeys([(2, 0), (2, 1), (3, 2)], 0)
    both = dag(edges, {}, [1, 1, 0, 0], moves={})
    assert worth_in(norm(hessian(4, 0)), both) == 1
    assert worth_in(abs(hessian(4, 0)[1, 3]) ** 2, both) == F(1, 2)


@pytest.mark.parametrize("seed", range(4))
def test_hessians_are_those_of_sympy(seed):
    random = Random(seed)
    pool = dag_pool(extras=(("V", ("n", "n")),), most=4, last=often_without_zeros, degree=2)
    case = DAG.repair(pool.draw(random), random)
    _, post, symbols = sympy_values(case, 0)
    for v, formula in enumerate(post):
        _, *found = worth_in(item(with_derivatives(0)[v + 1], 3), case)
        pairs = product(sorted(symbols), repeat=2)
        for (a, b), entry in zip(pairs, found, strict=True):
            second = sympy.diff(formula, symbols[a], symbols[b])
            assert as_fraction(entry) == at_weights(case, second, symbols)


def test_two_outputs_need_not_share_the_point():
    # t^4 has it at 6^(-1/2), t^3 at 1/3
    powers = {1: (0, 0, 0, 0, 1), 2: (0, 0, 0, 1)}
    edges = {(1, 0): 0, (2, 0): 0}
    both = smooth(dag(edges, powers, [1, 0, 0], moves={(1, 0): 1, (2, 0): 1}))
    assert not true_of(WITH_COMMON_POINT)(both)
    assert entries_of(CLAIMS["eq9"], both) == []  # one output is asked for
    powers = {1: powers[1], 2: powers[1]}
    same = smooth(dag(edges, powers, [1, 0, 0], moves={(1, 0): 1, (2, 0): 2}))
    assert true_of(WITH_COMMON_POINT)(same)
    assert needed(CLAIMS["eq9"]) == {"one output", "twice differentiable activations"}


def smooth(case):
    """Without kinks."""
    return case.changing(K=tensor(("n", "b"), [[0]] * case.lengths["n"]))


def slacks(case):
    """Of the bound, at the points where it is asked."""
    return [value for _, value in entries_of(CLAIMS["cor3.7.bound"], case)]


def test_the_bound_is_reached():
    # f = w2 w1, both weights moved by 1: the error 1, the Hessian of norm 1, R^2 = 2
    assert slacks(segment([1, 1], {})) == [0] * 5
    # moved by 1 and 2 it is 2 against 5/2
    assert slacks(segment([1, 2], {})) == [F(1, 2)] * 5
    # t^3: the error 1, phi''/2 = 3t, at 1/2, 3/4 and 1 large enough
    assert len(slacks(segment([1, 1], {1: SQUARE}))) == 3


def test_the_bound_is_reached_with_two_incoming_neurons():
    # f = v (w1 + w2)/sqrt 2 at x = (1, 1), w moved by sqrt 2 each and v by 2: error 4, R^2 = 8
    moves = {(2, 0): 1, (2, 1): 1, (3, 2): 2}
    case = dag(dict.fromkeys(moves, 0), {}, [1, 1, 0, 0], moves=moves)
    found = slacks(case)
    assert len(found) == 5
    assert all(value.low <= 0 <= value.high for value in found)


@pytest.mark.parametrize("name", ["eq9", "cor3.7.bound", "thm3.8.zero"])
def test_taylor_and_the_first_layer_stand_and_are_proved(name):
    assert pointwise(CLAIMS[name], CI).outcome is Outcome.SUPPORTS
    assert schema(CLAIMS[name], CI).outcome is Outcome.ARGUES


# Remark 3.9 ---------------------------------------------------------------------------------------
def test_the_first_layers_are_linear_and_the_second_is_not():
    case = THREE()
    found = entries_of(CLAIMS["thm3.8.zero"], case)
    # three gradients of the input; by three weights the second derivatives of 0, and of 1
    assert [value for _, value in found] == [0] * (3 + 9 + 9)
    wider = stated("wider", NO_HESSIAN.source, "", "", linear_in(2), (DAG,), pool=NO_HESSIAN.pool)
    values = {tuple(label["at"][1::2]): value for label, value in entries_of(wider, case)}
    # the pre-activation of 2 is w2 (w1 x)^2
    assert {at: value for at, value in values.items() if value} == {
        (2, 2): 2 * 5 * 4,
        (2, 3): 2 * 3 * 4,
        (3, 2): 2 * 3 * 4,
    }
