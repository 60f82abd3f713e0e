"""Appendix C, (32): the chain rule through the decomposition, at kinks too; the degrees of h."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.case import Case
from verify.cases.kinked_points import often_kinked
from verify.cases.pool import Pool
from verify.core.claim import Claim
from verify.language.building import (
    Count,
    Each,
    Prod,
    Vector,
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
from verify.papers.lj22.path_proofs import degrees, paths_by_layers, product_derivative
from verify.papers.lj22.path_terms import along, along_others, size, x_of
from verify.papers.lj22.preliminaries import FULLY_CONNECTED, LAYERS, layer
from verify.papers.lj22.sources import both
from verify.papers.lj22.subdifferential_terms import (
    kinked_copies,
    limit_gradient,
    rate_of_entry,
    steepest,
)
from verify.statements import network_hypotheses as given
from verify.statements.network_hypotheses import where_learnable
from verify.statements.stated import Given, pool_with, stated

# the chain rule ----------------------------------------------------------------------------------
TOWARDS, ALONG = Vector("d", "edges"), Vector("u", "edges")
"""A direction that leads off kinks, and one along which gradients are looked at."""


def inclusion(j: Term) -> Term:
    """(32): with g the limit of gradients of nu_x at the points w + eps d, <g, u> is at most the
    maximum over the right-hand set."""
    gradient = limit_gradient(j, (TOWARDS,), ALONG)
    return gradient <= steepest(j, lambda path: rate_of_entry(path, j, ALONG))


FEW_KINKS = Given(
    "few kinks",
    Each(examples(), lambda j: card(kinked_copies(j)) <= 4),
    "on each example at most $4$ neurons of the tree are at a kink (then there are at most $16$ "
    "cones; not in the paper)",
    built_in=True,  # no cases with more: cones double with each
)
INCLUSION = (
    r"$\partial\nu_{x_j}(w)$ holds the limits $g$ of gradients along directions $d$ that lead off "
    r"every kink, and a closed convex set holds $g$ if for every $u$ its largest "
    r"$\langle s,u\rangle$ is at least $\langle g,u\rangle$ "
    "(docs/mathematics/lj22.md#the-chain-rule-through-h)"
)


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
    """Often at a kink, with two directions."""
    moved = often_kinked(case, random)
    drawn = pool_with(TOWARDS, ALONG).draw_with(moved.lengths, random, large=False)
    return replace(moved, arrays=drawn.arrays)


SMALL = Pool(
    losses=("prescribed",),
    largest=3,
    examples=(1, 2),
    families=("fully connected", "random DAG", "layered DAG", "tree", "bottleneck"),
    adapt=_towards,
)
GIVEN = (
    given.NONZERO_WEIGHTS,
    given.HOMOGENEOUS,
    given.FEEDFORWARD,
    given.BIAS_FREE,
    given.OWN_PARAMETERS,
)
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
        proof=product_derivative if reading == "A" else None,
        through=AFFINE,
        why=r"the displayed derivative is that of the entries $x_p\prod|w_f|$ of $h'$ (Lemma 5), "
        r"not of the entries $x_p\prod w_f$ of $h$"
        if reading == "B2"
        else "",
    )


CLAIMS = (
    stated(
        "lj22.eq32.a@A",
        both("proof of Lemma 2, (32)"),
        "chain rule inclusion through the decomposition",
        r"$$\partial\nu_{x_j}(w)=\partial(\mu\circ h_{x_j})(w)\subseteq\mathrm{CONV}"
        r"\Big\{\sum_p[\alpha]_p\beta_{j,p}\ \Big|\ \alpha\in\partial\mu(h(w)),\ "
        r"\beta_{j,p}\in\partial[h_{x_j}]_p(w)\Big\}$$",
        Each(examples(), inclusion),
        (FEW_KINKS, *GIVEN),
        depends=("lj22.lemma1",),
        pool=SMALL,
        exact_only=True,
        through=INCLUSION,
        reading="A",
        reading_text=WORDS["A"],
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
        proof=degrees,
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
        proof=paths_by_layers,
    ),
)
