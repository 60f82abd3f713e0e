"""Hypotheses about networks made of arrays: repair makes them hold, a break makes them fail."""

from random import Random

import numpy as np
import pytest

from graphs.rationals import RATIONALS
from verify.kinds.deep import hypotheses
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool

POOL = pool(points=(1, 2, 3))
ALL = (hypotheses.SLOPE, hypotheses.SMOOTH)


def holds(hypothesis, case):
    scene = Deep.scene([case], RATIONALS)
    return bool(hypothesis.test(scene, scene.compare(scene["a"], scene["a"]))[0])


@pytest.mark.parametrize("hypothesis", ALL, ids=lambda h: h.name)
def test_repairs_and_breaks(hypothesis):
    random = Random(5)
    repaired = broken = 0
    for _ in range(60):
        case = POOL.draw(random)
        repaired += holds(hypothesis, hypothesis.repair(case, random))
        broken += not holds(hypothesis, hypothesis.break_(case, random))
    assert repaired >= 50  # a neuron with no weights and no bias is at its kink everywhere
    assert broken >= 30


def test_a_batch_is_asked_case_by_case():
    random = Random(1)
    cases = [pool(depths=(2,), widest=1, points=(1,)).draw(random) for _ in range(30)]
    cases = [
        hypotheses.SMOOTH.break_(case, random) if k % 2 else case for k, case in enumerate(cases)
    ]
    scene = Deep.scene(cases, RATIONALS)
    answers = hypotheses.SMOOTH.test(scene, scene.compare(scene["a"], scene["a"]))
    assert answers.tolist() == [holds(hypotheses.SMOOTH, case) for case in cases]
    assert not np.all(answers)
