"""Changes of a wiring: skip terms, a few bottlenecks, added edges (Appendices D and F of Zhu, Liu
and Belkin 2022)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch

from numerics.curvature.wirings import Wiring

SKIPS = ("index", "random", "one", "inputs")

Choice = Callable[[int, int], tuple[int, int]]
"""From a layer and a vertex (numbered from 0) to the layer and the vertex of its skip term."""


def skip(
    wiring: Wiring,
    choice: str | Choice = "index",
    generator: torch.Generator | None = None,
    *,
    first: int = 2,
    skip_from: str = "neurons",
) -> Wiring:
    """A skip term at each vertex of the hidden layers `first` to L - 1, not at the outputs.

    choice: "index" (vertex k of the layer before takes vertex k, as a ResNet does), "random" (any
    vertex of any earlier layer that is no input), "one" (all take vertex 0 of layer first - 1),
    "inputs" (vertex k takes input k mod d_0), or a function, which is A and B at once. skip_from:
    "neurons" (reading A) or "preactivations" (reading B).

    Raises ValueError for another choice, or "random" without a generator, or where there is no
    such vertex.
    """
    architecture, layers = wiring.architecture, list(wiring.architecture.layers)
    widths = architecture.widths
    for number in range(first, architecture.depth):
        width = widths[number]
        if callable(choice):
            found = [choice(number, vertex) for vertex in range(width)]
        elif choice == "index":
            found = [(number - 1, vertex % widths[number - 1]) for vertex in range(width)]
        elif choice == "one":
            found = [(first - 1, 0)] * width
        elif choice == "inputs":
            found = [(0, vertex % architecture.inputs) for vertex in range(width)]
        elif choice == "random" and generator is not None:
            pool = [(s, v) for s in range(1, number) for v in range(widths[s])]
            draws = torch.randint(len(pool), (width,), generator=generator)
            found = [pool[n] for n in draws.tolist()]
        else:
            raise ValueError(f"skips {choice!r}: one of {', '.join(SKIPS)} (random: a generator)")
        layers[number - 1] = replace(layers[number - 1], skips=tuple(found))
    changed = replace(architecture, layers=tuple(layers), skip_from=skip_from)
    return replace(wiring, architecture=changed)
