"""The balance of a vertex, sum_in w dR/dw = sum_out w dR/dw, decided in three ways.

Structural: from the graph (graphs.balance), one vertex by the search for a potential, or all inner
vertices in one pass. Expanded: both sides as polynomials in normal form, by FLINT
(benchmarks.expanded_balance). The plain way: nested SymPy expressions, their derivatives,
`sympy.expand` of the difference. Networks are fully connected with a hidden layer of one vertex,
which all paths cross: it is the one that is decided. Each way starts from the built Network, and
must find the true identity true, and the one with an edge left out false.

Run: python -m benchmarks.balance [--quick] [--repeats N]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median
from time import perf_counter
from typing import Any

import sympy
from sympy.core.cache import clear_cache

from benchmarks.expanded_balance import vertex_sides, weighted_gradients, zero_residuals
from benchmarks.residues import balance_residues, vertex_coefficients
from graphs.balance import Balanced, decide, vertex_balances
from graphs.families import fully_connected
from graphs.network import Network
from graphs.paths import count_paths
from graphs.polynomials import Symbols

WIDTH = 10


@dataclass(frozen=True)
class Row:
    way: str
    net: Network
    seconds: float
    answer: bool


def waisted(before: int, after: int) -> tuple[Network, int]:
    """A network with 10^(before + after) paths, and the hidden vertex that all of them cross."""
    net = fully_connected([WIDTH] * before + [1] + [WIDTH] * after + [1])
    return net, before * WIDTH


def timed(way: str, net: Network, repeats: int, work: Callable[[Network], bool]) -> Row:
    """Median time of `work` on fresh copies of the network, about which nothing is cached."""
    times = []
    for _ in range(repeats):
        fresh = replace(net)
        start = perf_counter()
        answer = work(fresh)
        times.append(perf_counter() - start)
    return Row(way, net, median(times), answer)


def one_vertex(net: Network, vertex: int, repeats: int) -> Row:
    def work(fresh: Network) -> bool:
        return isinstance(decide(fresh, vertex_coefficients(fresh, vertex)), Balanced)

    return timed("structural, one vertex", net, repeats, work)


def all_vertices(net: Network, repeats: int) -> Row:
    def work(fresh: Network) -> bool:
        found = vertex_balances(fresh)
        return len(found) > 0 and all(isinstance(o, Balanced) for o in found.values())

    return timed("structural, all vertices", net, repeats, work)


def expanded(net: Network, vertex: int, repeats: int) -> Row:
    def work(fresh: Network) -> bool:
        symbols = Symbols.of(fresh, backend="flint")
        into, out_of = vertex_sides(symbols.evaluation, vertex)
        return zero_residuals(symbols, into - out_of) == [True]

    return timed("expanded (FLINT), one vertex", net, repeats, work)


def residual(net: Network, coefficients: dict[int, int]) -> Any:
    """sum_e c_e w_e dnu/dw_e as a nested SymPy expression."""
    w = [sympy.Symbol(f"w{e}") for e in range(net.edge_count)]
    post = [sympy.Symbol(f"x{v}") for v in range(net.vertex_count)]
    for v, edges in enumerate(net.in_edges):
        if edges:
            slope = 1 if v in net.outputs else sympy.Symbol(f"s{v}")
            post[v] = slope * sum(w[e] * post[net.tails[e]] for e in edges)
    output = post[net.outputs[0]]
    return sum(c * w[e] * output.diff(w[e]) for e, c in coefficients.items())


def plain(net: Network, vertex: int, repeats: int) -> tuple[Row, Row]:
    """The whole, and `sympy.expand` alone."""
    times: list[float] = []

    def work(fresh: Network) -> bool:
        clear_cache()
        expression = residual(fresh, vertex_coefficients(fresh, vertex))
        start = perf_counter()
        answer = bool(sympy.expand(expression) == 0)
        times.append(perf_counter() - start)
        return answer

    whole = timed("SymPy, one vertex", net, repeats, work)
    return whole, replace(whole, way="  of this, expand", seconds=median(times))


def false_identity_is_seen(net: Network, vertex: int) -> dict[str, bool]:
    """Whether each way finds that the balance without its last in-edge is no identity."""
    left_out = net.in_edges[vertex][-1]
    coefficients = {e: c for e, c in vertex_coefficients(net, vertex).items() if e != left_out}
    symbols = Symbols.of(net, backend="flint")
    into, out_of = vertex_sides(symbols.evaluation, vertex)
    into = into - weighted_gradients(symbols.evaluation, [left_out])[0]
    return {
        "false identity, structural": not isinstance(decide(net, coefficients), Balanced),
        "false identity, FLINT": zero_residuals(symbols, into - out_of) == [False],
        "false identity, SymPy": bool(sympy.expand(residual(net, coefficients)) != 0),
    }


def ratio(what: str, slow: Row, fast: Row, target: float | None) -> str:
    times = slow.seconds / fast.seconds
    if target is None:
        return f"{what}: {times:,.0f} times"
    return f"{what}: {times:,.0f} times (target {target:,.0f}: {reached(times >= target)})"


def reached(yes: bool) -> str:
    return "reached" if yes else "MISSED"


def main() -> int:
    parser = argparse.ArgumentParser(description="Vertex balance: structural, FLINT, SymPy.")
    parser.add_argument("--quick", action="store_true", help="10^3 paths for FLINT and SymPy")
    parser.add_argument("--repeats", type=int, default=3, help="of the plain way (seconds each)")
    arguments = parser.parse_args()
    targets = (None, None) if arguments.quick else (10_000, 100)

    small, vertex = waisted(2, 1) if arguments.quick else waisted(2, 2)
    large, waist = waisted(3, 3)
    huge = fully_connected([30] * 30 + [1])
    single, everything = one_vertex(large, waist, 101), all_vertices(large, 101)
    at_huge = all_vertices(huge, 11)
    flint = expanded(small, vertex, 5)
    whole, expand = plain(small, vertex, arguments.repeats)
    rows = (single, everything, one_vertex(huge, 450, 11), at_huge, flint, whole, expand)

    print(f"{'way':30} {'edges':>7} {'paths':>9} {'seconds':>12}")
    for row in rows:
        paths = count_paths(row.net).total
        print(f"{row.way:30} {row.net.edge_count:7,} {paths:9.0e} {row.seconds:12.6f}")
    print(ratio("structural, one vertex, against expand alone", expand, single, targets[0]))
    print(ratio("structural, all vertices, against expand alone", expand, everything, targets[0]))
    print(ratio("FLINT against expand alone", expand, flint, targets[1]))
    print(ratio("FLINT against the whole plain way", whole, flint, targets[1]))
    print(
        f"all vertices of {count_paths(huge).total:.0e} paths in {at_huge.seconds:.4f} s "
        f"(target 0.1 s: {reached(at_huge.seconds < 0.1)})"
    )

    answers = {f"{row.way}, {row.net}": row.answer for row in rows}
    answers["residues modulo 2^61 - 1"] = not any(balance_residues(huge, random.Random(0)).values())
    answers |= false_identity_is_seen(*waisted(1, 1))
    wrong = [what for what, answer in answers.items() if not answer]
    print(f"{len(answers)} answers compared: " + (f"WRONG: {wrong}" if wrong else "all agree"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
