"""Example 20 with a negative constant: R^(1)(f; Omega) > 0, so that the example fails there.

Let c < 0, and a network of any depth L with any slope inside (-1, 1) be f on Omega, with
|theta|^2 = 3 L + h^2, h <= 1/2. The layers next to the output are nearly isometric and nearly
without biases, so the last activations are nearly an isometric image of f, and nearly all that
the last layer reads is at least 0. But f(e_1) . f(e_3) = c is negative. `contradiction` adds up
what "nearly" lets be: where it is below 0 there is no such network, so |theta|^2 >= 3 L + h^2 for
every L. The steps: docs/mathematics.md, section 30.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.papers.j23.example20_cases import READINGS_OF_C, SLOPE, Numbers
from verify.papers.j23.sides import Side, by_numbers
from verify.papers.j23.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors


def contradiction(c: Fraction, slope: Fraction, h: Fraction) -> Fraction:
    """What bounds the product of the last activations at e_1 and e_3 from above, minus what bounds
    it from below. h: |theta|^2 = 3 L + h^2, at most 1/2.

    grows: the norms of both Jacobians, their inverses, and f(e_1). aside: activations off the image
    of W_L^T. bent: activations below 0, at e_1 and at e_3.
    """
    grows = 1 + Fraction(3, 2) * abs(c)
    aside = 2 * h + 3 * grows * h * (1 + 3 * grows * h)
    product = c + 8 * h * grows + 4 * (h + grows * h + h * h) + aside * aside
    sizes = 2 * (grows + h) + aside, 2 * (1 + h) + aside
    bent = [4 * (size + h) * h / (1 - slope * slope) + aside for size in (grows, 1)]
    return product + bent[0] * sizes[1] + bent[1] * sizes[0]


def least_excess(c: Fraction, slope: Fraction) -> Fraction:
    """The largest h^2, h a power of 1/2, for which no network has |theta|^2 <= 3 L + h^2, if c < 0;
    0 if c >= 0, where the networks of j23.ex20.network.fix come as near to 3 L as one wants."""
    if c >= 0:
        return Fraction(0)
    h = Fraction(1, 2)
    while contradiction(c, slope, h) >= 0:
        h /= 2
    return h * h


def first_correction(case: Numbers) -> Iterator[Side]:
    """R^(1)(f; Omega), or what it is at least, minus 0."""
    if abs(case.number("a")) < 1:
        found = least_excess(case.number("c"), case.number("a"))
        yield {}, rational(found), rational(0)


def slope_inside(case: Tensors, random: Random) -> Numbers:
    """The slope inside (-1, 1), whatever was drawn."""
    arrays = dict(case.arrays)
    if not -1 < case.number("a") < 1:
        arrays["a"] = replace(arrays["a"], entries=(Fraction(random.choice((0, 1, -1)), 2),))
    return Numbers(arrays, case.choice, case.family)


POOL = TensorPool((("a", ()), ("c", ())), adapt=slope_inside)
INSIDE = replace(SLOPE, repair=slope_inside)


def _value(letter: str) -> Claim:
    words, constant = READINGS_OF_C[letter]
    return Claim(
        f"j23.ex20@{letter}",
        Kind.IDENTITY,
        printed("Example 20"),
        "the first correction of the example is 0",
        r"$R^{(0)}(f;\Omega)=3$ and $R^{(1)}(f;\Omega)=0$ (here the latter).",
        (INSIDE, *([constant] if constant else [])),
        ("j23.schatten@A", "j23.ex20.network.fix"),
        by_numbers(first_correction),
        POOL,
        letter,
        words,
        exact_only=True,
    )


CLAIMS = (_value("A"), _value("C"))
