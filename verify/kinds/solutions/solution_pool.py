"""Where exact solutions of the gradient flow come from, for claims about the limit.

Rays come from late directions of the flow on random small architectures and data, made rational
(late_directions), and on chains of dense layers by two formulas: of one example that all
layers pass on, and of several that a layer of ReLU neurons tells apart.
Points of rest come from Gordan's theorem: for random weights either some direction improves the
margins on all of many separable examples, or nonnegative multiples of these examples put the
weights at rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError
from graphs.exact import evaluation_at, parameter_gradients
from graphs.inequalities import strictly_positive
from graphs.matrices import kernel_vector
from graphs.network import Network
from verify.cases.case import Case
from verify.cases.networks_of_pieces import Plan, build
from verify.cases.structured import Structured
from verify.cases.structured_pool import structured
from verify.core.losses import PRESCRIBED
from verify.kinds.solutions.late_directions import (
    Row,
    late_directions,
    obtuse_rows,
    opposed_rows,
    rounded,
    starts,
    unit_rows,
)
from verify.kinds.solutions.rays import RAY, REST, is_solution, with_kind

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Planner = Callable[[Random, bool], Plan]
PER_DRAW = 3  # solutions to look for, for each random case of the budget
ONE = Fraction(1)
DIRECTIONS = 60
ATTEMPTS = 40


@dataclass(frozen=True)
class SolutionPool:
    """Exact solutions on the architectures that a planner draws.

    planner: draws a plan, given whether it may be large. solutions: the kinds to look for.
    separable: whether the data must be linearly separable, shown by the choice `theta`.
    obtuse: whether the data are unit vectors at obtuse angles with sum 0, one for each input but
    the last. opposed: whether networks whose inputs are read by neurons with two slopes get two
    examples or more, at obtuse angles, so that such neurons may be active on one alone. nonzero:
    whether no weight may be 0. rarity: how many times fewer draws than others it gets, where each
    one is large (below 1: more).
    """

    planner: Planner
    solutions: tuple[str, ...] = (RAY,)
    separable: bool = False
    obtuse: bool = False
    opposed: bool = False
    nonzero: bool = False
    rarity: float = 1.0
    examples: tuple[int, ...] = (1, 2, 1, 3, 2)
    losses: tuple[str, ...] = (PRESCRIBED,)

    def draw(self, random: Random, *, n: int, loss: str, large: bool = True) -> Case:
        """A case that starts an exact solution, or one for which none was found. Solutions behind
        neurons with two slopes may have more than n examples."""
        return _solved(self, random, [(n, large)])[0]

    def skeleton(self, random: Random, n: int, large: bool) -> Structured:
        """A case of a kind of solution with random weights and data. Raises NetworkError."""
        kind = random.choice(self.solutions)
        for _ in range(ATTEMPTS):
            try:
                plan = self.planner(random, large)
                net, choice = build(plan)
                break
            except NetworkError:
                continue
        else:
            raise NetworkError("no plan of this pool fits")
        weights = tuple(Fraction(random.choice((-2, -1, 1, 2))) for _ in net.parameter_names)
        opposed = self.opposed and reads_with_two_slopes(net)
        rows, labels, theta = self._data(random, len(net.free_inputs), n, opposed=opposed)
        slopes = (Fraction(-1),) * len(rows)
        family = f"{kind} on {net.title}"
        case = Case(net, weights, rows, labels, PRESCRIBED, slopes, choice, family)
        if theta is not None:
            case = case.choosing(theta=[str(value) for value in theta])
        return structured(with_kind(case, kind), plan)

    def _data(
        self, random: Random, width: int, n: int, *, opposed: bool
    ) -> tuple[tuple[Row, ...], tuple[Fraction, ...], Row | None]:
        if self.obtuse:
            rows = obtuse_rows(width - 1, random)
            return rows, (ONE,) * len(rows), None
        rows = opposed_rows(width, max(n, 2), random) if opposed else unit_rows(width, n, random)
        if not self.separable:
            return rows, tuple(Fraction(random.choice((1, -1))) for _ in rows), None
        theta = _generic(random, width)
        return rows, tuple(_side(theta, row) for row in rows), theta

    def solutions_of(self, seed: int, count: int) -> tuple[Case, ...]:
        """So many draws: claims with the same pool look at the same cases."""
        return _drawn(self, seed, max(6, int(count / self.rarity)))

    def accepts(self, case: Case) -> bool:
        """Whether a case is a solution of the kind wanted, by exact arithmetic."""
        return is_solution(case) and (not self.nonzero or all(case.weights))

    def drawn(self) -> SearchStrategy[Case]:
        """Solutions for the guided search."""
        from hypothesis import strategies as st

        from graphs.strategies import generators

        return st.builds(
            lambda random, n: self.draw(random, n=n, loss=PRESCRIBED, large=False),
            generators(),
            st.sampled_from(self.examples),
        )

    def named(self, random: Random) -> Iterator[Case]:
        """None."""
        return iter(())

    def scope(self) -> tuple[str, ...]:
        """What is drawn."""
        return (f"exact solutions of the flow: {', '.join(self.solutions)}",)

    def functions(self) -> dict[str, Any]:
        """What draws the plans."""
        return {"planner": self.planner}


@lru_cache(maxsize=32)
def _drawn(pool: SolutionPool, seed: int, count: int) -> tuple[Case, ...]:
    sizes = [(pool.examples[k % len(pool.examples)], k % 3 == 2) for k in range(count)]
    return tuple(_solved(pool, Random(seed), sizes))


def _solved(pool: SolutionPool, random: Random, sizes: Sequence[tuple[int, bool]]) -> list[Case]:
    """Cases with these numbers of examples, and whether they may be large; all rays are looked for
    at once."""
    cases: list[Case] = [pool.skeleton(random, n, large) for n, large in sizes]
    moving = [k for k, case in enumerate(cases) if case.choice["solution"] == RAY]
    begun = [(k, start) for k in moving for start in starts(cases[k], random)]
    if begun:
        found = late_directions([cases[k] for k, _ in begun], [start for _, start in begun])
        solved: set[int] = set()
        for (k, _), directions in zip(begun, found, strict=True):
            for direction in directions:
                if k not in solved:
                    cases[k] = on_ray(cases[k], direction, pool)
                    solved |= {k} if is_solution(cases[k]) else set()
    for k, case in enumerate(cases):
        kind = case.choice["solution"]
        if kind == REST:
            cases[k] = find_rest(case, random, pool)
        elif not is_solution(case):
            cases[k] = ray_behind_relu(case, random, pool)
            if not is_solution(cases[k]):
                cases[k] = ray_of_one_example(case, random, pool)
    return cases


# finding solutions ------------------------------------------------------------------------------
def on_ray(case: Case, direction: np.ndarray, pool: SolutionPool) -> Case:
    """The case with weights on a ray near a direction, where there is one."""
    for weights in rounded(case, direction):
        candidate = case.with_weights(weights)
        if pool.accepts(candidate):
            return candidate
    return case


def dense_parts(net: Network) -> list[list[int]] | None:
    """The vertices of a fully-connected network with one output and parameters of their own, by
    depth; None for another one."""
    depths = net.depths
    parts: list[list[int]] = [[] for _ in range(max(depths) + 1)]
    for v, depth in enumerate(depths):
        parts[depth].append(v)
    ends = zip(net.tails, net.heads, strict=True)
    full = net.edge_count == sum(len(one) * len(two) for one, two in pairwise(parts))
    steps = all(depths[head] == depths[tail] + 1 for tail, head in ends)
    own = all(map(net.own_parameter, range(net.edge_count)))
    return parts if full and steps and own and len(parts[-1]) == 1 else None


def two_slopes(net: Network, part: Sequence[int]) -> bool:
    """Whether a vertex of a part has two slopes."""
    return any(len(set(net.activations[v].slopes)) > 1 for v in part if net.in_edges[v])


def ray_of_one_example(case: Case, random: Random, pool: SolutionPool) -> Case:
    """On a chain of dense layers: one example x and W_1 = p_1 x^T, W_k = p_k p_(k-1)^T for unit
    vectors p_k that are positive where the neurons have two slopes. The case itself elsewhere."""
    net = case.network
    parts = dense_parts(net)
    if parts is None:
        return case
    place = {v: x for part in parts for v, x in _signed_unit(net, part, random).items()}
    weights = [Fraction(0)] * net.parameter_count
    for e, p in enumerate(net.parameter_of):
        weights[p] = place[net.heads[e]] * place[net.tails[e]]
    row, label = tuple(place[v] for v in parts[0]), place[parts[-1][0]]
    return _on_data(case, weights, (row,), (label,), tuple(label * x for x in row), pool)


def ray_behind_relu(case: Case, random: Random, pool: SolutionPool) -> Case:
    """On a layer of m = n k ReLU neurons, m a square, and linear dense ones: k neurons with the
    weights x_j for each of n examples at obtuse angles, W_2 = p_2 q^T with q_i = y_j, then
    W_k = m^(1/2) p_k p_(k-1)^T for unit vectors p_k. The case itself elsewhere."""
    net = case.network
    parts = dense_parts(net)
    if parts is None or len(parts) < 3 or not two_slopes(net, parts[1]):
        return case
    width = len(parts[1])
    counts = [n for n in (2, 3) if width % n == 0 and isqrt(width) ** 2 == width]
    relu = all(net.activations[v].kind == "relu" for v in parts[1])
    if not (counts and relu and len(parts[0]) > 1) or any(two_slopes(net, p) for p in parts[2:]):
        return case
    rows = opposed_rows(len(parts[0]), counts[0], random)
    theta = _generic(random, len(parts[0]))
    labels = [_side(theta, row) or ONE for row in rows]
    place: dict[int, Fraction] = {}
    for part in parts[2:]:
        place |= _signed_unit(net, part, random)
    place[parts[-1][0]] = ONE
    owner = {v: k % len(rows) for k, v in enumerate(parts[1])}
    number = {v: k for k, v in enumerate(parts[0])}
    weights = [Fraction(0)] * net.parameter_count
    for e, p in enumerate(net.parameter_of):
        tail, head = net.tails[e], net.heads[e]
        if head in owner:
            weights[p] = rows[owner[head]][number[tail]]
        elif tail in owner:
            weights[p] = place[head] * labels[owner[tail]]
        else:
            weights[p] = place[head] * place[tail] * isqrt(width)
    return _on_data(case, weights, tuple(rows), tuple(labels), theta, pool)


def _signed_unit(net: Network, part: Sequence[int], random: Random) -> dict[int, Fraction]:
    signs = (ONE,) if two_slopes(net, part) else (ONE, -ONE)
    unit = unit_vector(len(part), random)
    return {v: random.choice(signs) * value for v, value in zip(part, unit, strict=True)}


def _on_data(
    case: Case,
    weights: Sequence[Fraction],
    rows: tuple[Row, ...],
    labels: tuple[Fraction, ...],
    theta: Row,
    pool: SolutionPool,
) -> Case:
    """The case with these weights and data where they are a solution that the pool wants."""
    choice = dict(case.choice)
    if pool.separable:
        if not all(y * _side(theta, row) > 0 for row, y in zip(rows, labels, strict=True)):
            return case
        choice["theta"] = [str(value) for value in theta]
    slopes = (case.slopes[0],) * len(rows)
    found = replace(
        case, weights=tuple(weights), inputs=rows, labels=labels, slopes=slopes, choice=choice
    )
    return found if pool.accepts(found) else case


def unit_vector(size: int, random: Random) -> Row:
    """A rational vector of length 1 with positive entries: (2 t, |t|^2 - 1) / (|t|^2 + 1)."""
    if size == 1:
        return (ONE,)
    while True:
        t = [Fraction(random.randint(1, 3), random.randint(1, 2)) for _ in range(size - 1)]
        square = sum((x * x for x in t), Fraction(0))
        if square > 1:
            return (*(2 * x / (square + 1) for x in t), (square - 1) / (square + 1))


def find_rest(case: Case, random: Random, pool: SolutionPool) -> Case:
    """The case with the weights that it has, at rest on multiples of separable examples."""
    net = case.network
    width = len(net.free_inputs)
    theta = _unseen(case) or _generic(random, width)
    rows = [_generic(random, width) for _ in range(DIRECTIONS)]
    evaluation = evaluation_at(net, case.weights, rows)
    useful = ~evaluation.kinks.any(axis=0) & (evaluation.outputs[0] != 0)
    gradients = parameter_gradients(evaluation)
    chosen = [j for j, row in enumerate(rows) if useful[j] and _side(theta, row)]
    labels = {j: _side(theta, rows[j]) for j in chosen}
    steepest = [[labels[j] * as_fraction(g) for g in gradients[:, j]] for j in chosen]
    if not steepest or improves_all(np.array(steepest, dtype=float)):
        return case
    shares = strictly_positive(steepest, net.parameter_count).certificate
    if shares is None:
        return case
    kept = [(chosen[k], share) for k, share in enumerate(shares) if share]
    data = tuple(tuple(share * value for value in rows[j]) for j, share in kept)
    largest = max(sum((abs(v) for v in row), Fraction(0)) for row in data)
    data = tuple(tuple(value / largest for value in row) for row in data)
    candidate = replace(
        case,
        inputs=data,
        labels=tuple(labels[j] for j, _ in kept),
        slopes=(Fraction(-1),) * len(kept),
        choice={**case.choice, "theta": [str(value) for value in theta]},
    )
    return candidate if pool.accepts(candidate) else case


def improves_all(rows: np.ndarray, rounds: int = 400) -> bool:
    """Whether a direction with a positive product with every row is found, in float64.

    Gilbert's algorithm walks to the point of least norm in the convex hull of the rows. False says
    nothing: exact arithmetic decides then.
    """
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    point = unit[0]
    for _ in range(rounds):
        products = unit @ point
        worst = int(np.argmin(products))
        if products[worst] > 1e-9:
            return True
        step = unit[worst] - point
        length = float(step @ step)
        if length == 0:
            return False
        point = point + min(1.0, -float(point @ step) / length) * step
    return False


def reads_with_two_slopes(net: Network) -> bool:
    """Whether some vertex that reads an input has an activation with two slopes."""
    heads = (net.heads[e] for v in net.free_inputs for e in net.out_edges[v])
    return any(len(set(net.activations[v].slopes)) > 1 for v in heads)


def _unseen(case: Case) -> Row | None:
    """A direction in which the network is constant: orthogonal to the weights of every vertex that
    reads inputs, None where there is none. Labels given by it are hard for the network."""
    net = case.network
    edges = net.edge_weights(case.weights)
    place = {v: k for k, v in enumerate(net.free_inputs)}
    rows = []
    for v in sorted({net.heads[e] for i in net.free_inputs for e in net.out_edges[i]}):
        row = [Fraction(0)] * len(place)
        for e in net.in_edges[v]:
            if net.tails[e] in place:
                row[place[net.tails[e]]] = edges[e]
        rows.append(row)
    return kernel_vector(rows)


def _generic(random: Random, width: int) -> Row:
    while True:
        row = tuple(Fraction(random.randint(-4, 4)) for _ in range(width))
        if any(row):
            return row


def _side(theta: Row, row: Row) -> Fraction:
    """The sign of theta . x: 1, -1 or 0."""
    product = sum((a * b for a, b in zip(theta, row, strict=True)), Fraction(0))
    return Fraction((product > 0) - (product < 0))
