"""Hypothesis strategies for networks, weights and inputs.

Networks are drawn structurally: vertex after vertex, each with the set of its parents, a parent
being named by how far back it lies. To shrink, Hypothesis deletes vertices (a chain contracts),
deletes parents (edges), and moves parents nearer; then it shrinks the numbers. Drawn from a seed
instead, a network would not shrink at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, isqrt
from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from graphs.activations import PIECEWISE_LINEAR, SMOOTH, Activation, leaky_relu
from graphs.composition import numbered
from graphs.network import Network, network

ALL_KINDS = PIECEWISE_LINEAR + SMOOTH
Weights = tuple[Fraction, ...]


def activations(kinds: Sequence[str] = PIECEWISE_LINEAR) -> SearchStrategy[Activation]:
    """Activations of the given kinds, shrinking towards the first; leaky slopes lie in (0, 1)."""

    def of_kind(kind: str) -> SearchStrategy[Activation]:
        if kind == "leaky_relu":
            slopes = st.integers(2, 10).flatmap(
                lambda q: st.integers(1, q - 1).map(lambda p: Fraction(p, q))
            )
            return slopes.map(leaky_relu)
        return st.just(Activation(kind))

    return st.one_of([of_kind(kind) for kind in kinds])


HOMOGENEOUS = activations()


def rationals(
    max_numerator: int = 6, max_denominator: int = 4, *, zero: bool = True
) -> SearchStrategy[Fraction]:
    """Rationals p/q with |p| and q bounded, shrinking towards small integers.

    zero: whether 0 may be drawn.
    """
    least = 0 if zero else 1
    magnitudes = st.builds(
        Fraction, st.integers(least, max_numerator), st.integers(1, max_denominator)
    )
    return st.builds(lambda size, minus: -size if minus else size, magnitudes, st.booleans())


def generators() -> SearchStrategy[Random]:
    """Seeded generators. Hypothesis draws the seed alone: `st.randoms` draws every number that is
    asked of it, which costs more than most of what is done with them."""
    return st.integers(0, 2**16).map(Random)


def quick_rationals(max_numerator: int = 6, max_denominator: int = 4) -> SearchStrategy[Fraction]:
    """The same numbers as `rationals`, as often, in one draw instead of three: for searches in
    which drawing is the larger part of the work. They come from an ascending list: neighbours in it
    are near each other, which suits a search that climbs, and they do not shrink."""
    return st.sampled_from(_listed(max_numerator, max_denominator))


@cache
def _listed(max_numerator: int, max_denominator: int) -> list[Fraction]:
    """Every sign * p/q, as often as it can be written so, ascending."""
    ways = product((1, -1), range(max_numerator + 1), range(1, max_denominator + 1))
    return sorted(Fraction(sign * p, q) for sign, p, q in ways)


@st.composite
def networks(
    draw: DrawFn,
    *,
    max_inputs: int = 3,
    max_hidden: int = 4,
    max_outputs: int = 1,
    activations: SearchStrategy[Activation] = HOMOGENEOUS,
    output: SearchStrategy[Activation] | None = None,
    sharing: bool = False,
    fixed: bool = False,
    constants: bool = False,
    scaling: bool = False,
) -> Network:
    """Networks on any DAG in which every vertex lies on a path from an input to an output.

    The vertices are x1, ..., h1, ..., o (o1, ... where there are several). Edges may skip, also
    from inputs to outputs. output: the outputs' activations (default: `activations`). sharing,
    fixed, constants, scaling: whether edges may share parameters, edges may have fixed weights,
    inputs may be held constant (not all of them), vertices may have scales.
    """
    inputs = [f"x{k + 1}" for k in range(draw(st.integers(1, max_inputs)))]
    # no number here depends on another, so that any vertex can be deleted by itself
    distances = st.sets(st.integers(0, max_inputs + max_hidden - 1), min_size=1, max_size=4)
    drawn = draw(st.lists(st.tuples(distances, activations), max_size=max_hidden))
    hidden = [f"h{k + 1}" for k in range(len(drawn))]
    outputs = numbered("o", draw(st.integers(1, max_outputs)))
    parents: dict[str, list[str]] = {}
    tails = list(inputs)
    for name, (back, _) in zip(hidden, drawn, strict=True):
        parents[name] = _parents(tails, back)
        tails.append(name)
    for name in outputs:
        parents[name] = _parents(tails, draw(distances))
    read = {tail for some in parents.values() for tail in some}
    parents[outputs[-1]] += [tail for tail in tails if tail not in read]
    edges = [(tail, head) for head, some in parents.items() for tail in some]
    held = draw(st.sets(st.sampled_from(edges))) if fixed else set()
    names = st.sampled_from([None, "k1", "k2"])
    shared = {edge: draw(names) for edge in edges if edge not in held} if sharing else {}
    final = activations if output is None else output
    return network(
        edges,
        inputs=inputs,
        outputs=outputs,
        activations={
            **{name: kind for name, (_, kind) in zip(hidden, drawn, strict=True)},
            **{name: draw(final) for name in outputs},
        },
        fixed={edge: draw(rationals()) for edge in edges if edge in held},
        parameters={edge: name for edge, name in shared.items() if name is not None},
        constants=_some(draw, inputs[1:], rationals()) if constants else None,
        scale_squares=_some(draw, hidden + outputs, _positive()) if scaling else None,
        title="drawn network",
    )


@st.composite
def quick_networks(
    draw: DrawFn,
    max_inputs: int = 2,
    max_hidden: int = 3,
    kinds: Sequence[str] = PIECEWISE_LINEAR,
) -> Network:
    """Small networks as of `networks`, with one output and nothing shared, in few draws: for each
    vertex one for the set of its parents and one for its activation. They do not shrink well."""
    tails = [f"x{k + 1}" for k in range(draw(st.integers(1, max_inputs)))]
    inputs, chosen = list(tails), _some_activations(tuple(kinds))
    hidden = draw(st.integers(0, max_hidden))
    kind_of, edges = {}, []
    for name in [*(f"h{k + 1}" for k in range(hidden)), "o"]:
        mask = draw(st.integers(1, (1 << len(tails)) - 1))
        edges += [(tail, name) for bit, tail in enumerate(tails) if mask >> bit & 1]
        kind_of[name] = draw(chosen)
        tails.append(name)
    read = {tail for tail, _ in edges}
    edges += [(tail, "o") for tail in tails[:-1] if tail not in read]
    return network(edges, inputs=inputs, outputs=["o"], activations=kind_of, title="drawn network")


@cache
def _some_activations(kinds: tuple[str, ...]) -> SearchStrategy[Activation]:
    found = []
    for kind in kinds:
        slopes = (Fraction(1, 2), Fraction(1, 10)) if kind == "leaky_relu" else (None,)
        found += [Activation(kind, slope) for slope in slopes]
    return st.sampled_from(found)


def weights_for(
    net: Network,
    max_numerator: int = 6,
    max_denominator: int = 4,
    *,
    zero: bool = True,
    numbers: SearchStrategy[Fraction] | None = None,
) -> SearchStrategy[Weights]:
    """P weights, small rationals (see `rationals`), or whatever `numbers` draws. zero: whether a
    weight may be 0."""
    drawn = rationals(max_numerator, max_denominator, zero=zero) if numbers is None else numbers
    return st.tuples(*[drawn] * net.parameter_count)


def inputs_for(
    net: Network,
    max_numerator: int = 6,
    max_denominator: int = 4,
    *,
    numbers: SearchStrategy[Fraction] | None = None,
) -> SearchStrategy[Weights]:
    """An input x, one rational for each free input, of Euclidean norm at most 1 (exactly).
    numbers: what draws them, see `weights_for`.

    A vector that is too long is divided by the least integer that makes it short enough.
    """
    drawn = rationals(max_numerator, max_denominator) if numbers is None else numbers
    return st.tuples(*[drawn] * len(net.free_inputs)).map(_shortened)


@st.composite
def weighted_networks(
    draw: DrawFn, nets: SearchStrategy[Network] | None = None, *, zero: bool = True
) -> tuple[Network, Weights]:
    """Networks (default: any that `networks` draws) with weights. zero: as for `weights_for`."""
    net = draw(networks() if nets is None else nets)
    return net, draw(weights_for(net, zero=zero))


def _parents(earlier: Sequence[str], distances: Iterable[int]) -> list[str]:
    """The vertices that lie so far back (0: the last one), counted round where there are fewer."""
    places = {distance % len(earlier) for distance in distances}
    return [earlier[-1 - place] for place in sorted(places, reverse=True)]


def _shortened(x: Weights) -> Weights:
    square = sum((number * number for number in x), Fraction(0))
    if square <= 1:
        return x
    divisor = isqrt(ceil(square) - 1) + 1  # the least whose square is at least that
    return tuple(number / divisor for number in x)


def _positive() -> SearchStrategy[Fraction]:
    return rationals(zero=False).map(abs)


def _some(
    draw: DrawFn, names: Sequence[str], values: SearchStrategy[Fraction]
) -> dict[str, Fraction]:
    """Values for some of the names."""
    return draw(st.dictionaries(st.sampled_from(names), values)) if names else {}
