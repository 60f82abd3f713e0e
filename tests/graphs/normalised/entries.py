"""Rows of random entries."""

from fractions import Fraction
from itertools import product
from math import prod


def independent_entries(law, width):
    """The law of a row of i.i.d. entries: k^d vectors with their probabilities."""
    drawn = list(zip(law.atoms, law.probabilities, strict=True))
    return [
        (tuple(atom for atom, _ in chosen), prod((mass for _, mass in chosen), start=Fraction(1)))
        for chosen in product(drawn, repeat=width)
    ]
