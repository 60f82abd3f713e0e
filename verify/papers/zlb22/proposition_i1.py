"""Proposition I.1: the number of weights of a layer on which a neuron depends is polynomial in m.

D(v, l'), for a layer l', is the sum of the in-degrees of those among v and its ancestors that lie
in layer l'. Every vertex leads to an output, so that all weights of a layer are at most as many as
the product of the largest in-degrees times the number of outputs.

The proposition itself is judged on families of networks indexed by the width m, given by exponents:
the neurons of layer p have in-degree m^c_p exp(m^a_p), every neuron reads neurons of its own in the
layer before, and there are L m^g layers, the L layers over and over. There D is the product of the
in-degrees, polynomial in m where no a_p and no g is above 0. All weights of a layer may be
exponentially many, as the paper remarks: with exp(m^o) outputs there are so many neurons, since
each reads neurons of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Kind
from verify.kinds.deep.networks import tensor_of
from verify.language.building import (
    Each,
    Filter,
    Max,
    Number,
    Prod,
    Some,
    Sum,
    Vector,
    between,
    dim,
    edges,
    head,
    implies,
    into,
    larger,
    tail,
    upto,
    vertices,
)
from verify.language.terms import Term
from verify.papers.zlb22.notation import (
    NETWORKS,
    indegree,
    layer,
    on_small_graphs,
    p,
    with_ancestors,
)
from verify.papers.zlb22.sources import printed
from verify.statements.derivations.symbols import same
from verify.statements.stated import Given, pool_with, stated

UNION = "a union has at most as many elements as its parts together"
NEURONS = Filter(vertices(), lambda v: indegree(v) > 0)


def weights_below(v: Term, number: Term) -> Term:
    """D: the number of weights into that layer on which the vertex depends."""
    return Sum(Filter(with_ancestors(v), lambda u: p(u) == number), lambda u: indegree(u))


def largest_degree(number: Term) -> Term:
    """The largest in-degree of a layer."""
    return Max(layer(number), lambda u: indegree(u))


OWN = Each(NEURONS, lambda v: weights_below(v, p(v)) == indegree(v))
PRODUCT = Each(
    NEURONS,
    lambda v: Each(
        upto(p(v)),
        lambda number: (
            weights_below(v, number) <= Prod(between(number, p(v)), lambda k: largest_degree(k))
        ),
    ),
)


def own_by_layers() -> Argument:
    """Parents lie in earlier layers."""
    earlier = Each(edges(), lambda e: p(head(e)) >= p(tail(e)) + 1)
    return Argument(
        "every parent lies in an earlier layer, so every ancestor but the neuron itself does",
        on_small_graphs(earlier),
        ("the longest path to a parent goes on to the neuron",),
        uses=(),
        section="docs/mathematics/zlb22.md#weights-below-a-neuron",
    )


def product_by_induction() -> Argument:
    """D(v) is at most the sum over the parents of v, whose number is at most the largest one."""
    ring = ring_of(3)
    degree, below, own = ring.generators

    def of_parents(v: Term, number: Term) -> Term:
        return Sum(into(v), lambda e: weights_below(tail(e), number))

    covered = Each(
        NEURONS,
        lambda v: Each(
            upto(p(v) - 1), lambda number: of_parents(v, number) >= weights_below(v, number)
        ),
    )
    return Argument(
        "in its own layer D(v) is in(v); in a layer before, the ancestors of v are those of its "
        "parents, so D(v) is at most in(v) times the largest D of a parent, which by induction is "
        "at most the product up to a layer before that of v; factors left out are at least 1",
        (
            same(
                ring,
                "in D + (M - in) D = M D",
                degree * below + (own - degree) * below,
                own * below,
            ),
            *on_small_graphs(covered),
        ),
        (UNION, "every layer from 1 on has a neuron, with an in-degree of at least 1"),
        uses=(),
        section="docs/mathematics/zlb22.md#weights-below-a-neuron",
    )


# families -----------------------------------------------------------------------------------------
ZERO = Fraction(0)
c, a, g, o = Vector("c", "L"), Vector("a", "L"), Number("g"), Number("o")
PLACES = upto(dim(c))


def rate_of(first: Term, last: Term) -> Term:
    """The power of m in log D, for the weights of one layer and a neuron of another."""
    return larger(larger(g, Max(between(first, last), lambda k: a[k])), 0)


def is_polynomial(first: Term, last: Term) -> Term:
    """log D grows with no power of m, and D is at most of the degree c L, c the largest c_p."""
    rate, degree = rate_of(first, last), Sum(between(first, last), lambda k: c[k])
    return (rate <= 0) & implies(rate == 0, degree <= dim(c) * Max(PLACES, lambda k: c[k]))


POLYNOMIALLY_MANY = Each(
    PLACES, lambda first: Each(between(first, dim(c)), lambda last: is_polynomial(first, last))
)
EXPONENTIALLY_MANY = Some(
    PLACES, lambda first: larger(o, Max(between(first, dim(c)), lambda k: a[k])) > 0
)


# hypotheses ---------------------------------------------------------------------------------------
def _entries(case: Tensors, name: str, change: Callable[[int, Fraction], Fraction]) -> Tensors:
    array = case.arrays[name]
    made = tuple(change(layer, entry) for layer, entry in enumerate(array.entries, 1))
    return case.changing(**{name: replace(array, entries=made)})


def _exponential(case: Tensors, random: Random) -> Tensors:
    """In-degree exp(m^a) in one layer from the second on."""
    depth = len(case.arrays["a"].entries)
    if depth < 2:
        return case
    chosen = random.randint(2, depth)
    return _entries(case, "a", lambda layer, entry: Fraction(1) if layer == chosen else entry)


POLYNOMIAL = Given(
    "Assumption 3.5",
    Each(PLACES, lambda k: a[k] == 0),
    r"the in-degrees of every neuron are at most polynomial in $m$: $a_p=0$",
    lambda case, random: _entries(case, "a", lambda layer, entry: ZERO),
    _exponential,
)
LATER = between(2, dim(c))  # layers


def _to_width_m(case: Tensors, random: Random) -> Tensors:
    depth = len(case.arrays["a"].entries)
    if depth < 2:
        both = {name: tensor_of(("L",), [*case.arrays[name].entries, ZERO]) for name in "ca"}
        case, depth = case.changing(**both), 2
    case = _entries(case, "c", lambda layer, entry: max(entry, Fraction(1)))
    narrow = random.randint(2, depth)
    case = _entries(case, "c", lambda layer, entry: Fraction(1) if layer == narrow else entry)
    return _entries(case, "a", lambda layer, entry: ZERO if layer == narrow else abs(entry))


WIDTH = Given(
    "width m",
    Each(LATER, lambda k: (a[k] > 0) | ((a[k] == 0) & (c[k] >= 1)))
    & Some(LATER, lambda k: (a[k] == 0) & (c[k] == 1)),
    "the least in-degree of the neurons from layer 2 on is $m$",
    _to_width_m,
)
INPUTS = Given(
    "d_0 fixed",
    (c[1] == 0) & (a[1] == 0),
    "the number of inputs does not grow: $c_1=a_1=0$",
    lambda case, random: _entries(
        _entries(case, "c", lambda layer, entry: ZERO if layer == 1 else entry),
        "a",
        lambda layer, entry: ZERO if layer == 1 else entry,
    ),
    lambda case, random: _entries(
        case, "a", lambda layer, entry: Fraction(1) if layer == 1 else entry
    ),
)


def _number(case: Tensors, name: str, value: Fraction) -> Tensors:
    return case.changing(**{name: replace(case.arrays[name], entries=(value,))})


DEPTH = Given(
    "L fixed",
    g == 0,
    "the number of layers does not grow: $g=0$",
    lambda case, random: _number(case, "g", ZERO),
    lambda case, random: _number(case, "g", Fraction(random.randint(1, 4), 4)),
)


def _at_least_0(case: Tensors, random: Random) -> Tensors:
    return case.changing(
        **{
            name: replace(array, entries=tuple(map(abs, array.entries)))
            for name, array in case.arrays.items()
        }
    )


POWERS = Each(PLACES, lambda k: (c[k] >= 0) & (a[k] >= 0)) & (g >= 0)
EXPONENTS, EXPONENTS_AND_OUTPUTS = (
    Given("exponents at least 0", holds, text, _at_least_0)
    for holds, text in ((POWERS, r"$c_p,a_p,g\ge0$"), (POWERS & (o >= 0), r"$c_p,a_p,g,o\ge0$"))
)
SUPPOSED = (POLYNOMIAL, WIDTH, INPUTS, DEPTH)


def polynomial_by_products() -> Argument:
    """log D is at most the sum of the logarithms of the in-degrees."""
    ring = ring_of(3)
    one, other, log = ring.generators
    argument = product_by_induction()
    together = (one + other) * log
    return Argument(
        "D is at most the product of the largest in-degrees of at most L layers; where these are "
        "at most m^c the product is at most m^(cL)",
        (
            *argument.steps,
            Step("exponents add up", ring.is_zero(one * log + other * log - together)),
        ),
        (
            *argument.trusted,
            "families with these in-degrees stand for all networks that meet the assumption",
        ),
        uses=(EXPONENTS.name, POLYNOMIAL.name, DEPTH.name),
        section="docs/mathematics/zlb22.md#weights-below-a-neuron",
        cites=("zlb22.propI.1.product",),
    )


# claims -------------------------------------------------------------------------------------------
WORDS = (
    r"Fix $\ell'$. The largest number of elements of $\mathbf w^{(\ell')}$ on which "
    r"$\tilde f^{(\ell)}_k$ depends, over all $\ell\ge\ell'$ and $k\in[d_\ell]$, is polynomial in "
    "$m$; so is its maximum over $\\ell'$."
)
FAMILY = (
    r"Families with in-degree $m^{c_p}\exp(m^{a_p})$ in layer $p$ and $Lm^g$ layers: $\log D$ "
    r"grows with no power of $m$, and the degree of $D$ is at most $cL$, $c=\max_pc_p$"
)
THROUGH = (
    "the number of weights that a neuron depends on has the order of the product of the in-degrees "
    "(docs/mathematics/zlb22.md#weights-below-a-neuron)"
)
PLACE = printed("proof of Proposition I.1, Appendix J")
CLAIMS = (
    stated(
        "zlb22.propI.1.own",
        PLACE,
        "weights of a neuron's own layer",
        r"If $\ell=\ell'$ that number is $m^{(\ell')}_k$.",
        OWN,
        pool=NETWORKS,
        proof=own_by_layers,
    ),
    stated(
        "zlb22.propI.1.product",
        PLACE,
        "at most the product of the largest in-degrees",
        r"Not printed: $\tilde f^{(\ell)}_k$ depends on at most "
        r"$\prod_{p=\ell'}^\ell\overline m_p$ elements of $\mathbf w^{(\ell')}$, the bound that "
        "makes their number polynomial.",
        PRODUCT,
        pool=NETWORKS,
        proof=product_by_induction,
    ),
    stated(
        "zlb22.propI.1@A",
        printed("Proposition I.1, Appendix I"),
        "polynomially many parameters",
        WORDS,
        POLYNOMIALLY_MANY,
        (EXPONENTS, *SUPPOSED),
        depends=("zlb22.propI.1.product", "zlb22.ass3.5@A"),
        pool=pool_with(c, a, g, largest=5),
        reading="A",
        reading_text=f"Assumption 3.5 over every neuron; width by the words of Definition 2.7. "
        f"{FAMILY}",
        exact_only=True,
        proof=polynomial_by_products,
        through=THROUGH,
    ),
    stated(
        "zlb22.propI.1.many",
        printed("Appendix I, remark"),
        "exponentially many weights of a layer",
        "The number of parameters of a layer may be exponentially large in $m$. (Families with "
        r"in-degree $m^{c_p}\exp(m^{a_p})$ in layer $p$ and $\exp(m^o)$ outputs, each neuron with "
        "parents of its own: the power of $m$ in the logarithm of the number of weights.)",
        EXPONENTIALLY_MANY,
        (EXPONENTS_AND_OUTPUTS, *SUPPOSED),
        kind=Kind.EXISTENCE,
        depends=("zlb22.ass3.5@A",),
        pool=pool_with(c, a, g, o, largest=5),
        exact_only=True,
        negated="in no such family is the number of weights of a layer exponential in $m$",
        through=THROUGH,
    ),
)
