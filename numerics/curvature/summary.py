"""How curved a given network is at given points: values, gradients, Hessians and their blocks, and
the tangent kernel, of every output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graphs.network import Network
from numerics.conversion import UNIT
from numerics.curvature.conversion import from_network, levels
from numerics.curvature.networks import LayeredNetworks
from numerics.curvature.norms import HessianNorms, hessian_norms
from numerics.curvature.passes import Pass, at_each_point
from numerics.curvature.products import blocks, gradient, hessians

BLOCKS_SIZE = 500  # weights; the blocks of a larger Hessian are left out
BLOCKS_LAYERS = 40  # likewise, of a deeper network


@dataclass(frozen=True)
class OutputCurvature:
    """Of one output, for S draws of the weights at N points, (S, N) unless said otherwise.

    values, gradients: f and |grad f|. hessians: enclosures of |H_f|. blocks: (S, N, layers,
    layers), norms of the blocks by the layers of the weights, rounding not counted; None where
    there are more than BLOCKS_SIZE weights or BLOCKS_LAYERS layers. kernel: (S, N),
    the eigenvalues of the tangent kernel, ascending; each is off by at most `rounding` (S,), an
    allowance that is stated, not proved.
    """

    name: str
    values: Tensor
    gradients: Tensor
    hessians: HessianNorms
    blocks: Tensor | None
    kernel: Tensor
    rounding: Tensor


@dataclass(frozen=True)
class Summary:
    """layers: the names of the vertices that weights of each layer lead to. outputs: in order."""

    parameters: int
    layers: tuple[tuple[str, ...], ...]
    outputs: tuple[OutputCurvature, ...]


def curvature(
    graph: Network,
    weights: Sequence[Sequence[float]],
    points: Sequence[Sequence[float]],
    seed: int = 0,
) -> Summary:
    """The curvature of a network at points (N times free inputs), for weights (S times P).

    Raises ValueError as numerics.curvature.conversion.from_network does.
    """
    networks, members = from_network(graph, weights), levels(graph)
    place = {v: (number, i) for number, row in enumerate(members) for i, v in enumerate(row)}
    all_points = torch.tensor([_with_constants(graph, x) for x in points], dtype=torch.float64)
    generator = torch.Generator().manual_seed(seed)
    outputs = []
    for v in graph.outputs:
        layer, vertex = place[v]
        found = at_each_point(networks, all_points, layer=layer, vertex=vertex, neurons=True)
        outputs.append(_of_output(graph.names[v], networks, found, vertex, generator))
    layers = tuple(tuple(graph.names[v] for v in row) for row in members[1:])
    return Summary(len(weights[0]), layers, tuple(outputs))


def _with_constants(graph: Network, x: Sequence[float]) -> list[float]:
    free = iter(x)
    return [next(free) if held is None else float(held) for held in graph.constants]


def _of_output(
    name: str, networks: LayeredNetworks, found: Pass, vertex: int, generator: torch.Generator
) -> OutputCurvature:
    layer = found.objective.layer
    slopes = gradient(found)
    kernel = slopes @ slopes.mT
    size = slopes.shape[2]
    few = size <= BLOCKS_SIZE and layer <= BLOCKS_LAYERS
    rounding = 4 * (size + len(kernel[0])) * UNIT * kernel.diagonal(dim1=1, dim2=2).sum(dim=1)
    return OutputCurvature(
        name,
        found.neurons[layer][:, :, 0, vertex],
        torch.linalg.vector_norm(slopes, dim=2),
        hessian_norms(found, generator),
        _block_norms(networks, found) if few else None,
        torch.linalg.eigvalsh(kernel),
        rounding,
    )


def _block_norms(networks: LayeredNetworks, found: Pass) -> Tensor:
    rows = [
        torch.stack([torch.linalg.matrix_norm(block, ord=2) for block in strip], dim=-1)
        for strip in blocks(networks, hessians(found))
    ]
    return torch.stack(rows, dim=-2)


# shown -------------------------------------------------------------------------------------------
def as_json(summary: Summary) -> dict[str, Any]:
    """All numbers; lists over draws, then points."""
    outputs = [
        {
            "output": one.name,
            "value": one.values.tolist(),
            "gradient_norm": one.gradients.tolist(),
            "hessian_norm": {
                "lower": one.hessians.lower.tolist(),
                "upper": one.hessians.upper.tolist(),
                "certificate": one.hessians.certificate,
                "failure": one.hessians.failure,
            },
            "hessian_blocks": None if one.blocks is None else one.blocks.tolist(),
            "tangent_kernel": {
                "eigenvalues": one.kernel.tolist(),
                "rounding": one.rounding.tolist(),
            },
        }
        for one in summary.outputs
    ]
    layers = [list(names) for names in summary.layers]
    return {"parameters": summary.parameters, "layers": layers, "outputs": outputs}


def as_text(summary: Summary, points: Sequence[str]) -> str:
    """For a terminal. points: as they are to be named."""
    draws = summary.outputs[0].values.shape[0]
    lines = [f"{summary.parameters} weights"]
    if draws > 1:
        lines[0] += f", {draws} draws of them: geometric mean, smallest to largest"
    for one in summary.outputs:
        lines += ["", f"output {one.name}"]
        for k, point in enumerate(points):
            lines += [f"  at {point}", *_at_point(one, k)]
            if one.blocks is not None:
                lines += _block_lines(summary.layers, one.blocks[:, k])
        if len(points) > 1:
            lines.append(
                f"  tangent kernel of the {len(points)} points: smallest eigenvalue "
                f"{_spread(one.kernel[:, 0])}, largest {_spread(one.kernel[:, -1])}, each up to "
                f"{float(one.rounding.max()):.1g}"
            )
    lines += ["", "Bounds are for activations and their derivatives as computed in float64."]
    return "\n".join(lines) + "\n"


def _at_point(one: OutputCurvature, k: int) -> list[str]:
    norms = one.hessians
    lower, upper = norms.lower[:, k], norms.upper[:, k]
    how = "certified" if norms.certificate == "cholesky" else norms.certificate
    if norms.failure:
        how = f"from above with probability 1 - {norms.failure:g}"
    if len(lower) == 1:
        norm = f"between {float(lower):.10g} and {float(upper):.10g} ({how})"
    else:
        widest = float((upper - lower).max())
        norm = f"{_spread(lower)}, each {how} within {widest:.1g}"
    slopes = one.gradients[:, k]
    ratio = torch.where(slopes > 0, upper / slopes, torch.inf)
    return [
        f"    value            {_spread(one.values[:, k])}",
        f"    |grad|           {_spread(one.gradients[:, k])}",
        f"    |H|              {norm}",
        f"    |H| over |grad|  {_spread(ratio)}",
    ]


def _block_lines(layers: Sequence[Sequence[str]], norms: Tensor) -> list[str]:
    """The upper half, blocks of norm 0 left out."""
    lines = ["    blocks of H by the vertices that the weights lead to:"]
    for a, first in enumerate(layers):
        for b, second in enumerate(layers[a:], a):
            if bool((norms[:, a, b] > 0).any()):
                lines.append(f"      {_named(first)} x {_named(second)}: {_spread(norms[:, a, b])}")
    return lines if len(lines) > 1 else []


def _named(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{names[0]} .. {names[-1]}"


def _spread(values: Tensor) -> str:
    if len(values) == 1:
        return f"{float(values):.6g}"
    low, high = float(values.min()), float(values.max())
    if low > 0:
        return f"{float(values.log().mean().exp()):.4g} ({low:.3g} to {high:.3g})"
    return f"{low:.3g} to {high:.3g}"
