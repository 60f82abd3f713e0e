"""Definition 2.2: the factor 1 / sqrt(in-degree) keeps neurons of order O(1), along ladders of
widths; beside it the factors 1 and 1 / in-degree, with which the second layer does not keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.papers.zlb22.sources import printed

INPUTS, LAYERS = 4, 3
LADDERS = ((16, 32, 64, 128), (16, 32, 64, 128), (16, 32, 64, 128, 256, 512))
HALF = Fraction(1, 2)
MEAN, LARGEST = "root mean square of layer 3", "largest |f_v| of layer 3"
PLAIN, DIVIDED = "layer 2 without a factor", "layer 2 with the factor 1/in"
Function = Callable[[np.ndarray], np.ndarray]


def softplus(z: np.ndarray) -> np.ndarray:
    """log(1 + e^z)."""
    return np.asarray(np.logaddexp(z, 0.0))


def root_mean_square(values: np.ndarray) -> np.ndarray:
    """(S,) of (S, n)."""
    return np.asarray(np.sqrt(np.mean(values**2, axis=1)))


def sizes(
    width: int, seeds: int, generator: np.random.Generator, sigma: Function, dense: bool
) -> Mapping[str, np.ndarray]:
    """(S,) each: the sizes of neurons of S networks with three hidden layers of `width` neurons.

    dense: every neuron reads all earlier layers, each edge being dropped with probability 1/2 but
    the first; else the last layer alone. The input is 1, -1, 1, -1 at every width.
    """
    signs = np.where(np.arange(INPUTS) % 2, -1.0, 1.0)
    earlier = np.broadcast_to(signs, (seeds, INPUTS))
    found: dict[str, np.ndarray] = {}
    for layer in range(1, LAYERS + 1):
        weights = generator.standard_normal((seeds, width, earlier.shape[1]))
        there = np.ones_like(weights)
        if dense:
            there[:, :, 1:] = generator.random((seeds, width, earlier.shape[1] - 1)) < 0.5
        degrees = there.sum(axis=2)
        sums = np.einsum("svu,su->sv", weights * there, earlier)
        if layer == 2:
            found[PLAIN] = root_mean_square(sums)
            found[DIVIDED] = root_mean_square(sums / degrees)
        values = sigma(sums / np.sqrt(degrees))
        earlier = np.concatenate([earlier, values], axis=1) if dense else values
    found[MEAN], found[LARGEST] = root_mean_square(values), np.abs(values).max(axis=1)
    return found


def families(scale: int) -> Sequence[Family]:
    """Two graphs, two activations."""
    return [
        Family(
            f"{words}, {named}",
            LADDERS,
            partial(sizes, sigma=sigma, dense=dense),
            shared=f"sizes of neurons, {words}, {named}",
        )
        for dense, words in ((False, "fully connected"), (True, "DenseNet with dropped edges"))
        for named, sigma in (("tanh", np.tanh), ("softplus", softplus))
    ]


CLAIMS = (
    Claim(
        "zlb22.def2.2.order",
        Kind.RATE,
        printed("Definition 2.2, paragraph on initialisation"),
        "neurons of order O(1)",
        r"The factor $1/\sqrt{\mathrm{in}(v)}$ serves to keep the value of neurons of order "
        "$O(1)$: the mean square and the largest neuron of a layer do not grow with a power of the "
        "width, "
        r"while the pre-activations of layer 2 have exponent $\tfrac12$ without a factor and "
        r"$-\tfrac12$ with the factor $1/\mathrm{in}(v)$. (Under Assumptions 3.1 and 3.2.)",
        (),
        ("zlb22.def2.2",),
        exponents=Exponents(
            families,
            (
                Predicted(MEAN, Fraction(0), above=HALF),
                Predicted(LARGEST, Fraction(0), above=HALF),
                Predicted(PLAIN, HALF, below=Fraction(0), above=Fraction(1)),
                Predicted(DIVIDED, -HALF, above=Fraction(0), below=Fraction(-1)),
            ),
            most=(32, 64, 128),
            scope=(f"three hidden layers, {INPUTS} inputs of size 1",),
        ),
    ),
)
