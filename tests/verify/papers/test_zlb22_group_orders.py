"""The order of |H_f| from above: by hand, beside the count from below, beside measured norms."""

from random import Random

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from tests.verify.papers.zlb22_groups import layered, worth
from verify.language.building import card, implies
from verify.language.statements import Statement
from verify.papers.zlb22.group_notation import NORM
from verify.papers.zlb22.group_orders import (
    DEEP,
    NORM_FROM_ABOVE,
    VARIANCE,
    VARIANCE_FROM_ABOVE,
    depending,
    frobenius_norm,
    operator_norm,
)
from verify.papers.zlb22.profile import Profile
from verify.papers.zlb22.profile_pool import profile_pool


@pytest.mark.parametrize(
    ("sizes", "norm"),
    [  # from the first of these groups to the last: |B|^2 = n_k / min n_i
        ((2, 2), 0),
        ((2, 1), 0),
        ((1, 2), 1),
        ((2, 0, 2), 2),
        ((0, 2, 0), 0),
        ((1, 3, 2), 1),
        ((3, 1, 2, 1), 0),
    ],
)
def test_products_of_gaussian_matrices(sizes, norm):
    shape = layered(*sizes)
    last = len(sizes) + 1
    assert worth(operator_norm(2)[last], shape) == norm
    assert worth(frobenius_norm(2)[last], shape) == sizes[-1]
    assert worth(depending(3), shape) == tuple(range(3, last + 2))


def test_norms_of_products_are_of_that_order():
    # |W2 W1|^2 / (a b) for sizes a, b, c: c / min(a, b, c) up to a constant
    random = np.random.default_rng(5)
    for a, b, c in ((4, 256, 4), (256, 4, 256), (64, 64, 4), (4, 64, 64)):
        low, high = random.standard_normal((b, a)), random.standard_normal((c, b))
        found = np.linalg.norm(high @ low, 2) ** 2 / (a * b)
        assert 0.3 < found / (c / min(a, b, c)) < 12


def test_from_above_as_from_below():
    random, pool = Random(8), profile_pool()
    cases = [pool.draw(random) for _ in range(200)]
    agree = (NORM_FROM_ABOVE == NORM) & implies(card(DEEP) > 0, VARIANCE_FROM_ABOVE == VARIANCE)
    asked = Statement("profiles", agree)
    for batch in Profile.batches(cases):
        values = asked.truths(Profile.scene(batch, RATIONALS)).values
        assert not any(value != 0 for value in values)
        assert len(values) >= len(batch)


def test_the_variance_leaves_out_the_last_step():
    # the incoming neurons of f are wide, f itself is not in their Hessians
    assert (worth(NORM, layered(1, 2)), worth(VARIANCE, layered(1, 2))) == (-1, -1)
    assert (worth(NORM, layered(2, 1)), worth(VARIANCE, layered(2, 1))) == (-1, -2)
    assert worth(VARIANCE, layered(2)) is None
    assert worth(card(DEEP), layered(2)) == 0
