"""Largest eigenvalues in balls: the exact ones lie inside, and the balls are narrow."""

import math
from fractions import Fraction

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphs.algebraic import exact_value
from graphs.rationals import RATIONALS
from numerics.balls import Ball
from numerics.eigenvalues import frobenius_bound
from numerics.enclosures import Balls

numbers = st.fractions(-50, 50, max_denominator=7)


@st.composite
def batches(draw):
    count, size = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    total = count * size * size
    return draw(st.lists(numbers, min_size=total, max_size=total)), (count, size, size)


@given(batches())
def test_the_exact_eigenvalue_lies_inside_and_the_ball_is_narrow(batch):
    entries, shape = batch
    exact = RATIONALS.array(entries).reshape(*shape)
    balls = Balls().array(entries).reshape(*shape)
    found = Balls().largest_eigenvalues(balls @ balls.swapaxes(-1, -2))
    middle, radius = found.to_numpy()
    grams = np.array([m @ m.T for m in exact])
    for k, value in enumerate(RATIONALS.largest_eigenvalues(grams)):
        told = exact_value(value)
        low, high = (told, told) if isinstance(told, Fraction) else told
        assert high >= Fraction(middle[k]) - Fraction(radius[k])
        assert low <= Fraction(middle[k]) + Fraction(radius[k])
        assert radius[k] <= 1e-11 * max(1.0, middle[k])


def test_wide_balls_give_wide_eigenvalues():
    # all matrices diag(2 +- 1/2, 1) have their largest eigenvalue between 3/2 and 5/2
    mid = torch.tensor([[[2.0, 0.0], [0.0, 1.0]]], dtype=torch.float64)
    rad = torch.tensor([[[0.5, 0.0], [0.0, 0.0]]], dtype=torch.float64)
    found = Balls().largest_eigenvalues(Ball(mid, rad))
    assert float(found.lower()) <= 1.5
    assert float(found.upper()) >= 2.5


def test_of_what_is_not_finite_nothing_is_known():
    mid = torch.tensor([[[torch.inf]], [[1.0]]], dtype=torch.float64)
    found = Balls().largest_eigenvalues(Ball(mid, torch.zeros_like(mid)))
    assert float(found.rad[0]) == torch.inf
    assert float(found.rad[1]) < 1e-10


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=4), st.integers(-1074, 1020))
def test_norms_are_bounded_at_every_scale(row, exponent):
    """Also where the squares of all entries underflow or overflow, and not by much more."""
    entries = [math.ldexp(x, exponent) for x in row]
    mid = torch.tensor([[entries]], dtype=torch.float64)
    bound = Fraction(float(frobenius_bound(Ball(mid, torch.zeros_like(mid)))))
    square = sum(Fraction(x) ** 2 for x in entries)
    assert square <= bound**2
    assert bound**2 <= square * (1 + Fraction(1, 10**12)) + Fraction(1, 10**600)


def test_the_norm_of_what_is_not_finite_is_not_bounded():
    for entry in (torch.inf, torch.nan):
        mid = torch.tensor([[entry, 1.0]], dtype=torch.float64)
        assert not torch.isfinite(frobenius_bound(Ball(mid, torch.zeros_like(mid))))


@given(batches())
def test_products_enclose(batch):
    entries, shape = batch
    exact = RATIONALS.array(entries).reshape(*shape)
    balls = Balls().array(entries).reshape(*shape)
    product = np.array([m @ m for m in exact])
    assert (balls @ balls).contains(product).all()
