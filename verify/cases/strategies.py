"""Small cases as strategies of Hypothesis: the architecture, the shape and every number drawn."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from graphs.composition import with_bias
from graphs.families import fully_connected
from graphs.strategies import (
    activations,
    generators,
    inputs_for,
    quick_networks,
    quick_rationals,
    weights_for,
)
from verify.cases.case import Case
from verify.cases.tensors import Tensor, Tensors
from verify.cases.transformations import make_dormant
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from graphs.network import Network
    from verify.cases.pool import Pool
    from verify.cases.tensor_pool import TensorPool

LABELS = st.sampled_from((Fraction(1), Fraction(-1)))
NUMBERS = quick_rationals()
SLOPES = NUMBERS.map(lambda slope: slope or Fraction(1))


@st.composite
def network_cases(draw: st.DrawFn, pool: Pool) -> Case:
    """Small cases of a pool of networks."""
    net = draw(_networks(pool))
    n = draw(st.sampled_from([k for k in pool.examples if k <= 3] or list(pool.examples)))
    random = draw(generators())
    case = Case(
        net,
        draw(weights_for(net, numbers=NUMBERS)),
        tuple(draw(inputs_for(net, numbers=NUMBERS)) for _ in range(n)),
        tuple(draw(LABELS) for _ in range(n)),
        PRESCRIBED,
        tuple(draw(SLOPES) for _ in range(n)),
        family="drawn by Hypothesis",
    )
    selection = draw(st.sampled_from(("", "dormant", "sliding"))) if pool.kinks else ""
    if selection == "dormant":
        case = make_dormant(case, random)
    elif selection == "sliding":
        case = case.choosing(selection="sliding")  # where: see verify.cases.sliding
    if pool.adapt is not None:
        case = pool.adapt(case, random)
    return case


def _networks(pool: Pool) -> st.SearchStrategy[Network]:
    if pool.families == ("fully connected",):
        chosen = activations(pool.activations)
        widths = st.lists(st.integers(1, 3), min_size=1, max_size=3)
        return st.builds(lambda w, a: fully_connected([*w, 1], a), widths, chosen)
    drawn = quick_networks(max_inputs=2, max_hidden=3, kinds=pool.activations)
    if pool.bias is None:
        return drawn
    return drawn.map(lambda net: with_bias(net, shared=pool.bias == "A"))


@st.composite
def drawn_tensors(draw: st.DrawFn, pool: TensorPool) -> Tensors:
    """Small instances of a pool of arrays."""
    axes = sorted({axis for _, names in pool.arrays for axis in names})
    lengths = {axis: draw(st.integers(1, min(3, pool.largest))) for axis in axes}
    parts = {}
    for name, names in pool.arrays:
        shape = tuple(lengths[axis] for axis in names)
        count = prod(shape)
        entries = draw(st.lists(NUMBERS, min_size=count, max_size=count))
        parts[name] = Tensor(names, shape, tuple(entries))
    for name, low, high in pool.integers:
        value = Fraction(draw(st.integers(low, high)))
        parts[name] = Tensor((), (), (value,), integer=True)
    case = Tensors(parts, family="drawn by Hypothesis")
    return case if pool.adapt is None else pool.adapt(case, draw(generators()))
