"""Appendix E: the convolutional example (33) as a network with shared weights (32).

`x` (a, Q) are the input channels, `K` (c, a, q) the filters over the square root of a q, `s` the
coefficients of the activation, `O` (c, Q) the weights of the output over the square root of c Q.
Position t of the filter j stands over t + j - (q - 1) // 2; what lies outside of the signal is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from verify.cases.tensor_pool import MANNERS, TensorPool
from verify.cases.tensors import Tensor as Dense
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.kinds.dags.pool import polynomial
from verify.language.building import (
    Each,
    Let,
    Matrix,
    Sum,
    Tensor,
    Vector,
    When,
    ceil,
    cols,
    dot,
    floor,
    row,
    rows,
    unfold,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.zlb22.dag_notation import polynomial as polynomial_at
from verify.papers.zlb22.forward_passes import Symbols
from verify.papers.zlb22.sources import printed
from verify.statements.stated import stated

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


# terms --------------------------------------------------------------------------------------------
SIGNAL = Matrix("x", "a", "Q", meaning="the input channels")
TAPS = Tensor("K", "c", "a", "q", meaning="the filters over the root of their length")
LAST_WEIGHTS = Matrix("O", "c", "Q", meaning="the weights of the output over the root of c Q")
SIGMA = Vector("s", "k", meaning="coefficients of the activation, the constant one first")
SIZE, LENGTH, FILTERS = rows(unfold(TAPS, 3)), cols(SIGNAL), upto(rows(LAST_WEIGHTS))
CHANNELS, PLACES = upto(rows(SIGNAL)), upto(LENGTH)
BEFORE = floor((SIZE - 1) / 2)  # how far a window reaches to the left


def tap(k: Term, channel: Term, j: Term) -> Term:
    """An entry of the filter k."""
    return unfold(TAPS, 1)[k, (channel - 1) * SIZE + j]


def by_convolution(k: Term, t: Term) -> Term:
    """(33): the sum over the signal, with the taps that stand over it."""

    def at_place(channel: Term, place: Term) -> Term:
        j = place - t + 1 + BEFORE
        return When((j >= 1) & (j <= SIZE), tap(k, channel, j) * SIGNAL[channel, place], 0)

    return Sum(CHANNELS, lambda channel: Sum(PLACES, lambda place: at_place(channel, place)))


def incoming_neurons(t: Term) -> Term:
    """(32): f_S of the copy t: what the window stands over, 0 outside of the signal."""

    def entry(number: Term) -> Term:
        channel = ceil(number / SIZE)
        place = t + (number - (channel - 1) * SIZE) - 1 - BEFORE
        return When((place >= 1) & (place <= LENGTH), SIGNAL[channel, place], 0)

    return vector(rows(SIGNAL) * SIZE, entry)


def by_shared_weights(k: Term, t: Term) -> Term:
    """(32): one weight vector for all copies of a neuron."""
    return dot(row(unfold(TAPS, 1), k), incoming_neurons(t))


def hidden(pre: Callable[[Term, Term], Term], k: Term, t: Term) -> Term:
    """The value of a hidden neuron."""
    return Let(pre(k, t), lambda z: polynomial_at(SIGMA, z))


def output(pre: Callable[[Term, Term], Term]) -> Term:
    """The inner product of the last weights with all hidden neurons."""
    return Sum(FILTERS, lambda k: Sum(PLACES, lambda t: LAST_WEIGHTS[k, t] * hidden(pre, k, t)))


BOTH_FORMS = Each(
    FILTERS,
    lambda k: Each(
        PLACES, lambda t: hidden(by_convolution, k, t) == hidden(by_shared_weights, k, t)
    ),
) & (output(by_convolution) == output(by_shared_weights))


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
            parts[name] = Dense(axes, shape, tuple(numbers))
        sigma = tuple(polynomial(lengths["k"], random))
        parts["s"] = Dense(("k",), (lengths["k"],), sigma)
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
        (),
        (
            f"1 to {SIZES[0]} input channels, filters of length 1 to {SIZES[1]}",
            f"signals of length 1 to {SIZES[2]}; any number of filters, any activation",
        ),
        section="docs/mathematics/zlb22.md#convolution",
    )


CLAIMS = (
    stated(
        "zlb22.thmE.1.conv",
        printed("Appendix E, eqs (32), (33)"),
        "1-D convolution as a network with shared weights",
        r"1-D convolution, $f^{(\ell)}=\sigma\big((m^{(\ell-1)}q)^{-1/2}\,W^{(\ell)}*f^{(\ell-1)}"
        r"\big)$, window size $q$, stride 1, zero padding that keeps the length $Q$, $f_k^{(L)}="
        r"(m^{(L-1)}Q)^{-1/2}\langle W_k^{(L)},f^{(L-1)}\rangle$, is a special case of "
        r"$\tilde f_{k,t}^{(\ell)}=(m_k^{(\ell)})^{-1/2}(\mathbf w_k^{(\ell)})^T"
        r"f_{S_{k,t}^{(\ell)}}$, where entries of $f_{S_{k,t}^{(\ell)}}$ may be 0 (zero padding). "
        "(One hidden layer; the product does not turn the window round, as in networks.)",
        BOTH_FORMS,
        depends=("zlb22.def2.2",),
        pool=ConvolutionPool(),
        exact_only=True,
        proof=forms_listed,
    ),
)
