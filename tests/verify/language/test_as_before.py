"""A statement about rates, written in the language: the same values as sums by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.cases.scenes import Scene
from verify.language.building import FUNCTIONS
from verify.language.statements import Statement
from verify.papers.registry import find
from verify.search.drawing import draw

Each, Sum, Rate, w = (FUNCTIONS[name] for name in ("Each", "Sum", "Rate", "w"))
hidden, into, out_of = (FUNCTIONS[name] for name in ("hidden", "into", "out_of"))
BALANCE = Each(
    hidden(),
    lambda v: Rate(Sum(into(v), lambda e: w(e) ** 2)) == Rate(Sum(out_of(v), lambda e: w(e) ** 2)),
)


def by_hand(scene: Scene) -> list[Fraction]:
    """Both sides of the balance apart, from the velocities of a scene of one case."""
    [network] = scene.union.networks
    rates = [as_fraction(rate) for rate in 2 * scene.weights * scene.velocity]
    return [
        sum((rates[e] for e in network.in_edges[v]), Fraction(0))
        - sum((rates[e] for e in network.out_edges[v]), Fraction(0))
        for v in network.inner
    ]


def test_the_same_values() -> None:
    claim, statement = find("lj22.lemma2a"), Statement("-", BALANCE)
    random, compared = Random(1), 0
    for k in range(40):
        case = draw(
            claim,
            random,
            n=claim.pool.examples[k % len(claim.pool.examples)],
            loss="prescribed",
            large=False,
        )
        scene = type(case).scene([case], RATIONALS)
        before, now = by_hand(scene), statement.measure(scene)
        assert len(before) == len(now)
        for old, new in zip(before, now.values, strict=True):
            assert float(old) == pytest.approx(float(new), rel=1e-12, abs=1e-15)
            assert (old < 0) == (new < 0)
            compared += 1
    assert compared > 20
