"""Appendix A: how often an edge is dropped, or kept, where xi is Bernoulli and p the parameter.

An instance is made of numbers: the parameter p, and of two edges of one law the mean q of xi and
their covariance c.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.quantities import each_case
from verify.papers.zlb22.digraphs import Labelled
from verify.papers.zlb22.dropped_edges import DISPLAY, WHERE
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

ZERO, ONE = Fraction(0), Fraction(1)


# measure ------------------------------------------------------------------------------------------
def frequencies(scene: object, kept: bool) -> Entries:
    """For two edges of one law, xi Bernoulli of mean q with covariance c: the probability that the
    first (and that both) is dropped, or kept, minus p (minus p^2)."""
    return each_case(partial(_frequencies, kept=kept), scene)


def _frequencies(case: Tensors, kept: bool) -> Labelled:
    p, q, c = (case.number(name) for name in "pqc")
    law = {(1, 1): q * q + c, (0, 0): (1 - q) ** 2 + c}
    law[1, 0] = law[0, 1] = q - law[1, 1]

    def counted(value: int) -> bool:
        return (value >= p) is kept

    one = sum((mass for (first, _), mass in law.items() if counted(first)), ZERO)
    both = sum((mass for pair, mass in law.items() if all(map(counted, pair))), ZERO)
    return [({"part": "one"}, one - p), ({"part": "both"}, both - p * p)]


# hypotheses ---------------------------------------------------------------------------------------
def _number(value: Fraction) -> Tensor:
    return Tensor((), (), (value,), held=True)


def _to_inside(case: Tensors, random: Random) -> Tensors:
    if 0 < case.number("p") < 1:
        return case
    return case.changing(p=_number(random.choice((Fraction(1, 10), Fraction(1, 2)))))


INSIDE = Hypothesis(
    "p strictly inside (0, 1)",
    "$0<p<1$, so that a Bernoulli variable is at least $p$ exactly where it is $1$",
    by_case(lambda case: 0 < case.number("p") < 1),
    _to_inside,
    lambda case, random: case.changing(p=_number(ZERO)),
)


def _mean(kept: bool) -> Hypothesis:
    def wanted(case: Tensors) -> Fraction:
        return case.number("p") if kept else 1 - case.number("p")

    return Hypothesis(
        "mean of xi",
        rf"$\xi$ is Bernoulli with mean ${'p' if kept else '1-p'}$",
        by_case(lambda case: case.number("q") == wanted(case)),
        lambda case, random: case.changing(q=_number(wanted(case))),
        lambda case, random: case.changing(q=_number(wanted(case) / 2)),
        thin=True,
    )


MEANS = {False: _mean(kept=False), True: _mean(kept=True)}


def _by_block(case: Tensors, random: Random) -> Tensors:
    """Both are dropped, or none."""
    q = case.number("q")
    return case.changing(c=_number(q * (1 - q)))


INDEPENDENT = Hypothesis(
    "independent xi",
    r"the $\xi$ of the edges are independent: their covariance $c$ is $0$",
    by_case(lambda case: case.number("c") == 0),
    lambda case, random: case.changing(c=_number(ZERO)),
    _by_block,
    thin=True,
)


# argument -----------------------------------------------------------------------------------------
def frequencies_computed(kept: bool) -> Argument:
    """xi >= p says xi = 1."""
    ring = ring_of(1)
    (p,) = ring.generators
    mean = p if kept else ring.constant(ONE) - p
    one = mean if kept else ring.constant(ONE) - mean
    steps = (
        Step("one edge: the probability less p is the zero polynomial", ring.is_zero(one - p)),
        Step("both: the product less p^2 is the zero polynomial", ring.is_zero(one * one - p * p)),
    )
    return Argument(
        "xi is 0 or 1, so that it is at least p exactly where it is 1",
        steps,
        ("independent events have the product of their probabilities",),
        f"frequencies(kept={kept})",
        (INSIDE.name, MEANS[kept].name, INDEPENDENT.name),
    )


# the claims ---------------------------------------------------------------------------------------
CLAIMS = tuple(
    Claim(
        f"zlb22.appA.drop.share@{reading}",
        Kind.IDENTITY,
        printed(WHERE),
        f"how often an edge is {word}",
        rf"{DISPLAY}, $\xi$ i.i.d. Bernoulli. An edge is {word} with probability $p$, two of them "
        "with probability $p^2$.",
        (INSIDE, MEANS[kept], INDEPENDENT),
        ("zlb22.appA.drop@B",),
        reading=reading,
        reading_text=f"with parameter $p$: an edge is {word} with probability $p$, which asks for "
        rf"$\xi$ of mean ${'p' if kept else '1-p'}$",
        measure=partial(frequencies, kept=kept),
        pool=TensorPool((("p", ()), ("q", ()), ("c", ()))),
        exact_only=True,
        proof=partial(frequencies_computed, kept),
    )
    for reading, word, kept in (("A", "dropped", False), ("B", "kept", True))
)
