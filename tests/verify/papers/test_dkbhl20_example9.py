"""Example 9, means over the weights: against exact averages and eigenvalues, and the engine."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.normalised.laws import rademacher, three_points
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.expectations import mean_frobenius, weight_matrices
from tests.verify.papers.dkbhl20_cases import number_of, says
from verify.cases.tensors import Tensors
from verify.core.budgets import budget_named
from verify.kinds.deep.networks import number
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.papers.dkbhl20 import example9_expansion, example9_means_proofs
from verify.papers.dkbhl20.example9_means import FOURTH, SQUARES_FALL, THIRD
from verify.papers.registry import find
from verify.search.arguments import beside_the_point
from verify.search.certificates import answer

CI = Context(budget_named("ci"), 2, "cpu")
WHOLE = {"d", "law", "shift"}
PROVED = ["a", "b@A", "c", "f@A", "g@A", "h@A"]
RADEMACHER = 6  # the row of the menu


def case(**numbers):
    standard = {"d": 2, "law": 0, "shift": 0, "s": 1, "scale": 1}
    made = {k: number(v, integer=k in WHOLE) for k, v in {**standard, **numbers}.items()}
    return Tensors(made)


def orders(**numbers):
    return [number_of(term, case(**numbers)) for term in (THIRD, FOURTH)]


def said(part, **numbers):
    return says(find(f"dkbhl20.ex9.{part}"), case(**numbers))


def correlated(width, epsilon):
    return [[Fraction(1) if i == j else 1 - epsilon for j in range(width)] for i in range(width)]


def change(law, width, gamma, s=1):
    """E|M_+|_F^2 - |M|_F^2, exactly."""
    moments = correlated(width, s * gamma**2)
    before = sum(entry**2 for row in moments for entry in row)
    return as_fraction(mean_frobenius(moments, independent_entries(law, width), gamma)) - before


@pytest.mark.parametrize("law", [rademacher(), three_points(2)])
@pytest.mark.parametrize(("width", "s"), [(2, 1), (3, 1), (2, Fraction(1, 2)), (4, 3)])
def test_the_fourth_order_is_that_of_exact_averages(law, width, s):
    gamma = Fraction(1, 2000)
    third, fourth = orders(d=width, s=s)
    assert third == 0
    assert fourth == -4 * s * width * (width - 1) * (2 * width - 1)
    assert abs(change(law, width, gamma, s) / gamma**4 - fourth) < Fraction(1, 100) * width**4


def test_the_third_order_of_shifted_weights():
    gamma = Fraction(1, 4000)
    third, _ = orders(law=RADEMACHER, shift=1)
    assert third == 16
    assert abs(change(rademacher().shifted(1), 2, gamma) / gamma**3 - 16) < Fraction(1, 10)


@pytest.mark.parametrize("width", [2, 3])
def test_the_leading_eigenvalue_loses_the_fourth_order_over_2d(width):
    gamma = 1 / 64
    moments = np.array(correlated(width, Fraction(1, 64) ** 2), dtype=float)
    change, small, square = 0.0, 0.0, 0.0
    for rows, mass in weight_matrices(independent_entries(rademacher(), width), width):
        factor = np.eye(width) + gamma * np.array(rows, dtype=float)
        after = factor @ moments @ factor.T
        roots = np.sqrt(np.diag(after))
        found = np.linalg.eigvalsh(after / np.outer(roots, roots))
        before = np.linalg.eigvalsh(moments)
        change += float(mass) * (found[-1] - before[-1])
        square += float(mass) * (found[-1] ** 2 - before[-1] ** 2)
        small += float(mass) * (found[:-1].sum() - before[:-1].sum())
    expected = -2 * (width - 1) * (2 * width - 1)
    assert change / gamma**4 == pytest.approx(expected, rel=0.05)
    assert square / gamma**4 == pytest.approx(2 * width * expected, rel=0.05)
    assert small == pytest.approx(-change, rel=1e-6)


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 2), (2, Fraction(17, 4)), (-1, 1)])
@pytest.mark.parametrize("width", [2, 3, 5])
def test_both_orders_are_those_of_index_sums(width, first, second):
    """The coefficients from the expansion for every d, at these two moments of a weight."""
    scale = {1: 1, 0: 0, Fraction(1, 4): Fraction(1, 2)}[second - first**2]
    sums = (
        example9_expansion.coefficient(n, Fraction(3), Fraction(first), Fraction(second))
        for n in (3, 4)
    )
    expected = [sum(c * width**k for k, c in one.items()) for one in sums]
    assert orders(d=width, s=3, shift=first, scale=scale) == expected


def test_falls_by_hand():
    # d = 2: c_4 = -24, and 6 d^2 = 24; d = 3: -120
    assert [said(part) for part in PROVED] == [True] * 6
    assert orders() == [0, -24]
    assert orders(d=3) == [0, -120]
    assert number_of(SQUARES_FALL.args[0], case(d=3)) == -120
    # c_4 = -6: above -24, but below -d^2
    half = {"scale": Fraction(1, 2)}
    assert [said(part, **half) for part in PROVED] == [True, False, True, False, False, False]
    assert not said("a", scale=Fraction(1, 4))  # -24/16 against -4


def test_where_nothing_is_said():
    assert not said("c", d=1)
    assert said("c", shift=1) is False  # the one small eigenvalue falls, by 16/4
    assert said("c", d=3, shift=1) is None  # two of them: one may grow
    assert said("c", shift=-1)
    assert not said("a", d=1)
    assert not said("a", shift=1)  # c_3 = 16
    assert said("a", shift=-1)


@pytest.mark.parametrize("name", PROVED)
def test_arguments_are_whole(name):
    claim = find(f"dkbhl20.ex9.{name}")
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_an_argument_fails_for_another_expansion(monkeypatch):
    monkeypatch.setattr(example9_means_proofs, "coefficient", lambda *_: {2: Fraction(-1)})
    assert not example9_means_proofs.for_every_width("a").holds


def test_a_bound_that_is_too_large_is_seen():
    fourth, _ = example9_means_proofs.expansion_steps()
    assert example9_means_proofs._at_least("", fourth, {2: Fraction(-6)}).holds
    assert not example9_means_proofs._at_least("", fourth, {2: Fraction(-7)}).holds
    assert not example9_means_proofs._at_least("", fourth, {2: Fraction(-6)}, strict=True).holds


def test_what_the_fall_needs():
    found = necessity(find("dkbhl20.ex9.a"), CI)
    needed = {need.hypothesis: need.certificate for need in found.needs if need.needed}
    assert set(needed) == {
        "d at least 2",
        "small eigenvalues gamma^2",
        "centred weights",
        "weights of variance one",
    }
    assert all(answer(dict(certificate))["exit"] == 0 for certificate in needed.values())
