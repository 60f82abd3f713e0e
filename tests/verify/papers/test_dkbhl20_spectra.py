"""Spectra of second moment matrices: Proposition 8, what is left of Example 11."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from graphs.reals import Real
from verify.checker.restated import check
from verify.deep import number, tensor_of
from verify.drawing import repair
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.schema import beside_the_point
from verify.normalised_pool import second_moment_rows
from verify.normalised_scene import Chained
from verify.papers.dkbhl20 import proposition8
from verify.papers.dkbhl20 import proposition8_proofs as proofs
from verify.papers.dkbhl20.power_sums import norm_power, power_sum
from verify.papers.dkbhl20.spectra import flatness
from verify.registry import find
from verify.runs.budgets import budget_named

CI = Context(budget_named("ci"), 2, "cpu")
HALF, CROSS = Fraction(1, 2), [[1, Fraction(1, 2)], [Fraction(1, 2), 1]]  # eigenvalues 1/2, 3/2
AXES = {
    "M": ("d", "d"),
    "lam": ("d",),
}


def scene(**arrays):
    made = {}
    for name, value in arrays.items():
        axes = AXES.get(name)
        made[name] = number(value) if axes is None else tensor_of(axes, value)
    return Chained.scene([Chained(made)], RATIONALS)


def values(entries):
    found = {}
    for k in range(len(entries)):
        label = entries.label(k)
        key = tuple(label.values())
        found[key[0] if len(key) == 1 else key] = plain(entries.values[k])
    return found


def plain(value):
    return float(value) if isinstance(value, Real) else as_fraction(value)


def first(entries):
    return plain(entries.values[0])


# power sums ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(12))
def test_power_sums_are_those_of_the_eigenvalues(seed):
    random = Random(seed)
    size = random.randint(1, 5)
    rows = second_moment_rows(size, random)
    matrices = RATIONALS.array([x for row in rows for x in row]).reshape(1, size, size)
    eigenvalues = np.linalg.eigvalsh(np.array(rows, dtype=float))
    for power in (1, 2, 3):
        assert float(power_sum(matrices, power)[0]) == pytest.approx((eigenvalues**power).sum())


def test_norms_take_absolute_values():
    indefinite = RATIONALS.array([1, 2, 2, 1]).reshape(1, 2, 2)  # eigenvalues 3 and -1
    assert power_sum(indefinite, 3)[0] == 26
    assert float(norm_power(indefinite, 1)[0]) == pytest.approx(4)
    assert norm_power(indefinite, 2)[0] == 10
    assert float(norm_power(indefinite, 3)[0]) == pytest.approx(28)


# Proposition 8 ------------------------------------------------------------------------------------
def test_display_44_by_hand():
    # |l|_2^2 = 5/2, |l|_3^3 = 7/2, (M^2)_ii = 5/4
    one = scene(M=CROSS)
    assert set(values(proposition8.equations(one)).values()) == {0}
    assert first(proposition8.change(one)) == 0
    # blocks of sizes 1 and 2: eigenvalues 1, 2, 0, squared norms of rows 1, 2, 2
    blocks = scene(M=[[1, 0, 0], [0, 1, 1], [0, 1, 1]])
    assert values(proposition8.equations(blocks)) == {"cube": 0, "diagonal": 27 - 25, "norm": 0}
    assert first(proposition8.change(blocks)) == 27 - 25


def test_unequal_rows_by_hand():
    # blocks of sizes 1 and 2: row norms 1, 2, 2; |M|_F^2 = 5
    blocks = scene(M=[[1, 0, 0], [0, 1, 1], [0, 1, 1]])
    assert values(proposition8.rows(blocks)) == {0: -2, 1: 1, 2: 1, "norm": 0}
    # Tr diag(M^2)^2 = 1 + 4 + 4
    assert values(proposition8.diagonal(blocks)) == {"rows": 0, "norm": 27 - 25}
    assert set(values(proposition8.powers(blocks)).values()) == {0}


# Example 11 ---------------------------------------------------------------------------------------
def test_flat_spectra_by_hand():
    assert values(flatness(scene(lam=[0, 2, 2, 0]))) == dict.fromkeys(range(4), 0)
    assert values(flatness(scene(lam=[1, 3]))) == {0: 4 - 10, 1: 36 - 30}


# the engine ---------------------------------------------------------------------------------------
NEEDED = {
    "prop8.a@BA": {"positive semidefinite", "equal row norms"},
    "prop8.e": {"equal row norms"},
}


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_what_is_needed_is_shown_with_a_certificate(name):
    found = necessity(find(f"dkbhl20.{name}"), CI)
    needed = {need.hypothesis: need.certificate for need in found.needs if need.needed}
    assert set(needed) == NEEDED[name]
    assert all(check(certificate).code == 0 for certificate in needed.values())


@pytest.mark.parametrize("name", ["ex11.e.only"])
def test_repairs_reach_cases(name):
    claim, random = find(f"dkbhl20.{name}"), Random(3)
    judged = [
        judge_exactly(claim, repair(claim, claim.pool.draw(random), random)) for _ in range(30)
    ]
    assert sum(one.admitted for one in judged) >= 15
    assert not any(one.violations for one in judged)


PROVED = [*proposition8.CLAIMS, find("dkbhl20.ex11.e.only")]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_arguments_hold_and_are_about_the_claim(claim):
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_arguments_notice_a_wrong_power_sum(monkeypatch):
    right = proofs.power_sum
    monkeypatch.setattr(proofs, "power_sum", lambda m, k: right(m, k) + (k == 3) * right(m, 1))
    assert not proofs.powers_of_the_matrix().holds
    assert proofs.rows_of_the_square().holds  # rests on squares alone
