"""Families of networks by their width m: fully connected, DenseNets, random graphs, bottlenecks.

Each function takes m and gives a `Wiring` (graphs; weights are drawn from it); what it has besides
are the fields of `Setting`. Where graphs are random, `graphs` of them are drawn, one for each
network. The experiments are those of Zhu, Liu and Belkin (2022), Theorem 3.6, Appendices A and F.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Unpack

import torch
from torch import Tensor

from numerics.curvature.networks import draw_masks
from numerics.curvature.settings import Options, Setting
from numerics.curvature.wirings import Wiring


def power(m: int, exponent: float) -> int:
    """m^exponent, rounded up, but exact where it is whole.

    >>> power(16, 1.5), power(64, 2), power(10, 1.5)
    (64, 4096, 32)
    """
    return ceil(m**exponent - 1e-9)


def fcn(m: int, *, powers: Sequence[float] | None = None, **options: Unpack[Options]) -> Wiring:
    """Fully connected; hidden sizes m, or m^p for each of `powers` (which give the depth then).

    >>> fcn(16, powers=(1, 2, 1)).architecture.widths
    (8, 16, 256, 16, 1)
    """
    setting = Setting(**options)
    exponents = (1.0,) * (setting.depth - 1) if powers is None else powers
    return Wiring(setting.connected([power(m, p) for p in exponents]))


def densenet(m: int, **options: Unpack[Options]) -> Wiring:
    """Every vertex reads all vertices of all earlier layers; hidden sizes m."""
    setting = Setting(**options)
    return Wiring(setting.dense([m] * (setting.depth - 1)))


def densenet_drop(
    m: int,
    graphs: int,
    generator: torch.Generator,
    *,
    keep: float = 0.5,
    **options: Unpack[Options],
) -> Wiring:
    """DenseNets whose edges each stay with probability `keep`. The factors count what is left; the
    width is about keep times m, see `Wiring.width`. Vertices of the last hidden layer that the
    outputs do not read any more stay, and change nothing."""
    whole = densenet(m, **options).architecture
    return Wiring(whole, draw_masks(whole, graphs, keep, generator))


# random graphs -----------------------------------------------------------------------------------
def random_dag(
    m: int,
    graphs: int,
    generator: torch.Generator,
    *,
    most: float = 1.5,
    **options: Unpack[Options],
) -> Wiring:
    """Random layered graphs. Layer 1 has m^most vertices and reads all inputs, the later hidden
    layers have m/2. Each vertex of layer 2 or later draws its in-degree, m^t with t uniform in [1,
    most], and its parents among all earlier layers, one of them in the layer just before. The
    first vertex of layer 2 has in-degree m. Then a vertex that nothing reads takes the place of a
    parent that others read too.

    `most` is c of Zhu, Liu and Belkin's random_dag(c): 1, 3/2 or 2. A layer takes about 4 G
    m^(1 + most) bytes a matrix.

    Raises ValueError below three layers.
    """
    setting = Setting(**options)
    if (depth := setting.depth) < 3:
        raise ValueError(f"{depth} layers: 3 at least, so that the output need not read all")
    whole = setting.dense([power(m, most), *[ceil(m / 2)] * (depth - 2)])
    masks: list[Tensor | None] = [None]
    for number in range(2, depth + 1):
        masks.append(_random_parents(m, graphs, generator, most, whole.widths, number))
    wiring = Wiring(whole, tuple(masks))
    _read_all(wiring)
    return wiring


def _random_parents(
    m: int,
    graphs: int,
    generator: torch.Generator,
    most: float,
    widths: Sequence[int],
    number: int,
) -> Tensor:
    """(G, d, s): parents of layer `number` among the layers 0 to number - 1."""
    rows, columns, last = widths[number], sum(widths[:number]), widths[number - 1]
    exponents = 1 + (most - 1) * torch.rand(graphs, rows, generator=generator, dtype=torch.float64)
    if number == 2:
        exponents[:, 0] = 1.0
    degrees = (m**exponents).round().clamp(m, power(m, most)).to(torch.int64)
    scores = torch.rand(graphs, rows, columns, generator=generator, dtype=torch.float64)
    near = scores[..., columns - last :].argmin(dim=2, keepdim=True) + columns - last
    scores.scatter_(2, near, -1.0)  # uniform in the layer just before, and always taken
    chosen = scores.argsort(dim=2)
    taken = (torch.arange(columns) < degrees[..., None]).to(torch.float64)
    return torch.zeros_like(scores).scatter_(2, chosen, taken)


def _read_all(wiring: Wiring) -> None:
    """Change masks in place until each vertex before layer L is read."""
    depth, widths = wiring.architecture.depth, wiring.architecture.widths
    starts = [sum(widths[:layer]) for layer in range(depth + 1)]
    for graph in range(len(wiring.mask(depth))):
        masks = [wiring.mask(layer)[graph] for layer in range(2, depth + 1)]  # views
        out = torch.zeros(starts[-1], dtype=torch.float64)
        out[: starts[1]] = widths[1]  # all inputs are read by layer 1
        for mask in masks:
            out[: mask.shape[1]] += mask.sum(dim=0)
        for vertex in range(starts[1], starts[-1]):
            if out[vertex] == 0:
                layer = max(n for n in range(depth) if starts[n] <= vertex)
                _take_a_place(vertex, masks[max(layer - 1, 0) :], out, widths)


def _take_a_place(vertex: int, masks: Sequence[Tensor], out: Tensor, widths: Sequence[int]) -> None:
    """Let one of the readers in `masks` read the vertex, instead of a parent that others read; the
    nearest layer that has one, there the reader of most parents. A reader keeps what it has of the
    layer just before it where that is one vertex."""
    for mask in masks:
        free = mask * (out[: mask.shape[1]] >= 2)
        last = mask.shape[1] - _last_width(mask.shape[1], widths)
        if vertex < last:
            free[mask[:, last:].sum(dim=1) < 2, last:] = 0.0
        score = free * mask.sum(dim=1, keepdim=True)
        if bool(score.any()):
            reader, parent = divmod(int(score.argmax()), mask.shape[1])
            mask[reader, parent], mask[reader, vertex] = 0.0, 1.0
            out[parent] -= 1
            out[vertex] += 1
            return
    raise ValueError(f"vertex {vertex}: no edge is free for it")


def _last_width(columns: int, widths: Sequence[int]) -> int:
    """The size of the last of the layers that have `columns` vertices together."""
    layer = next(n for n in range(len(widths) + 1) if sum(widths[:n]) == columns)
    return widths[layer - 1]
