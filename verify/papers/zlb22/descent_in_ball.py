"""PL* in the ball, parts (d) and (e): gradient descent converges, on a path that the ball covers.

Activations that meet Assumption 3.2 (two Lipschitz derivatives) and are homogeneous, as (d)
supposes of both theorems, are the identity and z^2; tanh stands beside them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.training_runs import (
    DISTANCE,
    REACHED,
    SMALL,
    data_points,
    descended,
    networks_of,
    path_length,
)

ACTIVATIONS = ("linear", "quadratic", "tanh")
POINTS = 4
LADDERS = ((16, 32, 64), (16, 32, 64, 128), (16, 32, 64, 128, 256, 512))


def convergence(setting: Setting, steps: int = 400) -> Measured:
    """(d): the loss falls to a hundredth of its start, while K stays definite."""
    import numpy as np

    from numerics.curvature.wirings import generator_of

    width, count = ((64, 4), (128, 8), (1024, 16))[setting.scale]
    points, labels = data_points("made", POINTS)
    own = generator_of(np.random.default_rng(setting.seed))
    figures: dict[str, int | float | str] = {}
    reached, least = [], []
    for activation in ACTIVATIONS:
        networks = networks_of(
            "fcn", width, points.shape[1], count, own, depth=2, activation=activation
        )
        found = descended(networks, points, labels, steps)
        reached.append(float(found["loss"].max()))
        least.append(float(found["least"].min()))
        figures[f"{activation}: last loss over the first, largest"] = f"{reached[-1]:.3g}"
        figures[f"{activation}: smallest lambda_min(K) on the way"] = f"{least[-1]:.3g}"
        figures[f"{activation}: largest distance"] = f"{float(found['distance'].max()):.3g}"
    return Measured(
        max(reached) <= SMALL and min(least) > 0,
        f"gradient descent brings every loss to {max(reached):.2g} of its start or below, and "
        f"lambda_min(K) stays at {min(least):.2g} or above (criterion: {SMALL:g}, and above 0).",
        (f"{', '.join(ACTIVATIONS)}: one hidden layer, width {width}, {count} networks each",),
        figures,
        instances=len(ACTIVATIONS) * count,
    )


def runs(scale: int) -> list[Family]:
    """The paths of a scale."""
    settings = [("fcn", "tanh"), ("fcn", "linear"), ("fcn", "quadratic"), ("dropped", "softplus")]
    return [
        Family(
            f"{'dropped DenseNets' if kind == 'dropped' else 'fully connected'}, {activation}",
            LADDERS,
            partial(path_length, kind, activation),
            f"path length {kind} {activation}",
        )
        for kind, activation in settings[: 2 if scale == 0 else 4]
    ]


CLAIMS = (
    Claim(
        "zlb22.pl.ball.d",
        Kind.EXPERIMENT,
        printed("Section 4, Extending PL* condition to B(w_0, R); Section 1"),
        "convergence of gradient descent",
        r"Then, by the theory of Liu, Zhu and Belkin (2022), existence of global minima and "
        r"convergence of gradient descent can be established.",
        depends=("zlb22.pl.ball.b", "zlb22.pl.w0@A"),
        experiment=convergence,
    ),
    Claim(
        "zlb22.pl.ball.e",
        Kind.RATE,
        printed("Remark 3.4"),
        "the ball covers the path of gradient descent",
        r"A ball whose radius does not depend on $m$ is large enough to cover the whole path of "
        r"GD: $\max_t\lVert\mathbf w_t-\mathbf w_0\rVert$ does not grow with $m$, nor does its "
        r"share of $\sqrt{2\mathcal L(\mathbf w_0)/\mu}$, the length of a gradient flow under "
        r"$\mu$-PL$^*$, with $\mu=\lambda_{\min}(K(\mathbf w_0))$.",
        depends=("zlb22.pl.ball.b",),
        exponents=Exponents(
            runs,
            (
                Predicted(DISTANCE, Fraction(0), above=Fraction(1, 2)),
                Predicted(REACHED, Fraction(0), above=Fraction(1, 2)),
            ),
            scope=("one hidden layer, four made points, full batch, a step of 1 / lambda_max(K)",),
        ),
    ),
)
