"""The first experiment: networks of many depths trained on data of bottleneck rank 2 (Figure 1).

As printed: latent z in R^8, x = g(z) and y = h(z_1, z_2) in R^20 with g, h shallow networks with
random parameters, ridge 0.001, ranks as the number of singular values of W_(L/2) above 0.1, a cost
of 0.1 as the bound of fitting. Chosen here, because not printed: z standard normal; g, h ReLU with
100 hidden neurons, He weights and biases of deviation 1/2; x and y centred and scaled to variance 1
an entry; the squared error averaged over data and outputs (reading C of the losses); ReLU, He
weights, no biases at the start; Adam on all data, the penalty four times the printed one at first
and the printed one from the middle of training on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from verify.core.experiment_store import ExperimentStore
from verify.core.plots import Curve, Plot, thinned

if TYPE_CHECKING:
    import torch

LATENT, USED, OBSERVED = 8, 2, 20
HIDDEN = 100
ABOVE = 0.1  # of singular values, and of the final cost
RIDGE = 0.001
HEAVY = 4.0  # the penalty at Adam's start over the printed one
SHOWN = 6  # singular values in a curve


@dataclass(frozen=True)
class Sizes:
    """How large: the depths, the width of hidden layers, N, runs of each depth, steps of Adam and
    of L-BFGS, and Adam's rate."""

    depths: tuple[int, ...]
    width: int
    data: int
    runs: int
    adam: int
    lbfgs: int
    rate: float


SIZES = (
    Sizes((2, 4, 6, 8), 10, 40, 1, 300, 0, 0.02),
    Sizes((2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20), 12, 50, 3, 1500, 0, 0.02),
    Sizes((*range(4, 11), 12, 14, 16, 18, 20, 24), 48, 300, 3, 8000, 200, 0.01),
)
LARGE = Sizes(tuple(range(2, 31)), 200, 1000, 3, 20_000, 300, 0.003)


@dataclass(frozen=True)
class Run:
    """One trained network. cost: squared error; norm: |theta|^2; values: for each layer the
    singular values of its matrix."""

    depth: int
    number: int
    cost: float
    norm: float
    gradient: float
    status: str
    values: tuple[tuple[float, ...], ...]

    @property
    def loss(self) -> float:
        """What was minimised."""
        return self.cost + RIDGE * self.norm

    @property
    def rank(self) -> int:
        """Of W_(L/2), rounded down."""
        return self.rank_at(self.depth // 2)

    @property
    def fits(self) -> bool:
        """Whether the cost ended below 0.1."""
        return self.cost < ABOVE

    def rank_at(self, layer: int) -> int:
        """Singular values of W_l above 0.1, l from 1."""
        return sum(value > ABOVE for value in self.values[layer - 1])

    @property
    def narrow(self) -> int:
        """How many layers have as many singular values above 0.1 as the middle one."""
        return sum(self.rank_at(layer) == self.rank for layer in range(1, self.depth + 1))


@dataclass(frozen=True)
class Line:
    """A line by least squares. reach: the slope is known to plus or minus this, from the scatter
    around the line (t-interval, 95 percent); None without scatter to tell it from. off: the largest
    distance of a point from the line, relative to the point."""

    slope: float
    at_zero: float
    reach: float | None
    off: float

    def at(self, depth: float) -> float:
        """The line there."""
        return self.at_zero + self.slope * depth


def line_through(x: Sequence[float], y: Sequence[float]) -> Line:
    """The line by least squares through points of which two have different x at least."""
    from scipy.stats import t

    slope, at_zero = map(float, np.polyfit(x, y, 1))
    away, places = np.array(y) - (at_zero + slope * np.array(x)), np.array(x, dtype=float)
    spare, reach = len(places) - 2, None
    if spare > 0:
        scatter = np.sqrt(np.square(away).sum() / spare / np.square(places - places.mean()).sum())
        reach = float(t.ppf(0.975, spare) * scatter)
    return Line(slope, at_zero, reach, float(np.max(np.abs(away) / np.maximum(np.abs(y), 1e-300))))


@dataclass(frozen=True)
class Range:
    """A maximal run of depths at which the networks of least loss fit and have one rank, of each
    depth all networks that do. line: of |theta|^2 against the depth, the least loss of each depth;
    growth: of the number of layers of that rank; all_starts: the line through all of them."""

    rank: int
    runs: tuple[Run, ...]

    @property
    def best(self) -> list[Run]:
        """Of each depth the one of least loss."""
        return best_runs(self.runs)

    @property
    def depths(self) -> tuple[int, int]:
        """The first and the last."""
        return self.best[0].depth, self.best[-1].depth

    @property
    def line(self) -> Line:
        """Of the squared norm."""
        return line_through([run.depth for run in self.best], [run.norm for run in self.best])

    @property
    def all_starts(self) -> Line:
        """Of the squared norm, every start by itself."""
        return line_through([run.depth for run in self.runs], [run.norm for run in self.runs])

    @property
    def growth(self) -> float:
        """Of the number of layers of that rank."""
        return line_through([r.depth for r in self.best], [r.narrow for r in self.best]).slope


def latent_data(count: int, seed: int, used: int = USED) -> tuple[torch.Tensor, torch.Tensor]:
    """x and y, (N, 20) each. used: how many coordinates of z y depends on."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    z = torch.randn(count, LATENT, generator=generator, dtype=torch.float64)

    def shallow(inputs: torch.Tensor) -> torch.Tensor:
        d = inputs.shape[1]
        first = torch.randn(d, HIDDEN, generator=generator, dtype=torch.float64) * (2 / d) ** 0.5
        shift = torch.randn(HIDDEN, generator=generator, dtype=torch.float64) / 2
        last = torch.randn(HIDDEN, OBSERVED, generator=generator, dtype=torch.float64)
        values = torch.relu(inputs @ first + shift) @ last
        values = values - values.mean(dim=0)
        return values / values.square().mean().sqrt()

    return shallow(z), shallow(z[:, :used])


def climb_depths(
    sizes: Sizes,
    seed: int,
    device: str,
    ridge: float = RIDGE,
    kept: ExperimentStore | None = None,
    *,
    downwards: bool = False,
) -> tuple[Run, ...]:
    """Train networks of every depth on the same data, each depth once for all who keep in the same
    place. downwards: the deepest first, to meet another who began with the shallowest."""
    kept = ExperimentStore() if kept is None else kept
    runs: list[Run] = []
    for depth in reversed(sizes.depths) if downwards else sizes.depths:
        told = {**asdict(sizes), "depths": depth, "seed": seed, "device": device, "ridge": ridge}
        trained = partial(_train, sizes, depth, seed, device, ridge)
        runs += _runs(kept.once(__file__, told, trained), depth)
    return tuple(sorted(runs, key=_place))


def _train(
    sizes: Sizes, depth: int, seed: int, device: str, ridge: float
) -> Mapping[str, np.ndarray]:
    import torch

    from numerics.layered.fitting import Options, fit
    from numerics.layered.initial import kaiming
    from numerics.layered.network import perceptron

    inputs, targets = latent_data(sizes.data, seed)
    generator = torch.Generator().manual_seed(seed + depth)
    options = Options(ridge, "C", sizes.adam, sizes.lbfgs, sizes.rate, heavy=HEAVY)
    net = perceptron([OBSERVED, *[sizes.width] * (depth - 1), OBSERVED])
    start = kaiming(net, sizes.runs, generator).to(device)
    found = fit(net, start, inputs, targets, options)
    arrays = {name: getattr(found, name).cpu().numpy() for name in ("costs", "norms", "gradients")}
    arrays["statuses"] = np.array([ending.name.lower() for ending in found.endings])
    views = net.views(found.weights)
    for layer, (weight, _) in enumerate(net.names, start=1):
        arrays[f"values{layer}"] = torch.linalg.svdvals(views[weight]).cpu().numpy()
    return arrays


def _runs(found: Mapping[str, np.ndarray], depth: int) -> list[Run]:
    spectra = [found[f"values{layer}"] for layer in range(1, depth + 1)]
    return [
        Run(
            depth,
            number,
            float(found["costs"][number]),
            float(found["norms"][number]),
            float(found["gradients"][number]),
            str(status),
            tuple(tuple(values[number].tolist()) for values in spectra),
        )
        for number, status in enumerate(found["statuses"])
    ]


def best_runs(runs: Sequence[Run]) -> list[Run]:
    """Of each depth the run with the least loss."""
    ordered = sorted(runs, key=lambda run: run.depth)
    return [min(group, key=lambda run: run.loss) for _, group in groupby(ordered, _depth)]


def _depth(run: Run) -> int:
    return run.depth


def _place(run: Run) -> tuple[int, int]:
    return run.depth, run.number


def ranges(runs: Sequence[Run]) -> list[Range]:
    """The maximal runs of three depths or more whose best networks fit and have one rank other than
    0, in the order of the depths."""
    found = []
    for (rank, fits), group in groupby(best_runs(runs), lambda run: (run.rank, run.fits)):
        depths = [run.depth for run in group]
        if fits and rank and len(depths) >= 3:
            chosen = [r for r in runs if r.depth in depths and r.fits and r.rank == rank]
            found.append(Range(rank, tuple(sorted(chosen, key=_place))))
    return found


def falling_share(runs: Sequence[Run]) -> float:
    """Among all pairs of depths at which the best networks fit, the share of those whose deeper
    network has no larger rank."""
    good = [run for run in best_runs(runs) if run.fits]
    pairs = [(a, b) for k, a in enumerate(good) for b in good[k + 1 :]]
    return sum(b.rank <= a.rank for a, b in pairs) / len(pairs) if pairs else 0.0


def norm_plot(runs: Sequence[Run]) -> Plot:
    """|theta|^2 against the depth: a curve for each rank of networks that fit, one for those that
    do not, each with the best network of a depth; for each range two lines through its middle, one
    with the slope that is fitted and one whose slope is the rank."""
    curves: list[Curve] = []
    for rank in sorted({run.rank for run in runs if run.fits}, reverse=True):
        chosen = [run for run in runs if run.fits and run.rank == rank]
        curves.append(_curve(f"rank {rank}", chosen))
    failed = [run for run in runs if not run.fits]
    if failed:
        curves.append(_curve(f"cost above {ABOVE}", failed))
    for one in ranges(runs):
        ends = [float(depth) for depth in one.depths]
        middle = sum(run.depth for run in one.best) / len(one.best)
        for slope, words in ((one.line.slope, "fitted"), (float(one.rank), "the rank")):
            heights = [one.line.at(middle) + slope * (end - middle) for end in ends]
            curves.append(Curve(f"slope {slope:.2f}, {words}", tuple(ends), tuple(heights)))
    return Plot("Norm against depth, by rank of the middle matrix", "depth", "‖θ‖²", tuple(curves))


def _curve(name: str, runs: Sequence[Run]) -> Curve:
    ordered = best_runs(runs)
    return thinned(name, [float(run.depth) for run in ordered], [run.norm for run in ordered])


def spectrum_plot(run: Run) -> Plot:
    """The largest singular values of W_l along the layers."""
    layers = [float(layer) for layer in range(1, run.depth + 1)]
    count = min(SHOWN, *(len(values) for values in run.values))
    curves = [
        thinned(f"s{k + 1}", layers, [values[k] for values in run.values]) for k in range(count)
    ]
    title = f"Singular values of the weight matrices, depth {run.depth}, rank {run.rank}"
    return Plot(title, "layer", "singular value", tuple(curves))
