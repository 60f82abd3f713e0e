"""Remark 4.3: the squared gradient norm of chains with different degrees."""

from fractions import Fraction
from math import prod
from random import Random

import numpy as np
import pytest

from tests.verify.arrays import worth_in
from tests.verify.without import without
from verify.cases.tensors import Tensors, tensor
from verify.papers.registry import find
from verify.papers.zlb22 import chain_gradients
from verify.papers.zlb22.chain_gradients import moment_bound
from verify.papers.zlb22.mixed_degrees import (
    HIDDEN,
    LARGEST_DEGREE,
    LEAST_MOMENT,
    MEAN_SQUARE,
    TINY,
)
from verify.search.certificates import answer, certificate_of, necessity_certificate
from verify.search.judging import judge_exactly

CLAIM, PLAIN = find("zlb22.prop4.4.mixed.fix"), find("zlb22.prop4.4.fix")
(DEGREES,) = [one for one in CLAIM.hypotheses if one.name == "degrees at least 1"]


def mixed(degrees, moments, d0=1, t=1, q=1):
    return Tensors(
        {
            "r": tensor(("l",), [Fraction(r) for r in degrees]),
            "C": tensor(("l",), [Fraction(c) for c in moments]),
            "t": tensor((), Fraction(t)),
            "q": tensor((), Fraction(q)),
            "d0": tensor((), Fraction(d0), integer=True),
        }
    )


def mean_square_of(case):
    return worth_in(MEAN_SQUARE, case)


def largest_degree_bound(case):
    return worth_in(moment_bound(LEAST_MOMENT, LARGEST_DEGREE, HIDDEN + 1), case)


def test_by_hand():
    """f = w_2 s |w_1 x|^r of one input: (s |w_1 x|^r)^2 has the mean C E |x|^(2r)."""
    assert mean_square_of(mixed([1], [1])) == 2
    assert mean_square_of(mixed([2], [1])) == 3 * (1 + Fraction(4, 3))
    # f = w_3 |w_2 (w_1 x)^2|: (w_2 w_1^2 x^2)^2 / 3 has the mean 3, and the squares 1, 1, 4/3
    assert mean_square_of(mixed([2, 1], [1, 1])) == 3 * (1 + 1 + Fraction(4, 3))
    # f = w_3 (w_2 w_1 x)^2: E (w_2 w_1 x)^4 = 27, over the 3 of E g^4; the squares 1, 4/3, 4/3
    assert mean_square_of(mixed([1, 2], [1, 1])) == 9 * (1 + Fraction(8, 3))


@pytest.mark.parametrize("degrees", [[1, 2], [2, 1], [1, 1, 2]])
def test_against_draws(degrees):
    """Gradients of the chain by the chain rule, with numpy."""
    generator = np.random.default_rng(0)
    count = 400_000
    w = generator.standard_normal((len(degrees) + 1, count))
    x = generator.standard_normal((2, count))
    a = generator.standard_normal((2, count))  # weights of two inputs in place of w[0]
    f, powers = np.einsum("ds,ds->s", a, x) / np.sqrt(2), []
    z0 = f
    for k, r in enumerate(degrees):
        scale = {1: 1.0, 2: 3.0**-0.5}[r]
        f = scale * np.abs(f) ** r * (w[k + 1] if k + 1 < len(degrees) else 1)
        powers = [p * r for p in powers] + [r]
    grad = f**2  # by the last weight; f is the last hidden neuron here
    end = w[-1] ** 2 * f**2
    grad = grad + end * powers[0] ** 2 / z0**2 * np.sum(x**2, axis=0) / 2
    for k, p in enumerate(powers[1:], 1):
        grad = grad + end * p**2 / w[k] ** 2
    exact = float(mean_square_of(mixed(degrees, [1] * len(degrees), d0=2)))
    assert np.mean(grad) == pytest.approx(exact, rel=0.15)


def test_one_degree_is_the_repair_of_before():
    random = Random(2)
    for _ in range(30):
        case = PLAIN.pool.draw(random)
        hidden = case.whole("L") - 1
        if not hidden:
            continue
        number = case.number
        same = mixed([number("r")] * hidden, [number("C")] * hidden, case.whole("d0"))
        assert largest_degree_bound(same) == worth_in(
            moment_bound(chain_gradients.C, chain_gradients.r, chain_gradients.L), case
        )
        assert mean_square_of(same) == worth_in(chain_gradients.MEAN_SQUARE, case)


def test_the_smallest_degree_will_not_do():
    """Degrees 1 and 3: E |grad f|^2 is a constant times C^4, below C^3 where C is small."""
    case = mixed([1, 3], [TINY, TINY])
    found = mean_square_of(case)
    assert found / TINY**4 == mean_square_of(mixed([1, 3], [1, 1]))
    assert found < TINY**3 == TINY ** sum([1, 1, 1])
    assert largest_degree_bound(case) == TINY ** sum([1, 3, 9]) < found


def test_it_stands_and_degrees_below_1_break_it():
    random = Random(4)
    certified = 0
    for _ in range(12):
        case = CLAIM.pool.draw(random)
        assert not judge_exactly(CLAIM, case).violations
        below = DEGREES.break_(case, random)
        assert max(r for r in below.arrays["r"].entries) <= 1
        assert prod(below.arrays["r"].entries) > 0
        for violation in judge_exactly(without(CLAIM, DEGREES), below).violations:
            told = necessity_certificate(CLAIM, DEGREES.name, violation)
            assert answer(told)["exit"] == 0
            assert answer(certificate_of(CLAIM, violation))["exit"] == 1  # it is a hypothesis
            certified += 1
    assert certified > 2


def test_the_argument_holds_and_names_what_it_uses():
    argument = CLAIM.proof()
    assert argument.holds
    assert set(argument.uses) == {h.name for h in CLAIM.hypotheses}
