"""Slopes and borders by hand: which side, whose seeds, how far, shared errors, and what is told."""

from dataclasses import replace
from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Outcome
from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.kinds.statistics.slopes import Ladder, Told, look, room
from verify.methods import exponents as engine
from verify.methods.context import Context
from verify.methods.exponents import ERROR, exponents, figures, settled

SMOKE = Context(budget_named("smoke"))
HALF = Fraction(-1, 2)
BOTH = Predicted("v", HALF, above=Fraction(0), below=Fraction(-1))  # borders at -3/4 and -1/4
WIDTHS = ((8, 16, 32),) * 3


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [
        (-0.6, -0.4, True),
        (-0.8, -0.4, None),
        (-0.6, -0.2, None),
        (-0.8, -0.2, None),
        (-0.9, -0.8, False),
        (-0.2, 0.3, False),
    ],
)
def test_an_interval_lies_between_the_borders_beyond_one_or_across(low, high, holds):
    assert BOTH.holds(low, high) is holds


@pytest.mark.parametrize(
    ("said", "room_left"),
    [
        (BOTH, 0.05),
        (Predicted("v", HALF, below=Fraction(-1)), 0.45),
        (replace(BOTH, below=None), 0.05),
    ],
)
def test_the_room_is_the_distance_to_the_nearer_border(said, room_left):
    assert room(told(-0.3, said)) == pytest.approx(room_left)


def test_beyond_a_border_there_is_no_room():
    assert room(told(-0.8, BOTH)) == pytest.approx(-0.05)
    assert room(told(-0.1, BOTH)) == pytest.approx(-0.15)


def told(slope, said):
    """What was seen, as far as it counts here."""
    return Told("f", said, slope, slope, slope, 0.0, None, ERROR, WIDTHS[0], np.zeros((8, 3)))


def test_a_width_may_not_stand_twice():
    with pytest.raises(ValueError, match="three increasing widths"):
        Family("twice", ((8, 8, 16, 32), *WIDTHS[1:]), lambda *given: {})


# which seeds are drawn ---------------------------------------------------------------------------
def test_later_seeds_are_new_and_a_width_more_is_that_of_all_of_them():
    calls = []

    def draw(width, before, count):
        calls.append((width, before, count))
        return {"v": np.ones(count)}

    ladder = Ladder(Family("ones", WIDTHS, lambda *given: {}), [8, 16], draw)
    ladder.more_seeds(2)
    ladder.more_seeds(3)
    ladder.one_wider(32)
    assert calls == [(8, 0, 2), (16, 0, 2), (8, 2, 3), (16, 2, 3), (32, 0, 5)]
    assert ladder.logs["v"].shape == (5, 3)


def test_no_seed_is_drawn_twice():
    drawn = []

    def values(width, seeds, generator):
        found = width**-0.375 * np.exp(generator.normal(0, 0.2, seeds))
        drawn.extend(found.tolist())
        return {"v": found}

    exponents(claim_of([values], Predicted("v", HALF, above=Fraction(-1, 4)), 64), SMOKE)
    assert len(drawn) > 3 * 16
    assert len(set(drawn)) == len(drawn)


def test_the_spread_is_that_of_a_sample():
    """Of eight slopes, half of them 0 and half of them -1."""
    logs = np.zeros((8, 3))
    logs[::2] = -np.log([8.0, 16.0, 32.0])
    ladder = Ladder(Family("two", WIDTHS, lambda *given: {}), [8, 16, 32], lambda *given: {})
    ladder.logs["v"] = logs
    one = look(ladder, BOTH, ERROR)
    assert one.slope == pytest.approx(-0.5)
    assert one.spread == pytest.approx(sqrt(8 / 4 / 7))


# what is shared and told --------------------------------------------------------------------------
def claim_of(values, said, most=16):
    families = tuple(Family(f"family {k}", WIDTHS, one) for k, one in enumerate(values))
    said = said if isinstance(said, tuple) else (said,)
    measured = Exponents(lambda scale: families, said, (most,) * 3)
    source = Source("zlb22", "final", "nowhere")
    return Claim("zlb22.thm3.6.y", Kind.RATE, source, "a rate", "$v$", exponents=measured)


def falling(width, seeds, generator):
    return {"v": np.full(seeds, width**-0.5), "w": np.full(seeds, width**-0.5)}


def test_families_and_quantities_share_the_error(monkeypatch):
    errors = []

    def recorded(measured, ladder, scale, error):
        errors.append(error)
        return settled(measured, ladder, scale, error)

    monkeypatch.setattr(engine, "settled", recorded)
    exponents(claim_of([falling] * 3, (BOTH, replace(BOTH, quantity="w"))), SMOKE)
    assert errors == [pytest.approx(ERROR / 6)] * 3


@pytest.mark.parametrize(("scale", "share"), [(0, 2), (1, 2), (2, 1)])
def test_a_ladder_that_may_grow_halves_its_error(scale, share):
    ladders = ((8, 16, 32), (8, 16, 32, 64), (8, 16, 32, 64, 128))
    family = Family("powers", ladders, falling)
    measured = Exponents(lambda scale: (family,), (BOTH,))

    def draw(width, before, count):
        return falling(width, count, None)

    (one,) = settled(measured, Ladder(family, list(ladders[scale]), draw), scale, 0.01)
    assert one.error == pytest.approx(0.01 / share)


def test_one_value_without_a_logarithm_leaves_all_open():
    def values(width, seeds, generator):
        return {**falling(width, seeds, generator), "w": np.full(seeds, -1.0)}

    found = exponents(claim_of([values], (BOTH, replace(BOTH, quantity="w"))), SMOKE)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "family 0: w is not positive" in found.summary


def test_the_probability_of_all_intervals_is_told():
    found = exponents(claim_of([falling], BOTH), SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.summary.endswith("with intervals that hold together with probability 99%.")


def test_the_slopes_of_the_upper_end_are_told():
    """1, 1 and 1/2 at 8, 16 and 32: -1 over the last two widths, -1/2 over all three."""
    logs = np.tile([0.0, 0.0, -log(2)], (8, 1))
    ladder = Ladder(Family("turned", WIDTHS, lambda *given: {}), [8, 16, 32], lambda *given: {})
    ladder.logs["v"] = logs
    text = figures(look(ladder, BOTH, ERROR))["turned: v, slope"]
    assert "last two widths -1.000, last three -0.500" in text
