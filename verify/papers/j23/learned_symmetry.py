"""The second experiment: costs along gradient descent learned from its start (Figure 2).

As printed: C(v) = |v v^T - (w w^T + E)|_F^2 with a unit vector w and small noise E; a network is
given v(0) and predicts C(v(1)) to C(v(T)) along gradient descent; depth 25, width 200, ridge
0.0002. Chosen here, because not printed: v(0) normal with variance 1 / d an entry, E normal with
an expected Frobenius norm of 0.01, steps of 0.05; targets centred and scaled to variance 1; the
squared error averaged over data and outputs (reading C); ReLU, He weights, Adam on all data.

The penalty starts 8 times as large and falls to the printed one in the first half of training, so
that it shapes the network within the budget; it ends as printed. (On one task at depth 10 the
loss ended at 0.026, rank 1, in the best of three starts from 30 times, and at 0.009 in one start
from 8 times.) In networks of fewer than twelve layers the middle one stands for the sixth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.core.experiment_store import ExperimentStore

if TYPE_CHECKING:
    from torch import Tensor

    from numerics.layered.network import LayeredNetwork

RIDGE = 0.0002
HEAVY = 8.0  # the penalty at Adam's start over the printed one
ABOVE = 0.1
NOISE = 0.01
STEP = 0.05
PLANES = 50
PATHS = 40


@dataclass(frozen=True)
class Sizes:
    """How large: depth, width, dimension d, T, N, networks (seeds), steps of Adam and of L-BFGS,
    and Adam's rate."""

    depth: int
    width: int
    dimension: int
    steps: int
    data: int
    runs: int
    adam: int
    lbfgs: int
    rate: float


SIZES = (
    Sizes(5, 12, 4, 3, 60, 1, 300, 0, 0.02),
    Sizes(8, 20, 5, 5, 200, 2, 5000, 0, 0.01),
    Sizes(10, 50, 5, 5, 500, 3, 24_000, 300, 0.005),
)
LARGE = Sizes(25, 200, 10, 10, 2000, 3, 30_000, 300, 0.002)


@dataclass(frozen=True)
class Task:
    """w: (d,), of length 1; target: (d, d), w w^T + E."""

    axis: np.ndarray
    target: np.ndarray

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.axis)

    def costs(self, v: np.ndarray) -> np.ndarray:
        """(N,): C(v) for v (N, d)."""
        gap = v[:, :, None] * v[:, None, :] - self.target
        return np.asarray(np.square(gap).sum(axis=(1, 2)))

    def descent(self, start: np.ndarray, steps: int) -> np.ndarray:
        """(N, steps + 1, d): v(0) to v(steps) of gradient descent from (N, d)."""
        path: list[np.ndarray] = [start]
        symmetric = self.target + self.target.T
        for _ in range(steps):
            v = path[-1]
            gradient = 4 * np.square(v).sum(axis=1, keepdims=True) * v - 2 * v @ symmetric
            path.append(v - STEP * gradient)
        return np.asarray(np.stack(path, axis=1))


def random_task(dimension: int, generator: np.random.Generator, noise: float = NOISE) -> Task:
    """A random axis, and noise of this expected Frobenius norm."""
    axis = generator.standard_normal(dimension)
    axis /= np.linalg.norm(axis)
    error = generator.standard_normal((dimension, dimension)) * (noise / dimension)
    return Task(axis, np.outer(axis, axis) + error)


def random_starts(count: int, dimension: int, generator: np.random.Generator) -> np.ndarray:
    """(N, d): v(0)."""
    return np.asarray(generator.standard_normal((count, dimension)) / np.sqrt(dimension))


@dataclass(frozen=True)
class Learned:
    """Trained networks and their task. weights: (C, P); costs, norms: (C,); seed: for points to
    look at."""

    task: Task
    sizes: Sizes
    weights: Tensor
    costs: tuple[float, ...]
    norms: tuple[float, ...]
    statuses: tuple[str, ...]
    seed: int

    @property
    def network(self) -> LayeredNetwork:
        """What the weights are those of."""
        return _network(self.sizes)

    @property
    def best(self) -> int:
        """The network with the least loss."""
        losses = np.array(self.costs) + RIDGE * np.array(self.norms)
        return int(losses.argmin())

    @property
    def sixth(self) -> int:
        """The sixth layer, or the middle one of a network that is too shallow for that."""
        return min(6, self.sizes.depth // 2)


def learn(
    sizes: Sizes,
    seed: int,
    device: str,
    noise: float = NOISE,
    kept: ExperimentStore | None = None,
    first: int = 0,
) -> Learned:
    """Draw a task and data, and train each start, once for all who keep in the same place. first:
    the number of the start to begin with, so that several who train do not do the same."""
    import torch

    kept = ExperimentStore() if kept is None else kept
    found: dict[int, Mapping[str, np.ndarray]] = {}
    for turn in range(sizes.runs):
        start = (first + turn) % sizes.runs
        told = {**asdict(sizes), "seed": seed, "start": start, "device": device, "noise": noise}
        found[start] = kept.once(__file__, told, partial(_train, sizes, seed, start, device, noise))
    runs = [found[start] for start in range(sizes.runs)]
    weights = torch.from_numpy(np.concatenate([run["flat"] for run in runs]))
    costs, norms = ([float(run[name][0]) for run in runs] for name in ("costs", "norms"))
    statuses = [str(run["statuses"][0]) for run in runs]
    task = random_task(sizes.dimension, np.random.default_rng(seed), noise)
    return Learned(task, sizes, weights, tuple(costs), tuple(norms), tuple(statuses), seed)


def _network(sizes: Sizes) -> LayeredNetwork:
    from numerics.layered.network import perceptron

    return perceptron([sizes.dimension, *[sizes.width] * (sizes.depth - 1), sizes.steps])


def _train(
    sizes: Sizes, seed: int, start: int, device: str, noise: float
) -> Mapping[str, np.ndarray]:
    """One start."""
    import torch

    from numerics.layered.fitting import Options, fit
    from numerics.layered.initial import kaiming

    draw = np.random.default_rng(seed)
    task = random_task(sizes.dimension, draw, noise)
    starts = random_starts(sizes.data, sizes.dimension, draw)
    path = task.descent(starts, sizes.steps)
    outputs = np.stack([task.costs(path[:, t]) for t in range(1, sizes.steps + 1)], axis=1)
    outputs = outputs - outputs.mean(axis=0)
    outputs /= np.sqrt(np.square(outputs).mean())
    generator = torch.Generator().manual_seed(seed + start)
    net = _network(sizes)
    begun = kaiming(net, 1, generator).to(device)
    options = Options(RIDGE, "C", sizes.adam, sizes.lbfgs, sizes.rate, heavy=HEAVY)
    found = fit(net, begun, torch.from_numpy(starts), torch.from_numpy(outputs), options)
    arrays = {name: getattr(found, name).cpu().numpy() for name in ("costs", "norms")}
    arrays["flat"] = found.weights.cpu().numpy()
    arrays["statuses"] = np.array([ending.name.lower() for ending in found.endings])
    return arrays


def hidden(learned: Learned, points: np.ndarray, layer: int, network: int) -> np.ndarray:
    """(N, n_l): the activations of a hidden layer at points (N, d)."""
    import torch

    state = learned.network.forward(learned.weights[[network]], torch.from_numpy(points))
    return np.asarray(state.post[layer][0].numpy())


# (a) ---------------------------------------------------------------------------------------------
def weight_spectra(learned: Learned, network: int) -> list[list[float]]:
    """The singular values of every weight matrix."""
    import torch

    views = learned.network.views(learned.weights)
    names = (weight for weight, _ in learned.network.names)
    return [torch.linalg.svdvals(views[name][network]).tolist() for name in names]


def outliers(spectra: Sequence[Sequence[float]]) -> list[int]:
    """How many singular values above 0.1 each of the middle half of the layers has."""
    depth = len(spectra)
    middle = range(depth // 4, depth - depth // 4)
    return [sum(value > ABOVE for value in spectra[layer]) for layer in middle]


# (b) ---------------------------------------------------------------------------------------------
def principal_plane(points: np.ndarray) -> np.ndarray:
    """(n, 2): the first two principal directions of points (N, n)."""
    centred = points - points.mean(axis=0)
    return np.asarray(np.linalg.svd(centred, full_matrices=False)[2][:2].T)


def random_plane(dimension: int, generator: np.random.Generator) -> np.ndarray:
    """(n, 2): orthonormal columns, uniform."""
    return np.asarray(np.linalg.qr(generator.standard_normal((dimension, 2)))[0])


def crossings(paths: np.ndarray) -> int:
    """How many pairs of segments of different plane paths (P, T + 1, 2) cross."""
    count, length = paths.shape[0], paths.shape[1] - 1
    start, end = paths[:, :-1].reshape(-1, 2), paths[:, 1:].reshape(-1, 2)
    owner = np.repeat(np.arange(count), length)
    first, second = np.triu_indices(len(start), k=1)
    other = owner[first] != owner[second]
    first, second = first[other], second[other]

    def side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        """On which side of the line from a to b the point c lies."""
        u, v = b - a, c - a
        return np.asarray(np.sign(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))

    a, b, c, d = start[first], end[first], start[second], end[second]
    across = (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
    return int(across.sum())


@dataclass(frozen=True)
class Crossings:
    """Crossings of paths of gradient descent, of all pairs of segments: in the plane of the first
    two principal components of the hidden layer; the mean over random planes of that layer, and of
    the space of v. share: of the variance in the principal plane. plane: (P, T + 1, 2) paths."""

    principal: int
    in_layer: float
    in_inputs: float
    share: float
    plane: np.ndarray


def path_crossings(learned: Learned, network: int) -> Crossings:
    """For new starts."""
    draw = np.random.default_rng(learned.seed + 1)
    dimension = learned.sizes.dimension
    starts = random_starts(PATHS, dimension, draw)
    paths = learned.task.descent(starts, learned.sizes.steps)
    flat = paths.reshape(-1, dimension)
    inner = hidden(learned, flat, learned.sixth, network)
    plane = principal_plane(inner)
    shape = (*paths.shape[:2], 2)
    seen = (inner @ plane).reshape(shape)

    def mean(points: np.ndarray) -> float:
        planes = [random_plane(points.shape[1], draw) for _ in range(PLANES)]
        return float(np.mean([crossings((points @ one).reshape(shape)) for one in planes]))

    share = (inner @ plane).var(axis=0).sum() / max(inner.var(axis=0).sum(), 1e-300)
    return Crossings(crossings(seen), mean(inner), mean(flat), float(share), seen)


# (c) ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Orbits:
    """The second hidden layer on a plane orthogonal to w. share: the variance within orbits over
    the total; at the points themselves it is 1. distances: (radii, angles) to the point x_0 on the
    middle orbit."""

    radii: np.ndarray
    angles: np.ndarray
    share: float
    distances: np.ndarray


def orbit_variance(learned: Learned, network: int, layer: int = 2) -> Orbits:
    """Points h w + r (cos p e_1 + sin p e_2) with e_1, e_2 orthonormal and orthogonal to w, and
    h = 1/2: each r is one orbit of the rotations around w."""
    draw = np.random.default_rng(learned.seed + 2)
    axis, dimension = learned.task.axis, learned.sizes.dimension
    frame = draw.standard_normal((dimension, 2))
    frame -= np.outer(axis, axis @ frame)
    frame = np.linalg.qr(frame)[0]
    radii = np.linspace(0.1, 1.2, 12)
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) @ frame.T
    points = 0.5 * axis + radii[:, None, None] * circle
    inner = hidden(learned, points.reshape(-1, dimension), layer, network)
    inner = inner.reshape(len(radii), len(angles), -1)
    within = np.square(inner - inner.mean(axis=1, keepdims=True)).mean(axis=(0, 1)).sum()
    total = np.square(inner - inner.mean(axis=(0, 1))).mean(axis=(0, 1)).sum()
    fixed = inner[len(radii) // 2, 0]
    share = float(within / total) if total > 0 else 1.0
    return Orbits(radii, angles, share, np.linalg.norm(inner - fixed, axis=2))
