"""One step from a matrix of signs, and the derivatives of Lemma 7, by hand."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tests.verify.arrays import violated
from tests.verify.papers.dkbhl20_cases import case, met, number_of, says
from tests.verify.papers.looking import looking
from verify.checker import check
from verify.core.evidence import Outcome
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import lemma6_step, lemma7_derivatives
from verify.papers.dkbhl20.lemma6_step import BETWEEN, MOVED
from verify.papers.registry import find
from verify.statements.derivations import matrix_words

SMOKE, CI = (looking(name) for name in ("smoke", "ci"))
F = Fraction


def claim(name):
    return find(f"dkbhl20.lem6a.{name}")


def step(u, weights, gamma, bound=None):
    more = {} if bound is None else {"B": bound}
    return case(u=u, W=weights, gamma=gamma, **more)


THRESHOLD = step([1, 1], [[1, 1], [1, 1]], F(1, 16), 1)  # all weights at B = 1, d = 2


def test_the_corner_by_hand():
    # Delta M_ij = 4 gamma + 4 gamma^2 = 1/4 + 1/64, above 4 gamma B = 1/4
    assert number_of(MOVED[1, 2], THRESHOLD) == F(17, 64)
    assert violated(claim("a@A"), THRESHOLD)
    assert not violated(claim("a@A.fix"), THRESHOLD)  # 17/8 d gamma B = 17/64 is attained
    assert says(claim("b"), THRESHOLD)


def test_one_row_keeps_within_the_printed_bound():
    assert says(claim("a@A"), step([1], [[1]], F(1, 8), 1))  # 2 gamma B + gamma^2 B^2
    assert not violated(claim("a@A"), step([1], [[1]], 3, 1))  # gamma is not small


@pytest.mark.parametrize("bound", [1, F(7, 4), 16])
@pytest.mark.parametrize("size", [1, 2])
def test_every_corner_of_the_cube_meets_the_bounds_that_hold(size, bound):
    for signs in product((1, -1), repeat=size):
        for weights in product((bound, -bound), repeat=size * size):
            rows = [list(weights[k : k + size]) for k in range(0, size * size, size)]
            found = step(list(signs), rows, F(1) / (8 * bound * size), bound)
            assert all(says(claim(name), found) for name in ("a@A.fix", "b", "d"))


def test_signs_by_hand():
    turned = step([1, 1], [[-1, -1], [0, 0]], 2, 1)  # v = (-3, 1)
    assert number_of(BETWEEN[1, 2], turned) == -3
    assert not says(claim("d"), turned)
    assert not violated(claim("d"), turned)  # gamma is too large
    assert says(claim("c"), step([1, -1], [[3, 0], [F(1, 2), 1]], 1))
    gone = step([1, 1], [[-1, 0], [0, 0]], 1)
    assert not met(claim("c"), "no diagonal entry is 0 before BN", gone)


def test_instances_reach_the_corners():
    random = Random(3)
    drawn = [lemma6_step.ONE_STEP.draw(random) for _ in range(200)]
    corners = [{abs(x) for x in one.arrays["W"].entries} == {one.number("B")} for one in drawn]
    assert sum(corners) >= 40
    assert not all(corners)
    for one in drawn[:50]:
        repaired = lemma6_step.BOUNDED.repair(one, random)
        bound = repaired.number("B")
        assert max(abs(x) for x in repaired.arrays["W"].entries) <= bound
        small = lemma6_step.SMALL.repair(repaired, random)
        assert 8 * bound * len(small.arrays["u"].entries) * small.number("gamma") <= 1


def entries(ii, ij, jj, a=1, b=0, c=0):
    return case(ii=ii, ij=ij, jj=jj, a=a, b=b, c=c)


def test_derivatives_by_hand():
    # g = 9 / (ii jj) at ones: -9 along ii; not -9 with ii = 2, where it is -9/4
    first = find("dkbhl20.lem7_derivs.a")
    assert says(first, entries(1, 3, 1))
    assert not says(first, entries(2, 3, 1))  # -g = -9/2
    assert number_of(lemma7_derivatives.PRINTED, entries(2, 3, 1)) == -F(9, 4)
    second = find("dkbhl20.lem7_derivs.b")
    assert says(second, entries(1, 3, 1, 1, -2, 5))
    assert not says(second, entries(1, 3, 2, 1, -2, 5))


# verdicts -----------------------------------------------------------------------------------------
def test_the_printed_bound_is_refuted_with_a_certificate():
    evidence = pointwise(claim("a@A"), CI)
    assert evidence.outcome is Outcome.REFUTES
    assert check(evidence.certificate).code == 0


@pytest.mark.parametrize("name", ["a@A.fix", "b", "c", "d"])
def test_arguments_hold_and_no_case_speaks_against_them(name):
    assert schema(claim(name), SMOKE).outcome is Outcome.ARGUES
    assert pointwise(claim(name), SMOKE).outcome is Outcome.SUPPORTS
    assert claim(name).proof().uses == tuple(h.name for h in claim(name).hypotheses)


@pytest.mark.parametrize("name", ["a", "b"])
def test_derivatives_are_proved_and_ones_are_needed(name):
    derivatives = find(f"dkbhl20.lem7_derivs.{name}")
    assert check(derivatives.derivation().record).code == 0
    needs = {need.hypothesis: need for need in necessity(derivatives, CI).needs}
    assert needs["ones at ii and jj"].needed


@pytest.mark.parametrize("name", ["a@A.fix", "d"])
def test_the_threshold_the_bound_and_the_signs_are_needed(name):
    needs = {need.hypothesis: need for need in necessity(claim(name), CI).needs}
    for hypothesis in ("weights at most B", "u of signs", "gamma at most 1/(8Bd)"):
        assert needs[hypothesis].needed
        assert check(needs[hypothesis].certificate).code == 0


def test_wrong_numbers_or_words_are_no_argument(monkeypatch):
    assert all(given.holds for given in lemma6_step.numbers_of_the_bound())
    assert lemma6_step.increment_in_words().holds
    with monkeypatch.context() as turned:  # as if a transpose were the matrix itself
        turned.setattr(matrix_words.Words, "transposed", property(lambda one: one))
        assert lemma6_step.increment_in_words().holds is False
    moment, printed = lemma6_step.step_in_words()
    less = printed - matrix_words.number("N") @ matrix_words.matrix("M")
    with monkeypatch.context() as changed:
        changed.setattr(lemma6_step, "step_in_words", lambda: (moment, less))
        assert not lemma6_step.the_step_expands().holds
    monkeypatch.setattr(lemma6_step, "Fraction", lambda *parts: F(*parts) + 1)
    assert not all(given.holds for given in lemma6_step.numbers_of_the_bound())
