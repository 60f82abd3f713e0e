"""Hypotheses: what they say of cases worked by hand, and that they can be mended and broken."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from graphs.activations import LINEAR, RELU, leaky_relu
from graphs.rationals import RATIONALS
from tests.verify.as_hypothesis import as_hypothesis
from tests.verify.drawn_cases import case_of, exact_scene, net_of
from verify.cases.case import Case
from verify.cases.hypotheses import Hypothesis, by_case, unchanged
from verify.cases.pool import Pool
from verify.cases.scenes import constant_entries
from verify.cases.transformations import make_dormant
from verify.core.claim import Claim, Kind, Source
from verify.core.instance import Supply
from verify.language.building import Each, Some, hidden, implies, into, w
from verify.language.terms import Term
from verify.papers.lj22.descent_pairs import EQUAL
from verify.papers.lj22.graph_terms import equal_patterns, two_layers
from verify.papers.lj22.preliminaries import LINEAR_EVERYWHERE
from verify.papers.registry import all_claims
from verify.search.drawing import draw, repair
from verify.search.judging import judge_exactly, view
from verify.statements import network_hypotheses as given
from verify.statements.stated import Given, stated

LEAKY = leaky_relu("1/2")
ONE = [(["1/2"], 1, 1)]


# of claims in the language --------------------------------------------------------------------
def some_pair_is_alike() -> Term:
    """Whether two hidden vertices are active on the same examples."""
    return Some(hidden(), lambda u: Some(hidden(), lambda v: (u != v) & equal_patterns(u, v)))


ALL_LINEAR = as_hypothesis(LINEAR_EVERYWHERE, Pool())
PAIR_EXISTS = as_hypothesis(EQUAL, Pool())
EQUAL_PATTERNS = as_hypothesis(Given("a pair of equal patterns", some_pair_is_alike()), Pool())
FEEDFORWARD = as_hypothesis(given.FEEDFORWARD, Pool())
HOMOGENEOUS = as_hypothesis(given.HOMOGENEOUS, Pool())
OWN_PARAMETERS = as_hypothesis(given.OWN_PARAMETERS, Pool())
RELU_OR_LINEAR = as_hypothesis(given.RELU_OR_LINEAR, Pool())
BIAS_FREE = as_hypothesis(given.BIAS_FREE, Pool())
FULLY_CONNECTED = as_hypothesis(given.FULLY_CONNECTED, Pool())
DATA = as_hypothesis(given.DATA, Pool())
DIFFERENTIABLE = as_hypothesis(given.DIFFERENTIABLE, Pool())
DIFFERENTIABLE_LOSS = as_hypothesis(given.DIFFERENTIABLE_LOSS, Pool())
NONZERO_WEIGHTS = as_hypothesis(given.NONZERO_WEIGHTS, Pool())
FLOW_SELECTION = as_hypothesis(given.FLOW_SELECTION, Pool())
STABLE_SIGNS = as_hypothesis(given.STABLE_SIGNS, Pool())
LAYERS_BY = {reading: as_hypothesis(two_layers(reading), Pool()) for reading in "AB"}


def answers(hypothesis: Hypothesis, *cases: Case) -> list[bool]:
    """What the hypothesis says of each case."""
    scene = exact_scene(*cases)
    rows = [(k, {}, Fraction(0)) for k in range(len(cases))]
    answer = hypothesis.test(scene, constant_entries(scene, rows))
    assert answer.dtype == bool
    return [bool(value) for value in answer]


def holds(hypothesis: Hypothesis, case: Case) -> bool:
    """Whether it holds of the case."""
    found = answers(hypothesis, case)
    return bool(found) and all(found)


# cases by hand ----------------------------------------------------------------------------------
CHAIN = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 1, "h>o": 2}, ONE)
DEAD = CHAIN.with_weights([Fraction(-1), Fraction(2)])  # z_h = -1/2
KINK = CHAIN.with_weights([Fraction(0), Fraction(2)])  # z_h = 0
PAIR_NET = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})


def pair(u, v, kinds=(RELU, RELU), data=ONE, **choice):
    """x -> u, v -> o with in-weights u, v."""
    net = PAIR_NET.with_activations(dict(zip("uv", kinds, strict=True)))
    return case_of(net, {"x>u": u, "x>v": v, "u>o": 1, "v>o": 1}, data, **choice)


TWO_SINKS = replace(net_of("x>h h>o x>p p>o"), outputs=(1, 3))
SKIP = net_of("x>h h>o x>o")
CROSSED = ("x>u", "x>v", "u>v", "u>o", "v>o")
CUTS = {"layers": [[["x", "h"], ["x", "o"]], [["h", "o"], ["x", "o"]]]}

TABLE = [
    # hypothesis, case, whether it holds there
    (FEEDFORWARD, CHAIN, True),
    (FEEDFORWARD, replace(CHAIN, network=replace(CHAIN.network, outputs=(1,))), False),
    (FEEDFORWARD, case_of(TWO_SINKS, {}.fromkeys(TWO_SINKS.parameter_names, 1), ONE), False),
    (HOMOGENEOUS, CHAIN, True),
    (OWN_PARAMETERS, CHAIN, True),
    (
        OWN_PARAMETERS,
        case_of(net_of("x>h h>o", parameters={("x", "h"): "w", ("h", "o"): "w"}), {"w": 1}, ONE),
        False,
    ),
    (RELU_OR_LINEAR, CHAIN, True),
    (RELU_OR_LINEAR, pair(1, 1, (RELU, LEAKY)), False),
    (ALL_LINEAR, pair(1, 1, (LINEAR, LINEAR)), True),
    (ALL_LINEAR, CHAIN, False),
    (BIAS_FREE, CHAIN, True),
    (
        BIAS_FREE,
        case_of(net_of("x>o b>o", constants={"b": 1}), {"x>o": 1, "b>o": 1}, ONE),
        False,
    ),
    (FULLY_CONNECTED, pair(1, 1), True),
    (FULLY_CONNECTED, case_of(SKIP, {"x>h": 1, "h>o": 1, "x>o": 1}, ONE), False),
    (
        FULLY_CONNECTED,  # an edge of the complete graph between layers is missing
        case_of(
            net_of("x1>u x2>v u>o v>o"),
            {}.fromkeys(("x1>u", "x2>v", "u>o", "v>o"), 1),
            [([0, 1], 1, 1)],
        ),
        False,
    ),
    (DATA, CHAIN, True),
    (DATA, case_of(net_of("x1>o x2>o"), {"x1>o": 1, "x2>o": 1}, [(["3/5", "4/5"], 1, 1)]), True),
    (DATA, case_of(net_of("x1>o x2>o"), {"x1>o": 1, "x2>o": 1}, [(["3/5", "5/6"], 1, 1)]), False),
    (DATA, replace(CHAIN, labels=(Fraction(1, 2),)), False),
    # the two margins are 1 and 1 (nu = 1 and nu = -1), then 1 and -1
    (DIFFERENTIABLE_LOSS, case_of(net_of("x>o"), {"x>o": 1}, [([1], 1, 2), ([-1], -1, 2)]), True),
    (DIFFERENTIABLE_LOSS, case_of(net_of("x>o"), {"x>o": 1}, [([1], 1, 2), ([-1], -1, 3)]), False),
    (DIFFERENTIABLE_LOSS, case_of(net_of("x>o"), {"x>o": 1}, [([1], 1, 2), ([-1], 1, 3)]), True),
    (STABLE_SIGNS, CHAIN, True),
    (STABLE_SIGNS, KINK, False),
    (STABLE_SIGNS, KINK.choosing(dormant=["h"]), True),
    (STABLE_SIGNS, KINK.with_weights([Fraction(0), Fraction(0)]).choosing(dormant=["h"]), False),
    (
        STABLE_SIGNS,  # a weight that h shares with o moves, though h sleeps
        case_of(
            net_of("x>h h>o x>o", {"h": RELU}, parameters={("x", "h"): "w", ("x", "o"): "w"}),
            {"w": 0, "h>o": 1},
            ONE,
            dormant=["h"],
        ),
        False,
    ),
    (NONZERO_WEIGHTS, CHAIN, True),
    (NONZERO_WEIGHTS, KINK.choosing(dormant=["h"]), False),
    (DIFFERENTIABLE, CHAIN, True),
    (DIFFERENTIABLE, DEAD, True),
    (DIFFERENTIABLE, KINK, False),
    (DIFFERENTIABLE, pair(0, 0, (LINEAR, LINEAR)), True),
    (FLOW_SELECTION, CHAIN, True),
    (FLOW_SELECTION, KINK, False),
    (FLOW_SELECTION, KINK.choosing(dormant=["h"]), True),
    (FLOW_SELECTION, CHAIN.choosing(dormant=["h"]), True),  # it is not at its kink
    (
        FLOW_SELECTION,  # off on one example, on on the other
        case_of(
            CHAIN.network,
            {"x>h": 0, "h>o": 2},
            [([1], 1, 1), ([-1], 1, 1)],
            dormant=["h"],
        ),
        False,
    ),
    (
        FLOW_SELECTION,  # only ReLU vertices sleep: the slope left of 0 of this one is 1/2
        case_of(
            net_of("x>h h>o", {"h": LEAKY}),
            {"x>h": 0, "h>o": 2},
            ONE,
            dormant=["h"],
        ),
        False,
    ),
    (
        FLOW_SELECTION,  # the in-weight cannot move
        case_of(
            net_of("x>h h>o", {"h": RELU}, fixed={("x", "h"): 0}),
            {"h>o": 2},
            ONE,
            dormant=["h"],
        ),
        False,
    ),
    (EQUAL_PATTERNS, pair(1, 2), True),
    (EQUAL_PATTERNS, pair(-1, -2), True),
    (EQUAL_PATTERNS, pair(1, -2), False),
    (EQUAL_PATTERNS, pair(0, 2), True),  # 0 counts as nonnegative
    (EQUAL_PATTERNS, pair(0, -2), False),
    (EQUAL_PATTERNS, pair(-1, 2, (LINEAR, RELU)), True),  # a linear neuron is always active
    (EQUAL_PATTERNS, pair(-1, -2, (LINEAR, RELU)), False),
    (EQUAL_PATTERNS, pair(1, 2, (LEAKY, RELU)), False),  # it has none
    (EQUAL_PATTERNS, pair(1, 2, data=[([1], 1, 1), ([-1], 1, 1)]), True),  # 11, then 00
    (PAIR_EXISTS, pair(1, -2), True),
    (PAIR_EXISTS, CHAIN, False),
    (PAIR_EXISTS, case_of(net_of("x>u x>v u>v u>o v>o"), {}.fromkeys(CROSSED, 1), ONE), False),
    (LAYERS_BY["A"], case_of(SKIP, {"x>h": 1, "h>o": 1, "x>o": 1}, ONE, **CUTS), True),
    (LAYERS_BY["B"], case_of(SKIP, {"x>h": 1, "h>o": 1, "x>o": 1}, ONE, **CUTS), True),
    (LAYERS_BY["B"], case_of(SKIP, {"x>h": 1, "h>o": 1, "x>o": 1}, ONE), False),  # none chosen
    (
        LAYERS_BY["A"],  # x, h -> o: one in-edge of h alone separates h from x, not x from o
        case_of(SKIP, {"x>h": 1, "h>o": 1, "x>o": 1}, ONE, layers=[[["x", "h"]], [["h", "o"]]]),
        False,
    ),
    (
        LAYERS_BY["A"],  # two edges of one path
        case_of(
            net_of("x>h h>o"),
            {"x>h": 1, "h>o": 1},
            ONE,
            layers=[[["x", "h"], ["h", "o"]], [["x", "h"]]],
        ),
        False,
    ),
]
PLACES = net_of("x1>o x2>o")
APART = {"layers": [[["x1", "o"]], [["x2", "o"]]]}
TABLE += [
    # without x1 -> o there is no way from x1 to x2, but one from x2 to o
    (LAYERS_BY["A"], case_of(PLACES, {"x1>o": 1, "x2>o": 1}, [([0, 1], 1, 1)], **APART), True),
    (LAYERS_BY["B"], case_of(PLACES, {"x1>o": 1, "x2>o": 1}, [([0, 1], 1, 1)], **APART), False),
    (
        LAYERS_BY["A"],  # a frozen edge
        case_of(
            net_of("x1>o x2>o", fixed={("x2", "o"): 1}), {"x1>o": 1}, [([0, 1], 1, 1)], **APART
        ),
        False,
    ),
]


@pytest.mark.parametrize(("hypothesis", "case", "expected"), TABLE)
def test_hypotheses_by_hand(hypothesis, case, expected):
    assert holds(hypothesis, case) is expected


def test_incident_edges_are_those_of_the_vertex():
    # g has a frozen in-edge, h has none: only g is left out
    says = Each(hidden(), lambda v: implies(given.incident_learnable(v), w(into(v)[1]) == 0))
    claim = stated("planted", Source("planted", "-", "-"), "-", "-", says)

    def spoken_of(case: Case) -> list[str]:
        return [violation.entry["at"][0] for violation in judge_exactly(claim, case).violations]

    net = net_of("x>g x>h g>o h>o", fixed={("x", "g"): 1})
    assert spoken_of(case_of(net, {"x>h": 1, "g>o": 1, "h>o": 1}, ONE)) == ["h"]
    shared = net_of("x>g x>h g>o h>o", parameters={("x", "g"): "w", ("h", "o"): "w"})
    assert spoken_of(case_of(shared, {"w": 1, "x>h": 1, "g>o": 1}, ONE)) == []
    assert spoken_of(pair(1, 1)) == ["u", "v"]


def test_answers_of_a_batch_are_those_of_its_cases():
    for hypothesis, cases in (
        (DIFFERENTIABLE, (CHAIN, KINK, DEAD, KINK)),
        (FLOW_SELECTION, (KINK, KINK.choosing(dormant=["h"]), CHAIN)),
        (EQUAL_PATTERNS, (pair(1, 2), CHAIN, pair(1, -2))),
        (PAIR_EXISTS, (pair(1, 2), CHAIN)),
        (STABLE_SIGNS, (KINK, CHAIN)),
    ):
        alone = [answer for case in cases for answer in answers(hypothesis, case)]
        assert answers(hypothesis, *cases) == alone


# repair and break ---------------------------------------------------------------------------------
def hypotheses_of_claims() -> dict[str, tuple[Hypothesis, Claim]]:
    """Every hypothesis of a judged claim, by its statement, with the first such claim."""
    found: dict[str, tuple[Hypothesis, Claim]] = {}
    for claim in all_claims():
        if claim.judged:
            for h in claim.hypotheses:
                found.setdefault(h.statement, (h, claim))
    return found


ALL = hypotheses_of_claims()
# Shares of drawn cases in which the hypothesis holds after its repair, for those that a repair
# (or the pool) cannot make certain.
SHARES = {
    DIFFERENTIABLE.name: 0.5,
    FLOW_SELECTION.name: 0.4,
    "differentiable at every step": 0.5,
    "active": 0.5,
    "active throughout": 0.5,
    "a chain in one linear piece": 0.1,
    "differentiable loss (Assumption 3), one for all steps": 0.7,
    "equal activation patterns at every step": 0.1,
    FEEDFORWARD.name: 0.8,
    OWN_PARAMETERS.name: 0.8,
    "equal neighbourhoods": 0.8,  # a network without hidden neurons has none to double
    "linearly separable data": 0.8,
    "no zero weight at any step": 0.9,
    "more than two vertices": 0.8,
    "not constant": 0.7,
    "the chain ends in the final layer": 0.8,
    "no zero padding": 0.8,
    "convolutional neuron organisation": 0.8,
    "gradient flow, Assumptions 1 and 3": 0.02,  # most drawn weights lie on no exact solution
    "small initial risk": 0.4,  # half of all labels; on solutions there is no other risk
    "the unrolled network is defined": 0.0,  # by two readings it never is
    "T_G is a tree": 0.0,  # the same
    # of networks made of arrays: what hangs on the widths or the number of points drawn
    "Jacobian of rank 2": 0.4,  # two hidden neurons and two outputs
    "the whole output space": 0.4,
    "dimension k": 0.4,
    "room for k*": 0.5,
    "outputs of dimension k*": 0.6,  # two outputs and three points
    "a layer of k neurons": 0.5,  # a hidden width that is a rank
    # what is lost where weights or points drawn are 0
    "smooth at the points": 0.9,  # without weights nor biases every point is at a kink
    "f moves along the segment": 0.8,
    "u is moved": 0.7,
    "represents the identity": 0.6,  # no last layer brings back a tangent space that is lost
    "singular vectors": 0.5,  # of the Jacobian 0 there are none, and few are rational
    # what is arranged by the pool in a share of its cases
    "norm k": 0.8,
    "first term 0": 0.8,
    "inputs completely positive": 0.7,
    "outputs completely positive": 0.7,
    "equal ranks": 0.7,
    "ranks add": 0.9,  # the widths must have room for the sum
    "rank equality": 0.5,
}


def drawn(pool: Supply, seed: int, count: int = 30) -> list[tuple[Any, Random]]:
    random = Random(seed)
    sizes = pool.examples
    return [
        (pool.draw(random, n=sizes[k % len(sizes)], loss="prescribed", large=False), random)
        for k in range(count)
    ]


def said(hypothesis: Hypothesis, claim: Claim, case: Any) -> list[bool]:
    """What the hypothesis says of the case, or else of each entry that the claim has there."""
    if hypothesis.test.__qualname__.startswith(by_case.__name__):
        scene = type(case).scene([case], RATIONALS)
        answers = hypothesis.test(scene, constant_entries(scene, [(0, {}, Fraction(0))]))
    else:
        answers = view(claim, [case], RATIONALS, [hypothesis]).admitted
    return [bool(answer) for answer in answers]


@pytest.mark.parametrize("statement", sorted(ALL))
def test_repair_makes_a_hypothesis_hold(statement):
    """In the cases of which the claim says something, for some entry. A hypothesis without a repair
    is met by what the pool draws, or by what the claim's other hypotheses repair."""
    hypothesis, claim = ALL[statement]
    share = SHARES.get(hypothesis.name, 0.95)
    certain = claim.kind is Kind.LIMIT and hypothesis.name not in SHARES  # solutions take a while
    told: list[bool] = []
    for count in (12,) if certain else (12, 30, 120):  # where few fall short by chance, more tell
        met = []
        for case, random in drawn(claim.pool, seed=7, count=count):
            if hypothesis.repair is unchanged:
                case = repair(claim, case, random)
            met.append(said(hypothesis, claim, hypothesis.repair(case, random)))
        told = [any(answers) for answers in met if answers]
        if sum(told) >= share * len(told):
            break
    assert len(told) >= 8 or not share
    assert sum(told) >= share * len(told)


@pytest.mark.parametrize("name", sorted({h.name for h, _ in ALL.values() if h.break_ is not None}))
def test_break_makes_a_hypothesis_fail(name):
    """In most cases where it held, at some entry, and what comes out still is a case."""
    hypothesis, claim = next(
        pair for pair in ALL.values() if pair[0].name == name and pair[0].break_ is not None
    )
    # a curve of one entry has no direction any more, and so no limit with a zero
    share = 1 if name == "limit without zeros" else 2
    outcomes: Counter[bool] = Counter()
    random = Random(8)
    for k in range(150):
        n = claim.pool.examples[k % len(claim.pool.examples)]
        case = draw(claim, random, n=n, loss="prescribed", large=False)
        repaired = hypothesis.repair(case, random)
        answers = said(hypothesis, claim, repaired)
        if not answers or not all(answers):
            continue
        broken = hypothesis.break_(repaired, random)
        if isinstance(broken, Case):
            broken.network.check_weight_count(broken.weights)
        if broken == repaired:
            continue  # there is nothing to break, as the activations of a network of one layer
        if answers := said(hypothesis, claim, broken):  # else the claim says nothing of it
            outcomes[all(answers)] += 1
        if outcomes[False] >= max(10, share * outcomes[True]) or outcomes.total() == 24:
            break
    assert outcomes[False] >= max(10, share * outcomes[True])


def test_repairs_leave_a_good_case_alone():
    """A case that meets a hypothesis still does after the repair."""
    for hypothesis, case, expected in TABLE:
        if expected and hypothesis.name != "two layers":
            assert holds(hypothesis, hypothesis.repair(case, Random(3)))


def test_dormant_cases_survive_their_repairs():
    """After STABLE_SIGNS' repair a dormant vertex still has in-weights 0."""
    number = 0
    for case, random in drawn(Pool(activations=("relu",), kinks=False), seed=9):
        asleep = make_dormant(case, random)
        if "dormant" not in asleep.choice:
            continue
        repaired = STABLE_SIGNS.repair(asleep, random)
        [name] = asleep.choice["dormant"]
        net = repaired.network
        entering = [net.parameter_of[e] for e in net.in_edges[net.index[name]]]
        assert all((weight == 0) is (p in entering) for p, weight in enumerate(repaired.weights))
        number += 1
    assert number > 10
