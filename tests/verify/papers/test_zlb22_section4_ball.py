"""The tangent kernel in a ball: bounds by hand, and what they need."""

from fractions import Fraction
from math import sqrt

import pytest

from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors, tensor
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.papers.zlb22 import section4_ball
from verify.search.judging import judge_exactly, view

SMOKE = Context(budget_named("smoke"), 0, "cpu")
NAMES = ("pl.ball.a", "pl.ball.b", "pl.ball.c")


def moved(jacobian, moves, radius, bound):
    arrays = {"J": tensor(("n", "P"), jacobian), "D": tensor(("n", "P"), moves)}
    return Tensors(arrays | {"R": tensor((), radius), "h": tensor((), bound)})


def wide(m, lam="2", c="1", j="3/2", eta="1", n=1):
    arrays = {name: tensor((), v) for name, v in (("lam", lam), ("c", c), ("j", j), ("eta", eta))}
    arrays |= {"n": tensor((), n, integer=True), "m": tensor((), m, integer=True)}
    return Tensors(arrays)


def value(name, case):
    (found,) = view(find(f"zlb22.{name}"), [case], RATIONALS).entries.values
    return float(found)


def test_one_weight():
    # K from 4 to 9 for |D| = 1 = R h: 1 (2 + 3) - 5 = 0
    assert value("pl.ball.a", moved([[2]], [[1]], 1, 1)) == 0
    assert value("pl.ball.a", moved([[2]], [[-1]], 1, 1)) == 0  # 1 (2 + 1) - 3


def test_two_points():
    # K from the identity to diag(4, 4), n = 2: sqrt(2) (1 + 2) - 3
    case = moved([[1, 0], [0, 1]], [[1, 0], [0, 1]], 1, 1)
    assert value("pl.ball.a", case) == pytest.approx(3 * sqrt(2) - 3)


def test_a_larger_move_is_no_counterexample():
    far = moved([[2]], [[4]], 1, 1)
    assert value("pl.ball.a", far) < 0
    assert judge_exactly(find("zlb22.pl.ball.a"), far).violations == ()


def test_a_kernel_that_vanishes():
    gone = moved([[1]], [[-1]], 1, 1)
    assert value("pl.ball.b", gone) < 0
    assert judge_exactly(find("zlb22.pl.ball.b"), gone).violations == ()  # not small
    near = moved([[1]], [["-1/4"]], 1, "1/4")  # (1/4)(2 + 1/4) < 1
    assert value("pl.ball.b", near) >= 0
    assert judge_exactly(find("zlb22.pl.ball.b"), near).admitted == 1


def test_the_width_that_is_wide_enough():
    # lambda_0 = 2, mu = 1, R = c = 1, share = min(1, 2/8) = 1/4: m >= 16
    assert judge_exactly(find("zlb22.pl.ball.c"), wide(16)).admitted == 1
    assert judge_exactly(find("zlb22.pl.ball.c"), wide(15)).admitted == 0
    # at m = 16 s = 1/4: 2 - (1/4)(3 + 1/4) - 1
    assert value("pl.ball.c", wide(16)) == pytest.approx(1 - Fraction(13, 16))
    assert value("pl.ball.c", wide(1)) < 0


@pytest.mark.parametrize(
    "proof",
    [section4_ball.by_weyl, section4_ball.stays_definite, section4_ball.wide_for_any_radius],
)
def test_the_arguments_hold(proof):
    assert proof().holds


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_and_what_is_needed_is_certified(name):
    claim = find(f"zlb22.{name}")
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    needs = {need.hypothesis: need for need in necessity(claim, SMOKE).needs}
    expected = {"pl.ball.a": "mean-value bound", "pl.ball.b": "small Hessians"}
    assert needs[expected.get(name, "wide enough")].certificate is not None
