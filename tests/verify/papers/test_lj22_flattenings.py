"""Lemma 10: flattenings by hand, where the bound is sharp, and what a better one would be."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.rationals import RATIONALS
from tests.verify.arrays import arrays, integers, saying, value_at, violated
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import eigenvalues, norm, smaller
from verify.language.evaluation import Evaluation
from verify.methods.context import Context
from verify.methods.extremes import extremes
from verify.methods.schema import schema
from verify.papers.lj22.block_proofs import dimensions_by_size, flattened, sliced
from verify.papers.lj22.flattenings import T1, T2, A, B, C
from verify.papers.registry import find

SMOKE = Context(budget_named("smoke"))
LEMMA = find("lj22.lemma10")
sizes = st.integers(1, 3)


def diagonal(a: int, b: int, c: int):
    """T_ij1 = 1 where i = j: T_1 is one row of norm squared min(a, b), T_2 partial identities."""
    return arrays(
        T=[[[int(i == j and k == 0) for k in range(c)] for j in range(b)] for i in range(a)]
    )


@given(sizes, sizes, sizes)
def test_the_bound_is_sharp_for_every_shape(a, b, c):
    assert value_at(LEMMA, diagonal(a, b, c)) == 0
    assert value_at(find("lj22.lemma10-69"), diagonal(a, b, c)) == 0


def test_by_hand():
    # slices (1, 2) and (3, 4) of a 1 x 2 x 2 tensor: T_1 = [[1, 3], [2, 4]], T_2 a column of 30
    case = arrays(T=[[[1, 2], [3, 4]]])
    # |T_1|^2 = (30 + root(30^2 - 4 * 4))/2 and min(a, b) = 1
    low, high = value_at(LEMMA, case)
    assert 2 * low < 30 - Fraction(29_732, 1000) < 2 * high + Fraction(1, 500)


@given(sizes, sizes, sizes, st.randoms(use_true_random=False))
def test_the_flattenings_hold_every_entry_once(a, b, c, random):
    numbers = random.sample(range(100), a * b * c)
    case = arrays(T=[[[numbers.pop() for _ in range(c)] for _ in range(b)] for _ in range(a)])
    by = Evaluation(type(case).scene([case], RATIONALS))
    first, second = (next(iter(by.column(one).values.parts.values()))[1][0] for one in (T1, T2))
    assert (first.shape, second.shape) == ((c, a * b), (b * c, a))
    wanted = sorted(case.arrays["T"].entries)
    assert sorted(map(Fraction, map(str, first.flat))) == wanted
    assert sorted(map(Fraction, map(str, second.flat))) == wanted
    # column i of T_2 is slice i of T, row k of T_1 all that has the last index k
    for i in range(a):
        nested = case.arrays["T"].nested()[i]
        assert [str(x) for x in second[:, i]] == [x for row in nested for x in row]
    # the argument has the same ones
    theirs = flattened(by.scene["T"])
    assert all((ours == one[0]).all() for ours, one in zip((first, second), theirs, strict=True))


def test_more_than_the_minimum_is_refuted_and_found():
    mutant = saying(LEMMA, 2 * norm(T1) ** 2 / smaller(A, B) <= norm(T2) ** 2)
    assert violated(mutant, diagonal(2, 2, 1))
    small = replace(mutant, pool=replace(LEMMA.pool, largest=2))
    assert extremes(small, SMOKE).outcome is not Outcome.SUPPORTS


def test_by_the_other_flattening_it_would_not_hold():
    # the bound with c in place of a: T_1 of c x (ab) with a = b = 2, c = 1 needs the factor 2
    with_c = norm(T1) ** 2 / smaller(B, C) <= norm(T2) ** 2
    assert violated(saying(LEMMA, with_c), diagonal(2, 2, 1))


@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 20))
def test_the_dimension(a, b, c):
    claim, case = find("lj22.lemma10-70"), integers(a=a, b=b, c=c)
    assert [value_at(claim, case, *at) for at in ((0, 0), (0, 1), (1,))] == [0, 0, 0]
    side = claim.terms.says.args[0].args[0].args[0]  # dim_T by its definition
    column = Evaluation(type(case).scene([case], RATIONALS)).column(side)
    assert column.values[0] == c * max(a, b)


@pytest.mark.parametrize("name", ["lj22.lemma10", "lj22.lemma10-69", "lj22.lemma10-70"])
def test_the_arguments_hold_and_are_about_the_claim(name):
    assert schema(find(name), SMOKE).outcome is Outcome.ARGUES


def test_an_argument_for_something_else_does_not_count():
    stronger = saying(LEMMA, 2 * norm(T1) ** 2 / smaller(A, B) <= norm(T2) ** 2)
    assert schema(replace(stronger, proof=LEMMA.proof), SMOKE).outcome is Outcome.ERROR
    same = saying(LEMMA, eigenvalues(T1 @ T1.T)[1] / smaller(A, B) <= norm(T2) ** 2)
    assert schema(replace(same, proof=LEMMA.proof), SMOKE).outcome is Outcome.ERROR
    assert schema(replace(LEMMA, proof=dimensions_by_size), SMOKE).outcome is Outcome.ERROR
    nothing = replace(LEMMA.proof(), goal=None)
    assert schema(replace(LEMMA, proof=lambda: nothing), SMOKE).outcome is Outcome.ERROR


@settings(max_examples=10)
@given(sizes, sizes, sizes)
def test_the_sums_over_slices_for_other_shapes(a, b, c):
    assert all(step.holds for step in sliced((a, b, c)))
