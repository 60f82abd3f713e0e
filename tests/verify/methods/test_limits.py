"""Claims about the limit along computed flows: true ones are supported, a false one is seen."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from graphs.activations import LINEAR
from graphs.exact import output
from verify.cases.flow_observables import LimitObservable
from verify.cases.networks_of_pieces import Plan, Spec
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.kinds.solutions.limit_series import series
from verify.methods.context import Context
from verify.methods.limits import drawn, limits
from verify.papers.registry import find

CONTEXT = Context(replace(BUDGETS["smoke"], trial_batches=5))


def convolution(random: Random, large: bool) -> Plan:
    """Two channels in, two places, filter of two: T is a 2 x 2 matrix, Fin a number."""
    conv = Spec("convolution", 1, size=(2,), kernel=(2,), activation=LINEAR)
    return Plan(4, (conv, Spec("dense", 1)), (0, 1))


def two_convolutions(random, large):
    """T_1 is 4 x 4; T_1 T_1^T tends to the Gram matrix of T_2 as a 2 x 4 matrix, of rank two."""
    first = Spec("convolution", 4, size=(2,), kernel=(1,))
    return Plan(8, (first, Spec("convolution", 1, kernel=(2,)), Spec("dense", 1)), (0, 1, 2))


def test_a_gap_in_proportion_to_the_norm_is_a_suspicion():
    """The printed V_c is 1: ||T||_F^2 - ||T||_2^2 grows with the norm; the repaired one is 2."""
    claim = find("lj22.thm2-13.fix")
    for planner in (convolution, two_convolutions):
        printed = replace(claim, observable=LimitObservable(planner, "excess"))
        evidence = limits(printed, CONTEXT)
        assert evidence.outcome is Outcome.INCONCLUSIVE
        assert "grows with the norm" in evidence.summary
    repaired = replace(claim, observable=LimitObservable(two_convolutions, "excess", ("repaired",)))
    assert limits(repaired, CONTEXT).outcome is Outcome.SUPPORTS
    rank_says_it = replace(claim, observable=LimitObservable(convolution, "excess", ("repaired",)))
    assert limits(rank_says_it, CONTEXT).instances == 0


def test_evidence_has_figures_and_curves():
    evidence = limits(find("lj22.thm2-15.rank-one@AA"), CONTEXT)
    assert evidence.outcome is Outcome.SUPPORTS
    assert 0 < evidence.instances <= evidence.figures["flows"]
    assert evidence.plots
    assert all(len(curve.x) > 2 for curve in evidence.plots[0].curves)


def test_claims_without_a_watch_have_none():
    assert limits(find("lj22.thm2-13@A"), CONTEXT) is None


def test_starts_that_classify_every_example_correctly():
    observable = find("lj22.cor1.fix").observable
    for seed in range(5):
        case = drawn(observable, Random(seed))
        examples = zip(case.labels, case.inputs, strict=True)
        margins = [float(y * output(case.network, case.weights, x)) for y, x in examples]
        assert np.logaddexp(0, -np.array(margins)).sum() < np.log(2)


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_gaps_scale_with_the_square_of_the_weights(scale):
    case = drawn(LimitObservable(convolution, "excess"), Random(1))
    weights = np.array([float(w) for w in case.weights])
    one = series("excess", case, weights[None], ())
    other = series("excess", case, scale * weights[None], ())
    for name, (gap, square) in one.items():
        assert np.allclose(other[name][0], scale**2 * gap)
        assert np.allclose(other[name][1], scale**2 * square)
