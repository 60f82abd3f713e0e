"""Gradient descent on the square loss along ladders of widths: kernels, Hessians, distances.

Full batch, a step of 1 / lambda_max(K(w_0)), data points with entries in [-1, 1] that do not depend
on the width: two classes of handwritten digits (blocks of pixels, over the largest), or drawn once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks

DATA_SEED = 20220511
SMALL = 0.01  # of the loss at the start: where training may stop
MEASURED = 20  # looks along a run


@cache
def data_points(name: str, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """(N, d_0) inputs with entries in [-1, 1] and (N,) labels 1 and -1, by "digits" or "made"."""
    import torch

    if name == "digits":
        from numerics.data import digits

        found = digits((0, 1), count, side=4)
        inputs = torch.from_numpy(found.input_array / found.input_array.max())
        return inputs, torch.from_numpy(found.label_array)
    random = np.random.default_rng(DATA_SEED)
    inputs = torch.from_numpy(random.uniform(-1, 1, (count, 8)))
    return inputs, torch.from_numpy(np.resize([1.0, -1.0], count))


def networks_of(
    kind: str,
    width: int,
    inputs: int,
    count: int,
    generator: torch.Generator,
    *,
    depth: int = 3,
    activation: str = "tanh",
    output: str = "linear",
) -> LayeredNetworks:
    """S networks: "dropped" (DenseNets with each edge there with probability 1/2), "fcn" or
    "random" (random_dag). Raises ValueError for another name."""
    from numerics.curvature import families

    more = {"depth": depth, "inputs": inputs, "activation": activation, "output": output}
    if kind == "dropped":
        wiring = families.densenet_drop(width, count, generator, **more)  # type: ignore[arg-type]  # by name
    elif kind == "fcn":
        wiring = families.fcn(width, **more)  # type: ignore[arg-type]  # the same
    elif kind == "random":
        wiring = families.random_dag(width, count, generator, most=1.0, **more)  # type: ignore[arg-type]  # the same
    else:
        raise ValueError(f"family {kind!r}: unknown")
    return wiring.draw(count, generator)


def descended(
    networks: LayeredNetworks,
    points: torch.Tensor,
    targets: torch.Tensor,
    steps: int,
    *,
    neurons: bool = False,
) -> dict[str, torch.Tensor]:
    """Along one run of each of S networks, (S,): the largest change of the kernel over its norm,
    the largest distance, the least lambda_min(K) and its largest change, and the last loss over
    the first one.

    neurons: whether the output has an activation. Stops where every loss is SMALL of its first.
    """
    import torch

    from numerics.curvature.products import tangent_kernels
    from numerics.curvature.square_loss import SquareLoss
    from numerics.training import after, descent

    first = tangent_kernels(networks, points, neurons=neurons)
    eigenvalues = torch.linalg.eigvalsh(first)
    size, start = eigenvalues[:, -1], networks.flat()
    change = torch.zeros_like(size)
    distance, least = torch.zeros_like(size), eigenvalues[:, 0]
    moved_least = torch.zeros_like(size)
    loss = SquareLoss(networks, points, targets, neurons)
    begun, looks = loss.values(start), max(1, steps // MEASURED)
    course = descent(loss.gradients, [start], 1 / size)
    next(course)  # the start
    for _ in range(0, steps, looks):
        (here,) = after(looks - 1, course)
        kernel = tangent_kernels(networks.with_flat(here), points, neurons=neurons)
        moved = torch.linalg.matrix_norm(kernel - first, ord=2) / size
        change = torch.maximum(change, moved)
        distance = torch.maximum(distance, (here - start).norm(dim=1))
        now = torch.linalg.eigvalsh(kernel)[:, 0]
        least = torch.minimum(least, now)
        moved_least = torch.maximum(moved_least, (now - eigenvalues[:, 0]).abs())
        left = loss.values(here) / begun
        if bool((left < SMALL).all()):
            break
    return {
        "change": change,
        "distance": distance,
        "least": least,
        "moved least": moved_least,
        "loss": left,
    }


CHANGE = "Delta K(m)"


def kernel_change(
    data: str,
    count: int,
    steps: int,
    width: int,
    seeds: int,
    generator: np.random.Generator,
) -> Mapping[str, np.ndarray]:
    """Figure 2: the largest relative change of the kernel in training."""
    from numerics.curvature.wirings import generator_of

    own, (points, targets) = generator_of(generator), data_points(data, count)
    networks = networks_of("dropped", width, points.shape[1], seeds, own)
    return {CHANGE: descended(networks, points, targets, steps)["change"].numpy()}


DISTANCE, REACHED = "largest |w_t - w_0|", "largest |w_t - w_0| over (2 L(w_0) / lambda_min)^(1/2)"


def path_length(
    kind: str, activation: str, width: int, seeds: int, generator: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """The largest distance from the start in training to four made points, and its share of the
    length (2 L(w_0) / mu)^(1/2) of a gradient flow under mu-PL*, mu = lambda_min(K(w_0))."""
    import torch

    from numerics.curvature.passes import forward
    from numerics.curvature.products import tangent_kernels
    from numerics.curvature.wirings import generator_of

    own, (points, targets) = generator_of(generator), data_points("made", 4)
    networks = networks_of(kind, width, points.shape[1], seeds, own, depth=2, activation=activation)
    rest = forward(networks, points).preactivations[-1].flatten(1) - targets
    least = torch.linalg.eigvalsh(tangent_kernels(networks, points))[:, 0]
    found = descended(networks, points, targets, 200)
    length = rest.norm(dim=1) / least.sqrt()  # 2 L = |r|^2
    values = {DISTANCE: found["distance"], REACHED: found["distance"] / length}
    return {name: tensor.numpy() for name, tensor in values.items()}


EIGENVALUE = "change of lambda_min(K) over |H_f| at the start"


def eigenvalue_change(
    kind: str, activation: str, width: int, seeds: int, generator: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """The largest change of lambda_min(K) in training to four made points, over the largest |H_f|
    of the points at the start."""
    from numerics.curvature.norms import hessian_norms
    from numerics.curvature.passes import at_each_point
    from numerics.curvature.wirings import generator_of

    own, (points, targets) = generator_of(generator), data_points("made", 4)
    networks = networks_of(kind, width, points.shape[1], seeds, own, depth=2, activation=activation)
    found = descended(networks, points, targets, 200)
    curved = hessian_norms(
        at_each_point(networks, points), own, certificate="nothing", tolerance=1e-2
    )
    return {EIGENVALUE: (found["moved least"] / curved.eigenvalue.abs().amax(dim=1)).numpy()}
