"""All quadratic conserved quantities of a network: the graded system, and one dense null space.

Graded: graphs.laws, from the built Network to the list of named laws, the proof that there are no
others of degree 2, and the certified count of independent ones. Its times are of the whole. The
plain way is given the samples: the rank, modulo the same prime, of one matrix over all
n(n+1)/2 + n unknowns, by FLINT where it is installed. Both must leave the same number of laws.
Targets are of processor time, which other work on the machine disturbs less.

Run: python -m benchmarks.laws [--quick] [--repeats N]
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter, process_time

import numpy as np

from graphs.activations import LINEAR, RELU, Activation
from graphs.composition import linear_head
from graphs.convolutions import convolution
from graphs.families import fully_connected
from graphs.laws import Laws, find_laws
from graphs.laws.modular import rank
from graphs.laws.nullities import Samples
from graphs.laws.patterns import Patterns
from graphs.laws.plan import Plan
from graphs.network import Network

TARGETS = {200: 0.1, 1000: 3.0}  # seconds


@dataclass(frozen=True)
class Row:
    """seconds on the wall and of the processor, medians."""

    net: Network
    kind: str
    wall: float
    cpu: float
    found: Laws


def graded(net: Network, kind: str, repeats: int) -> Row:
    """The whole, on fresh copies of the network, about which nothing is cached."""
    wall, cpu = [], []
    for _ in range(repeats):
        fresh = replace(net)
        start, used = perf_counter(), process_time()
        found = find_laws(fresh)
        wall.append(perf_counter() - start)
        cpu.append(process_time() - used)
    return Row(net, kind, median(wall), median(cpu), found)


def dense(net: Network, seed: int = 0) -> tuple[float, int]:
    """Seconds, and how many polynomials of degree 1 and 2 one matrix leaves. The samples are drawn
    before the clock starts."""
    plan = Plan.of(net)
    samples = Samples(plan, Patterns(plan), np.random.default_rng(seed))
    first, second = np.triu_indices(plan.size + 1)
    first, second = first[:-1], second[:-1]  # not the constant alone
    samples.ensure(len(first) + 8)
    start = perf_counter()
    rows = samples.rows(first, second, True, len(first) + 8)
    left = len(first) - rank(rows, plan.field.p)
    return perf_counter() - start, left


def networks(quick: bool) -> list[tuple[str, Network]]:
    """Small ones, for both ways."""
    widths = [[2, 3, 2], [3, 4, 2], [3, 4, 4, 2]] + ([] if quick else [[4, 5, 5, 3]])
    kinds: dict[str, Activation] = {"ReLU": RELU, "linear": LINEAR}
    found = [(name, fully_connected(w, kind)) for w in widths for name, kind in kinds.items()]
    found.append(("linear", fully_connected([2, 2, 1], LINEAR, bias=True)))
    found.append(("linear", linear_head(convolution(5, (1, 2), 3))))
    return found


def reached(yes: bool) -> str:
    return "reached" if yes else "MISSED"


def main() -> int:
    parser = argparse.ArgumentParser(description="Quadratic laws: graded system, dense system.")
    parser.add_argument("--quick", action="store_true", help="200 parameters and smaller only")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()

    wrong = []
    print(f"{'network':34} {'unknowns':>8} {'laws':>5} {'dense s':>9} {'graded s':>9} {'ratio':>7}")
    for kind, net in networks(arguments.quick):
        row = graded(net, kind, arguments.repeats)
        seconds, left = dense(net)
        unknowns = net.parameter_count * (net.parameter_count + 3) // 2
        linear = row.found.linear
        count = len(row.found.laws) + linear * (linear + 1) // 2
        if count != left or not row.found.all_quadratic:
            wrong.append(f"{net} ({kind}): graded {count}, dense {left}")
        print(
            f"{f'{net.title}, {kind}':34.34} {unknowns:8,} {left:5} {seconds:9.4f} {row.wall:9.4f} "
            f"{seconds / row.wall:7.1f}"
        )

    print(f"\n{'network':34} {'laws':>5} {'wall s':>8} {'CPU s':>8}")
    sizes = [[8, 8, 8, 8, 1]] + ([] if arguments.quick else [[20, 20, 20, 10]])
    for widths in sizes:
        for kind, activation in (("ReLU", RELU), ("linear", LINEAR)):
            row = graded(fully_connected(widths, activation), kind, arguments.repeats)
            size = row.net.parameter_count
            expected = sum(w if kind == "ReLU" else w * (w + 1) // 2 for w in widths[1:-1])
            certified = row.found.complete and row.found.all_quadratic
            if row.found.quadratic != expected or not certified:
                wrong.append(f"{row.net} ({kind}): {row.found.quadratic} laws, not {expected}")
            print(
                f"{f'{size} parameters, {kind}':34} {row.found.quadratic:5} {row.wall:8.3f} "
                f"{row.cpu:8.3f}  target {TARGETS[size]} s: {reached(row.cpu <= TARGETS[size])}"
            )
    print("answers: " + (f"WRONG: {wrong}" if wrong else "all agree, all certified"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
