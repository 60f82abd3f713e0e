"""Lemma K.2: how large neurons are.

A family is given by exponents. In hidden layer l the activations grow like |z|^r_l, and there are
of the order of exp(m^a_l) neurons, or polynomially many where a_l is 0; every neuron has in-degree
m from layer 2 on, so that a layer has no more of them than m times those of the next, which read
it. Given the layer below, the pre-activations of a layer are independent Gaussian numbers whose
variance is a mean of squares over m neurons, which stays between two constants. So |f| > K (log
m)^s has the probability exp(-c K^(2/r) (log m)^(2s/r)) at one neuron, which is below exp(-C log^2
m) for large K if and only if s >= r: the order of a neuron at that probability is (log m)^r. And
the largest of exp(m^a) neurons is of the order m^(a r/2), with a probability that tends to 1. Both
are lower bounds of what the lemma speaks of, so that they refute it where they exceed it.
What they do not refute is measured in the ball as well (layer_rates).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any

from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.language.building import Each, Vector, dim, implies, upto
from verify.papers.zlb22.layer_rates import measured_rates
from verify.papers.zlb22.sources import printed
from verify.statements.stated import Given, pool_with, stated

ZERO = Fraction(0)
HIGHEST = 4  # of the growth of activations that are drawn
MOST = 1  # of Lipschitz activations


# the statement ------------------------------------------------------------------------------------
growth, number = Vector("r", "L"), Vector("a", "L")
LAYERS = upto(dim(growth))
SIZE = Each(
    LAYERS,
    lambda layer: (
        (growth[layer] * number[layer] / 2 <= 0)
        & implies(growth[layer] * number[layer] == 0, growth[layer] <= layer)
    ),
)
"""m^(a r/2) is no power of m above 0, and where it is none the logarithm has the power r, at most
the printed one."""


# hypotheses ---------------------------------------------------------------------------------------
def _with(case: Tensors, name: str, change: Callable[[Fraction], Fraction]) -> Tensors:
    array = case.arrays[name]
    return case.changing(**{name: replace(array, entries=tuple(map(change, array.entries)))})


def _family(case: Tensors, random: Random) -> Tensors:
    """Growths that are integers, and numbers of neurons of at least one."""
    array = case.arrays["r"]
    entries = tuple(Fraction(random.randint(0, HIGHEST)) for _ in array.entries)
    case = case.changing(r=replace(array, entries=entries, held=True))
    return _with(case, "a", abs)


def _tamed(case: Tensors, random: Random) -> Tensors:
    return _with(case, "r", lambda entry: Fraction(min(MOST, round(abs(entry)))))


def _wild(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["r"]
    entries = (Fraction(MOST + 1), *array.entries[1:])
    return case.changing(r=replace(array, entries=entries))


LIPSCHITZ = Given(
    f"growth at most {MOST}",
    Each(LAYERS, lambda k: (growth[k] == 0) | (growth[k] == MOST)),
    r"Assumption 3.2, the words: $\sigma$ and $\sigma'$ are Lipschitz, so $\sigma$ grows at most "
    r"like $z$: $r_\ell\in\{0,1\}$",
    _tamed,
    _wild,
)


def _many(case: Tensors, random: Random) -> Tensors:
    rate = Fraction(random.randint(1, 4), 4)
    case = _with(case, "a", lambda entry: rate)
    return _with(case, "r", lambda entry: max(entry, Fraction(1)))


POLYNOMIAL = Given(
    "polynomially many neurons",
    Each(LAYERS, lambda k: number[k] == 0),
    "the neurons spoken of are polynomially many, as those are on which one neuron depends "
    "(Proposition I.1): $a=0$",
    lambda case, random: _with(case, "a", lambda entry: ZERO),
    _many,
)


def _read_by_as_many(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["a"]
    return case.changing(a=replace(array, entries=tuple(accumulate(map(abs, array.entries), max))))


NUMBERS = Given(
    "a number of neurons",
    (number[1] >= 0) & Each(upto(dim(number) - 1), lambda k: number[k] <= number[k + 1]),
    r"$0\le a_1\le a_2\le\dots$: each neuron of these hidden layers is read by one behind it, of "
    r"in-degree $m$ (else it would be an output in an inner layer)",
    _read_by_as_many,
)
FAMILIES = pool_with(growth, number, adapt=_family)


# claims -------------------------------------------------------------------------------------------
STATEMENT = (
    r"For each $\ell$, with probability at least $1-\exp(-C\log^2m)$, in the ball "
    r"$\mathsf B(w_0,R)$ the absolute value of all neurons in $\mathcal P^{(\ell)}$ is "
    r"$O((\log m+R)^\ell)$."
)
PROFILE = (
    r"Families of layered networks with in-degree $m$ from layer 2 on, activations of growth "
    r"$|z|^{r_\ell}$ and $\exp(m^{a_\ell})$ neurons in hidden layer $\ell$ (polynomially many for "
    r"$a_\ell=0$), at the centre of the ball"
)
THROUGH = (
    r"the largest of $\exp(m^a)$ neurons is of order $m^{a/2}$, and one neuron of layer $\ell$ is "
    r"of order $\log^{r_\ell}m$ at that probability (docs/mathematics/zlb22.md#sizes-of-neurons)"
)


def _claim(letter: str, words: str, **more: Any) -> Claim:
    return stated(
        f"zlb22.lemK.2.lipschitz@{letter}",
        printed("Lemma K.2"),
        "size of all neurons",
        STATEMENT,
        SIZE,
        (NUMBERS, LIPSCHITZ, *more.pop("supposed", ())),
        depends=("zlb22.lemK.4", "zlb22.ass3.2@B"),
        pool=FAMILIES,
        reading=letter,
        reading_text=f"{words}; Assumption 3.2 as the words. {PROFILE}",
        exact_only=True,
        through=THROUGH,
        **more,
    )


CLAIMS = (
    _claim(
        "A",
        r"all neurons of the network in layers $0$ to $\ell$",
        why="Assumption 3.5 bounds in-degrees and not how many neurons a layer has: the largest of "
        r"$\exp(m^a)$ of them exceeds every power of $\log m$.",
    ),
    _claim(
        "B",
        "the neurons on which a given $f_k$ depends",
        supposed=(POLYNOMIAL,),
        exponents=measured_rates("neurons"),
    ),
)
