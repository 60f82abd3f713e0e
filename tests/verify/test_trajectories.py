"""Which segments of a flow are asked."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from graphs.network import network
from numerics.enclosures import Balls
from numerics.flow import Options
from verify.cases.case import Case
from verify.cases.scenes import scene_of
from verify.papers.registry import find
from verify.search import trajectories
from verify.search.trajectories import _patterns_agree, admitted_segments, follow, start_of

NET = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])


def agrees(weight: Fraction, side: int) -> bool:
    case = Case(NET, (weight, Fraction(1)), ((Fraction(1),),), (Fraction(1),), "squared")
    segment = SimpleNamespace(sides=np.array([[0], [side], [0]], dtype=np.int8))
    return bool(_patterns_agree(scene_of([case], Balls("cpu")), [segment])[0])


def test_a_pre_activation_on_the_other_side_of_its_kink_leaves_the_segment_out():
    tiny = Fraction(1, 2**50)
    assert agrees(tiny, 1)
    assert agrees(-tiny, -1)
    assert not agrees(tiny, -1)  # by rounding beside a slide
    assert not agrees(-tiny, 1)
    assert agrees(Fraction(0), -1)
    assert agrees(tiny, 2)  # it slides


def test_such_a_segment_is_not_asked(monkeypatch):
    law = find("lj22.lemma2a")
    case = Case(NET, (Fraction(1, 2), Fraction(1)), ((Fraction(1),),), (Fraction(1),), "squared")
    starts = [start_of(law, case)]
    flows = follow(starts, 1.0, Options(dense=True), "cpu")
    assert admitted_segments(law, starts, flows, "cpu")[0].all()
    monkeypatch.setattr(trajectories, "_patterns_agree", lambda scene, segments: [False])
    assert not admitted_segments(law, starts, flows, "cpu")[0].any()
