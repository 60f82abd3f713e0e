"""Assumption 3.5: its words, of every neuron, and its formula, of the layers 2 to L-1.

A family indexed by the width m is given by exponents: the neurons of layer p have in-degree m^c_p
exp(m^a_p) (verify.papers.zlb22.degree_families), which is polynomial in m where a_p = 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.claim import Claim, Kind
from verify.deep_scene import as_real
from verify.papers.j23.quantities import each_case
from verify.papers.zlb22.degree_families import DEPTH, EXPONENTS, INPUTS, WIDTH, assumption
from verify.papers.zlb22.digraphs import Labelled
from verify.papers.zlb22.network_width import POLYNOMIAL
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries


def rates_left(case: Tensors) -> Labelled:
    """Of each layer minus the power of m in the logarithm of its in-degree."""
    return [({"layer": p}, -rate) for p, rate in enumerate(case.arrays["a"].entries, 1)]


def degrees_polynomial(scene: object) -> Entries:
    """For every layer from 1 on."""
    return each_case(rates_left, scene)


def _some_polynomial(case: Tensors, random: Random) -> Tensors:
    """In-degrees that are polynomial, in about half of the layers."""
    array = case.arrays["a"]
    entries = tuple(x if random.random() < 0.5 else Fraction(0) for x in array.entries)
    return as_real(case.changing(a=replace(array, entries=entries)), random)


FAMILIES = TensorPool((("c", ("L",)), ("a", ("L",)), ("g", ())), largest=5, adapt=_some_polynomial)

CLAIMS = (
    Claim(
        "zlb22.ass3.5.words",
        Kind.INEQUALITY,
        printed("Assumption 3.5"),
        "in-degrees polynomial in the width: the formula says what the words say",
        POLYNOMIAL + " That is: where the in-degrees of the layers of the formula are polynomial "
        "in $m$, those of every neuron outside of the input layer are. On families with in-degree "
        r"$m^{c_p}\exp(m^{a_p})$ in layer $p$, width $m$ by the words of Definition 2.7: "
        r"$-a_p\ge0$ for every layer.",
        (EXPONENTS, assumption("B"), WIDTH, INPUTS, DEPTH),
        ("zlb22.ass3.5@A", "zlb22.ass3.5@B"),
        degrees_polynomial,
        FAMILIES,
        exact_only=True,
        negated=r"an in-degree is not polynomial, though those of the layers $2,\dots,L-1$ are",
    ),
)
