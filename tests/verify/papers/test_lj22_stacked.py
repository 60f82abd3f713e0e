"""Stacked and flattened matrices by hand: which are layers, how norms change; Definition 5."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphs.activations import RELU, leaky_relu
from graphs.rationals import RATIONALS
from tests.verify.drawn_cases import seen, value_of, values_of
from tests.verify.structured_cases import block, case_of_plan, conv, dense, drawn
from verify.cases.hypotheses import asks_case
from verify.cases.scenes import scene_of
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import post
from verify.language.evaluation import Evaluation
from verify.language.statements import Statement
from verify.methods.context import Context
from verify.methods.expanded import expanded
from verify.methods.schema import schema
from verify.papers.lj22.blocks import at_heads
from verify.papers.lj22.stacked import ANY_CHAIN, LINEAR_CHAIN
from verify.papers.lj22.suppositions import C
from verify.papers.registry import find
from verify.search.admission import Admitted, admit

LAYER, NORM = map(find, ("lj22.sig2.layer@B", "lj22.sig2.norm"))
LAW, SAME = (find(f"lj22.thm2-83.{part}") for part in "ab")


def sides_of(claim, case):
    """What both sides of each equation are worth."""
    places = claim.terms.places(Evaluation(scene_of([case], RATIONALS)))
    found = [place.sides(k) for place in places for k in range(len(place.owner))]
    return [(Fraction(told["left"]), Fraction(told["right"])) for told in found]


def norms_of(case):
    """The rates of the norms minus that of the last layer, by the layer: of W, T or [U Z], then of
    Y over Z; and whether the case is one of the claim."""
    found = seen(NORM, case)
    return {(at["at"][0], len(at["at"]) == 2): (value, met) for at, value, met in found}


# layers -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(1, 9))
def test_stacked_matrices_in_a_chain_are_layers(seed):
    case = drawn(ANY_CHAIN, seed, large=True)
    assert set(values_of(LAYER, case)) <= {0}


def test_beside_a_skip_edge_they_are_none():
    # a skip edge from x to the output passes by the block
    from verify.cases.networks_of_pieces import Plan
    from verify.cases.structured_pool import listed

    plan = Plan(1, (block(2, 1), dense(2)), (0, 1), head=True, skips=1)
    found = seen(LAYER, listed(plan, "chain", ""))
    by = [(at["at"][:2], value) for at, value, admitted in found if not admitted]
    assert len(by) == len(found)
    assert {str(where) for where, value in by if value} == {"[1, 0]", "[1, 1]"}


def test_only_resnet_identity_has_no_stacking():
    for variant, parameters, count in (("identity", 6, 0), ("diagonal", 8, 2), ("free", 10, 2)):
        pieces = [block(2, 1, variant), dense(1)]
        case = case_of_plan(2, pieces, [1] * parameters, [1, 0])
        found = seen(LAYER, case)
        assert len({str(at["at"][:2]) for at, _, _ in found}) == count
        assert all(admitted for _, _, admitted in found)


# norms ------------------------------------------------------------------------------------------
def test_norms_of_a_convolution_and_what_follows():
    # nu = w (v1 x1 + v2 x2), w = 2, v = (1, 5), x = (3/5, 4/5): -2 * 2 * 23/5 on both sides
    case = case_of_plan(2, [conv(1, 2), dense(1)], [2, 1, 5], ["3/5", "4/5"])
    assert norms_of(case) == {(1, False): (0, True)}
    assert values_of(LAW, case) == [0]
    [(left, right)] = sides_of(NORM, case)
    assert left == right == -2 * 2 * Fraction(23, 5)


def test_each_parameter_of_a_convolution_counts_once():
    # nu = w1 v x1 + w2 v x2, v = 3, w = (2, 5), x = (3/5, 4/5): v dv = -v (2 * 3/5 + 5 * 4/5)
    case = case_of_plan(
        2, [conv(1, 2), dense(1)], {"x1>h1.1": 3, "h1.1>h2.1": 2, "h1.2>h2.1": 5}, ["3/5", "4/5"]
    )
    [(left, right)] = sides_of(NORM, case)
    assert left == right == -2 * 3 * Fraction(26, 5)


def test_a_frozen_weight_is_outside_and_spoils_the_law():
    case = case_of_plan(1, [dense(1), dense(1)], [2, 3], [1])
    net = case.network
    frozen = replace(
        net,
        fixed=(case.weights[0], None),
        parameter_of=(-1, 0),
        parameter_names=net.parameter_names[1:],
    )
    found = norms_of(replace(case, network=frozen, weights=case.weights[1:]))
    assert found == {(1, False): (12, False)}  # 2 w dw of the last layer is -2 * 3 * 2


def test_the_norms_of_u_z_and_of_y_over_z_differ():
    weights = {"x1>g1.1": 3, "g1.1>h1.1": 2, "x1>h1.1": 1, "h1.1>h2.1": 1}
    case = case_of_plan(1, [block(1, 1), dense(1)], weights, [1])
    assert value_of(SAME, case, at=[1]) == 5 - 10
    assert values_of(LAW, case) == [0, 0]
    found = admit(SAME, case, 300)
    assert isinstance(found, Admitted)


def test_what_is_outside_of_theorem_2():
    curved = case_of_plan(1, [dense(1, RELU), dense(1)], [1, 1], [1])
    diagonal = case_of_plan(2, [block(2, 1, "diagonal"), dense(1)], [1] * 8, [1, 0])
    order = case_of_plan(1, [dense(2), conv(1, 2), dense(1)], [1] * 5, [1])
    for case in (curved, diagonal, order):
        assert seen(LAW, case)
        assert values_of(LAW, case) == []
        assert set(values_of(NORM, case)) == {0}


# chains -------------------------------------------------------------------------------------------
def chain_of_two():
    return case_of_plan(2, [conv(1, 2), block(2, 1), dense(1)], range(1, 12), [1, 0])


@pytest.mark.parametrize(
    "wrong",
    [
        {"M": [[], [], []]},
        {"M": [[], ["g2.1"]]},
        {"M": [["g2.1"], ["g2.1"], []]},
        {"W": [1, 2]},
        {"W": [1, 3]},
        {"W": [1, 2, 3, 4]},
        {"F": [[], [], []]},
        {"F": [[[2], [1]], [], []]},
        {"P": [[["x1"], ["x2"]], [], []]},
        {"Q": [[["h1.1", "h1.1"]], [], []]},
        {"L": [["x1", "x2"], ["h1.1", "h1.2"], ["h2.1", "h2.2"]]},
        {"L": [["x1", "x2"], ["h1.1", "h1.1"], ["h2.1", "h2.2"], ["h3.1"]]},
        {"L": [["x1", "x1"], ["h1.1", "h1.2"], ["h2.1", "h2.2"], ["h3.1"]]},
    ],
)
def test_other_lists_are_no_chain(wrong):
    case = chain_of_two()
    [chain] = [asks_case(one) for one in LAYER.hypotheses if one.name == "chain"]
    assert chain(case)
    assert not chain(case.choosing(**wrong))


def test_heads_of_a_convolution_stand_once():
    """Twice, the norm of its filter would count twice before another convolution."""
    case = case_of_plan(2, [conv(1, 2), conv(1, 2), dense(1)], [3, 2, 5, 7], [1, 0])
    [chain] = [asks_case(one) for one in LAYER.hypotheses if one.name == "chain"]
    assert chain(case)
    first, heads, *others = case.list_of("L")
    assert not chain(case.choosing(L=[first, [*heads, heads[0]], *others]))


def test_an_identity_is_one_by_its_weights():
    pieces = [block(2, 1, "identity"), dense(1)]
    case = case_of_plan(2, pieces, [1] * 6, [1, 0])
    [chain] = [asks_case(one) for one in LAYER.hypotheses if one.name == "chain"]
    assert case.list_of("W") == [2]
    assert chain(case)
    fixed = [None if value is None else 2 * value for value in case.network.fixed]
    assert not chain(replace(case, network=replace(case.network, fixed=tuple(fixed))))


@pytest.mark.parametrize("claim", [LAYER, NORM, LAW], ids=["layer", "sig2", "theorem 2"])
def test_what_is_argued_expands_to_zero(claim):
    found = expanded(claim, Context(budget_named("smoke")))
    assert found.outcome in (Outcome.PROVES_ON_SCOPE, Outcome.ARGUES_ON_SCOPE)
    assert schema(claim, Context(budget_named("smoke"))).outcome is Outcome.ARGUES
    pool = LINEAR_CHAIN if claim is LAW else ANY_CHAIN
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
