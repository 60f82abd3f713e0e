"""Theorem 3.8 for every pre-activation: each by itself, as a rate; and all of them at once, on a
family of linear networks whose number of outputs is not bounded by any power of the width.

The family. One input x = 1, hidden layers of M^p and M^q neurons, exp(M^a) outputs, activations
the identity: f_k = (M^p M^q)^(-1/2) sum_j v_kj sum_i W_ji u_i. The column of H_(f_k) that belongs
to u_i has the squared norm (|v_k|^2 + |W e_i|^2) / (M^p M^q). Over k the largest |v_k|^2 is at
least of order M^max(a, q): its mean is M^q, and of exp(M^a) independent standard normal numbers
v_k1 one exceeds (M^a / 2)^(1/2) but for a probability that falls like exp(-exp(M^a / 3)), since
P(|g| > s) is above exp(-s^2) / 4 for s >= 1. All in-degrees are at most M^max(p, q), the width is
M^min(p, q).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.exponents import Exponents, Family
from verify.papers.j23.sides import Side, by_numbers
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.hessian_rates import SCOPE, SETTING, halved
from verify.papers.zlb22.orders import about, among, exponents_named
from verify.papers.zlb22.settings import Setting
from verify.papers.zlb22.sources import printed
from verify.tensors import Tensors

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks


# each by itself ----------------------------------------------------------------------------------
def layer_name(layer: int) -> str:
    """What is measured of a layer."""
    return f"largest |H| in the ball, a neuron of layer {layer}"


def of_neurons(
    setting: Setting, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """By inner layer from the second on, the largest norm of the Hessian of the pre-activation of
    its first neuron that ascent finds in the ball."""
    measure = partial(_of_layers, setting.radius)
    return ladders.in_chunks(measure, partial(setting.wiring, width), seeds, generator)


def _of_layers(
    radius: float, networks: LayeredNetworks, generator: torch.Generator
) -> dict[str, np.ndarray]:
    from numerics.curvature.balls import ascend

    found = {}
    for layer in range(2, networks.architecture.depth):
        risen = ascend(
            networks,
            replace(ladders.target_of(), layer=layer),
            radius,
            generator,
            steps=ladders.ASCENT_STEPS,
            restarts=0,
            tolerance=ladders.ROUGH,
        )
        found[layer_name(layer)] = risen.norms.numpy()
    return found


NEURONS = (
    ("fcn", 3, "softplus", ladders.DEEP),
    ("densenet", 3, "tanh", ladders.DEEP),
    ("fcn", 4, "softplus", ladders.DEEPER),
)
MORE_NEURONS = (
    *NEURONS,
    ("dropped", 3, "softplus", ladders.DEAR),
    ("random", 3, "tanh", ladders.DEEP),
)


def by_layers(scale: int) -> Sequence[Family]:
    """A neuron of each layer."""
    chosen = MORE_NEURONS if scale == 2 else NEURONS
    return ladders.families_of(of_neurons, scale, chosen)


ALL_NEURONS = "largest |H| over all neurons, at the centre"


def over_all(
    setting: Setting, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """Of S fully connected networks of depth 3 the largest norm over the output and all neurons of
    layer 2, these by the closed form for one hidden layer: with z the pre-activations of layer 1,
    v the weights into the neuron and rho = |x| / sqrt(d_0) the norm is m^(-1/2) times the largest
    (rho^2 |v_i sigma''(z_i)| + sqrt(rho^4 v_i^2 sigma''(z_i)^2 + 4 rho^2 sigma'(z_i)^2)) / 2."""
    return ladders.in_chunks(_largest_of_all, partial(setting.wiring, width), seeds, generator)


def _largest_of_all(networks: LayeredNetworks, generator: torch.Generator) -> dict[str, np.ndarray]:
    import torch

    target = ladders.target_of()
    output = ladders.norms(networks, target, generator)
    inner = second_layer_norms(networks, target.points).amax(dim=1)
    return {ALL_NEURONS: torch.maximum(output, inner).numpy()}


def second_layer_norms(networks: LayeredNetworks, points: torch.Tensor) -> torch.Tensor:
    """(S, m): |H| of the pre-activations of layer 2 of fully connected networks, at one point."""
    from numerics.curvature.passes import forward

    seen = forward(networks, points)
    first, second = (part[0][:, 0, 0, None, :] for part in (seen.slopes, seen.seconds))
    rho = points.square().mean().sqrt()
    bent = (networks.weights[1] * second).abs() * rho**2
    whole = (bent + (bent.square() + 4 * rho**2 * first.square()).sqrt()) / 2
    return whole.amax(dim=2) / networks.architecture.widths[1] ** 0.5


def over_neurons(scale: int) -> Sequence[Family]:
    """All neurons of fully connected networks."""
    return tuple(
        ladders.family_of(over_all, Setting("fcn", 3, activation, 0.0), ladders.DEEP)
        for activation in ("softplus", "sigmoid")
    )


# all at once -------------------------------------------------------------------------------------
def orders_of_outputs(case: Tensors) -> Iterator[Side]:
    """The claimed exponent -min(p, q)/2 against the one of a lower bound of the largest
    |H_(f_k)|, which is (max(a, q) - p - q)/2."""
    p, q, a = (case.number(name) for name in "pqa")
    if min(p, q) < 0:  # a layer of less than a neuron
        return
    yield {}, rational(-min(p, q) / 2), rational((max(a, q) - p - q) / 2)


GROWING = about(
    "the layers grow",
    r"$p,q>0$: the width $m=M^{\min(p,q)}$ grows",
    lambda case: case.number("p") > 0 and case.number("q") > 0,
    lambda case, random: {name: abs(case.number(name)) or Fraction(1) for name in "pq"},
    lambda case, random: {random.choice("pq"): Fraction(0)},
)
OUTPUTS = about(
    "number of outputs",
    r"$a\ge0$: there are $e^{M^a}$ outputs",
    lambda case: case.number("a") >= 0,
    lambda case, random: {"a": abs(case.number("a"))},
    lambda case, random: {"a": among(Fraction(-2), Fraction(-1, 6), random)},
)
POLYNOMIAL = about(
    "polynomially many outputs",
    r"$a=0$: the number of outputs is polynomial in $m$",
    lambda case: case.number("a") == 0,
    lambda case, random: {"a": Fraction(0)},
    lambda case, random: {"a": among(Fraction(1, 2), Fraction(4), random)},
)
EACH = Claim(
    "zlb22.thm3.8@A",
    Kind.RATE,
    printed("Theorem 3.8"),
    "every pre-activation",
    SETTING + r"any pre-activation, $\ell\in[L]$, $k\in[d_\ell]$, satisfies "
    r"$\lVert H_{\tilde f_k^{(\ell)}}(\mathbf w)\rVert=\tilde O(1/\sqrt m)$.",
    depends=("zlb22.thm3.6@A",),
    reading="A",
    reading_text="each pre-activation separately; one event for the whole ball",
    exponents=Exponents(
        by_layers, (halved(layer_name(2)), halved(layer_name(3))), (16, 64, 128), SCOPE
    ),
)
ALL = Claim(
    "zlb22.thm3.8@B",
    Kind.INEQUALITY,
    printed("Theorem 3.8"),
    "all pre-activations at once",
    SETTING + r"all pre-activations satisfy "
    r"$\lVert H_{\tilde f_k^{(\ell)}}(\mathbf w)\rVert=\tilde O(1/\sqrt m)$ together. Here on "
    r"linear networks with hidden layers of $M^p$ and $M^q$ neurons and $e^{M^a}$ outputs, at "
    r"$\mathbf w_0$: $-\min(p,q)/2$ is at least the exponent $(\max(a,q)-p-q)/2$ of a lower bound "
    r"of $\max_k\lVert H_{f_k}\rVert$ that holds with a probability that tends to 1.",
    (GROWING, OUTPUTS),
    ("zlb22.thm3.8@A",),
    by_numbers(orders_of_outputs),
    exponents_named("p", "q", "a"),
    reading="B",
    reading_text="one event for all pre-activations; Assumption 3.5 bounds in-degrees, and not how "
    "many outputs there are",
    exact_only=True,
    trusted=(
        "P(|g| > s) > exp(-s^2)/4 for a standard normal g and s >= 1",
        "|v|^2 of M^q standard normal numbers is at least M^q/2 with probability tending to 1",
    ),
)
FEW = replace(
    ALL,
    id="zlb22.thm3.8@B.fix",
    title="all pre-activations of polynomially many",
    statement=SETTING + r"if the number of neurons is polynomial in $m$, all pre-activations "
    r"satisfy $\lVert H_{\tilde f_k^{(\ell)}}(\mathbf w)\rVert=\tilde O(1/\sqrt m)$ together "
    r"(each fails with a probability below every power of $1/m$). Here on the linear networks of "
    r"`zlb22.thm3.8@B`, by exponents.",
    hypotheses=(GROWING, OUTPUTS, POLYNOMIAL),
    repairs="zlb22.thm3.8@B",
    exponents=Exponents(over_neurons, (halved(ALL_NEURONS),), (16, 64, 128)),
)

CLAIMS = (EACH, ALL, FEW)
