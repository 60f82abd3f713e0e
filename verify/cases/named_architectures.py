"""Named architectures with real data: two classes of handwritten digits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from graphs.activations import LINEAR, RELU, leaky_relu
from graphs.composition import compose, linear_head, single_output, with_bias, without_dead_ends
from graphs.convolutions import convolution
from graphs.families import dense_net, fully_connected
from graphs.residual import residual_block
from verify.cases.case import Case

if TYPE_CHECKING:
    from graphs.network import Network
    from verify.cases.pool import Pool

EXAMPLES = 8


@cache
def architectures() -> tuple[tuple[Network, int], ...]:
    """Named networks, each with the side of the square images that it reads."""
    return tuple(_architectures())


def _architectures() -> Iterator[tuple[Network, int]]:
    yield fully_connected([64, 16, 8, 1]).titled("ReLU MLP 64-16-8-1"), 8
    yield (
        fully_connected([16, 8, 8, 1], leaky_relu(Fraction(1, 10))).titled("leaky MLP 16-8-8-1"),
        4,
    )
    yield fully_connected([16, 6, 6, 6, 1], LINEAR).titled("deep linear 16-6-6-6-1"), 4
    conv = convolution((4, 4), (1, 2), (3, 3), 1, 0, activation=RELU)
    yield (
        without_dead_ends(single_output(conv)).titled("3x3 convolution, 2 channels, linear head"),
        4,
    )
    stem = fully_connected([16, 4], LINEAR, RELU)
    for variant in ("identity", "diagonal", "free"):
        block = residual_block(variant, 4, 4, 4)
        yield linear_head(compose(stem, block)).titled(f"stem and ResNet {variant} block"), 4
    yield linear_head(compose(stem, dense_net(4, 2, [2]))).titled("stem and DenseNet block"), 4


@cache
def _biased(net: Network, shared: bool) -> Network:
    return with_bias(net, shared=shared)


def named_cases(pool: Pool, random: Random) -> Iterator[Case]:
    """Each named network with random weights on digits 0 and 1, as cases of a pool."""
    from numerics.data import digits

    for net, side in architectures():
        data = digits((0, 1), EXAMPLES, side=side)
        if pool.bias is not None:
            net = _biased(net, pool.bias == "A")
        kinds = {a.kind for v, a in enumerate(net.activations) if v not in net.inputs}
        if not kinds <= set(pool.activations):
            continue
        weights = tuple(Fraction(random.randint(-64, 64) or 1, 64) for _ in net.parameter_names)
        loss = pool.losses[-1]
        slopes = tuple(Fraction(random.randint(-8, -1), 8) for _ in data.labels)
        yield Case(
            net,
            weights,
            data.inputs,
            data.labels,
            loss,
            slopes if loss == "prescribed" else (),
            family=f"{net.title} on digits",
        )
