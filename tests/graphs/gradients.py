"""Exact gradients of one network, from its evaluation."""

from fractions import Fraction

from graphs.arithmetic import as_fraction
from graphs.exact import evaluation_at, weighted_gradient
from graphs.kinks import deciding_kinks, refuse_kinks
from graphs.subgradients import Jets, along_ray


def gradient(network, weights, x, at_kink=None):
    """The derivative of nu(x; w) in each parameter, P numbers (shared ones: summed over edges).

    at_kink: the slope to select at kinks. What comes out at a kink need not be a Clarke element;
    graphs.subgradients gives those. Raises KinkError, without it, where a kink matters (see
    graphs.kinks), and as evaluation_at.
    """
    return risk_gradient(network, weights, [x], [Fraction(1)], at_kink)


def risk_gradient(network, weights, xs, kappa, at_kink=None):
    """sum_j kappa_j dnu(x_j; w)/dw_p for each parameter p, P numbers.

    xs: n examples. kappa: n risk coefficients l'(y_j nu(x_j)) y_j / n. at_kink, raises: as for
    gradient.
    """
    evaluation = evaluation_at(network, weights, xs, at_kink=at_kink)
    if at_kink is None:
        refuse_kinks(
            evaluation,
            'choose a slope by at_kink="left" or "right", or a Clarke element by a direction '
            "(graphs.subgradients)",
        )
    return tuple(map(as_fraction, weighted_gradient(evaluation, kappa)))


def is_differentiable(network, weights, xs):
    """Whether nu(x_j; w) is differentiable in w on every example, as far as the graph shows it.

    True is certain; False means that some kink may matter (see graphs.kinks).
    """
    return not deciding_kinks(evaluation_at(network, weights, xs)).any()


def slopes_along(network, weights, xs, direction):
    """The slope of each vertex that is no input, on each example, for all small eps > 0."""
    evaluation = along_ray(network, weights, xs, direction)
    jets = evaluation.arithmetic
    assert isinstance(jets, Jets)
    inputs = set(network.inputs)
    return {
        name: tuple(map(jets.limit, evaluation.slopes[v]))
        for v, name in enumerate(network.names)
        if v not in inputs
    }
