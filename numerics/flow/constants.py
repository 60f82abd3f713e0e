"""Numbers that both engines go by: what counts as a kink, and the places in rows of records."""

from __future__ import annotations

NEAR = 1e-13
"""A pre-activation is at 0 when it is less than this times the sum of the absolute values of its
terms: one network, compiled."""

NEAR_OF_LARGEST = 1e-12
"""Or less than this part of the largest of its network: a batch, which keeps no sums of terms."""

PARALLEL = 1e-12
"""Gradients are parallel when 1 - cos^2 is less than this (of a batch: of probes of them)."""

RATE_NOISE = 1e-11
"""A rate may have the wrong sign by so much of |gradient| |velocity|."""

EXIT = 1e-8
"""A kink that slides is let go when its theta is at most so far outside of [0, 1]."""

OUTSIDE = 1e-9
"""A slope that is this far (as a part) outside of its interval no longer slides."""

LEFT, AT_ZERO, RIGHT, SLIDING = -1, 0, 1, 2

ROUNDINGS = 16.0
"""So many roundings, of half an epsilon each, make up the bound for one term of a balance."""

RESIDUAL, BOUND, TIME, RATE, RATE_SCALE = range(5)
"""The entries of a row of measures, see numerics.flow.answers.Balance."""

EVALUATIONS, ACCEPTED, REJECTED, RELOCATED, EVENTS, SLIDES, STIFF_STEPS, CHOICES = range(8)
COUNTS = 8
"""The entries of a row of counts, as in numerics.flow.answers.Counts."""
