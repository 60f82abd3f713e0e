"""Activation regions: on which side of 0 each pre-activation lies, and points of a chosen region.

The weights enter vertex by vertex: once what flows into a vertex is known, its pre-activations are
linear in the weights of its in-edges, and the signs wanted are strict linear inequalities. They
are solved exactly, or shown to contradict one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError, NotRationalError
from graphs.exact import Numbers, evaluation_at
from graphs.inequalities import interval, strictly_positive
from graphs.network import Network
from graphs.paths import input_values
from graphs.rationals import RATIONALS

Pattern = Mapping[str, Sequence[int]]
LARGEST, LARGEST_DENOMINATOR = 6, 4  # of the weights drawn where nothing constrains them
FREE_DRAWS = 8  # of such weights for a vertex, before its inequalities are solved
SWEEPS = 2  # over the weights of a vertex, to move away from the solution found


class RegionError(NetworkError):
    """No weights with the chosen signs were found."""


class EmptyRegionError(RegionError):
    """No weights with the chosen signs exist: this was proved."""


def pattern(
    network: Network, weights: Numbers, xs: Sequence[Numbers]
) -> dict[str, tuple[int, ...]]:
    """The sign (-1, 0 or 1) of the pre-activation of each non-linear vertex on each example.

    weights: P numbers; xs: n examples. Raises as graphs.exact.evaluation_at.
    """
    pre = evaluation_at(network, weights, xs).pre
    return {
        name: tuple(_sign(z) for z in pre[v])
        for v, name in enumerate(network.names)
        if network.activations[v].kind != "linear" and v not in network.inputs
    }


def region_slopes(
    network: Network, weights: Numbers, xs: Sequence[Numbers]
) -> dict[str, tuple[Fraction, ...]]:
    """The slope of each non-linear vertex on each example, the right one at 0: the numbers that
    fix an activation region in graphs.polynomials. Raises as graphs.exact.evaluation_at."""
    signs = pattern(network, weights, xs)
    return {
        name: tuple(network.activations[network.index[name]].slopes[sign >= 0] for sign in row)
        for name, row in signs.items()
    }


def random_weights_in_region(
    network: Network,
    xs: Sequence[Numbers],
    signs: Pattern,
    random: Random,
    tries: int = 100,
) -> tuple[Fraction, ...]:
    """Rational weights, none of them 0, under which the pre-activations have the chosen signs.

    xs: n examples. signs: for each vertex that matters its n signs, -1 or 1 (strict); vertices left
    out may have any. tries: how often to begin again when an earlier draw leaves no room for a
    later vertex. Networks that share parameters are sampled instead, `tries` times: there a weight
    enters several vertices, and the inequalities are not linear.

    Raises EmptyRegionError when the inequalities of a vertex contradict one another whatever the
    weights before it are; RegionError when all tries failed, naming vertex and examples;
    NetworkError when the signs are not well formed; NotRationalError for a smooth activation.
    """
    _check_signs(network, xs, signs)
    if network.shares_parameters:
        return _sampled(network, xs, signs, random, tries)
    found: tuple[Fraction, ...] | _Conflict | None = None
    for _ in range(tries):
        found = _draw(network, xs, signs, random)
        if not isinstance(found, _Conflict):
            return found
        if found.settled:
            raise EmptyRegionError(f"{found}: no weights have these signs")
    raise RegionError(f"{tries} tries failed; in the last, {found}: ask for more tries")


@dataclass(frozen=True)
class _Conflict:
    """Examples on which the signs of a vertex contradict one another.

    settled: whether what flows into the vertex there is the same for all weights.
    """

    vertex: str
    examples: Sequence[int]
    settled: bool

    def __str__(self) -> str:
        numbers = ", ".join(str(j + 1) for j in self.examples)
        what = "example" if len(self.examples) == 1 else "examples"
        return f"the signs of {self.vertex!r} on {what} {numbers} contradict one another"


def _draw(
    network: Network, xs: Sequence[Numbers], signs: Pattern, random: Random
) -> tuple[Fraction, ...] | _Conflict:
    """Weights drawn vertex by vertex, or the first conflict."""
    weights = [Fraction(0)] * network.parameter_count
    scales = [as_fraction(scale) for scale in RATIONALS.square_roots(network.scale_squares)[:, 0]]
    starts = [input_values(network, x) for x in xs]
    # (V, n): the post-activations, and whether they are the same for all weights with these signs
    post = [[Fraction(start.get(v, 0)) for start in starts] for v in range(network.vertex_count)]
    settled = [[True] * len(xs) for _ in network.names]
    for v, name in enumerate(network.names):
        edges = network.in_edges[v]
        if not edges:
            continue
        tails = [network.tails[e] for e in edges]
        free = [e for e in edges if network.learnable(e)]
        columns = [post[network.tails[e]] for e in free]
        constant = [_held_flow(network, v, [row[j] for row in post]) for j in range(len(xs))]
        found = _weights_of_vertex(columns, constant, signs.get(name), random)
        if isinstance(found, list):
            return _Conflict(name, found, all(settled[u][j] for u in tails for j in found))
        for e, weight in zip(free, found, strict=True):
            weights[network.parameter_of[e]] = weight
        for j in range(len(xs)):
            z = scales[v] * sum(
                (w * c[j] for w, c in zip(found, columns, strict=True)), constant[j]
            )
            slope = network.activations[v].slopes[z >= 0]
            post[v][j] = slope * z
            unmoved = all(settled[u][j] for u in tails) and not any(c[j] for c in columns)
            settled[v][j] = unmoved or (name in signs and slope == 0)
    return tuple(weights)


def _held_flow(network: Network, v: int, post: Sequence[Fraction]) -> Fraction:
    """What the fixed edges carry into a vertex. post: V numbers."""
    total = Fraction(0)
    for e in network.in_edges[v]:
        constant = network.fixed[e]
        if constant is not None:
            total += constant * post[network.tails[e]]
    return total


def _weights_of_vertex(
    columns: Sequence[Sequence[Fraction]],
    constant: Sequence[Fraction],
    signs: Sequence[int] | None,
    random: Random,
) -> tuple[Fraction, ...] | list[int]:
    """One w_i for each column with sign_j (sum_i w_i columns[i][j] + constant[j]) > 0 for all j, or
    the list of the examples j that contradict one another."""
    size = len(columns)
    if signs is None:
        return tuple(_free_weight(random) for _ in range(size))
    # the last coordinate carries the constants; it is positive, and 1 in the end
    rows = [
        [sign * number for number in (*(column[j] for column in columns), constant[j])]
        for j, sign in enumerate(signs)
    ]
    for _ in range(FREE_DRAWS):
        point = [*(_free_weight(random) for _ in range(size)), Fraction(1)]
        if all(sum(map(Fraction.__mul__, row, point), Fraction(0)) > 0 for row in rows):
            return tuple(point[:-1])
    positive = [Fraction(int(i == size)) for i in range(size + 1)]
    answer = strictly_positive([*rows, positive], size + 1)
    if answer.solution is None:
        assert answer.certificate is not None
        return [j for j, y in enumerate(answer.certificate[:-1]) if y]
    point = [number / answer.solution[-1] for number in answer.solution]
    for _ in range(SWEEPS):
        for i in random.sample(range(size), size):
            point[i] = _between(*interval(rows, point, i), random)
    return tuple(point[:-1])


def _free_weight(random: Random) -> Fraction:
    size = Fraction(random.randint(1, LARGEST), random.randint(1, LARGEST_DENOMINATOR))
    return random.choice((-1, 1)) * size


def _between(low: Fraction | None, high: Fraction | None, random: Random) -> Fraction:
    """A random rational in the open interval, with a small denominator, not 0."""
    reach = Fraction(LARGEST)
    if low is None:
        low = -reach if high is None else min(-reach, high - reach)
    if high is None:
        high = max(reach, low + reach)
    eighth = (high - low) / 8
    start = low + eighth * random.randrange(8)
    choice = simplest_between(start, start + eighth)
    return choice if choice else simplest_between(Fraction(0), start + eighth)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational of least denominator in the open interval (the nearest to 0 among equals).

    >>> simplest_between(Fraction(1, 3), Fraction(2, 3))
    Fraction(1, 2)
    """
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest_between(-high, -low)
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    # no integer inside: low - whole in [0, 1), high - whole in (0, 1]
    below, above = low - whole, high - whole
    if below == 0:
        return whole + Fraction(1, above.denominator // above.numerator + 1)
    return whole + 1 / simplest_between(1 / above, 1 / below)


def _sampled(
    network: Network, xs: Sequence[Numbers], signs: Pattern, random: Random, tries: int
) -> tuple[Fraction, ...]:
    """Weights by trial: draw them all, and look."""
    for _ in range(tries):
        weights = tuple(_free_weight(random) for _ in network.parameter_names)
        pre = evaluation_at(network, weights, xs).pre
        if all(
            tuple(map(_sign, pre[network.index[name]])) == tuple(row) for name, row in signs.items()
        ):
            return weights
    raise RegionError(
        f"{network} shares parameters, so weights were sampled, and none of {tries} samples has "
        "the chosen signs: ask for more tries, or for other signs"
    )


def _check_signs(network: Network, xs: Sequence[Numbers], signs: Pattern) -> None:
    if not xs:
        raise NetworkError("no examples: give at least one")
    for v, activation in enumerate(network.activations):
        if not activation.homogeneous:
            raise NotRationalError(
                f"{network.names[v]!r} is {activation}, which has no exact values: "
                "regions are for piecewise-linear networks"
            )
    for name, row in signs.items():
        if name not in network.index or network.index[name] in network.inputs:
            raise NetworkError(f"signs given for {name!r}, which is no vertex with an activation")
        if len(row) != len(xs) or not all(sign in (-1, 1) for sign in row):
            raise NetworkError(
                f"the signs of {name!r} are {tuple(row)}: give -1 or 1 for each of the "
                f"{len(xs)} examples"
            )


def _sign(number: object) -> int:
    value = as_fraction(number)
    return (value > 0) - (value < 0)
