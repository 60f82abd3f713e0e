"""A network along an arc of weights w(eps) = w_0 + w_1 eps + w_2 eps^2 + ..., for small eps > 0.

Every pre-activation is a polynomial in eps as long as no slope changes, and for all small eps > 0
none does. So nu along the arc is one polynomial just after the start. A second number delta > 0,
far below every power of eps, leads from the arc to points beside it: the gradient at
w(eps) + delta d has a limit for delta -> 0, which is an element of the Clarke subdifferential at
w(eps), also where the arc runs inside of a kink. All of it is exact, in polynomials in delta, eps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graphs.errors import ParameterError
from graphs.evaluation import Evaluation
from graphs.exact import Numbers, evaluation_at, parameter_gradients
from graphs.kinks import refuse_kinks
from graphs.network import Network
from graphs.rings import Polynomial, ring_of
from graphs.subgradients import Jets
from graphs.univariate import Univariate, derivative, minus, plus, times, univariate

Arc = Sequence[Univariate]  # one polynomial in eps for each parameter


class ArcJets(Jets):
    """Polynomials in delta and eps, 0 < delta << eps^k for every k, compared as both tend to 0."""

    name = "arc jets"

    def __init__(self, backend: str = "auto") -> None:
        self.ring = ring_of(2, backend)
        self.delta, self.epsilon = self.ring.generators  # the sign is that of the least exponents

    def polynomial(self, coefficients: Univariate) -> Polynomial:
        """A polynomial in eps."""
        result = self.convert(0)
        for coefficient in reversed(coefficients):
            result = result * self.epsilon + self.convert(coefficient)
        return result

    def on_arc(self, jet: Polynomial) -> Univariate:
        """The limit for delta -> 0, a polynomial in eps."""
        found = {e: c for (d, e), c in self.ring.terms(jet).items() if d == 0}
        return univariate(found.get(k, Fraction(0)) for k in range(max(found, default=-1) + 1))


@dataclass(frozen=True)
class AlongArc:
    """What a network does just after the start of an arc, on n examples.

    values: nu(x_j; w(eps)). gradients: for each example and parameter the coordinate of the Clarke
    element of nu(x_j; .) at w(eps) that the side selects. velocity: dw/deps. All are polynomials in
    eps.
    """

    values: tuple[Univariate, ...]
    gradients: tuple[tuple[Univariate, ...], ...]
    velocity: tuple[Univariate, ...]

    def chain_rule_defect(self, example: int) -> Univariate:
        """d/deps nu(x_j; w(eps)) - <y, dw/deps> for the Clarke element y, just after the start."""
        return minus(derivative(self.values[example]), self._moved(example))

    def risk_defect(self, labels: Numbers) -> Univariate:
        """The same for the risk of the squared loss, R = (1/n) sum_j (1 - y_j nu(x_j))^2."""
        n, total = len(self.values), univariate([])
        for j, label in enumerate(labels):
            rest = minus(univariate([1]), times(univariate([label]), self.values[j]))
            loss = times(univariate([Fraction(1, n)]), times(rest, rest))
            slope = times(univariate([Fraction(-2 * label, n)]), rest)
            total = plus(total, minus(derivative(loss), times(slope, self._moved(j))))
        return total

    def _moved(self, example: int) -> Univariate:
        """<y, dw/deps>."""
        total = univariate([])
        for y, v in zip(self.gradients[example], self.velocity, strict=True):
            total = plus(total, times(y, v))
        return total


def along_arc(network: Network, arc: Arc, xs: Sequence[Numbers], side: Numbers) -> AlongArc:
    """The network along an arc, with the Clarke elements that the side d of the arc selects.

    arc: P polynomials in eps. xs: n examples. side: P numbers, the direction d. Raises
    KinkError where some pre-activation vanishes along the arc and along d, and its slope may
    matter; ParameterError for a wrong number of polynomials or directions.
    """
    network.check_weight_count(tuple(side))
    if len(arc) != len(side):
        raise ParameterError(f"{len(arc)} polynomials for {len(side)} parameters")
    jets = ArcJets()
    weights = [
        jets.polynomial(w) + jets.convert(d) * jets.delta for w, d in zip(arc, side, strict=True)
    ]
    evaluation: Evaluation = evaluation_at(network, weights, xs, jets)
    refuse_kinks(evaluation, "it stays 0 on this side; choose another one")
    gradients: Any = parameter_gradients(evaluation)
    return AlongArc(
        tuple(jets.on_arc(value) for value in evaluation.outputs[0]),
        tuple(tuple(jets.on_arc(g) for g in gradients[:, j]) for j in range(len(xs))),
        tuple(derivative(w) for w in arc),
    )
