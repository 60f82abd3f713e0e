"""Theorem 1 by hand: entries of (6), which of them are admitted, what breaks and proves them."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from graphs.activations import LINEAR, RELU, leaky_relu
from tests.verify.drawn_cases import seen, value_of, values_of
from tests.verify.structured_cases import block, case_of_plan, conv, dense, drawn
from verify.cases.hypotheses import asks_case
from verify.cases.networks_of_pieces import Plan, build
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.expanded import expanded
from verify.methods.schema import schema
from verify.papers.lj22 import matrices, matrices_earlier
from verify.papers.lj22.theorem1 import ALL_ITEMS, PARTS, pool_of
from verify.papers.registry import find
from verify.search.admission import Admitted, admit
from verify.search.drawing import draw
from verify.search.judging import judge_exactly

LEAKY = leaky_relu("1/2")
ONE_A, ONE_FIX = map(find, ("lj22.thm1-1@A", "lj22.thm1-1@A.fix"))
EARLIER_ONE = find("lj22v1.thm1-1")
LAWS = [claim for claim in (*matrices.CLAIMS, *matrices_earlier.CLAIMS) if claim.proof is not None]
CONTEXT = Context(budget_named("smoke"))


def layers(u, v, kinds=(RELU, RELU), **choice):
    """x -> u, v -> o with in-weights u, v, out-weights 3, 5; x = 1, kappa = 1."""
    weights = {"x1>h1.1": u, "x1>h1.2": v, "h1.1>h2.1": 3, "h1.2>h2.1": 5}
    case = case_of_plan(1, [dense(2), dense(1)], weights, [1], "1", **choice)
    names = dict(zip(("h1.1", "h1.2"), kinds, strict=True))
    return replace(case, network=case.network.with_activations(names))


def entries(claim, case):
    """The values of all entries and whether they are admitted, by the numbers of their neurons."""
    return {
        tuple(int(name[-1]) for name in label["at"]): (value, ok)
        for label, value, ok in seen(claim, case)
    }


def looking_at(case, *names):
    """The case with these neurons for those that are active."""
    return case.choosing(I=list(names))


PAIR = {"at": ["h1.2", "h1.1"]}


# item 1 ---------------------------------------------------------------------------------------
def test_two_active_neurons():
    # velocities: in -3, -5; out -1, -2. Off the diagonal: 3 * -2 + 5 * -1 = 1 * -5 + 2 * -3 = -11
    for claim in (ONE_A, ONE_FIX, EARLIER_ONE):
        assert entries(claim, layers(1, 2)) == {(p, q): (0, True) for p in (1, 2) for q in (1, 2)}


def test_an_inactive_neuron_is_outside_of_the_final_version_and_refutes_the_earlier_one():
    # v = -2 is inactive: out 3 * 0 + 5 * -1 = -5, in -2 * -3 = 6
    assert entries(ONE_A, layers(1, -2)) == {(1, 1): (0, True)}
    both = entries(ONE_A, looking_at(layers(1, -2), "h1.1", "h1.2"))
    assert both[2, 1] == both[1, 2] == (-11, False)
    assert value_of(EARLIER_ONE, layers(1, -2), **PAIR) == -11


def test_leaky_neurons_are_never_active():
    assert entries(ONE_A, layers(1, 2, (LEAKY, RELU))) == {(2, 2): (0, True)}
    chosen = looking_at(layers(1, 2, (LEAKY, RELU)), "h1.1")
    assert entries(ONE_A, chosen) == {(1, 1): (0, False)}


def test_a_sleeping_neuron_counts_as_active():
    asleep = {"selection": "dormant", "dormant": ["h1.1"], "direction": {"w[x1->h1.1]": "-1"}}
    case = layers(0, 1, **asleep)
    # velocities: in 0, -5; out 0, -1: 3 * -1 on the way out, 0 * -5 on the way in
    assert value_of(ONE_A, case, **PAIR) == -3
    assert values_of(ONE_FIX, case) == []


# convolutions -------------------------------------------------------------------------------------
def test_a_shared_parameter_against_all_that_leaves_its_channel():
    # T = (w), o = w (v1 x1 + v2 x2): both sides are -2 w (v1 x1 + v2 x2) = -2 * 2 * (3/5 + 4)
    case = case_of_plan(2, [conv(1, 2), dense(1)], [2, 1, 5], ["3/5", "4/5"], "5")
    [(_, value, admitted)] = seen(find("lj22.thm1-5"), case)
    assert (value, admitted) == (0, True)
    assert values_of(find("lj22.thm1-2"), case) == []  # no convolution follows


@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize("mode", ["zero", "circular"])
def test_paddings_do_not_matter(padding, mode):
    first = conv(2, 3, 2, padding=padding, mode=mode)
    second = replace(conv(1, 3, 2, padding=padding, mode=mode), size=())
    count = len(case_of_size(first, second).network.parameter_names)
    case = case_of_size(first, second, range(1, count + 1))
    assert set(values_of(find("lj22.thm1-2"), case)) == {0}
    assert len(values_of(find("lj22.thm1-2"), case)) == 4


def case_of_size(first, second, weights=None):
    """A convolution on three neurons, and one behind it; x = (3/5, -1/5, 2/5)."""
    net, _ = build(Plan(3, (first, second), (0, 1)))
    numbers = weights or [1] * net.parameter_count
    return case_of_plan(3, [first, second], numbers, ["3/5", "-1/5", "2/5"], "2")


def test_relu_between_convolutions_is_outside_and_refutes_the_earlier_version():
    # two channels of one weight each: 1 and -1, one position; out-weights 3, 5
    case = case_of_plan(1, [conv(2, 1, activation=RELU), dense(1)], [1, -1, 3, 5], [1], "5")
    assert values_of(find("lj22.thm1-5"), case) == []
    # only the first is active: out 5 * -1, in -1 * -3
    assert value_of(find("lj22v1.thm1-5"), case, at=[["h1.2"], ["h1.1"]]) == -8


# item 6 -------------------------------------------------------------------------------------------
def mixed(**options):
    """A convolution with one position and two channels, and a block with two inner neurons."""
    return case_of_plan(1, [conv(2, 1), block(1, 2)], [1, 2, 1, -1, 2, 1, 3, 1, 2, -3], [1], "6")


def test_y_over_z_is_what_leaves_a_convolution():
    for version in ("lj22", "lj22v1"):
        assert set(values_of(find(f"{version}.thm1-6.fix"), mixed())) == {0}
        assert any(values_of(find(f"{version}.thm1-6"), mixed()))


def test_with_one_channel_every_bijection_works():
    case = case_of_plan(1, [conv(1, 1), block(1, 2)], [2, 1, -1, 2, 3, 5], [1], "6")
    assert values_of(find("lj22.thm1-6"), case) == [0]


def test_a_matrix_that_is_too_large_or_not_filled_has_no_entry():
    large = case_of_plan(1, [conv(2, 1), block(2, 3)], [1] * 20, [1], "6", head=True)
    odd = case_of_plan(1, [conv(2, 1), block(1, 1)], [1] * 7, [1], "6")
    for case in (large, odd):
        assert values_of(find("lj22.thm1-6"), case) == []


# what breaks the hypotheses -----------------------------------------------------------------------
def test_a_frozen_entry_is_outside_and_spoils_the_law():
    case = layers(1, 2, (LINEAR, LINEAR))
    net = case.network
    fixed = [None] * 4
    fixed[net.edge_between("x1", "h1.1")] = Fraction(1)
    frozen = replace(
        net,
        fixed=tuple(fixed),
        parameter_of=tuple(
            -1 if f else p - 1 for f, p in zip(fixed, net.parameter_of, strict=True)
        ),
        parameter_names=net.parameter_names[1:],
    )
    found = entries(ONE_FIX, replace(case, network=frozen, weights=case.weights[1:]))
    # the in-velocity -3 is gone: out 2 * 3 * -1 stays
    assert found[1, 1] == (-6, False)


def test_a_further_edge_at_a_shared_neuron_is_outside():
    case = case_of_plan(1, [dense(2), dense(2)], range(1, 9), [1], "1", head=True)
    assert len(values_of(ONE_FIX, case)) == 4
    broken = ONE_FIX.hypotheses[0].break_(case, Random(1))
    assert broken.network.edge_count == case.network.edge_count + 1
    assert values_of(ONE_FIX, broken) == []
    assert any(value for _, value, _ in seen(ONE_FIX, broken))


def test_diagonal_blocks_are_outside_of_items_4_and_7():
    case = case_of_plan(2, [dense(2), block(2, 1, "diagonal")], range(1, 13), [1, 0], "7b")
    assert seen(find("lj22.thm1-7.b@A.fix"), case) == []  # of Z an edge is missing
    case = case_of_plan(2, [block(2, 1, "diagonal")], range(1, 9), [1, 0], "3")
    assert values_of(find("lj22.thm1-3@A.fix"), case) == [0]


# every claim --------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", LAWS, ids=lambda claim: claim.id)
def test_what_is_proved_holds_and_is_expanded_to_zero(claim):
    assert schema(claim, CONTEXT).outcome is Outcome.ARGUES
    assert expanded(claim, CONTEXT).outcome is Outcome.ARGUES_ON_SCOPE
    random = Random(5)
    met = 0
    for n in (1, 2, 3, 1, 2, 3):
        judgement = judge_exactly(claim, draw(claim, random, n=n, loss="prescribed", large=False))
        assert judgement.violations == ()
        met += judgement.admitted
    assert met


def test_with_other_slopes_at_active_neurons_nothing_expands_to_zero():
    def bent(pool):
        for case in ONE_FIX.pool.symbolic():
            shared = dict.fromkeys(case.list_of("B"), RELU)
            yield replace(case, network=case.network.with_activations(shared))

    claim = replace(ONE_FIX, pool=replace(ONE_FIX.pool, regions=bent))
    assert expanded(claim, CONTEXT) is None


def test_an_argument_about_something_else_proves_nothing():
    for claim in LAWS:
        other = replace(claim, terms=find("lj22v1.abs.thm1@A").terms)
        assert schema(other, CONTEXT).outcome is Outcome.ERROR
        fewer = replace(
            claim,
            hypotheses=tuple(
                h for h in claim.hypotheses if "linear between" not in h.name and h.name != "active"
            ),
        )
        assert schema(fewer, CONTEXT).outcome is Outcome.ERROR


REFUTED = [
    *(f"lj22.{PARTS.get(i, f'thm1-{i}')}@A" for i in ("1", "3", "4", "7a", "7b")),
    *(f"{version}.thm1-6" for version in ("lj22", "lj22v1")),
    *(f"lj22v1.{PARTS.get(i, f'thm1-{i}')}" for i in ("1", "2", "3", "4", "5", "7a", "7b")),
    "lj22v1.abs.thm1@A",
]


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_false_is_found_shrunk_and_certified(name):
    claim = find(name)
    random = Random(3)
    for number in range(200):
        case = draw(claim, random, n=1 + number % 2, loss="prescribed", large=False)
        if judge_exactly(claim, case).violations:
            found = admit(claim, case, 400)
            assert isinstance(found, Admitted)
            assert found.violation.case.size() <= case.size()
            return
    raise AssertionError("no violation was found")


# absolute values ----------------------------------------------------------------------------------
def test_absolute_values_of_weights():
    # linear, in-weights 1, -2; velocities in -3, -5, out -1, 2. |w w'| has the rates 3*2 - 5 = 1 on
    # the way out and -2*-3*-1 + 5 = -1 on the way in
    case = layers(1, -2, (LINEAR, LINEAR))
    assert value_of(find("lj22v1.abs.thm1@A"), case, at=[0, "h1.2", "h1.1"]) == 2
    positive = layers(1, 2, (LINEAR, LINEAR))
    assert set(values_of(find("lj22v1.abs.thm1@A"), positive)) == {0}


def test_orders_of_the_entries_of_a_block():
    # one channel: every order does; two: none of the 24 orders of four entries
    assert find("lj22.thm1-6").terms.says.operators >= {"orders", "some"}
    assert any(values_of(find("lj22.thm1-6"), mixed()))


# the pool -----------------------------------------------------------------------------------------
CLAIM_OF = {
    item: find(f"lj22v1.{PARTS.get(item, f'thm1-{item}')}" if item != "6" else "lj22.thm1-6")
    for item in ALL_ITEMS
}


@pytest.mark.parametrize("item", ALL_ITEMS)
def test_cases_of_each_item_are_of_that_item(item):
    pool = pool_of((item,))
    [given] = [one for one in CLAIM_OF[item].hypotheses if one.name == "architecture"]
    for seed in range(12):
        case = drawn(pool, seed, large=seed % 2 == 0)
        assert asks_case(given)(case), case.network
    assert len({drawn(pool, seed).network for seed in range(12)}) > 6


def test_laws_on_images():
    from numerics.enclosures import Balls
    from verify.search.drawing import repair
    from verify.search.judging import view

    random = Random(0)
    claim = find("lj22.sig1.i@A.fix")
    met = set()
    for case in claim.pool.named(random):
        assert len(case.inputs[0]) == 16
        seen_there = view(claim, [repair(claim, case, random)], Balls("cpu"))
        middle, radius = seen_there.entries.values.to_numpy()
        assert (abs(middle) <= radius)[seen_there.admitted].all()
        met |= {case.choice["item"]} if seen_there.admitted.any() else set()
    assert len(met) >= 6
