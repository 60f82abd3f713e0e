"""The experiments that the paper cites and that can be run again at a small size.

None of them decides a statement: each is run from its description, with its seed, and compared with
what the paper says of it by a criterion that its summary names.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from graphs.activations import LINEAR, RELU, Activation
from verify.core.claim import Claim, Kind
from verify.core.experiment import Experiment, Measured, Setting
from verify.core.plots import Plot, thinned
from verify.papers.lj22.sources import both
from verify.papers.lj22.training import (
    DEEP,
    STARTS,
    balance_drifts,
    follow_training,
    layer_plot,
    margin_direction,
    one_plot,
    pair_plot,
)

if TYPE_CHECKING:
    from numerics.data import Dataset

CLOSE = 0.1  # what counts as close to a limit that is approached like a power of log t
FALLS = -0.5  # an exponent in the norm of the weights below which a quantity clearly falls


STARTED = f"the first of {STARTS} random starts from which the risk falls below e^{DEEP:g}"


def _data(kind: str, setting: Setting, count: int) -> Dataset:
    from numerics.data import digits, separable

    if kind == "digits":
        return digits((0, 1), count, side=8 if setting.scale == 2 else 4)
    return separable(Random(setting.seed), count, 4)


def _size(setting: Setting, small: int, usual: int, large: int) -> int:
    return (small, usual, large)[setting.scale]


# 1 ----------------------------------------------------------------------------------------------
def reduced_alignment(setting: Setting) -> Measured:
    """A convolution, then fully connected ReLU layers, on digits: ||W||_2 / ||W||_F of each."""
    from numerics.layered.layers import Convolution, Dense

    width = _size(setting, 6, 12, 100)
    layers = [Convolution(2, 3, activation=RELU), Dense(width), Dense(width), Dense(1, LINEAR)]
    data = _data("digits", setting, _size(setting, 8, 16, 200))
    side = round(data.dimension**0.5)
    found = follow_training(
        (1, side, side), layers, data, "logistic", setting, _tau(setting), deep=True
    )
    slopes = found.exponents(found.distances[:, 1:-1])
    return Measured(
        bool(np.any(slopes > -CLOSE)),
        f"ratio of operator and Frobenius norm of the inner fully connected layers ends at "
        f"{_numbers(found.ratios[-1, 1:-1])}; their distances to rank one go with the norm of the "
        f"weights to the power {_numbers(slopes)} (criterion: one above {-CLOSE}, so that it "
        "settles; what still falls may tend to rank one).",
        (f"one run, {STARTED}, {data.title}, convolution, 2 channels, then width {width}",),
        found.figures(),
        (layer_plot("Operator norm over Frobenius norm, ReLU layers", "ratio", found, "ratios"),),
    )


# 2 ----------------------------------------------------------------------------------------------
def linear_alignment(setting: Setting) -> Measured:
    """Deep linear network, separable data: rank one and alignment along flow."""
    return _alignment(setting, LINEAR, 0, "deep linear network")


def tail_alignment(setting: Setting) -> Measured:
    """ReLU layers, then linear ones: rank one and alignment of the linear tail along flow."""
    return _alignment(setting, RELU, 1, "ReLU layer and a linear tail")


def _alignment(setting: Setting, first: Activation, ahead: int, name: str) -> Measured:
    from numerics.layered.layers import Dense

    width = _size(setting, 4, 6, 100)
    layers = [Dense(width, first), Dense(width, LINEAR), Dense(width, LINEAR), Dense(1, LINEAR)]
    data = _data("separable", setting, _size(setting, 4, 6, 40))
    found = follow_training(
        (data.dimension,), layers, data, "logistic", setting, _tau(setting), deep=True
    )
    slopes = found.exponents(found.distances[:, ahead:-1])
    angles = 1 - found.alignments[:, ahead:]
    aligned = bool(np.all((angles[-1] < angles[0]) | (angles[-1] < 1e-6)))
    return Measured(
        bool(np.all(slopes < FALLS)) and aligned and bool(angles[-1].max() < CLOSE),
        f"distances to rank one end at {_numbers(found.distances[-1, ahead:])} and go with the "
        f"norm of the weights to the power {_numbers(slopes)} (criterion: below {FALLS}); "
        f"1 - alignment ends at {_numbers(angles[-1])} (criterion: below {CLOSE} and falling).",
        (f"one run, {STARTED}, {name}, width {width}, {data.title}",),
        found.figures(),
        (
            layer_plot(
                f"Distance of W/‖W‖ to rank one, {name}", "distance", found, "distances", log=True
            ),
            pair_plot(f"Alignment of adjacent layers, {name}", found),
        ),
    )


# 3 ----------------------------------------------------------------------------------------------
def rank_against_depth(setting: Setting) -> Measured:
    """ReLU networks of growing depth, squared and logistic loss: the stable rank of layers."""
    from numerics.layered.layers import Dense

    width = _size(setting, 5, 8, 100)
    depths = list(range(2, _size(setting, 3, 5, 7)))
    data = _data("digits", setting, _size(setting, 8, 12, 100))
    curves = []
    figures: dict[str, int | float | str] = {}
    for loss in ("squared", "logistic"):
        ranks = []
        for depth in depths:
            layers = [*(Dense(width) for _ in range(depth - 1)), Dense(1, LINEAR)]
            until = 20.0 if loss == "squared" else _tau(setting)
            found = follow_training((data.dimension,), layers, data, loss, setting, until)
            ranks.append(float(np.mean(found.stable_ranks[-1, :-1])))
            figures |= {f"{k}, {loss}, depth {depth}": v for k, v in found.figures().items()}
        curves.append(thinned(f"{loss} loss", [float(d) for d in depths], ranks))
    lower = all(curve.y[-1] <= curve.y[0] + CLOSE for curve in curves)
    return Measured(
        lower,
        "mean stable rank of the hidden layers after training, by depth: "
        + "; ".join(f"{c.name} {_numbers(np.array(c.y))}" for c in curves)
        + f" (criterion: for the deepest at most {CLOSE} above the shallowest).",
        (f"one run a depth and loss, {data.title}, widths {width}",),
        figures,
        (Plot("Stable rank after training", "depth", "mean ‖W‖²_F / ‖W‖²₂", tuple(curves)),),
        instances=2 * len(depths),
    )


# 4, 5 -------------------------------------------------------------------------------------------
def drift_against_step(setting: Setting) -> Measured:
    """Vertex balances of a ReLU network under gradient descent, to a fixed time."""
    return _drift(setting, RELU, diagonal=True)


def linear_drift_against_step(setting: Setting) -> Measured:
    """W_{j+1}^T W_{j+1} - W_j W_j^T of a linear network under gradient descent."""
    return _drift(setting, LINEAR, diagonal=False)


def _drift(setting: Setting, activation: Activation, *, diagonal: bool) -> Measured:
    steps = [0.1 * 2.0**-k for k in range(_size(setting, 4, 6, 10))]
    drifts = balance_drifts(activation, steps, setting, diagonal=diagonal)
    slope = float(np.polyfit(np.log(steps), np.log(drifts), 1)[0])
    order = sorted(zip(steps, drifts, strict=True))
    what = "vertex balances" if diagonal else "matrix balances"
    return Measured(
        bool(abs(slope - 1) < 0.2),
        f"the drift of the {what} under gradient descent to a fixed time goes with the step size "
        f"to the power {slope:.2f} (criterion: within 0.2 of 1).",
        (f"{len(steps)} step sizes, one start, 4-6-5-1 network, separable data",),
        {f"drift at step {s:.3g}": f"{d:.2e}" for s, d in order},
        (
            Plot(
                f"Drift of the {what}",
                "step size of gradient descent",
                "largest drift",
                (thinned("drift", [s for s, _ in order], [d for _, d in order]),),
                x_log=True,
                y_log=True,
            ),
        ),
        instances=len(steps),
    )


# 6 ----------------------------------------------------------------------------------------------
def directional_convergence(setting: Setting) -> Measured:
    """A homogeneous ReLU network: norm, direction, signs and patterns on the clock of the loss."""
    from numerics.layered.layers import Dense

    width = _size(setting, 4, 6, 50)
    data = _data("separable", setting, _size(setting, 4, 6, 40))
    layers = [Dense(width), Dense(width), Dense(1, LINEAR)]
    found = follow_training(
        (data.dimension,), layers, data, "logistic", setting, _tau(setting), deep=True
    )
    half = int(np.argmax(found.norms >= np.sqrt(found.norms[0] * found.norms[-1])))
    turned = 1 - found.cosines[half:].min()
    grows = bool(found.norms[-1] > 2 * found.norms[0])
    return Measured(
        grows and turned < CLOSE,
        f"the norm grows from {found.norms[0]:.2f} to {found.norms[-1]:.2f} while the risk falls "
        f"to e^{found.log_risks[-1]:.0f}; after half of the growth the direction stays within "
        f"1 - cos = {turned:.1e} of the last one (criterion: below {CLOSE}); {found.sign_changes} "
        f"sign changes and {found.pattern_changes} pattern changes on the way.",
        (f"one run, {STARTED}, {data.title}, ReLU network with layers of width {width}",),
        found.figures(),
        (
            one_plot("Norm of the weights", "norm", found, found.norms),
            one_plot(
                "Distance to the last direction", "1 - cosine", found, 1 - found.cosines, log=True
            ),
        ),
    )


# 7 ----------------------------------------------------------------------------------------------
def several_outputs(setting: Setting) -> Measured:
    """A deep linear network with two outputs: distance of each layer to rank one."""
    from numerics.layered.layers import Dense

    width = _size(setting, 4, 5, 50)
    data = _data("separable", setting, 4)  # any labels of so few are separable
    layers = [Dense(width, LINEAR), Dense(width, LINEAR), Dense(2, LINEAR)]
    found = follow_training(
        (data.dimension,), layers, data, "logistic", setting, _tau(setting), outputs=2
    )
    distance = found.distances[-1]
    return Measured(
        bool(distance.max() > CLOSE),
        f"with two outputs the layers end at distances {_numbers(distance)} from rank one "
        f"(criterion: some above {CLOSE}).",
        (f"one run, deep linear network with two outputs of independent labels, {data.title}",),
        found.figures(),
        (
            layer_plot(
                "Distance to rank one, two outputs", "distance", found, "distances", log=True
            ),
        ),
    )


# 8 ----------------------------------------------------------------------------------------------
def max_margin(setting: Setting) -> Measured:
    """A deep linear network on separable data: its predictor against the hard-margin one."""
    from numerics.layered.layers import Dense

    data = _data("separable", setting, _size(setting, 4, 6, 20))
    width = _size(setting, 4, 5, 30)
    layers = [Dense(width, LINEAR), Dense(width, LINEAR), Dense(1, LINEAR)]
    found = follow_training(
        (data.dimension,), layers, data, "logistic", setting, _tau(setting), deep=True
    )
    best = margin_direction(data)
    predictors = found.predictors / np.linalg.norm(found.predictors, axis=1, keepdims=True)
    gaps = 1 - predictors @ best
    return Measured(
        bool(gaps[-1] < CLOSE and gaps[-1] < gaps[0]),
        f"1 - cosine between the predictor and the hard-margin solution falls from {gaps[0]:.2e} "
        f"to {gaps[-1]:.2e} (criterion: below {CLOSE} and smaller than at the start).",
        (f"one run, {STARTED}, {data.title}, deep linear network",),
        found.figures(),
        (one_plot("Distance to the maximal margin", "1 - cosine", found, gaps, log=True),),
    )


def _tau(setting: Setting) -> float:
    return float(_size(setting, 30, 300, 3000))


def _numbers(values: np.ndarray) -> str:
    return ", ".join(f"{value:.2g}" for value in values)


def _claim(number: str, title: str, statement: str, run: Experiment) -> Claim:
    return Claim(
        f"lj22.exp{number}",
        Kind.EXPERIMENT,
        both("experiments and phenomena that it cites"),
        title,
        statement,
        experiment=run,
    )


CLAIMS = (
    _claim(
        "1",
        "reduced alignment in a convolutional network",
        r"$\lVert W\rVert_2/\lVert W\rVert_F$ converges to a value strictly less than $1$ for some "
        "fully-connected layer $W$ towards the end of the network (Ji and Telgarsky, 2019; there "
        "AlexNet on CIFAR-10, here a small network on digits).",
        reduced_alignment,
    ),
    _claim(
        "2.linear",
        "alignment in deep linear networks",
        r"With logistic loss on linearly separable data each $W_j/\lVert W_j\rVert_F$ tends to a "
        r"matrix of rank one and $|\langle v_{j+1},u_j\rangle|\to1$ (Ji and Telgarsky, 2019).",
        linear_alignment,
    ),
    _claim(
        "2.tail",
        "alignment in the linear tail of a ReLU network",
        r"The same for the last, linear layers behind a ReLU layer.",
        tail_alignment,
    ),
    _claim(
        "3",
        "low-rank simplicity bias",
        "Deeper fully-connected ReLU networks are biased to layers of lower rank, also with the "
        "squared loss (Huh et al., 2021). Recorded: the stable rank after training by depth.",
        rank_against_depth,
    ),
    _claim(
        "4",
        "balancedness under gradient descent",
        "In ReLU networks the differences of squared in- and out-weights of a neuron drift with "
        "the step size of gradient descent (Du et al., 2018).",
        drift_against_step,
    ),
    _claim(
        "5",
        "matrix invariance in linear networks",
        r"In linear networks $W_{j+1}^\top W_{j+1}-W_jW_j^\top$ is constant under gradient flow, "
        "and drifts with the step size of descent (Arora et al., 2018; Ji and Telgarsky, 2019).",
        linear_drift_against_step,
    ),
    _claim(
        "6",
        "divergence and directional convergence",
        r"For homogeneous networks and the logistic loss $\lVert w(t)\rVert_2\to\infty$ and "
        r"$w(t)/\lVert w(t)\rVert_2$ converges (Lyu and Li, 2020; Ji and Telgarsky, 2020).",
        directional_convergence,
    ),
    _claim(
        "7",
        "networks with several outputs",
        "The low-rank result of linear networks does not carry over to several outputs (negative "
        "results of Radhakrishnan et al., 2020).",
        several_outputs,
    ),
    _claim(
        "8",
        "maximal margin",
        "Linear networks on separable data converge to the hard-margin solution (Ji and Telgarsky, "
        "2019).",
        max_margin,
    ),
)
