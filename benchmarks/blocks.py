"""Hessians of random DAG networks exactly, and equation (13) of Zhu, Liu, Belkin (2022) on them.

All entries of the Hessian of the output by the weights, at rational weights and in symbols (a
symbol for each weight and, at each neuron, for the value of the activation and its first two
derivatives). Ours (second_order): in two ways, by the chain rule and as the sum over neurons
that (13) says, which must agree entry by entry. The plain way: the output as a SymPy expression,
`diff` by each pair of weights; then the numbers are put in, or the entry is expanded. The answers
are compared entry by entry. A block for two layers is the entries by their weights, so that this is
all blocks at once. Seconds are CPU time. Where the plain way looks at some rows of the Hessian
alone, drawn at random, its time is multiplied by the share of entries that they have.

Run: python -m benchmarks.blocks [--quick] [--repeats N]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random
from statistics import median
from time import process_time
from typing import Any

import sympy
from sympy.core.cache import clear_cache

from benchmarks.second_order import SecondOrder, at_point, edges_of, in_symbols

TARGET = 100.0
COEFFICIENTS = (Fraction(1, 2), Fraction(-1), Fraction(1, 3))  # of sigma(z): constant, z, z^2
SHARE = 0.3  # of the vertices before it that a neuron takes
EVERY_ROW = 1000
Pair = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """One size: median seconds of both ways for all entries, and what was compared."""

    manner: str
    neurons: int
    edges: int
    entries: int
    compared: int
    ours: float
    plain: float | None
    agree: bool

    @property
    def ratio(self) -> float:
        """How many times faster; 0 where the plain way was not run."""
        return 0.0 if self.plain is None else self.plain / self.ours


def random_dag(neurons: int, random: Random) -> list[list[int]]:
    """Two inputs, then neurons that take each vertex before them with probability SHARE, and one
    at least; the last one, the output, takes all that no other one takes."""
    parents: list[list[int]] = [[], []]
    for v in range(2, 1 + neurons):
        chosen = [u for u in range(v) if random.random() < SHARE]
        parents.append(chosen or [random.randrange(v)])
    taken = {u for incoming in parents for u in incoming}
    parents.append([u for u in range(1 + neurons) if u not in taken or random.random() < SHARE])
    return parents


# numbers -----------------------------------------------------------------------------------------
def quadratic(z: Any, coefficients: Sequence[Any]) -> tuple[Any, Any, Any]:
    """The value and the first two derivatives."""
    a, b, c = coefficients
    return a + z * (b + z * c), b + 2 * c * z, 2 * c


def draws(parents: list[list[int]], random: Random) -> tuple[list[Fraction], list[Fraction]]:
    """Weights and inputs."""
    weights = [Fraction(random.randint(1, 9), random.choice((2, 3, -4))) for _ in edges_of(parents)]
    return weights, [Fraction(1), Fraction(-2), *[Fraction(0)] * (len(parents) - 2)]


def rational_network(
    parents: list[list[int]], weights: Sequence[Fraction], inputs: Sequence[Fraction]
) -> SecondOrder:
    """The network at rational weights, in FLINT's rationals where they are installed."""
    from graphs.arithmetic import rational

    coefficients = [rational(c) for c in COEFFICIENTS]
    return at_point(
        parents,
        [rational(w) for w in weights],
        [rational(x) for x in inputs],
        lambda v, z: quadratic(z, coefficients),
    )


def plain_output(parents: list[list[int]], inputs: Sequence[Fraction], names: Sequence[Any]) -> Any:
    """The output as a SymPy expression in the weights."""
    coefficients = [sympy.Rational(str(c)) for c in COEFFICIENTS]
    post, numbers, z = [], iter(names), sympy.Integer(0)
    for v, incoming in enumerate(parents):
        z = sum((next(numbers) * post[u] for u in incoming), sympy.Integer(0))
        value = quadratic(z, coefficients)[0]
        post.append(value if incoming else sympy.Rational(str(inputs[v])))
    return z


def plain_numbers(
    parents: list[list[int]],
    weights: Sequence[Fraction],
    inputs: Sequence[Fraction],
    pairs: Sequence[Pair],
) -> dict[Pair, Fraction]:
    """Entries by `diff`, the numbers put in afterwards."""
    names = sympy.symbols(f"w:{len(weights)}")
    output = plain_output(parents, inputs, names)
    point = {w: sympy.Rational(str(x)) for w, x in zip(names, weights, strict=True)}
    firsts = {a: sympy.diff(output, names[a]) for a in {a for a, _ in pairs}}
    return {
        (a, b): Fraction(str(sympy.diff(firsts[a], names[b]).xreplace(point).doit()))
        for a, b in pairs
    }


# symbols -----------------------------------------------------------------------------------------
def unknown_activations(count: int) -> list[list[Any]]:
    """For each vertex three SymPy functions, each the derivative of the one before."""

    def named(v: int, order: int) -> Any:
        def fdiff(self: Any, argindex: int = 1) -> Any:
            return functions[v][order + 1](self.args[0])

        return type(f"s{v}_{order}", (sympy.Function,), {"fdiff": fdiff, "place": (v, order)})

    functions: list[list[Any]] = [[named(v, order) for order in range(4)] for v in range(count)]
    return functions


def plain_symbols(parents: list[list[int]], pairs: Sequence[Pair]) -> dict[Pair, Any]:
    """Entries by `diff`, the activations then replaced by their symbols, and expanded."""
    edges, functions = edges_of(parents), unknown_activations(len(parents))
    names = sympy.symbols(f"w:{len(edges)}")
    post, numbers, z = [], iter(names), sympy.Integer(0)
    for v, incoming in enumerate(parents):
        z = sum((next(numbers) * post[u] for u in incoming), sympy.Integer(0))
        post.append(functions[v][0](z) if incoming else sympy.Symbol(f"f{v}_0"))
    firsts = {a: sympy.diff(z, names[a]) for a in {a for a, _ in pairs}}
    found = {}
    for a, b in pairs:
        entry = sympy.diff(firsts[a], names[b])
        known = {
            f: sympy.Symbol(f"f{f.place[0]}_{f.place[1]}") for f in entry.atoms(sympy.Function)
        }
        found[a, b] = sympy.expand(entry.subs(known))
    return found


def written_out(polynomial: Any, ring: Any, parents: list[list[int]]) -> Any:
    """A polynomial of ours as an expanded SymPy expression."""
    names = list(sympy.symbols(f"w:{len(edges_of(parents))}"))
    names += [sympy.Symbol(f"f{v}_{order}") for v in range(len(parents)) for order in range(3)]
    total = []
    for exponents, number in ring.terms(polynomial).items():
        powers = [name**e for name, e in zip(names, exponents, strict=False) if e]
        total.append(sympy.Mul(sympy.Rational(number.numerator, number.denominator), *powers))
    return sympy.Add(*total)


# comparison --------------------------------------------------------------------------------------
def same_both_ways(network: SecondOrder, zero: Any) -> tuple[dict[Pair, Any], bool]:
    """The Hessian of the last vertex, and whether (13) holds for every entry."""
    last = len(network.parents) - 1
    one, other = network.hessian(last), network.hessian_by_neurons(last)
    pairs = one.keys() | other.keys()
    return one, all(zero(one.get(p, 0) - other.get(p, 0)) for p in pairs)


def compared(manner: str, neurons: int, looked: int, repeats: int, seed: int) -> Row:
    """One size in one manner, on one graph; looked: how many rows the plain way has to find."""
    random = Random(seed)
    parents = random_dag(neurons, random)
    weights, inputs = draws(parents, random)
    pairs = list(combinations_with_replacement(range(len(weights)), 2))
    rows = random.sample(range(len(weights)), min(looked, len(weights)))
    chosen = [(a, b) for a in rows for b in range(len(weights))]
    if len(rows) == len(weights):
        chosen = pairs
    seconds, good = [], True
    for _ in range(repeats):
        start = process_time()
        if manner == "numbers":
            network = rational_network(parents, weights, inputs)
            found, agree = same_both_ways(network, lambda x: x == 0)
        else:
            ring, network = in_symbols(parents)
            found, agree = same_both_ways(network, ring.is_zero)
        seconds.append(process_time() - start)
        good = good and agree
    plain = None
    if chosen:
        clear_cache()
        start = process_time()
        if manner == "numbers":
            wanted = plain_numbers(parents, weights, inputs, chosen)
        else:
            wanted = plain_symbols(parents, chosen)
        plain = (process_time() - start) * len(pairs) / len(chosen)
        for pair, entry in wanted.items():
            ours = found.get((min(pair), max(pair)), 0)
            if manner == "numbers":
                good = good and entry == Fraction(str(ours))
            else:
                good = good and entry == (written_out(ours, ring, parents) if ours else 0)
    return Row(manner, neurons, len(weights), len(pairs), len(chosen), median(seconds), plain, good)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="five neurons")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args(arguments)
    sizes = [("numbers", 5, 3), ("symbols", 5, 3)]
    if not given.quick:
        sizes = [("numbers", 10, EVERY_ROW), ("symbols", 10, EVERY_ROW)]
        sizes += [("symbols", 15, EVERY_ROW)]
        sizes += [("numbers", 20, 0), ("symbols", 20, 0)]
    in_symbols(random_dag(3, Random(0)))  # FLINT is loaded before anything is timed
    print(f"SymPy {sympy.__version__}; CPU seconds for all entries of a Hessian\n")
    print(f"{'manner':10s}{'neurons':>8s}{'edges':>7s}{'entries':>9s}{'compared':>10s}", end="")
    print(f"{'ours':>12s}{'SymPy':>12s}{'ratio':>10s}  agree")
    rows = []
    for number, (manner, neurons, looked) in enumerate(sizes):
        row = compared(manner, neurons, looked, given.repeats, seed=number)
        rows.append(row)
        plain = "-" if row.plain is None else f"{row.plain:.3f}"
        ratio = "-" if row.plain is None else f"{row.ratio:,.0f}"
        print(f"{row.manner:10s}{row.neurons:8d}{row.edges:7d}{row.entries:9d}", end="")
        print(f"{row.compared:10d}{row.ours:12.5f}{plain:>12s}{ratio:>10s}  {row.agree}")
    least = min(row.ratio for row in rows if row.plain is not None)
    print(f"\nleast ratio of those compared: {least:,.0f} (target {TARGET:,.0f})")
    agree = all(row.agree for row in rows)
    return 0 if agree and (given.quick or least >= TARGET) else 1


if __name__ == "__main__":
    sys.exit(main())
