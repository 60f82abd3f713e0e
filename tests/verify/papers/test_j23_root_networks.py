"""The network of powers, and the second correction on hulls of points: by hand, against bounds."""

from fractions import Fraction
from math import log
from random import Random

import numpy as np
import pytest

from graphs.arithmetic import as_fraction, rational
from graphs.rationals import RATIONALS
from verify.cases.real_arrays import RealTensors
from verify.checker.restated import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.costs.affine import Affine, cost
from verify.kinds.deep.networks import number, tensor_of
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import root_network_proofs as proofs
from verify.papers.j23 import root_networks as roots
from verify.papers.j23 import second_on_hulls as hulls
from verify.papers.registry import find
from verify.search.arguments import beside_the_point
from verify.search.drawing import repair

CI = Context(budget_named("ci"), 2, "cpu")
COS, SIN = Fraction(3, 5), Fraction(4, 5)


def network(depth=3, **changed):
    """t = 2 from a pair of inputs along (3, 4) / 5 to one output, by two and one hidden neurons."""
    arrays = {
        "t": (("k",), [2]),
        "U": (("m", "k"), [[-1]]),
        "V": (("n", "k"), [[COS], [SIN]]),
        "P": (("p", "k"), [[COS], [SIN]]),
        "Q": (("q", "k"), [[1]]),
        "X": (("N", "n"), [[5, 5]]),
        **changed,
    }
    made = {name: tensor_of(axes, rows) for name, (axes, rows) in arrays.items()}
    whole = {"a": number(0), "L": number(depth, integer=True)}
    return RealTensors({**made, **whole})


def test_the_network_by_hand():
    made = network()
    # V^T x = 7: hidden (2 * 7) (3, 4) / 5 and 4 * 7, output -8 * 7
    told = RATIONALS.array([[COS * COS, COS * SIN], [COS * SIN, SIN * SIN]]) * 2
    assert (roots.weight(made, 1) == told).all()
    assert roots.weight(made, 3).tolist() == [[-2]]
    assert roots.representation(made, 2).tolist() == [[28]]
    ((_, found, told),) = roots.outputs(made)
    assert found == told == -56
    sides = {label["part"]: (one, other) for label, one, other in roots.norm(made)}
    assert sides == {"norm": (12, 12), "optimal": (12, 12)}
    # at the opposite point a ReLU gives 0
    opposite = network(X=(("N", "n"), [[-5, -5]]))
    ((_, found, told),) = roots.outputs(opposite)
    assert (found, told) == (0, 56)


def test_hidden_norms_by_hand():
    assert [bound - here for _, bound, here in roots.hidden_norms(network())] == [60, 48, 0]
    small = network(t=(("k",), [Fraction(1, 2)]))
    found = [as_fraction(bound - here) for _, bound, here in roots.hidden_norms(small)]
    assert found == [Fraction(3, 4), Fraction(15, 16), Fraction(63, 64)]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["prop4.3.network", "prop4.3.norm", "prop4.tail.first.fix"])
def test_repairs_meet_the_hypotheses(name, seed):
    claim, random = find(f"j23.{name}"), Random(seed)
    made = repair(claim, claim.pool.draw(random), random)
    assert roots._are_frames(made)
    sides = list(claim.measure.__wrapped__(made))
    assert sides
    assert all(one == other for _, one, other in sides)


def hull(points, linear):
    return RealTensors({"A": tensor_of(("m", "n"), linear), "X": tensor_of(("N", "n"), points)})


@pytest.mark.parametrize("depth", [2, 3, 50])
def test_a_tilted_domain_by_bounds_on_the_cost(depth):
    """x -> x_1 on the diagonal costs L (1/2)^(1/L), and not L."""
    points, linear = RATIONALS.array([[0, 0], [1, 1]]), RATIONALS.array([[1, 0]])
    bounds = cost(Affine(points, linear, RATIONALS.array([0]), rational(0)), depth)
    told = depth * 0.5 ** (1 / depth)
    assert float(bounds.lower) == pytest.approx(told)
    assert float(bounds.upper) == pytest.approx(told)
    rest = depth * (float(bounds.lower) - depth + log(2))
    found = float(hulls.known_second(points, linear))
    assert found == pytest.approx(log(2) ** 2 / 2)
    assert abs(rest - found) <= log(2) ** 3 / depth


def test_the_value_is_that_of_the_map_where_the_domain_spans_its_rows():
    ((_, one, other),) = hulls.value(hull([[0, 0], [1, 0], [0, 1]], [[2, 0], [0, 3]]))
    assert one == other
    assert float(one) == pytest.approx(2 * log(2) ** 2 + 2 * log(3) ** 2)
    obtuse = hull([[0, 0], [1, 0], [-1, 1]], [[2, 0], [0, 3]])
    assert not list(hulls.value(obtuse))


@pytest.mark.parametrize("share", [0, Fraction(1, 3), Fraction(1, 2), 1])
def test_acute_at_the_ends_is_acute_between(share):
    """Products c s_1^(2p) + d s_2^(2p) that are at least 0 at p = 0 and p = 1 are so between."""
    random = np.random.default_rng(3)
    for _ in range(200):
        c, d = random.normal(size=2)
        one, two = random.uniform(0.1, 9, size=2)
        if c + d >= 0 and c * one + d * two >= 0:
            assert c * one ** float(share) + d * two ** float(share) >= -1e-12


@pytest.mark.parametrize("name", ["3@B", "tail.first"])
def test_what_is_printed_is_refuted(name):
    found = pointwise(find(f"j23.prop4.{name}"), CI)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


def test_between_two_layers_by_hand():
    parts = {
        "A": tensor_of(("m", "n"), [[0]]),
        "c": tensor_of(("m",), [Fraction(1, 2)]),
        "X": tensor_of(("N", "n"), [[0], [1]]),
        "q": number(Fraction(1, 3)),
        "a": number(0),
    }
    ((label, one, other),) = hulls.first_of_parts(RealTensors(parts))
    assert (label, one, as_fraction(other)) == ({"part": "constant"}, 0, Fraction(1, 12))
    line = {**parts, "A": tensor_of(("m", "n"), [[8]]), "c": tensor_of(("m",), [0])}
    ((label, one, other),) = hulls.first_of_parts(RealTensors(line))
    assert label == {"part": "linear"}
    assert float(one) == pytest.approx(float(other)) == pytest.approx(2 * log(2))


@pytest.mark.parametrize("name", ["prop4.3@B.fix", "prop4.3.network", "prop4.3.norm"])
def test_what_can_be_broken_is_needed_and_certified(name):
    claim = find(f"j23.{name}")
    found = necessity(claim, CI)
    needed = [need for need in found.needs if need.needed]
    assert {need.hypothesis for need in needed} == {
        h.name for h in claim.hypotheses if h.break_ is not None
    }
    assert all(check(need.certificate).code == 0 for need in needed)


@pytest.mark.parametrize("name", ["prop4.3.network", "prop4.3.norm"])
def test_arguments_hold_and_are_about_the_claim(name, monkeypatch):
    claim = find(f"j23.{name}")
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)
    right = proofs.SymbolScene.gram
    monkeypatch.setattr(proofs.SymbolScene, "gram", lambda s, m: right(s, m) + right(s, m))
    assert not claim.proof().holds
