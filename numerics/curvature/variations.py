"""Changes of a wiring: skip terms, a few bottlenecks, added edges (Appendices D and F of Zhu, Liu
and Belkin 2022)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import torch

from numerics.curvature.wirings import Wiring

SKIPS = ("index", "random", "one", "inputs")
PARENTS = ("same", "different", "random")

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


def few_bottlenecks(
    wiring: Wiring,
    narrow: Mapping[int, int],
    *,
    degree: int = 1,
    parents: str = "same",
    generator: torch.Generator | None = None,
) -> Wiring:
    """Narrow the first `narrow[layer]` vertices of each layer named to in-degree `degree`. They
    keep, of the layer just before: its first vertices, all of them the "same", or "different"
    ones (vertex k from k times degree on, modulo the size), or "random" ones.

    Raises ValueError where a layer has fewer vertices, or reads fewer of the layer before, or for
    other parents.
    """
    if parents not in PARENTS or (parents == "random" and generator is None):
        raise ValueError(f"parents {parents!r}: one of {', '.join(PARENTS)} (random: a generator)")
    for layer, number in narrow.items():
        mask, place = wiring.mask(layer).clone(), wiring.columns(layer)[layer - 1]
        size = place.stop - place.start
        if number > mask.shape[1] or degree > size:
            raise ValueError(f"layer {layer}: {number} of {mask.shape[1]}, {degree} of {size}")
        mask[:, :number] = 0.0
        for vertex in range(number):
            if parents == "random":
                kept = torch.randperm(size, generator=generator)[:degree]
            else:
                start = vertex * degree if parents == "different" else 0
                kept = (start + torch.arange(degree)) % size
            mask[:, vertex, place.start + kept] = 1.0
        wiring = wiring.with_mask(layer, mask)
    return wiring


def added_edges(
    wiring: Wiring,
    layer: int,
    degree: int,
    generator: torch.Generator,
    *,
    spared: int = 0,
) -> Wiring:
    """All vertices of a layer but the first `spared` read `degree` more vertices, chosen at random
    among all earlier layers that the layer does not read.

    Raises ValueError where it reads all, or these have fewer vertices.
    """
    architecture = wiring.architecture
    old = architecture.layers[layer - 1]
    new = tuple(source for source in range(layer) if source not in old.sources)
    pool = sum(architecture.widths[source] for source in new)
    if pool < max(degree, 1):
        raise ValueError(f"layer {layer}: {degree} more of {pool}")
    before, places = wiring.mask(layer), wiring.columns(layer)
    scores = torch.rand(old.width, pool, generator=generator, dtype=torch.float64)
    chosen = scores.argsort(dim=1)[:, :degree]
    more = torch.zeros_like(scores).scatter_(1, chosen, 1.0)
    more[:spared] = 0.0
    parts, at = [], 0
    for source in range(layer):
        width = architecture.widths[source]
        if source in places:
            parts.append(before[:, :, places[source]])
        else:
            parts.append(more[None, :, at : at + width].expand(len(before), -1, -1))
            at += width
    layers = list(architecture.layers)
    layers[layer - 1] = replace(old, sources=tuple(range(layer)))
    masks = list(wiring.masks)
    masks[layer - 1] = torch.cat(parts, dim=2)
    changed = replace(architecture, layers=tuple(layers))
    return replace(wiring, architecture=changed, masks=tuple(masks))
