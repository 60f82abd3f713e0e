"""Stacked and flattened matrices by hand: which are layers, how norms change; Definition 5."""

from dataclasses import replace

import pytest

from graphs.activations import RELU, leaky_relu
from graphs.arithmetic import RATIONALS
from tests.verify.drawn_cases import seen, value_of, values_of
from tests.verify.structured_cases import block, case_of_plan, conv, dense, drawn
from verify.admission import Admitted, admit
from verify.evidence import Outcome
from verify.language.building import post
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.expanded import expanded
from verify.methods.schema import schema
from verify.papers.lj22.blocks import at_heads
from verify.papers.lj22.stacked import ANY_CHAIN, LINEAR_CHAIN
from verify.papers.lj22.suppositions import C
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.vocabulary import scene_of

LAYER, NORM = map(find, ("lj22.sig2.layer@B", "lj22.sig2.norm"))
LAW, SAME = (find(f"lj22.thm2-83.{part}") for part in "ab")


# layers -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(8))
def test_stacked_matrices_in_a_chain_are_layers(seed):
    case = drawn(ANY_CHAIN, seed, large=True)
    assert set(values_of(LAYER, case)) <= {0}


def test_beside_a_skip_edge_they_are_none():
    # a skip edge from x to the output passes by the block
    from verify.structured import Plan
    from verify.structured_pool import listed

    plan = Plan(1, (block(2, 1), dense(2)), (0, 1), head=True, skips=1)
    case = listed(plan, "chain", "")
    found = seen(LAYER, case)
    assert [label["matrix"] for label, _, _ in found] == ["UZ", "YZ"]
    assert [(value, admitted) for _, value, admitted in found] == [(1, False)] * 2


def test_only_resnet_identity_has_no_stacking():
    for variant, parameters, count in (("identity", 6, 0), ("diagonal", 8, 2), ("free", 10, 2)):
        pieces = [block(2, 1, variant), dense(1)]
        case = case_of_plan(2, pieces, [1] * parameters, [1, 0])
        assert len(seen(LAYER, case)) == count


# norms ------------------------------------------------------------------------------------------
def test_norms_of_a_convolution_and_what_follows():
    # nu = w (v1 x1 + v2 x2), w = 2, v = (1, 5), x = (3/5, 4/5): -2 * 2 * 23/5 on both sides
    case = case_of_plan(2, [conv(1, 2), dense(1)], [2, 1, 5], ["3/5", "4/5"])
    assert value_of(NORM, case, piece=1, matrix="T") == 0
    assert value_of(LAW, case, piece=1, matrix="T") == 0


def test_a_frozen_weight_is_outside_and_spoils_the_law():
    case = case_of_plan(1, [dense(1), dense(1)], [2, 3], [1])
    net = case.network
    frozen = replace(
        net,
        fixed=(case.weights[0], None),
        parameter_of=(-1, 0),
        parameter_names=net.parameter_names[1:],
    )
    [(_, value, admitted)] = seen(NORM, replace(case, network=frozen, weights=case.weights[1:]))
    assert (value, admitted) == (12, False)  # 2 w dw of the last layer is -2 * 3 * 2


def test_the_norms_of_u_z_and_of_y_over_z_differ():
    weights = {"x1>g1.1": 3, "g1.1>h1.1": 2, "x1>h1.1": 1, "h1.1>h2.1": 1}
    case = case_of_plan(1, [block(1, 1), dense(1)], weights, [1])
    assert value_of(SAME, case, piece=1) == 4 - 9
    assert set(values_of(LAW, case)) == {0}
    found = admit(SAME, case, 300)
    assert isinstance(found, Admitted)


def test_what_is_outside_of_theorem_2():
    curved = case_of_plan(1, [dense(1, RELU), dense(1)], [1, 1], [1])
    diagonal = case_of_plan(1, [block(1, 1, "diagonal"), dense(1)], [1] * 4, [1])
    order = case_of_plan(1, [dense(2), conv(1, 2), dense(1)], [1] * 5, [1])
    for case in (curved, diagonal, order):
        assert seen(LAW, case)
        assert values_of(LAW, case) == []
        assert set(values_of(NORM, case)) == {0}


@pytest.mark.parametrize("claim", [NORM, LAW], ids=["sig2", "theorem 2"])
def test_the_laws_of_norms_expand_to_zero(claim):
    assert expanded(claim, Context(budget_named("smoke"))).outcome is Outcome.ARGUES_ON_SCOPE
    assert schema(claim, Context(budget_named("smoke"))).outcome is Outcome.ARGUES
    pool = ANY_CHAIN if claim is NORM else LINEAR_CHAIN
    for seed in range(10):
        assert set(values_of(claim, drawn(pool, seed))) <= {0}


# Definition 5 -----------------------------------------------------------------------------------
def test_a_block_by_hand():
    # r(x) = relu(U leaky(Y x) + Z x) with Y = -2, U = 3, Z = 5 at x = 1: 3 * -1 + 5 = 2
    weights = {"x1>g1.1": -2, "g1.1>h1.1": 3, "x1>h1.1": 5}
    case = case_of_plan(1, [block(1, 1, "free", RELU, leaky_relu("1/2"))], weights, [1], "3")
    assert value_of(find("lj22.def5"), case, at=[1, 1]) == 0
    from graphs.exact import output

    assert output(case.network, case.weights, case.inputs[0]) == 2
    # without what it reads it is no block
    assert values_of(find("lj22.def5"), case.choosing(A=[])) == []


@pytest.mark.parametrize("variant", ["identity", "diagonal"])
def test_a_block_as_a_wider_one(variant):
    special = find("lj22.def5-special")
    count = {"identity": 6, "diagonal": 8}[variant]
    case = case_of_plan(
        2, [block(2, 1, variant, RELU, RELU)], range(1, count + 1), [1, "-1/2"], "3"
    )
    assert values_of(special, case) == [0] * (4 if variant == "identity" else 2)
    free = case_of_plan(2, [block(2, 1, "free")], range(1, 11), [1, 0], "3")
    assert values_of(special, free) == []


def test_the_skip_is_the_one_of_the_block():
    # y = 3 * 2 + 5 at x = 1; without the skip 6
    case = case_of_plan(1, [block(1, 1)], {"x1>g1.1": 2, "g1.1>h1.1": 3, "x1>h1.1": 5}, [1], "3")
    assert values_of(find("lj22.def5"), case) == [0]
    reads_nothing = at_heads(lambda k, j: 0 * post(C[k], j))
    mutant = Statement("no skip", reads_nothing)
    assert [int(v) for v in mutant.measure(scene_of([case], RATIONALS)).values] == [5]
