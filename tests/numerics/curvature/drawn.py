"""Random layered networks for the tests, and the same network as autograd sees it."""

import torch

from numerics.curvature.architectures import Architecture, Layer, dense_net, fully_connected
from numerics.curvature.networks import LayeredNetworks, draw, draw_masks
from numerics.curvature.passes import at_each_point
from numerics.curvature.products import gradient

SMOOTH = ("tanh", "sigmoid", "softplus", "gelu", "sin", "log_cosh", "quadratic", "cubic")


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def plain_value(kind, z):
    """Written a second time, from torch's own functions."""
    functions = torch.nn.functional
    named = {
        "linear": lambda z: z,
        "quadratic": lambda z: z * z,
        "cubic": lambda z: z * z * z,
        "tanh": torch.tanh,
        "sigmoid": torch.sigmoid,
        "softplus": functions.softplus,
        "gelu": functions.gelu,
        "sin": torch.sin,
        "log_cosh": lambda z: torch.log(torch.cosh(z)),
        "relu": torch.relu,
    }
    return named[kind](z)


def split(architecture, flat):
    """The matrices of flat weights over all edges, layer by layer, row by row."""
    sizes = [rows * columns for rows, columns in architecture.shapes]
    pieces = zip(flat.split(sizes), architecture.shapes, strict=True)
    return [part.view(shape) for part, shape in pieces]


def plain(networks, seed, flat, points, layer=None, neurons=False):
    """(N, d_layer): pre-activations or neurons of one network at weights (P,), vertex by vertex."""
    architecture, values, before = networks.architecture, [points], [points]
    weights = split(architecture, flat)
    for number, level in enumerate(architecture.layers, 1):
        mask = networks.masks[number - 1]
        weight = weights[number - 1]
        there = torch.ones_like(weight) if mask is None else mask[seed % len(mask)]
        reads = torch.cat([values[s] for s in level.sources], dim=1)
        columns = []
        for i in range(level.width):
            z = reads @ (weight[i] * there[i])
            if architecture.scaling == "ntk":
                z = z / (level.degree or there[i].sum().item()) ** 0.5
            if level.skips:
                source, other = level.skips[i]
                z = (
                    z
                    + (values if architecture.skip_from == "neurons" else before)[source][:, other]
                )
            columns.append(z)
        before.append(torch.stack(columns, dim=1))
        values.append(plain_value(level.activation, before[-1]))
    number = architecture.depth if layer is None else layer
    return values[number] if neurons else before[number]


def dense(networks, seed, points, scalar, **where):
    """The Hessian of scalar(values (N, d)) over edges, by torch.autograd.functional."""
    start = torch.cat([weight[seed].flatten() for weight in networks.weights])

    def function(flat):
        return scalar(plain(networks, seed, flat, points, **where))

    found = torch.autograd.functional.hessian(function, start)
    return found * edges(networks, seed)[:, None] * edges(networks, seed)[None, :]


def edges(networks, seed):
    parts = zip(networks.weights, networks.masks, strict=True)
    return torch.cat(
        [(torch.ones_like(w[0]) if m is None else m[seed % len(m)]).flatten() for w, m in parts]
    )


def architectures():
    """One of each kind."""
    skips = ((1, 2), (0, 1), (2, 0))
    return {
        "connected": fully_connected([3, 4, 4, 1], "tanh"),
        "standard": fully_connected([2, 5, 2], "softplus", scaling="standard"),
        "dense": dense_net([3, 3, 3, 3, 2], "sigmoid"),
        "nonlinear_output": fully_connected([2, 4, 2], "gelu", output="tanh"),
        "some_sources": Architecture(
            2, (Layer(3, (0,), "sin"), Layer(4, (0, 1), "log_cosh"), Layer(2, (1, 2), "linear"))
        ),
        "skips": Architecture(
            2,
            (
                Layer(3, (0,), "tanh"),
                Layer(3, (1,), "softplus"),
                Layer(3, (2,), "tanh", skips),
                Layer(1, (3,), "linear"),
            ),
        ),
        "skips_before": Architecture(
            2,
            (
                Layer(3, (0,), "tanh"),
                Layer(3, (1,), "softplus"),
                Layer(3, (2,), "tanh", skips),
                Layer(1, (3,), "linear"),
            ),
            skip_from="preactivations",
        ),
        "relu": dense_net([3, 4, 4, 1], "relu"),
    }


def networks_of(name, count=2, seed=0, dropped=False) -> LayeredNetworks:
    own = generator(seed)
    architecture = architectures()[name]
    masks = draw_masks(architecture, count, 0.6, own) if dropped else None
    return draw(architecture, count, own, masks=masks)


def points_of(networks, number=3, seed=1):
    shape = (networks.count, number, networks.architecture.inputs)
    return torch.randn(shape, generator=generator(seed), dtype=torch.float64)


def jacobian(networks, points, *, layer=None, vertex=0, neurons=False):
    """(S, N, P): the gradients of an output (or of another vertex) at points, by row."""
    return gradient(at_each_point(networks, points, layer=layer, vertex=vertex, neurons=neurons))
