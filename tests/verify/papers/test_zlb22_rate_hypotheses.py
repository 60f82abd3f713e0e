"""Theorem 3.6 with inputs that grow and other scalings: exponents by hand, against Hessians, and
against the count without them."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from verify.certificates import answer, necessity_certificate
from verify.group_shapes import Shape
from verify.judging import judge_exactly
from verify.papers.zlb22.rate_hypotheses import (
    BOUNDED_INPUT,
    FACTOR,
    INVERSE,
    PRINTED,
    UNSCALED,
    VARIANCE,
    squared_norm,
)
from verify.profile import profile
from verify.registry import find
from verify.weakened import without

CLAIM = find("zlb22.thm3.6.given")
ONE, TWO = (Shape(((), *((g,) for g in range(n + 1))), (0, *[1] * n, 0)) for n in (1, 2))
SHORT = Shape(((), (0,), (1,), (1, 2)), (0, 1, 1, 0))  # the output reads both layers


def test_one_hidden_layer_by_hand():
    """f = c sum v_i c' u_i x: the norm is c c' |x|, whatever the weights."""
    assert squared_norm(ONE, 0, PRINTED) == -1
    assert squared_norm(ONE, 1, PRINTED) == -1 + 2
    assert squared_norm(ONE, 0, UNSCALED) == 0
    assert squared_norm(ONE, 0, INVERSE) == -2
    assert squared_norm(ONE, 0, VARIANCE) == 0  # c = c' = 1


def test_two_hidden_layers_by_hand():
    """The block of v = W^(1) x and w = W^(3) is c^2 W^(2) or so, beside those of rank one."""
    assert squared_norm(TWO, 0, PRINTED) == -1
    assert squared_norm(TWO, 0, UNSCALED) == 1  # a sum over m paths
    assert squared_norm(TWO, 0, VARIANCE) == 1  # the incoming vector alone is of order sqrt m


@pytest.mark.parametrize("shape", [ONE, TWO, SHORT])
@pytest.mark.parametrize("scaling", [PRINTED, UNSCALED, INVERSE, VARIANCE])
def test_hessians_are_of_that_order_at_least(shape, scaling):
    """|H_f| of drawn networks grows along m = 3, 6, 12 by the counted power or more."""
    generator = np.random.default_rng(1)
    norms = [np.mean([hessian_norm(shape, m, scaling, generator) for _ in range(3)]) for m in SIZES]
    slopes = [np.log2(high / low) for low, high in pairwise(norms)]
    assert np.mean(slopes) > squared_norm(shape, 0, scaling) / 2 - 0.3


SIZES = (3, 6, 12)


def hessian_norm(shape, m, scaling, generator):
    """By automatic differentiation."""
    import torch

    counts = [m**e for e in shape.sizes]
    degrees = [sum(counts[h] for h in row) for row in shape.parents]
    spans, start = [], 0
    for g in range(1, shape.count):
        spans.append((start, start + counts[g] * degrees[g]))
        start = spans[-1][1]
    weights = generator.standard_normal(start)
    factors = []
    for g in range(1, shape.count):
        d = degrees[g]
        factors.append({PRINTED: d**-0.5, UNSCALED: 1.0, INVERSE: 1 / d, VARIANCE: 1.0}[scaling])
        if scaling == VARIANCE:
            weights[slice(*spans[g - 1])] *= d**-0.5

    def output(w):
        values = [torch.ones(1, dtype=torch.float64)]
        for g in range(1, shape.count):
            matrix = w[slice(*spans[g - 1])].reshape(counts[g], degrees[g])
            incoming = torch.cat([values[h] for h in shape.parents[g]])
            values.append(factors[g - 1] * matrix @ incoming)
        return values[-1].sum()

    given = torch.tensor(weights)
    hessian = torch.autograd.functional.hessian(output, given, vectorize=True)
    return float(torch.linalg.matrix_norm(hessian, ord=2))


def test_as_printed_it_is_the_count_of_before():
    random = Random(3)
    for _ in range(60):
        case = find("zlb22.thm3.6.width@A").pool.draw(random)
        assert squared_norm(case.shape, 0, PRINTED) == case.shape.squared_norm


@pytest.mark.parametrize(
    ("dropped", "numbers", "value"),
    [
        (BOUNDED_INPUT, {"x": 1, "s": PRINTED}, -2),
        (FACTOR, {"x": 0, "s": UNSCALED}, -1),
        (FACTOR, {"x": 0, "s": VARIANCE}, -1),
    ],
)
def test_inputs_and_factors_are_needed(dropped, numbers, value):
    case = profile(ONE, "by hand", **numbers)
    assert not judge_exactly(CLAIM, case).admitted
    (violation,) = judge_exactly(without(CLAIM, dropped), case).violations
    assert violation.value == value
    told = necessity_certificate(CLAIM, dropped.name, violation)
    assert answer(told)["exit"] == 0
    assert answer(told | {"value": str(value - 1)})["exit"] == 1


def test_smaller_factors_break_nothing():
    case = profile(TWO, "by hand", x=0, s=INVERSE)
    seen = judge_exactly(without(CLAIM, FACTOR), case)
    assert seen.admitted
    assert not seen.violations


def test_the_checker_counts_alike():
    random, accepted = Random(5), 0
    for number in range(60):
        case = CLAIM.pool.draw(random)
        for hypothesis in CLAIM.hypotheses:
            case = hypothesis.repair(case, random)
        dropped = (BOUNDED_INPUT, FACTOR)[number % 2]
        broken = dropped.break_(case, random)
        for violation in judge_exactly(without(CLAIM, dropped), broken).violations:
            told = necessity_certificate(CLAIM, dropped.name, violation)
            assert answer(told)["exit"] == 0, answer(told)
            accepted += 1
    assert accepted > 20
