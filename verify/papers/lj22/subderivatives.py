"""Lemma 8: partial subderivatives of the tree network, and the symmetry step of its proof."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

from verify.cases.case import Case
from verify.cases.kinked_points import often_kinked
from verify.cases.pool import RELU_MIX, Pool
from verify.cases.transformations import random_rational
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Along,
    Each,
    Map,
    Number,
    Prod,
    Sorted,
    When,
    activation,
    between,
    card,
    concat,
    edges_on,
    examples,
    head,
    implies,
    into,
    list_,
    paths,
    sign,
    slope_left,
    upto,
    w,
    x,
)
from verify.language.terms import Term
from verify.papers.lj22.graph_terms import active
from verify.papers.lj22.path_proofs import equal_products
from verify.papers.lj22.path_terms import along, size, x_of
from verify.papers.lj22.sources import final
from verify.papers.lj22.subdifferential_terms import greatest_slope, least_slope
from verify.papers.lj22.tree_terms import NO_EDGES, OUTPUT, OfTwo, weighted
from verify.statements.mending import mended
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    DATA,
    DIFFERENTIABLE,
    FEEDFORWARD,
    NONZERO_WEIGHTS,
    OWN_PARAMETERS,
    RELU_OR_LINEAR,
)
from verify.statements.stated import pool_with, stated

STANDING = (RELU_OR_LINEAR, NONZERO_WEIGHTS, FEEDFORWARD, BIAS_FREE, OWN_PARAMETERS, DATA)


# two paths ---------------------------------------------------------------------------------------
def at_two_paths(says: OfTwo) -> Term:
    """What is said of each two paths of the same length."""

    def of(p: Term, q: Term) -> Term:
        return implies((p != q) & (card(edges_on(p)) == card(edges_on(q))), says(p, q))

    return Each(paths(), lambda p: Each(paths(), lambda q: of(p, q)))


def neuron(p: Term, k: Term) -> Term:
    """p_k: a path by its neurons, without the input."""
    return head(edges_on(p)[k])


def at_positions(p: Term, same: Callable[[Term], Term]) -> Term:
    """What is said of each number of a neuron on a path."""
    return Each(upto(card(edges_on(p))), lambda k: same(k))


def equal_patterns(p: Term, q: Term) -> Term:
    """Whether for each k the neurons p_k and q_k have the same activation on each example: it is 0
    if ReLU with negative pre-activation, else 1."""

    def on(j: Term) -> Term:
        return at_positions(p, lambda k: active(neuron(p, k), j) == active(neuron(q, k), j))

    return Each(examples(), on)


def sign_along(p: Term) -> Term:
    """The sign of the product of the weights on a path."""
    return along(p, lambda e: sign(w(e)))


def equal_signs(p: Term, q: Term) -> Term:
    """Whether the products of the weights have one sign."""
    return sign_along(p) == sign_along(q)


# Lemma 8 -----------------------------------------------------------------------------------------
def partial_subdifferential(p: Term, j: Term, *, absolute: bool) -> Term:
    """The ends of the interval that is the projection of the subdifferential of mu (of mu') to the
    coordinate of a path, the lower one first."""
    least = along(p, lambda e: least_slope(head(e), j))
    greatest = along(p, lambda e: greatest_slope(head(e), j))
    if not absolute:
        return list_(least, greatest)
    return Sorted(Map(list_(least, greatest), lambda end: sign_along(p) * end))


def equal_subdifferentials(p: Term, q: Term, *, absolute: bool) -> Term:
    """d_p mu = d_q mu on each example."""

    def on(j: Term) -> Term:
        one, other = (partial_subdifferential(r, j, absolute=absolute) for r in (p, q))
        return one == other

    return Each(examples(), on)


# the symmetry step -------------------------------------------------------------------------------
A, B = Number("a"), Number("b")
"""The values at the two inputs p and q of the tree."""


def with_values(p: Term, q: Term, j: Term, a: Term, b: Term) -> OfTwo:
    """The inputs of mu' with a and b at p and q, all others frozen at h'(x_j; w)."""

    def leaf(v: Term, path: Term) -> Term:
        frozen = When(path == edges_on(q), b, x(v, j) * Prod(path, size))
        return When(path == edges_on(p), a, frozen)

    return leaf


def pre_of_copy(v: Term, rest: Term, leaf: OfTwo) -> Term:
    """The pre-activation of mu' at the copy of a vertex that a path from there is."""

    def value(u: Term, path: Term, before: Term) -> Term:
        inner = weighted(u, lambda e: sign(w(e)), before)
        moved = When(card(path) == 0, inner, activation(u, inner))
        return When(card(into(u)) == 0, leaf(u, concat(path, rest)), moved)

    return Along(v, value)


def tree_output(leaf: OfTwo) -> Term:
    """The value of mu'."""
    return activation(OUTPUT, pre_of_copy(OUTPUT, NO_EDGES, leaf))


def active_copy(p: Term, k: Term, leaf: OfTwo) -> Term:
    """The activation by the printed rule of the copy of a neuron on a path."""
    rest = Map(between(k + 1, card(edges_on(p))), lambda i: edges_on(p)[i])
    negative = pre_of_copy(neuron(p, k), rest, leaf) < 0
    return When((slope_left(neuron(p, k)) == 0) & negative, 0, 1)


def in_the_set(p: Term, q: Term, j: Term, a: Term, b: Term) -> Term:
    """Whether (a, b) is in B: a and b have the signs of the stable regime, and the neurons on the
    paths equal activations position by position."""
    leaf = with_values(p, q, j, a, b)
    regime = (sign(a) == sign(x_of(p, j))) & (sign(b) == sign(x_of(q, j)))
    return regime & at_positions(p, lambda k: active_copy(p, k, leaf) == active_copy(q, k, leaf))


def unmoved(p: Term, q: Term, j: Term) -> Term:
    """Whether the neurons on p have the same activations at (b, a) as at (a, b): so have then those
    on q, where both are in B."""
    here, there = with_values(p, q, j, A, B), with_values(p, q, j, B, A)
    return at_positions(p, lambda k: active_copy(p, k, here) == active_copy(p, k, there))


def symmetric(*, repaired: bool) -> Term:
    """(a, b) in B and (b, a) in B imply f(a, b) = f(b, a)."""

    def given(p: Term, q: Term, j: Term) -> Term:
        both = in_the_set(p, q, j, A, B) & in_the_set(p, q, j, B, A)
        return both & equal_signs(p, q) & unmoved(p, q, j) if repaired else both

    def at(p: Term, q: Term) -> Term:
        def on(j: Term) -> Term:
            here, there = with_values(p, q, j, A, B), with_values(p, q, j, B, A)
            return implies(given(p, q, j), tree_output(here) == tree_output(there))

        return Each(examples(), on)

    return at_two_paths(at)


# the claims --------------------------------------------------------------------------------------
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
THROUGH = (
    r"$\partial_p\mu$ is the interval between the products of the least and of the greatest slopes "
    r"that the neurons on $p$ can have in the tree, that of $\mu'$ times the sign of "
    r"$\prod_{e\in p}w_e$ (docs/mathematics/lj22.md#subderivatives-of-a-tree)"
)
SMOOTH = Pool(
    losses=("prescribed",),
    activations=RELU_MIX,
    largest=4,
    examples=(1, 2, 3),
    families=("fully connected", "random DAG", "layered DAG", "tree", "bottleneck"),
)
AT_KINKS = replace(SMOOTH, adapt=often_kinked)
LEMMA8 = (
    r"Assume the stable sign regime. Let $p,q$ be paths of the same length $L$, and for each "
    r"$j\in[L]$ let $p_j$ and $q_j$ have the same activation pattern for each input training "
    r"example, where the activation of a neuron is $0$ if it is ReLU activated and has negative "
    r"preactivation, and $1$ if it is linearly activated or has nonnegative preactivation. Then "
    r"$\partial_p\mu=\partial_q\mu$."
)
SYMMETRY = (
    r"Fix a training example and weights. Let $\mathcal B$ be the set of pairs $(a,b)$ of values "
    r"of the two inputs $p,q$ such that Assumption 1 (so that $a,b$ have the signs of $x_p,x_q$) "
    r"and the assumption of equal patterns hold, and $f(a,b)$ the tree network with all but the "
    r"two inputs frozen. Then $f$ is symmetric: "
)


def _lemma8(tree: str) -> tuple[Claim, Claim]:
    """Lemma 8 of a tree as printed, and where it is differentiable."""
    absolute = tree == "A2"

    def says(given: OfTwo) -> Term:
        def equal(p: Term, q: Term) -> Term:
            return implies(given(p, q), equal_subdifferentials(p, q, absolute=absolute))

        return at_two_paths(equal)

    def of_one_sign(p: Term, q: Term) -> Term:
        return equal_signs(p, q) & equal_patterns(p, q)

    printed = stated(
        f"lj22.lemma8@{tree}B1",
        final("Lemma 8"),
        "equal partial subderivatives for paths with equal patterns",
        LEMMA8,
        says(equal_patterns),
        STANDING,
        kind=Kind.IDENTITY,
        depends=("lj22.ass1", "lj22.lemma5" if absolute else "lj22.lemma1"),
        pool=AT_KINKS,
        exact_only=True,
        through=THROUGH,
        reading=f"{tree}B1",
        reading_text=f"{TREES[tree]}; {PARTIAL}",
        why=WHY[tree],
    )
    signs = ", and for paths whose weights have products of the same sign" * absolute
    repaired = mended(
        printed,
        f"{printed.title}, where it is differentiable",
        f"{LEMMA8} Repaired: where the network is differentiable on every example{signs}.",
        says(of_one_sign if absolute else equal_patterns),
        (*STANDING, DIFFERENTIABLE),
        kind=Kind.IDENTITY,
        pool=SMOOTH,
        exact_only=True,
        proof=partial(equal_products, absolute=absolute),
    )
    return printed, repaired


def _of_one_sign(case: Case, random: Random) -> Case:
    """The case with numbers a and b, mostly with the sign of the first input on an example."""
    arrays = pool_with(A, B).draw_with({}, random, large=False).arrays
    like = random.choice(case.inputs)[0]
    if random.random() < 0.8:
        sizes = [abs(random_rational(random)) for _ in "ab"]
        made = (size if like > 0 else -size for size in sizes)
        arrays = {
            name: replace(arrays[name], entries=(number,))
            for name, number in zip("ab", made, strict=True)
        }
    return replace(case, arrays=arrays)


BOTH = r"$(a,b)\in \mathcal B$ and $(b,a)\in \mathcal B$ imply"


SYMMETRIC = stated(
    "lj22.lemma8-sym@BA2",
    final("proof of Lemma 8"),
    "symmetry of the tree network in two inputs",
    SYMMETRY + BOTH + " $f(a,b)=f(b,a)$.",
    symmetric(repaired=False),
    STANDING,
    depends=("lj22.ass1", "lj22.lemma5"),
    pool=replace(SMOOTH, adapt=_of_one_sign),
    exact_only=True,
    reading="BA2",
    reading_text=f"{BOTH} it; {TREES['A2']}",
    why=r"in $\mu'$ the two inputs may carry opposite signs, so that $f(a,b)$ has $a-b$ where "
    "$f(b,a)$ has $b-a$",
)
CLAIMS = (
    *(claim for tree in TREES for claim in _lemma8(tree)),
    SYMMETRIC,
    mended(
        SYMMETRIC,
        f"{SYMMETRIC.title} whose swap keeps the patterns",
        SYMMETRIC.statement
        + " Repaired: for paths whose weights have products of the same sign, and if the swap "
        "leaves the activations on the two paths as they are.",
        symmetric(repaired=True),
        STANDING,
        exact_only=True,
    ),
)
