"""Appendix E: the convolutional example (33) as a network with shared weights (32).

`x` (a, Q) are the input channels, `K` (c, a, q) the filters over the square root of a q, `s` the
coefficients of the activation, `O` (c, Q) the weights of the output over the square root of c Q.
Position t of the filter j stands over t + j - (q - 1) // 2; what lies outside of the signal is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import mul
from random import Random
from typing import Any

from verify.cases.scenes import Entries
from verify.cases.tensor_pool import MANNERS, TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.dags.pool import polynomial
from verify.papers.zlb22.digraphs import Labelled
from verify.papers.zlb22.forward_passes import Symbols, polynomial_value
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import each_case

ZERO = Fraction(0)
Signal = Sequence[Any]


def convolved(filters: Sequence[Signal], channels: Sequence[Signal], zero: Any) -> list[Any]:
    """(33): one output channel, (Q,): filters and channels as polynomials in a shift, multiplied,
    of which the middle Q coefficients are kept. A filter is turned round, as in networks."""
    length, size = len(channels[0]), len(filters[0])
    total = [zero] * (length + size - 1)
    for taps, channel in zip(filters, channels, strict=True):
        for j, tap in enumerate(reversed(taps)):
            for t, entry in enumerate(channel):
                total[t + j] = total[t + j] + tap * entry
    start = size - 1 - (size - 1) // 2
    return total[start : start + length]


def incoming(channels: Sequence[Signal], t: int, size: int, zero: Any) -> list[Any]:
    """(32): f_S of the copy t, (a q,): what the filter stands over, 0 outside of the signal."""
    length = len(channels[0])
    places = [t + j - (size - 1) // 2 for j in range(size)]
    return [ch[place] if 0 <= place < length else zero for ch in channels for place in places]


def shared(weights: Signal, channels: Sequence[Signal], size: int, zero: Any) -> list[Any]:
    """(32): the pre-activations of all copies of a neuron, with one weight vector (a q,)."""
    return [
        sum((w * f for w, f in zip(weights, incoming(channels, t, size, zero), strict=True)), zero)
        for t in range(len(channels[0]))
    ]


def _rows(array: Tensor) -> list[Any]:
    """Nested lists of an array with two or three axes."""
    entries: list[Any] = list(array.entries)
    for length in reversed(array.shape[1:]):
        entries = [entries[k : k + length] for k in range(0, len(entries), length)]
    return entries


def convolution_and_sharing(scene: object) -> Entries:
    """The values of hidden neurons and the output, by convolution minus by shared weights."""
    return each_case(_both_forms, scene)


def _both_forms(case: Tensors) -> Labelled:
    channels, filters, ends = (_rows(case.arrays[name]) for name in ("x", "K", "O"))
    sigma, size = list(case.arrays["s"].entries), case.lengths["q"]
    one, other = [], []
    for taps in filters:
        by_shift = convolved(taps, channels, ZERO)
        weights = [tap for row in taps for tap in row]
        copies = shared(weights, channels, size, ZERO)
        one.append([polynomial_value(sigma, z) for z in by_shift])
        other.append([polynomial_value(sigma, z) for z in copies])
    found: Labelled = [
        ({"entry": [k, t]}, one[k][t] - other[k][t])
        for k in range(len(one))
        for t in range(len(one[0]))
    ]
    weights = [w for row in ends for w in row]
    sides = ([f for row in values for f in row] for values in (one, other))
    first, second = (sum(map(mul, weights, side), ZERO) for side in sides)
    return [*found, ({"part": "output"}, first - second)]


# pool ---------------------------------------------------------------------------------------------
AXES = (("x", ("a", "Q")), ("K", ("c", "a", "q")), ("O", ("c", "Q")), ("s", ("k",)))


@dataclass(frozen=True)
class ConvolutionPool(TensorPool):
    """Small convolutional networks."""

    arrays: tuple[tuple[str, tuple[str, ...]], ...] = AXES

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        lengths = {"a": random.randint(1, 2), "c": random.randint(1, 2)}
        lengths |= {"q": random.randint(1, 4), "Q": random.randint(1, 6 if large else 4)}
        lengths["k"] = random.randint(2, 4)
        parts = {}
        for name, axes in AXES:
            shape = tuple(lengths[axis] for axis in axes)
            numbers = MANNERS[random.choice(sorted(MANNERS))](shape, random)
            parts[name] = Tensor(axes, shape, tuple(numbers))
        sigma = tuple(polynomial(lengths["k"], random))
        parts["s"] = Tensor(("k",), (lengths["k"],), sigma)
        return Tensors(parts, family="convolution")

    def scope(self) -> tuple[str, ...]:
        """Sizes."""
        return ("1 to 2 channels in and out, filters of length 1 to 4, signals of length 1 to 6",)


# argument -----------------------------------------------------------------------------------------
SIZES = (2, 4, 6)  # channels, length of a filter, of a signal, at most


def forms_listed() -> Argument:
    """All small sizes, in symbols: equal pre-activations, so equal values of any activation."""
    steps = []
    for channels, size, length in product(*(range(1, most + 1) for most in SIZES)):
        symbols = Symbols(channels * (size + length))
        taps = [[symbols.new() for _ in range(size)] for _ in range(channels)]
        signals = [[symbols.new() for _ in range(length)] for _ in range(channels)]
        one = convolved(taps, signals, symbols.zero)
        other = shared([tap for row in taps for tap in row], signals, size, symbols.zero)
        holds = all(symbols.is_zero(a - b) for a, b in zip(one, other, strict=True))
        text = f"{channels} channels, filter {size}, signal {length}: the pre-activations are equal"
        steps.append(Step(text, holds))
    return Argument(
        "for all small sizes the pre-activations of a channel are the same polynomials in filters "
        "and signals",
        tuple(steps),
        (
            "equal pre-activations have equal values, which are all that later layers see",
            "longer filters, longer signals and more input channels are not looked at",
        ),
        "convolution_and_sharing",
        (),
        (
            f"1 to {SIZES[0]} input channels, filters of length 1 to {SIZES[1]}",
            f"signals of length 1 to {SIZES[2]}; any number of filters, any activation",
        ),
        section="docs/mathematics/zlb22.md#convolution",
    )


CLAIMS = (
    Claim(
        "zlb22.thmE.1.conv",
        Kind.IDENTITY,
        printed("Appendix E, eqs (32), (33)"),
        "1-D convolution as a network with shared weights",
        r"1-D convolution, $f^{(\ell)}=\sigma\big((m^{(\ell-1)}q)^{-1/2}\,W^{(\ell)}*f^{(\ell-1)}"
        r"\big)$, window size $q$, stride 1, zero padding that keeps the length $Q$, $f_k^{(L)}="
        r"(m^{(L-1)}Q)^{-1/2}\langle W_k^{(L)},f^{(L-1)}\rangle$, is a special case of "
        r"$\tilde f_{k,t}^{(\ell)}=(m_k^{(\ell)})^{-1/2}(\mathbf w_k^{(\ell)})^T"
        r"f_{S_{k,t}^{(\ell)}}$, where entries of $f_{S_{k,t}^{(\ell)}}$ may be 0 (zero padding). "
        "(One hidden layer; the product does not turn the window round, as in networks.)",
        (),
        ("zlb22.def2.2",),
        measure=convolution_and_sharing,
        pool=ConvolutionPool(),
        exact_only=True,
        proof=forms_listed,
    ),
)
