"""Training followed for the experiments: what is recorded along gradient flow, and its curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.activations import LINEAR, Activation
from verify.core.experiment import Setting
from verify.core.plots import Plot, thinned

if TYPE_CHECKING:
    from numerics.data import Dataset

POINTS = 60
GAIN = 0.7  # of the random start: its norm decides how long the limits take
ROUNDING = 1e-13
STARTS = 8
DEEP = -100.0
DEEPEST = -1000.0  # the log risk at which training stops
GROWN = 1.5
LARGE = 2  # the scale from which networks are followed layer by layer


@dataclass(frozen=True)
class History:
    """What was recorded at T times. taus, log_risks, norms: (T,). ratios, distances, stable_ranks:
    (T, layers), of each layer's matrix by Definition 8: ||W||_2/||W||_F, the distance of
    W/||W||_F to the nearest matrix of rank one and norm one, ||W||_F^2/||W||_2^2. alignments:
    (T, pairs of consecutive fully connected layers) |<v, u>|. cosines: (T,) of the angle to the
    last direction. predictors: (T, d) of a linear network, else empty.
    """

    taus: np.ndarray
    log_risks: np.ndarray
    norms: np.ndarray
    ratios: np.ndarray
    distances: np.ndarray
    stable_ranks: np.ndarray
    alignments: np.ndarray
    cosines: np.ndarray
    predictors: np.ndarray
    status: str
    sign_changes: int
    pattern_changes: int

    def exponents(self, table: np.ndarray) -> np.ndarray:
        """(K,): the slope of log table (T, K) against log norm, over the second half of the growth
        of the norm; minus infinity where a column is 0 to rounding."""
        late = self.norms >= np.sqrt(self.norms.min() * self.norms.max())
        slopes = [
            np.polyfit(np.log(self.norms[late]), np.log(column[late]), 1)[0]
            if np.all(column[late] > ROUNDING)
            else -np.inf
            for column in table.T
        ]
        return np.array(slopes)

    def figures(self) -> dict[str, int | float | str]:
        """Raw numbers of the last point."""
        return {
            "ended": self.status,
            "last clock": f"{self.taus[-1]:.3g}",
            "log risk": f"{self.log_risks[-1]:.4g}",
            "norm": f"{self.norms[-1]:.4g}",
            "ratios": ", ".join(f"{v:.4f}" for v in self.ratios[-1]),
        }


def follow_training(
    input_shape: Sequence[int],
    layers: Sequence[Any],
    data: Dataset,
    loss: str,
    setting: Setting,
    until: float,
    *,
    outputs: int = 1,
    deep: bool = False,
) -> History:
    """Gradient flow of one network from a random start, recorded at some POINTS times, evenly in
    the logarithm of the norm of the weights. deep: the first of STARTS starts from which the log
    risk falls below DEEP, or the last of them."""
    import torch

    from numerics.layered.initial import gaussian
    from numerics.layered.network import LayeredNetwork
    from numerics.layered.problem import Problem
    from numerics.losses import LOSSES

    generator = np.random.default_rng(setting.seed)
    net = LayeredNetwork(input_shape, layers)
    inputs = torch.from_numpy(data.input_array).to(setting.device)
    labels = np.repeat(data.label_array[:, None], outputs, axis=1)
    labels[:, 1:] *= generator.choice((-1.0, 1.0), size=labels[:, 1:].shape)
    problem = Problem(net, inputs, torch.from_numpy(labels).to(setting.device), LOSSES[loss])
    for _ in range(STARTS if deep else 1):
        start = gaussian(net, 1, generator, GAIN).to(setting.device)
        followed = _flow(problem, start, until, setting)
        if followed.flow.log_risks[1] < DEEP:
            break
    times = _times(followed.flow)
    return _recorded(net, problem, times, followed.at(times), followed)


def _times(found: Any) -> np.ndarray:
    """(T,): times of steps at which the norm of the weights first passes levels that are even in
    its logarithm; where it does not grow, times of steps evenly by number."""
    dense = found.dense
    norms = np.maximum.accumulate(np.linalg.norm(dense.weights, axis=1))
    if norms[-1] > GROWN * norms[0]:
        levels = np.geomspace(norms[0], norms[-1], POINTS)
        steps = np.unique(np.searchsorted(norms, levels * (1 - 1e-12)))
    else:
        steps = np.unique(np.linspace(0, len(norms) - 1, POINTS).astype(int))
    return np.append(dense.times[np.minimum(steps, len(norms) - 1)], found.time)


@dataclass(frozen=True)
class Followed:
    """A flow, and how its weights are read as those of the layers."""

    flow: Any
    to_layers: Callable[[Any], Any]

    @property
    def time(self) -> float:
        """Where it ended, on its clock."""
        return float(self.flow.time)

    def at(self, times: np.ndarray) -> Any:
        """(T, P) tensor: the weights at these times."""
        import torch

        return self.to_layers(torch.from_numpy(self.flow.at(times)))


def _flow(problem: Any, start: Any, until: float, setting: Setting) -> Followed:
    """The flow: small networks neuron by neuron, which also follows kinks that meet; large ones
    layer by layer, on the device."""
    from numerics.flow import Options, flow
    from numerics.layered.field import layered_flow
    from numerics.layered.neurons import neuron_level
    from numerics.program import compile_networks

    clock = "time" if problem.loss.name == "squared" else "loss"
    small = setting.scale < LARGE
    several = problem.network.outputs > 1
    options = Options(
        rtol=1e-4 if several else 1e-6,
        atol=1e-8,
        clock=clock,
        dense=True,
        evaluations=1_200 if several and small else 60_000,
        log_risk_below=DEEPEST,
    )
    if several or not small:
        (found,) = layered_flow(problem, start, until, options=options)
        return Followed(found, lambda weights: weights.to(setting.device))
    level = neuron_level(problem.network)
    program = compile_networks([level.network])
    examples = program.examples([problem.inputs.numpy()], [problem.labels.numpy()[:, 0]])
    flat = level.to_neurons(start).flatten()
    (found,) = flow(program, flat, examples, problem.loss, until, options=options)
    return Followed(found, level.to_layers)


def _recorded(
    net: Any, problem: Any, times: np.ndarray, weights: Any, followed: Followed
) -> History:
    from numerics.layered.measures import measure

    found, flow = measure(problem, weights), followed.flow
    flat, norms = weights.cpu().numpy(), found["norm"]
    return History(
        times,
        found["log_risk"],
        norms,
        found["ratio"],
        found["to_rank_one"],
        found["stable_rank"],
        found["alignment"],
        flat @ flat[-1] / (norms * norms[-1]),
        _predictors(net, weights),
        flow.status.text,
        len(flow.sign_intervals) - 1,
        len(flow.segments) - 1,
    )


def _predictors(net: Any, weights: Any) -> np.ndarray:
    """(T, d): the product of the matrices where all layers are linear and fully connected."""
    from numerics.layered.layers import Dense

    if not all(isinstance(one, Dense) and one.activation == LINEAR for one in net.layers):
        return np.zeros((len(weights), 0))
    views = list(net.views(weights).values())
    product = views[0]
    for matrix in views[1:]:
        product = matrix @ product
    return np.asarray(product[:, 0].cpu().numpy())


def margin_direction(data: Dataset) -> np.ndarray:
    """(d,): the unit vector of the hard-margin solution through the origin, by its dual: the
    shortest point of the convex hull of the y_i x_i (non-negative least squares, iterated)."""
    from scipy.optimize import nnls

    rows = data.input_array * data.label_array[:, None]
    heavy = 1e4 * np.abs(rows).max()  # sum of the multipliers is 1, as one more equation
    system = np.vstack([rows.T, heavy * np.ones(len(rows))])
    multipliers, _ = nnls(system, np.concatenate([np.zeros(rows.shape[1]), [heavy]]))
    found = multipliers @ rows
    return np.asarray(found / np.linalg.norm(found))


def balance_drifts(
    activation: Activation, steps: Sequence[float], setting: Setting, *, diagonal: bool
) -> list[float]:
    """The largest drift of an entry of W_{j+1}^T W_{j+1} - W_j W_j^T (on its diagonal: the vertex
    balances) under gradient descent to time 4, for each step size."""
    import torch

    from numerics.data import separable
    from numerics.layered.initial import gaussian
    from numerics.layered.layers import Dense
    from numerics.layered.network import LayeredNetwork
    from numerics.layered.problem import Problem
    from numerics.losses import LOGISTIC
    from numerics.training import after, descent

    data = separable(Random(setting.seed), 6, 4)
    net = LayeredNetwork((4,), [Dense(6, activation), Dense(5, activation), Dense(1, LINEAR)])
    labels = torch.from_numpy(data.label_array[:, None])
    problem = Problem(net, torch.from_numpy(data.input_array), labels, LOGISTIC)
    start = gaussian(net, 1, np.random.default_rng(setting.seed))

    def balances(weights: torch.Tensor) -> torch.Tensor:
        first, second, third = net.views(weights).values()
        pairs = ((first, second), (second, third))
        found = [(above.mT @ above - below @ below.mT)[0] for below, above in pairs]
        return torch.cat([(one.diagonal() if diagonal else one).flatten() for one in found])

    def drift(step: float) -> float:
        course = descent(lambda place, _: [problem.gradient(place[0])], [start], step)
        (end,) = after(round(4 / step), course)
        return float((balances(end) - balances(start)).abs().max())

    return [drift(step) for step in steps]


# curves ------------------------------------------------------------------------------------------
def one_plot(title: str, what: str, found: History, values: np.ndarray, log: bool = False) -> Plot:
    """One curve; on a logarithmic axis only what is positive."""
    return _plot(title, what, found, [(what, values)], log)


def layer_plot(title: str, what: str, found: History, name: str, log: bool = False) -> Plot:
    """One curve for each layer."""
    table = getattr(found, name)
    rows = [(f"layer {k + 1}", table[:, k]) for k in range(table.shape[1])]
    return _plot(title, what, found, rows, log)


def pair_plot(title: str, found: History) -> Plot:
    """1 - alignment of consecutive layers."""
    table = 1 - found.alignments
    rows = [(f"layers {k + 1} and {k + 2}", table[:, k]) for k in range(table.shape[1])]
    return _plot(title, "1 − |⟨v, u⟩|", found, rows, True)


def _plot(
    title: str, what: str, found: History, rows: Sequence[tuple[str, np.ndarray]], log: bool
) -> Plot:
    """Against the norm of the weights where that grows, else against the clock."""
    growing = bool(np.all(np.diff(found.norms) > 0))
    x = found.norms if growing else found.taus
    name = "norm of the weights" if growing else "clock of the flow"
    curves = []
    for curve, values in rows:
        good = (x > 0) & np.isfinite(values) & ((values > ROUNDING) if log else True)
        if good.any():
            curves.append(thinned(curve, x[good].tolist(), values[good].tolist()))
    return Plot(title, name, what, tuple(curves), x_log=True, y_log=log)
