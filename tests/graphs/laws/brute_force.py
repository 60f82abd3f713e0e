"""Laws the plain way: all unknowns at once, exact gradients at random points, one null space."""

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.exact import evaluation_at
from graphs.laws.modular import LARGEST, nullspace
from graphs.network import Network

Vector = tuple[Fraction, ...]


def gradients(network: Network, weights: Vector, x: Vector) -> list[list[Fraction]]:
    """For each output its derivative in each parameter."""
    evaluation = evaluation_at(network, weights, [x])
    rows = []
    for output in network.outputs:
        back = evaluation.sensitivities(np.array([output]))
        row = [Fraction(0)] * network.parameter_count
        for p, edges in enumerate(network.edges_of_parameter):
            for e in edges:
                tail, head = network.tails[e], network.heads[e]
                parts = (evaluation.post[tail, 0], evaluation.slopes[head, 0], back[head, 0])
                row[p] += as_fraction(parts[0]) * as_fraction(parts[1]) * as_fraction(parts[2])
        rows.append(row)
    return rows


def monomials(network: Network) -> list[tuple[int, int]]:
    """(e, f) with e <= f, and (-1, f) for the linear ones."""
    count = network.parameter_count
    return [(e, f) for e in range(-1, count) for f in range(max(e, 0), count)]


def left_by_samples(network: Network, random: Random, spare: int = 30) -> np.ndarray:
    """A basis modulo 2^31 - 1 of the polynomials that random samples do not exclude (unscaled
    networks)."""
    unknowns = monomials(network)
    rows = []
    for _ in range(2 * len(unknowns) + spare):
        w, x = (
            tuple(Fraction(random.choice((-1, 1)) * random.randint(1, 999), 8) for _ in range(n))
            for n in (network.parameter_count, len(network.free_inputs))
        )
        kappa = [random.randint(-99, 99) for _ in network.outputs]
        parts = zip(kappa, gradients(network, w, x), strict=True)
        total = [
            sum(column) for column in zip(*([k * g for g in row] for k, row in parts), strict=True)
        ]
        rows.append([change(w, total, e, f) for e, f in unknowns])
    residues = [
        [q.numerator * pow(q.denominator, -1, LARGEST) % LARGEST for q in row] for row in rows
    ]
    return nullspace(np.array(residues, dtype=np.int64), LARGEST)


def change(w: Vector, gradient: list[Fraction], e: int, f: int) -> Fraction:
    """The rate of change of a monomial along a velocity."""
    if e < 0:
        return Fraction(gradient[f])
    return Fraction(w[e] * gradient[f] + w[f] * gradient[e])
