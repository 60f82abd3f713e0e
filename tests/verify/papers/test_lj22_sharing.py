"""Definition 12 and Lemma 9 by hand: organisations, pairs of weights, what they add up to."""

from fractions import Fraction
from random import Random

import pytest

from graphs.activations import RELU
from graphs.rationals import RATIONALS
from tests.verify.drawn_cases import derivative_by_values, nu, seen, value_of, values_of
from tests.verify.structured_cases import block, case_of_plan, conv, dense, drawn
from verify.cases.networks_of_pieces import Plan, build
from verify.cases.scenes import scene_of
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.methods.context import Context
from verify.methods.expanded import expanded
from verify.methods.schema import schema
from verify.papers.lj22.organisation import ORGANISED, at_every, at_some, pairs_in, pairs_out
from verify.papers.lj22.sharing import pool_of
from verify.papers.registry import find
from verify.search.admission import Admitted, admit
from verify.search.drawing import draw
from verify.search.judging import judge_exactly

CONTEXT = Context(budget_named("smoke"))
DEF12, LEMMA9, LEMMA9_FIX = map(find, ("lj22.def12", "lj22.lemma9", "lj22.lemma9.fix"))


def filtered(behind, item, *, inputs=2, size=2, kernel=1, weights=None, **options):
    """A convolution with two channels, and what stands behind it, with weights 1, 2, 3, ..."""
    pieces = (conv(2, size, kernel, **options), behind)
    net, _ = build(Plan(inputs, pieces, (0, 1)))
    numbers = weights or range(1, net.parameter_count + 1)
    return case_of_plan(inputs, pieces, numbers, ["3/5"] * inputs, item)


# arrays ---------------------------------------------------------------------------------------
def value(term, case):
    """What a term is worth in a case."""
    column = Evaluation(scene_of([case], RATIONALS)).column(term)
    assert column.defined[0]
    return plain(column.values, term.sort, 0)


def organisation(case):
    """Whether an organisation exists, and whether the one by channels is one."""
    [(_, missing, admitted)] = seen(DEF12, case)
    assert admitted
    assert missing == 0 or not value(ORGANISED, case)
    return missing == 0


def test_where_an_organisation_exists():
    assert organisation(filtered(dense(1), "5"))
    assert organisation(filtered(dense(1), "5", inputs=3, size=3, kernel=2))
    assert organisation(filtered(block(1, 1), "6"))
    # circular padding leaves every position all its places, zero padding does not
    assert organisation(
        filtered(dense(1), "5", size=2, kernel=2, padding=1, mode="circular", stride=2)
    )
    assert not organisation(filtered(dense(1), "5", size=2, kernel=3, padding=1))
    # with one position there is nothing to compare
    assert organisation(filtered(dense(1), "5", inputs=1, size=1, kernel=3, padding=1))


def test_the_repaired_definition_is_about_others():
    padded = filtered(dense(1), "5", size=2, kernel=3, padding=1)
    skipped = filtered(block(4, 1, "identity"), "6")
    for case in (padded, skipped):
        assert values_of(find("lj22.def12"), case) == [1]
        assert values_of(find("lj22.def12.fix"), case) == []
    assert values_of(find("lj22.def12.fix"), filtered(dense(1), "5")) == [0]


@pytest.mark.parametrize("variant", ["identity", "diagonal"])
def test_a_skip_from_each_channel_to_another_neuron_has_no_organisation(variant):
    # the neurons of a position have different out-neighbours
    assert not organisation(filtered(block(4, 1, variant), "6"))


# pairs of weights -----------------------------------------------------------------------------
def pairs(case, *, into, every):
    """The pairs by the numbers of the weights, sorted."""
    found = (at_every if every else at_some)(pairs_in if into else pairs_out)
    weights = case.network.edge_weights(case.weights)
    return sorted((int(weights[e]), int(weights[f])) for e, f in value(found, case))


def test_pairs_at_all_positions_and_at_some():
    case = filtered(dense(1), "5")  # two positions; in-weights 1 and 2, out-weights 3, 4 and 5, 6
    assert pairs(case, into=True, every=True) == pairs(case, into=True, every=False) == [(1, 2)]
    assert pairs(case, into=False, every=True) == []
    assert pairs(case, into=False, every=False) == [(3, 5), (4, 6)]
    assert any(values_of(find("lj22.lemma9-57"), case))
    assert not any(values_of(find("lj22.lemma9-57.fix"), case))
    assert not any(values_of(find("lj22.lemma9-55"), case))
    assert values_of(find("lj22.lemma9-56"), case) == []


def test_pairs_before_a_convolution():
    # two positions, read by one filter of two places: neither place meets every position
    case = filtered(conv(1, (), 2), "2")
    assert len(pairs(case, into=False, every=False)) == 2
    assert pairs(case, into=False, every=True) == []
    assert any(values_of(find("lj22.lemma9-56"), case))
    assert not any(values_of(find("lj22.lemma9-56.fix"), case))
    one_place = filtered(conv(2, (), 1), "2")
    assert not any(values_of(find("lj22.lemma9-56"), one_place))
    assert values_of(LEMMA9, one_place) == [0]


def test_lemma_9_by_hand():
    # h_k = w_k x at two positions, o = sum of v: nu = (3 + 4) x + 2 (5 + 6) x at x = 3/5
    case = filtered(dense(1), "5")
    # w1 dw2 + w2 dw1 = -(1 * 11 + 2 * 7) 3/5; the same on the way out, with all pairs
    assert value_of(LEMMA9, case) == -15
    assert value_of(LEMMA9_FIX, case) == 0
    # (60): all four jagged sums are 25 * 3/5 with the sign + as printed
    assert value_of(find("lj22.lemma9-60.in@A"), case) == -30
    assert value_of(find("lj22.lemma9-60.out@A"), case) == -15
    assert value_of(find("lj22.lemma9-60.in@A.fix"), case) == 0
    assert value_of(find("lj22.lemma9-60.out@A.fix"), case) == 0


def test_the_sign_of_the_jagged_sums():
    case = filtered(dense(1), "5", weights=[1, -2, 3, 4, 5, 6])
    # jagged: 1 * 11 - 2 * 7 = -3, times 3/5; the side itself is 9/5
    assert value_of(find("lj22.lemma9-60.in@A.fix"), case) == 0
    assert value_of(find("lj22.lemma9-60.in@A"), case) == Fraction(18, 5)


def test_absolute_values_and_relu():
    claim = find("lj22v1.lemma8")
    one = {"inputs": 1, "size": 1}
    # one position: no sharing, pairs are complete; positive weights and active neurons balance
    assert value_of(claim, filtered(dense(1), "5", **one)) == 0
    assert value_of(claim, filtered(dense(1), "5", weights=[1, -2, 3, 5], **one)) != 0
    relu = filtered(dense(1), "5", weights=[1, -2, 3, 5], activation=RELU, **one)
    assert value_of(claim, relu) != 0
    assert values_of(find("lj22v1.lemma8.fix"), relu) == []


def test_zero_padding_is_outside_of_the_printed_lemma_and_inside_of_the_repaired_one():
    case = filtered(dense(1), "5", size=2, kernel=3, padding=1)
    assert values_of(LEMMA9, case) == []
    assert value_of(LEMMA9_FIX, case) == 0


@pytest.mark.parametrize("seed", range(6))
def test_the_sides_are_derivatives_of_the_sums_along_the_flow(seed):
    """Of the repaired lemma, from values of the network alone."""
    case = drawn(pool_of(("5",), linear=True, all_linear=True), seed, n=1)
    net = case.network
    degree = max(net.depths) * 2
    kappa = case.slopes[0] * case.labels[0]
    velocity = [
        -kappa * derivative_by_values(case, p, lambda other: nu(other, 0), degree)
        for p in range(net.parameter_count)
    ]
    of_edge, w = case.network.parameter_of, case.weights
    sides = [
        sum(
            w[of_edge[e]] * velocity[of_edge[f]] + w[of_edge[f]] * velocity[of_edge[e]]
            for e, f in value(at_some(which), case)
        )
        for which in (pairs_in, pairs_out)
    ]
    assert sides[0] == sides[1]
    [(_, rate, _)] = seen(LEMMA9_FIX, case)
    assert rate == 0


# every claim ----------------------------------------------------------------------------------
REFUTED = (
    "lj22.def12",
    "lj22v1.lemma8.53",
    "lj22v1.lemma8.54",
    "lj22.lemma9",
    "lj22.lemma9-56",
    "lj22.lemma9-57",
    *(f"lj22.lemma9-60.{side}@A" for side in ("in", "out")),
    "lj22v1.lemma8",
)


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_false_is_found_and_certified(name):
    claim = find(name)
    random = Random(3)
    for number in range(100):
        case = draw(claim, random, n=1 + number % 2, loss="prescribed", large=False)
        if judge_exactly(claim, case).violations:
            assert isinstance(admit(claim, case, 300), Admitted)
            return
    raise AssertionError("no violation was found")


@pytest.mark.parametrize("name", ["lj22.lemma9.fix", "lj22v1.lemma8.fix"])
def test_the_repaired_lemma_is_proved(name):
    assert schema(find(name), CONTEXT).outcome is Outcome.ARGUES
    assert expanded(find(name), CONTEXT).outcome is Outcome.ARGUES_ON_SCOPE


def test_a_relu_in_the_convolution_is_outside_of_the_repaired_lemma():
    case = filtered(dense(1), "5", activation=RELU, weights=[1, -1, 3, 4, 5, 6])
    assert values_of(LEMMA9_FIX, case) == []
    [(_, rate, _)] = seen(LEMMA9_FIX, case)
    assert rate != 0
