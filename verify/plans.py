"""Architectures of claims about low rank: eta, convolutions, blocks or dense layers, and Fin."""

from __future__ import annotations

from math import isqrt
from random import Random

from graphs.activations import LINEAR, RELU, Activation, leaky_relu
from verify.structured import Plan, Spec

BENT = (RELU, RELU, RELU, RELU, Activation("abs"), leaky_relu(-2))
ALONE = 0.5  # of the architectures with an arbitrary eta that have none, or hardly one


def tailed(random: Random, large: bool, *, gated: bool, tail: int | None = None) -> Plan:
    """eta (mostly empty), K convolutions, M blocks or dense layers, Fin.

    gated: whether the layers may have ReLU. tail: the number of rows of the last dense layer, so
    that Fin has one column where it is 1.
    """
    choices = (LINEAR, RELU) if gated else (LINEAR,)

    def kind() -> Activation:
        return random.choice(choices)

    before: tuple[Spec, ...] = ()
    top = 3 if large else 2
    convolutions = random.choice((0, 1, 1, 2)) if large else random.choice((0, 1))
    size = random.randint(1, top)
    channels = random.choice((1, 2, 2, top)) if convolutions else random.randint(1, top)
    inputs = channels * size if convolutions else channels
    if large and random.random() < 0.4:
        before = (Spec("dense", width=inputs, activation=random.choice((LINEAR, RELU))),)
        inputs = random.randint(1, 2)
    specs = []
    for number in range(convolutions):
        kernel = random.randint(1, size) if number == 0 else 1
        shape = (size,) if number == 0 else ()
        width = random.randint(1, 2)
        specs.append(Spec("convolution", width, size=shape, kernel=(kernel,), activation=kind()))
    for _ in range(random.choice((0, 0, 1, 2) if convolutions else (1, 2, 2))):
        if large and random.random() < 0.25:
            width, inner = random.randint(1, 2), random.randint(1, 2)
            block = Spec("block", width, inner, activation=kind(), within=kind())
            specs.append(block)
        else:
            specs.append(Spec("dense", random.choice((1, 2, 2, 4)), activation=kind()))
    if tail is not None and specs and specs[-1].kind == "dense":
        specs[-1] = Spec("dense", tail, activation=specs[-1].activation)
    specs.append(Spec("dense", 1, activation=LINEAR))
    pieces = (*before, *specs)
    return Plan(inputs, pieces, tuple(range(len(before), len(pieces))))


def plain_tail(random: Random, large: bool) -> Plan:
    """Linear layers behind eta, as in the final version."""
    return tailed(random, large, gated=False, tail=random.choice((None, 1)))


def tail_behind_bends(random: Random, large: bool) -> Plan:
    """As plain_tail, or linear layers behind an eta with two slopes, mostly ReLU: one layer of it,
    sometimes two.

    The widths let rays have rational weights: as many neurons of eta for each of n examples as make
    n times their number a square, and linear layers whose matrices of rank one are spread evenly.
    """
    if random.random() < ALONE:
        return plain_tail(random, large)
    width = random.choice((4, 4, 4, 9))
    first = Spec("dense", width, activation=random.choice(BENT))
    eta = (first, first) if large and random.random() < 0.3 else (first,)
    layers: list[Spec] = []
    if random.random() < 0.4:
        root = isqrt(width)
        size, kernel = random.choice(((1, 1), (root, 1), (root, root)))
        layers.append(Spec("convolution", random.choice((1, 4)), size=(size,), kernel=(kernel,)))
    for _ in range(random.choice((0, 1) if layers else (1, 1, 2))):
        layers.append(Spec("dense", random.choice((1, 1, 4))))
    if large and random.random() < 0.2:
        layers.append(Spec("block", 1, random.choice((1, 4))))
    pieces = (*eta, *layers, Spec("dense", 1))
    return Plan(random.choice((2, 2, 3)), pieces, tuple(range(len(eta), len(pieces))))


def gated_tail(random: Random, large: bool) -> Plan:
    """Linear or ReLU layers behind eta, as in the earlier version."""
    return tailed(random, large, gated=True, tail=random.choice((None, 1)))


def narrow_tail(random: Random, large: bool) -> Plan:
    """Linear or ReLU layers that end in one neuron, so that Fin has one column."""
    kinds = [random.choice((LINEAR, RELU)) for _ in range(2)]
    widths = [random.choice((2, 3, 4) if large else (2, 4)), 1]
    if large and random.random() < 0.5:
        widths, kinds = [*widths[:1], 2, 1], [*kinds, LINEAR]
    specs = [Spec("dense", w, activation=k) for w, k in zip(widths, kinds, strict=True)]
    return Plan(2, (*specs, Spec("dense", 1, activation=LINEAR)), tuple(range(len(specs) + 1)))


def thrice_tail(random: Random, large: bool) -> Plan:
    """As many ReLU neurons as three for each of three examples, or as narrow_tail."""
    if random.random() < 0.4:
        return narrow_tail(random, large)
    specs = (Spec("dense", 9, activation=RELU), Spec("dense", 1), Spec("dense", 1))
    return Plan(2, specs, (0, 1, 2))


def block_tail(random: Random, large: bool) -> Plan:
    """A linear ResNetFree block, behind nothing or a dense layer, before Fin or a dense layer."""
    before = (Spec("dense", random.randint(1, 3), activation=LINEAR),) * random.randint(0, 1)
    block = Spec("block", random.randint(1, 3), random.randint(1, 3))
    after = (Spec("dense", random.randint(1, 2), activation=LINEAR),) * random.randint(0, 1)
    pieces = (*before, block, *after, Spec("dense", 1, activation=LINEAR))
    return Plan(random.randint(1, 3), pieces, tuple(range(len(pieces))))


def single_block(random: Random, large: bool) -> Plan:
    """A ResNetFree block with one output, ReLU inside: as many neurons inside as examples."""
    count = random.choice((8, 10, 12)) if large else 10
    block = Spec("block", 1, count, activation=LINEAR, within=RELU)
    return Plan(count + 1, (block,), (0,))


def relu_layers(random: Random, large: bool) -> Plan:
    """A fully connected network, ReLU at the hidden vertices."""
    hidden = [random.randint(1, 3 if large else 2) for _ in range(random.choice((1, 1, 2)))]
    return _dense(random, random.randint(2, 3), hidden, 1)


def relu_then_linear(random: Random, large: bool) -> Plan:
    """A fully connected network, ReLU before its last layers, which are linear."""
    hidden = [random.randint(1, 2) for _ in range(random.choice((1, 2)))]
    return _dense(random, 2, hidden, random.randint(1, len(hidden) + 1))


def deep_then_linear(random: Random, large: bool) -> Plan:
    """The same with two ReLU layers, the first narrower than the input, and one or two linear
    layers: deep enough to be at rest on separable data."""
    last = random.choice((1, 2, 2))
    hidden = [2, random.randint(3, 4), *[2] * (last - 1)]
    return _dense(random, random.choice((3, 4)), hidden, last)


def _dense(random: Random, inputs: int, hidden: list[int], last: int) -> Plan:
    """Dense layers, the last `last` of which are linear."""
    depth = len(hidden) + 1
    kinds = [LINEAR if k >= depth - last else RELU for k in range(depth)]
    widths = [*hidden, 1]
    specs = tuple(Spec("dense", w, activation=k) for w, k in zip(widths, kinds, strict=True))
    return Plan(inputs, specs, tuple(range(depth)))
