"""Batch-normalised chains of random layers: the compiled kernels, and loops over seeds and layers.

Ours: all seeds in one call (numerics.chains.normalised), everything of the regularity constant
measured at every layer. The plain way: for each seed and layer draw W, multiply, normalise, and
measure the same, in NumPy or in torch, whichever is faster with one or two threads. Answers are
compared on the same weights, and the averages of the timed runs within their errors.

Then the experiment of Figure 8 of Daneshmand, Kohler, Bach, Hofmann, Lucchi (2020): the regularity
constant against the width, gamma = 0.1 and 1.

With `--device` only the experiment is run, there; `--chains` says how many chains there are for
each gamma, whose regularity constants are averaged.

Run: python -m benchmarks.chains [--quick] [--depth L] [--widths 8,16,...]
     [--device cuda --widths 256 --chains 64]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from time import perf_counter

import numpy as np
import torch

from numerics.chains import counters
from numerics.chains.inputs import full
from numerics.chains.laws import gaussian
from numerics.chains.normalised import Seen, run
from numerics.chains.observables import CUBE, FROBENIUS, SQUARES, Plan, R

SEEDS = 64
TARGETS = {32: 8.0, 8: 50.0}
GAMMA = 1.0
LAYERS = {32: (4_000, 1_500), 8: (40_000, 4_000)}  # of each chain: ours, the plain way
ROUNDS = 3
MEASURES = (R, FROBENIUS, CUBE, SQUARES)
AGREE = 1e-9
CHECKED = 50  # layers on the same weights: later rounding takes the two apart
ERRORS = 5.0
EXPERIMENT = (8, 12, 16, 24, 32, 48, 64, 96, 128)

Weights = Callable[[int], np.ndarray]
Loop = Callable[[np.ndarray, int, Weights], np.ndarray]


def inputs(width: int) -> torch.Tensor:
    return full(torch.Generator().manual_seed(0), SEEDS, width, width)


# the plain ways ----------------------------------------------------------------------------------
def numpy_loop(hidden: np.ndarray, depth: int, weights: Weights) -> np.ndarray:
    """(depth, 4): the measures of one chain at every layer."""
    n, found = hidden.shape[1], np.empty((depth, 4))
    for layer in range(depth):
        hidden = hidden + GAMMA * (weights(layer) @ hidden)
        hidden /= np.sqrt((hidden * hidden).mean(axis=1, keepdims=True))
        moments = hidden @ hidden.T / n
        squared = moments @ moments
        frobenius = (moments * moments).sum()
        cube, diagonal = (squared * moments).sum(), np.diagonal(squared)
        found[layer] = moments.trace() ** 2 / frobenius, frobenius, cube, diagonal @ diagonal
    return found


def torch_loop(start: np.ndarray, depth: int, weights: Weights) -> np.ndarray:
    """The same; weights are torch tensors where they are drawn by torch."""
    hidden, found = torch.from_numpy(start), []
    n = hidden.shape[1]
    for layer in range(depth):
        hidden = hidden + GAMMA * (torch.as_tensor(weights(layer)) @ hidden)
        hidden = hidden / hidden.square().mean(dim=1, keepdim=True).sqrt()
        moments = hidden @ hidden.T / n
        squared = moments @ moments
        frobenius = moments.square().sum()
        cube, diagonal = (squared * moments).sum(), squared.diagonal()
        r = moments.trace().square() / frobenius
        found.append(torch.stack([r, frobenius, cube, diagonal @ diagonal]))
    return torch.stack(found).numpy()


def drawn_by_numpy(width: int, seed: int) -> Weights:
    generator = np.random.default_rng(seed)
    return lambda layer: generator.standard_normal((width, width))


def drawn_by_torch(width: int, seed: int) -> Weights:
    generator = torch.Generator().manual_seed(seed)
    return lambda layer: torch.randn(width, width, generator=generator, dtype=torch.float64)


def the_same(width: int, seed: int) -> Weights:
    """The weights of our chain with this seed."""
    keys = counters.tensor_keys([seed])

    def drawn(layer: int) -> np.ndarray:
        return counters.weights(gaussian(), counters.bases(keys, layer), width, width)[0].numpy()

    return drawn


PLAIN: dict[str, tuple[Loop, Callable[[int, int], Weights]]] = {
    "NumPy": (numpy_loop, drawn_by_numpy),
    "torch": (torch_loop, drawn_by_torch),
}


@dataclass(frozen=True)
class Plain:
    """One plain way, timed: seconds a layer, by chain; measures (chains, layers, 4)."""

    name: str
    threads: int
    seconds: list[float]
    found: np.ndarray


def plain_way(name: str, threads: int, width: int, depth: int, chains: int) -> Plain:
    torch.set_num_threads(threads)
    loop, draw = PLAIN[name]
    start, seconds, found = inputs(width).numpy(), [], []
    for seed in range(chains):
        begin = perf_counter()
        found.append(loop(start[seed], depth, draw(width, seed)))
        seconds.append((perf_counter() - begin) / depth)
    return Plain(name, threads, seconds, np.array(found))


# comparison --------------------------------------------------------------------------------------
def ours(width: int, depth: int) -> tuple[Seen, float]:
    """All seeds, everything measured at every layer; seconds a layer of one chain."""
    start = inputs(width)
    begin = perf_counter()
    seen = run(start, gaussian(), gammas=GAMMA, seeds=range(SEEDS), plan=Plan(depth))
    return seen, (perf_counter() - begin) / depth / SEEDS


def difference(width: int) -> float:
    """The largest relative one to the plain loop, on the same weights, over the first layers."""
    plan = Plan(CHECKED, batches=CHECKED)
    start = inputs(width)
    seen = run(start, gaussian(), gammas=GAMMA, seeds=range(SEEDS), plan=plan)
    worst = 0.0
    for seed in (0, SEEDS - 1):
        wanted = numpy_loop(start[seed].numpy(), CHECKED, the_same(width, seed))
        found = np.stack([seen.batch_means(name)[seed] for name in MEASURES], axis=1)
        worst = max(worst, float((np.abs(found - wanted) / np.abs(wanted)).max()))
    return worst


def standardised(seen: Seen, plain: Plain) -> float:
    """The largest difference of an average over both runs' second halves, over its error."""
    worst = 0.0
    half = seen.plan.stretches // 2
    for place, name in enumerate(MEASURES):
        one = seen.batch_means(name)[:, half:].mean(axis=1)
        two = plain.found[:, plain.found.shape[1] // 2 :, place].mean(axis=1)
        error = sqrt(one.var(ddof=1) / len(one) + two.var(ddof=1) / len(two))
        worst = max(worst, abs(one.mean() - two.mean()) / error)
    return worst


def compare(width: int, share: float) -> bool:
    """Print one comparison; whether the target is met and the answers agree."""
    depth, plain_depth = (max(200, int(share * layers)) for layers in LAYERS[width])
    ours(width, 10)  # compiles
    pairs = [(name, threads) for name in PLAIN for threads in (1, 2)]
    trial = {pair: plain_way(*pair, width, 200, 3) for pair in pairs}
    best = min(trial, key=lambda pair: median(trial[pair].seconds))
    seconds, slow, found = [], [], []
    for _ in range(ROUNDS):  # both ways in turn: the load of the machine is shared
        seen, spent = ours(width, depth)
        seconds.append(spent)
        plain = plain_way(*best, width, plain_depth, 8)
        slow += plain.seconds
        found.append(standardised(seen, plain))
    ratio = median(slow) / median(seconds)
    gap, errors = difference(width), median(found)
    name, threads = best
    print(f"d = N = {width}, {SEEDS} seeds, measured at every layer")
    print(f"  ours:        {1 / median(seconds):12,.0f} layers a second")
    print(f"  {name} loop:  {1 / median(slow):12,.0f} layers a second ({threads} threads)")
    for pair, one in trial.items():
        print(f"    trial: {pair[0]}, {pair[1]} threads {1 / median(one.seconds):12,.0f}")
    print(f"  ratio of medians {ratio:.1f} (target {TARGETS[width]:.0f})")
    print(f"  answers: on the same weights {gap:.1e}, averages within {errors:.1f} errors")
    return ratio >= TARGETS[width] and gap < AGREE and errors < ERRORS


def experiment(
    widths: Sequence[int], depth: int, device: str = "cpu", chains: int = 1
) -> list[float]:
    """The regularity constant against the width, so many chains for each gamma; the constants."""
    print(f"\nregularity constant, depth {depth:,}, observed at every 10th layer")
    print(f"{'d':>5s}{'gamma':>7s}{'alpha':>9s}{'error':>9s}{'r':>8s}{'|M|^2/d^1.5':>13s}{'s':>8s}")
    whole = perf_counter()
    constants = []
    for width in widths:
        gammas = np.repeat((0.1, 1.0), chains)
        start = full(torch.Generator().manual_seed(0), len(gammas), width, width)
        begin = perf_counter()
        plan = Plan(depth, burn_in=depth // 10, stride=10)
        seeds = range(1, len(gammas) + 1)
        seen = run(start, gaussian(), gammas=gammas, seeds=seeds, plan=plan, device=device)
        spent, alpha = perf_counter() - begin, seen.regularity()
        for gamma in (0.1, 1.0):
            own = gammas == gamma
            constants.append(float(alpha.value[own].mean()))
            error = float(sqrt((alpha.error[own] ** 2).sum()) / chains)
            print(
                f"{width:5d}{gamma:7.1f}{constants[-1]:9.4f}{error:9.4f}"
                f"{seen.mean(R)[own].mean():8.2f}"
                f"{seen.mean(FROBENIUS)[own].mean() / width**1.5:13.3f}{spent / 2:8.1f}"
            )
    print(f"all: {perf_counter() - whole:.1f} s")
    return constants


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the layers, d to 32")
    parser.add_argument("--depth", type=int, default=100_000, help="of the experiment")
    parser.add_argument("--widths", default=",".join(map(str, EXPERIMENT)))
    parser.add_argument("--device", help="run the experiment alone, on it")
    parser.add_argument("--chains", type=int, default=1, help="for each gamma, of the experiment")
    given = parser.parse_args(arguments)
    widths = [int(width) for width in given.widths.split(",")]
    depth, share = given.depth, 1.0
    if given.quick:
        depth, share = depth // 10, 0.2
        widths = [width for width in widths if width <= 32]
    fine = [] if given.device else [compare(width, share) for width in TARGETS]
    experiment(widths, depth, given.device or "cpu", given.chains)
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
