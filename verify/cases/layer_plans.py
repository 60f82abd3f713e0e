"""Architectures of claims about low rank: eta, convolutions, blocks or dense layers, and Fin."""

from __future__ import annotations

from random import Random

from graphs.activations import LINEAR, RELU, Activation, leaky_relu
from verify.cases.networks_of_pieces import Plan, Spec

BENT = (RELU, RELU, RELU, RELU, Activation("abs"), leaky_relu(-2))


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


def last_matrices(random: Random, large: bool) -> Plan:
    """Linear dense layers of two neurons or more that (15) speaks of as printed: behind as many
    convolutions as there are of them, or before one neuron and Fin. eta is empty or has a layer of
    ReLU or of another bent activation."""
    top = 4 if large else 3
    eta = _bent(random, random.choice((4, 4, 9)))
    layers: list[Spec] = []
    if random.random() < 0.5:
        count = random.randint(1, 2 if large else 1)
        for number in range(count):
            size = (2,) if number == 0 else ()
            kernel = (random.randint(1, 2),) if number == 0 else (1,)
            layers.append(Spec("convolution", 2, size=size, kernel=kernel))
        layers += [Spec("dense", random.randint(2, top)) for _ in range(count)]
        inputs = 2 * random.randint(1, 2)
        eta = tuple(Spec("dense", inputs, activation=spec.activation) for spec in eta)
    else:
        layers += [Spec("dense", random.randint(2, top)) for _ in range(random.randint(1, top - 1))]
        layers.append(Spec("dense", 1))
        inputs = random.randint(2, top)
    return _behind(random, eta, layers, inputs)


def mixed_tail(random: Random, large: bool) -> Plan:
    """Linear layers of which (13) with the repaired constant says more than their rank does: dense
    ones and blocks that are matrices; nine neurons or more before a block; convolutions before one
    that is narrow. eta as in last_matrices, of widths that let rays have rational weights."""
    choice = random.random()
    if choice < 0.2:  # max dim W^[K+1] = 1: Fin reads one neuron
        root = random.choice((1, 2))
        first = Spec("convolution", 4, size=(root,), kernel=(1,))
        layers = [first, Spec("convolution", 1, kernel=(root,))]
        return _behind(random, _bent(random, 4 * root), layers, 4 * root)
    if choice < 0.4:  # 8^N_r = 8
        layers = [Spec("dense", 9), Spec("block", random.randint(1, 2), random.randint(1, 2))]
        return _behind(random, _bent(random, 9), layers, 9)
    layers = []
    if choice < 0.6:
        root = random.choice((1, 2))
        layers.append(Spec("convolution", random.choice((1, 4)), size=(root,), kernel=(root,)))
    for _ in range(random.randint(0 if layers else 1, 2)):
        if large and random.random() < 0.3:
            layers.append(Spec("block", random.randint(2, 3), random.randint(1, 3)))
        else:
            layers.append(Spec("dense", random.choice((2, 3, 4, 4))))
    return _behind(random, _bent(random, 4), layers, 4)


def _bent(random: Random, width: int) -> tuple[Spec, ...]:
    """No layer, or one with two slopes."""
    first = Spec("dense", width, activation=random.choice(BENT))
    return random.choice(((), (first,), (first,)))


def _behind(random: Random, eta: tuple[Spec, ...], layers: list[Spec], inputs: int) -> Plan:
    """eta, layers and Fin. inputs: where eta is empty."""
    pieces = (*eta, *layers, Spec("dense", 1))
    width = random.choice((2, 2, 3)) if eta else inputs
    return Plan(width, pieces, tuple(range(len(eta), len(pieces))))


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


def wide_then_linear(random: Random, large: bool) -> Plan:
    """The same with layers of two to five neurons, two linear ones at least, so that one of them is
    a matrix."""
    last = random.randint(2, 3)
    hidden = [random.randint(2, 5 if large else 3) for _ in range(last - 1 + random.randint(1, 2))]
    return _dense(random, random.randint(2, 3), hidden, last)


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
