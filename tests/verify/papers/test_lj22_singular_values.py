"""Weyl's inequalities, the bound by the rank, balanced matrices and chains."""

from dataclasses import replace
from fractions import Fraction
from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.rationals import RATIONALS
from tests.verify.arrays import arrays, entries_of, saying, value_at, violated
from tests.verify.papers.looking import looking
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import frob2, norm
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.lj22.singular_values import CLAIMS, W, balanced, is_balanced, orthogonal
from verify.papers.registry import find
from verify.search.judging import view

SMOKE = Context(budget_named("smoke"))
CI = looking("ci")
numbers = st.fractions(-3, 3, max_denominator=3)
seeds = st.integers(0, 10**6)


@given(numbers, numbers, numbers, numbers)
def test_weyl_for_diagonal_matrices(c, d, e, f):
    case = arrays(C=[[c, 0], [0, d]], D=[[e, 0], [0, f]])
    together = max(c + e, d + f)
    assert value_at(find("lj22.weyl.a"), case) == together - max(c, d) - min(e, f)
    assert value_at(find("lj22.weyl.b"), case) == max(c, d) + max(e, f) - together


def test_weyl_speaks_of_symmetric_matrices():
    """Of others the language has no eigenvalues, so nothing is said, also where all are real."""
    case = arrays(C=[[0, 1], [1, 0]], D=[[0, 0], [0, 0]])
    assert value_at(find("lj22.weyl.a"), case) == 0
    skew = arrays(C=[[0, 1], [-1, 0]], D=[[0, 0], [0, 0]])  # its eigenvalues are i and -i
    for name in ("lj22.weyl.a", "lj22.weyl.b"):
        claim = find(name)
        seen = view(claim, [skew, case, skew, case], RATIONALS, hypotheses=())
        assert list(seen.entries.owner) == [1, 3]
        (need,) = necessity(claim, CI).needs
        assert not need.needed
        assert need.text.startswith("the claim says nothing of ")


@given(seeds)
def test_the_break_of_symmetry_breaks_it(seed):
    random, claim = Random(seed), find("lj22.weyl.a")
    symmetric = claim.hypotheses[0]
    case = symmetric.repair(claim.pool.draw(random), random)
    broken = symmetric.break_(case, random)
    assert len(entries_of(claim, case)) == 1
    assert entries_of(claim, broken) == []
    assert not symmetric.test.asks_case(broken)


def test_the_rank_by_hand():
    # singular values squared 4, 1, 0: 4 - 5/2
    claim = find("lj22.thm2-rank")
    assert value_at(claim, arrays(W=[[2, 0, 0], [0, 1, 0]])) == Fraction(3, 2)
    assert value_at(claim, arrays(W=[[1, 1], [1, 1]])) == 0
    assert entries_of(claim, arrays(W=[[0]])) == []


def test_a_rank_too_small_is_refuted():
    mutant = saying(find("lj22.thm2-rank"), frob2(W) <= norm(W) ** 2)
    assert violated(mutant, arrays(W=[[1, 0], [0, 1]]))


# balanced chains ---------------------------------------------------------------------------------
@settings(max_examples=20)
@given(st.integers(1, 4), seeds)
def test_orthogonal_matrices_are_orthogonal(size, seed):
    matrix = orthogonal(size, Random(seed))
    assert (matrix @ matrix.T == RATIONALS.array(np.eye(size, dtype=int).tolist())).all()


@given(seeds)
def test_the_repair_balances_and_the_break_unbalances(seed):
    random = Random(seed)
    claim = find("lj22.sig1.iii")
    case = claim.pool.draw(random)
    assert is_balanced(case)
    hypothesis = claim.hypotheses[0]
    if any(case.arrays["W3"].entries):
        assert not is_balanced(hypothesis.break_(case, random))


def test_zeros_among_the_singular_values_do_not_count():
    # 1 of W_1; 1 and 0 of W_2
    case = arrays(W1=[[1], [0]], W2=[[1, 0], [0, 0]])
    assert is_balanced(case)
    for version in ("lj22", "lj22v1"):
        assert value_at(find(f"{version}.sig1.ii@B"), case) == 0


def test_multiplicities_and_roots_count():
    alone = replace(find("lj22.sig1.ii@B"), hypotheses=())
    twice, once = [[1, 0], [0, 1]], [[1, 0], [0, 0]]
    assert violated(alone, arrays(W1=twice, W2=once))
    shear = [[1, 1], [0, 1]]  # squares (3 + root 5)/2 and (3 - root 5)/2
    assert value_at(alone, arrays(W1=shear, W2=shear)) == 0
    assert violated(alone, arrays(W1=shear, W2=twice))
    for w2, code in ((twice, 0), (once, 0), (shear, 2)):  # equal ones are never told apart
        told = alone.terms.certificate(
            "necessity", arrays(W1=shear, W2=w2), [], without="right side 0"
        )
        assert check(told).code == code


@given(seeds)
def test_other_singular_values_are_seen(seed):
    random = Random(seed)
    claim = find("lj22.sig1.ii@B")
    case = claim.pool.draw(random)
    first = case.arrays["W1"]
    doubled = case.changing(W1=replace(first, entries=tuple(2 * entry for entry in first.entries)))
    alone = replace(claim, hypotheses=())
    assert violated(alone, doubled) == any(first.entries)
    broken = claim.hypotheses[0].break_(case, random)
    squares = [sum(e * e for e in array.entries) for array in broken.arrays.values()]
    assert violated(alone, broken) or squares[0] == squares[1]


def test_a_chain_that_ends_in_a_row_has_rank_1():
    claim = find("lj22.sig1.iii")
    case = arrays(W1=[[0], [2]], W2=[[0, 2], [0, 0]], W3=[[2, 0]])
    assert [value for _, value in entries_of(claim, case)] == [0, 0, 0]
    longer = arrays(W1=[[1, 0], [0, 1]], W2=[[1, 0], [0, 1]], W3=[[1, 0]])
    assert entries_of(claim, longer) == []  # the last pair is not balanced
    without = replace(claim, hypotheses=())
    assert violated(without, longer)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdicts(claim):
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    if claim.proof is not None:
        assert schema(claim, SMOKE).outcome is Outcome.ARGUES


def test_balancing_fills_every_shape():
    claim = find("lj22.sig1.ii@B")
    random = Random(5)
    drawn = [balanced(claim.pool.draw(random), random) for _ in range(60)]
    assert all(map(is_balanced, drawn))
    assert {prod(case.lengths.values()) > 8 for case in drawn} == {True, False}
