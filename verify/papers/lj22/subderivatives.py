"""Lemma 8: partial subderivatives of the tree network, and the symmetry step of its proof."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from verify.case import Case
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis
from verify.kinked_points import often_kinked
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, OWN_PARAMETERS, RELU_OR_LINEAR
from verify.papers.lj22.path_proofs import equal_products
from verify.papers.lj22.sources import final
from verify.point_hypotheses import DATA, DIFFERENTIABLE, NONZERO_WEIGHTS
from verify.pool import RELU_MIX, Pool
from verify.transformations import random_rational
from verify.tree_inputs import TreeInputs
from verify.vocabulary import Entries, Scene, constant_entries

Row = tuple[dict[str, Any], Fraction]
STANDING = (RELU_OR_LINEAR, NONZERO_WEIGHTS, FEEDFORWARD, BIAS_FREE, OWN_PARAMETERS, DATA)


def each_pair_of_paths(
    value: Callable[[TreeInputs, int, int, int], Fraction], *, absolute: bool
) -> Callable[[Scene], Entries]:
    """A measure with one entry for each two paths of equal length and each example.

    value: of the tree, the example, and the numbers of the two paths.
    """
    return partial(pair_entries, value, absolute)


def pair_entries(
    value: Callable[[TreeInputs, int, int, int], Fraction], absolute: bool, scene: Scene
) -> Entries:
    """The same, of a scene."""

    def rows(tree: TreeInputs) -> Iterator[Row]:
        for p, q in combinations(range(len(tree.paths)), 2):
            if len(tree.paths[p]) == len(tree.paths[q]):
                names = [list(tree.names[k]) for k in (p, q)]
                for j in range(tree.case.example_count):
                    yield {"paths": names, "example": j}, value(tree, j, p, q)

    found = [
        (number, label, number_of)
        for number, tree in enumerate(scene.tree_inputs[absolute])
        for label, number_of in rows(tree)
    ]
    return constant_entries(scene, found, "paths")


def projected_distance(tree: TreeInputs, j: int, p: int, q: int) -> Fraction:
    """The distance of the projections of the subdifferential to two coordinates."""
    corners = tree.corners[j]
    return hausdorff([g[p] for g in corners], [g[q] for g in corners])


def hausdorff(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    """The Hausdorff distance of the intervals that two sets of numbers span.

    >>> hausdorff([0, 1], [1])
    1
    """
    lows, highs = ((f(first), f(second)) for f in (min, max))
    return max(abs(lows[0] - lows[1]), abs(highs[0] - highs[1]))


def asymmetry(tree: TreeInputs, j: int, p: int, q: int) -> Fraction:
    """f(a, b) - f(b, a), all other inputs frozen at h(x_j; w)."""
    here, swapped = swap(tree, j, p, q)
    return tree.evaluate(here)[0] - tree.evaluate(swapped)[0]


def swap(tree: TreeInputs, j: int, p: int, q: int) -> tuple[list[Fraction], list[Fraction]]:
    """The inputs with (a, b) and with (b, a) at p and q: a and b are the entries of h(x_j; w) times
    the positive factors that the case chose, so that they have the signs of a stable regime."""
    factors = [Fraction(value) for value in tree.case.choice.get("factors", (1, 1))]
    here = list(tree.inputs[j])
    here[p], here[q] = here[p] * factors[0], here[q] * factors[1]
    swapped = list(here)
    swapped[p], swapped[q] = here[q], here[p]
    return here, swapped


# hypotheses ------------------------------------------------------------------------------------
def about_paths(
    holds: Callable[[TreeInputs, int, int, int], bool], *, absolute: bool
) -> Callable[[Scene, Entries], np.ndarray]:
    """A test that asks each entry's two paths on its example."""

    def test(scene: Scene, entries: Entries) -> np.ndarray:
        trees = scene.tree_inputs[absolute]
        number = [{names: k for k, names in enumerate(tree.names)} for tree in trees]
        answers = []
        for k in range(len(entries)):
            label, owner = entries.label(k), entries.owner[k]
            p, q = (number[owner][tuple(names)] for names in label["paths"])
            answers.append(holds(trees[owner], label["example"], p, q))
        return np.array(answers, dtype=bool)

    return test


def _equal_on_all(tree: TreeInputs, j: int, p: int, q: int) -> bool:
    return tree.patterns[p] == tree.patterns[q]


EQUAL_PATTERNS = Hypothesis(
    "equal activation patterns along the paths",
    r"$p$ and $q$ have the same length, and for each position $p_j$ and $q_j$ have the same "
    r"activation on each example: $0$ if ReLU with negative preactivation, $1$ if linear or with "
    r"nonnegative preactivation",
    about_paths(_equal_on_all, absolute=False),
)


def _signs_agree(tree: TreeInputs, j: int, p: int, q: int) -> bool:
    weights = tree.case.network.edge_weights(tree.case.weights)
    signs = [sum(weights[e] < 0 for e in tree.paths[k]) % 2 for k in (p, q)]
    return signs[0] == signs[1]


EQUAL_SIGNS = Hypothesis(
    "equal signs of the products",
    r"$\prod_{e\in p}w_e$ and $\prod_{e\in q}w_e$ have the same sign",
    about_paths(_signs_agree, absolute=False),
)


def _equal_at(tree: TreeInputs, inputs: list[Fraction], p: int, q: int) -> bool:
    pre = tree.evaluate(inputs)[1]
    return tree.activity(p, pre) == tree.activity(q, pre)


def _in_the_set(tree: TreeInputs, j: int, p: int, q: int) -> bool:
    if min(map(Fraction, tree.case.choice.get("factors", (1, 1)))) <= 0:
        return False
    here, swapped = swap(tree, j, p, q)
    same_signs = all(_sign(here[k]) == _sign(swapped[k]) for k in (p, q))
    return same_signs and _equal_at(tree, here, p, q) and _equal_at(tree, swapped, p, q)


IN_THE_SET = Hypothesis(
    "in the set B",
    r"$(a,b)\in \mathcal B$ and $(b,a)\in \mathcal B$: with the values $a$, $b$ at $p$, $q$ "
    "the neurons on the two paths have equal activations position by position, and $a$, $b$ have "
    r"the signs of $h_p(x;w)$, $h_q(x;w)$, which are fixed in the stable sign regime",
    about_paths(_in_the_set, absolute=True),
)


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _unmoved(tree: TreeInputs, j: int, p: int, q: int) -> bool:
    here, swapped = (tree.evaluate(inputs)[1] for inputs in swap(tree, j, p, q))
    return all(tree.activity(k, here) == tree.activity(k, swapped) for k in (p, q))


SAME_PATTERN_SWAPPED = Hypothesis(
    "the swap keeps the patterns",
    r"the neurons on $p$ and $q$ have the same activations at $(b,a)$ as at $(a,b)$",
    about_paths(_unmoved, absolute=True),
)


# the claims ----------------------------------------------------------------------------------
TREES = {
    "A1": r"the tree network is $\mu$ of Lemma 1 at $h(x;w)$",
    "A2": r"the tree network is $\mu'$ of Lemma 5 at $h'(x;w)$",
}
PARTIAL = r"$\partial_p\mu$ is the projection $\{[\alpha]_p:\alpha\in\partial\mu\}$"
WHY = {
    "A1": "a ReLU neuron with preactivation $0$ counts as active, but the subdifferential of ReLU "
    "at $0$ is $[0,1]$, not the slope $1$ alone",
    "A2": r"the weights of $\mu'$ along $p$ and $q$ may have products of opposite signs, and so "
    r"have $\partial_p\mu'$ and $\partial_q\mu'$",
}
AT_KINKS = Pool(
    losses=("prescribed",),
    activations=RELU_MIX,
    largest=4,
    examples=(1, 2, 3),
    families=("fully connected", "random DAG", "layered DAG", "tree", "bottleneck"),
    adapt=often_kinked,
)
SMOOTH = replace(AT_KINKS, adapt=None)
LEMMA8 = (
    r"Assume the stable sign regime. Let $p,q$ be paths of the same length $L$, and for each "
    r"$j\in[L]$ let $p_j$ and $q_j$ have the same activation pattern for each input training "
    r"example, where the activation of a neuron is $0$ if it is ReLU activated and has negative "
    r"preactivation, and $1$ if it is linearly activated or has nonnegative preactivation. Then "
    r"$\partial_p\mu=\partial_q\mu$. Measured: the Hausdorff distance of the two intervals."
)
SYMMETRY = (
    r"Fix a training example and weights. Let $\mathcal B$ be the set of pairs $(a,b)$ of values "
    r"of the two inputs $p,q$ such that Assumption 1 and the assumption of equal patterns hold, "
    r"and $f(a,b)$ the tree network with all but the two inputs frozen. Then $f$ is symmetric: "
)


def _lemma8(tree: str) -> tuple[Claim, Claim]:
    reading, absolute = f"{tree}B1", tree == "A2"
    printed = Claim(
        f"lj22.lemma8@{reading}",
        Kind.IDENTITY,
        final("Lemma 8"),
        "equal partial subderivatives for paths with equal patterns",
        LEMMA8,
        (EQUAL_PATTERNS, *STANDING),
        ("lj22.ass1", "lj22.lemma1" if tree == "A1" else "lj22.lemma5"),
        measure=each_pair_of_paths(projected_distance, absolute=absolute),
        pool=AT_KINKS,
        reading=reading,
        reading_text=f"{TREES[tree]}; {PARTIAL}",
        exact_only=True,
        why=WHY[tree],
    )
    more = (DIFFERENTIABLE, EQUAL_SIGNS) if absolute else (DIFFERENTIABLE,)
    repaired = replace(
        printed,
        id=f"{printed.id}.fix",
        title="equal partial derivatives for paths with equal patterns, where it is differentiable",
        statement=f"{LEMMA8} Repaired: where the network is differentiable on every example"
        + ", and for paths whose weights have products of the same sign." * absolute
        + "." * (not absolute),
        hypotheses=(*printed.hypotheses, *more),
        pool=SMOOTH,
        repairs=printed.id,
        proof=equal_products(absolute=absolute),
        why="",
    )
    return printed, repaired


def _factors(case: Case, random: Random) -> Case:
    """Mostly random positive factors for the values at p and q."""
    if random.random() < 1 / 3:
        return case
    return case.choosing(factors=[str(abs(random_rational(random))) for _ in range(2)])


BOTH = r"$(a,b)\in \mathcal B$ and $(b,a)\in \mathcal B$ imply"
SYMMETRIC = Claim(
    "lj22.lemma8-sym@BA2",
    Kind.IDENTITY,
    final("proof of Lemma 8"),
    "symmetry of the tree network in two inputs",
    SYMMETRY + BOTH + " $f(a,b)=f(b,a)$.",
    (IN_THE_SET, *STANDING),
    ("lj22.ass1", "lj22.lemma5"),
    measure=each_pair_of_paths(asymmetry, absolute=True),
    pool=replace(AT_KINKS, adapt=_factors),
    reading="BA2",
    reading_text=f"{BOTH} it; {TREES['A2']}",
    exact_only=True,
    why=r"in $\mu'$ the two inputs may carry opposite signs, so that $f(a,b)$ has $a-b$ where "
    "$f(b,a)$ has $b-a$",
)
CLAIMS = (
    *(claim for tree in TREES for claim in _lemma8(tree)),
    SYMMETRIC,
    replace(
        SYMMETRIC,
        id="lj22.lemma8-sym@BA2.fix",
        title="symmetry of the tree network in two inputs whose swap keeps the patterns",
        statement=SYMMETRIC.statement + " Repaired: for paths whose weights have products of the "
        "same sign, and if the swap leaves the activations on the two paths as they are.",
        hypotheses=(*SYMMETRIC.hypotheses, EQUAL_SIGNS, SAME_PATTERN_SWAPPED),
        repairs="lj22.lemma8-sym@BA2",
        why="",
    ),
)
