"""A pass up and one down, both linearised (the R-operator).

For an objective g(w) = sum_n phi_n(z_v(w; x_n)) of pre-activations (or neurons) of a layer, with
p_l = s V_l f and q_l = V_l^T (s zbar) for a direction V, the R-operator (Pearlmutter 1994) goes
up with R z_l = p_l + s W R f, down with R zbar_l = sigma' R fbar + sigma'' fbar R z and
R fbar = (s W)^T R zbar_l + q_l, and the product is R(s zbar) f^T + (s zbar) R f^T, summed over
points. The direction enters by p and q alone: numerics.curvature.point_operators builds on
that.

Axes: S networks, K lanes (objectives or directions of one network), N points.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.curvature.hops import Chain, down, joined, row, skip_down, skip_up, times
from numerics.curvature.passes import Pass


def linearised(
    found: Pass, p: Sequence[Tensor | None], q: Sequence[Tensor | None]
) -> tuple[Chain, Chain]:
    """R(s zbar_l) and R f read by layer l, for l = 1 to L, from p_l (S, K, N, d_l) and q_l
    (S, K, N, s_l) of the module's docstring; None is 0."""
    networks, objective = found.networks, found.objective
    layers = networks.architecture.layers
    r_neurons: Chain = [None]
    r_before: Chain = [None]
    r_reads: Chain = []
    for number, layer in enumerate(layers[: objective.layer], 1):
        z = p[number - 1]
        if any(r_neurons[source] is not None for source in layer.sources):
            r_reads.append(joined(r_neurons, layer.sources, found.neurons))
            moved = times(r_reads[-1], networks.matrices[number - 1].mT)  # type: ignore[arg-type]  # just set
            z = moved if z is None else z + moved
        else:
            r_reads.append(None)
        if layer.skips:
            z = torch.zeros_like(found.preactivations[number - 1]) if z is None else z
            z = skip_up(networks, number, z, r_neurons, r_before)
        r_before.append(z)
        r_neurons.append(None if z is None else z * found.slopes[number - 1])
    r_gradients = _linearised_down(found, r_neurons, r_before, q)
    r_reads += [None] * (len(layers) - len(r_reads))
    return r_gradients, r_reads


def _linearised_down(
    found: Pass, r_neurons: Chain, r_before: Chain, q: Sequence[Tensor | None]
) -> Chain:
    networks, objective = found.networks, found.objective
    upstream: Chain = [None] * (len(q) + 1)
    direct: Chain = [None] * (len(q) + 1)
    top = (r_neurons if objective.neurons else r_before)[objective.layer]
    if objective.curvatures is not None and top is not None:
        seed = objective.curvatures.to(networks.device) * top
        (upstream if objective.neurons else direct)[objective.layer] = seed
    r_gradients: Chain = [None] * len(q)
    for number in range(objective.layer, 0, -1):
        gradient, above, z = direct[number], upstream[number], r_before[number]
        if above is not None:
            share = above * found.slopes[number - 1]
            gradient = share if gradient is None else gradient + share
        first = found.upstream[number - 1]
        if first is not None and z is not None:
            share = found.seconds[number - 1] * first * z
            gradient = share if gradient is None else gradient + share
        back = q[number - 1]
        if gradient is not None:
            r_gradients[number - 1] = gradient * row(networks.scales[number - 1])
            skip_down(networks, number, gradient, upstream, direct)
            if number > 1:
                share = times(gradient, networks.matrices[number - 1])
                back = share if back is None else back + share
        if back is not None and number > 1:
            down(networks, number, back, upstream)
    return r_gradients


def widened(found: Pass, lanes: int) -> Pass:
    """The same one-lane pass for `lanes` directions at once."""

    def wide(parts: Sequence[Tensor | None]) -> list:
        return [None if part is None else part.expand(-1, lanes, -1, -1) for part in parts]

    return Pass(
        found.networks,
        found.objective,
        *(
            wide(parts)
            for parts in (
                found.neurons,
                found.preactivations,
                found.slopes,
                found.seconds,
                found.reads,
                found.gradients,
                found.upstream,
            )
        ),
    )
