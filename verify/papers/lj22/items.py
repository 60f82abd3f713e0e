"""The seven items of Theorem 1, and cases of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from graphs.activations import LINEAR, RELU
from verify.cases.networks_of_pieces import Plan, Spec
from verify.cases.structured_pool import (
    Planner,
    StructuredPool,
    after,
    before,
    block,
    conv,
    conv_start,
    dense,
    kind_between,
    plan_of,
    widths,
)

ANY = ("identity", "diagonal", "free")
TITLES = {
    "1": "fully connected - fully connected",
    "2": "convolution - convolution",
    "3": "within a residual block",
    "4": "between ResNetFree blocks",
    "5": "convolution - fully connected",
    "6": "convolution - ResNetFree",
    "7a": "ResNetFree - fully connected",
    "7b": "fully connected - ResNetFree",
}


PIECES = {
    "1": ("dense", "last"),
    "2": ("convolution", "convolution"),
    "3": ("block",),
    "4": ("block", "block"),
    "5": ("convolution", "last"),
    "6": ("convolution", "block"),
    "7a": ("block", "last"),
    "7b": ("dense", "block"),
}
"""The pieces that an item speaks of; a last one is narrower than a dense one."""


# plans -------------------------------------------------------------------------------------------
def planner(item: str, variants: Sequence[str] = ("free",)) -> Planner:
    """Plans of an item, with blocks of these variants."""

    def plan(random: Random, large: bool, pool: StructuredPool) -> Plan:
        size: tuple[int, ...] = ()
        convolved = PIECES[item][0] == "convolution"
        if convolved:
            inputs, first, size = conv_start(random, large, pool)
        middle: list[Spec] = []
        for kind in PIECES[item]:
            activation = kind_between(random, pool)
            if kind == "convolution":
                middle.append(conv(random, large, activation, () if middle else size))
            elif kind == "block":
                middle.append(block(random, large, pool, random.choice(variants), activation))
            else:
                narrow = kind == "last" and not large
                width = random.randint(1, 2) if narrow else widths(random, large)
                middle.append(dense(width, activation))
        if not convolved:
            inputs, first = random.randint(1, 4 if large else 2), before(random, large, pool)
        return plan_of(random, inputs, first, tuple(middle), after(random, large, pool))

    return plan


PLANNERS = {item: planner(item, ANY if item == "3" else ("free",)) for item in PIECES}


# real data ----------------------------------------------------------------------------------------
def on_digits(item: str, *, linear: bool) -> tuple[str, Plan]:
    """A plan of the item that reads images of 4 x 4 pixels; linear or ReLU shared neurons."""
    shared = LINEAR if linear else RELU
    first = Spec("convolution", 3, size=(4, 4), kernel=(2, 2), activation=shared, **SQUARE)
    padded = Spec("convolution", 2, kernel=(3, 3), activation=RELU, **{**SQUARE, "padding": (1, 1)})
    free = Spec("block", 4, 4, "free", activation=shared, within=RELU)
    last = dense(4, RELU)
    pieces = {
        "1": (dense(6, shared), last),
        "2": (first, padded),
        "3": (dense(6, RELU), replace(free, width=6, activation=RELU, within=shared)),
        "4": (free, replace(free, activation=RELU)),
        "5": (first, last),
        "6": (first, replace(free, activation=RELU)),
        "7a": (free, last),
        "7b": (dense(6, shared), replace(free, activation=RELU)),
    }[item]
    return item, Plan(16, pieces, (1,) if item == "3" else (0, 1))


SQUARE: dict[str, Any] = {"stride": (1, 1), "padding": (0, 0), "dilation": (1, 1)}
