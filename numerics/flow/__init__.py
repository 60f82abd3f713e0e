"""Gradient flow of many different networks at once, each by itself: dw/dt in -dR(w)."""

from numerics.flow.answers import Balance, Counts, Dense, Flow, Flows, Record, Segment, Signs, Slide
from numerics.flow.engine import flow
from numerics.flow.options import Forms, Options
from numerics.flow.status import Status

__all__ = [
    "Balance",
    "Counts",
    "Dense",
    "Flow",
    "Flows",
    "Forms",
    "Options",
    "Record",
    "Segment",
    "Signs",
    "Slide",
    "Status",
    "flow",
]
