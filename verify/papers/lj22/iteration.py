"""Appendix B, the proof of Lemma 5: what is true of the unrolled tree after each pull-back."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from verify.core.claim import Kind
from verify.language.building import (
    Each,
    Filter,
    Fold,
    Let,
    Map,
    Prod,
    Some,
    Sum,
    When,
    activation,
    between,
    card,
    concat,
    element,
    examples,
    into,
    item,
    list_,
    nu,
    tuple_,
    upto,
    w,
    x,
)
from verify.language.terms import Term
from verify.papers.lj22.decomposition import TREES
from verify.papers.lj22.sources import both
from verify.papers.lj22.tree_terms import ALL_PATHS, SIGNS, edge_of, first_vertex, hasse, sgn
from verify.papers.lj22.unrolling import IS_TREE, WORDS, has_weights
from verify.statements.mending import mended
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    NONZERO_WEIGHTS,
)
from verify.statements.stated import Given, stated

SIZE = card(ALL_PATHS)
BEFORE = Let(
    hasse(ALL_PATHS),
    lambda arcs: Map(
        upto(SIZE),
        lambda k: Map(Filter(arcs, lambda arc: item(arc, 2) == k), lambda arc: item(arc, 1)),
    ),
)
"""By the number of each vertex of T_G those of its in-vertices; the root is 1."""


@dataclass(frozen=True)
class Tree:
    """T_G at an iteration, as terms: its paths, by vertex its in-vertices, and a pair: by vertex
    the weight of M_G on the arc from it, and what x is multiplied by, if it is an input."""

    paths: Term
    before: Term
    state: Term

    @property
    def weights(self) -> Term:
        """By vertex that of the arc from it."""
        return item(self.state, 1)

    @property
    def factors(self) -> Term:
        """By vertex that of x."""
        return item(self.state, 2)

    def value(self, j: Term) -> Term:
        """Of M_G, at the modified x_j: vertex by vertex, the root at last."""
        size = card(self.paths)

        def post(so_far: Term, k: Term) -> Term:
            v = first_vertex(self.paths[k])
            pre = Sum(self.before[k], lambda i: self.weights[i] * so_far[size + 1 - i])
            return When(card(into(v)) == 0, x(v, j) * self.factors[k], activation(v, pre))

        def next_one(so_far: Term, t: Term) -> Term:
            return concat(so_far, list_(post(so_far, size + 1 - t)))

        none = Filter(self.weights, lambda weight: False)
        return Fold(upto(size), none, next_one)[size]


def iterations(at_zero: Term) -> Term:
    """The weights and the factors at the start, and after each application of Lemma 7."""
    numbers = upto(SIZE)

    def pulled(tree: Tree, k: Term) -> Term:
        """Lemma 7 at the vertex with that number."""
        here = tree.weights[k]

        def weight(i: Term) -> Term:
            pulled_in = element(i, tree.before[k])
            inside = When(pulled_in, tree.weights[i] * abs(here), tree.weights[i])
            return When(i == k, sgn(here, at_zero), inside)

        def factor(i: Term) -> Term:
            return When(i == k, tree.factors[i] * abs(here), tree.factors[i])

        return tuple_(Map(numbers, weight), Map(numbers, factor))

    start = tuple_(
        Map(ALL_PATHS, lambda p: When(card(p) == 0, Fraction(1), w(edge_of(p)))),
        Map(numbers, lambda k: Fraction(1)),
    )

    def steps(before: Term) -> Term:
        return Fold(
            between(2, SIZE),
            list_(start),
            lambda so_far, k: concat(
                so_far, list_(pulled(Tree(ALL_PATHS, before, so_far[k - 1]), k))
            ),
        )

    return Let(BEFORE, steps)


def iterated(says: Callable[[Tree], Term], k: Term, at_zero: Term) -> Term:
    """What is said of the tree when Lemma 7 has been applied up to a vertex."""

    def at(tree: Term, before: Term) -> Term:
        return Let(iterations(at_zero)[k], lambda state: says(Tree(tree, before, state)))

    return Let(ALL_PATHS, lambda tree: Let(BEFORE, lambda before: at(tree, before)))


def sizes_on(path: Term) -> Term:
    """The product of |w| along a path."""
    return Prod(path, lambda f: abs(w(f)))


def invariants(k: Term, at_zero: Term) -> Term:
    """1., 2., and the value, after the iteration at the vertex with that number."""

    def first(tree: Tree) -> Term:
        return Each(
            between(2, k),
            lambda i: tree.weights[i] == sgn(w(edge_of(tree.paths[i])), at_zero),
        )

    def second(tree: Tree) -> Term:
        size = sizes_on(tree.paths[k])
        reached = Some(
            tree.before[k], lambda r: tree.weights[r] == w(edge_of(tree.paths[r])) * size
        )
        at_input = card(into(first_vertex(tree.paths[k]))) == 0
        return When(at_input, tree.factors[k] == size, reached)

    def same(tree: Tree, j: Term) -> Term:
        return nu(j) == tree.value(j)

    return (
        iterated(first, k, at_zero)
        & iterated(second, k, at_zero)
        & Each(examples(), lambda j: iterated(lambda tree: same(tree, j), k, at_zero))
    )


ITERATION = Some(SIGNS, lambda s: Each(between(2, SIZE), lambda k: invariants(k, s)))
"""With one of them as the sign of 0, which is not printed: it fails where it does with both."""


# the claims --------------------------------------------------------------------------------------
TREE_EXISTS = Given(
    "T_G is a tree",
    IS_TREE & has_weights("A1B2"),
    r"$T_G$ is a tree with all its weights",
    built_in=True,
)
PLAIN = (FEEDFORWARD, BIAS_FREE)


PRINTED = stated(
    "lj22.lemma5-iter@A1B2",
    both("proof of Lemma 5"),
    "invariants of the iterated pull-back",
    r"Apply Lemma 7 to the vertices $\pi_1,\dots,\pi_\xi$ of $T_G[V]\setminus O_{T_G}$ in "
    r"breadth-first order; $M_G$ is the current graph. At iteration $j$: 1. "
    r"$M_G[w](\pi_kq)=\mathrm{sgn}(G[w](e_{\pi_k}))$ for all $k\le j$, for some $q$; 2. if "
    r"$\pi_j\notin I_{M_G}$ then $M_G[w](r\pi_j)=G[w](e_r)\prod_{f\in\pi_j}|G[w](f)|$ for "
    r"some $r$, otherwise "
    r"$x_{\pi_j}$ is modified to $x_{\pi_j}\prod_{f\in\pi_j}|G[w](f)|$.",
    ITERATION,
    (TREE_EXISTS, HOMOGENEOUS, *PLAIN),
    kind=Kind.IDENTITY,
    depends=("lj22.def10@A1B2", "lj22.lemma7"),
    why=r"behind a weight $0$ the product of the weights is $0$, so the next one becomes "
    r"$\mathrm{sgn}(0)$ instead of the sign of $G[w](e_{\pi_k})$",
    pool=TREES,
    reading="A1B2",
    reading_text=WORDS["A1B2"],
)
REPAIRED = mended(
    PRINTED,
    f"{PRINTED.title}, no weight being 0",
    PRINTED.statement,
    ITERATION,
    (TREE_EXISTS, NONZERO_WEIGHTS, HOMOGENEOUS, *PLAIN),
    kind=Kind.IDENTITY,
)
CLAIMS = (PRINTED, REPAIRED)
