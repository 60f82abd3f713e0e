"""Appendix C, (32): the chain rule through the decomposition, at kinks too; the degrees of h."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from random import Random
from typing import Any

from graphs.inequalities import strictly_positive
from graphs.kinks import KinkError
from graphs.network import Network
from graphs.paths import Path, all_paths, input_values
from graphs.subgradients import clarke_element
from verify.case import Case
from verify.claim import Claim, Kind
from verify.kinked_points import often_kinked
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    FULLY_CONNECTED,
    HOMOGENEOUS,
    OWN_PARAMETERS,
)
from verify.papers.lj22.path_proofs import degrees, paths_by_layers, product_derivative
from verify.papers.lj22.sources import both
from verify.point_hypotheses import NONZERO_WEIGHTS
from verify.pool import Pool
from verify.transformations import random_rational
from verify.tree_inputs import TreeInputs
from verify.vocabulary import PATH_CAP, Entries, Scene, constant_entries

Row = tuple[dict[str, Any], Fraction]
DIRECTIONS = 4


def in_hull(point: Sequence[Fraction], corners: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a point is a convex combination of the corners: no direction separates it strictly.

    >>> one, zero = Fraction(1), Fraction(0)
    >>> in_hull([one / 2], [[zero], [one]]), in_hull([-one], [[zero], [one]])
    (True, False)
    """
    rows = [[a - b for a, b in zip(point, corner, strict=True)] for corner in corners]
    return strictly_positive(rows, len(point)).solution is None


def inclusion(tree: TreeInputs) -> Iterator[Row]:
    """1 where a limit of gradients of nu_x lies outside of the right-hand set of (32), else 0; for
    the directions that the case chose, at any point."""
    case = tree.case
    network = case.network
    directions = [
        [Fraction(step) for step in row]
        for row in case.choice.get("directions", ())
        if len(row) == network.parameter_count
    ]
    weights = network.edge_weights(case.weights)
    learnable = [e for e in range(network.edge_count) if network.learnable(e)]
    for j, x in enumerate(case.inputs):
        beta = [_derivatives(tree, j, p, weights) for p in range(len(tree.paths))]
        corners = [
            [
                sum((a * row[e] for a, row in zip(alpha, beta, strict=True)), Fraction(0))
                for e in learnable
            ]
            for alpha in tree.corners[j]
        ]
        for number, direction in enumerate(directions):
            try:
                found = clarke_element(network, case.weights, [x], [Fraction(1)], direction)
            except KinkError:  # it stays on a kink in this direction
                continue
            point = [found[network.parameter_of[e]] for e in learnable]
            value = Fraction(not in_hull(point, corners))
            yield {"example": j, "direction": number}, value


def _derivatives(tree: TreeInputs, j: int, p: int, weights: Sequence[Fraction]) -> list[Fraction]:
    """The gradient of the coordinate p of h (of h') at weights that are not 0, edge by edge: by
    difference quotients, in steps small enough for every sign to stay."""
    path, network = tree.paths[p], tree.case.network
    x = input_values(network, tree.case.inputs[j])[network.tails[path[0]]]
    size = abs if tree.absolute else Fraction
    here = x * prod((size(weights[e]) for e in path), start=Fraction(1))
    gradient = [Fraction(0)] * network.edge_count
    for e in path:
        step = abs(weights[e]) / 2 or Fraction(1)  # at 0 from the right
        moved = x * prod((size(weights[f] + step * (f == e)) for f in path), start=Fraction(1))
        gradient[e] = (moved - here) / step
    return gradient


def printed_derivative(reading: str) -> Callable[[TreeInputs], Iterator[Row]]:
    """The derivative of h_p (of h'_p) in each weight, minus the one displayed."""
    return partial(derivative_rows, reading)


def derivative_rows(reading: str, tree: TreeInputs) -> Iterator[Row]:
    """The same, of one tree."""
    network = tree.case.network
    weights = network.edge_weights(tree.case.weights)
    for j, row in enumerate(tree.case.inputs):
        for p, path in enumerate(tree.paths):
            x = input_values(network, row)[network.tails[path[0]]]
            found = _derivatives(tree, j, p, weights)
            for e in range(network.edge_count):
                ends = [network.names[network.tails[e]], network.names[network.heads[e]]]
                label = {"path": list(tree.names[p]), "edge": ends, "example": j}
                yield label, found[e] - _displayed(reading, x, path, e, weights)


def _displayed(
    reading: str, x: Fraction, path: Path, e: int, weights: Sequence[Fraction]
) -> Fraction:
    if e not in path:
        return Fraction(0)
    others = [weights[f] for f in path if f != e]
    if reading == "A":
        return x * prod(others, start=Fraction(1))
    return (1 if weights[e] > 0 else -1) * x * prod(map(abs, others), start=Fraction(1))


def each_tree(
    rows: Callable[[TreeInputs], Iterator[Row]], *, absolute: bool
) -> Callable[[Scene], Entries]:
    """A measure that walks tree by tree."""
    return partial(tree_entries, rows, absolute)


def tree_entries(
    rows: Callable[[TreeInputs], Iterator[Row]], absolute: bool, scene: Scene
) -> Entries:
    """The rows of every tree of a scene."""
    trees = enumerate(scene.tree_inputs[absolute])
    return constant_entries(scene, [(number, *row) for number, tree in trees for row in rows(tree)])


# the degrees of h --------------------------------------------------------------------------------
def excess_degree(scene: Scene) -> Entries:
    """For each weight its largest degree in an entry of h, as far as that is above 1."""
    rows = []
    for number, case in enumerate(scene.cases):
        network = case.network
        degrees = [0] * network.parameter_count
        for path in all_paths(network, PATH_CAP):
            carried = Counter(network.parameter_of[e] for e in path if network.learnable(e))
            for p, degree in carried.items():
                degrees[p] = max(degrees[p], degree)
        for p, degree in enumerate(degrees):
            rows.append((number, {"parameter": network.parameter_names[p]}, max(degree - 1, 0)))
    return constant_entries(scene, rows)


def tensor_size(scene: Scene) -> Entries:
    """rho minus the product of the widths n_1, ..., n_L of all layers but the last."""
    rows: list[tuple[int, dict[str, Any], Fraction]] = []
    for number, case in enumerate(scene.cases):
        count = len(all_paths(case.network, PATH_CAP))
        rows.append((number, {}, Fraction(count - prod(_widths(case.network)[:-1]))))
    return constant_entries(scene, rows)


def _widths(network: Network) -> list[int]:
    found = Counter(network.depths)
    return [found[depth] for depth in sorted(found)]


# the claims --------------------------------------------------------------------------------------
def _towards(case: Case, random: Random) -> Case:
    """Often at a kink; some directions from which limits of gradients are taken."""
    moved = often_kinked(case, random)
    count = moved.network.parameter_count
    return moved.choosing(
        directions=[[str(random_rational(random)) for _ in range(count)] for _ in range(DIRECTIONS)]
    )


SMALL = Pool(
    losses=("prescribed",),
    largest=3,
    examples=(1, 2),
    families=("fully connected", "random DAG", "layered DAG", "tree", "bottleneck"),
    adapt=_towards,
)
POINT = (NONZERO_WEIGHTS, HOMOGENEOUS, FEEDFORWARD, BIAS_FREE, OWN_PARAMETERS)
WORDS = {
    "A": r"the absolute-value-free decomposition $(\mu,h)$, and its derivative",
    "B2": r"the derivative with absolute values, and the pair $(\mu,h)$ of Lemma 1",
}
SINGLETON = {
    "A": r"\big(\mathbb 1_{e\in p}(x_j)_p\prod_{f\in p,f\ne e}w_f\big)_{e\in E}",
    "B": (
        r"\big(\mathbb 1_{e\in p}\,\mathrm{sgn}(w_e)(x_j)_p\prod_{f\in p,f\ne e}|w_f|"
        r"\big)_{e\in E}"
    ),
}


def _singleton(reading: str) -> Claim:
    return Claim(
        f"lj22.eq32.b@{reading}",
        Kind.IDENTITY,
        both("proof of Lemma 2, displays after (32)"),
        "derivative of a coordinate of the path enumeration function",
        r"All weights being non-zero by Assumption 1, $\partial[h_{x_j}]_p(w)$ is the "
        rf"singleton $${SINGLETON[reading[0]]}$$",
        POINT,
        ("lj22.def4",),
        measure=each_tree(printed_derivative(reading[0]), absolute=False),
        pool=replace(SMALL, adapt=None),
        reading=reading,
        reading_text=WORDS[reading],
        exact_only=True,
        proof=product_derivative if reading == "A" else None,
        why=r"the displayed derivative is that of the entries $x_p\prod|w_f|$ of $h'$ (Lemma 5), "
        r"not of the entries $x_p\prod w_f$ of $h$"
        if reading == "B2"
        else "",
    )


CLAIMS = (
    Claim(
        "lj22.eq32.a@A",
        Kind.IDENTITY,
        both("proof of Lemma 2, (32)"),
        "chain rule inclusion through the decomposition",
        r"$$\partial\nu_{x_j}(w)=\partial(\mu\circ h_{x_j})(w)\subseteq\mathrm{CONV}"
        r"\Big\{\sum_p[\alpha]_p\beta_{j,p}\ \Big|\ \alpha\in\partial\mu(h(w)),\ "
        r"\beta_{j,p}\in\partial[h_{x_j}]_p(w)\Big\}$$ Measured: for limits of gradients "
        "along random directions, whether they lie in the hull.",
        POINT,
        ("lj22.lemma1",),
        measure=each_tree(inclusion, absolute=False),
        pool=SMALL,
        reading="A",
        reading_text=WORDS["A"],
        exact_only=True,
    ),
    *map(_singleton, WORDS),
    Claim(
        "lj22.tensor.a",
        Kind.IDENTITY,
        both("end of Section 4.1"),
        "degree of a weight in the path enumeration function",
        r"The degree of a particular edge weight $w_e$ in each entry of $h$ is at most $1$ for "
        "every edge $e$.",
        (OWN_PARAMETERS, FEEDFORWARD, BIAS_FREE),
        ("lj22.def4",),
        measure=excess_degree,
        pool=Pool(losses=("prescribed",), largest=4, examples=(1,)),
        exact_only=True,
        proof=degrees,
    ),
    Claim(
        "lj22.tensor.b",
        Kind.IDENTITY,
        both("end of Section 4.1"),
        "the path enumeration function of a fully-connected network is a tensor",
        r"If $\nu$ is fully connected, then $h$ is a tensor in $\mathbb R^{n_1\times n_2\times"
        r"\dots\times n_L}$. Measured: $\rho-\prod_{i\le L}n_i$.",
        (FULLY_CONNECTED, FEEDFORWARD, BIAS_FREE),
        ("lj22.def4",),
        measure=tensor_size,
        pool=Pool(losses=("prescribed",), families=("fully connected",), examples=(1,)),
        exact_only=True,
        proof=paths_by_layers,
    ),
)
