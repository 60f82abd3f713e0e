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


# plans -------------------------------------------------------------------------------------------
def _item1(random: Random, large: bool, pool: StructuredPool) -> Plan:
    inputs = widths(random, large) if large else random.randint(1, 2)
    middle = (dense(widths(random, large), kind_between(random, pool)), _last(random, large, pool))
    return plan_of(random, inputs, before(random, large, pool), middle, after(random, large, pool))


def _last(random: Random, large: bool, pool: StructuredPool) -> Spec:
    return dense(random.randint(1, 5 if large else 2), kind_between(random, pool))


def _item2(random: Random, large: bool, pool: StructuredPool) -> Plan:
    inputs, first, size = conv_start(random, large, pool)
    middle = tuple(conv(random, large, kind_between(random, pool), shape) for shape in (size, ()))
    return plan_of(random, inputs, first, middle, after(random, large, pool))


def _item3(random: Random, large: bool, pool: StructuredPool) -> Plan:
    one = block(random, large, pool, random.choice(ANY), kind_between(random, pool))
    inputs = random.randint(1, 4 if large else 2)
    return plan_of(random, inputs, before(random, large, pool), (one,), after(random, large, pool))


def _item4(random: Random, large: bool, pool: StructuredPool) -> Plan:
    middle = tuple(block(random, large, pool, "free", kind_between(random, pool)) for _ in "12")
    inputs = random.randint(1, 4 if large else 2)
    return plan_of(random, inputs, before(random, large, pool), middle, after(random, large, pool))


def _item5(random: Random, large: bool, pool: StructuredPool) -> Plan:
    inputs, first, size = conv_start(random, large, pool)
    middle = (conv(random, large, kind_between(random, pool), size), _last(random, large, pool))
    return plan_of(random, inputs, first, middle, after(random, large, pool))


def item6(variants: Sequence[str]) -> Planner:
    """Plans of item 6 with blocks of these variants."""

    def planner(random: Random, large: bool, pool: StructuredPool) -> Plan:
        inputs, first, size = conv_start(random, large, pool)
        two = block(random, large, pool, random.choice(variants), kind_between(random, pool))
        middle = (conv(random, large, kind_between(random, pool), size), two)
        return plan_of(random, inputs, first, middle, after(random, large, pool))

    return planner


def _item7a(random: Random, large: bool, pool: StructuredPool) -> Plan:
    one = block(random, large, pool, "free", kind_between(random, pool))
    inputs = random.randint(1, 4 if large else 2)
    middle = (one, _last(random, large, pool))
    return plan_of(random, inputs, before(random, large, pool), middle, after(random, large, pool))


def _item7b(random: Random, large: bool, pool: StructuredPool) -> Plan:
    two = block(random, large, pool, "free", kind_between(random, pool))
    inputs = random.randint(1, 4 if large else 2)
    middle = (dense(widths(random, large), kind_between(random, pool)), two)
    return plan_of(random, inputs, before(random, large, pool), middle, after(random, large, pool))


PLANNERS: dict[str, Planner] = {
    "1": _item1,
    "2": _item2,
    "3": _item3,
    "4": _item4,
    "5": _item5,
    "6": item6(("free",)),
    "7a": _item7a,
    "7b": _item7b,
}


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
