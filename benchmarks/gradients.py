"""Risk gradients (logistic loss) of many different random DAG ReLU networks, in four ways.

Ours: all networks compiled into one program (numerics.program), with the Numba kernels on all
cores, and in plain torch. The plain way: one autograd graph per network, written vertex by vertex;
and a careful form of it, level by level with index operations. The networks have 20 to 100
vertices and some 185 edges on average. Each way starts from weights, data and a structure that is
prepared, and must give the same gradients; autograd is timed on a part of the networks, with one
and with two threads of torch, and the better is quoted. Ratios are of medians, the ways taking
turns.

Run: python -m benchmarks.gradients [--quick] [--networks N] [--rounds N]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median
from time import perf_counter, sleep

import numpy as np
import torch
from torch.nn.functional import softplus

from graphs.evaluation import Union
from graphs.network import Network
from graphs.random_graphs import random_dag
from numerics.losses import LOGISTIC
from numerics.program import compile_networks

TARGET = 1000.0
AUTOGRAD_NETWORKS = 30
SECONDS_A_TURN = 0.2
ATTEMPTS = 12
QUIET = 0.15  # processor seconds a second; the clock ticks in hundredths
THREADS = (1, 2)

Gradients = Callable[[], torch.Tensor]


@dataclass(frozen=True)
class Problem:
    """Networks with weights, inputs (n, d) and labels (n,) of each."""

    nets: list[Network]
    weights: list[np.ndarray]
    inputs: list[np.ndarray]
    labels: list[np.ndarray]


def drawn(count: int, examples: int) -> Problem:
    random, generator = Random(0), np.random.default_rng(0)
    nets = []
    for _ in range(count):
        vertices, inputs = random.randint(20, 100), random.randint(2, 8)
        nets.append(random_dag(random, inputs, vertices - inputs - 1, min(1.0, 6 / vertices)))
    return Problem(
        nets,
        [0.6 * generator.standard_normal(net.parameter_count) for net in nets],
        [generator.standard_normal((examples, len(net.free_inputs))) for net in nets],
        [generator.choice([-1.0, 1.0], size=examples) for _ in nets],
    )


# the ways ------------------------------------------------------------------------------------
def ours(problem: Problem, backend: str) -> Gradients:
    program = compile_networks(problem.nets, backend=backend)
    weights = program.weights(problem.weights)
    examples = program.examples(problem.inputs, problem.labels)
    return lambda: program.risk_gradient(weights, examples, LOGISTIC)


def autograd(problem: Problem, outputs: Callable[[Network], Callable]) -> Gradients:
    """One graph per network; `outputs` prepares a network and returns its nu(weights, inputs)."""
    prepared = [
        (
            outputs(net),
            torch.tensor(weights, requires_grad=True),
            torch.from_numpy(inputs),
            torch.from_numpy(labels),
        )
        for net, weights, inputs, labels in zip(
            problem.nets, problem.weights, problem.inputs, problem.labels, strict=True
        )
    ]

    def gradients() -> torch.Tensor:
        parts = []
        for nu, weights, inputs, labels in prepared:
            risk = softplus(-labels * nu(weights, inputs), threshold=700.0).mean()
            parts += torch.autograd.grad(risk, weights)
        return torch.cat(parts)

    return gradients


def by_vertex(net: Network) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Each vertex a product of its weights with its parents' values, then ReLU."""
    first = len(net.inputs)
    parents = [[net.tails[e] for e in edges] for edges in net.in_edges]
    places = [slice(edges.start, edges.stop) for edges in net.in_edges]

    def nu(weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
        rows = list(inputs.T)
        for v in range(first, net.vertex_count):
            z = weights[places[v]] @ torch.stack([rows[u] for u in parents[v]])
            rows.append(torch.relu(z) if v + 1 < net.vertex_count else z)
        return rows[-1]

    return nu


def by_level(net: Network) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """All vertices of one depth at once: gather, weigh, index_add, ReLU."""
    levels = Union.of([net]).levels
    order = np.concatenate([list(net.inputs), *(level.vertices for level in levels)])
    place = np.argsort(order)
    steps = [
        (
            torch.from_numpy(place[np.array(net.tails)[level.edges]]),
            torch.from_numpy(level.edges),
            torch.from_numpy(level.slot),
            len(level.vertices),
        )
        for level in levels
    ]

    def nu(weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
        post = inputs.T
        for tails, edges, slot, size in steps[:-1]:
            terms = weights[edges, None] * post[tails]
            sums = torch.zeros(size, post.shape[1], dtype=post.dtype).index_add(0, slot, terms)
            post = torch.cat([post, torch.relu(sums)])
        tails, edges, _, _ = steps[-1]  # the output, alone on the last level, is linear
        return weights[edges] @ post[tails]

    return nu


# timing --------------------------------------------------------------------------------------
def others() -> float:
    """Processor seconds that other processes have used so far; 0 where the system does not say."""
    try:
        ticks = [int(word) for word in Path("/proc/stat").read_text().split()[1:9]]
    except (OSError, ValueError):
        return 0.0
    busy = sum(ticks) - ticks[3] - ticks[4]  # all but idle and waiting
    return busy / os.sysconf("SC_CLK_TCK") - sum(os.times()[:2])


def turn(way: Gradients) -> tuple[float, bool]:
    """Seconds for one call, from as many calls as fill a turn; whether nobody else was at work.

    A turn that was disturbed is repeated a few times.
    """
    for attempt in range(ATTEMPTS):
        calls, start, elsewhere = 0, perf_counter(), others()
        while (passed := perf_counter() - start) < SECONDS_A_TURN:
            way()
            calls += 1
        if others() - elsewhere < QUIET * passed:
            return passed / calls, True
        if attempt + 1 < ATTEMPTS:
            sleep(SECONDS_A_TURN)
    return passed / calls, False


def rates(ways: dict[str, tuple[Gradients, int]], rounds: int) -> dict[str, tuple[float, int]]:
    """For each way its right-hand sides per second and the number of threads that gave the better
    median. The compiled kernels have threads of their own: torch's do not matter to them."""
    times: dict[tuple[str, int], list[float]] = {}
    disturbed = 0
    for _ in range(rounds):
        for name, (way, _) in ways.items():
            for threads in THREADS[-1:] if name.startswith("ours, compiled") else THREADS:
                torch.set_num_threads(threads)
                seconds, quiet = turn(way)
                times.setdefault((name, threads), []).append(seconds)
                disturbed += not quiet
    if disturbed:
        print(f"other processes were at work in {disturbed} turns: take the numbers with care")
    best: dict[str, tuple[float, int]] = {}
    for (name, threads), all_seconds in times.items():
        rate = ways[name][1] / median(all_seconds)
        if rate > best.get(name, (0.0, 0))[0]:
            best[name] = (rate, threads)
    return best


def disagreement(ours_first: torch.Tensor, other: torch.Tensor) -> float:
    """The largest difference, relative to the largest entry, of the networks both computed."""
    common = ours_first[: len(other)]
    return float((common - other).abs().max() / other.abs().max())


def compare(count: int, examples: int, rounds: int) -> tuple[float, float]:
    problem = drawn(count, examples)
    some = Problem(*(part[:AUTOGRAD_NETWORKS] for part in vars(problem).values()))
    start = perf_counter()
    compiled = ours(problem, "numba")
    reference = compiled()
    print(f"\n{count} networks, {examples} examples (ready in {perf_counter() - start:.1f} s)")
    ways = {
        "autograd, vertex by vertex": (autograd(some, by_vertex), len(some.nets)),
        "autograd, level by level": (autograd(some, by_level), len(some.nets)),
        "ours, plain torch": (ours(problem, "torch"), count),
        "ours, compiled": (compiled, count),
    }
    errors = {name: disagreement(reference, way()) for name, (way, _) in ways.items()}
    found = rates(ways, rounds)
    plain = found["autograd, vertex by vertex"][0]
    print(f"{'way':28}{'threads':>8}{'per second':>13}{'ratio':>9}{'difference':>12}")
    for name, (rate, threads) in found.items():
        print(f"{name:28}{threads:8}{rate:13,.0f}{rate / plain:9,.1f}{errors[name]:12.1e}")
    return found["ours, compiled"][0] / plain, max(errors.values())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="200 networks, 8 examples, 3 rounds")
    parser.add_argument("--networks", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(arguments)
    count, rounds = (200, 3) if given.quick else (given.networks, given.rounds)
    edges = mean(net.edge_count for net in drawn(count, 1).nets)
    print(f"torch {torch.__version__}, {edges:.0f} edges on average")
    results = [compare(count, n, rounds) for n in ((8,) if given.quick else (8, 16, 32))]
    ratio, error = min(r for r, _ in results), max(e for _, e in results)
    print(
        f"\ncompiled against autograd vertex by vertex: at least {ratio:,.0f} "
        f"(target {TARGET:,.0f})"
    )
    print(f"largest relative difference of the answers: {error:.1e}")
    return 0 if ratio >= TARGET and error < 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
