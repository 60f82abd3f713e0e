"""Exact elements of the Clarke subdifferential: limits of gradients along a ray of weights.

On the ray w + eps d every pre-activation is a polynomial in eps, as long as no slope changes; and
for all small eps > 0 none does, for its sign is that of its lowest non-zero coefficient. So the
gradient at w + eps d is a polynomial in eps too, and its constant term is its limit at w.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import ObjectArithmetic, as_fraction
from graphs.evaluation import Evaluation
from graphs.exact import Numbers, evaluation_at, weighted_gradient
from graphs.kinks import refuse_kinks
from graphs.network import Network
from graphs.rings import Polynomial, ring_of


class Jets(ObjectArithmetic):
    """Polynomials in a small positive eps, compared as eps tends to 0.

    backend: see graphs.rings.
    """

    name = "jets"

    def __init__(self, backend: str = "auto") -> None:
        self.ring = ring_of(1, backend)
        self.epsilon = self.ring.generators[0]

    def convert(self, value: Any) -> Polynomial:
        """A polynomial from a rational, or from itself."""
        if self.ring.owns(value):
            return value
        return self.ring.constant(as_fraction(value))

    def sign(self, jet: Polynomial) -> int:
        """The sign for all small eps > 0: 0 only for the zero polynomial."""
        terms = self.ring.terms(jet)
        if not terms:
            return 0
        return 1 if terms[min(terms)] > 0 else -1

    def limit(self, jet: Polynomial) -> Fraction:
        """The value at eps = 0."""
        return self.ring.terms(jet).get((0,), Fraction(0))

    def is_negative(self, values: np.ndarray) -> np.ndarray:
        """Which jets are below 0 for all small eps > 0."""
        return np.asarray(self._signs(values) < 0, dtype=bool)

    def may_be_zero(self, values: np.ndarray) -> np.ndarray:
        """Which jets are the zero polynomial."""
        return np.asarray(self._signs(values) == 0, dtype=bool)

    def slopes(
        self, vertices: np.ndarray, z: np.ndarray, left: np.ndarray, right: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The slopes for all small eps > 0; a kink where z vanishes along the whole ray."""
        signs = self._signs(z)
        differ = np.asarray(left != right, dtype=bool)
        return np.where(signs < 0, left, right), (signs == 0) & differ

    def _signs(self, values: np.ndarray) -> np.ndarray:
        signs = np.zeros(values.shape, dtype=np.int64)
        for position, value in np.ndenumerate(values):
            signs[position] = self.sign(value)
        return signs


def along_ray(
    network: Network,
    weights: Numbers,
    xs: Sequence[Numbers],
    direction: Numbers,
    backend: str = "auto",
) -> Evaluation:
    """The network evaluated at w + eps d, for all small eps > 0, in Jets.

    weights, direction: P numbers each. xs: n examples. Raises KinkError when some pre-activation
    vanishes along the whole ray and its slope may matter; and as graphs.exact.evaluation_at.
    """
    network.check_weight_count(weights)
    network.check_weight_count(direction)
    jets = Jets(backend)
    pairs = zip(weights, direction, strict=True)
    moving = [jets.convert(w) + jets.convert(d) * jets.epsilon for w, d in pairs]
    evaluation = evaluation_at(network, moving, xs, jets)
    refuse_kinks(evaluation, "it stays 0 along this direction; choose another one")
    return evaluation


def clarke_element(
    network: Network,
    weights: Numbers,
    xs: Sequence[Numbers],
    kappa: Numbers,
    direction: Numbers,
) -> tuple[Fraction, ...]:
    """The limit of the risk's gradients at w + eps d for eps -> 0+, P numbers.

    An element of the Clarke subdifferential at w of sum_j kappa_j nu(x_j; .), and of a risk with
    these risk coefficients whose loss is continuously differentiable. Where w itself is
    differentiable it is the gradient.

    weights, direction: P numbers each; xs: n examples; kappa: n risk coefficients. Raises
    KinkError: see along_ray.

    >>> from graphs.network import network
    >>> net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    >>> clarke_element(net, [0, 3], [[1]], [1], [-1, 0])
    (Fraction(0, 1), Fraction(0, 1))
    """
    evaluation = along_ray(network, weights, xs, direction)
    jets = evaluation.arithmetic
    assert isinstance(jets, Jets)
    return tuple(map(jets.limit, weighted_gradient(evaluation, kappa)))
