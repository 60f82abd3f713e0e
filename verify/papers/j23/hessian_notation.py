"""The Hessian of the squared loss in all parameters, and the tangent kernel on the training set.

Away from kinks f is a polynomial in the parameters, affine in each layer, so that the Hessian is
(1/N) (J^T J + sum_i r_i . d^2 f(x_i)) with residuals r_i, and the second derivatives are products:
by an entry (u, v) of W_m and (p, q) of W_l, l < m, J(alpha~_m -> f)_u J(alpha~_l -> alpha_(m-1))_vp
alpha_(l-1),q; by entries of one layer, or of b_m and a layer below it, they are 0.
"""

from __future__ import annotations

from verify.language.building import (
    Fold,
    Matrix,
    Sum,
    When,
    above,
    beside,
    between,
    card,
    examples,
    kron,
    row,
    zeros,
)
from verify.language.terms import Term, called, written
from verify.papers.j23.kernel_notation import as_row, by_biases, by_weights
from verify.papers.j23.network_notation import (
    DEPTH,
    Index,
    activations,
    from_pre,
    slopes,
    through,
    width,
)

Y = Matrix("Y", "examples", "nL", meaning="the labels, a row for each point")
N = called("N", card(examples()))
UPPER = between(2, DEPTH)
"""The layers behind the first one."""


# the tangent kernel -------------------------------------------------------------------------------
@written(r"\partial_\theta f(x_{{0}})")
def parameter_jacobian(x: Index) -> Term:
    """The derivatives of f(x) by W_1 (row by row), b_1, W_2, ..."""

    def of_layer(m: Index) -> Term:
        return beside(by_weights(m, x), by_biases(m, x))

    return Fold(UPPER, of_layer(1), lambda J, m: beside(J, of_layer(m)))


ALL_DERIVATIVES = Fold(
    between(2, N), parameter_jacobian(1), lambda J, x: above(J, parameter_jacobian(x))
)
KERNEL = called(r"\Theta(X,X)", ALL_DERIVATIVES @ ALL_DERIVATIVES.T)
"""Theta(X, X)."""


# the Hessian --------------------------------------------------------------------------------------
def parameters(m: Index) -> Term:
    """How many a layer has."""
    return width(m) * (width(m - 1) + 1)


def block(m: Index, low: Index, x: Index) -> Term:
    """The second derivatives of r . f(x), r = f(x) - y held fixed, by the parameters of layer m and
    of a layer below it; 0 where the other one is not below."""
    residual = as_row(activations(DEPTH, x) - row(Y, x))
    gains = (residual @ from_pre(m, x)).T
    between_them = through(low + 1, m - 1, slopes(low, x), x)
    inner = beside(kron(between_them, as_row(activations(low - 1, x))), between_them)
    found = above(kron(gains, inner), zeros(width(m), parameters(low)))
    return When(m > low, found, zeros(parameters(m), parameters(low)))


def second_derivatives(x: Index) -> Term:
    """Of r . f(x), r = f(x) - y held fixed, by the parameters of a layer and of one below it."""

    def rows(m: Index) -> Term:
        return Fold(UPPER, block(m, 1, x), lambda so_far, low: beside(so_far, block(m, low, x)))

    return Fold(UPPER, rows(1), lambda so_far, m: above(so_far, rows(m)))


def _at(x: Term) -> Term:
    J, second = parameter_jacobian(x), second_derivatives(x)
    return J.T @ J + (second + second.T)


HESSIAN = called("H", Sum(examples(), _at) / N)
