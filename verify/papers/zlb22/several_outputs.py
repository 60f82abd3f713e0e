"""Corollary C.1: the Hessian of several outputs as a tensor, its norm and its rate.

The norm of the tensor is approached from below, alternating between the pair of weight vectors and
the vector of outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Exponents, Family
from verify.language.building import Sum, Tensor, Vector, dim, dot, norm, upto
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.appendix_k import slice_of
from verify.papers.zlb22.contrasts import OF_OUTPUTS, contrasts_of
from verify.papers.zlb22.hessian_rates import SETTING, halved
from verify.papers.zlb22.settings import Setting
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.width_hypotheses import OUTPUTS as HYPOTHESES
from verify.papers.zlb22.width_hypotheses import Looked
from verify.statements.derivations.symbols import TWO_INDICES, same
from verify.statements.stated import pool_with, stated

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks

TENSOR = "|H_f| of the tensor, largest seen"
ROUNDS = 3  # of the alternation


# the inequality ----------------------------------------------------------------------------------
H, U, V, S = Tensor("H", "k", "p", "q"), Vector("u", "p"), Vector("v", "q"), Vector("s", "k")
EACH_OUTPUT = upto(dim(S))
FORM = Sum(EACH_OUTPUT, lambda k: S[k] * dot(U, slice_of(H, k) @ V))
BY_OUTPUTS = norm(S) * norm(U) * norm(V) * Sum(EACH_OUTPUT, lambda k: norm(slice_of(H, k))) >= FORM


def by_each_output() -> Argument:
    """Each term is at most |s| |u| |v| |H_k|."""
    ring = ring_of(4)
    a, b, c, d = ring.generators
    cauchy = (a * a + b * b) * (c * c + d * d) - (a * c + b * d) ** 2
    rest, square = a * a + b * b - a * a, (a * d - b * c) ** 2
    return Argument(
        "u^T H_k v is at most |u| |H_k v|, that at most |u| |H_k| |v|, and |s_k| at most |s|: so "
        "each term of the sum is at most |s| |u| |v| |H_k|",
        (
            same(ring, "|u|^2 |w|^2 - (u.w)^2 is a square, w = H_k v", cauchy, square),
            Step("|s|^2 - s_k^2 is the sum of the other squares", ring.is_zero(rest - b * b)),
        ),
        (TWO_INDICES, "|H v| is at most |H| |v|, the definition of the spectral norm"),
        uses=(),
        section="docs/mathematics/zlb22.md#several-outputs",
    )


# the rate ----------------------------------------------------------------------------------------
def of_tensors(
    setting: Setting, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """The largest norm of the tensor at the centre and at both ends of its leading direction in
    the ball, of S networks."""
    measure = partial(_of_tensor, setting.radius)
    return ladders.in_chunks(measure, partial(setting.wiring, width), seeds, generator)


def _of_tensor(
    radius: float, networks: LayeredNetworks, generator: torch.Generator
) -> dict[str, np.ndarray]:
    import torch

    sizes, top = tensor_norms(networks, generator)
    found = [sizes]
    for sign in (1.0, -1.0):
        moved = networks.with_flat(networks.flat() + sign * radius * top)
        found.append(tensor_norms(moved, generator)[0])
    return {TENSOR: torch.stack(found).amax(dim=0).numpy()}


def tensor_norms(
    networks: LayeredNetworks, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """(S,): a lower bound of the norm of the tensor at the input of the ladders, and (S, P): a
    unit vector u = v at which it is reached. For fixed s the form is that of the symmetric matrix
    sum_k s_k H_k; for fixed u = v the best s is along the numbers v^T H_k v. From each single
    output, and from all with one weight."""
    import torch

    from numerics.curvature.norms import NOTHING, hessian_norms
    from numerics.curvature.passes import Objective, backward, forward
    from numerics.curvature.products import hessian_products

    layers = networks.architecture
    outputs, seen = layers.layers[-1].width, forward(networks, ladders.target_of().points)
    unit = torch.eye(outputs, dtype=torch.float64)
    best = torch.zeros(networks.count, dtype=torch.float64)
    place = torch.zeros_like(networks.flat())
    starts = [*unit, torch.ones(outputs, dtype=torch.float64) / outputs**0.5]
    for start in starts:
        s = start.expand(networks.count, outputs)
        for _ in range(ROUNDS):
            objective = Objective(layers.depth, s[:, None, None, :])
            there = backward(seen, objective)
            found = hessian_norms(
                there, generator, certificate=NOTHING, tolerance=ladders.ROUGH, steps=60
            )
            size, vectors = found.eigenvalue[:, 0].abs(), found.leading()[:, 0]
            better = size > best
            best = torch.where(better, size, best)
            place = torch.where(better[:, None], vectors, place)
            forms = []
            for one in unit:
                alone = backward(seen, Objective(layers.depth, one[None, None, None]))
                product = hessian_products(alone, vectors[:, None])[:, 0]
                forms.append((product * vectors).sum(dim=1))
            s = torch.stack(forms, dim=1)
            s = s / torch.linalg.vector_norm(s, dim=1, keepdim=True)
    return best, place


def tensor_of_one_layer(at: Looked, generator: torch.Generator) -> dict[str, np.ndarray]:
    """The norm of the tensor at the centre, of networks with one hidden layer, in closed form: the
    tensor splits into blocks, one a hidden neuron, with v_i the weights from neuron i to the
    outputs, z_i its pre-activation and rho = |x| / sqrt(d_0), so the norm is m^(-1/2) times the
    largest (rho^2 |v_i| |sigma''(z_i)| + sqrt(rho^4 |v_i|^2 sigma''(z_i)^2 + 4 rho^2
    sigma'(z_i)^2)) / 2."""
    import torch

    from numerics.curvature.passes import forward

    points, networks = at.target.points, at.networks
    seen = forward(networks, points)
    first, second = (part[0][:, 0, 0] for part in (seen.slopes, seen.seconds))
    rho = points.square().mean().sqrt()
    bent = torch.linalg.vector_norm(networks.weights[1], dim=1) * second.abs() * rho**2
    whole = (bent + (bent.square() + 4 * rho**2 * first.square()).sqrt()) / 2
    return {TENSOR: (whole.amax(dim=1) / networks.architecture.widths[1] ** 0.5).numpy()}


OUTPUTS = (
    ("fcn", 2, "softplus", ladders.DEEP),
    ("densenet", 4, "softplus", ladders.DEAR),
)
MORE_OUTPUTS = (*OUTPUTS, ("fcn", 10, "tanh", ladders.DEAR))


def with_outputs(scale: int) -> Sequence[Family]:
    """Families with several outputs."""
    return tuple(
        ladders.family_of(of_tensors, Setting(kind, 3, activation, radius, outputs), widths)
        for kind, outputs, activation, widths in (MORE_OUTPUTS if scale == 2 else OUTPUTS)
        for radius in ladders.RADII[scale]
    )


CLAIMS = (
    stated(
        "zlb22.corC.1.norm",
        printed("Appendix C, Corollary C.1"),
        "the norm of the tensor against the sum over outputs",
        r"$\lVert\mathbf H_f\rVert=\sup_{\lVert u\rVert=\lVert v\rVert=\lVert s\rVert=1}"
        r"\sum_ks_k\,u^TH_{f_k}v\le\sum_k\lVert H_{f_k}\rVert$: for all vectors "
        r"$\sum_ks_ku^TH_kv\le\lVert s\rVert\lVert u\rVert\lVert v\rVert\sum_k\lVert H_k\rVert$.",
        BY_OUTPUTS,
        pool=pool_with(H, U, V, S, largest=3),
        proof=by_each_output,
    ),
    Claim(
        "zlb22.corC.1.rate",
        Kind.RATE,
        printed("Appendix C, Corollary C.1"),
        "several outputs",
        SETTING + r"if $d_L=O(1)$, then $\lVert\mathbf H_f(\mathbf w)\rVert=\tilde O(1/\sqrt m)$.",
        HYPOTHESES,
        ("zlb22.corC.1.norm", "zlb22.thm3.6@A"),
        exponents=Exponents(
            with_outputs,
            (halved(TENSOR),),
            scope=(
                "one input of 4 entries in [-1, 1], the same at every width",
                "at the centre, and in the ball at both ends of the leading direction there",
            ),
            contrasts=partial(contrasts_of, OF_OUTPUTS, tensor_of_one_layer),
        ),
    ),
)
