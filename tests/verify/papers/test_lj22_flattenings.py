"""Lemma 10: flattenings by hand, where the bound is sharp, and what a better one would be."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.arithmetic import RATIONALS
from tests.verify.arrays import arrays, integers, value_of, violated
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.extremes import extremes
from verify.methods.schema import schema
from verify.papers.lj22.block_proofs import sliced
from verify.papers.lj22.flattenings import common_dimension, flattenings
from verify.registry import find
from verify.runs.budgets import budget_named

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
    assert value_of(LEMMA, diagonal(a, b, c)) == 0
    assert value_of(find("lj22.lemma10-69"), diagonal(a, b, c)) == 0


def test_by_hand():
    # slices (1, 2) and (3, 4) of a 1 x 2 x 2 tensor: T_1 = [[1, 3], [2, 4]], T_2 a column of 30
    case = arrays(T=[[[1, 2], [3, 4]]])
    # |T_1|^2 = (30 + root(30^2 - 4 * 4))/2 and min(a, b) = 1
    low, high = value_of(LEMMA, case)
    assert 2 * low < 30 - Fraction(29_732, 1000) < 2 * high + Fraction(1, 500)


@given(sizes, sizes, sizes, st.randoms(use_true_random=False))
def test_the_flattenings_hold_every_entry_once(a, b, c, random):
    numbers = random.sample(range(100), a * b * c)
    case = arrays(T=[[[numbers.pop() for _ in range(c)] for _ in range(b)] for _ in range(a)])
    scene = type(case).scene([case], RATIONALS)
    first, second = flattenings(scene)
    assert (first[0].shape, second[0].shape) == ((c, a * b), (b * c, a))
    wanted = sorted(case.arrays["T"].entries)
    assert sorted(map(Fraction, map(str, first.flat))) == wanted
    assert sorted(map(Fraction, map(str, second.flat))) == wanted
    # column i of T_2 is slice i of T, row k of T_1 all that has the last index k
    for i in range(a):
        nested = case.arrays["T"].nested()[i]
        assert [str(x) for x in second[0][:, i]] == [x for row in nested for x in row]


def test_more_than_the_minimum_is_refuted_and_found():
    def doubled(scene):
        first, second = flattenings(scene)
        least = min(scene.lengths["a"], scene.lengths["b"])
        share = scene.share(scene.norm_squared(first), Fraction(2, least))
        return scene.compare(scene.norm_squared(second), share)

    mutant = replace(LEMMA, measure=doubled)
    assert violated(mutant, diagonal(2, 2, 1))
    small = replace(mutant, pool=replace(LEMMA.pool, largest=2))
    assert extremes(small, SMOKE).outcome is not Outcome.SUPPORTS


def test_by_the_other_flattening_it_would_not_hold():
    # the bound with c in place of a: T_1 of c x (ab) with a = b = 2, c = 1 needs the factor 2
    def with_c(scene):
        first, second = flattenings(scene)
        least = min(scene.lengths["b"], scene.lengths["c"])
        share = scene.share(scene.norm_squared(first), Fraction(1, least))
        return scene.compare(scene.norm_squared(second), share)

    assert violated(replace(LEMMA, measure=with_c), diagonal(2, 2, 1))


@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
def test_the_dimension(a, b, c):
    assert common_dimension({"a": a, "b": b, "c": c}) == c * max(a, b)
    claim = find("lj22.lemma10-70")
    case = integers(a=a, b=b, c=c)
    assert value_of(claim, case, part="dimension") == 0
    assert value_of(claim, case, part="constant") == 0


@pytest.mark.parametrize("name", ["lj22.lemma10", "lj22.lemma10-69", "lj22.lemma10-70"])
def test_the_arguments_hold_and_are_about_the_claim(name):
    assert schema(find(name), SMOKE).outcome is Outcome.ARGUES


@settings(max_examples=10)
@given(sizes, sizes, sizes)
def test_the_sums_over_slices_for_other_shapes(a, b, c):
    assert all(step.holds for step in sliced((a, b, c)))
