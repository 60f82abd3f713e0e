"""Gradient flows of many different random DAG ReLU networks: ours, and torchdiffeq in a loop.

Ours: all networks in one call of numerics.flow, each integrated by itself to its end, kinks located
and slides followed. The plain way: for each network torchdiffeq's dopri5 on an autograd gradient,
written vertex by vertex, to the same tolerances. It knows no kinks: where the flow slides along
one, its steps collapse, and not every network finishes. So it runs on a sample, and stops after a
limit of evaluations; the time until then stands for the network, which flatters it.

Then: what an easy network costs beside a stiff one; and how well balances hold while the logistic
loss falls below 1e-100. Ratios are of medians.

Run: python -m benchmarks.flows [--quick] [--networks N] [--sample N]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from statistics import median
from time import perf_counter

import numpy as np
import torch
from torch.nn.functional import softplus

from benchmarks.gradients import Problem, by_vertex, drawn
from graphs.network import Network, network
from numerics.flow import Flows, Options, Status, flow
from numerics.losses import LOGISTIC, SQUARED
from numerics.program import compile_networks

TARGET = 500.0
UNTIL = 1.0
TOLERANCES = {"rtol": 1e-7, "atol": 1e-9}
TIGHT = Options(method="dop853", rtol=1e-11, atol=1e-13)
ROUNDS = 5


@dataclass(frozen=True)
class Run:
    """One network by torchdiffeq: end is None where it did not finish."""

    seconds: float
    evaluations: int
    end: np.ndarray | None


class TooLong(Exception):
    pass


def balances(net: Network) -> list[list[tuple[int, int, float]]]:
    """For each inner vertex the squares of its in-weights minus those of its out-weights."""
    return [
        [(e, e, 1.0) for e in net.in_edges[v]]
        + [(e, e, -1.0) for e in range(net.edge_count) if net.tails[e] == v]
        for v in net.inner
    ]


def ours(problem: Problem, options: Options, forms: bool) -> tuple[Callable[[], Flows], float]:
    """A call that integrates all networks; how long it took to prepare, compiling included."""
    start = perf_counter()
    program = compile_networks(problem.nets)
    weights = program.weights(problem.weights)
    examples = program.examples(problem.inputs, problem.labels)
    given = [balances(net) for net in problem.nets] if forms else None

    def call() -> Flows:
        return flow(program, weights, examples, LOGISTIC, UNTIL, options=options, forms=given)

    call()
    return call, perf_counter() - start


def theirs(problem: Problem, c: int, limit: int) -> Run:
    from torchdiffeq import odeint

    nu = by_vertex(problem.nets[c])
    inputs, labels = torch.from_numpy(problem.inputs[c]), torch.from_numpy(problem.labels[c])
    count = 0

    def velocity(_: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        nonlocal count
        count += 1
        if count > limit:
            raise TooLong
        with torch.enable_grad():
            here = weights.detach().requires_grad_()
            risk = softplus(-labels * nu(here, inputs), threshold=700.0).mean()
            return -torch.autograd.grad(risk, here)[0]

    start = perf_counter()
    try:
        with torch.no_grad():
            times = torch.tensor([0.0, UNTIL], dtype=torch.float64)
            path = odeint(
                velocity, torch.tensor(problem.weights[c]), times, method="dopri5", **TOLERANCES
            )
        end = path[-1].numpy()
    except (TooLong, AssertionError):  # an assertion of torchdiffeq: underflow of the step
        end = None
    return Run(perf_counter() - start, count, end)


def drift(net: Network, start: np.ndarray, end: np.ndarray) -> float:
    """The largest drift of a vertex balance."""
    return max(abs(sum(x * (end[a] ** 2 - start[a] ** 2) for a, _, x in f)) for f in balances(net))


def compare(count: int, examples: int, sample: int, limit: int) -> float:
    """Print the comparison for so many examples; returns the ratio of medians."""
    problem = drawn(count, examples)
    call, ready = ours(problem, Options(**TOLERANCES), forms=False)
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        found = call()
        times.append((perf_counter() - start) / count)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # operations on a few numbers: more threads only wait
    runs = [theirs(problem, c, limit) for c in range(sample)]
    torch.set_num_threads(threads)
    done = [c for c in range(sample) if runs[c].end is not None and found[c].status.complete]
    ratio = median(run.seconds for run in runs) / median(times)
    evaluations = median(f.counts.evaluations for f in found)
    print(f"\n{count} networks, {examples} examples, to t = {UNTIL} (ready in {ready:.1f} s)")
    print(f"ours:        {1e3 * median(times):8.3f} ms a network, {evaluations:.0f} evaluations")
    print(f"             {dict(Counter(f.status.name for f in found))}")
    seconds = median(run.seconds for run in runs)
    finished = sum(run.end is not None for run in runs)
    print(f"torchdiffeq: {1e3 * seconds:8.1f} ms a network (median of {sample}), {finished} of")
    print(f"             them finished within {limit} evaluations; the others count as if they had")
    print(f"ratio of medians: {ratio:,.0f} (target {TARGET:,.0f})")
    tight = ours(problem, TIGHT, forms=False)[0]()
    errors = [
        tuple(
            float(np.abs(tight[c].weights - end).max()) for end in (found[c].weights, runs[c].end)
        )
        for c in done
    ]
    drifts = [
        (
            drift(problem.nets[c], problem.weights[c], found[c].weights),
            drift(problem.nets[c], problem.weights[c], runs[c].end),
        )
        for c in done
    ]
    if done:
        print(
            f"where both finished ({len(done)}), against ours with a tolerance of {TIGHT.rtol}: "
            f"median error ours {median(e for e, _ in errors):.1e}, torchdiffeq "
            f"{median(e for _, e in errors):.1e}; largest {max(e for e, _ in errors):.1e}, "
            f"{max(e for _, e in errors):.1e}"
        )
        print(
            f"largest drift of a balance, median over networks: ours "
            f"{median(d for d, _ in drifts):.1e}, torchdiffeq {median(d for _, d in drifts):.1e}; "
            f"largest: {max(d for d, _ in drifts):.1e}, {max(d for _, d in drifts):.1e}"
        )
    return ratio


def kept_step_by_step(count: int) -> float:
    """Print the residuals of the balance of each step; returns the largest against its bound."""
    call, _ = ours(drawn(count, 8), Options(**TOLERANCES), forms=True)
    found = call()
    pairs = [(b.residuals, b.bounds) for f in found for b in f.balances]
    residual = max(float(r.max()) for r, _ in pairs)
    share = max(float((r / np.maximum(b, 1e-300)).max()) for r, b in pairs)
    events = sum(f.counts.events for f in found)
    print(
        f"\nbalance of every step, through {events} events: largest residual {residual:.1e}, at "
        f"most {share:.2f} of the rounding estimated for it"
    )
    return share


def beside_a_stiff_one() -> None:
    """Print what an easy network costs alone, and beside a stiff one."""
    nets = [network([("x", "o")], inputs=["x"], outputs=["o"]) for _ in range(2)]
    inputs, labels = [[[1.0]], [[300.0]]], [[1.0], [1.0]]
    counts = []
    for chosen in ([0], [0, 1]):
        program = compile_networks([nets[c] for c in chosen])
        examples = program.examples([inputs[c] for c in chosen], [labels[c] for c in chosen])
        options = Options(evaluations=10**6)
        found = flow(program, [0.0] * len(chosen), examples, SQUARED, 1.0, options=options)
        counts.append([f.counts.evaluations for f in found])
    from torchdiffeq import odeint

    batched = []
    for squares in ([1.0], [1.0, 9e4]):
        slopes, used = torch.tensor(squares, dtype=torch.float64), 0

        def velocity(_: torch.Tensor, w: torch.Tensor, s: torch.Tensor = slopes) -> torch.Tensor:
            nonlocal used
            used += 1
            return 2.0 * (torch.sqrt(s) - s * w)

        times = torch.tensor([0.0, 1.0], dtype=torch.float64)
        odeint(velocity, torch.zeros_like(slopes), times, method="dopri5", rtol=1e-8, atol=1e-10)
        batched.append(used)
    print(
        f"\nan easy network alone and beside a stiff one: ours {counts[0][0]} and {counts[1][0]} "
        f"evaluations (the stiff one {counts[1][1]}), torchdiffeq as a batch {batched[0]} and "
        f"{batched[1]}"
    )


def far_down(count: int) -> float:
    """Print how balances hold below a loss of 1e-100; returns the largest drift, relative."""
    problem = drawn(count, 4)
    options = Options(
        method="dop853", clock="loss", rtol=1e-9, atol=1e-11, log_risk_below=-100 * log(10) - 0.1
    )
    program = compile_networks(problem.nets)
    examples = program.examples(problem.inputs, problem.labels)
    forms = [balances(net) for net in problem.nets]
    weights = program.weights(problem.weights)
    start = perf_counter()
    found = flow(program, weights, examples, LOGISTIC, 1e6, options=options, forms=forms)
    passed = perf_counter() - start
    reached = [f for f in found if f.status is Status.LOSS_REACHED]
    drifts = [max(abs(b.drift) for b in f.balances) / float(f.weights @ f.weights) for f in reached]
    print(
        f"\nlogistic loss below 1e-100: {len(reached)} of {count} networks in {passed:.1f} s, "
        f"{dict(Counter(f.status.name for f in found))}\n"
        f"largest drift of a balance over |w|^2: median {median(drifts):.1e}, largest "
        f"{max(drifts):.1e}; log t up to {max(f.log_time for f in reached):.0f}"
    )
    return max(drifts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="200 networks, 8 examples, sample 5")
    parser.add_argument("--networks", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=20)
    given = parser.parse_args(arguments)
    count, sample, limit = (200, 5, 300) if given.quick else (given.networks, given.sample, 2000)
    print(f"torch {torch.__version__}, tolerances {TOLERANCES}")
    sizes = (8,) if given.quick else (8, 16, 32)
    ratio = min(compare(count, examples, sample, limit) for examples in sizes)
    share = kept_step_by_step(100 if given.quick else 400)
    beside_a_stiff_one()
    lost = far_down(10 if given.quick else 40)
    print(f"\nratio at least {ratio:,.0f} (target {TARGET:,.0f})")
    return 0 if ratio >= TARGET and share < 1.0 and lost < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
