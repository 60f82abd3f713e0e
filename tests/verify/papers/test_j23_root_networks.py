"""The network of powers, and the second correction on hulls of points: by hand, against bounds."""

from fractions import Fraction
from math import log
from random import Random

import numpy as np
import pytest

from tests.verify.language.values import case, worth
from tests.verify.papers.looking import looking
from verify.cases.tensors import tensor
from verify.checker import check
from verify.core.evidence import Outcome
from verify.language.building import Whole, frob2, norm, row, rows, vector
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import root_network_proofs as proofs
from verify.papers.j23 import root_networks as roots
from verify.papers.j23 import second_on_hulls as hulls
from verify.papers.j23.affine_costs import Affine
from verify.papers.j23.operator_norm import second_correction
from verify.papers.registry import find
from verify.search.arguments import beside_the_point
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

CI = looking("ci", 2)
COS, SIN = Fraction(3, 5), Fraction(4, 5)


def network(depth=3, **changed):
    """t = 2 from a pair of inputs along (3, 4) / 5 to one output, by two and one hidden neurons."""
    arrays = {
        "t": [2],
        "U": [[-1]],
        "V": [[COS], [SIN]],
        "P": [[COS], [SIN]],
        "Q": [[1]],
        "X": [[5, 5]],
        **changed,
    }
    return case(**arrays, a=Fraction(0), L=depth)


def layers(term, made, *numbers):
    """A term that depends on a layer, of several ones."""
    return [worth(term(at(number)), made) for number in numbers]


def at(layer):
    """The layer of a case with a whole number of its own."""
    return roots.L - (3 - layer)


def test_the_network_by_hand():
    made, x = network(), row(roots.X, 1)
    # V^T x = 7: hidden (2 * 7) (3, 4) / 5 and 4 * 7, output -8 * 7
    told = [[2 * COS * COS, 2 * COS * SIN], [2 * COS * SIN, 2 * SIN * SIN]]
    for i, line in enumerate(told, 1):
        for j, entry in enumerate(line, 1):
            assert worth(roots.weight(at(1))[i, j], made) == entry
    assert worth(roots.weight(at(3))[1, 1], made) == -2
    assert worth(roots.representation(at(2), x)[1], made) == 28
    assert worth(roots.network(x)[1], made) == worth((roots.A @ x)[1], made) == -56
    assert worth(roots.TRACE, made) == 12
    assert worth(roots.OPTIMAL & roots.REPRESENTED, made)
    # at the opposite point a ReLU gives 0
    opposite = network(X=[[-5, -5]])
    assert worth(roots.network(x)[1], opposite) == 0
    assert worth((roots.A @ x)[1], opposite) == 56
    assert not worth(roots.POSITIVE.holds, opposite)


def test_hidden_norms_by_hand():
    assert layers(lambda k: norm(roots.hidden(k)), network(), 1, 2, 3) == [2, 4, 8]
    assert worth(norm(roots.A), network()) == 8
    small = network(t=[Fraction(1, 2)])
    assert layers(lambda k: norm(roots.hidden(k)), small, 1, 2, 3) == [1 / 2, 1 / 4, 1 / 8]
    assert worth(roots.BOUNDED, small)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["prop4.3.network", "prop4.3.norm", "prop4.tail.first.fix"])
def test_repairs_meet_the_hypotheses(name, seed):
    claim, random = find(f"j23.{name}"), Random(seed)
    made = repair(claim, claim.pool.draw(random), random)
    judged = judge_exactly(claim, made)
    assert judged.admitted
    assert not judged.violations


def hull(points, linear):
    return case(A=linear, X=points)


L = Whole("L", 1, 50)


@pytest.mark.parametrize("depth", [2, 3, 50])
def test_a_tilted_domain_by_bounds_on_the_cost(depth):
    """x -> x_1 on the diagonal costs L (1/2)^(1/L), and not L."""
    made = hull([[0, 0], [1, 1]], [[1, 0]])
    function = Affine(hulls.A, vector(rows(hulls.A), lambda i: 0))
    told = depth * 0.5 ** (1 / depth)
    made = made.changing(a=tensor((), 0), L=tensor((), depth, integer=True))
    bounds = [function.cost_at_least(L), function.cost_at_most(L)]
    least, most = (float(worth(bound, made)) for bound in bounds)
    assert [least, most] == pytest.approx([told, told])
    rest = depth * (least - depth + log(2))
    found = worth(second_correction(hulls.SEEN), made)
    assert found == pytest.approx(log(2) ** 2 / 2)
    assert abs(rest - found) <= log(2) ** 3 / depth


def test_the_value_is_that_of_the_map_where_the_domain_spans_its_rows():
    made = hull([[0, 0], [1, 0], [0, 1]], [[2, 0], [0, 3]])
    assert worth(hulls.KNOWN_THERE & hulls.ROWS_SPANNED.holds & hulls.DIMENSION.holds, made)
    found = worth(second_correction(hulls.SEEN), made)
    assert found == worth(second_correction(hulls.A), made)
    assert found == pytest.approx(2 * log(2) ** 2 + 2 * log(3) ** 2)
    assert not worth(hulls.KNOWN_THERE, hull([[0, 0], [1, 0], [-1, 1]], [[2, 0], [0, 3]]))
    assert not worth(hulls.KNOWN_THERE, hull([[1, 0], [0, 1]], [[2, 0], [0, 3]]))


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
    parts = {"X": [[0], [1]], "q": Fraction(1, 3), "a": Fraction(0)}
    constant = case(A=[[0]], c=[Fraction(1, 2)], **parts)
    assert worth(hulls.IS_CONSTANT, constant)
    assert worth(frob2(hulls.c) * hulls.q, constant) == Fraction(1, 12)
    assert not worth(hulls.BETWEEN_LAYERS, constant)
    line = case(A=[[8]], c=[0], **parts)
    assert worth(hulls.IS_LINEAR, line)
    for side in (hulls.OF_POWERS, hulls.WHOLE * hulls.q):
        assert worth(side, line) == pytest.approx(2 * log(2))


NEEDED = {
    "prop4.3@B.fix": {"rows in the span of the domain"},
    "prop4.3.network": {"orthonormal columns", "positive representations"},
    "prop4.3.norm": {"orthonormal columns"},
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_can_be_broken_is_needed_and_certified(name):
    claim = find(f"j23.{name}")
    found = necessity(claim, CI)
    needed = [need for need in found.needs if need.needed]
    assert {need.hypothesis for need in needed} >= NEEDED[name]
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
