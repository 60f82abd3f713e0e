"""Proposition I.1: the number of weights of a layer on which a neuron depends is polynomial in m.

On families given by exponents (degree_families) D is the product of the in-degrees, polynomial in m
where no a_p and no g is above 0. All weights of a layer may be exponentially many, as the paper
remarks: with exp(m^o) outputs there are so many neurons, since each reads neurons of its own.
"""

from __future__ import annotations

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.papers.zlb22.degree_families import (
    DEPTH,
    EXPONENTS,
    FAMILIES,
    INPUTS,
    POLYNOMIAL,
    WIDTH,
    ZERO,
)
from verify.papers.zlb22.digraphs import Labelled
from verify.papers.zlb22.proposition_i1 import product_by_induction
from verify.papers.zlb22.sources import printed
from verify.quantities import each_case
from verify.real_arrays import as_real
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries


def powers_left(case: Tensors) -> Labelled:
    """For layers l' <= l the power of m in log D, with the sign changed; where that is 0, D is
    polynomial, and c L minus its degree, with c the largest power of m among the in-degrees."""
    powers, exponential = case.arrays["c"].entries, case.arrays["a"].entries
    growth = case.number("g")
    found: Labelled = []
    for first in range(len(exponential)):
        for last in range(first, len(exponential)):
            label = {"numbers": [first + 1, last + 1]}
            rate = max(growth, *exponential[first : last + 1], ZERO)
            found.append((label | {"part": "rate"}, -rate))
            if rate == 0:
                degree = sum(powers[first : last + 1], ZERO)
                found.append((label | {"part": "degree"}, len(powers) * max(powers) - degree))
    return found


def polynomial_slack(scene: object) -> Entries:
    """For all pairs of layers."""
    return each_case(powers_left, scene)


def all_weights(case: Tensors) -> Labelled:
    """Of each layer the power of m in the logarithm of the number of its weights, with exp(m^o)
    outputs: of neurons that read neurons of their own there are as many as outputs times the
    in-degrees above."""
    rates = case.arrays["a"].entries
    return [
        ({"layer": p}, max(case.number("o"), *rates[p - 1 :], ZERO))
        for p in range(1, len(rates) + 1)
    ]


def exponentially_many(scene: object) -> Entries:
    """For every layer from 1 on."""
    return each_case(all_weights, scene)


MANY = TensorPool((("c", ("L",)), ("a", ("L",)), ("g", ()), ("o", ())), largest=5, adapt=as_real)


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
        "polynomial_slack",
        (EXPONENTS.name, POLYNOMIAL.name, DEPTH.name),
        section=42,
        cites=("zlb22.propI.1.product",),
    )


# claims -------------------------------------------------------------------------------------------
WORDS = (
    r"Fix $\ell'$. The largest number of elements of $\mathbf w^{(\ell')}$ on which "
    r"$\tilde f^{(\ell)}_k$ depends, over all $\ell\ge\ell'$ and $k\in[d_\ell]$, is polynomial in "
    "$m$; so is its maximum over $\\ell'$."
)


FAMILY = (
    r"Families with in-degree $m^{c_p}\exp(m^{a_p})$ in layer $p$ and $Lm^g$ layers; minus the "
    r"power of $m$ in $\log D$, and $cL$ minus the degree of $D$, $c=\max_pc_p$"
)
THROUGH = (
    "the number of weights that a neuron depends on has the order of the product of the in-degrees "
    "(docs/mathematics.md, 42)"
)
SUPPOSED = (EXPONENTS, POLYNOMIAL, WIDTH, INPUTS, DEPTH)

CLAIMS = (
    Claim(
        "zlb22.propI.1@A",
        Kind.INEQUALITY,
        printed("Proposition I.1, Appendix I"),
        "polynomially many parameters",
        WORDS,
        SUPPOSED,
        ("zlb22.propI.1.product", "zlb22.ass3.5@A"),
        polynomial_slack,
        FAMILIES,
        "A",
        rf"Assumption 3.5 over every neuron; width by the words of Definition 2.7. {FAMILY}",
        exact_only=True,
        proof=polynomial_by_products,
        through=THROUGH,
    ),
    Claim(
        "zlb22.propI.1.many",
        Kind.EXISTENCE,
        printed("Appendix I, remark"),
        "exponentially many weights of a layer",
        "The number of parameters of a layer may be exponentially large in $m$. (Families with "
        r"in-degree $m^{c_p}\exp(m^{a_p})$ in layer $p$ and $\exp(m^o)$ outputs, each neuron with "
        "parents of its own: the power of $m$ in the logarithm of the number of weights.)",
        SUPPOSED,
        ("zlb22.ass3.5@A",),
        exponentially_many,
        MANY,
        exact_only=True,
        negated="in no such family is the number of weights of a layer exponential in $m$",
        through=THROUGH,
    ),
)
