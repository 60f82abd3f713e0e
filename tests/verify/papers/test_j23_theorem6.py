"""Theorem 6 and its proof, solved by hand."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import log, sqrt
from random import Random

import numpy as np
import pytest

from graphs import reals
from graphs.rationals import RATIONALS
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensor, Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.deep.layered import arrays_of, as_network
from verify.kinds.deep.networks import deep, number
from verify.language.building import Map
from verify.language.evaluation import Evaluation
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.rates import rates
from verify.methods.schema import schema
from verify.papers.j23 import (
    theorem6,
    theorem6_cases,
    theorem6_matrices,
    theorem6_products,
    theorem6_rates,
    theorem6_steps,
    theorem6_totals,
)
from verify.papers.j23.network_notation import ALL
from verify.papers.j23.theorem6_chains import LEAST_NEEDED, LEAST_SUM
from verify.papers.j23.theorem6_notation import (
    HAS_COLUMNS,
    carried,
    to_carried_family,
    to_free_pair,
)
from verify.search.drawing import draw
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

F = Fraction
SMOKE = Context(budget_named("smoke"), 0, "cpu")
CI = looking("ci")
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
    return as_network(deep(weights, biases, points, slope, **more))


# all neurons active; the outgoing weights are turned away from x_1 = (4/5, 3/5): cosine 3/5
TURNED = net([[[F(4, 5)], [F(3, 5)]], [[0, 1]]])
# the slopes turn x_1 = (4/5, -3/5) to (4/5, 57/100); the outgoing weights nearly follow it
REFLECTED = net([[[F(4, 5)], [F(-3, 5)]], [[F(4, 5), F(3, 5)]]], slope=F(-19, 20), p=F(49, 100))
OUTPUT = F(16, 25) + F(9, 25) * F(19, 20)
BETWEEN = net([[[F(4, 5)], [F(3, 5)]], [[1, 0], [0, 1]], [[0, 1]]])
LINE = net([[[1]]])
BOUND = -2 * log(3 / 5)  # of TURNED


def exact(case):
    return case.scene([case], RATIONALS)


def values(claim, case):
    return [float(value) for value in CLAIMS[claim].measure(exact(case)).values]


def worth(term, case):
    """A term in a case."""
    return Evaluation(exact(case)).column(term).values


def violated(claim, case):
    return bool(judge_exactly(CLAIMS[claim], case).violations)


def widths(case):
    return [len(row) for row in case.list_of("layer")]


def matrix(case, layer):
    array = arrays_of(case).arrays[f"W{layer}"]
    return np.array(array.entries, dtype=float).reshape(array.shape)


# Theorem 6 ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("claim", "case", "value"),
    [
        ("thm15.a", TURNED, BOUND),
        ("thm6.a", TURNED, BOUND - 2 * (1 - 3 / 5)),
        ("thm6.a", REFLECTED, -2 * log(OUTPUT) - F(4, 5)),
        ("thm15.b", TURNED, 1),  # both layers, of which one is asked for
        ("thm6.b", REFLECTED, -2 * log(OUTPUT) - F(98, 100) * F(2, 5)),
        ("thm15.a", net([[[2]], [[1]]], gap=3), 5 - 2 + 3 - 2 * log(2) - 1),
    ],
)
def test_the_slack_by_hand(claim, case, value):
    assert values(claim, case) == [pytest.approx(float(value))]


def test_no_family_does_better_than_the_bound():
    random, generator = Random(1), np.random.default_rng(1)
    for _ in range(16):
        case = draw(CLAIMS["thm6.b"], random, n=1, loss="", large=True)
        if not true_of(HAS_COLUMNS)(case):
            continue
        k, p = int(case.arrays["k"].entries[0]), case.arrays["p"].entries[0]
        weights = [matrix(case, layer) for layer in range(1, len(widths(case)))]
        chosen = int(np.ceil((1 - p) * len(weights)))
        least = float(worth(LEAST_SUM, case)[0])
        needed = float(worth(LEAST_NEEDED, case)[0])
        known = worth(Map(ALL, lambda m: to_carried_family(m, 1)), case).items
        assert sum(map(float, known)) >= least - 1e-9
        for _ in range(20):
            family = [np.linalg.qr(generator.normal(size=(w, w)))[0][:, :k] for w in widths(case)]
            costs = [np.sum((w - family[i + 1] @ family[i].T) ** 2) for i, w in enumerate(weights)]
            assert sum(costs) >= least - 1e-9
            assert sorted(costs)[chosen - 1] >= needed - 1e-9


def test_the_carried_family_costs_what_it_says():
    """For k = 1: unit vectors along J alpha_l K, with signs that fit."""
    for case in (TURNED, REFLECTED, BETWEEN):
        cost, before = 0.0, None
        for layer in range(len(widths(case))):
            ((_, projection),) = worth(carried(layer, 1), case).parts.values()
            vector = np.linalg.eigh(np.array(projection[0], dtype=float))[1][:, -1]
            if before is not None:
                weight = matrix(case, layer)
                vector *= np.sign(vector @ weight @ before) or 1
                cost += np.sum((weight - np.outer(vector, before)) ** 2)
            before = vector
        found = worth(Map(ALL, lambda m: to_carried_family(m, 1)), case).items
        assert sum(map(float, found)) == pytest.approx(cost)


def test_the_free_pair_is_nearest():
    case = net([[[3, 0], [0, F(1, 2)]]], points=((1, 1),))
    assert float(worth(to_free_pair(1), case)[0]) == 4 + F(1, 4)


def test_the_worst_layer_of_the_best_choice():
    """Of layers (w) and 1 x 1 the family is made of signs: each costs (|w| - 1)^2, and two
    neighbours of other signs than these allow more."""
    random = Random(0)
    for _ in range(40):
        depth = random.randint(1, 5)
        entries = [F(random.randint(0, 9), 4) for _ in range(depth)]
        p = F(random.randint(1, 99), 100)
        case = net([[[w]] for w in entries], p=p)
        number_of = int(np.ceil((1 - p) * depth))
        costs = [(w - 1) ** 2 for w in entries]
        pairs = [v * v + w * w + 2 - 2 * sqrt(2 * (v * v + w * w)) for v, w in pairwise(entries)]
        worst = [
            max([costs[i] for i in c] + [pairs[i] / 2 for i in c if i + 1 in c])
            for c in combinations(range(depth), number_of)
        ]
        assert float(worth(LEAST_NEEDED, case)[0]) == pytest.approx(float(min(worst)))


# the proof ----------------------------------------------------------------------------------------
def test_projections_counted_twice():
    cosine = F(9, 25)  # squared
    assert values("thm6.product@B", TURNED) == [pytest.approx(float(cosine - cosine**3))]
    for mended in ("thm6.product@B.fix", "thm6.sum.a.fix"):
        assert CLAIMS[mended].measure(exact(TURNED)).values.tolist() == [0]
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
        ("thm6.layers@B.fix", TURNED, 1),  # both layers, of which one is asked for
    ],
)
def test_the_total_and_the_layers_by_hand(claim, case, value):
    assert values(claim, case) == [pytest.approx(float(value))]


# matrices -----------------------------------------------------------------------------------------
def matrices(**rows):
    axes = {"A": "mn", "B": "nr", "U": "mr", "V": "nr", "S": "r", "s": "d"}
    found = {name: tensor(tuple(axes[name]), value) for name, value in rows.items()}
    return Tensors(found)


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
    case = Tensors({"s": tensor(("d",), [4]), "L": Tensor((), (), (F(2),), integer=True)})
    scene = case.scene([case], RATIONALS)
    below, above = CLAIMS["thm6.opt@B"].measure(scene).values
    assert float(below) == pytest.approx(2 * (4 - 1) - 2 * log(4))
    assert float(above) == pytest.approx(log(4) ** 2 * 4 - float(below))


# rates --------------------------------------------------------------------------------------------
def test_the_rates_by_hand():
    # C/(p L) is 1/2; the distances squared are 1 and 1/4
    case = net([[[2, 0], [0, F(1, 2)]]], points=((1, 1),), k=1, gap=-3)
    assert values("rates.a", case) == [-F(1, 2)]
    assert values("rates.b", case) == [F(1, 2)]


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


@pytest.mark.parametrize("claim", ["thm6.product@B", "thm6.layers@B"])  # all: the baseline
def test_it_is_refuted(claim):
    found = pointwise(CLAIMS[claim], CI)
    assert found.outcome is Outcome.REFUTES


@pytest.mark.parametrize("claim", sorted(set(CLAIMS) - {*REFUTED, "rates.c"}))
def test_nothing_is_found_against_it(claim):
    assert pointwise(CLAIMS[claim], SMOKE).outcome is Outcome.SUPPORTS


def test_one_family_needs_slopes_of_at_least_0():
    assert violated("thm6.a", REFLECTED)
    assert not judge_exactly(CLAIMS["thm6.a.fix"], REFLECTED).admitted
    below = theorem6_cases.SLOPE_AT_LEAST_0.break_(TURNED, Random(0))
    assert arrays_of(below).number("a") < 0
    mended = theorem6_cases.SLOPE_AT_LEAST_0.repair(below, Random(0))
    assert arrays_of(mended).number("a") > 0


def test_a_family_that_will_not_do_refutes_no_other():
    one = [[F(-113, 512), F(501, 512)], [F(501, 512), F(113, 512)]]
    weights = [one, [[F(29, 32), F(15, 32)]]]
    assert values("thm6.a", net(weights, points=((F(-13, 8), 0),), slope=F(-9, 10))) == []


def test_frames_are_nearly_orthonormal():
    random = Random(3)
    for _ in range(30):
        frame = theorem6_cases.nearly_orthonormal(
            [[F(random.randint(-9, 9)) for _ in range(4)] for _ in range(3)], random
        )
        columns = np.array(frame, dtype=float)
        assert np.abs(columns @ columns.T - np.eye(3)).max() < 0.1
