"""Shrinking: what comes out still violates, is no larger, and is as small as it is known to get."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings

from graphs.activations import LINEAR, RELU, leaky_relu
from graphs.families import fully_connected
from tests.verify.drawn_cases import case_of, drawn_cases, net_of, nu
from verify.cases.case import Case
from verify.cases.sliding import with_slopes
from verify.cases.smaller import adapt_choice, changes, on_edges, renamed, size
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.drawing import draw
from verify.search.judging import judge_exactly
from verify.search.shrinking import shrink, shrinking
from verify.search.weakened import judged

# The smallest violations there are, worked out by hand: vertices, edges, examples.
SMALLEST = {
    "lj22.risk": (2, 1, 1),  # one ReLU
    "lj22.eq1.a": (2, 1, 1),  # one edge, x_p not 1
    "lj22.eq3": (2, 1, 1),
    "lj22.eq16@A": (2, 1, 1),
    "lj22.gflow": (2, 1, 1),
    "lj22.eq8-11.10@A": (2, 1, 1),  # one negative weight
    "lj22.eq8-11.11in@A": (3, 2, 1),  # an inner vertex
    "lj22.eq8-11.11out@A": (3, 2, 1),
    "lj22.lemma3@A": (3, 2, 1),  # two inputs
    "lj22v1.eq8.b@A": (3, 2, 1),
    "lj22.bias@BA": (3, 2, 1),  # a weight and a bias
    "lj22v1.lemma3b": (4, 4, 1),  # a pair
    "lj22.lemma2b@A": (4, 4, 1),
    "lj22.def10@A1B1": (2, 1, 1),  # one arc from the trivial path
    "lj22.lemma5-iter@A1B2": (4, 3, 1),
    "control.false": (2, 1, 1),  # one ReLU
    "control.planted.lj22": (3, 2, 1),
}

SLIDING = (5, 6, 2)  # of a pair that slides: two inputs, its kink on one of two examples


def chosen_slopes(case):
    """Those at kinks, where the flow selects them."""
    return with_slopes(case).choice.get("slopes_at_0", ())


def claim_named(name):
    return CONTROLS[name][0] if name in CONTROLS else find(name)


def violations(claim, count, tries=400):
    """Violations of a claim among random cases."""
    random = Random(f"shrink {claim.id}")
    found = []
    for number in range(tries):
        n = claim.pool.examples[number % len(claim.pool.examples)]
        case = draw(claim, random, n=n, loss="prescribed", large=False)
        judgement = judge_exactly(claim, case)
        found += judgement.violations[:1]
        if len(found) == count:
            break
    return found


def dimensions(case):
    return case.network.vertex_count, case.network.edge_count, case.example_count


@pytest.mark.parametrize("name", SMALLEST)
def test_violations_shrink_to_the_smallest_ones(name):
    claim = claim_named(name)
    found = violations(claim, 1)
    assert found
    for violation in found:
        small = shrink(claim, violation, steps=3000)
        again = judge_exactly(claim, small.case)
        assert small in again.violations
        assert small.case.admissible
        assert size(small.case) <= size(violation.case)
        slides = any(Fraction(slope) not in (0, 1) for _, _, slope in chosen_slopes(small.case))
        assert dimensions(small.case) == (SLIDING if slides else SMALLEST[name])


def test_the_same_violation_shrinks_to_the_same():
    claim = find("lj22.lemma3@A")
    for violation in violations(claim, 3):
        assert shrink(claim, violation, steps=1000) == shrink(claim, violation, steps=1000)


def test_numbers_become_plain():
    claim = find("lj22.risk")
    net = net_of("x>h h>o", {"h": leaky_relu("1/7")})
    case = case_of(net, {"x>h": "17/3", "h>o": "-9/4"}, [(["3/7"], -1, "5/6")])
    [violation] = judge_exactly(claim, case).violations
    small = shrink(claim, violation, steps=2000).case
    assert {abs(w) for w in small.weights} == {1}
    assert small.inputs in (((1,),), ((-1,),))
    assert small.network.activations.count(RELU) == 1
    assert small.network.names == ("x", "o")


def test_no_steps_no_change_but_plain_names():
    claim = find("lj22.risk")
    case = case_of(
        net_of("x7>hidden hidden>o", {"hidden": RELU}),
        {"x7>hidden": 2, "hidden>o": 3},
        [(["1/2"], -1, 1)],
    )
    [violation] = judge_exactly(claim, case).violations
    same = shrink(claim, violation, steps=0)
    assert same.value == violation.value == -3
    assert same.case.weights == case.weights
    assert same.case.network.names == ("x", "h", "o")


def test_data_outside_the_unit_ball_is_not_shrunk():
    """The papers' data has norm at most 1: a case that has not is left as it is."""
    claim = find("lj22.risk")
    case = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 2, "h>o": 3}, [([7], -1, 1)])
    [violation] = judge_exactly(claim, case).violations
    assert shrink(claim, violation, steps=100).case.weights == case.weights


@pytest.mark.parametrize("steps", [0, 1, 3, 10])
def test_no_more_changes_are_tried_than_are_asked_for(steps):
    """What is kept counts as what is not; the plain names at the end are one case more."""
    claim = find("lj22.risk")
    violation = max(violations(claim, 6), key=lambda one: one.case.size())
    asking, asked = shrinking(violation, steps, together=1), []
    cases = next(asking)
    try:
        while True:
            asked += cases
            cases = asking.send(judged(claim, cases))
    except StopIteration as end:
        smallest = end.value
    assert len(asked) <= steps + 1
    assert smallest == shrink(claim, violation, steps)


# plain names ------------------------------------------------------------------------------------
@settings(max_examples=40)
@given(drawn_cases(sharing=True, fixed=True, constants=True))
def test_renaming_keeps_everything_but_names(case):
    net = case.network
    edges = [[net.names[a], net.names[b]] for a, b in zip(net.tails, net.heads, strict=True)]
    asleep = [net.names[v] for v in net.inner[:1]]
    direction = dict.fromkeys(net.parameter_names[:1], "1/2")
    case = case.choosing(layers=[edges, edges[:1]], dormant=asleep, direction=direction)
    plain = renamed(case)
    new = plain.network
    assert [nu(plain, j) for j in range(plain.example_count)] == [
        nu(case, j) for j in range(case.example_count)
    ]
    same = replace(new, names=net.names, parameter_names=net.parameter_names)
    assert same == net
    assert plain.weights == case.weights
    ends = [[new.names[a], new.names[b]] for a, b in zip(new.tails, new.heads, strict=True)]
    assert plain.choice["layers"] == [ends, ends[:1]]
    assert plain.choice["dormant"] == [new.names[v] for v in new.inner[:1]]
    assert plain.choice["direction"] == dict.fromkeys(new.parameter_names[:1], "1/2")
    assert renamed(plain) == plain
    for letter, vertices in (("x", new.inputs), ("h", new.inner), ("o", new.outputs)):
        assert all(new.names[v].startswith(letter) for v in vertices)


# steps ------------------------------------------------------------------------------------------
@settings(max_examples=30)
@given(drawn_cases())
def test_every_change_is_a_case(case):
    for other in changes(case):
        assert isinstance(other, Case)  # built and validated
        assert other.network.vertex_count <= case.network.vertex_count
        assert other.network.edge_count <= case.network.edge_count
        assert 1 <= other.example_count <= case.example_count
        assert other != case


def test_every_kind_of_change_occurs():
    net = net_of("x1>h x2>h h>g g>o x2>o", {"h": leaky_relu("1/2"), "g": RELU})
    weights = dict.fromkeys(("x1>h", "x2>h", "h>g", "g>o", "x2>o"), Fraction(3, 2))
    case = case_of(net, weights, [(["1/2", 0], 1, "1/3"), ([0, "1/2"], -1, 1)])
    found = list(changes(case))
    assert any(c.example_count == 1 for c in found)
    assert any(set(c.network.names) == {"x2", "h", "g", "o"} for c in found)  # an input goes
    assert any(c.network.edge_count == 4 and c.network.vertex_count == 5 for c in found)
    assert any(set(c.network.names) == {"x1", "x2", "h", "o"} for c in found)  # g is contracted
    assert any(c.network.activations.count(LINEAR) == 4 for c in found)
    assert any(c.network.activations.count(RELU) == 2 for c in found)
    assert any(Fraction(1) in c.weights for c in found)
    assert any(c.slopes == (1, 1) for c in found)
    assert any(c.labels == (1, 1) for c in found)
    assert any(c.inputs[0] == (1, 0) for c in found)


def test_two_edges_that_share_an_end_go_together():
    """So that u and v keep the same in-neighbours: without a, which o needs."""
    net = net_of("x>a x>u x>v a>u a>v u>o v>o a>o")
    weights = dict.fromkeys(net.parameter_names, 1)
    case = case_of(net, weights, [([1], 1, 1)])
    found = [c.network for c in changes(case) if c.network.vertex_count == net.vertex_count]
    names = [{smaller.edge_name(e) for e in range(smaller.edge_count)} for smaller in found]
    everything = {net.edge_name(e) for e in range(net.edge_count)}
    assert everything - {"a->u", "a->v"} in names
    assert everything - {"a->u", "u->o"} not in names


def test_an_input_that_goes_takes_its_coordinate():
    net = net_of("x1>o x2>o")
    case = case_of(net, {"x1>o": 2, "x2>o": 3}, [(["1/2", "1/3"], 1, 1)])
    [other] = on_edges(case, [1], dropped=net.index["x1"])
    assert other.network.names == ("x2", "o")
    assert other.inputs == ((Fraction(1, 3),),)
    assert other.weights == (3,)


def test_the_choice_follows_the_network():
    net = net_of("x>h h>o x>o", {"h": RELU})
    layers = [[["x", "h"], ["x", "o"]], [["h", "o"], ["x", "o"]]]
    asleep = {"selection": "dormant", "dormant": ["h"], "direction": {"w[x->h]": "-1"}}
    weights = {"x>h": 0, "h>o": 1, "x>o": 1}
    case = case_of(net, weights, [([1], 1, 1)], layers=layers, **asleep)
    assert adapt_choice(case).choice == case.choice
    [direct] = on_edges(case, [net.edge_between("x", "o")])
    assert direct.network.names == ("x", "o")
    assert dict(direct.choice) == {"layers": [[["x", "o"]], [["x", "o"]]]}


def test_size_puts_architecture_before_numbers():
    small = case_of(net_of("x>o"), {"x>o": "355/113"}, [(["1/2"], 1, 1)])
    large = case_of(net_of("x>h h>o"), {"x>h": 1, "h>o": 1}, [([1], 1, 1)])
    assert size(small) < size(large)
    two = replace(small, inputs=small.inputs * 2, labels=small.labels * 2, slopes=small.slopes * 2)
    assert size(small) < size(two) < size(large)
    curved = replace(small, network=small.network.with_activations({"o": RELU}))
    assert size(small) < size(curved)
    plain, negative = small.with_weights([Fraction(1)]), small.with_weights([Fraction(-1)])
    assert size(plain) < size(negative) < size(small)


def test_a_large_violation_shrinks_within_its_steps():
    claim = find("lj22.gflow")
    net = fully_connected([3, 5, 4, 1])
    found = []
    for seed in range(20):
        case = claim.pool.fill(net, Random(seed), n=3, loss="prescribed", family="large")
        found += judge_exactly(claim, case).violations[:1]
    assert len(found) > 5
    for violation in found[:3]:
        assert dimensions(shrink(claim, violation, steps=1500).case) == (2, 1, 1)
