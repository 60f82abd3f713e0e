"""Architectures of each item of Theorem 1 on which its entries are expanded to polynomials."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations_with_replacement

from graphs.activations import LINEAR, RELU, Activation
from verify.cases.case import Case
from verify.cases.networks_of_pieces import Plan, Spec
from verify.cases.structured import Structured
from verify.cases.structured_pool import StructuredPool, listed
from verify.papers.lj22.suppositions import shared_neurons


def _conv(width: int, size: tuple[int, ...], kernel: tuple[int, ...], **options: object) -> Spec:
    ones, zeros = (1,) * len(kernel), (0,) * len(kernel)
    plain = {"stride": ones, "padding": zeros, "dilation": ones}
    return Spec("convolution", width, size=size, kernel=kernel, **{**plain, **options})  # type: ignore[arg-type]  # plain options


def _dense(width: int, activation: Activation = LINEAR) -> Spec:
    return Spec("dense", width, activation=activation)


def _block(width: int, inner: int, variant: str, activation: Activation) -> Spec:
    return Spec("block", width, inner, variant, activation=activation, within=RELU)


CONVOLUTIONS = (
    ("two taps", 3, _conv(2, (3,), (2,))),
    ("zero padding", 3, _conv(2, (3,), (3,), padding=(1,))),
    ("circular padding", 3, _conv(2, (3,), (2,), padding=(1,), mode="circular")),
    ("stride 2, two channels in", 8, _conv(2, (4,), (2,), stride=(2,))),
    ("dilation 2", 4, _conv(2, (4,), (2,), dilation=(2,))),
    ("two dimensions", 4, _conv(2, (2, 2), (2, 1))),
)


def _second_convolutions(size: int) -> Iterator[tuple[str, Spec]]:
    if size > 1:
        yield "two taps", _conv(1, (), (2,))
        yield "zero padding, stride 2", _conv(1, (), (3,), padding=(1,), stride=(2,))
    yield "one tap", _conv(2, (), (1,))


def plans(item: str, shared: Activation) -> Iterator[tuple[str, Plan]]:
    """Small plans of an item by title; shared: the activation of the shared neurons."""
    a = shared
    if item == "1":
        yield "dense 2-3-2", Plan(2, (_dense(3, a), _dense(2, RELU)), (0, 1))
        yield (
            "dense 2-2-1 with a skip edge",
            Plan(2, (_dense(2, a), _dense(1, RELU)), (0, 1), True, 1),
        )
        behind = (_dense(2, RELU), _dense(2, a), _dense(1, RELU))
        yield "dense 1-2-2-1", Plan(1, behind, (1, 2), True)
    elif item == "3":
        for variant in ("identity", "diagonal", "free"):
            yield (
                f"ResNet{variant.capitalize()} 2-2-2",
                Plan(2, (_block(2, 2, variant, RELU),), (0,)),
            )
        two = replace(_block(2, 3, "free", RELU), within=a)
        yield "dense 1-2, ResNetFree 2-3-2", Plan(1, (_dense(2, RELU), two), (1,))
    elif item == "4":
        pair = (_block(2, 2, "free", a), _block(1, 1, "free", RELU))
        yield "ResNetFree 1-2-2 > ResNetFree 2-1-1", Plan(1, pair, (0, 1))
        yield "ResNetFree 2-2-2 > ResNetFree 2-1-1", Plan(2, pair, (0, 1), True)
    elif item == "7a":
        pair = (_block(3, 2, "free", a), _dense(2, RELU))
        yield "ResNetFree 2-2-3 > dense 3-2", Plan(2, pair, (0, 1))
    elif item == "7b":
        pair = (_dense(3, a), _block(2, 2, "free", RELU))
        yield "dense 2-3 > ResNetFree 3-2-2", Plan(2, pair, (0, 1))
    else:
        yield from _behind_convolutions(item, a)


def _behind_convolutions(item: str, a: Activation) -> Iterator[tuple[str, Plan]]:
    for title, inputs, spec in CONVOLUTIONS:
        first = replace(spec, activation=a)
        title = f"convolution ({title})"
        if item == "2":
            size = 1 if "two dimensions" in title else 2
            for other, second in _second_convolutions(size):
                last = replace(second, activation=RELU)
                yield f"{title} > convolution ({other})", Plan(inputs, (first, last), (0, 1))
        elif item == "5":
            yield f"{title} > dense", Plan(inputs, (first, _dense(2, RELU)), (0, 1))
        else:
            last = _block(1, 2, "free", RELU)
            yield f"{title} > ResNetFree", Plan(inputs, (first, last), (0, 1))


@cache
def regions(items: tuple[str, ...], *, linear: bool, throughout: bool = False):  # type: ignore[no-untyped-def]  # a partial
    """The regions of some items: linear shared neurons, or ReLU ones but for two, which stand for
    active ones.
    throughout: all neurons are linear."""
    return partial(_regions, items=items, linear=linear, throughout=throughout)


def _regions(
    pool: StructuredPool, *, items: tuple[str, ...], linear: bool, throughout: bool
) -> Iterator[Case]:
    for item in items:
        alone = linear or item in ("2", "5", "6")
        for title, plan in plans(item, LINEAR if alone else RELU):
            case = _shared_as(listed(plan, item, title), LINEAR if alone else RELU)
            if throughout:
                case = _linear(case)
            if alone:
                yield case
                continue
            for pair in combinations_with_replacement(case.list_of("B"), 2):
                active = case.network.with_activations(dict.fromkeys(pair, LINEAR))
                rows = [*dict.fromkeys(pair)]
                yield replace(case, network=active).choosing(I=rows)


def _shared_as(case: Structured, activation: Activation) -> Structured:
    """The case with this activation at the shared neurons."""
    return case.with_activations(dict.fromkeys(shared_neurons(case), activation))


def _linear(case: Structured) -> Structured:
    """The case with linear neurons only."""
    computed = (*case.network.inner, *case.network.outputs)
    return case.with_activations(dict.fromkeys(computed, LINEAR))
