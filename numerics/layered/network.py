"""A network of layers, in a batch of B instances: values, gradients, tangents.

All weights are one float64 tensor (B, P), instance by instance; `views` names the matrices and
tensors in it. Where a pass takes `slopes`, the activation pattern is prescribed: the network is
then the polynomial in its weights that it is on that pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import torch

from numerics.layered.layers import Layer, Shape, has_kink, slopes_of
from numerics.layered.sites import Site, Term, sites_of


@dataclass(frozen=True)
class State:
    """What a pass found, by site: pre, post (B, n, width) and slopes of the same shape (None
    where the activation is linear). At the input, site 0, `pre` and `post` are the input."""

    pre: tuple[torch.Tensor, ...]
    post: tuple[torch.Tensor, ...]
    slopes: tuple[torch.Tensor | None, ...]

    @property
    def outputs(self) -> torch.Tensor:
        """(B, n, outputs)."""
        return self.post[-1]


class LayeredNetwork:
    """A sequence of layers on an input of a given shape.

    input_shape: (d,), or (channels, *size). Inputs are (n, d) for all instances or (B, n, d),
    flat, channels first. Everything else is float64 on the device of the weights.

    Raises ValueError, naming the layer, where one does not fit what is before it, and
    graphs.errors.NetworkError where a filter is larger than its padded input.

    >>> from numerics.layered.layers import Convolution, Dense
    >>> net = LayeredNetwork((1, 8, 8), [Convolution(2, 3, stride=2), Dense(5), Dense(1)])
    >>> net.shapes
    {'1.K': (2, 1, 3, 3), '2.W': (5, 18), '3.W': (1, 5)}
    """

    def __init__(self, input_shape: Sequence[int], layers: Sequence[Layer]) -> None:
        self.input_shape: Shape = tuple(input_shape)
        self.layers: tuple[Layer, ...] = tuple(layers)
        if not self.layers or not self.input_shape or min(self.input_shape) < 1:
            raise ValueError(
                f"{len(self.layers)} layers on the shape {self.input_shape}: give at least one "
                "layer, and a shape of positive sizes"
            )
        self.sites: tuple[Site, ...] = sites_of(self.input_shape, self.layers)

    def __repr__(self) -> str:
        return f"LayeredNetwork({self.input_shape}, {list(self.layers)})"

    # weights -------------------------------------------------------------------------------------
    @cached_property
    def shapes(self) -> dict[str, Shape]:
        """The shape of each weight tensor of one instance, by name, in their order."""
        terms = (term for site in self.sites for term in site.terms)
        return {t.name: t.map.shape for t in terms if t.name is not None and t.map.shape}

    @cached_property
    def offsets(self) -> dict[str, int]:
        """Where each weight tensor begins among the P parameters."""
        starts, total = {}, 0
        for name, shape in self.shapes.items():
            starts[name] = total
            total += prod(shape)
        return starts

    @cached_property
    def parameter_count(self) -> int:
        """P."""
        return sum(map(prod, self.shapes.values()))

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return self.sites[-1].width

    def views(self, weights: torch.Tensor) -> dict[str, torch.Tensor]:
        """The weight tensors (B, *shape) by name; views of (B, P)."""
        self._check(weights)
        return {
            name: weights[:, start : start + prod(self.shapes[name])].view(-1, *self.shapes[name])
            for name, start in self.offsets.items()
        }

    def joined(self, tensors: dict[str, torch.Tensor]) -> torch.Tensor:
        """(B, P) from the tensors by name, the inverse of `views`."""
        if tensors.keys() != self.shapes.keys():
            raise ValueError(
                f"tensors {sorted(tensors)}: this network has {', '.join(self.shapes)}"
            )
        return torch.cat([tensors[name].flatten(1) for name in self.shapes], dim=1)

    # passes --------------------------------------------------------------------------------------
    def forward(
        self, weights: torch.Tensor, inputs: torch.Tensor, slopes: torch.Tensor | None = None
    ) -> State:
        """The values at all sites. slopes: (B, n, U), as `pattern` gives them, or None for those
        of the pre-activations (right of 0 at 0)."""
        views = self.views(weights)
        x = self._expanded(inputs, len(weights))
        pre, post = [x], [x]
        used: list[torch.Tensor | None] = [None]
        given = self._by_site(slopes) if slopes is not None else {}
        for number, site in enumerate(self.sites[1:], start=1):
            z = _total([t.map.apply(_weights(t, views, x), post[t.source]) for t in site.terms])
            slope = given.get(number)
            if slope is None and has_kink(site.activation):
                left, right = slopes_of(site.activation)
                slope = torch.where(z < 0, left, right).to(z)
            pre.append(z)
            post.append(z if slope is None else slope * z)
            used.append(slope)
        return State(tuple(pre), tuple(post), tuple(used))

    def backward(
        self, weights: torch.Tensor, state: State, cotangents: torch.Tensor
    ) -> torch.Tensor:
        """(B, P): the gradient of the sum of cotangents * outputs. cotangents: (B, n, outputs),
        taken as constant."""
        views = self.views(weights)
        gradient = torch.zeros_like(weights)
        parts = self.views(gradient)
        through: list[torch.Tensor | None] = [None] * len(self.sites)
        through[-1] = cotangents
        for number in range(len(self.sites) - 1, 0, -1):
            above = through[number]
            if above is None:
                continue
            slope = state.slopes[number]
            g = above if slope is None else above * slope
            for term in self.sites[number].terms:
                if term.name is not None:
                    parts[term.name] += term.map.outer(g, state.post[term.source])
                if term.source:
                    pulled = term.map.pull(_weights(term, views, g), g)
                    seen = through[term.source]
                    through[term.source] = pulled if seen is None else seen + pulled
        return gradient

    def tangent(
        self, weights: torch.Tensor, state: State, direction: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """The rates of change of all pre-activations along `direction` (B, P), by site, with the
        slopes of the state."""
        views, along = self.views(weights), self.views(direction)
        rates = [torch.zeros_like(state.pre[0])]
        posts: list[torch.Tensor | None] = [None]
        for number, site in enumerate(self.sites[1:], start=1):
            terms = []
            for t in site.terms:
                moved = posts[t.source]
                if t.name is not None:
                    terms.append(t.map.apply(along[t.name], state.post[t.source]))
                if moved is not None:
                    terms.append(t.map.apply(_weights(t, views, moved), moved))
            rate = _total(terms) if terms else torch.zeros_like(state.pre[number])
            slope = state.slopes[number]
            rates.append(rate)
            posts.append(rate if slope is None else slope * rate)
        return tuple(rates)

    # patterns ------------------------------------------------------------------------------------
    @cached_property
    def kinked(self) -> tuple[int, ...]:
        """The sites whose activation has two slopes."""
        return tuple(s for s, site in enumerate(self.sites) if s and has_kink(site.activation))

    @cached_property
    def units(self) -> int:
        """U: the number of neurons at kinked sites."""
        return sum(self.sites[s].width for s in self.kinked)

    def at_kinks(self, by_site: Sequence[torch.Tensor]) -> torch.Tensor:
        """(B, n, U): the tensors of the kinked sites (pre-activations, their rates) as one."""
        if not self.kinked:
            return by_site[0].new_zeros((*by_site[0].shape[:2], 0))
        return torch.cat([by_site[s] for s in self.kinked], dim=2)

    def pattern(self, state: State) -> torch.Tensor:
        """(B, n, U): the slopes that a pass used at the kinked sites."""
        inner = state.slopes[1:]
        return self.at_kinks([state.pre[0], *(state.pre[0] if s is None else s for s in inner)])

    @cached_property
    def slope_pairs(self) -> torch.Tensor:
        """(U, 2): the slopes left and right of 0 at the neurons of the kinked sites."""
        pairs = [slopes_of(self.sites[s].activation) for s in self.kinked]
        widths = [self.sites[s].width for s in self.kinked]
        table = torch.tensor(pairs, dtype=torch.float64).view(-1, 2)
        return table.repeat_interleave(torch.tensor(widths, dtype=torch.int64), dim=0)

    def _by_site(self, slopes: torch.Tensor) -> dict[int, torch.Tensor]:
        widths = [self.sites[s].width for s in self.kinked]
        return dict(zip(self.kinked, slopes.split(widths, dim=2), strict=True))

    # checks --------------------------------------------------------------------------------------
    def _check(self, weights: torch.Tensor) -> None:
        if weights.ndim != 2 or weights.shape[1] != self.parameter_count:
            raise ValueError(
                f"weights have shape {tuple(weights.shape)}: give (instances, "
                f"{self.parameter_count})"
            )
        if weights.dtype != torch.float64:
            raise ValueError(f"weights are {weights.dtype}: give float64")

    def _expanded(self, inputs: torch.Tensor, instances: int) -> torch.Tensor:
        size = self.sites[0].width
        shared = inputs if inputs.ndim == 3 else inputs[None]
        if shared.ndim != 3 or shared.shape[2] != size or len(shared) not in (1, instances):
            raise ValueError(
                f"inputs have shape {tuple(inputs.shape)}: give (n, {size}) or "
                f"({instances}, n, {size})"
            )
        return shared.expand(instances, -1, -1)


def _weights(term: Term, views: dict[str, torch.Tensor], like: torch.Tensor) -> torch.Tensor:
    """The weights of a term; maps without weights do not look at what they are given."""
    return like if term.name is None else views[term.name]


def _total(terms: list[torch.Tensor]) -> torch.Tensor:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
