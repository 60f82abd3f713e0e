"""The pool of cases that claims are tried on: architectures, weights, data, losses, corners.

A pool says what a claim speaks of; `draw` makes one random case of it. Ugly points are drawn on
purpose: zero weights, points at kinks, repeated and zero examples, one label only, very unequal
scales, dormant vertices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any

from graphs.activations import ABS, LINEAR, RELU, SMOOTH, Activation, leaky_relu
from graphs.composition import (
    compose,
    linear_head,
    single_output,
    with_bias,
    without_dead_ends,
)
from graphs.convolutions import convolution
from graphs.families import bottleneck, dense_net, fully_connected, random_tree
from graphs.network import Network
from graphs.random_graphs import drop_edges, layered_random_dag, random_dag
from graphs.residual import residual_block
from verify.cases.case import Case
from verify.cases.transformations import make_dormant, random_rational
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

ACTIVATIONS: dict[str, Activation] = {
    "linear": LINEAR,
    "relu": RELU,
    "leaky_relu": leaky_relu(Fraction(1, 10)),
    "abs": ABS,
    **{kind: Activation(kind) for kind in SMOOTH},
}
HOMOGENEOUS_MIX = ("linear", "relu", "leaky_relu", "abs")
RELU_MIX = ("linear", "relu")


@dataclass(frozen=True)
class Pool:
    """What cases a claim speaks of.

    families: names in FAMILIES. activations: kinds to mix. examples: the numbers of examples.
    losses: named losses for float trials (exact work prescribes slopes). bias: None, or the
    reading (A shared, B own) by which biases are added. largest: roughly how many hidden vertices
    a large draw has (claims that enumerate paths stay small). kinks: whether to draw points at
    kinks, dormant vertices among them. adapt: a last change of every case, for claims about
    special shapes.
    """

    families: tuple[str, ...] = (
        "fully connected",
        "random DAG",
        "layered DAG",
        "tree",
        "dense",
        "residual",
        "convolution",
        "composition",
        "dropped edges",
        "bottleneck",
    )
    activations: tuple[str, ...] = HOMOGENEOUS_MIX
    examples: tuple[int, ...] = (1, 2, 3, 4, 6)
    losses: tuple[str, ...] = (PRESCRIBED, "squared", "logistic", "exponential")
    bias: str | None = None
    largest: int = 8
    kinks: bool = False
    adapt: Callable[[Case, Random], Case] | None = None

    def drawn(self) -> SearchStrategy[Case]:
        """Small cases for the guided search."""
        from verify.cases.strategies import network_cases

        return network_cases(self)

    def named(self, random: Random) -> Iterator[Case]:
        """The named architectures with real data."""
        from verify.cases.named_architectures import named_cases

        return named_cases(self, random)

    def symbolic(self) -> Iterator[Case]:
        """Architectures that the expanded engine looks at instead of all small networks."""
        return iter(())

    def scope(self) -> tuple[str, ...]:
        """The numbers of examples."""
        return (f"n in {set(self.examples)}",)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The last change of every case."""
        return {} if self.adapt is None else {"adapt": self.adapt}

    def draw(self, random: Random, *, n: int, loss: str, large: bool = True) -> Case:
        """One random case with n examples (hypotheses are repaired and tested elsewhere)."""
        family = random.choice(self.families)
        net = FAMILIES[family](random, self.largest if large else 3, self)
        if self.bias is not None:
            vertices = [name for v, name in enumerate(net.names) if v not in net.inputs]
            chosen = [name for name in vertices if random.random() < 0.7] or [net.names[-1]]
            net = with_bias(net, chosen, shared=self.bias == "A")
        return self.fill(net, random, n=n, loss=loss, family=family)

    def fill(self, net: Network, random: Random, *, n: int, loss: str, family: str) -> Case:
        """A case on a given network: random weights, data and slopes, sometimes a corner."""
        slopes = tuple(random_rational(random) for _ in range(n)) if loss == PRESCRIBED else ()
        case = Case(
            net,
            random_weights(net, random),
            random_data(len(net.free_inputs), n, random),
            random_labels(n, random),
            loss,
            slopes,
            family=family,
        )
        if self.kinks and random.random() < 0.25:
            case = make_dormant(case, random)
        elif self.kinks and random.random() < 0.25:
            case = case.choosing(selection="sliding")  # where: see verify.cases.sliding
        if self.adapt is not None:
            case = self.adapt(case, random)
        return case


def activation_of(pool: Pool, random: Random) -> Activation:
    """One of the pool's activations; leaky ReLU with one of three slopes."""
    kind = random.choice(pool.activations)
    if kind == "leaky_relu":
        return leaky_relu(random.choice((Fraction(1, 10), Fraction(1, 4), Fraction(1, 2))))
    return ACTIVATIONS[kind]


# families -----------------------------------------------------------------------------------
def _widths(random: Random, largest: int, *, last: int = 1) -> list[int]:
    layers = random.randint(1, 4)
    top = max(1, min(5, largest // 2 + 1))
    return [random.randint(1, 3), *(random.randint(1, top) for _ in range(layers - 1)), last]


def _fully_connected(random: Random, largest: int, pool: Pool) -> Network:
    widths = _widths(random, largest)
    hidden = [activation_of(pool, random) for _ in widths[1:-1]]
    return fully_connected(widths, hidden or LINEAR, _output(random, pool))


def _output(random: Random, pool: Pool) -> Activation:
    return LINEAR if random.random() < 0.7 else activation_of(pool, random)


def _mixed(net: Network, random: Random, pool: Pool) -> Network:
    """Draw the activation of every hidden vertex by itself (in half of the cases), or one."""
    one = activation_of(pool, random)
    several = random.random() < 0.5
    chosen = {net.names[v]: activation_of(pool, random) if several else one for v in net.inner}
    chosen |= {net.names[v]: _output(random, pool) for v in net.outputs}
    return net.with_activations(chosen)


def _random_dag(random: Random, largest: int, pool: Pool) -> Network:
    hidden = random.randint(0, largest)
    net = random_dag(random, random.randint(1, 4), hidden, random.uniform(0.2, 0.8))
    return _mixed(net, random, pool)


def _layered(random: Random, largest: int, pool: Pool) -> Network:
    net = layered_random_dag(random, [*_widths(random, largest)], random.uniform(0.4, 1.0))
    return _mixed(net, random, pool)


def _tree(random: Random, largest: int, pool: Pool) -> Network:
    return _mixed(random_tree(random, random.randint(1, max(2, largest - 2))), random, pool)


def _dense(random: Random, largest: int, pool: Pool) -> Network:
    blocks = [random.randint(1, 2) for _ in range(random.randint(1, 2))]
    return _mixed(dense_net(random.randint(1, 2), random.randint(1, 2), blocks), random, pool)


def _residual(random: Random, largest: int, pool: Pool) -> Network:
    variant = random.choice(("identity", "diagonal", "free"))
    a, b = random.randint(1, 3), random.randint(1, 3)
    c = random.randint(1, 3) if variant == "free" else a
    inner, outer = activation_of(pool, random), activation_of(pool, random)
    block = residual_block(variant, a, b, c, inner, outer)
    return linear_head(block)


def _convolution(random: Random, largest: int, pool: Pool) -> Network:
    kernel = random.randint(1, 3)
    size = random.randint(kernel, kernel + 2)
    channels = (random.randint(1, 2), random.randint(1, 2))
    stride = random.randint(1, 2)
    padding = random.randint(0, 1) if kernel > 1 else 0
    net = convolution(
        size, channels, kernel, stride, padding, activation=activation_of(pool, random)
    )
    if random.random() < 0.5:  # a layer with parameters of its own behind the shared ones
        behind = [len(net.outputs), random.randint(1, 3), 1]
        net = compose(net, fully_connected(behind, activation_of(pool, random)))
    return without_dead_ends(single_output(net))


def _composition(random: Random, largest: int, pool: Pool) -> Network:
    middle = random.randint(1, 3)
    first = fully_connected([random.randint(1, 2), middle], LINEAR, activation_of(pool, random))
    block = residual_block(
        "free",
        middle,
        random.randint(1, 2),
        random.randint(1, 2),
        activation_of(pool, random),
        activation_of(pool, random),
    )
    return linear_head(compose(first, block))


def _dropped(random: Random, largest: int, pool: Pool) -> Network:
    base = random.choice((_fully_connected, _dense, _layered))(random, largest, pool)
    return drop_edges(base, random, random.uniform(0.1, 0.5))


def _bottleneck(random: Random, largest: int, pool: Pool) -> Network:
    wide = random.randint(2, 3)
    return _mixed(bottleneck([random.randint(1, 3), wide, 1, wide, 1]), random, pool)


FAMILIES: dict[str, Callable[[Random, int, Pool], Network]] = {
    "fully connected": _fully_connected,
    "random DAG": _random_dag,
    "layered DAG": _layered,
    "tree": _tree,
    "dense": _dense,
    "residual": _residual,
    "convolution": _convolution,
    "composition": _composition,
    "dropped edges": _dropped,
    "bottleneck": _bottleneck,
}


# weights and data ---------------------------------------------------------------------------------
MANNERS = ("generic", "generic", "integer", "positive", "equal", "scales", "zeros")


def random_weights(net: Network, random: Random) -> tuple[Fraction, ...]:
    """Rational weights in one of several manners: generic, integers, one sign, equal up to sign,
    unequal scales, or with zeros."""
    manner = random.choice(MANNERS)
    weights = [random_rational(random) for _ in range(net.parameter_count)]
    if manner == "integer":
        weights = [Fraction(w.numerator) for w in weights]
    elif manner == "positive":
        weights = [abs(w) for w in weights]
    elif manner == "equal":
        size = abs(random_rational(random))
        weights = [size if w > 0 else -size for w in weights]
    elif manner == "scales":
        weights = [w * Fraction(4) ** random.randint(-4, 4) for w in weights]
    elif manner == "zeros":
        weights = [Fraction(0) if random.random() < 0.2 else w for w in weights]
    return tuple(weights)


def random_data(width: int, n: int, random: Random) -> tuple[tuple[Fraction, ...], ...]:
    """n rational points of norm at most 1: generic, with zeros, collinear, or repeated."""
    manner = random.choice(("generic", "generic", "sparse", "collinear", "repeated", "positive"))
    rows = [random_point(width, random, manner) for _ in range(n)]
    if manner == "collinear":
        rows = [
            tuple(value * Fraction(random.randint(-4, 4), 4) for value in rows[0]) for _ in rows
        ]
    elif manner == "repeated":
        rows = [rows[0] if random.random() < 0.5 else row for row in rows]
    return tuple(rows)


def random_point(width: int, random: Random, manner: str = "generic") -> tuple[Fraction, ...]:
    """A rational point of norm at most 1: integers over an integer not below their norm."""
    numbers = [random.randint(-5, 5) for _ in range(width)]
    if manner == "sparse":
        numbers = [0 if random.random() < 0.4 else value for value in numbers]
    elif manner == "positive":
        numbers = [abs(value) for value in numbers]
    square = sum(value * value for value in numbers)
    norm = isqrt(square)
    norm += norm * norm < square
    return tuple(Fraction(value, max(norm, 1)) for value in numbers)


def random_labels(n: int, random: Random) -> tuple[Fraction, ...]:
    """n labels in {-1, 1}; sometimes all equal."""
    if random.random() < 0.2:
        return (Fraction(random.choice((-1, 1))),) * n
    return tuple(Fraction(random.choice((-1, 1))) for _ in range(n))
