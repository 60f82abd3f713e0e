"""Appendix C, (32): the chain rule through the decomposition, at kinks too; the degrees of h."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from random import Random
from typing import Any

from graphs.inequalities import strictly_positive
from graphs.kinks import KinkError
from graphs.paths import input_values
from graphs.subgradients import clarke_element
from verify import given
from verify.case import Case
from verify.claim import Claim, Kind
from verify.given import where_learnable
from verify.kinked_points import often_kinked
from verify.language.building import (
    Count,
    Each,
    Prod,
    When,
    card,
    edges,
    edges_on,
    element,
    examples,
    paths,
    sign,
    upto,
    users,
    w,
)
from verify.language.terms import Term
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    OWN_PARAMETERS,
)
from verify.papers.lj22.path_proofs import degrees, paths_by_layers, product_derivative
from verify.papers.lj22.path_terms import along, along_others, size, x_of
from verify.papers.lj22.preliminaries import FULLY_CONNECTED, LAYERS, layer
from verify.papers.lj22.sources import both
from verify.point_hypotheses import NONZERO_WEIGHTS
from verify.pool import Pool
from verify.stated import stated
from verify.transformations import random_rational
from verify.tree_inputs import TreeInputs
from verify.vocabulary import Entries, Scene, constant_entries

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


# the derivative of h -----------------------------------------------------------------------------
def step_of_entry(p: Term, e: Term) -> Term:
    """By how much the product of the weights on a path grows when that of an edge grows by 1."""
    return along(p, lambda f: When(f == e, w(f) + 1, w(f))) - along(p, w)


def derivatives(displayed: Callable[[Term, Term], Term]) -> Term:
    """The derivative of each [h_{x_j}]_p in each weight is x_p times what is displayed."""

    def says(j: Term, p: Term, e: Term) -> Term:
        shown = When(element(e, edges_on(p)), displayed(p, e), Fraction(0))
        return x_of(p, j) * step_of_entry(p, e) == x_of(p, j) * shown

    return Each(
        examples(),
        lambda j: Each(paths(), lambda p: Each(edges(), lambda e: says(j, p, e))),
    )


DERIVATIVE = {
    "A": derivatives(lambda p, e: along_others(p, e, w)),
    "B2": derivatives(lambda p, e: sign(w(e)) * along_others(p, e, size)),
}
AFFINE = (
    "each weight stands for one edge, and no path has an edge twice: an entry of h is affine in "
    "each weight, and its derivative is by how much it grows where the weight grows by 1"
)


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
AT_MOST_ONCE = Each(
    edges(),
    lambda e: where_learnable(
        e, Each(paths(), lambda p: Count(edges_on(p), lambda f: element(f, users(e))) <= 1)
    ),
)
TENSOR_SIZE = card(paths()) == Prod(upto(LAYERS), lambda i: card(layer(i)))


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
GIVEN = (
    given.NONZERO_WEIGHTS,
    given.HOMOGENEOUS,
    given.FEEDFORWARD,
    given.BIAS_FREE,
    given.OWN_PARAMETERS,
)
"""The same, as terms."""
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
    return stated(
        f"lj22.eq32.b@{reading}",
        both("proof of Lemma 2, displays after (32)"),
        "derivative of a coordinate of the path enumeration function",
        r"All weights being non-zero by Assumption 1, $\partial[h_{x_j}]_p(w)$ is the "
        rf"singleton $${SINGLETON[reading[0]]}$$",
        DERIVATIVE[reading],
        GIVEN,
        depends=("lj22.def4",),
        pool=replace(SMALL, adapt=None),
        reading=reading,
        reading_text=WORDS[reading],
        proof=partial(product_derivative, DERIVATIVE["A"]) if reading == "A" else None,
        through=AFFINE,
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
    stated(
        "lj22.tensor.a",
        both("end of Section 4.1"),
        "degree of a weight in the path enumeration function",
        r"The degree of a particular edge weight $w_e$ in each entry of $h$ is at most $1$ for "
        "every edge $e$.",
        AT_MOST_ONCE,
        (given.OWN_PARAMETERS, given.FEEDFORWARD, given.BIAS_FREE),
        depends=("lj22.def4",),
        pool=Pool(losses=("prescribed",), largest=4, examples=(1,)),
        proof=partial(degrees, AT_MOST_ONCE),
    ),
    stated(
        "lj22.tensor.b",
        both("end of Section 4.1"),
        "the path enumeration function of a fully-connected network is a tensor",
        r"If $\nu$ is fully connected, then $h$ is a tensor in $\mathbb R^{n_1\times n_2\times"
        r"\dots\times n_L}$. Measured: $\rho-\prod_{i\le L}n_i$.",
        TENSOR_SIZE,
        (FULLY_CONNECTED, given.FEEDFORWARD, given.BIAS_FREE),
        depends=("lj22.def4",),
        pool=Pool(losses=("prescribed",), families=("fully connected",), examples=(1,)),
        proof=partial(paths_by_layers, TENSOR_SIZE),
    ),
)
