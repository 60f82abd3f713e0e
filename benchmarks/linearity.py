"""The rate experiment of Theorem 3.6 of Zhu, Liu and Belkin (2022): spectral norms of Hessians at
random weights and in balls around them, over families of networks and a ladder of widths.

For each family and width: the norm of an output's Hessian at the centre, and the largest that
ascent finds in the ball of radius R; means of logarithms over seeds, and their slope in log m,
with the standard error over seeds. The claim is a slope of -1/2 or below, but for logarithms.

Run: python -m benchmarks.linearity [--quick] [--device cuda] [--widths 16 32 ...] [--seeds 16]
     [--only "fcn, L"] [--into FOLDER [--minutes M]]
On the CPU two processes share the work. On CUDA the widths go to 4,096 unless given, and one
process measures. Memory is estimated before, and networks are measured as many at a time as
--memory GiB hold. Batches are kept in a folder, where one is given: with `--minutes 8` none is
begun later than that, the exit code 3 says to run it again, and it goes on from there. Depths 3 and
4 to width 16,384 with 256 seeds:

    python -m benchmarks.linearity --device cuda --only "fcn, L" --seeds 256 --into build/linearity
        --minutes 8 --widths 64 128 256 512 1024 2048 4096 8192 16384
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import log
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time

import torch
from torch import Tensor

from benchmarks.machine import room
from benchmarks.pieces import GO_ON, Pieces, TimeIsUp
from numerics.curvature.balls import Vertex, ascend
from numerics.curvature.families import densenet, densenet_drop, fcn, random_dag
from numerics.curvature.norms import NOTHING, hessian_norms
from numerics.curvature.shared_weights import conv1d
from numerics.curvature.wirings import Wiring, points
from verify.core.experiment_store import Arrays, ExperimentStore

WIDTHS = (16, 32, 64, 128, 256)
LARGE = (64, 128, 256, 512, 1024, 2048, 4096)
QUICK = (16, 32, 64)
TARGET = 60.0  # seconds on two cores, the five widths with sixteen seeds
RADIUS = 1.0
STEPS, RESTARTS = 8, 1  # of the ascent
TOLERANCE = 1e-4  # of the residual, relative
COPIES = 8  # of the weights that are held at a time: themselves, masks, scaled, moved, slopes
LANCZOS = 80  # vectors of coordinates, twice

Family = Callable[[int, int, torch.Generator], Wiring]
"""From a width, a number of graphs and a generator."""


@dataclass(frozen=True)
class Arm:
    """A family, and the exponent of m in its number of weights, which decides how far it goes."""

    family: Family
    growth: float
    ball: bool = True


ARMS = {
    "fcn, L = 3, tanh": Arm(lambda m, s, g: fcn(m), 2),
    "fcn, L = 4, softplus": Arm(lambda m, s, g: fcn(m, depth=4, activation="softplus"), 2),
    "fcn, m, m^(3/2)": Arm(lambda m, s, g: fcn(m, powers=(1, 1.5), activation="sigmoid"), 2.5),
    "DenseNet, L = 3": Arm(lambda m, s, g: densenet(m), 2),
    "half of a DenseNet": Arm(lambda m, s, g: densenet_drop(m, s, g), 2),
    "random, c = 1": Arm(lambda m, s, g: random_dag(m, s, g, most=1), 2),
    "random, c = 3/2": Arm(lambda m, s, g: random_dag(m, s, g, most=1.5), 2.5),
    "random, c = 2": Arm(lambda m, s, g: random_dag(m, s, g, most=2), 3, ball=False),
    "three outputs": Arm(lambda m, s, g: fcn(m, outputs=3), 2),
    "convolution": Arm(lambda m, s, g: conv1d(m, length=6), 2.3, ball=False),
}


@dataclass(frozen=True)
class Measured:
    """(S,) each: at the centre, and in the ball (a lower bound), or None. CPU seconds."""

    centre: Tensor
    ball: Tensor | None
    seconds: float


def bytes_of(wiring: Wiring) -> float:
    """What one network takes, about."""
    shapes = wiring.architecture.shapes
    weights = sum(rows * columns for rows, columns in shapes)
    tied = any(tie is not None for tie in wiring.ties)
    size = weights if tied else sum(rows + columns for rows, columns in shapes)
    return 8.0 * (COPIES * weights + 2 * LANCZOS * size)


def measure(
    task: tuple[str, int], seeds: int, device: str, memory: float, kept: ExperimentStore
) -> Measured:
    """All seeds of a family and a width, as many at a time as the memory holds."""
    torch.set_num_threads(1)
    (name, m), start = task, process_time()
    arm = ARMS[name]
    whole = arm.family(m, 1, torch.Generator().manual_seed(0))  # one graph, to learn the sizes
    most = max(1, min(seeds, int(memory * 2**30 / bytes_of(whole))))
    centre, ball = [], []
    for first in range(0, seeds, most):
        count = min(most, seeds - first)
        told = {"family": name, "m": m, "first": first, "count": count, "device": device}
        found = kept.once(__file__, told, partial(batch, arm, m, first, count, device))
        centre.append(torch.from_numpy(found["centre"]))
        if arm.ball:
            ball.append(torch.from_numpy(found["ball"]))
    spent = process_time() - start
    return Measured(torch.cat(centre), torch.cat(ball) if ball else None, spent)


def batch(arm: Arm, m: int, first: int, count: int, device: str) -> Arrays:
    """Networks of a family that are measured together."""
    generator = torch.Generator().manual_seed(1000 * m + first)
    networks = arm.family(m, count, generator).draw(count, generator).to(device)
    x = points(networks.architecture.inputs).to(device)
    if arm.ball:
        settings = {"steps": STEPS, "restarts": RESTARTS, "tolerance": TOLERANCE}
        found = ascend(networks, Vertex(x), RADIUS, generator, **settings)
        return {"centre": found.start.cpu().numpy(), "ball": found.norms.cpu().numpy()}
    norms = hessian_norms(
        Vertex(x).at(networks), generator, certificate=NOTHING, tolerance=TOLERANCE
    )
    return {"centre": norms.eigenvalue[:, 0].abs().cpu().numpy()}


def slope(widths: Sequence[int], norms: Sequence[Tensor]) -> tuple[float, float]:
    """The mean over seeds of the least-squares slopes in log m, and its standard error; seeds of
    one place in the list are taken together."""
    at = torch.tensor([log(m) for m in widths], dtype=torch.float64)
    at = at - at.mean()
    slopes = (at[:, None] * torch.stack(list(norms)).log()).sum(dim=0) / at.square().sum()
    return float(slopes.mean()), float(slopes.std() / len(slopes) ** 0.5)


def fits(arm: Arm, m: int, largest: int) -> bool:
    """Whether a width is within reach: no more weights than a square of the largest width has, six
    times over; small ones are. (At 256 the two of growth m^(5/2) take more than the target.)"""
    return m <= 32 or m**arm.growth <= 6 * largest**2


def report(name: str, found: Sequence[Measured], widths: Sequence[int], chosen: list[int]) -> None:
    """One line for the centre and one for the ball."""
    spent = sum(one.seconds for one in found)
    lines = {"centre": [one.centre for one in found]}
    if ARMS[name].ball:
        lines[f"ball, R = {RADIUS:g}"] = [one.ball for one in found if one.ball is not None]
    for place, (kind, norms) in enumerate(lines.items()):
        values = "".join(f"{float(part.log().mean().exp()):10.4f}" for part in norms)
        values += " " * (10 * (len(widths) - len(chosen)))
        fitted, error = slope(chosen, norms)
        seconds = f"{spent:8.2f}" if place == 0 else ""
        title = name if place == 0 else ""
        print(f"{title:22s}{kind:14s}{values}{fitted:8.3f} +-{error:6.3f}{seconds}", flush=True)


def measured(tasks: Sequence[tuple[str, int]], given: argparse.Namespace) -> Iterable[Measured]:
    """In the order of the tasks; on the CPU by two processes, the largest widths first."""
    kept = Pieces.within(given.into, given.minutes)
    settings = {"seeds": given.seeds, "device": given.device, "memory": given.memory}
    call = partial(measure, **settings, kept=kept)
    if given.device != "cpu":
        return map(call, tasks)
    order = sorted(range(len(tasks)), key=lambda n: -tasks[n][1])
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = dict(zip(order, pool.map(call, [tasks[n] for n in order]), strict=True))
    return [found[n] for n in range(len(tasks))]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="widths to 64, four seeds")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--widths", type=int, nargs="+")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--memory", type=float, help="GiB for each process; 2, on CUDA half of it")
    parser.add_argument("--only", default="", help="families whose names begin so")
    parser.add_argument("--into", type=Path, help="a folder for what is measured")
    parser.add_argument("--minutes", type=float, help="no batch is begun after them")
    given = parser.parse_args(arguments)
    on_cpu = given.device == "cpu"
    widths = tuple(given.widths or (QUICK if given.quick else WIDTHS if on_cpu else LARGE))
    given.seeds = given.seeds or (4 if given.quick else 16)
    given.memory = given.memory or room(given.device)
    arms = {name: arm for name, arm in ARMS.items() if name.startswith(given.only)}
    print(f"geometric means over {given.seeds} seeds; {given.device}; CPU seconds at the end")
    print(" " * 36 + "".join(f"{m:10d}" for m in widths) + "   slope")
    start = perf_counter()
    chosen = {name: [m for m in widths if fits(arm, m, max(widths))] for name, arm in arms.items()}
    tasks = [(name, m) for name in arms for m in chosen[name]]
    try:
        found = dict(zip(tasks, measured(tasks, given), strict=True))
    except TimeIsUp:
        print("the time is up, the same command goes on")
        return GO_ON
    for name in arms:
        report(name, [found[name, m] for m in chosen[name]], widths, chosen[name])
    spent = sum(one.seconds for one in found.values())
    print(f"{perf_counter() - start:.1f} seconds, {spent:.1f} CPU seconds")
    if widths != WIDTHS or given.seeds < 16 or not on_cpu or given.only or given.into:
        return 0
    print(f"target: {TARGET:.0f} seconds on two idle cores, {2 * TARGET:.0f} CPU seconds")
    return 0 if spent <= 2 * TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
