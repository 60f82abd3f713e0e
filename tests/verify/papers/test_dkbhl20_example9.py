"""Example 9, means over the weights: against exact averages and eigenvalues, and the engine."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.normalised.laws import independent_entries, rademacher, three_points
from graphs.rationals import RATIONALS
from tests.graphs.normalised.expectations import mean_frobenius, weight_matrices
from verify.checker.restated import check
from verify.core.budgets import budget_named
from verify.kinds.deep.networks import number
from verify.kinds.normalised.scene import Chained
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.papers.dkbhl20 import example9_expansion, example9_means, example9_means_proofs
from verify.papers.dkbhl20.example9 import value_at
from verify.papers.dkbhl20.weight_laws import LAWS
from verify.papers.registry import find
from verify.search.arguments import beside_the_point

CI = Context(budget_named("ci"), 2, "cpu")
WHOLE = {"d", "law", "shift"}
NAMES = {law.name: k for k, law in enumerate(LAWS)}
PROVED = ["a", "b@A", "c", "f@A", "g@A", "h@A"]


def scene(**numbers):
    standard = {"d": 2, "law": 0, "shift": 0, "s": 1, "scale": 1}
    made = {k: number(v, integer=k in WHOLE) for k, v in {**standard, **numbers}.items()}
    return Chained.scene([Chained(made)], RATIONALS)


def values(entries):
    return [as_fraction(entries.values[k]) for k in range(len(entries))]


def orders(width, s=1, first=0, second=1):
    parts = (
        example9_expansion.coefficient(n, Fraction(s), Fraction(first), Fraction(second))
        for n in (3, 4)
    )
    return [value_at(part, width) for part in parts]


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
    third, fourth = orders(width, s)
    assert third == 0
    assert fourth == -4 * s * width * (width - 1) * (2 * width - 1)
    assert abs(change(law, width, gamma, s) / gamma**4 - fourth) < Fraction(1, 100) * width**4


def test_the_third_order_of_shifted_weights():
    gamma = Fraction(1, 4000)
    third, _ = orders(2, 1, 1, 2)
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


def test_measures_by_hand():
    # d = 2: c_4 = -24; d = 3: -120
    assert values(example9_means.norm_falls(scene())) == [20]
    assert values(example9_means.leading_falls(scene())) == [0]
    assert values(example9_means.squares_fall(scene(d=3))) == [120 - 54]
    assert values(example9_means.leading_square_falls(scene())) == [24 - 2 - 20]
    assert values(example9_means.small_ones_grow(scene(d=3))) == [20]


def test_where_nothing_is_said():
    assert values(example9_means.small_ones_grow(scene(d=1))) == [-1]
    assert values(example9_means.small_ones_grow(scene(shift=1))) == []
    assert values(example9_means.norm_falls(scene(d=1))) == [-1]
    assert values(example9_means.norm_falls(scene(shift=1))) == [-16]
    assert values(example9_means.norm_falls(scene(scale=Fraction(1, 4)))) == [Fraction(24, 16) - 4]


@pytest.mark.parametrize("name", PROVED)
def test_arguments_are_whole(name):
    claim = find(f"dkbhl20.ex9.{name}")
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_an_argument_fails_for_another_expansion(monkeypatch):
    monkeypatch.setattr(example9_means_proofs, "coefficient", lambda *_: {2: Fraction(-1)})
    assert not example9_means_proofs.for_every_width("norm_falls").holds


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
    assert all(check(certificate).code == 0 for certificate in needed.values())
