"""(30) on piecewise polynomials, and the chain rule along arcs, by hand and against mutants."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import RELU
from graphs.univariate import derivative, times, univariate
from graphs.univariate import integral as area
from tests.verify.arrays import saying
from tests.verify.drawn_cases import case_of, net_of, values_of
from tests.verify.language.values import worth
from tests.verify.papers.looking import looking
from verify.cases.smaller import renamed
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.evidence import Outcome
from verify.language.building import Each, examples
from verify.language.terms import number as literal
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.lj22.calculus import (
    SIDE,
    VELOCITY,
    begun,
    gained,
    integral,
    square_change,
    with_arc,
)
from verify.papers.lj22.subdifferential_terms import limit_gradient, one_sided
from verify.papers.registry import find
from verify.search.arguments import faults_of
from verify.search.judging import judge_exactly
from verify.search.shrinking import shrink

CI = looking("ci")
SQUARES, CHAIN = find("lj22.eq30"), find("lj22v1.lemma1")


# (30) -------------------------------------------------------------------------------------------
def weights(durations, start, slopes, jumps=None):
    flat = [[0] * len(durations) for _ in start]
    return Tensors(
        {
            "durations": tensor(("piece",), durations),
            "start": tensor(("weight",), start),
            "slopes": tensor(("weight", "piece", "power"), slopes),
            "jumps": tensor(("weight", "piece"), flat if jumps is None else jumps),
        }
    )


def test_pieces_begin_where_the_last_one_ended():
    case = weights([2, 1], [1], [[[1, 0], [0, 3]]], [[0, 5]])
    assert [worth(begun(literal(1), literal(i)), case) for i in (1, 2)] == [1, 8]
    assert [worth(gained(literal(1), literal(i)), case) for i in (1, 2)] == [2, 3]


@given(st.integers(0, 10**6))
def test_the_integral_is_that_of_the_polynomial(seed):
    case = SQUARES.pool.draw(Random(seed))
    weight, piece = Random(seed).choice(range(len(case.arrays["start"].entries))), 1
    places = case.arrays["slopes"].shape[1:]
    slopes = case.arrays["slopes"].entries[weight * places[0] * places[1] :][: places[1]]
    w = univariate([worth(begun(literal(weight + 1), literal(piece)), case), *slopes])
    wanted = area(times(w, derivative(w)), Fraction(0), case.arrays["durations"].entries[0])
    assert worth(integral(literal(weight + 1), literal(piece)), case) == wanted


def test_a_jump_is_what_the_integral_misses():
    assert values_of(SQUARES, weights([2], [1], [[[1]]])) == [0]  # 9 - 1 = 2 (2 + 2)
    jumping = weights([2], [1], [[[0]]], [[1]])
    assert values_of(SQUARES, jumping) == []
    mutant = replace(SQUARES, hypotheses=SQUARES.hypotheses[1:])
    assert values_of(mutant, jumping) == [3]  # from 1 to 2


@given(st.integers(0, 10**6))
def test_it_holds_for_all_that_the_pool_draws(seed):
    case = SQUARES.pool.draw(Random(seed))
    for hypothesis in SQUARES.hypotheses:
        case = hypothesis.repair(case, Random(seed))
    assert values_of(SQUARES, case) == [0]


@given(seed=st.integers(0, 10**6))
def test_what_is_continuous_is_no_counterexample_and_jumps_are_outside(seed):
    random = Random(seed)
    jumping = SQUARES.hypotheses[1].repair(SQUARES.pool.draw(random), random)
    jumping = SQUARES.hypotheses[0].break_(jumping, random)
    smooth = SQUARES.hypotheses[0].repair(jumping, random)
    for case, reason in (
        (jumping, "'absolutely continuous' is not met"),
        (smooth, "is true there"),
    ):
        outcome = check(SQUARES.terms.certificate("counterexample", case, []))
        assert outcome.code == 1
        assert reason in outcome.message


# a weight jumps from 0 to 1 and stays: its square changes by 1 and the integral is 0
@pytest.mark.parametrize(("duration", "code"), [(1, 0), (0, 1)])
def test_without_continuity_time_passes_all_the_same(duration, code):
    jumping = weights([duration], [0], [[[0]]], [[1]])
    made = SQUARES.terms.certificate("necessity", jumping, [], "absolutely continuous")
    assert check(made).code == code


def test_continuity_is_needed():
    [first, _] = necessity(SQUARES, CI).needs
    assert (first.hypothesis, first.needed) == ("absolutely continuous", True)
    assert check(first.certificate).code == 0
    assert faults_of(SQUARES, SQUARES.proof()) == []
    assert square_change().holds


# the chain rule ---------------------------------------------------------------------------------
NEURON = net_of("x>o", {"o": RELU})
PAIR = net_of("x1>o x2>o", {"o": RELU})


def on_arc(net, start, velocity, side, examples):
    words = [f"{net.names[t]}>{net.names[h]}" for t, h in zip(net.tails, net.heads, strict=True)]
    arrays = {
        name: tensor(("edges",), [part.get(word, 0) for word in words])
        for name, part in (("v", velocity), ("d", side))
    }
    return replace(case_of(net, start, examples), arrays=arrays)


def test_inside_of_a_kink_and_across_it():
    start, velocity = {"x1>o": 1, "x2>o": -1}, {"x1>o": 2, "x2>o": -2}
    for side in ({"x1>o": 1}, {"x1>o": -1}):
        case = on_arc(PAIR, start, velocity, side, [(["1/2", "1/2"], 1, 1)])
        assert values_of(CHAIN, case) == [0]
    assert values_of(CHAIN, on_arc(PAIR, start, velocity, {}, [(["1/2", "1/2"], 1, 1)])) == []
    across = on_arc(NEURON, {"x>o": 0}, {"x>o": 1}, {"x>o": -1}, [([1], 1, 1), (["-1/2"], -1, 1)])
    assert values_of(CHAIN, across) == [0, 0]


def test_it_holds_almost_everywhere_and_not_everywhere():
    """At the kink itself, not just after the start, elements of both sides count."""
    at_every_time = saying(
        CHAIN,
        Each(
            examples(),
            lambda j: one_sided(j, VELOCITY) == limit_gradient(j, (SIDE,), VELOCITY),
        ),
    )
    across = on_arc(NEURON, {"x>o": 0}, {"x>o": 1}, {"x>o": -1}, [([1], 1, 1)])
    assert values_of(CHAIN, across) == [0]
    assert values_of(at_every_time, across) == [1]
    assert pointwise(at_every_time, CI).outcome is Outcome.REFUTES
    [violation] = judge_exactly(at_every_time, across).violations
    small = shrink(at_every_time, violation, 200)
    assert small.case.network.edge_count == 1
    assert set(small.case.arrays) == {"v", "d"}


@pytest.mark.parametrize("seed", range(12))
def test_arcs_that_are_drawn_obey_it_also_under_plain_names(seed):
    random = Random(seed)
    case = CHAIN.pool.draw(random, n=2, loss="prescribed", large=False)
    assert set(case.arrays) == {"v", "d"}
    assert set(values_of(CHAIN, case)) <= {0}
    assert values_of(CHAIN, renamed(case)) == values_of(CHAIN, case)


def test_some_arcs_run_on_inside_of_a_kink():
    inside = 0
    for seed in range(60):
        case = with_arc(case_of(PAIR, {"x1>o": 1, "x2>o": 2}, [([1, 0], 1, 1)]), Random(seed))
        inside += case.weights[0] == 0 == case.arrays["v"].entries[0]
    assert 4 < inside < 40
