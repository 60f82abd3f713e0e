"""Theorem 6 and its proof, solved by hand."""

from fractions import Fraction
from itertools import combinations
from math import log, sqrt
from random import Random

import numpy as np
import pytest

from graphs import reals
from graphs.rationals import RATIONALS
from verify.cases.real_arrays import RealTensors
from verify.cases.tensors import Tensor, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import deep, number
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.rates import rates
from verify.methods.schema import schema
from verify.methods.sweep import sweep
from verify.papers.j23 import (
    theorem6,
    theorem6_cases,
    theorem6_chains,
    theorem6_matrices,
    theorem6_products,
    theorem6_rates,
    theorem6_steps,
    theorem6_totals,
)
from verify.papers.j23.theorem6_measures import carried, layers, to_carried_family, to_free_pair
from verify.search.drawing import draw
from verify.search.judging import judge_exactly

F = Fraction
SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = Context(budget_named("ci"), 0, "cpu")
MODULES = (
    theorem6,
    theorem6_products,
    theorem6_steps,
    theorem6_totals,
    theorem6_matrices,
    theorem6_rates,
)
CLAIMS = {claim.id.removeprefix("j23."): claim for module in MODULES for claim in module.CLAIMS}


def net(weights, points=((1,),), slope=0, k=1, gap=0, p="1/2", biases=None):
    more = {"gap": number(gap), "k": number(k, integer=True), "p": number(p)}
    return deep(weights, biases, points, slope, **more)


# all neurons active; the outgoing weights are turned away from x_1 = (4/5, 3/5): cosine 3/5
TURNED = net([[[F(4, 5)], [F(3, 5)]], [[0, 1]]])
# the slopes turn x_1 = (4/5, -3/5) to (4/5, 57/100); the outgoing weights nearly follow it
REFLECTED = net([[[F(4, 5)], [F(-3, 5)]], [[F(4, 5), F(3, 5)]]], slope=F(-19, 20), p=F(49, 100))
OUTPUT = F(16, 25) + F(9, 25) * F(19, 20)
BETWEEN = net([[[F(4, 5)], [F(3, 5)]], [[1, 0], [0, 1]], [[0, 1]]])
LINE = net([[[1]]])
BOUND = -2 * log(3 / 5)  # of TURNED


def values(claim, case):
    return [float(value) for value in CLAIMS[claim].measure(case.exact).values]


def violated(claim, case):
    return bool(judge_exactly(CLAIMS[claim], case).violations)


# Theorem 6 ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claim", "case", "value"),
    [
        ("thm15.a", TURNED, BOUND),
        ("thm6.a", TURNED, BOUND - 2 * (1 - 3 / 5)),
        ("thm6.a", REFLECTED, -2 * log(OUTPUT) - F(4, 5)),
        ("thm15.b", TURNED, BOUND),
        ("thm6.b", REFLECTED, -2 * log(OUTPUT) - F(98, 100) * F(2, 5)),
        ("thm15.a", net([[[2]], [[1]]], gap=3), 5 - 2 + 3 - 2 * log(2) - 1),
    ],
)
def test_the_slack_by_hand(claim, case, value):
    assert values(claim, case) == [pytest.approx(float(value))]


def test_no_family_does_better_than_the_bound():
    random, generator = Random(1), np.random.default_rng(1)
    for _ in range(40):
        case = draw(CLAIMS["thm6.a"], random, n=1, loss="", large=True)
        k = case.whole("k")
        if not theorem6_chains.has_k_columns(case.exact)[0]:
            continue
        weights = [np.array(case.matrix(f"W{layer}"), dtype=float) for layer in layers(case.exact)]
        least = float(theorem6_chains.least_sum(case.exact)[0])
        known = sum(float(to_carried_family(case.exact, layer)[0]) for layer in layers(case.exact))
        assert known >= least - 1e-9
        for _ in range(20):
            family = [np.linalg.qr(generator.normal(size=(w, w)))[0][:, :k] for w in case.widths]
            cost = sum(
                np.sum((w - family[i + 1] @ family[i].T) ** 2) for i, w in enumerate(weights)
            )
            assert cost >= least - 1e-9


def test_the_carried_family_costs_what_it_says():
    """For k = 1: unit vectors along J alpha_l K, with signs that fit."""
    for case in (TURNED, REFLECTED, BETWEEN):
        scene, cost, before = case.exact, 0.0, None
        for layer in range(case.depth + 1):
            projection = np.array(carried(scene, layer)[0], dtype=float)
            vector = np.linalg.eigh(projection)[1][:, -1]
            if before is not None:
                weight = np.array(case.matrix(f"W{layer}"), dtype=float)
                vector *= np.sign(vector @ weight @ before) or 1
                cost += np.sum((weight - np.outer(vector, before)) ** 2)
            before = vector
        found = sum(float(to_carried_family(scene, layer)[0]) for layer in layers(scene))
        assert found == pytest.approx(cost)


def test_the_free_pair_is_nearest():
    case = net([[[3, 0], [0, F(1, 2)]]], points=((1, 1),))
    assert float(to_free_pair(case.exact, 1)[0]) == 4 + F(1, 4)


def test_the_worst_layer_of_the_best_choice(monkeypatch):
    monkeypatch.setattr(theorem6_chains, "larger", lambda scene, a, b: np.maximum(a, b))
    scene, random = LINE.exact, Random(0)
    for _ in range(100):
        depth = random.randint(1, 6)
        single = [RATIONALS.array([random.randint(0, 9)]) for _ in range(depth)]
        halves = [RATIONALS.array([random.randint(0, 9)]) for _ in range(depth - 1)]
        found = theorem6_chains._least_worst(scene, single, halves)
        for count in range(1, depth + 1):
            worst = [
                max([single[i][0] for i in c] + [halves[i][0] for i in c if i + 1 in c])
                for c in combinations(range(depth), count)
            ]
            assert found[count][0] == min(worst)


def test_layers_that_are_asked_for():
    chain = [[[1]]] * 4
    for p, count in ((F(1, 4), 3), (F(26, 100), 3), (F(24, 100), 4), (F(99, 100), 1)):
        assert theorem6_chains.needed_layers(net(chain, p=p).exact).tolist() == [count]
    mixed = [theorem6_rates._behind(net(chain).exact, 1), RATIONALS.array([F(2)])]
    assert [x[0] for x in theorem6_chains.in_order(LINE.exact, mixed[::-1])] == [0, 2]


# the proof ----------------------------------------------------------------------------------------
def test_projections_counted_twice():
    cosine = F(9, 25)  # squared
    assert values("thm6.product@B", TURNED) == [pytest.approx(float(cosine - cosine**3))]
    assert CLAIMS["thm6.product@B.fix"].measure(TURNED.exact).values.tolist() == [0]
    assert CLAIMS["thm6.sum.a.fix"].measure(TURNED.exact).values.tolist() == [0]
    biased = net([[[1]]], biases=[[2]])
    assert values("thm6.sum.a", biased) == [-4]


def test_the_steps_by_hand():
    assert values("thm6.dterm.a@B", TURNED) == [pytest.approx(BOUND - 16 / 25), 0]
    assert values("thm6.dterm.b@B", TURNED) == [pytest.approx(16 / 25), 0]
    assert values("thm6.split", TURNED) == [0, 0]
    assert values("thm6.lower.b", BETWEEN) == [0, 0, 0]
    slack = BOUND - 2 * (1 - 3 / 5)
    assert values("thm6.lower.a", TURNED) == [pytest.approx(slack)] * 2
    assert all(value == 0 for value in values("thm6.insert", BETWEEN))


@pytest.mark.parametrize(
    ("claim", "case", "value"),
    [
        ("thm6.total@B", TURNED, BOUND - 8 / 5 - 16 / 25),
        ("thm6.total@B.fix", TURNED, BOUND - 4 / 5),
        ("thm6.layers@B", LINE, F(1, 2) - 1),
        ("thm6.layers@B", TURNED, 1 - 2),
        ("thm6.layers@B.fix", TURNED, BOUND),  # the first layer is met, the second may miss
    ],
)
def test_the_total_and_the_layers_by_hand(claim, case, value):
    assert values(claim, case) == [pytest.approx(float(value))]


# matrices -----------------------------------------------------------------------------------------
def matrices(**rows):
    axes = {"A": "mn", "B": "nr", "U": "mr", "V": "nr", "S": "r", "s": "d"}
    found = {name: tensor(tuple(axes[name]), value) for name, value in rows.items()}
    return RealTensors(found)


def test_matrices_by_hand():
    onto = matrices(A=[[1, 0]], B=[[1, 1], [0, 1]])
    assert judge_exactly(CLAIMS["thm6.pdet@A"], onto).admitted == 0
    same = matrices(A=[[1, 1]], B=[[2, 4], [2, 4]])
    assert judge_exactly(CLAIMS["thm6.pdet@A"], same).admitted == 1
    assert not violated("thm6.pdet@A", same)
    thin = matrices(U=[[F(3, 5)], [F(4, 5)]], V=[[1]], S=[3])
    for part, value in (("a", 0), ("b", 2 * (2 - log(3))), ("c", 0), ("d@A", 0)):
        (found,) = CLAIMS[f"thm6.scalar.{part}"].measure(thin.scene([thin], RATIONALS)).values
        assert float(found) == pytest.approx(value)


@pytest.mark.parametrize(("part", "outcome"), [("b", Outcome.ARGUES), ("c", Outcome.PROVES)])
def test_proofs_hold(part, outcome):
    assert schema(CLAIMS[f"thm6.scalar.{part}"], SMOKE).outcome is outcome


def test_the_constant_at_optimal_parameters():
    case = RealTensors({"s": tensor(("d",), [4]), "L": Tensor((), (), (F(2),), integer=True)})
    scene = case.scene([case], RATIONALS)
    below, above = CLAIMS["thm6.opt@B"].measure(scene).values
    assert float(below) == pytest.approx(2 * (4 - 1) - 2 * log(4))
    assert float(above) == pytest.approx(log(4) ** 2 * 4 - float(below))


# rates --------------------------------------------------------------------------------------------
def test_the_rates_by_hand():
    case = net([[[2, 0], [0, F(1, 2)]]], points=((1, 1),), k=1)
    bound = 4 + F(1, 4) - 1
    assert values("rates.a", case) == [pytest.approx(float(bound - F(1, 2)))]
    assert values("rates.b", case) == [pytest.approx(float(bound - F(1, 8)))]


def test_the_explicit_sequence_is_nearly_optimal():
    for depth in (16, 256):
        for member in range(6):
            weights, biases, points = theorem6_rates.sequence(depth, member)
            k = len(points)
            x = np.linspace(1, 2, k)
            alpha = x
            for weight, bias in zip(weights, biases, strict=True):
                alpha = weight @ alpha + bias
                assert (alpha > 0).all()  # so the ReLU is linear there
            assert alpha == pytest.approx(x)
            norm = sum(np.sum(w**2) for w in weights) + sum(np.sum(b**2) for b in biases)
            assert norm <= k * depth + 2 * k + 2
    assert rates(CLAIMS["rates.c"], SMOKE).outcome is Outcome.SUPPORTS


def test_the_larger_of_two_real_numbers():
    two, root = reals.real(F(2)), reals.sqrt(F(5))
    assert float(reals.larger(two, root)) == pytest.approx(sqrt(5))
    assert reals.larger(F(2), F(3)) == 3
    assert (reals.larger(root, root) - root).sign() == 0  # nothing had to be told


# what the engine finds ----------------------------------------------------------------------------
REFUTED = (
    "thm6.a",
    "thm6.b",
    "thm6.product@B",
    "thm6.sum.a",
    "thm6.total@B",
    "thm6.layers@B",
)


@pytest.mark.parametrize("claim", REFUTED)
def test_it_is_refuted(claim):
    found = pointwise(CLAIMS[claim], CI)
    if found.outcome is not Outcome.REFUTES:
        found = sweep(CLAIMS[claim], CI)
    assert found.outcome is Outcome.REFUTES


@pytest.mark.parametrize("claim", sorted(set(CLAIMS) - {*REFUTED, "rates.c"}))
def test_nothing_is_found_against_it(claim):
    assert pointwise(CLAIMS[claim], SMOKE).outcome is Outcome.SUPPORTS


def test_one_family_needs_slopes_of_at_least_0():
    assert violated("thm6.a", REFLECTED)
    assert not judge_exactly(CLAIMS["thm6.a.fix"], REFLECTED).admitted
    below = theorem6_cases.SLOPE_AT_LEAST_0.break_(TURNED, Random(0))
    assert below.number("a") < 0
    assert theorem6_cases.SLOPE_AT_LEAST_0.repair(below, Random(0)).number("a") > 0


def test_frames_are_nearly_orthonormal():
    random = Random(3)
    for _ in range(30):
        frame = theorem6_cases.nearly_orthonormal(
            [[F(random.randint(-9, 9)) for _ in range(4)] for _ in range(3)], random
        )
        columns = np.array(frame, dtype=float)
        assert np.abs(columns @ columns.T - np.eye(3)).max() < 0.1
